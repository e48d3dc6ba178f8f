// Lamps as they shine, and how the sensors are: both change without a step.

import { _ } from "./words.js";

const STATES = { ok: _("ok"), silent: _("silent"), lost: _("lost") };

function entry(list, template, key, name) {
  const found = [...list.children].find((item) => item.dataset[key] === name);
  if (found) return found;
  const made = document.getElementById(template).content.firstElementChild.cloneNode(true);
  made.dataset[key] = name;
  list.append(made);
  return made;
}

function keepOnly(list, key, names) {
  for (const item of [...list.children]) if (!names.has(item.dataset[key])) item.remove();
}

export function showLamps(lamps) {
  const list = document.querySelector(".lamps");
  for (const lamp of lamps) {
    const item = entry(list, "lamp", "lamp", lamp.name);
    const picture = item.querySelector("svg");
    picture.setAttribute("color", lamp.colour);
    picture.setAttribute("aria-label", `${lamp.label}: ${lamp.level > 0.05 ? _("shines") : _("dark")}`);
    for (const part of item.querySelectorAll(".lamp-halo, .lamp-light")) {
      part.setAttribute("opacity", lamp.level);
    }
    item.querySelector(".lamp-label").textContent = lamp.label;
  }
  keepOnly(list, "lamp", new Set(lamps.map((lamp) => lamp.name)));
}

export function showSources(sources) {
  const list = document.querySelector(".sources");
  for (const source of sources) {
    const item = entry(list, "source", "source", source.name);
    item.dataset.state = source.state;
    item.querySelector(".source-label").textContent = source.label;
    item.querySelector(".source-state").textContent = STATES[source.state] ?? source.state;
    item.querySelector(".source-detail").textContent = source.detail ?? "";
  }
  keepOnly(list, "source", new Set(sources.map((source) => source.name)));
}
