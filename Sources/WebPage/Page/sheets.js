import { ask, post } from "./box.js";
import { $, closeSheet, make, openSheet } from "./sheet.js";
import { clockText, dateText, number, trainingText, word } from "./words.js";

/// Does it, and writes why it failed.
async function attempt(act, button = {}) {
  button.disabled = true;
  $("note").textContent = "";
  await act().catch(error => { $("note").textContent = error.message; });
  button.disabled = false;
}

const choice = (texts, onclick) => make("button", { class: "choice", onclick },
  ...texts.filter(Boolean).map(text => make("span", {}, text)));

// Starting and going on.

/// The first is longer than the box's own: the player has to walk to the court.
const countdowns = [10, 15, 20, 30, 45, 60, 3, 5];
/// Keeps its tick.
const guard = make("input", { type: "checkbox", id: "guard" });

/// `what`: `arm` or `resume`; `done` gets the answer.
export function askToStart(what, mode, about, done) {
  let index = 0;
  const label = make("input", { id: "label", maxLength: 40, placeholder: word("label") });
  const next = make("button", { id: "countdown", onclick: () => change(1) });
  const button = make("button", { id: "hold", class: "go" });
  function change(by) {
    index = (index + by) % countdowns.length;
    next.textContent = word("seconds", countdowns[index]);
  }
  change(0);
  const letGo = hold(button, () => attempt(async () => {
    done(await post(what, {
      countdown: countdowns[index],
      label: label.value.trim() || undefined,
      pauseWhenGone: guard.checked || undefined,
    }));
    closeSheet();
  }, button));
  openSheet(word(what), [
    make("p", { class: `mode ${mode}` }, word(mode)), make("p", {}, about), ...what === "arm" ? [label] : [], next,
    make("label", { class: "check" }, guard, word("guard")),
    make("div", { class: "last" }, make("b", {}, word("clear")), button),
  ], letGo);
}

/// Acts once the button was held for a second; returns what lets it go.
function hold(button, act) {
  let timer = 0;
  function show(text = "") {
    button.classList.toggle("held", timer);
    button.textContent = word(timer ? "holding" : "hold");
    $("note").textContent = text;
  }
  function begin() {
    timer ||= setTimeout(() => {
      timer = 0;
      show();
      act();
    }, 1000);
    show();
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
  show();
  return () => {
    document.removeEventListener("visibilitychange", end);
    end();
  };
}

// Pairing: by a code, typed or in a QR's address.

let changed = null;

async function pair(code) {
  await post("pair", { code });
  closeSheet();
  changed(true);
}

/// Takes the code out of the address, so that it is neither kept nor shared.
export function pairByAddress(act) {
  changed = act;
  const code = new URLSearchParams(location.hash.slice(1)).get("pair");
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  askToPair();
  attempt(() => pair(code));
}

export function askToPair() {
  const digits = make("input", { id: "digits", inputMode: "numeric", "aria-label": word("code") });
  const button = make("button", { id: "dopair", class: "go" }, word("pair"));
  button.onclick = () => attempt(() => pair(digits.value.replace(/\s/g, "")), button);
  digits.onkeydown = event => { if (event.key === "Enter") button.click(); };
  openSheet(word("pair"), [word("code"), digits, button]);
}

// What the next session trains.

/// Returns what shows a new `training()`. Where what was loaded is lost, nothing is chosen.
export function askForDrill(training, isLost, done) {
  const steps = make("div", { class: "levels" }), list = make("div", { class: "stack" });
  let drills = [];

  function offer(chosen, path, body, ...texts) {
    const button = choice(texts, () => attempt(async () => done(await post(path, body)), button));
    button.setAttribute("aria-pressed", chosen);
    return button;
  }
  function show() {
    const { drill, level } = training();
    steps.replaceChildren(
      offer(!level && !isLost(), "level", { none: true }, word("none")),
      ...["beginner", "intermediate", "advanced"].map(each =>
        offer(each === level, "level", { level: each }, word(each)))
    );
    list.replaceChildren(
      offer(!drill && !isLost(), "drill", { none: true }, word("noDrill")),
      ...drills.map(({ name, title, about, levels, reason }) => {
        const size = levels.find(each => each.level === level) ?? levels[0];
        const button = offer(name === drill, "drill", { name }, title ?? name, about, reason,
          size && word("size", size.sets, size.ballsPerSet, number(size.interval), number(size.rest),
            clockText(size.seconds)));
        button.disabled = !size;
        button.dataset.name = name;
        return button;
      })
    );
  }
  openSheet(word("drill"), [word("level"), steps, list]);
  show();
  attempt(async () => {
    ({ drills } = await ask("drills"));
    show();
  });
  return show;
}

// What sessions were.

export function openSessions() {
  const list = make("div", { class: "stack" }), forget = make("button", { id: "forget" }, word("forget"));
  forget.onclick = () => attempt(async () => {
    await post("unpair");
    changed(false);
  }, forget);
  openSheet(word("sessions"), [list, forget]);
  attempt(async () => {
    const { sessions } = await ask("sessions");
    list.append(...sessions.map(session => {
      const name = session.session + (session.arming > 1 ? `.${session.arming}` : "");
      return choice([
        `${name} · ${session.mode ?? "?"} · ${dateText(session.time)}`, trainingText(session),
        `${word("balls")}: ${session.balls} · ${clockText(session.seconds)} min`,
      ], () => openPicture(name));
    }));
  });
}

function openPicture(name) {
  openSheet(name, [
    make("img", { alt: name, src: `/api/sessions/${name}/picture` }),
    make("button", { onclick: openSessions }, word("sessions")),
  ]);
}
