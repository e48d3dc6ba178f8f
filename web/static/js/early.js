// A tap counts from the moment at which its button can be seen: what people tap or send before the
// page's own scripts have come is kept, and done once they are there.
// (A classic script, so that it runs while the page is still being read; modules come last.)
(() => {
  let again = null;

  function keep(event) {
    if (event.target.closest("form[action]")) return; // works without scripts
    const button = event.target.closest("button");
    if (event.type === "submit") {
      const { target, submitter } = event;
      again = () => target.isConnected && target.requestSubmit(submitter);
    } else if (button && button.type !== "submit") {
      again = () => button.isConnected && button.click();
    } else {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation(); // it is done once, by whoever is there afterwards
  }

  const kinds = ["click", "submit"];
  for (const kind of kinds) document.addEventListener(kind, keep, true);
  // Modules that wait for the words of the page's language come after this event.
  function modules() {
    const scripts = [...document.querySelectorAll("script[type=module]")];
    return Promise.allSettled(scripts.map(({ src }) => import(src)));
  }

  document.addEventListener("DOMContentLoaded", async () => {
    await modules();
    for (const kind of kinds) document.removeEventListener(kind, keep, true);
    again?.();
  });
})();
