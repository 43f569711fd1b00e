// A person puts marks of the court onto the camera's picture, one after the other, and sees what that
// is worth.

import { $, closeSheet, make, openOver, write } from "./sheet.js";
import { post } from "./box.js";
import { word } from "./words.js";
import { fit } from "./homography.js";
import { groundLines, guessedPoint, markNames, markOrder, markPlace, oppositeMark } from "./calibrateMarks.js";
import { cameraPicture } from "./calibratePicture.js";
import { sideIcon, smallCourt } from "./calibrateCourt.js";
import { markText, placeText } from "./calibrateWords.js";
import { verdictOf } from "./calibrateVerdict.js";
import { refusalText } from "./requests.js";

/// So many marks fix the ground: then the others are guessed well. With fewer than `enough` a wrong one
/// isn't noticed.
const fixing = 4, enough = 6;

const styled = new Promise(done => {
  document.head.append(make("link", { rel: "stylesheet", href: `calibrate.css?v=${document.body.dataset.page}`, onload: done, onerror: done }));
});

const refused = error => refusalText(error, "calibError", (error.data?.marks ?? []).map(markText).join(" · "));
const button = (key, onclick, given) => make("button", { textContent: word(key), onclick, ...given });
const without = (marks, name) => Object.fromEntries(Object.entries(marks).filter(([other]) => other !== name));

export async function openCalibration() {
  // `where` the camera stands is asked, then each `mark`; `result`, `confirm`, `saved`; or `none`: no picture.
  let step = "none", side = 0, current = null, way = [], left = new Set(), hint = null;
  // Where marks were put, replaced as a whole; what the box says of it.
  let placed = {}, found = null, problem = null, before = null, asks = false;
  // Why they could not be saved, or not moved to the lines; what was saved; a place on the court.
  let trouble = null, saved = null, tapped = null;
  let size = [1280, 720], lens = 0, map, url;

  const picture = cameraPicture(word("camera"), { pick, put, tap: at => {
    if (step === "mark") put(at);
    else if (step !== "none" && step !== "where") show(step, map.court(...at));
  } });
  const mini = smallCourt(place => show(step, step === "mark" ? null : place));
  const count = make("b"), status = make("p", { role: "status" }), words = make("p");
  const box = make("details", {}, make("summary", { textContent: word("calibBox") }), words);
  const goOn = button("calibNext", next, { class: "go", id: "next-mark" });
  const main = button("calibSave", decide, { id: "save" });
  const snap = button("calibSnap", () => before ? undo() : check(true), { id: "snap" });
  const yes = button("calibYes", save, { class: "go", id: "confirm" });
  const other = button("calibAdd", more, { id: "another" });
  const ways = {
    none: [button("calibTry", load)],
    where: [0, 1, 2, 3].map(at => make("button", { class: "side", onclick: () => stand(at), "data-side": at },
      sideIcon(at), word(`calibSide${at}`))),
    mark: [button("calibBack", back), button("calibLeave", leave, { id: "leave" }), goOn],
    result: [snap, other, main],
    confirm: [button("calibNo", () => show("where")), yes],
    saved: [button("calibChange", result), button("calibDone", closeSheet, { id: "done", class: "go" })],
  };
  const groups = Object.entries(ways).map(([name, parts]) => make("div", { class: `ways to-${name}` }, ...parts));
  const node = make("div", { id: "calibration" }, picture.frame, make("div", { class: "panel" },
    make("div", { class: "news" }, mini.svg, make("div", {}, count, status, box)), ...groups));
  node.onkeydown = picture.press;

  const number = () => Object.keys(placed).length;
  const isIn = at => at?.every((value, side) => value >= 0 && value <= size[side]);
  const seen = name => placed[name] ?? map.picture(...markPlace(name));

  // The way from mark to mark.

  function choose(name) {
    current = name;
    hint = null;
    left.delete(name);
    show("mark");
    picture.focus();
  }
  function pick(name) {
    if (name === current) return goOn.disabled || next();
    if (current) way.push(current);
    choose(name);
  }
  function put(at) {
    if (step === "mark") change({ ...placed, [current]: at });
  }
  /// The next mark; null if all that may be seen are placed or left out.
  const open = () => markOrder(side).find(name =>
    !(name in placed) && !left.has(name) && (number() < fixing || isIn(seen(name)))) ?? null;

  function next() {
    if (!(current in placed)) change({ ...placed, [current]: at(current) });
    way.push(current);
    if (number() >= enough) result();
    else more();
  }
  function more() {
    const name = open();
    if (name) return choose(name);
    if (number() >= enough) return result();
    // All again: one of those that were left out has to be found.
    left = new Set();
    choose(open() ?? markOrder(side).find(name => !(name in placed)));
    hint = word("calibNoMore", enough);
    show("mark");
  }
  function leave() {
    left.add(current);
    change(without(placed, current));
    more();
  }
  function back() {
    const name = way.pop();
    if (name) choose(name);
    else if (number() >= enough) result();
    else show("where");
  }
  function stand(at) {
    const turn = (at - side + 4) % 4;
    side = at;
    way = [];
    left = new Set();
    mini.turn(side);
    // Half a turn exchanges the marks' names; a quarter needs other places.
    const marks = turn % 2 ? {} : turn ? Object.fromEntries(
      Object.entries(placed).map(([name, to]) => [oppositeMark(name), to])) : placed;
    if (turn) change(marks);
    current = null;
    if (number() >= enough) result();
    else more();
  }

  /// Where a ring is. A rough guess stays well in the picture.
  function at(name) {
    const edge = name in placed || number() >= fixing ? 0 : 20;
    return (seen(name) ?? guessedPoint(name, size, side))
      .map((value, side) => Math.min(Math.max(value, edge), size[side] - edge));
  }

  function change(marks) {
    placed = marks;
    found = problem = before = null;
    if (number() < 8) lens = 0;
    follow();
  }

  /// Guesses hold what the placed marks leave open.
  function follow() {
    const point = (name, to, weight) => ({ from: markPlace(name), to, weight });
    map = fit([...markOrder(side).slice(0, 8).map(name => point(name, guessedPoint(name, size, side), 1e-4)),
      ...Object.keys(placed).map(name => point(name, placed[name], 1))], size, lens);
    show(step, tapped);
  }

  // The box's answers.

  function result() {
    way = [];
    show("result");
    if (!found && !asks) check(false);
  }

  async function check(snap) {
    const points = placed;
    asks = true;
    problem = trouble = null;
    show("result");
    let answer, error;
    for (let tries = 0; tries < 5; tries++) {
      error = null;
      answer = await post("camera/check", { size, points, snap }).catch(given => { error = given; });
      // The box takes one question at a time.
      if (error?.code !== "busy" || !node.isConnected) break;
      await new Promise(done => setTimeout(done, 300));
    }
    asks = false;
    if (points !== placed) return step === "result" ? check(false) : null;
    if (answer) {
      found = answer;
      lens = answer.lens;
      if (snap) placed = answer.marks;
      before = snap ? points : null;
    } else if (found) trouble = error;
    else problem = error;
    follow();
  }

  function undo() {
    change(before);
    result();
  }

  /// The main button: what follows from the result.
  function decide() {
    if (found) return show("confirm");
    const name = problem?.data?.marks?.find(mark => mark in placed);
    if (name) pick(name);
    else check(false);
  }

  async function save() {
    const { size, marks, lens, lines, camera } = found, points = placed;
    asks = true;
    trouble = null;
    show("confirm");
    const { applied, code, data, message } = await post(
      "camera/calibrate", { size, points: marks, lens, lines, confirmed: camera }).catch(error => error);
    asks = false;
    if (points !== placed) return;
    saved = applied?.includes("court.calibration") ? "calibEmpty"
      : applied ? "calibFile" : code === "notReloaded" ? "calibOld" : null;
    if (saved) show("saved");
    if (!applied) trouble = { code, data, message: data?.reason ?? message };
    show(step);
  }

  // What is shown.

  /// In pieces: a lens bends lines, and a part may be behind the camera.
  const path = ([x1, y1, x2, y2]) => {
    let pen = "M";
    return [...Array(17).keys()].map(index => {
      const to = map.picture(x1 + (x2 - x1) * index / 16, y1 + (y2 - y1) * index / 16);
      const part = to && Math.hypot(...to) < 9999 ? pen + to : "";
      pen = part ? "L" : "M";
      return part;
    }).join("");
  };

  /// The title, what is to be done or known, and a line above that.
  function news() {
    if (step === "where") return [word("calibWhere"), word("calibPlayers")];
    if (step === "mark") {
      const index = Object.keys(without(placed, current)).length + 1;
      const isGuess = !(current in placed) && number() >= fixing;
      return [markText(current), hint ?? word(isGuess ? "calibIsIt" : "calibPut"),
        index > enough ? word("calibStepMore", index) : word("calibStep", index, enough)];
    }
    if (step === "saved") return [word("calibSaved"), word(saved)];
    const about = trouble && refused(trouble);
    if (step === "confirm") return [word("calibAsk"), asks ? word("calibSaves") : about ?? placeText(found.camera)];
    if (problem) return [word(step === "none" ? "calibNone" : "calibGrade.again"), refused(problem)];
    if (step === "none") return [word("camera"), word("calibLoads")];
    if (!found) return [word("calibAsks"), word("calibCompares")];
    const { grade, why } = verdictOf(found);
    return [word(`calibGrade.${grade}`), about ?? why];
  }

  function show(next, place = null) {
    // Another sheet may be open when an answer comes.
    if (!node.isConnected) return;
    const is = step !== next, { grade, isDrawn } = problem ? { grade: "again" } : found ? verdictOf(found) : {};
    if (is) trouble = null;
    step = next;
    tapped = place;
    if (step !== "mark") current = null;
    const marks = Object.fromEntries(markNames.map(name =>
      [name, name === current ? at(name) : placed[name]]).filter(([, to]) => to));
    const shown = step === "none" || step === "where" ? "" : groundLines.map(path).join("");
    picture.show(step === "where" ? {} : marks, current, shown, tapped && map.picture(...tapped));
    mini.show(current, tapped);
    mini.svg.toggleAttribute("hidden", step !== "mark" && (step !== "result" || problem != null));
    const [title, about, above = ""] = news();
    write($("title"), title);
    write(count, above);
    write(status, about);
    const said = problem ?? trouble;
    write(words, said?.message ?? "");
    box.hidden = !said?.code;
    goOn.disabled = number() < fixing && !(current in placed);
    const name = problem?.data?.marks?.find(mark => mark in placed);
    write(main, word(name ? "calibLook" : problem && !problem.data ? "calibTry" : "calibSave"));
    main.disabled = asks || !found && !name && problem?.data;
    // Marks of a person's hand are a little beside the lines.
    const first = isDrawn && !before ? snap : grade !== "again" || name ? main : other;
    for (const each of [snap, other, main]) each.className = each === first ? "go" : "";
    write(snap, word(before ? "calibUndo" : "calibSnap"));
    snap.disabled = asks || !found;
    other.disabled = !open();
    yes.disabled = asks || !found;
    groups.forEach((group, index) => { group.hidden = Object.keys(ways)[index] !== step; });
    Object.assign(node.dataset, { state: step, asks, fixed: number() >= fixing });
    if (step === "result" && grade) node.dataset.grade = grade;
    else delete node.dataset.grade;
    // The button that was pressed may be gone.
    if (is && step !== "mark") $("title").focus();
  }

  /// The sheet is filled, and doesn't scroll.
  function fill(is) {
    for (let part = node.parentElement; part; part = part.id === "sheet" ? null : part.parentElement) {
      part.classList.toggle("calibrating", is);
    }
  }

  async function load() {
    problem = null;
    show("none");
    try {
      const taken = await fetch("/api/camera/still", { cache: "no-store" });
      if (taken.status === 401) dispatchEvent(new Event("unpaired"));
      if (!taken.ok) throw (await taken.json()).error;
      const href = URL.createObjectURL(await taken.blob()), image = make("img", { src: href });
      await image.decode();
      if (!node.isConnected) return URL.revokeObjectURL(href);
      url = href;
      size = [image.naturalWidth, image.naturalHeight];
      picture.load(url, size);
      follow();
      show("where");
    } catch (error) {
      // The camera's service has words of its own for why there is none.
      const code = error.code === "refused" ? "still" : error.code;
      problem = { code, message: code ? error.message : word("noReply") };
      show("none");
    }
  }

  await styled;
  const watch = new ResizeObserver(() => show(step, tapped));
  openOver(word("camera"), node, () => {
    watch.disconnect();
    fill(false);
    URL.revokeObjectURL(url);
  });
  fill(true);
  mini.turn(side);
  follow();
  watch.observe(picture.frame);
  await load();
}
