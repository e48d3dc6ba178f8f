// Zones on the live picture: their corners are dragged, moved by arrow keys, or typed. What counts is
// in the number fields of each zone's form; picture and fields follow each other.
import { drawer, listen, write } from "./setup_desk.js";

const AGAIN_MS = 700; // between two pictures
const HANDLE_PX = 14; // radius of a corner on a screen whose letters are 16 pixels high
const draw = drawer("/setup/camera");
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function within(value, most) {
  return Math.min(Math.max(Math.round(value * 10) / 10, 0), most);
}

// One zone: its form, and its outline with four handles.
class Zone {
  constructor(svg, outline, form) {
    this.svg = svg;
    this.form = form;
    this.polygon = outline.querySelector("polygon");
    this.label = outline.querySelector("text");
    this.handles = [...outline.querySelectorAll(".handle")];
    this.xs = [...form.querySelectorAll("[data-axis=x]")];
    this.ys = [...form.querySelectorAll("[data-axis=y]")];
    this.handles.forEach((handle, corner) => this.grip(handle, corner));
    form.addEventListener("input", () => this.draw(true));
    form.addEventListener("reset", () => setTimeout(() => this.draw(false)));
  }

  corners() {
    return this.xs.map((x, n) => [Number(x.value), Number(this.ys[n].value)]);
  }

  move(corner, x, y) {
    this.xs[corner].value = within(x, Number(this.svg.dataset.width));
    this.ys[corner].value = within(y, Number(this.svg.dataset.height));
    this.draw(true);
  }

  draw(isChanged) {
    const corners = this.corners();
    this.polygon.setAttribute("points", corners.map((one) => one.join(",")).join(" "));
    this.label.setAttribute("x", corners[0][0] + 8);
    this.label.setAttribute("y", corners[0][1] + 24);
    this.handles.forEach((handle, n) => {
      const [x, y] = corners[n];
      handle.setAttribute("cx", x);
      handle.setAttribute("cy", y);
      handle.setAttribute("aria-valuenow", x);
      handle.setAttribute("aria-valuetext", `x ${x}, y ${y}`);
    });
    const unsaved = this.form.querySelector(".unsaved");
    const words = isChanged ? unsaved.dataset.words : "";
    if (unsaved.textContent !== words) unsaved.textContent = words;
  }

  at(event) {
    const place = new DOMPoint(event.clientX, event.clientY);
    return place.matrixTransform(this.svg.getScreenCTM().inverse());
  }

  grip(handle, corner) {
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus({ preventScroll: true });
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const { x, y } = this.at(event);
      this.move(corner, x, y);
    });
    handle.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      const far = event.shiftKey ? 10 : 1;
      const [x, y] = this.corners()[corner];
      this.move(corner, x + far * step[0], y + far * step[1]);
    });
  }

  wish() {
    const sides = [...this.form.querySelectorAll("[data-side]")].map((one) => one.value);
    return {
      corners: this.corners(),
      sides: sides.every(Boolean) ? sides.map(Number) : null,
      dice: ticked(this.form),
    };
  }
}

function ticked(form) {
  return [...form.querySelectorAll("[data-die]:checked")].map((one) => one.value);
}

// Handles are as large on the screen whatever the size of the picture.
function resize(svg) {
  const letters = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const scale = (svg.getScreenCTM()?.a ?? 1) * 16 / letters;
  for (const handle of svg.querySelectorAll(".handle")) handle.setAttribute("r", HANDLE_PX / scale);
  for (const text of svg.querySelectorAll("text")) text.setAttribute("font-size", 16 / scale);
}

function keepLooking(picture) {
  const again = () => setTimeout(() => {
    if (document.hidden) return again();
    picture.src = `${picture.dataset.live}?n=${Date.now()}`;
  }, AGAIN_MS);
  picture.addEventListener("load", again);
  picture.addEventListener("error", again);
  again();
}

async function save(zone) {
  const answer = await write(zone.form, zone.form.dataset.send, zone.wish(), "PUT");
  if (answer.ok) location.reload();
}

async function add(form) {
  const width = Number(form.dataset.width);
  const height = Number(form.dataset.height);
  const [left, top, right, low] = [0.3 * width, 0.3 * height, 0.7 * width, 0.7 * height];
  const wish = { corners: [[left, top], [right, top], [right, low], [left, low]], dice: ticked(form) };
  const name = encodeURIComponent(form.elements.zone.value);
  const answer = await write(form, form.dataset.add + name, wish, "PUT");
  if (answer.ok) location.reload();
}

async function sendNumbers(form) {
  const body = Object.fromEntries([...new FormData(form)].map(([name, text]) => [name, Number(text)]));
  const answer = await write(form, form.dataset.send, body, form.dataset.method);
  if (answer.ok) location.reload();
}

for (const place of document.querySelectorAll(".camera-place")) {
  const svg = place.querySelector(".overlay");
  const zones = [...svg.querySelectorAll("[data-zone]")].map((outline) => {
    const form = [...place.querySelectorAll("form[data-zone]")]
      .find((one) => one.dataset.zone === outline.dataset.zone);
    return new Zone(svg, outline, form);
  });
  for (const zone of zones) {
    zone.form.addEventListener("submit", (event) => {
      event.preventDefault();
      event.stopPropagation();
      save(zone);
    });
  }
  new ResizeObserver(() => resize(svg)).observe(svg);
  keepLooking(place.querySelector("[data-live]"));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!("add" in form.dataset) && !("numbers" in form.dataset)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if ("add" in form.dataset) add(form);
  else sendNumbers(form);
}, { capture: true });

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("button[data-drop]");
  if (button && (await write(button, button.dataset.drop, {}, "DELETE")).ok) location.reload();
});

// What is said above the cameras is drawn anew; they stay. A page that loads itself anew loses what
// was refused, and the tap that comes meanwhile: it jumps back to where it was scrolled to.
async function drawAbove() {
  await draw();
  const waits = document.getElementById("waits") !== null;
  for (const offer of document.querySelectorAll(".let-wait")) {
    if (waits && offer.contains(document.activeElement)) {
      document.getElementById("main").focus({ preventScroll: true });
    }
    offer.hidden = waits;
  }
}

listen(drawAbove);
