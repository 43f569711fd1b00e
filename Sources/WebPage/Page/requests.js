// What buttons ask of the box, and what is shown of a refusal.

import { make, note } from "./sheet.js";
import { known, word } from "./words.js";

/// In this page's words. The box's own are for whoever looks after it; without a code they are the page's already.
export const refusalText = ({ code, message }) => code ? known(`error.${code}`) ?? word("error.other") : message;

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
