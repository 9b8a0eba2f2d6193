// Where tiles lie: moved, bent, drawn and put by keys; what is there then, the network says.
import { announce } from "./shared/dom.js";
import { t, tileName } from "./shared/text.js";
import * as api from "./api.js";
import { run } from "./actions.js";
import { bent, centre, moved, turned } from "./geometry.js";
import { say, trouble } from "./notice.js";
import { changed, mode, now, show, spoken } from "./now.js";

const PAUSE = 250; // milliseconds after which a tile that was moved is read anew
const NUDGE = 2; // pixels of the screen that a key moves a tile
const PALM = 64; // pixels of the screen of a new tile in a photo without any

let waiting = null; // the tile that was moved and is to be read: {tile, timer}

/** New corners of the tile in hand. */
export async function place(quad) {
	if (!now.work.place(quad)) {
		show();
		return say("photo.no_quad");
	}
	readSoon(now.work.tile);
	changed();
}

/** A new tile; what it is and which way up it lies, the network says. */
export async function draw(quad) {
	mode(false);
	if (!now.work.add(quad)) return say("photo.no_quad");
	changed();
	const { tile } = now.work;
	const ways = [0, 1, 2, 3].map((quarters) => turned(tile.quad, quarters));
	const answers = await api.read(now.work.photo.key, ways);
	const upright = answers.reduce((best, one, at) => (one.probability > answers[best].probability ? at : best), 0);
	heard(tile, answers[upright], ways[upright]);
	changed();
	spoken();
}

/** A quad at a point, of the form of its nearest neighbour. */
export function form([x, y]) {
	const far = (tile) => Math.hypot(centre(tile.quad)[0] - x, centre(tile.quad)[1] - y);
	const near = now.work.tiles.length ? now.work.tiles.reduce((best, one) => (far(one) < far(best) ? one : best)) : null;
	const half = PALM / now.stage.zoom / 2;
	const [cx, cy] = near ? centre(near.quad) : [0, 0];
	return near ? moved(near.quad, x - cx, y - cy) : [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]];
}

function readSoon(tile) {
	clearTimeout(waiting?.timer);
	waiting = { tile, timer: setTimeout(() => run(async () => { await settle(); changed(); }), PAUSE) };
}

/** Reads what still waits to be read. */
export async function settle() {
	if (!waiting) return;
	const { tile, timer } = waiting;
	waiting = null;
	clearTimeout(timer);
	try {
		const [answer] = await api.read(now.work.photo.key, [tile.quad]);
		heard(tile, answer, tile.quad);
	} catch (error) {
		if (!(error instanceof api.Trouble)) throw error;
		trouble(error); // the corners hold without the network's word, too
	}
}

function heard(tile, answer, quad) {
	const read = now.work.answered(tile, { ...answer, quad });
	if (read && read.label !== tile.label) announce(t("tile.read", { name: tileName(read.label) }));
}

/** Moves the tile in hand, a corner of it, or the new one. */
export function nudge(dx, dy) {
	if (now.stage.adding) return now.stage.moveSpot(dx * NUDGE, dy * NUDGE);
	if (!now.work.tile) return null;
	const by = NUDGE / now.stage.zoom;
	const { quad } = now.work.tile;
	return place(now.corner < 0 ? moved(quad, dx * by, dy * by) : bent(quad, now.corner, dx * by, dy * by));
}
