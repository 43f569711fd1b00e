// The page: what the box says becomes what is shown, and buttons become requests.

import { askForDrill, askToPair, askToStart, pairByAddress } from "./ask.js";
import { follow, post } from "./box.js";
import { Court } from "./court.js";
import { openSessions } from "./sessions.js";
import { $, closeSheet, write } from "./sheet.js";
import { notice, showStop, useStopPort } from "./stop.js";
import { ballText, linkText, reasonText, stateText, trainingText } from "./texts.js";
import { number, word } from "./words.js";

const { body } = document, court = new Court($("court"));
const unknown = { state: "unknown", holds: [] };

/// The latest record of each kind; null: none yet.
let safety = unknown, link = null, training = null, player = null;
let mode = null, phone = null, paired = false, lost = true, wasStopped = false;
/// When the countdown ends and the next ball is due, on the page's clock, in seconds; null: not at all.
let countdownEnd = null, nextBall = null;

const after = seconds => seconds == null ? null : performance.now() / 1000 + seconds;
const until = time => time == null ? null : Math.max(0, time - performance.now() / 1000);

// What the box says.

const acts = {
  hello(hello) {
    useStopPort(hello.stopPort);
    phone = hello.phone;
    setPaired(hello.paired);
  },
  phone(record) { setPaired(record.paired); },
  service({ running, reason }) {
    setLost(false);
    if (!running) setSafety({ ...unknown, state: "away", reason });
  },
  status(status) {
    setLost(false);
    ({ link, player, mode } = status);
    training = status.training ?? training;
    nextBall = after(status.nextDecision);
    court.shape(status.court);
    if (!player) court.player(null);
    if (status.lastDispatch) showBall(status.lastDispatch);
    setSafety(status.safety);
  },
  safety: setSafety,
  link(record) {
    link = record;
    show();
  },
  training(record) {
    training = record;
    show();
  },
  dispatch(ball) {
    nextBall = after(training?.interval);
    showBall(ball);
  },
  answer(answer) { if (answer.to === "dispatch") court.answer(answer); },
  stop(stop) { showStop(stop.outcome); },
  position(position) { if (player) court.player(position); },
};
follow((name, record) => acts[name](record), seconds => setLost(true, seconds));

function showBall(ball) {
  court.ball(ball);
  write($("last"), ballText(ball));
}

function setSafety(record) {
  const isNew = record.state !== safety.state;
  safety = record;
  countdownEnd = after(record.remaining);
  if (record.stop) showStop(record.stop.outcome);
  else if (wasStopped) showStop();
  wasStopped = Boolean(record.stop);
  show();
  // Spoken once for a state, not for each second of a countdown.
  if (isNew) write($("announce"), `${$("safety").textContent}. ${$("reason").textContent}`);
}

/// What is shown of a silent box is old: STOP alone is left.
function setLost(is, seconds) {
  lost = is;
  notice("lost", lost && word("lost", Math.floor(seconds)), "bad");
  if (lost && safety !== unknown) {
    safety = unknown;
    show();
  }
}

function setPaired(is) {
  if (paired && !is) closeSheet();
  paired = is;
  show();
}

// What is shown.

/// The buttons of each state. A pause that ends by itself is first made a person's.
const ways = {
  disarmed: ["arm"], pending: ["disarm"], countdown: ["pause", "disarm"], live: ["pause", "disarm"],
  resting: ["resume", "pause", "disarm"], paused: ["resume", "disarm"], stopped: ["reset"],
  "paused.silence": ["pause", "disarm"], "paused.linkLoss": ["pause", "disarm"],
};

function show() {
  const { state, code } = safety;
  Object.assign(body.dataset, { safety: state, mode: mode ?? "", paired, lost });
  write($("mode"), mode ?? "…");
  write($("link"), link ? linkText(link) : "");
  write($("reason"), lost ? "" : reasonText(safety, state === "away" ? null : link, paired));
  write($("balls"), String(safety.balls ?? 0));
  write($("where"), !player ? word("notSeen") : player.zone ? word("zone", player.zone) : word("out"));
  write($("training"), training ? trainingText(training) : "");
  court.next(training?.next ?? (training?.aim === "follow" ? player?.zone : null));
  const shown = lost ? [] : !paired ? ["pair"] : ways[`${state}.${code}`] ?? ways[state] ?? [];
  for (const button of $("ways").children) button.hidden = !shown.includes(button.id);
  $("menu").hidden = lost || !paired || !["disarmed", "stopped", "away"].includes(state);
  tick();
}

function tick() {
  const remaining = until(countdownEnd), isDue = safety.state === "live" && !safety.holds.length;
  write($("safety"), stateText(safety, remaining));
  court.countdown(remaining);
  write($("next"), isDue && nextBall ? `${number(until(nextBall), 1)} s` : "–");
}
setInterval(tick, 100);

for (const element of document.querySelectorAll("[data-word]")) write(element, word(element.dataset.word));

// What people ask for.

/// Shows for some seconds why something failed.
function complain(error) {
  notice("request", error.message, "bad");
  setTimeout(() => notice("request"), 8000);
}
for (const id of ["pause", "disarm", "reset"]) {
  $(id).onclick = () => post(id).then(setSafety, complain);
}
for (const id of ["arm", "resume"]) {
  $(id).onclick = () => askToStart(id, mode ?? "REAL", $("training").textContent, setSafety);
}
$("pair").onclick = () => askToPair();
$("drill").onclick = () => askForDrill(training ?? {}, acts.training);
$("sessions").onclick = () => openSessions(phone);
$("camera").onclick = () =>
  import("./calibrate.js").then(({ openCalibration }) => openCalibration($("sheet"))).catch(complain);
addEventListener("unpaired", () => {
  setPaired(false);
  askToPair();
});
pairByAddress(setPaired);

// A phone's keyboard makes the visible part smaller: STOP stays in it.
const view = window.visualViewport;
view?.addEventListener("resize", () => { body.style.height = view.scale === 1 ? `${view.height}px` : ""; });

// The screen stays on where the browser can do that: not over plain http.
const stayAwake = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
