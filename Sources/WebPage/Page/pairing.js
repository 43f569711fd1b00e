// Pairing: by a code, typed or in a QR's address.

import { post } from "./box.js";
import { attempt } from "./requests.js";
import { closeSheet, make, note, openSheet } from "./sheet.js";
import { word } from "./words.js";

/// Added to a home screen, a page has cookies of its own.
const isInstalled = matchMedia("(display-mode: standalone)").matches || navigator.standalone;

/// A browser that keeps no cookie would use the code up, and forget that it is paired.
function keepsCookies() {
  try {
    document.cookie = "kept=1; SameSite=Strict; Max-Age=9";
    return document.cookie.includes("kept=1");
  } catch {
    return false;
  }
}

/// Whoever shows whether this phone is paired listens for `pairing`.
const tell = isPaired => dispatchEvent(new CustomEvent("pairing", { detail: isPaired }));

async function pair(code) {
  if (!keepsCookies()) throw Object.assign(Error(word("error.noCookies")), { code: "noCookies" });
  await post("pair", { code });
  closeSheet();
  tell(true);
}

/// Takes the code out of the address, so that it is neither kept nor shared.
export function pairByAddress() {
  const code = new URLSearchParams(location.hash.slice(1)).get("pair");
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  askToPair();
  attempt(() => pair(code));
}

export function askToPair() {
  const digits = make("input", {
    id: "digits", inputMode: "numeric", autocomplete: "off", "aria-label": word("code"),
  });
  const button = make("button", { id: "dopair", class: "go" }, word("pair"));
  button.onclick = () => attempt(() => pair(digits.value.replace(/\s/g, "")), button);
  digits.onkeydown = event => { if (event.key === "Enter") button.click(); };
  openSheet(word("pair"), [
    ...isInstalled ? [make("p", {}, word("installed"))] : [], make("p", {}, word("code")), digits, button,
    make("p", { class: "quiet" }, word("code.where")),
  ]);
  if (!keepsCookies()) note(word("error.noCookies"));
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
      tell(false);
    }, button);
  };
  return button;
}
