// The photo under review. Changes raise an event for its screen.
import { announce, byId } from "./shared/dom.js";
import { run } from "./actions.js";
import { events } from "./shared/events.js";
import { t, tileName } from "./shared/text.js";
import { storeDraft } from "./store.js";

/** `work`: the edits; `corner`: the corner that keys move, -1 for the whole tile. */
export const now = { work: null, stage: null, corner: -1 };

/** `changed`: the photo, its tiles or the selection; `adding`: whether a new tile is being placed. */
const { listen, raise } = events();
export { listen };

/** Shows the current photo. */
export const show = () => raise("changed");

/** Runs an action of a mouse, pen or finger. It is left out if another photo has come in the meantime: the next one is
 * not what was pressed. */
export function runHere(act) {
	const { key } = now.work.photo;
	return run(() => now.work.photo.key === key && act());
}

/** Call after a change of tiles: stores the unsaved work and shows it. */
export function changed() {
	storeDraft(now.work.photo.key, now.work.edited ? now.work.draft : null);
	show();
}

/** Starts or ends placing a new tile. */
export function setAdding(adding) {
	now.stage.add(adding);
	raise("adding", adding);
}

/** Announces the selected tile. */
export function announceTile() {
	const { tile, at } = now.work;
	if (!tile) return;
	// a screen reader reads the focused list by itself
	if (!byId("tiles").contains(document.activeElement))
		announce(t("tile.spoken", { n: at + 1, name: tileName(tile.label) }));
}
