// Pairs this phone with a code, typed or in a QR's address.

import { post } from "./box.js";
import { word } from "./words.js";

/// A browser that keeps no cookie would use the code up, and forget that it is paired.
export function keepsCookies() {
  try {
    document.cookie = "kept=1; SameSite=Strict";
    const isKept = document.cookie.includes("kept=1");
    document.cookie = "kept=; Max-Age=0";
    return isKept;
  } catch {
    return false;
  }
}

/// Sends the event `pairing`, whose detail is whether this phone is paired now.
export const tellPairing = isPaired => dispatchEvent(new CustomEvent("pairing", { detail: isPaired }));

export async function pair(code) {
  if (!keepsCookies()) throw Error(word("noCookies"));
  await post("pair", { code });
  tellPairing(true);
}

/// The code of the page's address; taken out of it, so that it is neither kept nor shared. Null: it has none.
export function codeOfAddress() {
  const code = new URLSearchParams(location.hash.slice(1)).get("pair");
  if (code) history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}
