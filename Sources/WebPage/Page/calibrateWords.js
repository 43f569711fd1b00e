// The calibration's texts, in English and German.

import { addTexts, word } from "./words.js";

addTexts({
  calibWhere: ["Where does the camera stand?", "Wo steht die Kamera?"],
  calibSide0: ["Behind the player", "Hinter dem Spieler"],
  calibSide1: ["On the right", "Rechts"],
  calibSide2: ["Behind the machine", "Hinter der Maschine"],
  calibSide3: ["On the left", "Links"],
  calibPlayers: ["Left and right are the player’s.", "Links und rechts sind die des Spielers."],

  calibStep: ["Mark {0} of {1}", "Punkt {0} von {1}"],
  calibStepMore: ["Mark {0}", "Punkt {0}"],
  calibPut: ["Put the ring on it: tap, then drag anywhere.",
    "Den Ring darauf setzen: tippen, dann irgendwo ziehen."],
  calibIsIt: ["Is the ring on it? If not, drag.", "Liegt der Ring darauf? Sonst ziehen."],
  calibNext: ["Next", "Weiter"],
  calibBack: ["Back", "Zurück"],
  calibLeave: ["Not visible", "Nicht zu sehen"],
  calibNoMore: ["No mark is left: at least {0} are needed.", "Kein Punkt mehr: {0} sind mindestens nötig."],
  calibMini: ["The court as the camera sees it: touch it to see the place in the picture",
    "Der Platz, wie ihn die Kamera sieht: Tippen zeigt die Stelle im Bild"],

  calibLoads: ["One moment …", "Einen Moment …"],
  calibAsks: ["Checking …", "Wird geprüft …"],
  calibCompares: ["The box compares the marks with its picture.", "Die Box vergleicht die Punkte mit ihrem Bild."],
  "calibGrade.good": ["✓ Good", "✓ Gut"],
  "calibGrade.usable": ["≈ Usable", "≈ Brauchbar"],
  "calibGrade.again": ["↻ Again", "↻ Nachbessern"],
  calibRow0: ["at the net", "am Netz"],
  calibRow1: ["before the service line", "vor der Aufschlaglinie"],
  calibRow2: ["behind the service line", "hinter der Aufschlaglinie"],
  calibRow3: ["at the baseline", "an der Grundlinie"],
  "calibWhy.good": ["Off by {0} m at most, {1}. {2} % of the lines seen.",
    "Höchstens {0} m daneben, {1}. {2} % der Linien gesehen."],
  "calibWhy.rough": ["Off by up to {0} m {1}: there it may take the next zone.",
    "Bis {0} m daneben {1}: Dort kann es die Nachbarzone treffen."],
  "calibWhy.far": ["Off by up to {0} m {1}, half a zone. A higher camera sees better.",
    "Bis {0} m daneben {1}, eine halbe Zone. Höher sieht die Kamera besser."],
  "calibWhy.lines": ["Only {2} % of the lines seen: snap the marks to them, or move them.",
    "Nur {2} % der Linien gesehen: die Punkte an die Linien ziehen, oder verschieben."],
  "calibWhy.noLines": ["Too little of the lines to compare: do yellow and painted lines agree?",
    "Zu wenig Linien zum Vergleich: Liegen die gelben auf den gemalten?"],
  "calibWhy.low": ["The camera would be lower than half a metre: is that true?",
    "Die Kamera wäre niedriger als ein halber Meter: Stimmt das?"],
  "calibWhy.tilted": ["The camera would be tilted: is that true?", "Die Kamera hinge schief: Stimmt das?"],
  "calibWhy.unlikely": ["No usual camera sees a court so: are marks exchanged?",
    "So sieht keine Kamera einen Platz: Sind Punkte vertauscht?"],

  calibSave: ["Save", "Sichern"],
  calibSnap: ["Snap to lines", "An die Linien"],
  calibUndo: ["As before", "Wie vorher"],
  calibAdd: ["More marks", "Mehr Punkte"],
  calibLook: ["Show the mark", "Punkt zeigen"],
  calibAsk: ["Does the camera stand there?", "Steht die Kamera dort?"],
  calibYes: ["Yes, save", "Ja, sichern"],
  calibNo: ["No, elsewhere", "Nein, woanders"],
  calibSaves: ["Saving …", "Wird gesichert …"],
  calibSaved: ["✓ Saved", "✓ Gesichert"],
  calibEmpty: ["Leave the court for 10 seconds: the camera learns it empty.",
    "Den Platz 10 Sekunden verlassen: Die Kamera lernt ihn leer."],
  calibOld: ["The camera uses it. The bridge may still have the old one.",
    "Die Kamera benutzt es. Die Bridge hat vielleicht noch die alte."],
  calibFile: ["The camera uses it. Does the bridge? Its court.calibration has to name the camera’s file.",
    "Die Kamera benutzt es. Die Bridge auch? Ihre court.calibration muss die Datei der Kamera nennen."],
  calibChange: ["Change it", "Ändern"],
  calibDone: ["Done", "Fertig"],

  calibNone: ["No picture", "Kein Bild"],
  calibTry: ["Try again", "Noch einmal"],
  calibBox: ["What the box says", "Was die Box sagt"],
  "calibError.other": ["The box refuses that.", "Die Box lehnt das ab."],
  "calibError.still": ["The camera gives no picture: is it plugged in?", "Die Kamera gibt kein Bild: Ist sie eingesteckt?"],
  "calibError.unreachable": ["The camera’s program does not run.", "Das Programm der Kamera läuft nicht."],
  "calibError.noPermission": ["The page has no right to ask the camera’s program.",
    "Die Seite darf das Programm der Kamera nicht fragen."],
  "calibError.silent": ["The camera’s program does not answer.", "Das Programm der Kamera antwortet nicht."],
  "calibError.lost": ["The camera’s program has ended the connection.",
    "Das Programm der Kamera hat die Verbindung beendet."],
  "calibError.strange": ["Another program answers in the camera’s place.",
    "Statt der Kamera antwortet ein anderes Programm."],
  "calibError.busy": ["The box is busy: try again.", "Die Box ist beschäftigt: noch einmal versuchen."],
  "calibError.tooOften": ["Too many questions: wait some seconds.", "Zu viele Fragen: einige Sekunden warten."],
  "calibError.armed": ["Balls may fly: end or stop first.", "Bälle können fliegen: zuerst Ende oder STOPP."],
  "calibError.notPaired": ["Only paired phones calibrate.", "Nur gekoppelte Telefone kalibrieren."],
  "calibError.otherShape": ["The camera’s picture has another shape now: begin again.",
    "Das Bild der Kamera hat jetzt eine andere Form: neu beginnen."],
  "calibError.turned": ["The phone has been turned since: begin again.", "Das Telefon wurde inzwischen gedreht: neu beginnen."],
  "calibError.tooFewLines": ["Too few painted lines are near the marks.", "Zu wenige gemalte Linien sind nah genug."],
  "calibError.doubled": ["Two marks are in one place: {0}.", "Zwei Punkte liegen an einer Stelle: {0}."],
  "calibError.inLine": ["Too many marks are on one line: add others.",
    "Zu viele Punkte liegen auf einer Linie: andere dazunehmen."],
  "calibError.crossed": ["Two marks are exchanged.", "Zwei Punkte sind vertauscht."],
  "calibError.mirrored": ["Left and right are exchanged, or net and baseline.",
    "Links und rechts sind vertauscht, oder Netz und Grundlinie."],
  "calibError.behindCamera": ["So the camera would stand on the player’s half: are marks exchanged?",
    "So stünde die Kamera auf der Hälfte des Spielers: Sind Punkte vertauscht?"],
  "calibError.contradicting": ["The marks contradict each other. The wrong one is probably: {0}",
    "Die Punkte widersprechen sich. Falsch ist wohl: {0}"],

  "calibLine.baseline": ["Baseline", "Grundlinie"],
  "calibLine.service": ["Service line", "Aufschlaglinie"],
  "calibLine.net": ["Net", "Netz"],
  "calibLine.machine-baseline": ["Machine’s baseline", "Grundlinie der Maschine"],
  "calibLine.machine-service": ["Machine’s service line", "Aufschlaglinie der Maschine"],
  "calibAt.left": ["left singles line", "linke Einzellinie"],
  "calibAt.right": ["right singles line", "rechte Einzellinie"],
  "calibAt.doubles-left": ["left doubles line", "linke Doppellinie"],
  "calibAt.doubles-right": ["right doubles line", "rechte Doppellinie"],
  "calibAt.post-left": ["foot of the left post", "Fuß des linken Pfostens"],
  "calibAt.post-right": ["foot of the right post", "Fuß des rechten Pfostens"],
  "calibAt.baseline-centre": ["centre mark", "Mittelzeichen"],
  "calibAt.service-centre": ["centre line", "Mittellinie"],
  "calibAt.net-centre": ["centre, on the ground", "Mitte, am Boden"],

  // The box's words for where the camera stands: English = German, in this order.
  calibPlace: ["", `where no usual camera can stand=wo keine übliche Kamera stehen kann
 m high, = m hoch, 
behind the player's baseline=hinter der Grundlinie des Spielers
behind the machine's baseline=hinter der Grundlinie der Maschine
right of the right sideline=rechts von der rechten Seitenlinie
left of the left sideline=links von der linken Seitenlinie
above the court=über dem Platz
level with the net=auf Höhe des Netzes
from the net on the player's half=vom Netz auf der Hälfte des Spielers
from the net on the machine's half=vom Netz auf der Hälfte der Maschine
looking down; in the picture the player's baseline is=Blick nach unten; im Bild ist die Grundlinie des Spielers
looking=Blick
away from the net, at the player's baseline=weg vom Netz, zur Grundlinie des Spielers
away from the net=weg vom Netz
at the net=zum Netz
to the left=nach links
to the right=nach rechts
, as the player sees it=, vom Spieler aus
nowhere=nirgendwohin
 is below= unten
 below= unten
 above= oben
 left= links
 right= rechts
 and = und `],
});

/// What a mark is called.
export function markText(name) {
  const half = /machine/.test(name) ? "machine-" : "";
  const line = /baseline/.test(name) ? "baseline" : /service/.test(name) ? "service" : "net";
  const outer = /post/.test(name) ? "post-" : /doubles/.test(name) ? "doubles-" : "";
  const side = /left/.test(name) ? "left" : /right/.test(name) ? "right" : `${line}-centre`;
  return `${word(`calibLine.${half}${line}`)}, ${word(`calibAt.${outer}${side}`)}`;
}

/// The box's words for where the camera stands, in the reader's language.
export function placeText(sentence) {
  const phrases = word("calibPlace");
  // English has none, and its key is given back.
  if (!phrases.includes("=")) return sentence;
  return phrases.split("\n").map(phrase => phrase.split("="))
    .reduce((text, [words, own]) => text.replaceAll(words, own), sentence)
    .replace(/(\d)\.(\d)/g, "$1,$2");
}
