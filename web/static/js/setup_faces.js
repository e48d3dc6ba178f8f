// A lesson: pictures are taken by a button, by themselves, or sent from files; the score follows.
import { drawer, listen, write } from "./setup_desk.js";
import { sendPicture } from "./post.js";
import { refuse } from "./say.js";
import { _ } from "./words.js";

const LOOK_MS = 700;
const SHOWN_MS = 5000; // so often the table hears that somebody is still at it
const draw = drawer("/setup/faces/board");
let before = null; // the face that was asked for last
let drawnMs = 0;

function wantsByItself() {
  return document.getElementById("by-itself")?.checked ?? false;
}

// Takes one picture after the other while the box is ticked and the same face is asked for. What
// was seen already, or moves, is no news: it is simply looked at again.
async function takeByItself() {
  const take = document.getElementById("take");
  if (!wantsByItself() || !take || take.dataset.localBusy !== undefined) return;
  const box = document.getElementById("by-itself");
  const reply = await write(take, take.dataset.write, JSON.parse(take.dataset.body), "POST", {
    quiet: ["nothing_new", "moves", "no_use", "taking"],
  });
  if (!reply.ok && !reply.quiet) box.checked = false;
  if (reply.ok) await draw();
}

// Another face is asked for: people need time to find it, and say so themselves.
function noticeFace() {
  const now = document.getElementById("take")?.dataset.body ?? null;
  const box = document.getElementById("by-itself");
  if (before !== null && now !== before && box) box.checked = false;
  before = now;
}

async function upload({ target }) {
  if (!target.matches("[data-upload]")) return;
  const [path, files] = [target.dataset.upload, [...target.files]];
  target.disabled = true;
  for (const file of files) {
    const reply = await sendPicture(path, file).catch(() => null);
    if (!reply?.ok) {
      const why = reply ? await reply.json().catch(() => ({})) : {};
      refuse(`${file.name}: ${why.message ?? _("The table does not answer.")}`);
    }
    await draw();
  }
  target.value = "";
  target.disabled = false;
}

async function again() {
  noticeFace();
  await takeByItself();
  const board = document.getElementById("board");
  const isDue = board.dataset.lesson !== undefined && performance.now() - drawnMs > SHOWN_MS;
  if (!document.hidden && (isDue || board.dataset.learning === "yes")) {
    drawnMs = performance.now();
    await draw();
  }
  for (const live of document.querySelectorAll("img[data-live]")) {
    if (live.complete) live.src = `${live.dataset.live}?n=${Date.now()}`;
  }
  setTimeout(again, LOOK_MS);
}

document.addEventListener("change", upload);
listen(draw);
again();
