// What people choose: to start, to pair, a drill.

import { get, post } from "./box.js";
import { closeSheet, make, openSheet } from "./sheet.js";
import { sizeText } from "./texts.js";
import { word } from "./words.js";

const stack = (...children) => make("div", { class: "stack" }, ...children.filter(Boolean));
const problemLine = text => make("p", { id: "note", class: "error", role: "alert" }, text ?? "");

/// Does it, and writes beside the button why it failed.
async function attempt(button, note, act) {
  button.disabled = true;
  note.textContent = "";
  try {
    await act();
  } catch (error) {
    note.textContent = error.message;
    note.scrollIntoView({ block: "nearest" });
  }
  button.disabled = false;
}

// Starting and going on: what lets balls fly needs a finger held for a second.

const holdTime = 1000;
/// From a phone the countdown is longer than from the box: the player has to walk to the court.
const countdowns = [3, 5, 10, 15, 20, 30, 45, 60];
let seconds = 10;

/// - what: `arm` or `resume`.
/// - about: what would begin.
/// - done: gets the answer.
export function askToStart(what, mode, about, done) {
  const isArm = what === "arm";
  const label = make("input", { id: "label", maxLength: 40, autocomplete: "off", placeholder: word("label") });
  const guard = make("input", { type: "checkbox", id: "guard" });
  const note = problemLine();
  const button = make("button", { id: "hold", class: "go" }, word("hold"));
  const letGo = hold(button, note, () => attempt(button, note, async () => {
    const body = isArm ? { countdown: seconds, label: label.value.trim() || undefined } : {};
    done(await post(what, { ...body, pauseWhenGone: guard.checked || undefined }));
    closeSheet();
  }));
  addEventListener("stopping", closeSheet);
  openSheet(word(what), stack(
    make("p", { class: `mode ${mode}` }, word(mode)),
    make("p", {}, about),
    isArm && label, isArm && secondsRow(),
    make("label", { class: "check" }, guard, word("guard")),
    make("div", { class: "last" }, make("b", {}, word("clear")), note, button)
  ), () => {
    removeEventListener("stopping", closeSheet);
    letGo();
  });
}

/// Acts once the button was held long enough, by a finger or a key; returns what lets it go.
function hold(button, note, act) {
  let timer = 0;
  const show = (held, text = "") => {
    button.classList.toggle("held", held);
    button.textContent = word(held ? "holding" : "hold");
    note.textContent = text;
  };
  function begin() {
    if (timer) return;
    show(true);
    timer = setTimeout(() => {
      timer = 0;
      show(false);
      act();
    }, holdTime);
  }
  function end() {
    if (!timer) return;
    clearTimeout(timer);
    timer = 0;
    show(false, word("heldShort"));
  }
  button.onpointerdown = begin;
  button.onpointerup = button.onpointerleave = button.onpointercancel = button.onblur = end;
  const withKey = act => event => { if (event.key === "Enter" || event.key === " ") act(); };
  button.onkeydown = withKey(begin);
  button.onkeyup = withKey(end);
  // A long touch opens no menu.
  button.oncontextmenu = () => false;
  document.addEventListener("visibilitychange", end);
  return () => {
    document.removeEventListener("visibilitychange", end);
    end();
  };
}

/// Buttons, not a list: a phone's own list would cover STOP.
function secondsRow() {
  const text = make("output", { id: "seconds" });
  const step = by => () => {
    seconds = countdowns[countdowns.indexOf(seconds) + by] ?? seconds;
    text.textContent = word("countdownOf", seconds);
  };
  step(0)();
  const button = (sign, key, by) => make("button", { onclick: step(by), "aria-label": word(key) }, sign);
  return make("div", { class: "row stepper" }, button("−", "less", -1), text, button("+", "more", 1));
}

// Pairing: by the code in the address that a QR carries, or typed.

let setPaired = null;

async function pair(code) {
  await post("pair", { code });
  setPaired(true);
}

/// Takes the code out of the address, so that it is neither kept nor shared.
export function pairByAddress(act) {
  setPaired = act;
  const take = () => {
    const code = new URLSearchParams(location.hash.slice(1)).get("pair");
    if (!code) return;
    history.replaceState(null, "", location.pathname + location.search);
    pair(code).catch(error => askToPair(error.message));
  };
  addEventListener("hashchange", take);
  take();
}

export function askToPair(problem) {
  const digits = make("input", { id: "digits", inputMode: "numeric", autocomplete: "one-time-code" });
  digits.setAttribute("aria-label", word("code"));
  const note = problemLine(problem);
  const button = make("button", { id: "dopair", class: "go" }, word("pair"));
  button.onclick = () => attempt(button, note, async () => {
    await pair(digits.value.replace(/\s/g, ""));
    closeSheet();
  });
  digits.onkeydown = event => { if (event.key === "Enter") button.click(); };
  openSheet(word("pair"), stack(make("p", {}, word("code")), digits, note, button));
}

export async function unpair() {
  await post("unpair");
  setPaired(false);
}

// What the next session trains: a level, and a drill or none.

/// - training: what is loaded now.
/// - changed: gets what is loaded after each choice.
export async function askForDrill(training, changed) {
  const note = problemLine(), levels = make("div", { class: "levels" }), list = stack();
  let drills = [];

  function choice(chosen, path, body, ...texts) {
    const lines = texts.filter(Boolean).map(text => make("span", {}, text));
    const button = make("button", { class: "choice", "aria-pressed": String(chosen) }, ...lines);
    button.onclick = () => attempt(button, note, async () => {
      training = await post(path, body);
      changed(training);
      show();
    });
    return button;
  }
  function show() {
    const { drill, level } = training;
    levels.replaceChildren(...["", "beginner", "intermediate", "advanced"].map(each =>
      choice(each === (level ?? ""), "level", each ? { level: each } : { none: true }, word(each || "noLevel"))));
    list.replaceChildren(
      choice(!drill, "drill", { none: true }, word("noDrill")),
      ...drills.map(({ name, title, about, levels, reason }) => {
        const size = levels.find(each => each.level === level) ?? levels[0];
        const button = choice(name === drill, "drill", { name, level }, title ?? name, about,
          size && sizeText(size), reason);
        button.disabled = !size;
        button.dataset.name = name;
        return button;
      })
    );
  }
  openSheet(word("drill"), stack(note, make("b", {}, word("level")), levels, list));
  show();
  attempt(levels, note, async () => {
    drills = (await get("drills")).drills;
    show();
  });
}
