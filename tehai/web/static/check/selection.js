// The selected tile on Check, and the mode of its sheet.
import { byId } from "../shared/dom.js";
import { show } from "../app/state.js";

const MEASURED = ["photo-frame", "sheet", "bar"]; // elements that stay in place while the page scrolls

/** `picked`: the place to correct, or {group: "other", at} for a tile outside the hand. `mode` of the sheet: alternatives,
 * all (the keypad), melds, or {add: group}. `whole`: show the whole photo. */
export const view = { picked: null, mode: "alternatives", whole: false };

/** Reports the sizes of the fixed elements to the style sheet from now on. */
export function measure() {
	const watcher = new ResizeObserver(reportSizes);
	for (const id of MEASURED) watcher.observe(byId(id));
}

/** Reports the sizes of the fixed elements, and scrolls the selected tile into view. */
function reportSizes() {
	for (const id of MEASURED) document.documentElement.style.setProperty(`--${id}`, `${byId(id).offsetHeight}px`);
	if (!view.picked || view.picked.group === "other") return;
	byId("groups")
		.querySelector(`[data-key="${view.picked.group}/${view.picked.at}"]`)
		?.scrollIntoView({ block: "nearest" });
}

export function open(place, how) {
	view.picked = place;
	view.mode = how;
	show();
	reportSizes();
}

export function pick(place) {
	open(place, "alternatives");
}
