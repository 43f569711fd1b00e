// The player's half from above, in metres, as the player's camera sees it: the net is up.

import { draw, write } from "./sheet.js";

export const WIDTH = 8.23, LENGTH = 11.885;
const SERVICE = 6.4, MIDDLE = WIDTH / 2;

/// The painted lines: x, y of both ends.
export const courtLines = [
  [0, 0, 0, LENGTH], [WIDTH, 0, WIDTH, LENGTH], [0, LENGTH, WIDTH, LENGTH], [0, SERVICE, WIDTH, SERVICE],
  [MIDDLE, 0, MIDDLE, SERVICE], [MIDDLE, LENGTH - 0.4, MIDDLE, LENGTH],
];

/// However wide the apron is, the court has to be seen: so much is shown beside it and behind it.
const SIDE = 2, BACK = 3, trailLength = 20, ballsShown = 4;
const equal = length => [0, 1, 2, 3, 4].map(index => length * index / 4);
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const line = (name, [x1, y1, x2, y2]) => draw("line", { class: name, x1, y1, x2, y2 });

export class Court {
  positions = [];
  balls = [];
  zones = {};
  trail = draw("polyline", { class: "trail" });
  marks = draw("g");
  person = draw("circle", { class: "player", r: 0.42 });
  count = draw("text", { class: "count", x: MIDDLE, y: LENGTH / 2 + 1.5 });

  constructor(svg) {
    this.svg = svg;
    svg.setAttribute("viewBox", `${-SIDE} -0.7 ${WIDTH + 2 * SIDE} ${LENGTH + BACK + 0.7}`);
    this.shape({});
    this.player(null);
  }

  /// The zones in force.
  shape({ rows = equal(LENGTH), columns = equal(WIDTH) }) {
    if (`${rows} ${columns}` === this.shaped) return;
    this.shaped = `${rows} ${columns}`;
    for (let row = 0; row < 4; row++) {
      for (let column = 0; column < 4; column++) {
        const [x, right] = columns.slice(column), [y, bottom] = rows.slice(row);
        const cell = draw("rect", { class: "zone", x, y, width: right - x, height: bottom - y });
        this.zones[`${row}-${column}`] = { cell, middle: [(x + right) / 2, (y + bottom) / 2] };
      }
    }
    this.svg.replaceChildren(
      draw("rect", { class: "ground", x: -SIDE, y: -0.7, width: "100%", height: "100%" }),
      ...Object.values(this.zones).map(zone => zone.cell),
      ...courtLines.map(ends => line("line", ends)), line("net", [-0.9, 0, WIDTH + 0.9, 0]),
      this.marks, this.trail, this.person, this.count
    );
  }

  /// Where the player is; null: not seen.
  player(position) {
    if (!position) this.positions = [];
    else this.positions.push([clamp(position.x, 0.4 - SIDE, WIDTH + SIDE - 0.4), clamp(position.y, 0, LENGTH + BACK - 0.4)]);
    this.positions = this.positions.slice(-trailLength);
    this.trail.setAttribute("points", this.positions.join(" "));
    this.person.setAttribute("transform", `translate(${this.positions.slice(-1)[0] ?? [-99, 0]})`);
  }

  /// The zone that the next ball is for.
  next(name) {
    for (const each in this.zones) this.zones[each].cell.classList.toggle("hit", each === name);
  }

  /// A number for people who are far from the phone.
  countdown(seconds) { write(this.count, seconds == null ? "" : `${Math.ceil(seconds)}`); }

  /// A ball and what became of it. Several for one zone lie side by side; older ones are smaller.
  ball(ball) {
    this.balls = [...this.balls.filter(other => other.number !== ball.number), ball].slice(-ballsShown);
    this.marks.replaceChildren(...this.balls.map(({ number, target, zone, outcome }, index) => {
      const [x, y] = this.zones[target ?? zone]?.middle ?? [-99, 0];
      const transform = `translate(${x + (number % 3 - 1) * 0.62} ${y + 0.9}) scale(${0.25 + index * 0.05})`;
      return outcome === "notSent"
        ? draw("text", { transform, y: 1, class: outcome }, "×")
        : draw("circle", { transform, r: 1, class: `ball ${outcome}` });
    }));
  }
}
