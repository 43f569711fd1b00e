// What the box says becomes what is shown, and buttons become requests.

import { art } from "./art.js";
import { stayAwake } from "./awake.js";
import { follow, post } from "./box.js";
import { Court } from "./court.js";
import { loadDrills, titleOf } from "./drillList.js";
import { ballsWord, detailsOf, heroOf, lostTraining, obstacle, playerText } from "./hero.js";
import { codeOfAddress, pair } from "./pair.js";
import { refusalText } from "./requests.js";
import { $, closeSheet, write } from "./sheet.js";
import { forgetGoodStop, isForeign, loadIfOld, notice, showStop, unansweredStop } from "./stop.js";
import { pageTexts } from "./texts.js";
import { addTexts, known, number, word } from "./words.js";

addTexts(pageTexts);

const { body } = document, court = new Court($("court"));

/// What the box said last; null: nothing.
let safety = { state: "asking", holds: [] }, link = null, training = {}, player = null, mode = null, version = null;
let paired = false, lost = "asking", wasStopped = false, isOther = false;
/// In milliseconds on the page's clock.
let countdownEnd = null, nextBall = null, byHandEnd = null;
/// In seconds, as it was when it began.
let countdownLength = 0;
/// What a start would begin, and the sheet that asks for it, see `start.js`.
let offered = "", start = null, showDrills = null;
/// The headline that was spoken last, the last ball in words, and what was trained when this state began.
let spoken = null, lastBall = null, trainedThen = null;

const after = seconds => seconds == null ? null : performance.now() + seconds * 1000;
const until = time => time == null ? null : Math.max(0, time - performance.now()) / 1000;

const listen = follow({
  hello(hello) {
    isOther = isForeign(hello.id);
    if (isOther) return setLost();
    loadIfOld(hello.page);
    version = hello.version;
    setPaired(hello.paired);
    if (paired) loadDrills().then(show, () => {});
  },
  service({ running, reason }) {
    // Otherwise a status follows.
    if (running) return;
    setLost();
    setSafety({ state: "away", reason, holds: [] });
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
    showBall(ball, true);
  },
  manual(ball) { showByHand(ball, 0); },
  position(position) { if (player) court.player(position); },
  full() {
    setPaired(false);
    setLost("full");
    write($("announce"), word("full"));
  },
}, () => setLost("lost"), () => setLost("asking"));

function setSafety(record) {
  // A late answer: the box's own word comes first.
  if (lost) return;
  // Spoken once a headline, and once a countdown, not each second of it.
  if (record.state !== safety.state || after(record.remaining) > countdownEnd + 2000) {
    spoken = null;
    countdownLength = record.remaining;
    trainedThen = trainingName();
  }
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
  notice("lost", why && known(`${why}.alert`), "bad");
  if (why === lost) return;
  lost = why;
  // What it says now is shown next.
  if (!lost) return;
  safety = { state: lost, holds: [] };
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
  showDrills?.();
  show();
}

const trainingName = () => `${[training.drill, training.level, training.aim]}`;
const isLost = () => !!lostTraining(safety);

function showBall(ball, isNew) {
  court.ball(ball, isNew);
  showLast(word("lastBall.number", ball.number), ball.outcome);
}

/// The player may be in its way: it is shown for 10 s, wherever it goes.
function showByHand({ outcome }, age) {
  if (outcome !== "notSent") byHandEnd = Math.max(byHandEnd, after(10 - age));
  showLast(word("lastByHand"), outcome);
}

/// That it has arrived is what everybody expects: only where it hasn't, that is shown.
function showLast(ball, outcome) {
  lastBall = `${ball}: ${word(`ball.${outcome}`)}`;
  write($("last"), lastBall);
  $("last").classList.toggle("told", ["notSent", "unknown"].includes(outcome));
}

/// The buttons of each state. A pause that ends by itself is first made a person's.
const ways = {
  disarmed: "arm", pending: "disarm", countdown: "pause disarm", live: "pause disarm",
  resting: "resume pause disarm", paused: "resume disarm", stopped: "reset",
  "paused.silence": "pause disarm", "paused.linkLoss": "pause disarm",
};

const view = () => ({
  safety, lost, link: safety.state === "away" ? null : link, paired, player, nextBall, byHand: until(byHandEnd) > 0,
  isSame: trainedThen === trainingName(), unanswered: unansweredStop(),
});

function show() {
  const { state, code } = safety, isStopping = !!unansweredStop();
  const { interval, sets: allSets, ballsPerSet, seed } = training;
  offer(`${[state, mode, trainingName(), interval, allSets, ballsPerSet, seed, isLost(), isStopping]}`);
  Object.assign(body.dataset, { safety: state, mode: mode ?? "", paired, lost: !!lost });
  write($("mode"), mode ?? "…");
  write($("link"), !lost && link ? link.name ?? "" : "");
  write($("player"), playerText(player));
  $("player").classList.toggle("told", !player?.zone || !!player.repeats);
  const drill = $("drill").children, { set, sets, label, level } = training;
  write(drill[0], [word("drill"), level && word(level), label, state === "paused" && set && word("setOf", set, sets)]
    .filter(Boolean).join(" · "));
  write(drill[1], training.drill ? titleOf(training.drill) : word("noDrill"));
  const isTraining = ["countdown", "live", "resting", "paused"].includes(state);
  court.next(isTraining || state === "disarmed" ? training.next ?? (training.aim === "follow" && player?.zone) : null,
    !!training.next);
  if (!isTraining) {
    court.clear();
    $("last").classList.remove("told");
  }
  stayAwake(isTraining && !lost);

  const shown = lost && lost !== "full" ? "" : !paired ? "pair" : ways[`${state}.${code}`] ?? ways[state] ?? "";
  for (const button of $("actions").children) {
    // A stop without an answer comes first.
    button.hidden = !shown.split(" ").includes(button.id) || isStopping && ["arm", "resume"].includes(button.id);
  }
  const isHindered = !!obstacle(view());
  for (const id of ["arm", "resume"]) $(id).disabled = isHindered;
  $("reset").disabled = safety.stop?.outcome === "pending";
  const canLook = paired && ["disarmed", "stopped", "away"].includes(state);
  for (const button of $("menu").children) button.disabled = !canLook;
  tick();
}

/// A start that is asked for goes on only with what it was asked for. While the box is silent, it waits.
function offer(what) {
  if (lost) return start?.allow(false);
  const isSame = what === offered;
  offered = what;
  if (!isSame) showDrills?.();
  if (!start?.isOpen()) return;
  if (isSame) return start.allow(true);
  closeSheet();
  if (!start.isAsking()) say(word("changed"));
}

/// Tenths as long as they matter.
const secondsText = seconds => seconds < 9.95 ? number(seconds, 1) : `${Math.round(seconds)}`;

function tick() {
  const now = view(), hero = heroOf(now), remaining = until(countdownEnd), next = until(nextBall);
  const figure = {
    remaining: remaining == null ? "" : `${Math.ceil(remaining)}`,
    next: next == null ? "" : secondsText(next), balls: `${safety.balls}`,
  }[hero.figure] ?? "";
  const unit = !figure ? "" : hero.figure === "balls" ? ballsWord(safety.balls) : word("s");
  body.dataset.tone = hero.tone;
  body.dataset.figure = figure ? hero.figure : "";
  write($("safety"), word(hero.title));
  // A sheet covers the hero, but not what matters most of it.
  write($("brief"), `${word(hero.title)} ${figure} ${unit}`.trim());
  write($("reason"), known(hero.reason) ? word(hero.reason, number(training.interval ?? 3)) : "");
  write($("figure"), figure);
  write($("unit"), unit);
  showCount(hero);
  const share = { remaining: remaining / countdownLength, next: next / (training.interval ?? 3) }[hero.figure];
  $("bar").style.transform = `scaleX(${Math.min(1, share || 0)})`;
  art($("art"), hero.drawing);
  $("why").hidden = !["idle", "held", "paused", "danger", "lost"].includes(hero.tone) || !detailsOf(now).length;
  const said = `${hero.title} ${hero.reason}`;
  if (said === spoken) return;
  spoken = said;
  // A page that has heard of no box yet says nothing.
  if (version) $("announce").textContent = [...$("hero").querySelectorAll("h1, #next, #reason")].map(part =>
    part.textContent.trim()).filter(Boolean).join(". ");
}

/// In a drill the ball of its set, otherwise how many there were.
function showCount({ figure }) {
  const { set, sets, ball, ballsPerSet } = training, isCounted = figure === "next";
  write($("balls"), !isCounted ? "" : set ? `${ball}` : `${safety.balls ?? 0}`);
  write($("of"), !isCounted ? "" : set ? word("ofBalls", ballsPerSet) : ballsWord(safety.balls));
  write($("set"), sets > 1 && set && (isCounted || safety.state === "resting") ? word("setOf", set, sets) : "");
}
setInterval(tick, 100);

/// The sheets, and the words of refusals, come once the page is shown, or when they are needed.
let loading = null;
function sheets() {
  loading ??= import("./sheets.js").then(module => module.sheets, error => {
    loading = null;
    throw error;
  });
  return loading;
}

/// Lets `act` open one.
const open = act => sheets().then(act, () => say(word("noReply")));

function say(text) {
  notice("request", text, "bad");
  setTimeout(notice, 8000, "request");
}

async function complain(error) {
  await sheets().catch(() => {});
  say(refusalText(error));
}

function name() {
  for (const id of ["pair", "arm", "resume", "pause", "disarm", "reset"]) write($(id), word(id));
  for (const id of ["sessions", "camera"]) write($(id).lastChild, word(id));
  for (const id of ["more", "close", "why"]) $(id).ariaLabel = word(id);
}
name();
addEventListener("language", () => {
  name();
  spoken = null;
  show();
  closeSheet();
  more();
});

for (const id of ["pause", "disarm", "reset"]) $(id).onclick = () => post(id).then(setSafety, complain);
for (const id of ["arm", "resume"]) {
  $(id).onclick = () => open(({ askToStart }) => {
    // It may have taken a while.
    if (!$(id).hidden && !$(id).disabled) start = askToStart(id, mode ?? "REAL", training, setSafety, complain);
  });
}
const more = () => open(({ openMore }) =>
  openMore({ link: !lost && link, version, paired, ball: lastBall }, detailsOf(view())));
const ask = error => open(({ askToPair }) => askToPair(error));
$("more").onclick = more;
$("pair").onclick = () => ask();
$("why").onclick = () => open(({ openDetails }) => openDetails(detailsOf(view())));
$("drill").onclick = () => open(({ askForDrill }) => {
  showDrills = askForDrill(() => training, isLost, setTraining);
});
$("sessions").onclick = () => open(({ openSessions }) => openSessions());
$("camera").onclick = () =>
  import("./cameras.js").then(cameras => cameras.openCameras(), () => say(word("noReply")));
addEventListener("unpaired", () => {
  setPaired(false);
  ask();
});
addEventListener("unanswered", show);
addEventListener("stopping", () => { if (start?.isOpen()) closeSheet(); });

// The stream from before has another cookie.
addEventListener("pairing", ({ detail }) => {
  setPaired(detail);
  listen();
});
function pairByAddress() {
  const code = codeOfAddress();
  if (code) pair(code).catch(ask);
}
addEventListener("hashchange", pairByAddress);
pairByAddress();
setTimeout(() => sheets().catch(() => {}), 3000);

// Above a phone's keyboard STOP stays in sight.
const viewport = window.visualViewport;
viewport.addEventListener("resize", () => { body.style.height = viewport.scale === 1 ? `${viewport.height}px` : ""; });
