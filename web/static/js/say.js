// What was told: read out by screen readers, the great moments as a banner for the whole room.

const BANNERS = ["over", "bad", "hurry"]; // the first that was told wins
const GREAT = ["over", "bad"]; // these fill the screen for a while; the rest passes on top
const BANNER_MS = 4200;
const PASSING_MS = 2000;
const TOAST_MS = 7000;
const REMEDIES_MS = 45000; // then the tile that it is about may be covered again
const SPOKEN = 12; // sentences that stay for screen readers
let bannerOff = 0;
let toastOff = 0;
let remediesOff = 0;

function speak(told) {
  const said = document.getElementById("said");
  const line = document.createElement("p");
  line.textContent = told.text;
  said.append(line);
  while (said.children.length > SPOKEN) said.firstElementChild.remove();
}

function hang(told) {
  const isGreat = GREAT.includes(told.family);
  const banner = document.getElementById("banner");
  banner.dataset.family = told.family;
  banner.dataset.cue = told.cue;
  banner.toggleAttribute("data-great", isGreat);
  banner.querySelector(".banner-title").textContent = told.title;
  banner.querySelector(".banner-text").textContent = told.text === told.title ? "" : told.text;
  banner.hidden = true;
  void banner.getBoundingClientRect();
  banner.hidden = false;
  clearTimeout(bannerOff);
  bannerOff = setTimeout(() => { banner.hidden = true; }, isGreat ? BANNER_MS : PASSING_MS);
}

export function announce(told, { loud }) {
  told.forEach(speak);
  if (!loud) return;
  for (const family of BANNERS) {
    const great = told.find((one) => one.family === family);
    if (great) return hang(great);
  }
}

// What a refusal can mean, as buttons: each sends what would put it right.
export function explain(refused) {
  const box = document.getElementById("remedies");
  box.querySelector(".remedies-text").textContent = refused.message;
  const list = box.querySelector(".answers");
  list.replaceChildren(...refused.remedies.map((remedy, n) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "choice";
    button.dataset.action = JSON.stringify(remedy);
    button.dataset.remedy = "";
    button.dataset.player = remedy.player ?? "";
    button.textContent = refused.remedy_labels?.[n] ?? remedy.face ?? remedy.choice ?? remedy.type;
    return button;
  }));
  box.hidden = false;
  clearTimeout(remediesOff);
  remediesOff = setTimeout(forgetRemedies, REMEDIES_MS);
}

export function forgetRemedies() {
  document.getElementById("remedies").hidden = true;
}

export function refuse(message) {
  const toast = document.getElementById("toast");
  toast.textContent = message;
  toast.dataset.shown = "";
  clearTimeout(toastOff);
  toastOff = setTimeout(() => { delete toast.dataset.shown; toast.textContent = ""; }, TOAST_MS);
}
