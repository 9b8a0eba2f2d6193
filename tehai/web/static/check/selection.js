// What is in hand on Check: the tile that is being corrected, and what the sheet offers for it.
import { byId } from "../shared/dom.js";
import { show } from "../app/state.js";

const MEASURED = ["photo-frame", "sheet", "bar"]; // what stays where it is while the page scrolls

/** `picked`: the place to correct, or {group: "other", at} for a tile outside the hand. `mode` of the sheet: alternatives,
 * all (the keypad), melds, or {add: group}. `whole`: show the whole photo. */
export const view = { picked: null, mode: "alternatives", whole: false };

/** From now on the style sheet knows how much of the screen is taken. */
export function measure() {
	const watcher = new ResizeObserver(inSight);
	for (const id of MEASURED) watcher.observe(byId(id));
}

/** Tells the style sheet how much of the screen is taken, and has the tile in question lie where nothing is over it. */
function inSight() {
	for (const id of MEASURED) document.documentElement.style.setProperty(`--${id}`, `${byId(id).offsetHeight}px`);
	if (!view.picked || view.picked.group === "other") return;
	byId("groups").querySelector(`[data-key="${view.picked.group}/${view.picked.at}"]`)?.scrollIntoView({ block: "nearest" });
}

export function open(place, how) {
	view.picked = place;
	view.mode = how;
	show();
	inSight();
}

export function pick(place) {
	open(place, "alternatives");
}
