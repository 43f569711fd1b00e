// The small court of the calibration, turned as the camera sees it.

import { LENGTH, WIDTH } from "./court.js";
import { draw } from "./sheet.js";
import { groundLines, markPlace } from "./calibrateMarks.js";
import { circle, inside, setAt } from "./calibratePicture.js";
import { word } from "./words.js";

const middle = WIDTH / 2, around = LENGTH + 2.6;
const ground = () => [
  draw("rect", { class: "grass", x: -1.37, y: -LENGTH, width: WIDTH + 2.74, height: 2 * LENGTH }),
  draw("rect", { class: "half", x: -1.37, y: 0, width: WIDTH + 2.74, height: LENGTH }),
  draw("path", { d: groundLines.map(([x1, y1, x2, y2]) => `M${x1} ${y1}L${x2} ${y2}`).join("") }),
  draw("path", { class: "net", d: `M-2.3 0H${WIDTH + 2.3}` }),
];
/// A camera and what it sees, as far from the middle.
const lens = (far, turn = 0) => draw("g", { class: "lens", transform: `rotate(${turn}) translate(0 ${far})` },
  draw("path", { d: "M0 0L-5.5-10H5.5Z" }), draw("rect", { x: -1.9, y: -0.5, width: 3.8, height: 2.4, rx: 0.6 }));
const beside = 8.8, behind = around - 1.5;
const turned = (side, ...parts) => draw("g", { transform: `rotate(${90 * side}) translate(${-middle} 0)` }, ...parts);
const box = side => side % 2 ? `${-around} -8.4 ${2 * around} 19.8` : `-8.4 ${-around} 16.8 ${2 * around + 1.6}`;

/// The court as players see it, and a camera on one of its sides.
export const sideIcon = side => draw("svg", { viewBox: "-12.5 -15.5 25 31", "aria-hidden": true },
  turned(0, ...ground(), circle(1.3, { class: "person", cx: middle, cy: 8.5 })), lens(side % 2 ? beside : behind, -90 * side));

/// `tap(place)`: a touch, in metres.
export function smallCourt(tap) {
  const here = circle(1.7, { class: "here" }), there = circle(1.1, { class: "there" });
  const svg = draw("svg", { class: "mini", role: "img", "aria-label": word("calibMini") });
  let field;
  return {
    svg,
    turn(side) {
      const person = circle(1, { class: "person", cx: middle, cy: 9.2 });
      field = turned(side, ...ground(), person, here, there);
      svg.setAttribute("viewBox", box(side));
      svg.classList.toggle("wide", side % 2);
      svg.replaceChildren(field, lens(side % 2 ? beside : behind));
      svg.onclick = event => tap(inside(field, event));
    },
    show(name, tapped) {
      setAt(here, name && markPlace(name));
      setAt(there, tapped);
    },
  };
}
