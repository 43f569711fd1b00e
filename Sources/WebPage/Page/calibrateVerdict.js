// What a calibration is worth: see Sight.md.

import { number, word } from "./words.js";

/// Metres that a position is off where it is off most. Half a zone's width is 1.03 m.
const goodError = 0.5, usableError = 1;
/// A camera in its place sees this share of the lines, and more.
const usualShare = 0.7;

/// `grade`: `good`, `usable` or `again`; `why`: one sentence, the gravest of all that there is.
/// `isDrawn`: the marks may get better on the lines.
export function verdictOf({ accuracy, lines, warnings }) {
  const [zone, error] = Object.entries(accuracy).sort(([, one], [, other]) => other - one)[0] ?? ["0-0", 99];
  const metres = number(error, error < 9.95 ? 1 : 0), share = Math.round((lines ?? 0) * 100);
  const place = word(`calibRow${zone[0]}`);
  const verdict = (grade, why) =>
    ({ grade, why: word(`calibWhy.${why}`, metres, place, share), isDrawn: why === "lines" });
  if (warnings.includes("unlikely-camera")) return verdict("again", "unlikely");
  if (error > usableError) return verdict("again", "far");
  if (warnings.includes("tilted")) return verdict("usable", "tilted");
  if (warnings.includes("low")) return verdict("usable", "low");
  if (lines == null) return verdict("usable", "noLines");
  if (lines < usualShare) return verdict("usable", "lines");
  if (error > goodError) return verdict("usable", "rough");
  return verdict("good", "good");
}
