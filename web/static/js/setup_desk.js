// What workplaces of the set-up have in common: writes by buttons and forms, and a part that is
// drawn anew as often as it has to.
import { morph } from "./morph.js";
import { send } from "./post.js";
import { refuse } from "./say.js";
import { _ } from "./words.js";

const parser = new DOMParser();

// Sends a write; a refusal is told, unless its code is one of `quiet`. Gives back the answer, with
// `ok`, and `quiet` where nothing was told.
export async function write(element, path, body, method = "POST", { quiet = [] } = {}) {
  if (element.dataset.localBusy !== undefined) return { ok: false };
  element.dataset.localBusy = "";
  const reply = await send(path, body, method).catch(() => null);
  const answer = reply ? await reply.json().catch(() => ({})) : {};
  delete element.dataset.localBusy;
  const isQuiet = quiet.includes(answer.code);
  if (!reply?.ok && !isQuiet) refuse(answer.message ?? _("The table does not answer."));
  return { ...answer, ok: Boolean(reply?.ok), quiet: isQuiet };
}

// Fetches the part of the page with id `board` and makes it as it is there.
export function drawer(path) {
  let asked = null;
  async function fetchAndMorph() {
    const reply = await fetch(path).catch(() => null);
    if (!reply?.ok) return;
    const board = document.getElementById("board");
    const fresh = parser.parseFromString(await reply.text(), "text/html").getElementById("board");
    const wasIn = board.contains(document.activeElement);
    morph(board, fresh);
    if (wasIn && document.activeElement === document.body) {
      document.getElementById("main").focus({ preventScroll: true });
    }
  }
  return function draw() {
    asked = (asked ?? Promise.resolve()).then(fetchAndMorph);
    return asked;
  };
}

// Draws again and again while somebody looks.
export function keepDrawing(draw, everyMs) {
  async function again() {
    if (!document.hidden) await draw();
    setTimeout(again, everyMs);
  }
  setTimeout(again, everyMs);
}

// Lets `[data-write]` buttons and `form[data-send]` write, and calls done() after each.
export function listen(done) {
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest("button[data-write]");
    if (!button) return;
    const body = JSON.parse(button.dataset.body ?? "{}");
    await write(button, button.dataset.write, body, button.dataset.method);
    done();
  });
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-send]");
    if (!form) return;
    event.preventDefault();
    const body = Object.fromEntries(new FormData(form));
    const answer = await write(form, form.dataset.send, body, form.dataset.method);
    if (answer.ok) form.closest("details")?.removeAttribute("open");
    done();
  });
}
