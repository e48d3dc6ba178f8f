// The odds on the big screen: off until somebody switches them on; this screen remembers it.

const KEPT = "companion.odds";

function show(on, button) {
  document.body.toggleAttribute("data-odds", on);
  button.setAttribute("aria-pressed", String(on));
  localStorage.setItem(KEPT, on ? "on" : "off");
}

export function offerOdds(button) {
  if (!button) return;
  button.hidden = false;
  show(localStorage.getItem(KEPT) === "on", button);
  button.addEventListener("click", () => show(!document.body.hasAttribute("data-odds"), button));
}
