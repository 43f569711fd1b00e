// STOP and the messages above it, which no sheet covers. Nothing here needs the rest of the page.

import { word } from "./words.js";

const { body } = document, list = document.getElementById("alert"), button = document.getElementById("stop");
/// When to ask, in seconds after the touch, until the box answers: that takes up to 10 s.
const tries = [0, 0.5, 1, 2, 4, 6, 8, 10, 13, 17, 22, 28];
const bad = ["noAnswer", "notDelivered", "unconfirmed"], good = ["confirmed", "alreadyStopped"];

let stopPort = 8081, timers = [];

/// The port that takes nothing but stops.
export const useStopPort = port => { stopPort = port; };

/// Shows a message in place of the last one about the same thing; no text removes it.
export function notice(about, text, kind = "") {
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

/// Shows what is known of a stop; undefined: it was released.
export function showStop(outcome) {
  if (outcome) body.dataset.stopped = outcome;
  else delete body.dataset.stopped;
  const kind = bad.includes(outcome) ? "bad" : good.includes(outcome) ? "good" : "";
  notice("stop", outcome && word(outcome), kind);
}

function stop() {
  dispatchEvent(new Event("stopping"));
  showStop("pending");
  timers.forEach(clearTimeout);
  timers = tries.map(seconds => setTimeout(askBoth, seconds * 1000));
  timers.push(setTimeout(() => showStop("noAnswer"), 2500));
  navigator.vibrate?.(100);
}

function askBoth() {
  ask("/stop");
  ask(`${location.protocol}//${location.hostname}:${stopPort}/stop`);
}

async function ask(address) {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), 12000);
  try {
    const options = { method: "POST", keepalive: true, credentials: "omit", signal: limit.signal };
    const { outcome } = await (await fetch(address, options)).json();
    if (!bad.includes(outcome) && !good.includes(outcome)) return;
    timers.forEach(clearTimeout);
    // The other port's answer may have been better.
    if (!good.includes(body.dataset.stopped)) showStop(outcome);
  } catch {
    // The other port, or the next try.
  }
}

// It goes off when a finger touches. A click without one is a keyboard's or a screen reader's.
let touched = -Infinity;
button.addEventListener("pointerdown", () => {
  touched = performance.now();
  stop();
});
button.addEventListener("click", () => { if (performance.now() - touched > 1000) stop(); });
addEventListener("keydown", event => { if (event.key === "Escape" && !event.repeat) stop(); }, true);
button.textContent = word("stop");
