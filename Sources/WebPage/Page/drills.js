// Drills as small courts: where the balls go, how long it takes, how hard it is.

import { post } from "./box.js";
import { courtBox, flight, ground, middleOf, zonesNow } from "./court.js";
import { drills, levels, loadDrills, titleOf } from "./drillList.js";
import { ballsWord } from "./hero.js";
import { attempt } from "./requests.js";
import { draw, make, openSheet } from "./sheet.js";
import { number, word } from "./words.js";

const sizeOf = (drill, level) => drill.levels?.find(each => each.level === level) ?? drill.levels?.[0];

/// Where a drill's balls go: zones with their shares, the greatest 1. Null: that depends on the player.
function sharesOf(drill, level) {
  if (drill.aim === "away") return { "3-0": 1, "3-3": 1, "1-0": 0.5, "1-3": 0.5 };
  if (drill.aim === "sides") return { "3-0": 1, "3-3": 1 };
  const size = sizeOf(drill, level), shares = {};
  const { shots = [], drawn = [] } = size?.shots || size?.drawn ? size : drill.levels?.[0] ?? {};
  for (const { alternatives, times } of [...shots, { alternatives: drawn, times: 1 }]) {
    const all = alternatives.reduce((sum, { weight }) => sum + weight, 0);
    for (const { zone, weight } of alternatives) shares[zone] = (shares[zone] ?? 0) + times * weight / all;
  }
  const most = Math.max(...Object.values(shares));
  return most > 0 ? Object.fromEntries(Object.entries(shares).map(([zone, share]) => [zone, share / most])) : null;
}

/// A court of thumb's size with an arrow for each zone, the thicker the more balls; a player where they follow one.
function miniCourt(drill, level) {
  const shares = sharesOf(drill, level), zones = zonesNow();
  const arrows = shares ? Object.entries(shares).filter(([zone]) => zones[zone]) : [];
  return draw("svg", { class: "mini", viewBox: courtBox, "aria-hidden": true }, ...ground(),
    ...arrows.flatMap(([zone, share]) => {
      const to = middleOf(zones[zone]);
      return [draw("path", { class: "way", d: flight(to), "stroke-width": 0.3 + share * 0.35 }),
        draw("circle", { class: "ball", r: 0.4 + share * 0.45, cx: to[0], cy: to[1] })];
    }),
    ...shares || drill.reason ? [] : [draw("path", { class: "way", d: flight([4.1, 8.6]), "stroke-width": 0.4 }),
      draw("circle", { class: "player", r: 0.9, cx: 4.1, cy: 10 })]);
}

/// 1 to 3: how fast the balls come, and one more where the player has to run from side to side. See Page.md.
function effortOf(drill, level) {
  const { interval } = sizeOf(drill, level);
  const columns = Object.keys(sharesOf(drill, level) ?? {}).map(zone => +zone.at(-1));
  const runs = drill.aim === "away" || Math.max(...columns) - Math.min(...columns) > 1;
  return Math.min(3, Math.max(1, (interval < 6) + (interval < 4) + runs));
}

/// Title, length and effort of a drill at a level.
function facts(drill, level) {
  const size = sizeOf(drill, level);
  if (!size) return [make("span", {}, word("drill.broken"))];
  const effort = effortOf(drill, level), balls = size.sets * size.ballsPerSet;
  return [
    make("span", {}, word("drill.size", Math.max(1, Math.round(size.seconds / 60)), balls,
      ballsWord(balls))),
    make("span", { class: "effort", title: word(`effort.${effort}`) }, ...[1, 2, 3].map(each =>
      make("i", { class: each <= effort ? "on" : "" })), word(`effort.${effort}`)),
  ];
}

function card(drill, level, ...more) {
  const title = drill.title ?? drill.name;
  return [miniCourt(drill, level), make("span", { class: "text" }, make("b", {}, title), ...more,
    make("span", { class: "facts" }, ...facts(drill, level)))];
}

/// No drill: the balls go where the player is.
const follow = () => [miniCourt({}), make("span", { class: "text" }, make("b", {}, word("noDrill")),
  make("span", {}, word("noDrill.about")))];

/// What a start would play, by the box's own figures: a drill's file may be another one since it was loaded.
export function trainingCard(training) {
  const node = make("div", { class: "card" });
  function show() {
    const { drill, level, interval, sets, ballsPerSet, set } = training, listed = drills().find(each => each.name === drill);
    const size = listed && sizeOf(listed, level);
    const isSame = size && size.interval === interval && size.sets === sets && size.ballsPerSet === ballsPerSet;
    node.replaceChildren(...isSame ? card(listed, level) : !drill ? follow()
      : [make("span", { class: "text" }, make("b", {}, titleOf(drill)),
        make("span", {}, word("drill.steps", sets, ballsPerSet, number(interval))))]);
    const more = [level && word(level), set && word("setOf", set, sets)].filter(Boolean).join(" · ");
    if (more) node.lastChild.append(make("span", {}, more));
  }
  show();
  if (training.drill) loadDrills().then(show, () => {});
  return node;
}

/// Returns what shows a new `training()`. Where what was loaded is lost, nothing is chosen.
export function askForDrill(training, isLost, done) {
  const steps = make("div", { class: "segments", role: "group", "aria-label": word("level") });
  const list = make("div", { class: "stack" });

  function offer(chosen, path, body, kind, parts) {
    const button = make("button", { class: kind, "aria-pressed": chosen }, ...parts);
    button.onclick = () => attempt(async () => done(await post(path, body)), button);
    return button;
  }
  function show() {
    const { drill, level } = training();
    steps.replaceChildren(...levels.map(each =>
      offer(each === level, "level", { level: each }, "segment", [word(each)])));
    list.replaceChildren(
      offer(!level && !isLost(), "level", { none: true }, "plain none", [word("level.none")]),
      offer(!drill && !isLost(), "drill", { none: true }, "card", follow()),
      ...drills().map(each => {
        const about = each.about && make("span", {}, each.about);
        const button = offer(each.name === drill, "drill", { name: each.name }, "card",
          card(each, level, ...about ? [about] : []));
        button.disabled = !sizeOf(each, level);
        button.dataset.name = each.name;
        return button;
      })
    );
  }
  openSheet(word("drill"), [steps, list]);
  show();
  attempt(async () => {
    await loadDrills();
    show();
  });
  return show;
}
