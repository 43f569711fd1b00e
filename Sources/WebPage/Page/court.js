// The player's half from above, in metres, as the player's camera sees it: the net is up.

import { draw, write } from "./sheet.js";

export const WIDTH = 8.23, LENGTH = 11.885;
const SERVICE = 6.4, MIDDLE = WIDTH / 2;

/// The painted lines: x, y of both ends.
export const courtLines = [
  [0, 0, 0, LENGTH], [WIDTH, 0, WIDTH, LENGTH], [0, LENGTH, WIDTH, LENGTH], [0, SERVICE, WIDTH, SERVICE],
  [MIDDLE, 0, MIDDLE, SERVICE], [MIDDLE, LENGTH - 0.4, MIDDLE, LENGTH],
];

/// Shown beside and behind it, however wide the apron is.
const SIDE = 2, BACK = 3;
const nowhere = { x: -99, y: 0, width: 1, height: 1 };
const equal = length => [0, 1, 2, 3, 4].map(index => length * index / 4);
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const line = (name, [x1, y1, x2, y2]) => draw("line", { class: name, x1, y1, x2, y2 });

export class Court {
  positions = [];
  balls = [];
  zones = {};
  trail = draw("polyline", { class: "trail" });
  target = draw("path", { class: "target" });
  marks = draw("g");
  person = draw("circle", { class: "player", r: 0.42 });
  count = draw("text", { class: "count", x: MIDDLE, y: LENGTH / 2 + 1.5 });

  constructor(svg) {
    this.svg = svg;
    svg.setAttribute("viewBox", `${-SIDE} -0.7 ${WIDTH + 2 * SIDE} ${LENGTH + BACK + 0.7}`);
    this.shape({});
    this.player(null);
  }

  shape({ rows = equal(LENGTH), columns = equal(WIDTH) }) {
    const shape = `${rows} ${columns}`;
    if (shape === this.shaped) return;
    this.shaped = shape;
    for (let row = 0; row < 4; row++) {
      for (let column = 0; column < 4; column++) {
        const [x, right] = columns.slice(column), [y, bottom] = rows.slice(row);
        this.zones[`${row}-${column}`] = { x, y, width: right - x, height: bottom - y };
      }
    }
    this.svg.replaceChildren(
      draw("rect", { class: "ground", x: -SIDE, y: -0.7, width: "100%", height: "100%" }),
      ...Object.values(this.zones).map(zone => draw("rect", { class: "zone", ...zone })),
      ...courtLines.map(ends => line("line", ends)), line("net", [-0.9, 0, WIDTH + 0.9, 0]),
      this.target, this.marks, this.trail, this.person, this.count
    );
  }

  /// Where the player is; null: not seen.
  player(position) {
    const at = position && [clamp(position.x, -SIDE, WIDTH + SIDE), clamp(position.y, 0, LENGTH + BACK)];
    this.positions = at ? [...this.positions.slice(-20), at] : [];
    this.trail.setAttribute("points", this.positions.join(" "));
    this.person.setAttribute("transform", `translate(${at ?? [-99, 0]})`);
  }

  /// Where the next ball goes.
  next(name) {
    const { x, y, width, height } = this.zones[name] ?? nowhere;
    this.target.setAttribute("d", `M${x + 0.3} ${y + 0.3}h${width - 0.6}v${height - 0.6}h${0.6 - width}z`);
  }

  /// For people who are far from the phone.
  countdown(seconds) { write(this.count, seconds == null ? "" : `${Math.ceil(seconds)}`); }

  /// Several of one zone lie side by side, older ones smaller.
  ball(ball) {
    this.balls = [...this.balls.filter(other => other.number !== ball.number), ball].slice(-4);
    this.marks.replaceChildren(...this.balls.map(({ number, target, zone, outcome }, index) => {
      const { x, y, width, height } = this.zones[target ?? zone] ?? nowhere;
      const right = x + width / 2 + (number % 3 - 1) * 0.5;
      const transform = `translate(${right} ${y + height * 0.7}) scale(${0.25 + index * 0.05})`;
      return outcome === "notSent"
        ? draw("text", { transform, y: 1, class: outcome }, "×")
        : draw("circle", { transform, r: 1, class: `ball ${outcome}` });
    }));
  }
}
