// The sheets. They come after the page is shown.

import { askForDrill } from "./drills.js";
import { openDetails, openMore } from "./more.js";
import { askToPair, pairByAddress } from "./pairing.js";
import { openSessions } from "./sessions.js";
import { sheetTexts } from "./sheetTexts.js";
import { askToStart } from "./start.js";
import { addTexts } from "./words.js";

addTexts(sheetTexts);

export const sheets = { askForDrill, askToPair, askToStart, openDetails, openMore, openSessions, pairByAddress };
