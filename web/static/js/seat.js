// The phone of one seat: its offers are sent like those of the big screen; it trembles on my turn.
import { keepFresh } from "./fresh.js";
import { explain, forgetRemedies, refuse } from "./say.js";
import { sitHere, dress, listen, measureRoundTrip } from "./tap.js";
import { send } from "./post.js";

const TREMBLE_MS = [180, 90, 180];
const board = document.getElementById("board");
const seat = board.dataset.seatPage;
let before = board.dataset.turn;

function tremble() {
  const now = board.dataset.turn;
  if (now === "mine" && before !== "mine") navigator.vibrate?.(TREMBLE_MS);
  before = now;
}

async function changeSeat(person) {
  const reply = await send(`/seats/${seat}`, { person, step: Number(board.dataset.step) }).catch(() => null);
  if (reply?.ok) return draw();
  const why = await reply?.json().catch(() => ({}));
  return refuse(why?.message ?? "");
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-sit]")) changeSeat(true);
  if (target.closest("[data-stand]")) changeSeat(false);
});

sitHere(seat);
const draw = keepFresh(() => `/seat/${seat}/board`, () => {
  tremble();
  dress();
});
dress();
listen({ refuse, explain, forgetRemedies, drawAnew: draw });
measureRoundTrip();
