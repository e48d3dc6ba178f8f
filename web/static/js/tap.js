// Taps: which seats are played at this screen, and what its people do.

import { send } from "./post.js";
import { _, ngettext } from "./words.js";

const SEATS = "companion.seats";
const STALE = _("The table moved on before your tap. Look again.");
const LOST = _("The table does not answer. Your tap did not count.");
let roundTrip = 0;
let says = null;
let here = []; // a page that belongs to one seat

export function sitHere(seat) {
  here = [seat];
}

function seats() {
  try {
    return new Set([...JSON.parse(localStorage.getItem(SEATS) ?? "[]"), ...here]);
  } catch {
    return new Set(here);
  }
}

function keep(mine) {
  localStorage.setItem(SEATS, JSON.stringify([...mine]));
}

export async function measureRoundTrip() {
  const trips = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const sent = performance.now();
    try {
      await fetch("/healthz");
    } catch {
      return;
    }
    trips.push((performance.now() - sent) / 1000);
  }
  roundTrip = Math.min(...trips);
}

async function post(path, body) {
  let reply;
  try {
    reply = await send(path, body);
  } catch {
    says.refuse(LOST);
    return false;
  }
  if (reply.ok) return true;
  const answer = await reply.json().catch(() => ({}));
  says.refuse(answer.message ?? (reply.status === 409 ? STALE : LOST));
  if (answer.remedies) says.explain(answer);
  if (reply.status === 409) says.drawAnew();
  return false;
}

// A button waits for its answer, so that an eager finger taps once.
async function once(button, path, body) {
  if (button.dataset.localBusy !== undefined) return false;
  button.dataset.localBusy = "";
  try {
    return await post(path, body);
  } finally {
    delete button.dataset.localBusy;
  }
}

function act(element, action) {
  const { step, player } = element.dataset;
  return once(element, "/actions", {
    action,
    step: Number(step),
    player: player || null,
    round_trip_s: Math.min(roundTrip, 2),
  });
}

function picked(offer) {
  const dice = [...offer.querySelectorAll('input[name="die"]')];
  return dice.filter((die) => die.type === "hidden" || die.checked).map((die) => die.value);
}

function throwDice(button) {
  const offer = button.closest(".roll");
  return once(button, "/throw", {
    player: offer.dataset.throw,
    dice: picked(offer),
    step: Number(offer.dataset.step),
  });
}

function enterRoll(form) {
  const entered = form.closest(".enter");
  const faces = {};
  for (const die of form.querySelectorAll(".faces")) {
    const chosen = die.querySelector("input:checked");
    if (!chosen) return says.refuse(_("Which face does {die} show?", { die: die.querySelector("legend").textContent }));
    if (chosen.value) faces[die.dataset.die] = chosen.value;
  }
  const element = form.querySelector("button");
  element.dataset.step = entered.dataset.step;
  element.dataset.player = entered.dataset.enter;
  return act(element, { type: "rolled", faces });
}

function enterFlip(form) {
  const button = form.querySelector("button");
  button.dataset.step = form.dataset.step;
  button.dataset.player = form.dataset.flip;
  const entered = new FormData(form);
  return act(button, { type: "flipped", square: entered.get("square"), face: (entered.get("face") ?? "").trim() });
}

// A tile on the screen: the simulated hand turns it up; of a real one people say what it shows.
function turnUp(button) {
  const { turn, player, step } = button.dataset;
  if (!seats().has(player)) return says.refuse(_("Take the seat of whose turn it is first."));
  const form = [...document.querySelectorAll("form[data-flip]")].find((one) => one.dataset.flip === player);
  if (document.body.dataset.simulated !== undefined) {
    return once(button, "/turns", { player, square: turn, step: Number(step) });
  }
  if (!form) return false;
  form.elements.square.value = turn;
  form.closest("details").open = true;
  form.scrollIntoView({ block: "nearest" });
  form.querySelector("input[name=face], select[name=face]")?.focus();
  return true;
}

function stepShown() {
  return Number(document.getElementById("board").dataset.step);
}

async function changeSeat(button) {
  const key = button.dataset.seat;
  const mine = seats();
  const leaving = mine.has(key);
  const isPerson = button.dataset.person === "true";
  const done = !leaving && isPerson ? true : await once(button, `/seats/${key}`, { person: !leaving, step: stepShown() });
  if (!done) return;
  if (leaving) mine.delete(key);
  else mine.add(key);
  keep(mine);
  dress();
}

// What puts a refusal right answers the table as it lies now, whoever taps it.
async function remedy(button) {
  const action = JSON.parse(button.dataset.action);
  const done = await once(button, "/actions", { action, player: null, step: stepShown() });
  if (done) says.forgetRemedies();
}

const TAPS = [
  ["[data-remedy]", remedy],
  ["[data-remedies-away]", () => says.forgetRemedies()],
  ["[data-action]", (button) => act(button, JSON.parse(button.dataset.action))],
  [".throw", throwDice],
  ["[data-turn]", turnUp],
  ["[data-seat]", changeSeat],
  ["[data-again]", (button) => once(button, "/games", { step: stepShown() })],
  ["[data-question]", (button) => once(button, "/answers",
    { question: button.dataset.question, face: button.dataset.face, step: stepShown() })],
];

function tapped(event) {
  const button = event.target.closest("button");
  if (!button || button.type === "submit") return;
  if (button.getAttribute("aria-disabled") === "true") {
    const reason = document.getElementById(button.getAttribute("aria-describedby"));
    if (reason) says.refuse(reason.textContent);
    return;
  }
  TAPS.find(([which]) => button.matches(which))?.[1](button);
}

function sent(event) {
  event.preventDefault();
  if (event.target.matches("[data-flip]")) enterFlip(event.target);
  else enterRoll(event.target);
}

// Shows what is this screen's own: its seats' hands, and how many dice are picked.
export function dress() {
  const mine = seats();
  let hands = 0;
  for (const hand of document.querySelectorAll(".hand")) {
    const isMine = mine.has(hand.dataset.hand);
    hand.toggleAttribute("data-local-mine", isMine);
    hands += isMine ? 1 : 0;
  }
  for (const player of document.querySelectorAll(".player")) {
    player.toggleAttribute("data-local-mine", mine.has(player.dataset.player));
  }
  for (const tile of document.querySelectorAll("button.cell")) {
    tile.toggleAttribute("data-local-mine", mine.has(tile.dataset.player));
  }
  document.getElementById("offers").toggleAttribute("data-local-seated", hands > 0);
  document.querySelectorAll(".roll[data-throw]").forEach(countPicked);
}

function countPicked(offer) {
  const button = offer.querySelector(".throw");
  if (!button) return;
  const dice = picked(offer).length;
  const tooFew = dice < Math.max(1, Number(offer.dataset.least));
  const howMany = button.querySelector(".how-many");
  const all = offer.querySelectorAll('input[name="die"]').length;
  if (howMany) howMany.textContent = dice === all ? "" : ngettext("only {n} of them", "only {n} of them", dice);
  button.disabled = tooFew;
}

export function listen(handlers) {
  says = handlers;
  document.addEventListener("click", tapped);
  document.addEventListener("submit", sent);
  document.addEventListener("change", ({ target }) => {
    const offer = target.closest?.(".roll[data-throw]");
    if (offer) countPicked(offer);
  });
}
