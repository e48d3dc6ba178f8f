// The PIN of the referee: right ones open the page that asked for it.
import { send } from "./post.js";
import { _ } from "./words.js";

const form = document.getElementById("pin-form");
const said = document.getElementById("pin-said");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const reply = await send("/api/v1/session", { pin: form.elements.pin.value }).catch(() => null);
  if (reply?.ok) {
    location.reload();
    return;
  }
  const why = reply ? await reply.json().catch(() => ({})) : {};
  said.textContent = why.message ?? _("The table does not answer.");
  form.elements.pin.select();
});
