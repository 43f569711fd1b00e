// All texts, a table a language. Causes stand only in German: the bridge words them in English.

const tables = {
  en: {
    next: "Next ball", last: "Last ball", balls: "Balls", player: "Player", training: "Training",
    drill: "Drill", sessions: "Sessions", camera: "Camera", pair: "Pair this phone", close: "Close",
    arm: "Start", resume: "Go on", pause: "Pause", disarm: "End", reset: "Release the stop", stop: "STOP",

    "state.unknown": "No connection", "state.away": "Out of service", "state.disarmed": "Not started",
    "state.pending": "Waits for the machine", "state.live": "Balls fly", "state.paused": "Paused",
    "state.stopped": "Stopped", countdown: "Balls fly in {0} s", resting: "Rest, {0} s",
    held: "held back: {0}",
    "do.pair": "Only a paired phone can start and pause. STOP works on every phone.",
    "do.countdown": "Take your place, away from the net.",
    "do.paused": "Go on counts down again.",
    "do.paused.silence": "It counts down again once a player is seen.",
    "do.paused.linkLoss": "It counts down again if the machine is back soon.",
    "do.stopped": "When the court is clear, release the stop. That starts nothing.",
    "do.away": "If the machine throws balls, use its own switch.",

    pending: "Stopping …", confirmed: "Stopped: the machine has acknowledged it.",
    alreadyStopped: "It was stopped already, and no ball has left since.",
    unconfirmed: "Stop was sent, but not acknowledged. Look at the machine, and use its own switch.",
    notDelivered: "STOP DID NOT REACH THE MACHINE. Use its own switch!",
    noAnswer: "NO ANSWER TO STOP. Use the machine’s own switch! Still trying …",
    lost: "No connection for {0} s. To stop, use the machine’s own switch.",
    noReply: "The box does not answer. Try again.",

    zone: "zone {0}", out: "out of court", notSeen: "not seen", ago: "{0} s ago",
    notReady: "not ready", place: "set {0} of {1}, ball {2} of {3}",
    delivered: "delivered", queued: "queued", notSent: "not sent", unknown: "unknown",

    clear: "Is the court clear?", SIM: "SIM: no real ball flies.", REAL: "REAL: the machine throws balls.",
    label: "Player’s name, if you like", countdownOf: "Countdown {0} s", less: "Shorter", more: "Longer",
    guard: "Pause when this phone is gone (keep its screen on, with this page)",
    hold: "Hold for 1 second", holding: "Keep holding …", heldShort: "Too short: hold for one second.",
    code: "The 8 digits that “ballmachine pair-phone” shows:", forget: "Forget this phone ({0})",
    level: "Level", noLevel: "none", noDrill: "No drill: to the player",
    beginner: "beginner", intermediate: "intermediate", advanced: "advanced",
    size: "{0} × {1} balls, one every {2} s, rest {3} s: {4} min",

    noSessions: "There are none yet.", session: "Session {0}", picture: "Picture of the session",
    noPicture: "There is no picture.", median: "before: {0}", date: "Date", length: "Length",
    live: "Balls could fly", sets: "Came to", ended: "Ended", outcomes: "Outcomes", pauses: "Paused",
    heldBy: "Held back", distance: "Distance run", meanSpeed: "Mean speed", greatestSpeed: "Greatest speed",
    firstStep: "First step",
    // Calibration
  },
  de: {
    next: "Nächster Ball", last: "Letzter Ball", balls: "Bälle", player: "Spieler", training: "Training",
    drill: "Übung", sessions: "Verlauf", camera: "Kamera", pair: "Telefon koppeln", close: "Schließen",
    resume: "Weiter", disarm: "Ende", reset: "Stopp lösen", stop: "STOPP",

    "state.unknown": "Keine Verbindung", "state.away": "Außer Betrieb", "state.disarmed": "Nicht gestartet",
    "state.pending": "Wartet auf Maschine", "state.live": "Bälle fliegen", "state.paused": "Pause",
    "state.stopped": "Gestoppt", countdown: "Bälle in {0} s", resting: "Satzpause, {0} s",
    held: "zurückgehalten: {0}",
    "do.pair": "Nur ein gekoppeltes Telefon kann starten und pausieren. STOPP geht mit jedem.",
    "do.countdown": "Auf die Plätze, weg vom Netz.",
    "do.paused": "Nach Weiter kommt wieder ein Countdown.",
    "do.paused.silence": "Countdown, sobald ein Spieler zu sehen ist.",
    "do.paused.linkLoss": "Countdown, wenn die Maschine bald zurück ist.",
    "do.stopped": "Ist der Platz frei, den Stopp lösen. Das startet nichts.",
    "do.away": "Wirft die Maschine Bälle: ihren eigenen Schalter benutzen.",
    "disarmed.atStart": "Nach dem Einschalten fliegt kein Ball", "disarmed.operator": "Von Hand beendet",
    "disarmed.silence": "Zu lange kein Spieler zu sehen", "disarmed.linkLoss": "Maschine zu lange weg",
    "disarmed.ballLimit": "Alle Bälle geworfen", "disarmed.timeLimit": "Die Zeit ist um",
    "disarmed.drillOver": "Die Übung ist zu Ende", "disarmed.reset": "Der Stopp ist gelöst",
    "countdown.arming": "Danach fliegen Bälle", "countdown.resuming": "Danach geht es weiter",
    "countdown.silence": "Ein Spieler ist wieder da", "countdown.linkLoss": "Die Maschine ist wieder da",
    "countdown.rest": "Danach der nächste Satz", "resting.undefined": "Danach ein Countdown zum nächsten Satz",
    "pending.undefined": "Startet, sobald die Maschine bereit ist",
    "paused.operator": "Von Hand angehalten", "paused.manual": "Ein Ball kam von Hand",
    "paused.silence": "Kein Spieler zu sehen", "paused.linkLoss": "Die Maschine ist weg",
    "paused.clientGone": "Das Telefon, das gestartet hat, ist weg",
    "paused.refused": "Die Maschine nimmt keine Befehle an. Weiter, wenn sie es wieder tut",
    "hold.notSeen": "kein Spieler zu sehen", "hold.nearNet": "Spieler zu nah am Netz",
    "hold.behindNet": "jemand ist auf der Seite der Maschine",
    "hold.impossibleJump": "Spieler scheint zu springen", "hold.stopOnItsWay": "ein Stopp ist unterwegs",
    "error.linkNotReady": "Die Maschine ist nicht verbunden.", "error.playerNotSeen": "Kein Spieler zu sehen.",

    pending: "Stoppe …", confirmed: "Gestoppt: die Maschine hat es bestätigt.",
    alreadyStopped: "War schon gestoppt, seitdem flog kein Ball.",
    unconfirmed: "Stopp gesendet, nicht bestätigt. Nach der Maschine sehen, ihren Schalter benutzen.",
    notDelivered: "STOPP KAM NICHT AN. Die Maschine am Schalter ausschalten!",
    noAnswer: "KEINE ANTWORT AUF STOPP. Die Maschine am Schalter ausschalten! Versuche weiter …",
    lost: "Keine Verbindung seit {0} s. Zum Stoppen die Maschine am Schalter ausschalten.",
    noReply: "Die Box antwortet nicht. Noch einmal versuchen.",

    zone: "Zone {0}", out: "außerhalb", notSeen: "nicht zu sehen", ago: "vor {0} s",
    notReady: "nicht bereit", place: "Satz {0} von {1}, Ball {2} von {3}",
    delivered: "gesendet", queued: "übergeben", notSent: "nicht gesendet", unknown: "ungewiss",

    clear: "Ist der Platz frei?", SIM: "SIM: kein echter Ball fliegt.", REAL: "REAL: die Maschine wirft Bälle.",
    label: "Name des Spielers, wenn gewünscht", less: "Kürzer", more: "Länger",
    guard: "Pause, wenn dieses Telefon weg ist (Bildschirm und Seite anlassen)",
    hold: "1 Sekunde halten", holding: "Weiter halten …", heldShort: "Zu kurz: eine Sekunde halten.",
    code: "Die 8 Ziffern von „ballmachine pair-phone“:", forget: "Dieses Telefon vergessen ({0})",
    level: "Stufe", noLevel: "keine", noDrill: "Keine Übung: zum Spieler",
    beginner: "Anfänger", intermediate: "Mittel", advanced: "Könner",
    size: "{0} × {1} Bälle, alle {2} s, Pause {3} s: {4} min",

    noSessions: "Noch keine.", session: "Training {0}", picture: "Bild des Trainings",
    noPicture: "Kein Bild vorhanden.", median: "zuvor: {0}", date: "Datum", length: "Dauer",
    live: "Bälle frei", sets: "Kam bis", ended: "Ende", outcomes: "Ausgang", pauses: "Pausen",
    heldBy: "Zurückgehalten", distance: "Gelaufen", meanSpeed: "Mittleres Tempo",
    greatestSpeed: "Größtes Tempo", firstStep: "Erster Schritt",
    // Calibration
  },
};

const wanted = [new URLSearchParams(location.search).get("lang"), ...navigator.languages];
export const language = wanted.map(tag => tag?.slice(0, 2)).find(tag => tag in tables) ?? "en";
const chosen = tables[language];
document.documentElement.lang = language;

/// The text of a key, with {0}, {1} … replaced; English where the language has none.
export const word = (key, ...values) =>
  (chosen[key] ?? tables.en[key] ?? key).replace(/\{(\d)\}/g, (_, index) => values[index]);

/// The text that the language has; otherwise undefined, and the box's own words are used.
export const known = key => chosen[key];

export const number = (value, digits) =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits ?? 1 });
