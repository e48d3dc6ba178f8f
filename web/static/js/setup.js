// The form of the game works without this; it only lets a seat show its colour at once.
document.addEventListener("change", ({ target }) => {
  const row = target.closest(".place-row");
  if (!row || !target.name.startsWith("colour.")) return;
  row.className = `place-row seat-${target.value}`;
});
