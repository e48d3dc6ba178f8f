// How quiet and how loud the table is: a switch and a slider that show what holds now, whoever set it.

let holds = null; // what the table said last
let wished = {};
let isSending = false;
let isTold = true; // whether the table has said how it is since the last wish went out

function parts() {
  const find = (id) => document.getElementById(id);
  return { panel: find("manner"), quiet: find("quiet"), volume: find("volume"), said: find("volume-said") };
}

function say(volume, said) {
  const words = `${volume.value} %`;
  volume.setAttribute("aria-valuetext", words);
  if (said.textContent !== words) said.textContent = words;
}

function draw() {
  const { panel, quiet, volume, said } = parts();
  if (!panel || !holds || isSending) return;
  quiet.checked = holds.quiet;
  volume.value = String(Math.round(holds.volume * 100));
  say(volume, said);
}

export function showManner(now) {
  holds = now;
  isTold = true;
  draw();
}

// One write at a time: what is wished meanwhile goes out together, and what the table says to an
// older wish does not move the slider under the hand.
async function send(write) {
  if (isSending) return;
  isSending = true;
  while (Object.keys(wished).length) {
    const body = { ...wished, step: Number(document.getElementById("board").dataset.step) };
    wished = {};
    isTold = false;
    const answer = await write(parts().panel, "/api/v1/manner", body, "PUT");
    isTold ||= !answer?.ok;
  }
  isSending = false;
  if (isTold) draw();
}

// write(element, path, body, method) sends, tells what is refused, and gives the answer.
export function offerManner(write) {
  const { panel, quiet, volume } = parts();
  if (!panel) return;
  holds = { quiet: quiet.defaultChecked, volume: Number(volume.defaultValue) / 100 };
  draw();
  document.addEventListener("input", ({ target }) => {
    if (target.id === "volume") say(target, parts().said);
  });
  document.addEventListener("change", ({ target }) => {
    if (target.id === "quiet") wished.quiet = target.checked;
    else if (target.id === "volume") wished.volume = Number(target.value) / 100;
    else return;
    send(write);
  });
}
