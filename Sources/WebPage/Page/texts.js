// What the box's records say, in the reader's language.

import { known, number, word } from "./words.js";

const joined = (parts, by = " · ") => parts.filter(Boolean).join(by);
const sentence = text => text && text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

/// The state in a few words; `remaining`: seconds of its countdown.
export const stateText = ({ state }, remaining) =>
  remaining == null ? word(`state.${state}`) : word(state, Math.ceil(remaining));

/// Why it is so, what holds balls back, and what to do.
export const reasonText = ({ state, code, reason, holds, stop }, link, paired) => joined([
  // A stop's outcome stands above STOP.
  stop ? "" : sentence(known(`${state}.${code}`) ?? reason),
  ...holds.map(hold => sentence(word("held", known(`hold.${hold.code}`) ?? hold.reason))),
  paired ? known(`do.${state}.${code}`) ?? known(`do.${state}`) : word("do.pair"),
  sentence(joined([link?.reason, link?.remedy], "; ")),
], " ");

/// The machine, the link to it and its signal; a connected machine isn't heard any more.
export const linkText = ({ state, name, machine, rssi, rssiAge }) => joined([
  name ?? machine,
  state !== "ready" && word("notReady"),
  rssi != null && `${rssi} dBm` + (rssiAge > 5 ? `, ${word("ago", Math.round(rssiAge))}` : ""),
]);

/// The drill, its level, for whom, and how far it is.
export const trainingText = ({ drill, level, label, set, ...rest }) => joined([
  (drill ?? word("noDrill")) + (level ? ` (${word(level)})` : ""), label, set && placeText({ set, ...rest }),
]);

export const placeText = ({ set, sets, ball, ballsPerSet }) => word("place", set, sets, ball, ballsPerSet);

/// A ball's number, where it goes and what became of it.
export const ballText = ({ number: which, target, zone, outcome }) =>
  joined([`${which} → ${target ?? zone ?? "–"}`, word(outcome ?? "pending")]);

/// A length of time: `24:03`, `1:02:03`.
export function clockText(seconds) {
  const whole = Math.round(seconds), two = value => String(value % 60).padStart(2, "0");
  const minutes = Math.floor(whole / 60), hours = Math.floor(minutes / 60);
  return (hours ? `${hours}:${two(minutes)}` : minutes) + `:${two(whole)}`;
}

/// `4 × 12 balls, one every 5 s, rest 30 s: 5:10 min`.
export const sizeText = ({ sets, ballsPerSet, interval, rest, seconds }) =>
  word("size", sets, ballsPerSet, number(interval), number(rest), clockText(seconds));
