// The player's half from above, in metres, as the player's camera sees it: the net is up.

import { draw } from "./sheet.js";

export const WIDTH = 8.23, LENGTH = 11.885;
const SERVICE = 6.4, MIDDLE = WIDTH / 2;

/// The painted lines: x, y of both ends.
export const courtLines = [
  [0, 0, 0, LENGTH], [WIDTH, 0, WIDTH, LENGTH], [0, LENGTH, WIDTH, LENGTH],
  [0, SERVICE, WIDTH, SERVICE], [MIDDLE, 0, MIDDLE, SERVICE], [MIDDLE, LENGTH - 0.4, MIDDLE, LENGTH],
];

const equal = length => [0, 1, 2, 3, 4].map(index => length * index / 4);
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const line = (given, [x1, y1, x2, y2]) => draw("line", { ...given, x1, y1, x2, y2 });
/// How many positions the trail has, and how many balls are shown.
const trailLength = 20, ballsShown = 4;

export class Court {
  constructor(svg) {
    this.svg = svg;
    this.positions = [];
    this.balls = [];
    this.shape({ apron: 3 });
  }

  /// The zones and the apron in force.
  shape({ apron, rows = equal(LENGTH), columns = equal(WIDTH) }) {
    const shape = JSON.stringify([apron, rows, columns]);
    if (shape === this.shaped) return;
    Object.assign(this, { shaped: shape, rows, columns });
    // However wide the apron is: the court has to be seen.
    const side = Math.min(apron, 1.5) + 0.5, back = Math.min(apron, 2.5) + 0.5;
    this.edges = [0.4 - side, WIDTH + side - 0.4, 0, LENGTH + back - 0.4];
    this.svg.setAttribute("viewBox", `${-side} -0.7 ${WIDTH + 2 * side} ${LENGTH + back + 0.7}`);
    this.zones = {};
    const cells = rows.slice(1).flatMap((bottom, row) => columns.slice(1).map((right, column) => {
      const x = columns[column], y = rows[row];
      const cell = draw("rect", { class: "zone", x, y, width: right - x, height: bottom - y });
      return this.zones[`${row}-${column}`] = cell;
    }));
    this.trail = draw("polyline", { class: "trail" });
    this.target = draw("circle", { class: "target", r: 0.55 });
    this.marks = draw("g");
    this.person = draw("circle", { class: "player", r: 0.42 });
    this.count = draw("text", { class: "count", x: MIDDLE, y: LENGTH / 2 + 1.5 });
    this.svg.replaceChildren(
      draw("rect", { class: "ground", x: -side, y: -0.7, width: "100%", height: "100%" }),
      ...cells, ...courtLines.map(ends => line({ class: "line" }, ends)),
      line({ class: "net" }, [-0.9, 0, WIDTH + 0.9, 0]),
      this.target, this.marks, this.trail, this.person, this.count
    );
    this.drawBalls();
    this.player(null);
    this.next(null);
  }

  /// Where the player is; null: not seen.
  player(position) {
    if (position) {
      const [left, right, top, bottom] = this.edges;
      this.positions.push([clamp(position.x, left, right), clamp(position.y, top, bottom)]);
    } else {
      this.positions = [];
    }
    this.positions.splice(0, this.positions.length - trailLength);
    this.trail.setAttribute("points", this.positions.join(" "));
    const [x = -99, y = -99] = this.positions[this.positions.length - 1] ?? [];
    this.person.setAttribute("transform", `translate(${x} ${y})`);
  }

  /// The zone that the next ball is for; null where that is not known.
  next(zone) {
    for (const name in this.zones) this.zones[name].classList.toggle("hit", name === zone);
    const [x, y] = this.middle(zone) ?? [-99, -99];
    this.target.setAttribute("transform", `translate(${x} ${y})`);
  }

  /// A number in the middle of the court, for people who are far from the phone.
  countdown(seconds) {
    const text = seconds == null ? "" : String(Math.ceil(seconds));
    if (this.count.textContent !== text) this.count.textContent = text;
  }

  /// A ball and what became of it.
  ball(ball) {
    this.balls = [...this.balls.filter(other => other.number !== ball.number), ball].slice(-ballsShown);
    this.drawBalls();
  }

  /// What the machine itself said of a ball, later.
  answer({ number, answer }) {
    const ball = this.balls.find(other => other.number === number);
    if (ball && answer === "refused") this.ball({ ...ball, outcome: "notSent" });
  }

  drawBalls() {
    this.marks.replaceChildren(...this.balls.flatMap((ball, index) => {
      const middle = this.middle(ball.target ?? ball.zone);
      if (!middle) return [];
      // Several balls for one zone lie side by side; older ones are smaller.
      const x = middle[0] + (ball.number % 3 - 1) * 0.62, y = middle[1] + 0.95;
      const transform = `translate(${x} ${y}) scale(${0.25 + 0.15 * (index + 1) / this.balls.length})`;
      return ball.outcome === "notSent"
        ? [draw("text", { transform, y: 1, class: "notSent" }, "×")]
        : [draw("circle", { transform, r: 1, class: `ball ${ball.outcome}` })];
    }));
  }

  middle(zone) {
    if (!(zone in this.zones)) return null;
    const [row, column] = zone.split("-").map(Number);
    return [(this.columns[column] + this.columns[column + 1]) / 2, (this.rows[row] + this.rows[row + 1]) / 2];
  }
}
