// STOP, and the messages above it, which no sheet covers. Nothing here needs the rest of the page.

import { Unanswered } from "./unanswered.js";
import { dateText, word } from "./words.js";

const { body } = document, { id, stopPort } = body.dataset;
const list = document.getElementById("alert"), button = document.getElementById("stop");
const kinds = {
  noAnswer: "bad", late: "bad", notDelivered: "bad", unconfirmed: "bad", confirmed: "good", alreadyStopped: "good",
};
const isUnanswered = outcome => outcome === "noAnswer" || outcome === "late";
const stops = new Unanswered(() => localStorage), state = () => stops.state(id, Date.now());
let nextTry = 0, reload = 0, wasUnanswered = false;

/// Shows a message in place of the last one about it; no text removes it. `letGo`: what its button does.
export function notice(about, text, kind, letGo) {
  let line = list.querySelector(`[data-key=${about}]`);
  if (!text) return line?.remove();
  if (!line) {
    line = document.createElement("p");
    line.dataset.key = about;
    list.append(line);
  }
  line.className = kind;
  if (line.firstChild?.data === text) return;
  line.replaceChildren(text);
  if (!letGo) return;
  const button = document.createElement("button");
  line.append(Object.assign(button, { type: "button", textContent: word("letGo"), onclick: letGo }));
}

/// Shows what is known of a stop; nothing: it was released.
function show(outcome) {
  body.dataset.stopped = outcome ?? "";
  const text = outcome && word(outcome === "pending" ? "stopping" : outcome, dateText(stops.at(id)));
  notice("stop", text, kinds[outcome], isUnanswered(outcome) && (() => letGo(id)));
}

function letGo(box) {
  stops.settle(box);
  look();
}

/// The state of a stop from here that has no answer yet, see `unanswered.js`; undefined: there is none.
export const unansweredStop = state;

/// What the box says of a stop; nothing: there is none.
export function showStop(outcome) {
  const own = state();
  // So soon it may still speak of an earlier one, which failed.
  if (own && (kinds[outcome] === "good" || kinds[outcome] && own !== "pending")) stops.settle(id);
  // An earlier one was released. What failed is shown until STOP is pressed again.
  else if (own ? !outcome : outcome === "pending" && kinds[body.dataset.stopped] === "bad") return;
  show(outcome);
}

/// Balls may fly again where the box can't be heard: what was stopped is old news.
export function forgetGoodStop() {
  if (body.dataset.lost === "true" && kinds[body.dataset.stopped] === "good") show();
}

/// Whether another box answers at the page's address. Its court is another one, and its own page has its
/// name: that comes at once, or when people have read what failed.
export function isForeign(box) {
  if (box === id) {
    clearTimeout(reload);
    reload = 0;
    again();
    return false;
  }
  loadAgain();
  return true;
}

/// A page that is older than its box's loads again; until then it goes on.
export function loadIfOld(page) {
  if (page !== body.dataset.page) loadAgain();
}

/// At once, or when people have read what failed. Each try hears of it once more.
function loadAgain() { reload ||= setTimeout(leave, kinds[body.dataset.stopped] === "bad" ? 10000 : 0); }

/// The next page, too, shows what has no answer, if the browser keeps it.
function leave() {
  if (stops.isKept || !state()) location.reload();
  else reload = setTimeout(leave, 1000);
}

function stop() {
  dispatchEvent(new Event("stopping"));
  const now = Date.now();
  // Whatever box is there, it stops.
  askBoth("", now);
  nextTry = performance.now() + 500;
  stops.press(id, now, document.title.split(":")[0]);
  show("pending");
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(100);
}

/// Shows what has no answer, here or in another tab, and asks again. That is for this box alone.
function look() {
  const own = state(), other = stops.other(id);
  if (own && own !== "late" && performance.now() >= nextTry) {
    // Each try has 12 s, and a browser six connections for each port.
    nextTry = performance.now() + 3000;
    askBoth(`?box=${id}`, stops.at(id));
  }
  // The answer may take 10 s; meanwhile the box's events say that it stops.
  if (own && body.dataset.safety !== "stopped") show(own);
  else if (!own && isUnanswered(body.dataset.stopped)) show();
  notice("other", other && word("otherBox", dateText(other.at), other.box), "bad", () => letGo(stops.other(id)?.id));
  if (wasUnanswered === !!own) return;
  wasUnanswered = !!own;
  dispatchEvent(new Event("unanswered"));
}

function again() {
  nextTry = 0;
  look();
}

function askBoth(query, at) {
  ask(`/stop${query}`, at);
  ask(`${location.protocol}//${location.hostname}:${stopPort}/stop${query}`, at);
}

/// `at`: when it was pressed.
async function ask(address, at) {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), 12000);
  try {
    const options = { method: "POST", keepalive: true, credentials: "omit", signal: limit.signal };
    const answer = await (await fetch(address, options)).json(), { outcome } = answer;
    if (kinds[outcome] ? answer.id !== id : answer.error?.code === "otherBox") return isForeign(answer.id);
    if (!kinds[outcome]) return;
    stops.settle(id, at);
    // There was another one since, the other port's was better, or the stop is released.
    const { stopped } = body.dataset;
    if (!state() && stopped && kinds[stopped] !== "good") show(outcome);
    look();
    // Sooner than a start can follow it.
    setTimeout(forgetGoodStop, 3000);
  } catch {
    // The other port or the next try.
  }
}

// At a finger's touch. A click without one is a keyboard's or a screen reader's.
let touched = -Infinity;
button.addEventListener("pointerdown", () => {
  touched = performance.now();
  stop();
});
button.addEventListener("click", () => { if (performance.now() - touched > 1000) stop(); });
addEventListener("keydown", event => { if (event.key === "Escape" && !event.repeat) stop(); }, true);
const label = () => { button.textContent = word("stop"); };
label();
addEventListener("language", label);
// A form's stops without this script.
button.type = "button";
addEventListener("online", again);
setInterval(look, 500);
look();
