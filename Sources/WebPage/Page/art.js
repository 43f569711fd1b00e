// The drawings beside a headline, in lines of one weight, 48 × 48.

import { draw } from "./sheet.js";

const drawings = {
  // The machine with its switch.
  switch: "M5 19h25v19H5zM10 38v4M25 38v4M17.5 23.5a5 5 0 1 0 .1 0M36.5 8.5a7 7 0 1 0 7 0M40 5v9",
  // A half of a court, and the way onto it.
  court: "M6 6h24v36H6zM6 24h24M18 6v18M46 33H35M40 27l-6 6 6 6",
  link: "M20 30l8-8M17 25l-4 4a6 6 0 0 0 8 8l4-4M31 23l4-4a6 6 0 0 0-8-8l-4 4",
  check: "M24 6a18 18 0 1 0 .1 0M15 25l6 6 12-13",
  pause: "M24 6a18 18 0 1 0 .1 0M19 17v14M29 17v14",
  ball: "M24 6a18 18 0 1 0 .1 0M12 11c8 7 8 19 0 26M36 11c-8 7-8 19 0 26",
};
let shown = null;

export function art(svg, name) {
  if (name === shown) return;
  shown = name;
  svg.replaceChildren(...name ? [draw("path", { d: drawings[name] })] : []);
}
