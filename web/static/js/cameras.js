// What the cameras see, while somebody looks: asked for a few times a second, drawn where it is new.
import { _ } from "./words.js";

const EVERY_MS = 330;
const panel = document.getElementById("cameras");
const canvases = [...document.querySelectorAll("canvas[data-live]")];
const tags = new Map();

function isWatched() {
  return panel?.open && !document.hidden;
}

function ageOf(seconds) {
  return seconds < 1.5 ? _("just now") : _("{seconds} s ago", { seconds: Math.round(seconds) });
}

async function draw(canvas, reply) {
  const picture = await createImageBitmap(await reply.blob());
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d").drawImage(picture, 0, 0);
  picture.close();
}

// The picture has numbers on it; what they mean comes beside it in the language of this page.
function tellWhatIsThere(figure, said) {
  const rows = JSON.parse(said ?? "[]").map((text) => {
    const row = document.createElement("li");
    row.textContent = text;
    return row;
  });
  figure.querySelector(".live-legend").replaceChildren(...rows);
}

async function look(canvas) {
  const age = canvas.closest("figure").querySelector(".live-age");
  const known = tags.get(canvas);
  const headers = known ? { "If-None-Match": known } : {};
  const reply = await fetch(canvas.dataset.live, { headers, cache: "no-store" }).catch(() => null);
  canvas.toggleAttribute("data-gone", !reply || reply.status >= 400);
  if (!reply || reply.status >= 400) {
    age.textContent = _("No picture just now");
    tellWhatIsThere(canvas.closest("figure"), null);
    return;
  }
  age.textContent = ageOf(Number(reply.headers.get("Picture-Age-S")));
  if (reply.status !== 200) return;
  tellWhatIsThere(canvas.closest("figure"), reply.headers.get("Picture-Legend"));
  await draw(canvas, reply);
  tags.set(canvas, reply.headers.get("ETag"));
}

async function lookOn() {
  while (isWatched()) {
    await Promise.all(canvases.map((canvas) => look(canvas).catch(() => {})));
    await new Promise((done) => { setTimeout(done, EVERY_MS); });
  }
}

let looking = null;
function begin() {
  looking ??= lookOn().finally(() => { looking = null; });
}

panel?.addEventListener("toggle", begin);
document.addEventListener("visibilitychange", begin);
begin();
