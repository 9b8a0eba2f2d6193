// The photo under review as it is now. What changes of it raises an event, and its screen listens.
import { announce, byId } from "./shared/dom.js";
import { events } from "./shared/events.js";
import { t, tileName } from "./shared/text.js";
import { keep } from "./store.js";

/** `work`: what is done to the photo; `corner`: which one the keys move, -1 for the whole tile. */
export const now = { work: null, stage: null, corner: -1 };

/** `changed`: the photo, its tiles or which of them is in hand; `adding`: whether a new tile is to be put somewhere. */
const { listen, raise } = events();
export { listen };

/** Shows the photo as it is now. */
export const show = () => raise("changed");

/** The tiles were changed: kept in the browser until they are saved. */
export function changed() {
	keep(now.work.photo.key, now.work.edited ? now.work.draft : null);
	show();
}

/** Whether a new tile is to be put somewhere. */
export function mode(adding) {
	now.stage.add(adding);
	raise("adding", adding);
}

/** Reads the tile in hand aloud. */
export function spoken() {
	const { tile, at } = now.work;
	if (!tile) return;
	// where the list has the focus, the screen reader reads the tile there
	if (!byId("tiles").contains(document.activeElement)) announce(t("tile.spoken", { n: at + 1, name: tileName(tile.label) }));
}
