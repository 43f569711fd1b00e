// The box: its events, questions to it, and requests.

import { known, word } from "./words.js";

const events = ["hello", "phone", "service", "status", "safety", "training", "link", "dispatch", "answer",
  "stop", "position"];
/// Milliseconds without any event, after which the page is stale: the box says something each second.
const patience = 2000;

/// Calls `act(name, record)` for each event, and `stale(seconds)` while there are none.
///
/// A hidden page lets go of them: a browser has six connections for one server, and STOP needs one.
export function follow(act, stale) {
  let source = null, heard = 0, opened = 0;
  function open() {
    source?.close();
    source = new EventSource("/events");
    opened = performance.now();
    for (const name of events) {
      source.addEventListener(name, event => {
        heard = performance.now();
        act(name, JSON.parse(event.data));
      });
    }
  }
  function turn() {
    heard = performance.now();
    if (!document.hidden) return open();
    source?.close();
    source = null;
  }
  document.addEventListener("visibilitychange", turn);
  turn();
  setInterval(() => {
    const now = performance.now();
    if (!source || now - heard < patience) return;
    stale((now - heard) / 1000);
    // A connection that died without a word never ends by itself.
    if (now - opened > patience) open();
  }, 250);
}

/// Why a request failed, in words for people.
export class ApiError extends Error {
  constructor(status, { code, message, data } = {}) {
    super(known(`error.${code}`) ?? message ?? word("noReply"));
    Object.assign(this, { status, code, data });
  }
}

async function ask(path, options) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), 15000);
  let answer, body;
  try {
    answer = await fetch(`/api/${path}`, { cache: "no-store", signal: limit.signal, ...options });
    body = await answer.json();
  } catch {
    throw new ApiError(0);
  } finally {
    clearTimeout(timer);
  }
  if (answer.ok) return body;
  if (answer.status === 401) dispatchEvent(new Event("unpaired"));
  throw new ApiError(answer.status, body.error);
}

export const get = path => ask(path);

export const post = (path, body = {}) => ask(path, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});
