// The page's sheets: start, pairing, drills, sessions.

import { get, post } from "./box.js";
import { closeSheet, make, openSheet } from "./sheet.js";
import { clockText, dateText, number, trainingText, word } from "./words.js";

const stack = (...children) => make("div", { class: "stack" }, ...children.filter(Boolean));
const newNote = text => make("p", { id: "note", class: "error", role: "alert" }, text ?? "");
const choice = (...texts) =>
  make("button", { class: "choice" }, ...texts.filter(Boolean).map(text => make("span", {}, text)));

/// Does it, and writes why it failed.
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

/// From a phone it is longer than from the box: the player has to walk to the court.
let seconds = 10;
const countdowns = [3, 5, 10, 15, 20, 30, 45, 60];

/// - what: `arm` or `resume`.
/// - about: what would begin.
/// - done: gets the answer.
export function askToStart(what, mode, about, done) {
  const isArm = what === "arm", note = newNote();
  const label = make("input", { id: "label", maxLength: 40, autocomplete: "off", placeholder: word("label") });
  const guard = make("input", { type: "checkbox", id: "guard" });
  const button = make("button", { id: "hold", class: "go" });
  const letGo = hold(button, note, () => attempt(button, note, async () => {
    const body = isArm ? { countdown: seconds, label: label.value.trim() || undefined } : {};
    done(await post(what, { ...body, pauseWhenGone: guard.checked || undefined }));
    closeSheet();
  }));
  openSheet(word(what), stack(
    make("p", { class: `mode ${mode}` }, word(mode)), make("p", {}, about), isArm && label, isArm && secondsRow(),
    make("label", { class: "check" }, guard, word("guard")),
    make("div", { class: "last" }, make("b", {}, word("clear")), note, button)
  ), letGo);
}

/// Acts once the button was held long enough, by a finger or a key; returns what lets it go.
function hold(button, note, act) {
  let timer = 0;
  function show(text) {
    button.classList.toggle("held", timer);
    button.textContent = word(timer ? "holding" : "hold");
    note.textContent = text;
  }
  function begin() {
    timer ||= setTimeout(() => {
      timer = 0;
      show("");
      act();
    }, 1000);
    show("");
  }
  function end() {
    if (!timer) return;
    clearTimeout(timer);
    timer = 0;
    show(word("short"));
  }
  const withKey = act => event => { if (event.key === "Enter" || event.key === " ") act(); };
  Object.assign(button, {
    onpointerdown: begin, onpointerup: end, onpointerleave: end, onpointercancel: end, onblur: end,
    onkeydown: withKey(begin), onkeyup: withKey(end),
    // A long touch opens no menu.
    oncontextmenu: () => false,
  });
  document.addEventListener("visibilitychange", end);
  show("");
  return () => {
    document.removeEventListener("visibilitychange", end);
    end();
  };
}

/// Buttons, not a list: a phone's own list would cover STOP.
function secondsRow() {
  const text = make("output", { id: "seconds" });
  const button = (sign, key, by) => make("button", { "aria-label": word(key), onclick: () => step(by) }, sign);
  function step(by) {
    seconds = countdowns[countdowns.indexOf(seconds) + by] ?? seconds;
    text.textContent = word("seconds", seconds);
  }
  step(0);
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
  const code = new URLSearchParams(location.hash.slice(1)).get("pair");
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  pair(code).catch(error => askToPair(error.message));
}

export function askToPair(problem) {
  const note = newNote(problem), button = make("button", { id: "dopair", class: "go" }, word("pair"));
  const digits = make("input", { id: "digits", inputMode: "numeric", "aria-label": word("code") });
  button.onclick = () => attempt(button, note, async () => {
    await pair(digits.value.replace(/\s/g, ""));
    closeSheet();
  });
  digits.onkeydown = event => { if (event.key === "Enter") button.click(); };
  openSheet(word("pair"), stack(make("p", {}, word("code")), digits, note, button));
}

// What the next session trains: a level, and a drill or none.

/// - training: what is loaded now.
/// - changed: gets what is loaded after each choice.
export function askForDrill(training, changed) {
  const note = newNote(), steps = make("div", { class: "levels" }), list = stack();
  let drills = [];

  function offer(chosen, path, body, ...texts) {
    const button = choice(...texts);
    button.setAttribute("aria-pressed", chosen);
    button.onclick = () => attempt(button, note, async () => {
      training = await post(path, body);
      changed(training);
      show();
    });
    return button;
  }
  function show() {
    const { drill, level } = training;
    steps.replaceChildren(
      offer(!level, "level", { none: true }, word("none")),
      ...["beginner", "intermediate", "advanced"].map(each =>
        offer(each === level, "level", { level: each }, word(each)))
    );
    list.replaceChildren(
      offer(!drill, "drill", { none: true }, word("noDrill")),
      ...drills.map(({ name, title, about, levels, reason }) => {
        const size = levels.find(each => each.level === level) ?? levels[0];
        const button = offer(name === drill, "drill", { name, level }, title ?? name, about, reason,
          size && word("size", size.sets, size.ballsPerSet, number(size.interval), number(size.rest),
            clockText(size.seconds)));
        button.disabled = !size;
        button.dataset.name = name;
        return button;
      })
    );
  }
  openSheet(word("drill"), stack(note, make("b", {}, word("level")), steps, list));
  show();
  attempt(list, note, async () => {
    ({ drills } = await get("drills"));
    show();
  });
}

// What sessions were.

export function openSessions() {
  const note = newNote(), list = stack(), forget = make("button", { id: "forget" }, word("forget"));
  forget.onclick = () => attempt(forget, note, async () => {
    await post("unpair");
    setPaired(false);
  });
  openSheet(word("sessions"), stack(note, list, forget));
  attempt(list, note, async () => {
    const { sessions } = await get("sessions");
    list.append(...sessions.map(session => {
      const name = session.session + (session.arming > 1 ? `.${session.arming}` : "");
      const button = choice(`${name} · ${session.mode ?? "?"} · ${dateText(session.time)}`, trainingText(session),
        `${word("balls")}: ${session.balls} · ${clockText(session.seconds)} min`);
      button.onclick = () => openPicture(name);
      return button;
    }));
  });
}

/// The picture has the session's figures.
function openPicture(name) {
  openSheet(word("session", name), stack(
    make("img", { alt: word("picture"), src: `/api/sessions/${name}/picture` }),
    make("button", { onclick: openSessions }, word("sessions"))
  ));
}
