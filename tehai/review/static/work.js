// The edits of one photo: its current tiles, undo and redo, and the data to save.
import { isQuad, clipped, readingOrder, sameTiles } from "./geometry.js";

/** The edits of one photo. `photo`: from the server. `tiles` are never changed in place. `at`: the selected tile, or
 * -1. */
export class Work {
	constructor(photo, draft = null) {
		this.photo = photo;
		this.tiles = photo.tiles;
		this.past = [];
		this.future = [];
		const { order } = this;
		this.at = order.find((k) => isDoubtful(this.tiles[k])) ?? order[0] ?? -1;
		if (draft) this.#step(draft.tiles, draft.at);
	}

	get tile() {
		return this.tiles[this.at] ?? null;
	}

	get edited() {
		return !sameTiles(this.tiles, this.photo.tiles);
	}

	/** Unsaved work for browser storage. `after`: the revision it is based on. */
	get draft() {
		return { after: this.photo.revision, tiles: this.tiles, at: this.at };
	}

	/** Tile indices in reading order. */
	get order() {
		if (this.ordered?.tiles !== this.tiles) this.ordered = { tiles: this.tiles, order: readingOrder(this.tiles) };
		return this.ordered.order;
	}

	#step(tiles, at) {
		this.past = [...this.past, { tiles: this.tiles, at: this.at }];
		this.future = [];
		this.tiles = tiles;
		this.at = Math.min(at, tiles.length - 1);
	}

	select(at) {
		this.at = Math.min(Math.max(at, 0), this.tiles.length - 1);
	}

	/** Selects the tile `by` places further, cyclically. */
	step(by) {
		const { order } = this;
		if (order.length) this.at = order[(order.indexOf(this.at) + by + order.length) % order.length];
	}

	/** Selects the next tile in doubt. Returns false without one. */
	doubt() {
		const { order } = this;
		const here = order.indexOf(this.at) + 1;
		const next = [...order.slice(here), ...order.slice(0, here)].find((k) => isDoubtful(this.tiles[k]));
		if (next !== undefined) this.at = next;
		return next !== undefined;
	}

	/** Sets the label of the selected tile. This also confirms an equal label. */
	relabel(label) {
		this.#put({ ...this.tile, label, doubt: false, source: "person" });
	}

	/** Confirms the label of the selected tile. */
	keep() {
		if (isDoubtful(this.tile)) this.#put({ ...this.tile, doubt: false });
	}

	/** Sets the corners of the selected tile. Returns false if invalid. */
	place(quad) {
		const corners = clipped(quad, this.photo.width, this.photo.height);
		if (!isQuad(corners)) return false;
		this.#put({ ...this.tile, quad: corners });
		return true;
	}

	/** Adds a tile without a label. Returns false if the corners are invalid. */
	add(quad) {
		const corners = clipped(quad, this.photo.width, this.photo.height);
		if (!isQuad(corners)) return false;
		this.#step(
			[
				...this.tiles,
				{
					quad: corners,
					label: "?",
					probability: null,
					margin: null,
					top3: [],
					role: "other",
					source: "seen",
					doubt: true,
				},
			],
			this.tiles.length,
		);
		return true;
	}

	/** Removes the selected tile and selects the next. */
	remove() {
		const { order } = this;
		const next = order[order.indexOf(this.at) + 1] ?? order.at(-2) ?? -1;
		this.#step(
			this.tiles.filter((_, at) => at !== this.at),
			next > this.at ? next - 1 : next,
		);
	}

	/** Removes the tiles at these indices. */
	removeAll(places) {
		const gone = new Set(places);
		const left = this.tiles.filter((_, at) => !gone.has(at));
		this.#step(left, Math.max(left.indexOf(this.tile), Math.min(0, left.length - 1)));
	}

	/** Replaces all tiles. */
	replace(tiles) {
		this.#step(tiles, Math.max(this.at, 0));
	}

	#put(tile) {
		this.#step(this.tiles.with(this.at, tile), this.at);
	}

	/** Applies the model's answer about a moved or drawn tile, without an undo step. A person's label stays. */
	answered(tile, answer) {
		const at = this.tiles.indexOf(tile);
		if (at < 0) return null;
		const { label, quad, probability, margin, top3, doubt } = answer;
		const decided = tile.source === "person" ? {} : { label, doubt };
		const read = { ...tile, quad, probability, margin, top3, ...decided };
		this.tiles = this.tiles.with(at, read);
		return read;
	}

	undo() {
		const before = this.past.at(-1);
		if (!before) return false;
		this.future = [{ tiles: this.tiles, at: this.at }, ...this.future];
		this.past = this.past.slice(0, -1);
		Object.assign(this, before);
		return true;
	}

	redo() {
		const [after, ...rest] = this.future;
		if (!after) return false;
		this.past = [...this.past, { tiles: this.tiles, at: this.at }];
		this.future = rest;
		Object.assign(this, after);
		return true;
	}
}

const isDoubtful = (tile) => Boolean(tile.doubt);

/** Tiles as sent to the server. It knows the model's fields, and derives roles from positions. */
export const sent = (tiles) => tiles.map(({ quad, label }) => ({ quad, label }));
