// The referee's page: every button and form writes through the interface, with the step it saw.
import { keepFresh } from "./fresh.js";
import { offerManner, showManner } from "./manner.js";
import { send } from "./post.js";
import { refuse } from "./say.js";
import { _ } from "./words.js";

const LOST = _("The table does not answer. Nothing was changed.");

function stepOf(element) {
  return Number(element.dataset.step);
}

async function ask(path, body, method = "POST") {
  const reply = await send(path, body, method).catch(() => null);
  if (!reply) return { ok: false, message: LOST };
  const answer = await reply.json().catch(() => ({}));
  return { ...answer, ok: reply.ok, status: reply.status };
}

// Sends a write; a refusal is told, and one that came too late draws the table anew.
async function write(element, path, body, method) {
  if (element.dataset.localBusy !== undefined) return null;
  element.dataset.localBusy = "";
  const answer = await ask(path, body, method);
  delete element.dataset.localBusy;
  if (!answer.ok) refuse(answer.message ?? LOST);
  if (answer.status === 409) draw();
  return answer;
}

function tapped({ target }) {
  const button = target.closest("[data-write]");
  if (!button) return;
  const body = { ...JSON.parse(button.dataset.body), step: stepOf(button) };
  write(button, button.dataset.write, body, button.dataset.method);
}

function facesOf(form) {
  const faces = {};
  for (const die of form.querySelectorAll("fieldset[data-die]")) {
    const chosen = die.querySelector("input:checked");
    if (!chosen) return null;
    if (chosen.value) faces[die.dataset.die] = chosen.value;
  }
  return faces;
}

// --- corrections: what would change is shown before anything does ----------------------------------

function isChanged(form) {
  return [...form.querySelectorAll("fieldset input")].some((one) => one.checked !== one.defaultChecked)
    || [...form.querySelectorAll("option")].some((one) => one.selected !== one.defaultSelected);
}

function actionOf(form) {
  const instead = form.querySelector(".instead input:checked, select[name=instead]");
  return instead ? JSON.parse(instead.value) : { type: "rolled", faces: facesOf(form) };
}

function wishOf(form) {
  return {
    at: Number(form.dataset.correct),
    action: actionOf(form),
    step: stepOf(form),
    drop_later: form.hasAttribute("data-local-cut") && form.elements.drop_later.checked,
  };
}

function line(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function showChanges(shown, { changes, labels }) {
  const names = Object.keys(changes);
  if (!names.length) return shown.replaceChildren(line("p", _("No count changes.")));
  const list = document.createElement("ul");
  list.append(...names.map((name) => {
    const [before, after] = changes[name];
    return line("li", `${labels[name] ?? name}: ${before ?? _("none")} → ${after}`);
  }));
  return shown.replaceChildren(line("p", _("This would change:")), list);
}

async function preview(form) {
  const shown = form.querySelector("[data-preview]");
  const button = form.querySelector("button[type=submit]");
  form.dataset.localAsked = String(Number(form.dataset.localAsked ?? 0) + 1);
  const mine = form.dataset.localAsked;
  button.disabled = true;
  if (!isChanged(form)) return shown.replaceChildren();
  const answer = await ask("/api/v1/corrections/preview", wishOf(form));
  if (form.dataset.localAsked !== mine) return;
  if (answer.ok) {
    showChanges(shown, answer);
    button.disabled = false;
    return;
  }
  if (answer.code === "later_steps_do_not_fit") form.dataset.localCut = "";
  shown.replaceChildren(line("p", answer.message ?? LOST));
}

function changed({ target }) {
  const form = target.closest("form[data-correct]");
  if (form) preview(form);
}

async function correct(form) {
  const answer = await write(form, "/api/v1/corrections", wishOf(form));
  if (answer?.ok) form.closest("details").open = false;
}

// --- rolls and counts by hand ----------------------------------------------------------------------

async function enterRoll(form) {
  const faces = facesOf(form);
  if (faces === null) return refuse(_("Tap the face of each die first."));
  const body = { faces, step: stepOf(form), player: form.dataset.roll };
  const answer = await write(form, "/api/v1/rolls", body);
  if (answer?.ok) form.closest("details").open = false;
}

function adjust(form) {
  const body = { counter: form.dataset.adjust, value: Number(form.elements.value.value), step: stepOf(form) };
  return write(form, "/api/v1/adjustments", body);
}

function submitted(event) {
  event.preventDefault();
  const form = event.target;
  if ("correct" in form.dataset) correct(form);
  else if ("roll" in form.dataset) enterRoll(form);
  else if ("adjust" in form.dataset) adjust(form);
}

function previewAgain() {
  for (const form of document.querySelectorAll("details[open] > form[data-correct]")) preview(form);
}

// What else a step may have been is asked for while somebody looks at it.
function boardPath() {
  const asked = new URLSearchParams(location.search);
  const opened = [...document.querySelectorAll("details[data-opens][open]")];
  asked.set("open", opened.map((one) => one.dataset.opens).join(","));
  return `/referee/board?${asked}`;
}

function toggled({ target }) {
  if ("opens" in target.dataset && target.open && !target.querySelector("form")) draw();
}

document.addEventListener("click", tapped);
document.addEventListener("change", changed);
document.addEventListener("submit", submitted);
document.addEventListener("toggle", toggled, true);
const draw = keepFresh(boardPath, previewAgain, { manner: showManner });
offerManner(write);
