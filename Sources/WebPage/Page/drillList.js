// The drills, as the box listed them last.

import { ask } from "./box.js";

/// The easiest first.
export const levels = ["beginner", "intermediate", "advanced"];

let list = [];

export const drills = () => list;

/// Fails without an answer.
export async function loadDrills() { ({ drills: list } = await ask("drills")); }

export const titleOf = name => list.find(each => each.name === name)?.title ?? name;
