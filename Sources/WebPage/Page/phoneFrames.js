// The pictures of this phone's camera go to the box: one at a time, and always the newest.

import { ask, post } from "./box.js";

/// A picture's longer side, in pixels, and pictures a second: what the box works on.
const longest = 640, rate = 15;
const wanted = {
  audio: false,
  video: {
    facingMode: { ideal: "environment" }, width: { ideal: longest }, height: { ideal: 360 }, frameRate: { ideal: rate },
    // A browser that may crop gives an upright picture's middle alone.
    resizeMode: { ideal: "none" },
  },
};
/// From picture to picture, in milliseconds. One may come half of it too soon: a camera has its own times.
const apart = 1000 / rate;
/// After these the box takes the phone again, as soon as it can.
const passing = ["notCamera", "cameraLost", "cameraSilent", "noCameraProgram", "lost"];

const video = document.createElement("video"), context = document.createElement("canvas").getContext("2d");
Object.assign(video, { muted: true, playsInline: true });
let stream = null, turn = 0, lens = "", lock = null, isLeaving = false;
/// The picture on its way, and when a newer one was taken; null: none. When the next one is due.
let sending = null, newest = null, due = 0, quietUntil = 0;
/// Half of what the network took of the last request, in milliseconds.
let transit = 0;
/// Whether this phone is to be the camera, and why it gives no picture just now, or not any more.
let isOn = false, problem = null;
let counted = { since: 0, sent: 0, time: 0 }, dropped = 0, facts = null, firstView = null;

const changed = () => dispatchEvent(new Event("phoneCamera"));

/// The picture that was sent last.
export const phonePicture = context.canvas;
phonePicture.role = "img";

/// `facts`: pictures a second, milliseconds from a picture to the box's answer, and how many were dropped so far.
export const phoneState = () => ({ isOn, problem, facts, isTurned: !!firstView && view() !== firstView });

/// Names this phone for good: its calibrations are kept by that.
export const phoneKey = (() => {
  const fresh = () => [...crypto.getRandomValues(new Uint8Array(8))].map(byte => byte.toString(16).padStart(2, "0")).join("");
  let key = null;
  return () => {
    try {
      key ??= localStorage.getItem("phoneKey") ?? fresh();
      localStorage.setItem("phoneKey", key);
    } catch {
      // It is so until the page is closed.
    }
    return key ??= fresh();
  };
})();

export const canBeCamera = () => !!navigator.mediaDevices?.getUserMedia;

/// Asks the person for the camera, and the box whether this phone may be it.
export async function startPhone() {
  if (isOn) return;
  problem = null;
  await openCamera();
  try {
    turn = (await post("camera/start", { key: phoneKey() })).turn;
  } catch (error) {
    closeCamera();
    throw error;
  }
  isOn = true;
  [dropped, facts, firstView, transit] = [0, null, null, 0];
  counted = { since: performance.now(), sent: 0, time: 0 };
  stayOn();
  changed();
}

/// A person has ended it: the box has its own camera again.
export function endPhone() {
  if (isOn) post("camera/end", { turn }).catch(endAnyhow).catch(() => {});
  stop(null);
}

/// A page's program that was restarted doesn't know the turn, and the box still waits for this phone.
async function endAnyhow() {
  const all = await ask("camera/sources");
  if (all.some(({ id, isUsed }) => isUsed && id === phoneKey())) await post("camera/use");
}

function stop(why) {
  isOn = false;
  problem = why;
  closeCamera();
  lock?.release();
  lock = null;
  changed();
}

async function openCamera() {
  stream = await navigator.mediaDevices.getUserMedia(wanted);
  const [track] = stream.getVideoTracks(), { facingMode, deviceId } = track.getSettings();
  lens = `${facingMode || "lens"}-${digest(track.label || deviceId || "")}`;
  track.onended = track.onmute = lose;
  track.onunmute = regain;
  video.srcObject = stream;
  await video.play();
  wait();
}

function closeCamera() {
  for (const track of stream?.getTracks() ?? []) {
    track.onended = null;
    track.stop();
  }
  stream = video.srcObject = newest = null;
}

/// FNV-1a, as 8 hexadecimal digits.
const digest = text => ([...text].reduce((hash, letter) =>
  Math.imul(hash ^ letter.codePointAt(0), 16777619), 2166136261) >>> 0).toString(16).padStart(8, "0");

/// A calibration is kept for this: the lens, and how the phone is turned.
const view = () => `${lens}-${screen.orientation?.angle ?? 0}`;

// Pictures.

function wait() {
  if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(take);
  else setTimeout(() => take(performance.now(), {}), 1000 / rate);
}

/// `captureTime`: when the lens had it, where the browser knows.
function take(now, { captureTime }) {
  if (!stream) return;
  wait();
  if (now < due - apart / 2 || !isOn || now < quietUntil) return;
  due = Math.max(due + apart, now);
  if (newest != null) dropped += 1;
  newest = now - captureTime >= 0 && now - captureTime < 1000 ? captureTime : now;
  if (!sending) send();
}

async function send() {
  sending = new AbortController();
  const at = newest, limit = setTimeout(() => sending?.abort(), 3000);
  newest = null;
  try {
    const body = await picture(), { width, height } = context.canvas, begun = performance.now(), place = view();
    firstView ??= place;
    const age = (begun - at + transit) / 1000;
    const { taken, held } = await ask(`camera/frame?${new URLSearchParams({ turn, age, width, height, view: place })}`,
      { method: "POST", headers: { "Content-Type": "image/jpeg" }, body, signal: sending.signal });
    const done = performance.now();
    transit = Math.max(0, done - begun - held * 1000) / 2;
    count(done - at, taken);
  } catch (error) {
    fail(error);
  }
  clearTimeout(limit);
  sending = null;
  if (newest != null && isOn) send();
}

/// What the video shows now, small enough, and in its true shape.
async function picture() {
  const { videoWidth, videoHeight } = video, scale = Math.min(1, longest / Math.max(videoWidth, videoHeight));
  const size = [videoWidth, videoHeight].map(side => Math.max(1, Math.round(side * scale))), { canvas } = context;
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  context.drawImage(video, 0, 0, ...size);
  return await new Promise(done => canvas.toBlob(done, "image/jpeg", 0.8));
}

function count(time, taken) {
  if (!taken) dropped += 1;
  if (problem) {
    problem = null;
    changed();
  }
  counted.sent += 1;
  counted.time += time;
  const now = performance.now(), seconds = (now - counted.since) / 1000;
  if (seconds < 2) return;
  facts = { rate: counted.sent / seconds, time: counted.time / counted.sent, dropped };
  counted = { since: now, sent: 0, time: 0 };
  changed();
}

function fail(error) {
  if (!isOn) return;
  const { code } = error;
  if (code === "busy" || code === "tooOften") return dropped += 1;
  if (code && !passing.includes(code)) return stop(error);
  // STOP took its place.
  if (performance.now() < quietUntil) return;
  problem = code ? error : { code: "noReply", message: error.message };
  facts = null;
  quietUntil = performance.now() + 1000;
  counted = { since: quietUntil, sent: 0, time: 0 };
  changed();
  if (code) setTimeout(restart, 1000);
}

/// The camera's program, or the page's, was restarted.
async function restart() {
  if (!isOn) return;
  try {
    turn = (await post("camera/start", { key: phoneKey() })).turn;
  } catch (error) {
    fail(error);
  }
}

// What happens to a phone.

function tell(code) {
  const body = new Blob([JSON.stringify({ turn, code })], { type: "application/json" });
  if (isOn && !isLeaving) navigator.sendBeacon("/api/camera/trouble", body);
}

function lose() {
  if (!isOn) return;
  problem = { code: "noPicture" };
  facts = null;
  tell("noPicture");
  changed();
  setTimeout(regain, 2000);
}

/// Opens the camera again where it has ended.
async function regain() {
  if (!isOn || stream?.getVideoTracks()[0]?.readyState === "live") return;
  closeCamera();
  await openCamera().catch(lose);
}

/// Keeps the screen on. A hidden page loses that.
async function stayOn() {
  if (!isOn || document.hidden) return;
  lock = await navigator.wakeLock?.request("screen").catch(() => null) ?? null;
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return tell("hidden");
  stayOn();
  regain();
});
addEventListener("pagehide", () => {
  tell("closed");
  // It is hidden after that.
  isLeaving = true;
});
addEventListener("pageshow", () => { isLeaving = false; });
// STOP has the network for itself.
addEventListener("stopping", () => {
  quietUntil = performance.now() + 1000;
  counted = { since: quietUntil, sent: 0, time: 0 };
  sending?.abort();
});
addEventListener("pairing", ({ detail }) => { if (!detail && isOn) stop({ code: "notPaired" }); });
screen.orientation?.addEventListener?.("change", changed);
