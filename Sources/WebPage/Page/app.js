// What the box says becomes what is shown, and buttons become requests.

import { follow, post } from "./box.js";
import { Court } from "./court.js";
import { $, closeSheet, write } from "./sheet.js";
import { askForDrill, askToPair, askToStart, openSessions, pairByAddress } from "./sheets.js";
import { forgetGoodStop, hasUnanswered, isForeign, notice, showStop } from "./stop.js";
import { ballText, headline, linkText, number, outcomeText, reasonText, trainingText, word } from "./words.js";

const { body } = document, court = new Court($("court"));

/// What the box said last; null: nothing.
let safety = { state: "lost", holds: [] };
let mode = null, link = null, training = {}, player = null;
let paired = false, lost = "lost", wasStopped = false, isOther = false;
/// What a start would begin, and what shows it among the drills.
let offered = "", showDrills = null;
/// In milliseconds on the page's clock.
let countdownEnd = null, nextBall = null, byHandEnd = null;
/// The headline that was spoken last.
let spoken = null;

const after = seconds => seconds == null ? null : performance.now() + seconds * 1000;
const until = time => time == null ? null : Math.max(0, time - performance.now()) / 1000;

const listen = follow({
  hello({ id, paired }) {
    isOther = isForeign(id);
    if (isOther) setLost();
    else setPaired(paired);
  },
  service({ running, reason }) {
    setLost();
    if (!running) setSafety({ state: "away", reason, holds: [] });
  },
  status(status) {
    setLost();
    ({ mode, link, training = {}, player } = status);
    nextBall = after(status.nextDecision);
    court.shape(status.court);
    if (!player) court.player(null);
    const { lastDispatch, lastManual } = status;
    if (lastManual && !(lastDispatch?.t > lastManual.t)) showByHand(lastManual, status.t - lastManual.t);
    // One on its way has none yet.
    else if (lastDispatch?.outcome) showBall(lastDispatch);
    setSafety(status.safety);
  },
  safety: setSafety,
  training: setTraining,
  dispatch(ball) {
    nextBall = after(training.interval);
    showBall(ball);
  },
  manual(ball) { showByHand(ball, 0); },
  position(position) { if (player) court.player(position); },
  full() {
    setPaired(false);
    setLost("full");
    write($("announce"), word("full"));
  },
}, () => setLost("lost"));

function setSafety(record) {
  // A late answer: the box's own word comes first.
  if (lost) return;
  // Spoken once a headline, and once a countdown, not each second of it.
  if (record.state !== safety.state || after(record.remaining) > countdownEnd + 2000) spoken = null;
  safety = record;
  countdownEnd = after(record.remaining);
  if (record.stop) showStop(record.stop.outcome);
  else if (wasStopped || ["countdown", "live", "resting"].includes(record.state)) showStop();
  wasStopped = !!record.stop;
  show();
}

/// What is shown of a silent box is old: STOP alone is left. Another one has nothing to say here.
function setLost(why) {
  if (isOther) why = "lost";
  notice("lost", why && word(why === "full" ? "do.stop" : "do.lost"), "bad");
  if (why === lost) return;
  lost = why;
  if (lost) safety = { state: lost, holds: [] };
  show();
  forgetGoodStop();
}

function setPaired(is) {
  if (paired && !is) closeSheet();
  paired = is;
  show();
}

function setTraining(record) {
  training = record;
  show();
}

const isLost = () => safety.holds.some(({ code }) => ["levelLost", "drillLost"].includes(code));

function showBall(ball) {
  court.ball(ball);
  write($("last"), ballText(ball));
}

/// The player may be in its way: it is shown for 10 s, wherever it goes.
function showByHand({ outcome }, age) {
  if (outcome !== "notSent") byHandEnd = Math.max(byHandEnd, after(10 - age));
  write($("last"), outcomeText(word("ball.byHand"), outcome));
}

/// The buttons of each state. A pause that ends by itself is first made a person's.
const ways = {
  disarmed: "arm", pending: "disarm", countdown: "pause disarm", live: "pause disarm",
  resting: "resume pause disarm", paused: "resume disarm", stopped: "reset",
  "paused.silence": "pause disarm", "paused.linkLoss": "pause disarm",
};

function show() {
  const { state, code, balls } = safety, isStopping = hasUnanswered();
  const offer = `${[state, mode, training.drill, training.level, isLost(), isStopping]}`;
  if (offer !== offered) {
    if ($("hold")) closeSheet();
    showDrills?.();
  }
  offered = offer;
  Object.assign(body.dataset, { safety: state, mode: mode ?? "", paired, lost: !!lost });
  write($("mode"), mode ?? "…");
  write($("link"), link && !lost && state !== "away" ? linkText(link) : "");
  write($("reason"), reasonText(safety, state !== "away" && link, paired));
  write($("balls"), `${balls ?? "–"}`);
  const place = player?.zone ? word("zone", player.zone) : word(player ? "out" : "notSeen");
  write($("player"), player?.repeats ? `${place}, ${word("repeats", Math.round(player.repeats))}` : place);
  write($("training"), trainingText(training));
  court.next(training.next ?? (training.aim === "follow" && player?.zone));
  const shown = lost === "lost" ? "" : !paired ? "pair" : ways[`${state}.${code}`] ?? ways[state] ?? "";
  for (const button of $("ways").children) {
    // A stop without an answer comes first.
    button.hidden = !shown.split(" ").includes(button.id) || isStopping && button.className === "go";
  }
  $("menu").hidden = !paired || !["disarmed", "stopped", "away"].includes(state);
  tick();
}

function tick() {
  const remaining = until(countdownEnd), isDue = safety.state === "live" && !safety.holds[0] && nextBall;
  const title = headline(safety, until(byHandEnd) > 0);
  body.classList.toggle("balls", ["countdown", "live", "byHand", ".lastBall"].includes(title));
  write($("safety"), word(title, Math.ceil(remaining)));
  court.countdown(remaining);
  write($("next"), isDue ? `${number(until(nextBall), 1)} s` : "–");
  if (title === spoken) return;
  spoken = title;
  if (!lost) $("announce").textContent = `${$("safety").textContent}. ${$("reason").textContent}`;
}
setInterval(tick, 100);

for (const button of document.querySelectorAll("button[id]")) write(button, word(button.id));
for (const value of document.querySelectorAll("dd")) write(value.previousSibling, word(value.id));

function complain(error) {
  notice("request", error.message, "bad");
  setTimeout(notice, 8000, "request");
}
for (const id of ["pause", "disarm", "reset"]) $(id).onclick = () => post(id).then(setSafety, complain);
for (const id of ["arm", "resume"]) {
  $(id).onclick = () => askToStart(id, mode ?? "REAL", $("training").textContent, setSafety);
}
$("pair").onclick = askToPair;
$("drill").onclick = () => { showDrills = askForDrill(() => training, isLost, setTraining); };
$("sessions").onclick = openSessions;
$("camera").onclick = () =>
  import("./calibrate.js").then(camera => camera.openCalibration(), () => complain(Error(word("noReply"))));
addEventListener("unpaired", () => {
  setPaired(false);
  askToPair();
});
addEventListener("unanswered", show);
addEventListener("stopping", () => { if ($("hold")) closeSheet(); });

/// The stream from before has another cookie.
function changePairing(is) {
  setPaired(is);
  listen();
}
addEventListener("hashchange", () => pairByAddress(changePairing));
pairByAddress(changePairing);

// Above a phone's keyboard STOP stays in sight.
const view = window.visualViewport;
view.addEventListener("resize", () => { body.style.height = view.scale === 1 ? `${view.height}px` : ""; });

