// The page: what the feed brings is drawn, what people tap is sent.
import { follow } from "./stream.js";
import { morph } from "./morph.js";
import { showLamps, showSources } from "./lamps.js";
import { offerOdds } from "./odds.js";
import { announce, explain, forgetRemedies, refuse } from "./say.js";
import { listen, dress, measureRoundTrip } from "./tap.js";
import { beQuiet, offerVoice, sayAloud, sound } from "./voice.js";
import { _ } from "./words.js";

const parser = new DOMParser();
const BUSY = ["moving", "settling", "rolling"];
let moving = null;

function draw(html) {
  const board = document.getElementById("board");
  const focused = document.activeElement;
  const wasIn = focused?.closest?.("#offers, .players, .told")?.className;
  morph(board, parser.parseFromString(html, "text/html").getElementById("board"));
  dress();
  if (moving) tumble(moving);
  if (wasIn && document.activeElement === document.body) {
    document.getElementById("offers").focus({ preventScroll: true });
  }
}

function isOtherGame(data) {
  return data.game && data.game !== document.body.dataset.game;
}

function tumble(names) {
  const busy = new Set(names);
  const dice = [...document.querySelectorAll("figure.die")];
  const named = dice.filter((die) => busy.has(die.dataset.die)
    || busy.has(die.closest("[data-dice]").dataset.dice)
    || busy.has(die.closest("[data-zone]")?.dataset.zone));
  const awaited = named.length || !busy.size ? named
    : dice.filter((die) => "rollable" in die.dataset);
  for (const die of dice) die.toggleAttribute("data-tumbling", awaited.includes(die));
}

function sense(data) {
  if (data.sources) showSources(data.sources);
  if (!data.zones) return;
  moving = data.zones.filter((zone) => BUSY.includes(zone.state))
    .flatMap((zone) => [zone.name, ...(zone.dice ?? [])]);
  tumble(moving);
}

const DRAWN = {
  table(data) {
    if (isOtherGame(data)) return location.reload();
    if (data.html) draw(data.html);
    announce(data.told ?? [], { loud: Boolean(data.html) });
    sayAloud(data.told ?? []);
    if (data.told?.length) forgetRemedies();
    if (data.refused) refuse(data.refused.message);
    if (data.refused?.remedies) explain(data.refused);
  },
  lamps(data) {
    const lamps = data.lamps ?? [];
    showLamps(lamps);
    sound(lamps.find((lamp) => lamp.name === "buzzer")?.melody);
  },
  sensing: sense,
  manner: (data) => beQuiet(data.quiet),
};

function connection(state) {
  const shown = document.querySelector(".connection");
  const words = { live: _("Live"), reconnecting: _("Reconnecting"), connecting: _("Connecting") };
  if (shown.dataset.state === state) return;
  shown.dataset.state = state;
  shown.firstElementChild.textContent = words[state];
  document.body.dataset.connection = state;
  if (state === "live") measureRoundTrip();
}

async function drawAnew() {
  const reply = await fetch("/board");
  if (reply.ok) DRAWN.table(await reply.json());
}

dress();
listen({ refuse, explain, forgetRemedies, drawAnew });
offerVoice(document.getElementById("voice"), "quiet" in document.body.dataset);
offerOdds(document.getElementById("odds-switch"));
follow(document.body.dataset.lastId, {
  onState: connection,
  onMessage: (kind, data) => DRAWN[kind]?.(data),
});
