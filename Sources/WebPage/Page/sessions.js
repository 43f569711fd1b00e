// What sessions were: a list, and each with its figures, its heat map and the last five like it.

import { ask } from "./box.js";
import { courtBox, ground } from "./court.js";
import { levels, loadDrills, titleOf } from "./drillList.js";
import { ballsWord } from "./hero.js";
import { attempt } from "./requests.js";
import { draw, make, openOver, openSheet } from "./sheet.js";
import { clockText, dayText, number, word } from "./words.js";

const what = ({ drill, level, label }) =>
  [drill ? titleOf(drill) : word("noDrill"), level && word(level), label].filter(Boolean).join(" · ");

/// Those that may be compared, as `ballmachine sessions` does.
const isLike = (one, other) => ["mode", "drill", "level", "label", "aim"].every(key => one[key] === other[key]);

export function openSessions() {
  const list = make("div", { class: "stack" });
  openSheet(word("sessions"), [list]);
  attempt(async () => {
    const [{ sessions }] = await Promise.all([ask("sessions"), loadDrills().catch(() => {})]);
    list.append(...sessions.map((session, index) => {
      const simulated = session.mode === "SIM" ? make("span", { class: "quiet" }, word("SIM.short")) : "";
      return make("button", { class: "card session", onclick: () => openSession(session, sessions.slice(index + 1)) },
        make("span", { class: "text" }, make("b", {}, dayText(session.time)), make("span", {}, what(session)), simulated),
        make("span", { class: "sum" }, make("b", {}, `${session.balls}`),
          ballsWord(session.balls)));
    }));
    if (!sessions.length) {
      list.append(make("div", { class: "empty" }, draw("svg", { class: "mini", viewBox: courtBox }, ...ground()),
        make("b", {}, word("sessions.none")), make("p", {}, word("sessions.first"))));
    }
  });
}

/// `before`: earlier ones, the last first.
function openSession(session, before) {
  const name = session.session + (session.arming > 1 ? `.${session.arming}` : "");
  const like = before.filter(other => isLike(session, other) && other.balls).slice(0, 5);
  openOver(dayText(session.time), [
    make("p", { class: "subject" }, what(session)),
    make("dl", { class: "four" }, ...figuresOf(session).flatMap(([key, value, unit]) =>
      make("div", {}, make("dd", {}, value, unit ? make("small", {}, ` ${unit}`) : ""), make("dt", {}, word(key))))),
    ...session.stood?.length ? [make("figure", {}, heatMap(session.stood), make("figcaption", {}, word("heat")))] : [],
    ...comparison(session, like),
    ...session.balls ? [make("p", { class: "advice" }, make("b", {}, word("advice")), " ", advice(session))] : [],
    make("a", { class: "quiet", href: `/api/sessions/${name}/picture`, download: `session-${name}.svg` }, word("picture")),
  ]);
}

const figuresOf = ({ balls, seconds, distance, greatestSpeed, outcomes }) => [
  ["figure.balls", `${balls}`], ["figure.time", clockText(seconds)],
  ["figure.distance", distance == null ? "–" : number(distance, 0), distance == null ? "" : "m"],
  greatestSpeed == null ? ["figure.delivered", `${outcomes?.delivered ?? "–"}`]
    : ["figure.speed", number(greatestSpeed * 3.6, 1), "km/h"],
];

/// How long the player stood on each half metre: the lighter, the longer.
function heatMap(cells) {
  const most = Math.max(...cells.map(cell => cell.seconds));
  return draw("svg", { class: "heat", viewBox: courtBox, role: "img", "aria-label": word("heat") }, ...ground(),
    ...cells.map(({ x, y, seconds }) => draw("rect", {
      class: "warm", x, y, width: 0.5, height: 0.5, opacity: 0.25 + 0.75 * Math.sqrt(seconds / most),
    })));
}

/// How far the player ran in each minute, beside the mean of those before it; balls where that isn't known.
function comparison(session, like) {
  if (!like.length) return [];
  const all = [...like].reverse().concat(session), isSeen = all.every(({ distance, live }) => distance && live);
  const values = all.map(({ distance, live, balls }) => isSeen ? distance / live * 60 : balls);
  const own = values.at(-1), mean = values.slice(0, -1).reduce((sum, value) => sum + value) / like.length;
  const change = Math.round((own / mean - 1) * 100);
  const key = `than.${isSeen ? "distance" : "balls"}${like.length > 1 ? "" : ".one"}`;
  const text = word(key, `${change > 0 ? "+" : change < 0 ? "−" : "±"}${Math.abs(change)}`,
    like.length);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, index) =>
    [4 + index * 92 / (values.length - 1), 24 - 18 * (value - least) / (most - least || 1)]);
  return [make("div", { class: "than" },
    draw("svg", { viewBox: "0 0 100 28", "aria-hidden": true }, draw("path", { d: `M${points.join("L")}` }),
      draw("circle", { cx: points.at(-1)[0], cy: points.at(-1)[1], r: 3 })),
    make("p", {}, text))];
}

/// One thing to do next, from what the log says.
function advice({ live, heldBy = [], ending, drill, level, progress }) {
  const held = code => heldBy.find(each => each.code === code)?.seconds ?? 0;
  if (held("notSeen") > live / 5) return word("advice.notSeen", clockText(held("notSeen")));
  if (held("nearNet") > live / 5) return word("advice.nearNet", clockText(held("nearNet")));
  if (drill && ending?.code === "drillOver") {
    const next = levels[levels.indexOf(level ?? "intermediate") + 1];
    return next ? word("advice.harder", word(next)) : word("advice.again");
  }
  if (drill && progress && (progress.set < progress.sets || progress.ball < progress.ballsPerSet)) {
    return word("advice.finish", progress.set, progress.sets);
  }
  return word("advice.again");
}
