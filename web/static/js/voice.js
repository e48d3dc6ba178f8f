// Says aloud what is told, where this screen's voice is switched on and the table is not quiet. Great
// moments do not wait: by their title alone they break off whatever is being said.

import { _ } from "./words.js";

const KEPT = "companion.voice";
const RANKS = { over: 4, bad: 3, hurry: 3, good: 2, turn: 1 }; // others are not said
const URGENT = 3;
const WAITING = 3; // sentences at most; the lowest are dropped
let isOn = false;
let isQuiet = false; // as the referee has set the table
let shown = null; // the switch
let saying = null;
let waiting = [];

function goOn() {
  saying = waiting.shift() ?? null;
  if (!saying) return;
  const mine = saying;
  const words = new SpeechSynthesisUtterance(mine.text);
  words.lang = document.documentElement.lang;
  words.onend = words.onerror = () => { if (saying === mine) goOn(); };
  speechSynthesis.speak(words);
}

function hush() {
  waiting = [];
  saying = null;
  speechSynthesis.cancel();
}

function add(one) {
  waiting = [...waiting, one].sort((a, b) => b.rank - a.rank).slice(0, WAITING);
  if (!saying) return goOn();
  if (one.rank <= saying.rank) return;
  saying = null; // what ends now is no longer ours
  speechSynthesis.cancel();
  goOn();
}

export function sayAloud(told) {
  if (!isOn || isQuiet) return;
  if (told.some((one) => one.cue === "undo" || one.cue === "corrected")) return hush();
  for (const { family, title, text } of told) {
    const rank = RANKS[family];
    if (rank) add({ rank, text: rank >= URGENT ? title : text });
  }
}

function label() {
  if (!shown) return;
  const on = isQuiet ? _("Voice on (quiet mode)") : _("Voice on");
  shown.textContent = isOn ? on : _("Voice off");
}

function turn(on) {
  isOn = on;
  label();
  localStorage.setItem(KEPT, on ? "on" : "off");
  if (!on) hush();
}

// A quiet table's screens say nothing; their switches stay as they are for later.
export function beQuiet(quiet) {
  if (quiet && !isQuiet && isOn) hush();
  isQuiet = quiet;
  label();
}

// Browsers let a page speak only after somebody has touched it, so the switch says a word itself.
export function offerVoice(button, quiet) {
  if (!button || !("speechSynthesis" in window)) return;
  shown = button;
  button.hidden = false;
  isQuiet = quiet;
  turn(localStorage.getItem(KEPT) === "on");
  button.addEventListener("click", () => {
    turn(!isOn);
    if (isOn && !isQuiet) add({ rank: RANKS.turn, text: button.textContent });
  });
}
