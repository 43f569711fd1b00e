// What sessions were: a list, and one with its picture and figures.

import { unpair } from "./ask.js";
import { get } from "./box.js";
import { make, openSheet } from "./sheet.js";
import { clockText, placeText, trainingText } from "./texts.js";
import { known, language, number, word } from "./words.js";

const nameOf = ({ session, arming }) => arming > 1 ? `${session}.${arming}` : `${session}`;
const dateOf = ({ time, mode }) =>
  `${new Date(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" })} · ${mode ?? "?"}`;
const stack = (...children) => make("div", { class: "stack" }, ...children);

/// Fills an element with what the box answers, or with why it doesn't.
async function fill(element, path, content) {
  try {
    element.replaceChildren(...content(await get(path)));
  } catch (error) {
    element.replaceChildren(make("p", { class: "error" }, error.message));
  }
}

export function openSessions(phone) {
  const list = stack("…"), forget = make("button", { id: "forget" }, word("forget", phone ?? ""));
  forget.onclick = () => unpair().catch(error => forget.before(error.message));
  openSheet(word("sessions"), stack(list, forget));
  fill(list, "sessions", ({ sessions }) => sessions.length ? sessions.map(session => {
    const line = text => make("span", {}, text);
    const open = () => openSession(nameOf(session), phone);
    return make("button", { class: "choice", onclick: open },
      line(`${nameOf(session)} · ${dateOf(session)}`), line(trainingText(session)),
      line(`${word("balls")}: ${session.balls} · ${clockText(session.seconds)} min`));
  }) : [word("noSessions")]);
}

function openSession(name, phone) {
  const picture = make("img", { alt: word("picture"), src: `/api/sessions/${name}/picture` });
  picture.onerror = () => picture.replaceWith(word("noPicture"));
  const figures = make("dl", { class: "figures" });
  const back = make("button", { onclick: () => openSessions(phone) }, word("sessions"));
  openSheet(word("session", name), stack(picture, figures, back));
  fill(figures, `sessions/${name}`, session => figuresOf(session).filter(([, text]) => text)
    .map(([key, text]) => make("div", {}, make("dt", {}, word(key)), make("dd", {}, text))));
}

function figuresOf(session) {
  const { before = {}, ending, progress } = session;
  const reason = ({ code, reason }, state) => known(`${state}.${code}`) ?? reason;
  const list = (items = [], state) =>
    items.map(item => `${reason(item, state)}: ${item.count} ×, ${clockText(item.seconds)}`).join("; ");
  // With the median of the last sessions like it.
  const figure = (key, text) => session[key] != null
    && text(session[key]) + (before[key] != null ? ` (${word("median", text(before[key]))})` : "");
  const unit = (digits, unit) => value => `${number(value, digits)} ${unit}`;
  return [
    ["date", dateOf(session)],
    ["training", trainingText(session)],
    ["length", clockText(session.seconds)],
    ["live", figure("live", clockText)],
    ["sets", progress && placeText(progress)],
    ["ended", reason(ending, "disarmed")],
    ["balls", figure("balls", number)],
    ["outcomes", Object.entries(session.outcomes).filter(([, count]) => count)
      .map(([outcome, count]) => `${count} ${word(outcome)}`).join(", ")],
    ["pauses", list(session.pauses, "paused")],
    ["heldBy", list(session.heldBy, "hold")],
    ["distance", figure("distance", unit(0, "m"))],
    ["meanSpeed", figure("meanSpeed", unit(2, "m/s"))],
    ["greatestSpeed", figure("greatestSpeed", unit(1, "m/s"))],
    ["firstStep", figure("firstStep", unit(2, "s"))],
  ];
}
