// Melodies, as the buzzer at the table plays them: this screen hears which one has begun, and plays
// it by itself, so that no note waits for the network.

const STEPS = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const LOUDEST = 0.25; // of what the screen can do; a melody says how much of that
const FADE_S = 0.015; // notes that begin or end at once click
let context = null;
let heard; // the melody that was begun last
let playing = [];

// Browsers let a page sound only after somebody has touched it.
export function wake() {
  if (!("AudioContext" in window)) return;
  context ??= new AudioContext();
  context.resume();
}

export function wakeWhenTouched() {
  for (const kind of ["pointerdown", "keydown"]) {
    document.addEventListener(kind, wake, { once: true });
  }
}

function hertz(note) {
  const [, name, sharp, octave] = /^([A-G])(#?)(\d)$/.exec(note);
  const steps = STEPS[name] + sharp.length + 12 * (Number(octave) + 1);
  return 440 * 2 ** ((steps - 69) / 12);
}

function sound(note, fromS, forS, loud) {
  const tone = new OscillatorNode(context, { type: "triangle", frequency: hertz(note) });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setTargetAtTime(loud * LOUDEST, fromS, FADE_S / 3);
  gain.gain.setTargetAtTime(0, fromS + forS - FADE_S, FADE_S / 3);
  tone.connect(gain).connect(context.destination);
  tone.start(fromS);
  tone.stop(fromS + forS + FADE_S);
  playing.push(tone);
}

export function silence() {
  for (const tone of playing) tone.stop();
  playing = [];
}

function play({ tones, volume }) {
  silence();
  let atS = context.currentTime + FADE_S;
  for (const { note, for_s: forS } of tones) {
    if (note !== "-") sound(note, atS, forS, volume);
    atS += forS;
  }
}

// What the table's buzzer plays now; a melody that had begun before this page is not played again.
export function hear(melody, isOn) {
  const isNew = heard !== undefined && melody && melody.order !== heard;
  if (melody || heard === undefined) heard = melody?.order ?? null;
  if (isNew && isOn && context?.state === "running") play(melody);
}
