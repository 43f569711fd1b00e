// A person drags marks of the court onto the camera's picture.

import { post } from "./box.js";
import { LENGTH, WIDTH } from "./court.js";
import { fit } from "./homography.js";
import { draw, make, openSheet, write } from "./sheet.js";
import { number, word } from "./words.js";

/// With fewer points a wrong one isn't noticed.
const least = 6;
const half = ["baseline-left", "baseline-right", "singles-left-service", "singles-right-service",
  "centre-service", "baseline-centre", "doubles-baseline-left", "doubles-baseline-right"];
const names = ["net-left", "net-right", ...half, ...half.map(name => `machine-${name}`), "net-centre",
  "doubles-net-left", "doubles-net-right", "net-post-left", "net-post-right"];
/// The marks that are there at first.
const usual = [...names.slice(0, 6), "machine-singles-left-service", "machine-singles-right-service"];

const service = 6.4, alley = 1.37, lines = [
  ...[-LENGTH, 0, LENGTH].map(y => [-alley, y, WIDTH + alley, y]),
  ...[-service, service].map(y => [0, y, WIDTH, y]),
  ...[-alley, 0, WIDTH, WIDTH + alley].map(x => [x, -LENGTH, x, LENGTH]),
  [WIDTH / 2, -service, WIDTH / 2, service],
];
/// Metres: x from the left singles sideline, y from the net towards the player's baseline.
function place(name) {
  const outside = /post/.test(name) ? alley + 0.914 : /doubles/.test(name) ? alley : 0;
  const x = /left/.test(name) ? -outside : /right/.test(name) ? WIDTH + outside : WIDTH / 2;
  const y = /baseline/.test(name) ? LENGTH : /service/.test(name) ? service : 0;
  return [x, /machine/.test(name) ? -y : y];
}

/// The box's words in the reader's language.
const translated = text => word("calibPhrases").split("|\n").map(phrase => phrase.split("="))
  .reduce((text, [words, own]) => text.replaceAll(words, own), text.replace(
    /[a-z]+-[a-z-]+/g, name => names.includes(name) ? name.replaceAll("-", " ") : name));

/// Enter and the space key say that a mark is right.
const steps = {
  ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowRight: [1, 0], Enter: [0, 0], " ": [0, 0],
};
const button = (key, onclick, given) => make("button", { textContent: word(key), onclick, ...given });
const row = (...parts) => make("div", { class: "row" }, ...parts);
const circle = (r, given) => draw("circle", { r, ...given });
const cross = () => draw("path", { d: "M-60 0H-7M7 0H60M0-60V-7M0 7V60" });
const hide = (node, hidden) => node.toggleAttribute("hidden", hidden);
function move(node, at, scale = 1) {
  hide(node, !at);
  if (at) node.setAttribute("transform", `translate(${at}) scale(${scale})`);
}
/// In the drawing's coordinates.
function inside(svg, { clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [x, y];
}

export async function openCalibration() {
  let size = [1280, 720], turns = 0, lens = 0, chosen = usual[0], tapped, drag, map, url, timer, fading;
  // Where marks were put, replaced as a whole; what the box says of it.
  let placed = {}, found, problem, asks, saved;
  const shown = new Set(usual);

  const handles = names.map(name => {
    const handle = draw("g", {
      class: "mark", "data-mark": name, role: "button", tabindex: 0, "aria-label": translated(name),
    }, circle(30), circle(9));
    handle.onfocus = () => choose(name);
    return handle;
  });
  const still = draw("image", { id: "still" }), court = draw("path"), spot = cross(), aim = cross();
  const picture = draw("svg", { role: "group", "aria-label": word("camera") },
    still, court, spot, ...handles);
  const loupe = draw("svg", { class: "loupe", hidden: "" }, draw("use", { href: "#still" }), aim);
  const here = circle(0.9, { class: "here" }), there = circle(0.6, { class: "ball" });
  const mini = draw("svg", {
    class: "mini", role: "img", "aria-label": word("calibMini"), viewBox: "-3 -13 14 26",
  }, draw("path", { d: lines.map(([x1, y1, x2, y2]) => `M${x1} ${y1}L${x2} ${y2}`).join("") }), here, there);
  const status = make("p", { role: "status" }), sentence = make("h3", { id: "sentence" });
  const choice = make("select", { "aria-label": word("calibMark"), onchange: () => choose(choice.value) },
    ...names.map(value => make("option", { value, textContent: translated(value) })));
  const snap = button("calibSnap", () => check(true), { id: "snap" });
  const answer = make("div", { class: "stack" }, make("p", {}, word("calibAsk")), sentence,
    button("calibSave", save, { id: "save", class: "go" }));
  const node = make("div", { id: "calibration" }, make("div", {}, picture, loupe),
    make("div", { class: "stack" }, status, row(choice, button("calibLeave", leave)),
      row(snap, button("calibTurn", turn)), row(mini, answer)));

  // The nearest mark is dragged. A tap where none is shows the place on the small court, and back.
  picture.onpointerdown = event => {
    const from = inside(picture, event), name = nearest(from, 30);
    drag = { from, name, start: name && at(name) };
    picture.setPointerCapture(event.pointerId);
  };
  picture.onpointermove = event => {
    if (!drag) return;
    const to = inside(picture, event);
    drag.moves ||= distance(to, drag.from) > 3;
    if (!drag.moves || !drag.name) return;
    chosen = drag.name;
    enlarge();
    put(chosen, drag.start.map((value, side) => value + to[side] - drag.from[side]));
  };
  picture.onpointerup = event => {
    const to = inside(picture, event), name = nearest(to, 16);
    if (drag?.moves) handles[names.indexOf(chosen)].focus();
    else if (name) put(chosen = name, at(name));
    else tap(map.court(...to));
    drag = null;
  };
  picture.onpointercancel = () => drag = null;
  // What is on top isn't always the nearest.
  picture.onmousedown = event => event.preventDefault();
  picture.onkeydown = event => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    put(chosen, at(chosen).map((value, side) => value + step[side] * (event.shiftKey ? 10 : 1)));
    enlarge();
  };
  mini.onclick = event => tap(inside(mini, event));

  /// Pixels of the picture for one of the screen.
  const scale = () => 1 / (picture.getScreenCTM()?.a || 1);
  const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]) / scale();
  const missing = () => least - Object.keys(placed).length;

  function nearest(to, reach) {
    const far = name => distance(at(name) ?? [NaN], to);
    return [...shown].filter(name => far(name) < reach).sort((one, other) => far(one) - far(other))[0];
  }

  function tap(place) {
    tapped = place;
    render();
  }

  /// Where a mark is in the picture, or would be; null beside it.
  function at(name) {
    const there = placed[name] ?? map.picture(...place(name));
    return there?.every((value, side) => value >= 0 && value <= size[side]) ? there : null;
  }

  function choose(name) {
    chosen = name;
    shown.add(name);
    if (at(name)) render();
    else put(name, size.map(side => side / 2));
  }

  function put(name, to) {
    change({ ...placed, [name]: to.map((value, side) => Math.min(Math.max(value, 0), size[side])) });
  }

  function leave() {
    const { [chosen]: _, ...rest } = placed;
    shown.delete(chosen);
    chosen = [...shown][0] ?? usual[0];
    change(rest);
  }

  function turn() {
    turns += 1;
    lens = 0;
    change({});
  }

  /// For a camera behind the player, at the right, behind the machine, at the left.
  function guess(name) {
    let [x, y] = place(name);
    x -= WIDTH / 2;
    for (let turn = turns % 4; turn; turn--) [x, y] = [-y, x];
    const depth = 21 - y;
    return [size[0] * (0.5 + 0.6 * x / depth), size[1] * 0.2 + size[0] * 2 / depth];
  }

  function change(marks) {
    placed = marks;
    found = problem = saved = null;
    clearTimeout(timer);
    timer = setTimeout(check, 500);
    follow();
  }

  /// Guesses hold what the placed marks leave open.
  function follow() {
    const point = (name, to, weight) => ({ from: place(name), to, weight });
    map = fit([...usual.map(name => point(name, guess(name), 1e-4)),
      ...Object.keys(placed).map(name => point(name, placed[name], 1))], size, lens);
    render();
  }

  async function check(snap = false) {
    clearTimeout(timer);
    if (missing() > 0 || !url) return;
    // The box takes one question at a time.
    if (asks) return timer = setTimeout(check, 200, snap);
    const points = placed;
    asks = true;
    render();
    try {
      const answer = await post("camera/check", { size, points, snap });
      if (points !== placed) return;
      found = answer;
      lens = answer.lens;
      if (snap) placed = answer.marks;
    } catch (error) {
      if (points === placed) problem = error.message;
    } finally {
      asks = false;
      follow();
    }
  }

  async function save() {
    const { size, marks, lens, lines, camera } = found, points = placed;
    found = null;
    render();
    const { applied, code, data, message } = await post(
      "camera/calibrate", { size, points: marks, lens, lines, confirmed: camera }).catch(error => error);
    if (points !== placed) return;
    if (applied?.includes("court.calibration")) saved = word("calibSaved");
    else if (applied || code === "notReloaded") saved = word("calibOld", data?.reason ?? word("calibFile"));
    else problem = message;
    render();
  }

  function enlarge() {
    hide(loupe, false);
    clearTimeout(fading);
    fading = setTimeout(hide, 1500, loupe, true);
  }

  /// In pieces: a lens bends lines, and a part may be behind the camera.
  const path = ([x1, y1, x2, y2]) => {
    let pen = "M";
    return [...Array(17).keys()].map(index => {
      const to = map.picture(x1 + (x2 - x1) * index / 16, y1 + (y2 - y1) * index / 16);
      const step = to && Math.hypot(...to) < 9999 ? pen + to : "";
      pen = step ? "L" : "M";
      return step;
    }).join("");
  };

  function render() {
    for (const handle of handles) {
      const name = handle.dataset.mark;
      move(handle, shown.has(name) && at(name), scale());
      handle.classList.toggle("placed", name in placed);
      handle.classList.toggle("chosen", name === chosen);
    }
    court.setAttribute("d", lines.map(path).join(""));
    const middle = at(chosen) ?? [0, 0];
    loupe.setAttribute("viewBox", `${middle.map(value => value - 25)} 50 50`);
    loupe.classList.toggle("right", middle[0] < size[0] / 2);
    move(aim, middle, 0.4);
    move(spot, tapped && map.picture(...tapped), scale() / 3);
    move(there, tapped);
    move(here, place(chosen));
    choice.value = chosen;
    snap.disabled = asks || missing() > 0;
    answer.hidden = !found;
    node.dataset.state = asks ? "asks" : found ? "found" : saved ? "saved" : "open";
    write(sentence, found ? translated(found.camera) : "");
    write(status, news());
  }

  function news() {
    if (problem) return translated(problem);
    if (saved) return saved;
    if (missing() > 0) return word("calibHint", missing());
    if (!found) return word("calibAsks");
    const error = number(Math.max(...Object.values(found.accuracy)), 2);
    const doubts = found.warnings.map(code => word("calibDoubt", translated(code)));
    return [word("calibFound", error, Math.round((found.lines ?? 0) * 100)), ...doubts].join(" ");
  }

  change({});
  const watch = new ResizeObserver(render);
  watch.observe(picture);
  openSheet(word("camera"), node, () => {
    watch.disconnect();
    clearTimeout(timer);
    URL.revokeObjectURL(url);
  });
  try {
    const taken = await fetch("/api/camera/still", { cache: "no-store" });
    if (!taken.ok) throw (await taken.json()).error;
    url = URL.createObjectURL(await taken.blob());
    const image = make("img", { src: url });
    await image.decode();
    size = [image.naturalWidth, image.naturalHeight];
    picture.setAttribute("viewBox", `0 0 ${size}`);
    still.setAttribute("href", url);
    change(placed);
  } catch (error) {
    problem = error instanceof TypeError ? word("noReply") : error.message;
    render();
  }
}
