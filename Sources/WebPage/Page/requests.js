// What buttons ask of the box, and what is shown of a refusal.

import { make, note } from "./sheet.js";
import { known, word } from "./words.js";

/// An error in the reader's language, by its code: the text `KIND.CODE` with its values, or else `KIND.other`. An error
/// without a code is the page's own, and has its words already.
export function refusalText({ code, message }, kind = "error", ...values) {
  if (!code) return message;
  const key = `${kind}.${code}`;
  return known(key) ? word(key, ...values) : word(`${kind}.other`);
}

export function refusal(error) {
  const text = refusalText(error);
  return text === error.message ? [text]
    : [text, make("details", {}, make("summary", {}, word("why")), error.message)];
}

/// Does it, and writes why it failed.
export async function attempt(act, button = {}) {
  button.disabled = true;
  note();
  await act().catch(error => note(...refusal(error)));
  button.disabled = false;
}
