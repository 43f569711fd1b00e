// Elements, and the sheet that shows them. What the box says becomes text, never HTML.

export const $ = id => document.getElementById(id);

/// Names that an element has are properties, others attributes.
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

/// Writes only what changes: screen readers speak what is written.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let closed = null, opener = null;

/// Shows elements between the state above and STOP below. A modal dialog would make STOP inert.
export function openSheet(title, content, whenClosed) {
  if ($("sheet").hidden) opener = document.activeElement;
  closed?.();
  closed = whenClosed;
  write($("title"), title);
  write($("note"), "");
  $("content").replaceChildren(...[].concat(content));
  cover(true);
  $("sheet").scrollTop = 0;
  $("title").focus();
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
