// One connection to the feed, kept alive; as a shared worker it serves every tab.

const KINDS = ["table", "lamps", "sensing", "manner"];
const SILENT_MS = 25000; // two heartbeats and a half: then the line is dead, whatever it says
const AGAIN_MS = 3000;

export function connect(lastId, lang, tell) {
  let source = null;
  let silence = 0;

  function heard() {
    clearTimeout(silence);
    silence = setTimeout(again, SILENT_MS);
  }

  function again() {
    tell({ state: "reconnecting" });
    source.close();
    clearTimeout(silence);
    silence = setTimeout(open, AGAIN_MS * (0.5 + Math.random()));
  }

  function open() {
    source = new EventSource(`/events?as=page&lang=${lang}&after=${encodeURIComponent(lastId)}`);
    source.onopen = () => { heard(); tell({ state: "live" }); };
    source.onerror = () => {
      tell({ state: "reconnecting" });
      if (source.readyState === EventSource.CLOSED) again();
    };
    source.addEventListener("beat", heard);
    for (const kind of KINDS) {
      source.addEventListener(kind, (message) => {
        heard();
        lastId = message.lastEventId || lastId;
        tell({ kind, data: message.data });
      });
    }
  }

  open();
}

// What the worker keeps for a tab that opens later: the state of the line, and the newest of each
// kind. A tab is drawn by the server first, so older words are not repeated to it.
const ports = new Set();
const newest = new Map();
let started = false;

function hand(message) {
  newest.set(message.state ? "state" : message.kind, message);
  for (const port of ports) port.postMessage(message);
}

function welcome(port, { lastId, lang }) {
  ports.add(port);
  if (!started) {
    started = true;
    connect(lastId, lang, hand);
    return;
  }
  for (const message of newest.values()) port.postMessage(quietly(message));
}

function quietly(message) {
  if (message.kind !== "table") return message;
  const data = JSON.parse(message.data);
  return { kind: "table", data: JSON.stringify({ ...data, told: [], refused: null }) };
}

if ("SharedWorkerGlobalScope" in self) {
  self.onconnect = ({ ports: [port] }) => {
    port.onmessage = ({ data }) => (data.bye ? ports.delete(port) : welcome(port, data));
  };
}
