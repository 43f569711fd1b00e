// The marks of a court that a person can find in a picture, and where they are on the ground.

import { LENGTH, WIDTH } from "./court.js";

const SERVICE_LINE = 6.4, ALLEY = 1.37, POST = 0.914;

export const groundLines = [
  ...[-LENGTH, 0, LENGTH].map(y => [-ALLEY, y, WIDTH + ALLEY, y]),
  ...[-SERVICE_LINE, SERVICE_LINE].map(y => [0, y, WIDTH, y]),
  ...[-ALLEY, 0, WIDTH, WIDTH + ALLEY].map(x => [x, -LENGTH, x, LENGTH]),
  [WIDTH / 2, -SERVICE_LINE, WIDTH / 2, SERVICE_LINE],
];

const ofHalf = ["baseline-left", "baseline-right", "singles-left-service", "singles-right-service",
  "centre-service", "baseline-centre", "doubles-baseline-left", "doubles-baseline-right"];

/// In the order in which they are asked for, after those of `firstMarks`.
export const markNames = [...ofHalf.slice(0, 4), "net-left", "net-right", ...ofHalf.slice(4), "net-centre",
  "doubles-net-left", "doubles-net-right", "net-post-left", "net-post-right",
  ...ofHalf.slice(2, 6).map(name => `machine-${name}`),
  ...["baseline-left", "baseline-right", ...ofHalf.slice(6)].map(name => `machine-${name}`)];

/// Metres: x from the left singles sideline, y from the net towards the player's baseline.
export function markPlace(name) {
  const outside = /post/.test(name) ? ALLEY + POST : /doubles/.test(name) ? ALLEY : 0;
  const x = /left/.test(name) ? -outside : /right/.test(name) ? WIDTH + outside : WIDTH / 2;
  const y = /baseline/.test(name) ? LENGTH : /service/.test(name) ? SERVICE_LINE : 0;
  return [x, /machine/.test(name) ? -y : y];
}

const swapSides = name => name.replace(/left|right/, side => side === "left" ? "right" : "left");

/// The mark in the same place once the court is turned by half.
export function oppositeMark(name) {
  const swapped = swapSides(name);
  if (/^net|-net-/.test(name)) return swapped;
  return /^machine-/.test(swapped) ? swapped.slice(8) : `machine-${swapped}`;
}

/// From each side of the court, first what a low camera usually sees: four marks that fix the ground,
/// the near ones first, then those that bound the player's half.
const besides = ["baseline-right", "net-right", "net-left", "baseline-left", "singles-right-service",
  "singles-left-service", "centre-service"];
const firstMarks = [markNames.slice(0, 6), besides,
  [...markNames.slice(0, 4).map(oppositeMark), "baseline-right", "baseline-left", ...ofHalf.slice(2, 4)],
  besides.map(swapSides)];

/// All marks in the order in which they are asked for. `side`: where the camera stands: behind the
/// player, at the right, behind the machine, at the left.
export const markOrder = side => [...new Set([...firstMarks[side], ...markNames])];

/// Where a picture of this size might show a mark, before any is placed.
export function guessedPoint(name, [width, height], side) {
  let [x, y] = markPlace(name);
  x -= WIDTH / 2;
  for (let turn = side; turn; turn--) [x, y] = [-y, x];
  const depth = 21 - y;
  return [width * (0.5 + 0.6 * x / depth), height * 0.2 + width * 2 / depth];
}
