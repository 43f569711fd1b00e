// What a phone keeps to itself: its language, its screen, its pairing; and what is known of box and machine.

import { forgetButton } from "./pairing.js";
import { make, openOver } from "./sheet.js";
import { chooseLanguage, languages, number, spokenLanguage, word } from "./words.js";
import { canStayAwake } from "./awake.js";

/// The machine, the link and its signal; a connected machine isn't heard any more.
const linkText = ({ state, name, machine, rssi, rssiAge }) => [
  name ?? machine ?? "–", word(state === "ready" ? "more.ready" : "more.notReady"), rssi && `${rssi} dBm`,
  rssiAge > 5 && word("ago", Math.round(rssiAge)),
].filter(Boolean).join(" · ");

const row = (key, value) => make("div", {}, make("dt", {}, word(key)), make("dd", {}, value));

/// `view`: what the box said last; `details`: its own words.
export function openMore({ link, version, paired, ball }, details) {
  openOver(word("more"), [
    make("div", { class: "segments", role: "group", "aria-label": word("language") },
      ...Object.entries(languages).map(([each, name]) => make("button", {
        class: "segment", lang: each, "aria-pressed": each === spokenLanguage(), onclick: () => chooseLanguage(each),
      }, name))),
    make("p", { class: "quiet" }, word(canStayAwake ? "awake" : "awake.not")),
    make("dl", { class: "facts" }, ...link ? [row("more.machine", linkText(link))] : [],
      ...ball ? [row("more.last", ball)] : [], ...version ? [row("more.version", version)] : []),
    ...details.length ? [detailsOf(details)] : [],
    ...paired ? [forgetButton()] : [],
  ]);
}

const detailsOf = details => make("div", { class: "details" }, make("b", {}, word("why")),
  ...details.map(text => make("p", {}, text)));

/// The box's own words for what the headline tells, for its operator.
export const openDetails = details => openOver(word("why"), [make("p", { class: "quiet" }, word("why.whom")),
  detailsOf(details)]);
