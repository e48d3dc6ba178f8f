// New codes: a button replaces a secret, and its picture is drawn anew.
import { send } from "./post.js";
import { _ } from "./words.js";

const said = document.getElementById("pairing-said");

for (const button of document.querySelectorAll("[data-renew]")) {
  button.addEventListener("click", async () => {
    const reply = await send(button.dataset.renew, {}).catch(() => null);
    said.textContent = reply?.ok ? _("There is a new code; the old one is void.") : _("That did not work.");
    const picture = button.parentElement.querySelector("img");
    if (reply?.ok) picture.src = picture.src.split("?")[0] + `?${Date.now()}`;
  });
}
