// One game: the slider fetches the table of a step, one request at a time, the newest wish last.
import { morph } from "./morph.js";

const parser = new DOMParser();
const slider = document.getElementById("slider");
let busy = false;

async function fetchStep(step) {
  const reply = await fetch(`/games/${slider.dataset.gameNumber}/steps/${step}`).catch(() => null);
  if (!reply?.ok) return;
  const drawn = parser.parseFromString(await reply.text(), "text/html").getElementById("past");
  morph(document.getElementById("past"), drawn);
}

function tellPlace(step) {
  const last = Number(slider.max);
  document.getElementById("slid").textContent = step;
  document.querySelector(".one-back").href = `?step=${Math.max(0, step - 1)}`;
  document.querySelector(".one-on").href = `?step=${Math.min(last, step + 1)}`;
  history.replaceState(null, "", `?step=${step}`);
}

async function show() {
  tellPlace(Number(slider.value));
  if (busy) return;
  busy = true;
  let shown = null;
  while (shown !== slider.value) {
    shown = slider.value;
    await fetchStep(shown);
  }
  busy = false;
}

function stepBy(event, steps) {
  event.preventDefault();
  slider.value = Number(slider.value) + steps;
  show();
}

slider?.addEventListener("input", show);
document.querySelector(".one-back")?.addEventListener("click", (event) => stepBy(event, -1));
document.querySelector(".one-on")?.addEventListener("click", (event) => stepBy(event, 1));
// whoever moved the slider before this script came, or a browser that remembers where it was
if (slider && slider.value !== document.getElementById("past").dataset.step) show();
