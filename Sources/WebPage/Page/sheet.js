// Elements without markup (what the box says becomes text, never HTML), and the sheet that shows them.

export const $ = id => document.getElementById(id);

/// An HTML element: names that it has are properties, others attributes.
export function make(name, given = {}, ...children) {
  const element = document.createElement(name);
  for (const key in given) {
    if (key in element) element[key] = given[key];
    else element.setAttribute(key, given[key]);
  }
  element.append(...children);
  return element;
}

/// An SVG element.
export function draw(name, given = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in given) element.setAttribute(key, given[key]);
  element.append(...children);
  return element;
}

/// Writes only what changes.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let closed = null, opener = null;

/// Shows a sheet between the state above and STOP below, no modal dialog: that would make STOP inert.
/// `whenClosed` is called once.
export function openSheet(title, node, whenClosed) {
  if ($("sheet").hidden) opener = document.activeElement;
  closed?.();
  closed = whenClosed;
  $("title").textContent = title;
  $("content").replaceChildren(node);
  $("sheet").scrollTop = 0;
  cover(true);
  $("title").focus();
  return node;
}

export function closeSheet() {
  if ($("sheet").hidden) return;
  cover(false);
  closed?.();
  closed = null;
  $("content").replaceChildren();
  opener?.focus();
}

function cover(is) {
  $("sheet").hidden = !is;
  document.body.classList.toggle("covered", is);
}

$("close").onclick = closeSheet;
