// Edits the corners of tiles: move, bend, draw, and nudge by keys. The model then reads the tile again.
import { announce } from "./shared/dom.js";
import { t, tileName } from "./shared/text.js";
import * as api from "./api.js";
import { run } from "./actions.js";
import { bent, centre, moved, turned } from "./geometry.js";
import { say, trouble } from "./notice.js";
import { changed, setAdding, now, show, announceTile } from "./now.js";

const PAUSE = 250; // milliseconds after which a moved tile is read again
const NUDGE = 2; // screen pixels of one key press
const PALM = 64; // size of a new tile in screen pixels, in a photo without tiles

let pendingTile = null; // the moved tile to read: {tile, timer}

/** Sets the corners of the selected tile. */
export async function place(quad) {
	if (!now.work.place(quad)) {
		show();
		return say("photo.no_quad");
	}
	readSoon(now.work.tile);
	changed();
}

/** Adds a tile. The model reads its label and orientation. */
export async function draw(quad) {
	setAdding(false);
	if (!now.work.add(quad)) return say("photo.no_quad");
	changed();
	const { tile } = now.work;
	const orientations = [0, 1, 2, 3].map((quarters) => turned(tile.quad, quarters));
	const answers = await api.read(now.work.photo.key, orientations);
	const upright = answers.reduce((best, one, at) => (one.probability > answers[best].probability ? at : best), 0);
	applyReading(tile, answers[upright], orientations[upright]);
	changed();
	announceTile();
}

/** The quad of a new tile at a point, shaped like its nearest neighbour. */
export function form([x, y]) {
	const distance = (tile) => Math.hypot(centre(tile.quad)[0] - x, centre(tile.quad)[1] - y);
	const nearest = now.work.tiles.length
		? now.work.tiles.reduce((best, one) => (distance(one) < distance(best) ? one : best))
		: null;
	const half = PALM / now.stage.zoom / 2;
	const [cx, cy] = nearest ? centre(nearest.quad) : [0, 0];
	return nearest
		? moved(nearest.quad, x - cx, y - cy)
		: [
				[x - half, y - half],
				[x + half, y - half],
				[x + half, y + half],
				[x - half, y + half],
			];
}

function readSoon(tile) {
	clearTimeout(pendingTile?.timer);
	pendingTile = {
		tile,
		timer: setTimeout(
			() =>
				run(async () => {
					await readPending();
					changed();
				}),
			PAUSE,
		),
	};
}

/** Reads the moved tile now if it is still unread. */
export async function readPending() {
	if (!pendingTile) return;
	const { tile, timer } = pendingTile;
	pendingTile = null;
	clearTimeout(timer);
	try {
		const [answer] = await api.read(now.work.photo.key, [tile.quad]);
		applyReading(tile, answer, tile.quad);
	} catch (error) {
		if (!(error instanceof api.Trouble)) throw error;
		trouble(error); // the corners stay without the model's answer
	}
}

function applyReading(tile, answer, quad) {
	const read = now.work.answered(tile, { ...answer, quad });
	if (read && read.label !== tile.label) announce(t("tile.read", { name: tileName(read.label) }));
}

/** Moves the selected tile, its selected corner, or the preview of a new tile. */
export function nudge(dx, dy) {
	if (now.stage.adding) return now.stage.moveSpot(dx * NUDGE, dy * NUDGE);
	if (!now.work.tile) return null;
	const by = NUDGE / now.stage.zoom;
	const { quad } = now.work.tile;
	return place(now.corner < 0 ? moved(quad, dx * by, dy * by) : bent(quad, now.corner, dx * by, dy * by));
}
