// The box: its events, questions to it, and requests.

import { word } from "./words.js";

/// Calls `acts[name](record)` for each event, and `stale()` after 2 s without one: the box says
/// something each second. `old()`: the page was hidden, and what it shows is as old. Returns what opens them again.
///
/// A hidden page lets go of them: a browser has six connections for one server, and STOP needs one.
export function follow(acts, stale, old) {
  let source = null, heard = 0, opened = 0;
  function open() {
    source?.close();
    source = document.hidden ? null : new EventSource("/events");
    opened = performance.now();
    for (const name in acts) {
      source?.addEventListener(name, event => {
        heard = performance.now();
        acts[name](JSON.parse(event.data));
      });
    }
  }
  function begin() {
    heard = performance.now();
    open();
  }
  document.addEventListener("visibilitychange", () => {
    old();
    begin();
  });
  begin();
  setInterval(() => {
    const now = performance.now();
    if (!source || now - heard < 2000) return;
    stale();
    // A connection that died without a word never ends by itself.
    if (now - opened > 4000) open();
  }, 250);
  return begin;
}

/// Errors have `code` and `data`, and a message for people.
export async function ask(path, options) {
  const limit = new AbortController(), timer = setTimeout(() => limit.abort(), 15000);
  let answer, body;
  try {
    answer = await fetch(`/api/${path}`, { signal: limit.signal, ...options });
    body = await answer.json();
  } catch {
    throw Error(word("noReply"));
  } finally {
    clearTimeout(timer);
  }
  if (answer.ok) return body;
  if (answer.status === 401) dispatchEvent(new Event("unpaired"));
  throw Object.assign(Error(body.error.message), body.error);
}

export const post = (path, body = {}) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
