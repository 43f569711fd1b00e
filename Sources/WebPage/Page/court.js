// The player's half from above, in metres, as the player's camera sees it: the net is up.

import { draw } from "./sheet.js";

export const WIDTH = 8.23, LENGTH = 11.885;
const SERVICE = 6.4, MIDDLE = WIDTH / 2;

/// The painted lines: x, y of both ends.
const courtLines = [
  [0, 0, 0, LENGTH], [WIDTH, 0, WIDTH, LENGTH], [0, LENGTH, WIDTH, LENGTH], [0, SERVICE, WIDTH, SERVICE],
  [MIDDLE, 0, MIDDLE, SERVICE], [MIDDLE, LENGTH - 0.4, MIDDLE, LENGTH],
];

/// Shown beside and behind it, however wide the apron is.
const SIDE = 2, BACK = 3, ABOVE = 0.9;
/// Steps of the player that are shown: two seconds of them.
const TRAIL = 20;
/// Where balls come from, on this picture: the machine stands beyond the net.
const MACHINE = [MIDDLE, -ABOVE];
const equal = length => [0, 1, 2, 3, 4].map(index => length * index / 4);
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/// The zones by name, such as `3-0`: row from the net, column from the left.
function zonesOf({ rows = equal(LENGTH), columns = equal(WIDTH) } = {}) {
  const zones = {};
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4; column++) {
      const [x, right] = columns.slice(column), [y, bottom] = rows.slice(row);
      zones[`${row}-${column}`] = { x, y, width: right - x, height: bottom - y };
    }
  }
  return zones;
}

let zones = zonesOf();
/// Those of this court, as the box said last.
export const zonesNow = () => zones;

export const middleOf = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

/// The ground with its lines, which a small court has, too.
export const ground = () => [
  draw("rect", { class: "apron", x: -9, y: -ABOVE, width: 30, height: LENGTH + BACK + ABOVE }),
  draw("rect", { class: "ground", width: WIDTH, height: LENGTH }),
  draw("path", { class: "line", d: courtLines.map(([x, y, ...to]) => `M${x} ${y}L${to}`).join("") }),
  draw("path", { class: "net", d: `M-.9 0H${WIDTH + 0.9}` }),
];

export const courtBox = `${-SIDE} ${-ABOVE} ${WIDTH + 2 * SIDE} ${LENGTH + BACK + ABOVE}`;

/// A ball's way as an arc, for arrows.
export function flight([x, y]) {
  const [from, top] = MACHINE;
  return `M${from} ${top}Q${(from + x) / 2 + (x - from) * 0.15} ${y * 0.35} ${x} ${y}`;
}

export class Court {
  positions = [];
  balls = [];
  /// The steps that are shown, the older the paler.
  steps = [...Array(TRAIL).keys()].map(index => draw("path", { class: "step", opacity: (index + 1) / TRAIL }));
  area = draw("rect", { class: "area", rx: 0.25 });
  way = draw("path", { class: "way" });
  target = draw("circle", { class: "target", r: 0.75 });
  marks = draw("g");
  person = draw("circle", { class: "player", r: 0.5 });

  constructor(svg) {
    svg.setAttribute("viewBox", courtBox);
    svg.append(...ground(), this.area, this.way, this.target, this.marks, ...this.steps, this.person);
    this.player(null);
    this.next();
  }

  shape(edges) { zones = zonesOf(edges); }

  /// Where the player is; null: not seen.
  player(position) {
    const at = position && [clamp(position.x, -SIDE, WIDTH + SIDE), clamp(position.y, 0, LENGTH + BACK)];
    this.positions = at ? [...this.positions.slice(-TRAIL), at] : [];
    this.steps.forEach((step, index) => {
      const end = index + this.positions.length - TRAIL, begin = this.positions[end - 1];
      step.setAttribute("d", begin ? `M${begin}L${this.positions[end]}` : "");
    });
    this.person.toggleAttribute("hidden", !at);
    if (at) this.person.setAttribute("transform", `translate(${at})`);
  }

  /// The zone that the next ball is for, if anything; `isFixed`: whatever the player does.
  next(name, isFixed) {
    const zone = zones[name];
    this.area.toggleAttribute("hidden", !zone);
    for (const part of [this.way, this.target]) part.toggleAttribute("hidden", !zone || !isFixed);
    if (!zone) return;
    const [x, y] = middleOf(zone);
    for (const side in zone) this.area.setAttribute(side, zone[side]);
    this.way.setAttribute("d", flight([x, y]));
    this.target.setAttribute("transform", `translate(${x} ${y})`);
  }

  /// Those of another session say nothing.
  clear() {
    this.balls = [];
    this.marks.replaceChildren();
  }

  /// Several of one zone lie side by side, older ones smaller. `isNew`: it flies there.
  ball(ball, isNew) {
    const { number, outcome } = ball, last = this.balls.at(-1);
    if (number === last?.number && outcome === last.outcome) return;
    this.balls = [...this.balls.filter(other => other.number !== number), ball].slice(-4);
    this.marks.replaceChildren(...this.balls.flatMap(({ number, target, zone, outcome }, index) => {
      const place = zones[target ?? zone];
      if (!place) return [];
      const [middle, y] = middleOf(place), x = middle + (number % 3 - 1) * 0.5;
      const size = 0.25 + index * 0.05;
      return [outcome === "notSent"
        ? draw("path", { class: outcome, d: "M-.4-.4L.4.4M.4-.4L-.4.4", transform: `translate(${x} ${y})` })
        : draw("circle", { class: `ball ${outcome}`, r: size, cx: x, cy: y })];
    }));
    if (isNew && outcome !== "notSent" && !calm.matches) this.land(this.marks.lastChild);
  }

  /// It grows on its way, as a ball does that comes nearer, and leaves a ring where it lands.
  land(mark) {
    if (!mark?.animate) return;
    const x = mark.getAttribute("cx"), y = mark.getAttribute("cy"), [from, top] = MACHINE;
    mark.animate([
      { translate: `${from - x}px ${top - y}px`, scale: 0.6 },
      { translate: `${(from - x) / 3}px ${(top - y) / 2.2}px`, scale: 1.9, offset: 0.6 },
      { translate: "0 0", scale: 1 },
    ], { duration: 550, easing: "ease-in" });
    const ring = draw("circle", { class: "ring", r: 0.4, cx: x, cy: y });
    this.marks.prepend(ring);
    ring.animate([{ scale: 0.4, opacity: 0 }, { scale: 0.4, opacity: 1, offset: 0.5 }, { scale: 3, opacity: 0 }],
      { duration: 1100, fill: "forwards" });
  }
}
