// What was told: read out by screen readers, the great moments as a banner for the whole room.

const BANNERS = ["over", "bad", "hurry"]; // the first that was told wins
const BANNER_MS = 4200;
const TOAST_MS = 7000;
const SPOKEN = 12; // sentences that stay for screen readers
let bannerOff = 0;
let toastOff = 0;

function speak(told) {
  const said = document.getElementById("said");
  const line = document.createElement("p");
  line.textContent = told.text;
  said.append(line);
  while (said.children.length > SPOKEN) said.firstElementChild.remove();
}

function hang(told) {
  const banner = document.getElementById("banner");
  banner.dataset.family = told.family;
  banner.dataset.cue = told.cue;
  banner.querySelector(".banner-title").textContent = told.title;
  banner.querySelector(".banner-text").textContent = told.text === told.title ? "" : told.text;
  banner.hidden = true;
  void banner.getBoundingClientRect();
  banner.hidden = false;
  clearTimeout(bannerOff);
  bannerOff = setTimeout(() => { banner.hidden = true; }, BANNER_MS);
}

export function announce(told, { loud }) {
  told.forEach(speak);
  if (!loud) return;
  for (const family of BANNERS) {
    const great = told.find((one) => one.family === family);
    if (great) return hang(great);
  }
}

export function refuse(message) {
  const toast = document.getElementById("toast");
  toast.textContent = message;
  toast.dataset.shown = "";
  clearTimeout(toastOff);
  toastOff = setTimeout(() => { delete toast.dataset.shown; toast.textContent = ""; }, TOAST_MS);
}
