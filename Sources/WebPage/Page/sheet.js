// Elements, and the sheets that show them. What the box says becomes text, never HTML.

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

/// The open sheets, the lowest first: one over the other. Each has an entry of the browser's history, so that Back
/// closes the one on top.
const sheets = [];
let opener = null, entries = 0, isLeaving = false, isClosing = false;

/// Shows elements between the state above and STOP below, in place of what was open. A modal dialog would make STOP
/// inert.
export function openSheet(title, content, whenClosed) {
  closeSheet();
  openOver(title, content, whenClosed);
}

/// The same over what is open: Back returns to that.
export function openOver(title, content, whenClosed) {
  if (sheets.length) sheets.at(-1).scrolled = $("sheet").scrollTop;
  else opener = document.activeElement;
  sheets.push({ title, nodes: [].concat(content), whenClosed, scrolled: 0 });
  enter();
  show();
}

/// Closes all of them.
export function closeSheet() {
  reduce(0);
  setTimeout(leave);
}

/// Writes why something failed, or nothing, in place of what stood there.
export function note(...parts) { $("note").replaceChildren(...parts); }

function enter() {
  for (; !isLeaving && entries < sheets.length; entries++) history.pushState(entries + 1, "");
}

function leave() {
  if (isLeaving || entries <= sheets.length) return;
  isLeaving = true;
  history.go(sheets.length - entries);
}

function reduce(depth) {
  if (sheets.length <= depth) return;
  for (const sheet of sheets.splice(depth).reverse()) sheet.whenClosed?.();
  show();
}

function show() {
  const sheet = sheets.at(-1);
  $("sheet").hidden = !sheet;
  document.body.classList.toggle("covered", !!sheet);
  note();
  $("content").replaceChildren(...sheet?.nodes ?? []);
  if (!sheet) return opener?.focus();
  write($("title"), sheet.title);
  $("sheet").scrollTop = sheet.scrolled;
  $("title").focus();
}

// A page that is loaded again has none.
history.replaceState(null, "");
addEventListener("popstate", ({ state }) => {
  isClosing = false;
  entries = state ?? 0;
  // One may have been opened meanwhile.
  if (!isLeaving) return reduce(entries);
  isLeaving = false;
  enter();
  leave();
});
$("close").onclick = () => {
  // A second touch before the first is through would leave the page.
  if (!sheets.length || isClosing) return;
  isClosing = true;
  history.back();
};
