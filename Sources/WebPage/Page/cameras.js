// Which camera sees the court: this phone, one at the box, or an IP camera; and what each does.

import { ask, post } from "./box.js";
import { attempt } from "./requests.js";
import { draw, make, openOver, openSheet, write } from "./sheet.js";
import { canBeCamera, phoneKey, phoneState } from "./phoneFrames.js";
import { openPhone } from "./phoneCamera.js";
import { camerasTexts } from "./camerasWords.js";
import { addTexts, number, word } from "./words.js";

addTexts(camerasTexts);

const drawings = {
  phone: "M7 2h10v20H7zM11 19h2", box: "M3 7h18v10H3zM12 9.5a2.5 2.5 0 1 0 .1 0M12 17v4M8 21h8",
  network: "M4 9a11 11 0 0 1 16 0M7 12.5a7 7 0 0 1 10 0M12 16a2 2 0 1 0 .1 0",
};
/// The lines that make each, and the command that brings them in force.
const lines = {
  plain: ["tls:\n  certificate: certificate.pem\n  key: key.pem", "sudo systemctl restart ballmachine-web"],
  box: ["camera:\n  device: /dev/video0", "sudo systemctl restart ballmachine-camera"],
  network: ["camera:\n  source: rtsp://192.168.1.64/PATH\n  password-file: /etc/ballmachine-camera/password",
    "sudo systemctl restart ballmachine-camera\nsudo systemctl enable --now ballmachine-camera-network"],
};
const kinds = { device: "box", command: "box", network: "network" };

const styled = () => new Promise(done => {
  const href = `cameras.css?v=${document.body.dataset.page}`;
  if (document.querySelector(`link[href="${href}"]`)) return done();
  document.head.append(make("link", { rel: "stylesheet", href, onload: done, onerror: done }));
});

const sources = () => ask("camera/sources");

/// What an operator writes, and does then.
function openSetUp(what) {
  const [yaml, then] = lines[what];
  const why = what === "plain" ? [make("p", {}, word("setUp.plain"))] : [];
  openOver(word(`cameras.${what === "plain" ? "phone" : what}`), [...why, make("p", {}, word(`setUp.${what}.how`)),
    make("pre", { tabIndex: 0 }, yaml), make("p", {}, word("setUp.then")), make("pre", { tabIndex: 0 }, then)]);
}

export async function openCameras() {
  await styled();
  let all = null;
  const calibrate = () => import("./calibrate.js").then(camera => camera.openCalibration());
  const other = () => all?.find(each => each.kind === "phone" && each.isUsed && each.id !== phoneKey());
  const nameOther = async () => {
    all = await sources();
    return other()?.name;
  };
  const cards = Object.fromEntries(Object.entries(drawings).map(([what, path]) => {
    const about = make("span", { class: "quiet" });
    const card = make("button", { class: "card", id: `camera-${what}`, onclick: () => attempt(acts[what], card) },
      draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: path })),
      make("span", { class: "text" }, make("b", {}, word(`cameras.${what}`)), about));
    return [what, { card, about }];
  }));
  const words = make("div"), box = make("details", {}, make("summary", {}, word("cameras.details")), words);
  const main = make("button", { id: "calibrate", class: "go", onclick: () => attempt(calibrate, main) },
    word("cameras.calibrate"));
  const acts = {
    async phone() {
      if (!isSecureContext) openSetUp("plain");
      else if (canBeCamera()) openPhone(calibrate, nameOther);
    },
    box: () => choose("box"),
    network: () => choose("network"),
  };

  const of = what => all?.find(each => kinds[each.kind] === what);

  /// A camera that rests is the camera again; of another one, how it is set up.
  async function choose(what) {
    if (!of(what) || of(what).isUsed) return openSetUp(what);
    await post("camera/use");
    await look();
  }

  function aboutPhone() {
    if (!isSecureContext) return word("cameras.plain");
    if (!canBeCamera()) return word("cameras.unable");
    if (phoneState().isOn) return word("cameras.is");
    return other() ? word("cameras.other", other().name) : word("cameras.offer");
  }

  function about(source) {
    if (!source) return word("cameras.none");
    if (!source.isUsed) return word("cameras.rests");
    return source.rate ? word("cameras.isAt", number(source.rate)) : word("cameras.blind");
  }

  function show(error) {
    const used = what => what === "phone" ? phoneState().isOn : !!of(what)?.isUsed;
    for (const [what, { card, about: text }] of Object.entries(cards)) {
      write(text, what === "phone" ? aboutPhone() : error ? "" : all ? about(of(what)) : word("sight.waits"));
      card.ariaPressed = used(what);
    }
    cards.phone.card.disabled = isSecureContext && !canBeCamera();
    const said = error ? [error.message] : (all ?? []).filter(each => each.isUsed && each.reason)
      .map(each => `${each.name}: ${each.reason}`);
    words.replaceChildren(...said.map(text => make("p", {}, text)));
    box.hidden = !said.length;
  }

  async function look() {
    try {
      all = await sources();
      show();
    } catch (error) {
      show(error);
    }
  }

  const timer = setInterval(look, 2000);
  addEventListener("phoneCamera", look);
  openSheet(word("camera"), [...Object.values(cards).map(each => each.card), box, main], () => {
    clearInterval(timer);
    removeEventListener("phoneCamera", look);
  });
  show();
  await look();
}
