// Makes one element like another without replacing what stays, so that focus, what a person has
// picked, and running animations survive. Attributes that begin with `data-local` belong to the
// page alone, and `open` to whoever opened a <details>.

function isLocal(element, name) {
  return name.startsWith("data-local") || (name === "open" && element.localName === "details");
}

function morphAttributes(from, to) {
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !isLocal(from, name)) from.removeAttribute(name);
  }
  for (const { name, value } of [...to.attributes]) {
    if (from.getAttribute(name) !== value && !isLocal(from, name)) from.setAttribute(name, value);
  }
}

function isSame(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName
    && (one.id || "") === (other.id || "");
}

function morphChildren(from, to) {
  const keyed = new Map([...from.children].filter((e) => e.id).map((e) => [e.id, e]));
  const stays = new Set([...to.children].map((e) => keyed.get(e.id)));
  const isGone = (node) => node.nodeType !== Node.ELEMENT_NODE || (node.id && !stays.has(node));
  let here = from.firstChild;

  function drop() {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }

  for (const wanted of [...to.childNodes]) {
    // What is gone makes room: an element that is moved up instead, or made anew, loses a press that
    // has begun on it.
    if (wanted.nodeType === Node.ELEMENT_NODE) while (here && isGone(here)) drop();
    const match = wanted.id ? keyed.get(wanted.id) : here && isSame(here, wanted) ? here : null;
    if (!match) {
      from.insertBefore(document.adoptNode(wanted), here);
    } else {
      if (match === here) here = here.nextSibling;
      else from.insertBefore(match, here);
      morph(match, wanted);
    }
  }
  while (here) drop();
}

export function morph(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  const before = from.dataset.value ?? from.dataset.face;
  morphAttributes(from, to);
  morphChildren(from, to);
  const after = from.dataset.value ?? from.dataset.face;
  if (before !== after && before !== undefined) mark(from, before, after);
}

// Lets the style sheet show that a number grew or shrank, or that a die shows another face.
function mark(element, before, after) {
  const how = "value" in element.dataset ? (Number(after) > Number(before) ? "up" : "down") : "landed";
  delete element.dataset.localChange;
  void element.getBoundingClientRect();
  element.dataset.localChange = how;
}
