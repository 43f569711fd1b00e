// The sheet that asks for the code of pairing.

import { post } from "./box.js";
import { keepsCookies, pair, tellPairing } from "./pair.js";
import { attempt, refusal } from "./requests.js";
import { closeSheet, make, note, openSheet } from "./sheet.js";
import { word } from "./words.js";

/// Added to a home screen, a page has cookies of its own.
const isInstalled = matchMedia("(display-mode: standalone)").matches || navigator.standalone;

/// `error`: why an earlier try failed.
export function askToPair(error) {
  const digits = make("input", {
    id: "digits", inputMode: "numeric", autocomplete: "off", "aria-label": word("code"),
  });
  const button = make("button", { id: "dopair", class: "go" }, word("pair"));
  button.onclick = () => attempt(async () => {
    await pair(digits.value.replace(/\s/g, ""));
    closeSheet();
  }, button);
  digits.onkeydown = event => { if (event.key === "Enter") button.click(); };
  openSheet(word("pair"), [
    ...isInstalled ? [make("p", {}, word("installed"))] : [], make("p", {}, word("code.why")),
    make("p", { class: "subject" }, word("code")), digits, button,
    make("p", { class: "quiet" }, word("code.where")),
  ]);
  if (error) note(...refusal(error));
  else if (!keepsCookies()) note(word("noCookies"));
}

/// Forgets this phone, once that is confirmed.
export function forgetButton() {
  const button = make("button", { id: "forget" }, word("forget"));
  button.onclick = () => {
    if (!button.dataset.asked) {
      button.dataset.asked = true;
      button.textContent = word("forget.sure");
      return;
    }
    attempt(async () => {
      await post("unpair");
      closeSheet();
      tellPairing(false);
    }, button);
  };
  return button;
}
