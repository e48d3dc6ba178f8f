// Keeps a part of the page as new as the table: fetched and morphed whenever the feed tells of a
// step, one request at a time.
import { follow } from "./stream.js";
import { morph } from "./morph.js";
import { showSources } from "./lamps.js";
import { announce, refuse } from "./say.js";
import { _ } from "./words.js";

const WORDS = { live: _("Live"), reconnecting: _("Reconnecting"), connecting: _("Connecting") };
const parser = new DOMParser();

function connection(state) {
  const shown = document.querySelector(".connection");
  if (shown.dataset.state === state) return;
  shown.dataset.state = state;
  shown.firstElementChild.textContent = WORDS[state];
}

function drawer(pathOf, drawn) {
  let busy = false;
  let again = false;

  async function fetchAndMorph() {
    const reply = await fetch(pathOf()).catch(() => null);
    if (!reply?.ok) return;
    const board = document.getElementById("board");
    const wasIn = board.contains(document.activeElement);
    morph(board, parser.parseFromString(await reply.text(), "text/html").getElementById("board"));
    if (wasIn && document.activeElement === document.body) {
      document.getElementById("main").focus({ preventScroll: true });
    }
    drawn();
  }

  return async function draw() {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    do {
      again = false;
      await fetchAndMorph();
    } while (again);
    busy = false;
  };
}

// pathOf()  where the part with id `board` is drawn; drawn() is called after each time.
// others    what takes news of other kinds, by kind.
export function keepFresh(pathOf, drawn, others = {}) {
  const draw = drawer(pathOf, drawn);
  follow(document.body.dataset.lastId, {
    onState: connection,
    onMessage(kind, data) {
      if (kind === "sensing" && data.sources && document.querySelector(".sources")) {
        showSources(data.sources);
      }
      others[kind]?.(data);
      if (kind !== "table") return;
      if (data.game && data.game !== document.body.dataset.game) return location.reload();
      announce(data.told ?? [], { loud: false });
      if (data.refused) refuse(data.refused.message);
      draw();
    },
  });
  return draw;
}
