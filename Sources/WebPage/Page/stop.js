// STOP, and the messages above it, which no sheet covers. Nothing here needs the rest of the page.

import { word } from "./words.js";

const { body } = document, list = document.getElementById("alert"), button = document.getElementById("stop");
const kinds = {
  noAnswer: "bad", notDelivered: "bad", unconfirmed: "bad", confirmed: "good", alreadyStopped: "good",
};
/// `tries` left until the box answers; 0: it has answered, or nothing was asked.
let tries = 0, nextTry = 0, alarm = 0, reload = 0;

/// Shows a message in place of the last one about it; no text removes it.
export function notice(about, text, kind) {
  let line = list.querySelector(`[data-key=${about}]`);
  if (!text) return line?.remove();
  if (!line) {
    line = document.createElement("p");
    line.dataset.key = about;
    list.append(line);
  }
  line.className = kind;
  if (line.textContent !== text) line.textContent = text;
}

/// Shows what is known of a stop; nothing: it was released.
export function showStop(outcome) {
  // An earlier one was released. What failed is shown until STOP is pressed again.
  if (tries ? !outcome : outcome === "pending" && kinds[body.dataset.stopped] === "bad") return;
  if (kinds[outcome] === "good") tries = 0;
  body.dataset.stopped = outcome ?? "";
  notice("stop", outcome && word(outcome === "pending" ? "stopping" : outcome), kinds[outcome]);
}

/// Balls may fly again where the box can't be heard: what was stopped is old news.
export function forgetGoodStop() {
  if (body.dataset.lost === "true" && kinds[body.dataset.stopped] === "good") showStop();
}

/// Whether another box answers at the page's address. Its court is another one, and its own page has its
/// name: that comes at once, or when people have read that STOP had no answer.
export function isForeign(id) {
  if (id === body.dataset.id) return false;
  if (tries) showStop("noAnswer");
  tries = 0;
  clearTimeout(reload);
  reload = setTimeout(() => location.reload(), kinds[body.dataset.stopped] === "bad" ? 10000 : 0);
  return true;
}

function stop() {
  dispatchEvent(new Event("stopping"));
  tries = 30;
  showStop("pending");
  askBoth(500);
  clearTimeout(alarm);
  // The answer may take 10 s; meanwhile the box's events say that it stops.
  alarm = setTimeout(() => { if (tries && body.dataset.safety !== "stopped") showStop("noAnswer"); }, 2500);
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(100);
}

function askBoth(pause) {
  clearTimeout(nextTry);
  if (!tries) return;
  tries -= 1;
  ask("/stop");
  ask(`${location.protocol}//${location.hostname}:${body.dataset.stopPort}/stop`);
  nextTry = setTimeout(askBoth, pause, 2000);
}

async function ask(address) {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), 12000);
  try {
    const options = { method: "POST", keepalive: true, credentials: "omit", signal: limit.signal };
    const { outcome, id } = await (await fetch(address, options)).json();
    if (kinds[outcome] && isForeign(id)) return;
    // The other port's was better, or the stop is released.
    const { stopped } = body.dataset;
    if (kinds[outcome] && stopped && kinds[stopped] !== "good") showStop(outcome);
    if (kinds[outcome]) tries = 0;
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
button.textContent = word("stop");
// A form's stops without this script.
button.type = "button";
