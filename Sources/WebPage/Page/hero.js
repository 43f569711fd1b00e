// What matters most at this moment, as a value: one headline, one thing to do. Page.md has the table.

import { known, word } from "./words.js";

/// What keeps a session from beginning: the link's faults and states, by the text that tells a player of them.
const obstacles = {
  machine: "machineNotSeen noneSaysMachine machineListedOnly machineGone machineDropped connectFailed connectTimedOut "
    + "connectedWithoutLink servicesNotResolved linkLost writeUnanswered staleTable otherStack notInOthersScan "
    + "discovering backingOff idle shuttingDown ended",
  connecting: "connecting resolving",
  bluetooth: "busUnreachable serviceAbsent serviceEnded serviceSilent signalsMissing adapterMissing adapterGone "
    + "adapterNotTakenUp adapterOff adapterBlocked adapterWontPowerOn adapterUnfit scanFailed discoveryStuck "
    + "waitingForBlueZ waitingForAdapter",
  choice: "onlyPerhaps needsAdoption ambiguousMachines otherMachinesSeen onlyOtherMachines nearlyNamed addressTypeChanged",
  held: "machineHeld",
  unfit: "machineBlocked noUsableCharacteristic ambiguousCharacteristics commandsNotTaken",
};
const tells = Object.fromEntries(Object.entries(obstacles).flatMap(([text, codes]) =>
  codes.split(" ").map(code => [code, text])));

/// The hold that says that what was loaded can't be loaded any more, if there is one.
export const lostTraining = ({ holds }) => holds.find(({ code }) => ["levelLost", "drillLost"].includes(code));

/// Why a session can't begin, as a text's key; null: it can.
export function obstacle({ link, safety }) {
  if (lostTraining(safety)) return "again";
  if (!link || link.state === "ready") return null;
  // The first try: what failed before it is over.
  if (tells[link.state] === "connecting" && !link.failures) return "connecting";
  return tells[link.code] ?? tells[link.state] ?? "machine";
}

const drawings = {
  machine: "switch", connecting: "link", owed: "switch", lost: "switch", away: "switch", notStopped: "switch",
  notSeen: "court", "paused.silence": "court", stopped: "check", drillOver: "check", ballLimit: "check",
  ready: "ball", nearNet: "court", behindNet: "court", paused: "pause", "paused.linkLoss": "link", bluetooth: "link",
  stopping: "pause", again: "ball", "paused.refused": "switch",
};

const show = (tone, title, given) => ({ tone, title, drawing: drawings[title] ?? "", reason: `${title}.do`, ...given });

/// What is shown of it all: `tone` is one of Page.md's, `title` and `reason` are keys of texts, `figure` says what the
/// big number is (`remaining`, `next`, `balls`).
export function heroOf(view) {
  const { safety, lost, byHand, paired, unanswered } = view, { state, code, stop } = safety, hold = safety.holds[0]?.code;
  // Whatever the box says, a STOP of this phone has no answer: whether the machine has stopped is unknown.
  if (unanswered === "noAnswer") return show("danger", "notStopped");
  if (lost === "asking") return show("idle", "asking", { reason: "" });
  if (lost) return show("lost", lost);
  if (state === "away") return show("lost", "away");
  if (stop) {
    if (stop.outcome === "pending") return show("lost", "stopping", { reason: "" });
    const isGood = ["confirmed", "alreadyStopped"].includes(stop.outcome);
    return !isGood ? show("danger", "notStopped")
      : show("stopped", "stopped", paired ? {} : { reason: "stopped.guest" });
  }
  if (hold === "lastBall") return show("balls", "lastBall", { reason: "" });
  const isQuiet = state === "disarmed" || state === "pending";
  if (byHand && (isQuiet || state === "paused")) return show("balls", "byHand");
  if (isQuiet && hold === "stopOwed") return show("held", "owed");
  if (isQuiet) return quiet(view);
  if (state === "countdown") {
    return show("balls", "countdown", { figure: "remaining", reason: `${known(`${hold}.do`) ? hold : "countdown"}.do` });
  }
  const why = state === "resting" || state === "paused" ? obstacle(view) : null;
  if (why && code !== "linkLoss") return show("paused", why, { reason: explained(why) });
  if (state === "resting") return show("rest", "resting", { figure: "remaining" });
  if (state === "paused") {
    if (code === "silence") return show("held", "notSeen", { reason: "paused.silence.do" });
    const own = known(`paused.${code}.do`) ? `paused.${code}` : "paused";
    return show(code === "linkLoss" ? "held" : "paused", known(own) ? own : "paused",
      { reason: paired ? `${own}.do` : "ready.pair" });
  }
  if (hold) return show("held", known(`${hold}.do`) ? hold : "waits", { reason: `${hold}.do` });
  return show("balls", view.nextBall == null ? "live" : "next", { figure: "next", reason: "" });
}

const explained = why => known(`${why}.do`) ? `${why}.do` : "operator";

function quiet(view) {
  const { safety, paired, player } = view, { state, code, balls } = safety, why = obstacle(view);
  if (why === "again") return show("idle", "again", { reason: lostTraining(safety).code });
  if (why) return show("idle", why, { reason: state === "pending" ? "pending" : explained(why) });
  // It is connected, and a start would try it again.
  if (view.link?.code === "commandsNotTaken") return show("held", "paused.refused", { reason: "refused.do" });
  if (!paired) return show("idle", "ready", { reason: "ready.pair" });
  if (balls && view.isSame && ["drillOver", "ballLimit", "timeLimit"].includes(code)) {
    return show("ready", code, { figure: "balls", reason: "ready.do" });
  }
  const ended = known(`ended.${code}`) && `ended.${code}`;
  return show("ready", "ready", { reason: ended || (player ? "ready.do" : "ready.unseen") });
}

/// The causes and remedies that the box gives, in its own words, for its operator.
export const detailsOf = ({ safety, link, lost }) => lost ? [] : [
  safety.reason, ...safety.holds.map(hold => hold.reason), safety.stop?.reason, link?.reason, link?.remedy, link?.warning,
].filter(Boolean);

export const ballsWord = count => word(count === 1 ? "ballThrown" : "ballsThrown");

/// Where the player is, in words.
export function playerText(player) {
  const place = player?.zone ? word("zone", player.zone) : word(player ? "out" : "unseen");
  return player?.repeats ? `${place}, ${word("repeats", Math.round(player.repeats))}` : place;
}
