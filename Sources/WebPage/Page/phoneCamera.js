// This phone as the camera: what it shows on its tripod.

import { ask } from "./box.js";
import { refusalText } from "./requests.js";
import { make, openOver, write } from "./sheet.js";
import { endPhone, phonePicture, phoneState, startPhone } from "./phoneFrames.js";
import { known, number, word } from "./words.js";

/// Pictures a second, and milliseconds, beyond which a phone is too slow: mostly it is hot.
const least = 10, most = 150;

let battery = null;
navigator.getBattery?.().then(given => { battery = given; }, () => {});

/// `calibrate`: opens the calibration; `nameOther()`: which phone is the camera.
export function openPhone(calibrate, nameOther) {
  const title = make("b", { role: "status" }), line = make("p", { class: "quiet" }), hint = make("p", { class: "quiet" });
  const box = make("details", {}, make("summary", {}, word("cameras.details")), make("p"));
  const main = make("button", { id: "phone-calibrate", onclick: calibrate }, word("cameras.calibrate"));
  const end = make("button", { id: "phone-end", onclick: () => phoneState().isOn ? endPhone() : begin() });
  let sight = null, error = null;
  phonePicture.ariaLabel = word("phone.picture");

  async function begin() {
    error = null;
    write(title, word("phone.asks"));
    await startPhone().catch(async given => {
      const name = given.code === "taken" && await nameOther().catch(() => null);
      // A browser's refusal has a name, the box's a code.
      error = name ? Error(word("phoneError.taken.name", name)) : { code: given.code ?? given.name, message: given.message };
    });
    show();
  }

  async function look() {
    if (!phoneState().isOn) return;
    sight = (await ask("camera").catch(() => null))?.sight ?? null;
    show();
  }

  function show() {
    const { isOn, problem, facts, isTurned } = phoneState(), trouble = error ?? problem;
    const code = sight?.state === "player" ? "player" : sight?.code ?? "waits";
    const isLost = code === "no-calibration";
    const text = trouble ? refusalText(trouble, "phoneError") : word(isLost && isTurned ? "sight.turned"
      : known(`sight.${code}`) ? `sight.${code}` : "sight.other");
    write(title, text);
    const charge = battery && Math.round(battery.level * 100);
    write(line, !facts || trouble ? "" : [
      word("phone.facts", number(facts.rate), Math.round(facts.time), facts.dropped),
      ...battery ? [word("phone.battery", charge)] : [],
    ].join(" · "));
    const isSlow = facts && (facts.rate < least || facts.time > most);
    write(hint, word(isSlow ? "phone.slow" : battery && !battery.charging && charge < 20 ? "phone.empty"
      : navigator.wakeLock ? "phone.front" : "phone.noLock"));
    const said = trouble ? trouble.message : sight?.reason;
    write(box.lastChild, said ?? "");
    box.hidden = !said || said === text;
    main.disabled = !isOn || !!trouble;
    main.className = isLost || code === "camera-moved" ? "go" : "";
    write(end, word(isOn ? "phone.end" : "phone.again"));
    end.className = isOn ? "" : "go";
  }

  addEventListener("phoneCamera", show);
  const timer = setInterval(look, 2000);
  openOver(word("phone.title"), make("div", { class: "phone stack" }, phonePicture, make("div", { class: "stack" },
    title, make("div", { class: "row" }, main, end), line, hint, box)), () => {
    removeEventListener("phoneCamera", show);
    clearInterval(timer);
  });
  show();
  if (phoneState().isOn) look();
  else begin();
}
