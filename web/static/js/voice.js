// Sounds and says aloud what is told, where this screen's switch is on and the table is not quiet.
// Great moments do not wait: by their title alone they break off whatever is being said.

import { hear, silence, wake, wakeWhenTouched } from "./sound.js";
import { _ } from "./words.js";

const KEPT = "companion.voice";
const RANKS = { over: 4, bad: 3, hurry: 3, good: 2, turn: 1 }; // others are not said
const CAN_SPEAK = "speechSynthesis" in window;
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
  silence();
  waiting = [];
  saying = null;
  if (CAN_SPEAK) speechSynthesis.cancel();
}

function add(one) {
  if (!CAN_SPEAK) return;
  waiting = [...waiting, one].sort((a, b) => b.rank - a.rank).slice(0, WAITING);
  if (!saying) return goOn();
  if (one.rank <= saying.rank) return;
  saying = null; // what ends now is no longer ours
  speechSynthesis.cancel();
  goOn();
}

export function sound(melody) {
  hear(melody, isOn && !isQuiet);
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
  const on = isQuiet ? _("Sound on (quiet mode)") : _("Sound on");
  shown.textContent = isOn ? on : _("Sound off");
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
  if (!button || !(CAN_SPEAK || "AudioContext" in window)) return;
  shown = button;
  button.hidden = false;
  isQuiet = quiet;
  turn(localStorage.getItem(KEPT) === "on");
  if (isOn) wakeWhenTouched();
  button.addEventListener("click", () => {
    turn(!isOn);
    wake();
    if (isOn && !isQuiet) add({ rank: RANKS.turn, text: button.textContent });
  });
}
