// What the page says, in English and German. Here is what STOP's script needs; texts.js adds the rest.

const texts = {
  stop: ["STOP", "STOPP"],
  stopping: ["Stopping …", "Stoppe …"],
  confirmed: ["Stopped: the machine has acknowledged it.", "Gestoppt: die Maschine hat es bestätigt."],
  alreadyStopped: ["It was stopped already.", "War schon gestoppt."],
  unconfirmed: ["Stop was sent, but not acknowledged. Use the machine’s own switch.",
    "Stopp gesendet, nicht bestätigt. Die Maschine am Schalter ausschalten!"],
  notDelivered: ["STOP DID NOT ARRIVE. Use the machine’s own switch!",
    "STOPP KAM NICHT AN. Die Maschine am Schalter ausschalten!"],
  noAnswer: ["NO ANSWER TO STOP: asking again. Use the machine’s own switch!",
    "KEINE ANTWORT AUF STOPP: er wird wiederholt. Die Maschine am Schalter ausschalten!"],
  late: ["STOP of {0}: no answer. Still needed? Press STOP again.",
    "STOPP von {0}: keine Antwort. Noch nötig? Noch einmal STOPP drücken."],
  otherBox: ["STOP of {0} on {1}: no answer there. Use that machine’s own switch!",
    "STOPP von {0} auf {1}: dort keine Antwort. Jene Maschine am Schalter ausschalten!"],
  letGo: ["Dismiss", "Erledigt"],
};
export const languages = { en: "English", de: "Deutsch" };

/// What a person has chosen here; a browser may keep nothing.
function chosen() {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
}

let language = "en";
function speak(wanted) {
  language = /^de/.test(wanted) ? "de" : "en";
  document.documentElement.lang = language;
}
speak(new URLSearchParams(location.search).get("lang") ?? chosen() ?? navigator.language);

export const spokenLanguage = () => language;

/// Everything that shows words listens for `language` and writes them again.
export function chooseLanguage(wanted) {
  speak(wanted);
  try {
    localStorage.setItem("language", language);
  } catch {
    // It is so until the page is closed.
  }
  dispatchEvent(new Event("language"));
}

/// More texts, for `word`.
export const addTexts = more => Object.assign(texts, more);

/// The text of a key in the reader's language; undefined: there is none.
export const known = key => texts[key]?.[language === "de" ? 1 : 0];

/// The text of a key, with {0}, {1} … replaced.
export const word = (key, ...values) =>
  (known(key) ?? key).replace(/\{(\d)\}/g, (_, index) => values[index]);

export const number = (value, digits) =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits ?? 1 });

/// Minutes and seconds: `24:03`.
export const clockText = seconds =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export const dateText = time =>
  new Date(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

/// A day as people say it, with the time: `Today, 18:05`.
export function dayText(time) {
  const day = new Date(time), days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(time).setHours(0, 0, 0, 0)) / 864e5);
  const name = days === 0 || days === 1
    ? new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-days, "day")
    : day.toLocaleDateString(language, { weekday: "short", day: "numeric", month: "short" });
  return `${name[0].toUpperCase()}${name.slice(1)}, ${day.toLocaleTimeString(language, { timeStyle: "short" })}`;
}
