// All texts: in English and German, and what the box's records say.

/// Where English is empty, the bridge's own words are used.
const texts = {
  next: ["Next ball", "Nächster Ball"],
  last: ["Last ball", "Letzter Ball"],
  balls: ["Balls", "Bälle"],
  player: ["Player", "Spieler"],
  drill: ["Drill", "Übung"],
  sessions: ["Sessions", "Verlauf"],
  camera: ["Camera", "Kamera"],
  pair: ["Pair this phone", "Telefon koppeln"],
  close: ["Close", "Schließen"],
  arm: ["Start", "Start"],
  resume: ["Go on", "Weiter"],
  pause: ["Pause", "Pause"],
  disarm: ["End", "Ende"],
  reset: ["Release the stop", "Stopp lösen"],
  stop: ["STOP", "STOPP"],

  lost: ["No connection", "Keine Verbindung"],
  full: ["Too many watch: pair this phone", "Zu viele sehen zu: Telefon koppeln"],
  away: ["Out of service", "Außer Betrieb"],
  disarmed: ["Not started", "Nicht gestartet"],
  pending: ["Waits for the machine", "Wartet auf die Maschine"],
  countdown: ["Balls fly in {0} s", "Bälle in {0} s"],
  live: ["Balls fly", "Bälle fliegen"],
  resting: ["Rest, {0} s", "Satzpause, {0} s"],
  paused: ["Paused", "Pause"],
  stopped: ["Stopped", "Gestoppt"],
  notStopped: ["Stop NOT confirmed", "Stopp NICHT bestätigt"],
  byHand: ["Balls by hand", "Bälle von Hand"],
  "ball.byHand": ["by hand", "von Hand"],
  held: ["held back: {0}", "zurückgehalten: {0}"],

  "do.pair": ["Only paired phones start.", "Nur gekoppelte Telefone starten."],
  "do.stop": ["STOP works on every phone.", "STOPP geht mit jedem."],
  "do.countdown": ["Take your place, away from the net.", "Auf die Plätze, weg vom Netz."],
  "do.paused": ["Go on counts down.", "Weiter beginnt mit einem Countdown."],
  "do.paused.silence": ["It counts down once a player is seen.", "Countdown, sobald er zu sehen ist."],
  "do.paused.linkLoss": ["It counts down if it is back soon.", "Countdown, wenn sie bald zurück ist."],
  "do.stopped": ["When the court is clear, release the stop. That starts nothing.",
    "Ist der Platz frei, den Stopp lösen. Das startet nichts."],
  "do.away": ["To stop, use the machine’s own switch.",
    "Zum Stoppen die Maschine am Schalter ausschalten."],
  "do.notStopped": ["Use the machine’s own switch.", "Die Maschine am Schalter ausschalten."],

  // Why, by the bridge's code.
  ".atStart": ["", "Nach dem Einschalten fliegt kein Ball"],
  ".operator": ["", "Von Hand"],
  ".silence": ["", "Kein Spieler war zu sehen"],
  ".linkLoss": ["", "Die Maschine war weg"],
  ".otherMachine": ["", "Eine andere Maschine ist verbunden"],
  ".ballLimit": ["", "Alle Bälle sind geworfen"],
  ".timeLimit": ["", "Die Zeit ist um"],
  ".drillOver": ["", "Die Übung ist zu Ende"],
  ".reset": ["", "Der Stopp ist gelöst"],
  ".manual": ["", "Ein Ball kam von Hand"],
  ".clientGone": ["", "Das Telefon, das gestartet hat, ist weg"],
  ".socketsGone": ["", "Niemand kann die Box mehr erreichen: sie neu starten"],
  ".refused": ["", "Die Maschine nimmt keine Befehle an"],
  ".notSeen": ["", "kein Spieler zu sehen"],
  ".detectorRepeats": ["", "die Erkennung wiederholt sich: läuft sie noch?"],
  ".notMetres": ["", "die Positionen sind keine Meter dieses Platzes: die Erkennung einstellen"],
  ".nearNet": ["", "der Spieler ist zu nah am Netz"],
  ".behindNet": ["", "jemand ist auf der Seite der Maschine"],
  ".impossibleJump": ["", "der Spieler scheint zu springen"],
  ".stopOnItsWay": ["", "ein Stopp ist unterwegs"],
  ".stopOwed": ["", "der Maschine fehlt noch ein Stopp: zur Sicherheit am Schalter ausschalten"],
  ".levelLost": ["", "die geladene Stufe fehlt: die Tabelle neu laden, oder eine andere wählen, oder keine"],
  ".drillLost": ["", "die geladene Übung fehlt: neu laden, oder eine andere wählen, oder keine"],
  ".lastBall": ["The last ball is coming", "Der letzte Ball kommt"],

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
  "do.lost": ["No connection to the box. To stop, use the machine’s own switch.",
    "Keine Verbindung zur Box. Zum Stoppen die Maschine am Schalter ausschalten."],
  noReply: ["The box does not answer. Try again.", "Die Box antwortet nicht. Noch einmal versuchen."],

  zone: ["zone {0}", "Zone {0}"],
  out: ["out of court", "außerhalb"],
  repeats: ["unmoved for {0} s: does the detector work?", "seit {0} s unbewegt: läuft die Erkennung noch?"],
  notSeen: ["not seen", "nicht zu sehen"],
  ago: ["{0} s ago", "vor {0} s"],
  notReady: ["not ready", "nicht bereit"],
  place: ["set {0} of {1}, ball {2} of {3}", "Satz {0} von {1}, Ball {2} von {3}"],
  "ball.delivered": ["delivered", "angekommen"],
  "ball.queued": ["queued", "übergeben"],
  "ball.notSent": ["not sent", "nicht gesendet"],
  "ball.unknown": ["unknown", "ungewiss"],

  clear: ["Is the court clear?", "Ist der Platz frei?"],
  SIM: ["SIM: no real ball flies.", "SIM: kein echter Ball fliegt."],
  REAL: ["REAL: the machine throws balls.", "REAL: die Maschine wirft Bälle."],
  label: ["Player’s name, if you like", "Name, wenn gewünscht"],
  seconds: ["Countdown {0} s: change", "Countdown {0} s: ändern"],
  guard: ["Pause when this phone is gone or its screen off", "Pause, wenn dieses Telefon weg ist oder aus"],
  hold: ["Hold for 1 second", "1 Sekunde halten"],
  holding: ["Keep holding …", "Weiter halten …"],
  short: ["Too short.", "Zu kurz."],
  code: ["The 8 digits of “ballmachine pair-phone”:", "Die 8 Ziffern von „ballmachine pair-phone“:"],
  forget: ["Forget this phone", "Telefon vergessen"],
  level: ["Level", "Stufe"],
  none: ["none", "keine"],
  noDrill: ["No drill: to the player", "Keine Übung: zum Spieler"],
  beginner: ["beginner", "Anfänger"],
  intermediate: ["intermediate", "Mittel"],
  advanced: ["advanced", "Könner"],
  size: ["{0} × {1} balls, one every {2} s, rest {3} s: {4} min",
    "{0} × {1} Bälle, alle {2} s, Pause {3} s: {4} min"],
};

const asked = new URLSearchParams(location.search).get("lang") ?? navigator.language;
const language = /^de/.test(asked) ? "de" : "en";
document.documentElement.lang = language;

/// Makes more keys known: `{key: ["English", "Deutsch"]}`.
export function addTexts(more) { Object.assign(texts, more); }

const known = key => texts[key]?.[language === "de" ? 1 : 0];

/// The text of a key, with {0}, {1} … replaced.
export const word = (key, ...values) =>
  (known(key) || key).replace(/\{(\d)\}/g, (_, index) => values[index]);

export const number = (value, digits) =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits ?? 1 });

const joined = (parts, by = " · ") => parts.filter(Boolean).join(by);
const sentence = text => text && text[0].toUpperCase() + text.slice(1) + ".";

const cause = ({ code, reason }) => known(`.${code}`) || reason;

/// The key of what matters most. A stop is none before the machine has confirmed it.
export function headline({ state, stop, holds }, byHand) {
  if (stop) {
    const { outcome } = stop;
    return outcome === "pending" ? "stopping" : outcome === "confirmed" ? state : "notStopped";
  }
  if (holds[0]?.code === "lastBall") return ".lastBall";
  return byHand && ["disarmed", "pending", "paused"].includes(state) ? "byHand" : state;
}

/// Why it is so, what holds balls back or is still to come, and what to do.
export function reasonText(safety, link, paired) {
  const { state, code, holds } = safety, title = headline(safety);
  const unpaired = !paired && ["disarmed", "resting", "paused", "stopped"].includes(state);
  return joined([
    ["disarmed", "paused", "away"].includes(state) && sentence(cause(safety)),
    ...holds.map(hold => title !== `.${hold.code}`
      && sentence(["countdown", "live"].includes(state) ? word("held", cause(hold)) : cause(hold))),
    known(`do.${state}.${code}`) ?? known(`do.${unpaired && state === title ? "pair" : title}`),
    unpaired && link?.state === "ready" && known("do.stop"),
    sentence(joined([link?.reason, link?.remedy], "; ")),
  ], " ");
}

/// The machine, the link and its signal; a connected machine isn't heard any more.
export const linkText = ({ state, name, machine, rssi, rssiAge }) => joined([
  name ?? machine, state !== "ready" && word("notReady"), rssi && `${rssi} dBm`,
  rssiAge > 5 && word("ago", Math.round(rssiAge)),
]);

export const trainingText = ({ drill, level, label, set, sets, ball, ballsPerSet }) => joined([
  drill ?? word("noDrill"), level && word(level), label, set && word("place", set, sets, ball, ballsPerSet),
]);

export const outcomeText = (ball, outcome) => joined([ball, word(`ball.${outcome}`)]);

export const ballText = ({ number, target, zone, outcome }) =>
  outcomeText(`${number} → ${target ?? zone ?? "–"}`, outcome);

/// Minutes and seconds: `24:03`.
export const clockText = seconds =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export const dateText = time =>
  new Date(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
