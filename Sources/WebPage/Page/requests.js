// What buttons ask of the box, and what is shown of a refusal.

import { make, note } from "./sheet.js";
import { known, word } from "./words.js";

/// In this page's words where it has some. The box's own are for whoever looks after it.
export const refusalText = ({ code, message }) => known(`error.${code}`) ?? message;

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
