// Starting and going on: what would begin, and a button that is held.

import { post } from "./box.js";
import { trainingCard } from "./drills.js";
import { refusal } from "./requests.js";
import { closeSheet, make, note, openSheet, write } from "./sheet.js";
import { word } from "./words.js";

const countdowns = [3, 5, 10, 15, 20, 30, 45, 60];
/// The first is longer than the box's own: the player has to walk to the court.
const first = 2;
/// What was typed and ticked stays, whatever closes the sheet.
const name = make("input", { id: "label", maxLength: 40, autocomplete: "off" });
const guard = make("input", { type: "checkbox", id: "guard" });

/// `what`: `arm` or `resume`; `done` gets the answer, `fail` an error that comes when the sheet is closed.
///
/// Returns `isOpen()`: whether it is open, maybe below another sheet; `allow(is)`, which lets the button be held, or not;
/// and `isAsking()`: whether the box is asked just now, so that what changes is what was asked for.
export function askToStart(what, mode, training, done, fail) {
  const button = make("button", { id: "hold", class: "go" });
  const seconds = make("output", { id: "countdown" });
  const fewer = make("button", { id: "fewer", "aria-label": word("fewer"), onclick: () => change(-1) }, "−");
  const longer = make("button", { id: "longer", "aria-label": word("longer"), onclick: () => change(1) }, "+");
  let step = first;
  function change(by) {
    step += by;
    write(seconds, word("seconds", countdowns[step]));
    fewer.disabled = !countdowns[step - 1];
    longer.disabled = !countdowns[step + 1];
  }
  change(0);
  name.placeholder = word("label");
  name.ariaLabel = word("label");
  let isOpen = true, isAllowed = true, isAsking = false;
  const show = () => { button.disabled = !isAllowed || isAsking; };
  const letGo = hold(button, async () => {
    isAsking = true;
    show();
    note();
    try {
      const answer = await post(what, {
        countdown: countdowns[step],
        label: what === "arm" && name.value.trim() || undefined,
        pauseWhenGone: guard.checked || undefined,
      });
      name.value = "";
      // Before anything is shown of it: what is asked for here is begun.
      if (isOpen) closeSheet();
      done(answer);
    } catch (error) {
      if (isOpen) note(...refusal(error));
      else fail(error);
    }
    isAsking = false;
    show();
  });
  openSheet(word(what === "arm" ? "arm.title" : "resume"), make("div", { class: "stack start" },
    trainingCard(training),
    make("p", { class: `way ${mode}` }, make("b", {}, mode), " ", word(mode)),
    ...what === "arm" ? [name] : [],
    make("div", { class: "stepper" }, make("span", {}, word("countdown.length")), fewer, seconds, longer),
    make("label", { class: "check" }, guard, word("guard")),
    make("div", { class: "last" }, make("b", {}, word("clear")), button)), () => {
    isOpen = false;
    letGo();
  });
  return {
    isOpen: () => isOpen,
    isAsking: () => isAsking,
    allow(is) {
      if (!is) letGo();
      isAllowed = is;
      show();
    },
  };
}

/// Acts once the button was held for a second; returns what lets it go. All it says is in the button: nothing moves
/// under the finger.
function hold(button, act) {
  let timer = 0;
  function show(text = "hold") {
    button.classList.toggle("held", timer);
    write(button, word(timer ? "holding" : text));
  }
  function begin() {
    if (button.disabled) return;
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
    show("short");
  }
  const withKey = act => event => { if (!event.repeat && (event.key === "Enter" || event.key === " ")) act(); };
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
