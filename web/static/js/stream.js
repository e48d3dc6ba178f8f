// News from the table. All tabs of a browser share one connection where the browser can (a shared
// worker), because it opens no more than six to one address.

function inThisPage(lastId, { onState, onMessage }) {
  import("./courier.js").then(({ connect }) => connect(lastId, document.documentElement.lang, (message) => {
    if (message.state) onState(message.state);
    else onMessage(message.kind, JSON.parse(message.data));
  }));
}

function throughWorker(lastId, handlers) {
  const worker = new SharedWorker(new URL("courier.js", import.meta.url), {
    type: "module",
    name: `courier-${document.documentElement.lang}`, // tabs of one language share a line
  });
  worker.onerror = () => inThisPage(lastId, handlers);
  worker.port.onmessage = ({ data: message }) => {
    if (message.state) handlers.onState(message.state);
    else handlers.onMessage(message.kind, JSON.parse(message.data));
  };
  worker.port.postMessage({ lastId, lang: document.documentElement.lang });
  window.addEventListener("pagehide", () => worker.port.postMessage({ bye: true }));
}

export function follow(lastId, handlers) {
  if (window.SharedWorker) throughWorker(lastId, handlers);
  else inThisPage(lastId, handlers);
  window.addEventListener("pageshow", (shown) => shown.persisted && location.reload());
}
