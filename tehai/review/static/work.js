// What a person does to one photo: the tiles as they stand, each step of the way back, and what is saved of it.
import { isQuad, kept, readingOrder, sameTiles } from "./geometry.js";

/** A photo at work. `photo`: as the server gave it; `tiles` are never changed in place; `at`: the tile in hand, -1 for none. */
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

	/** What is kept in the browser until it is saved: `after` is the revision that it was made from. */
	get draft() {
		return { after: this.photo.revision, tiles: this.tiles, at: this.at };
	}

	/** Places in the list of tiles, as one reads the photo. */
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

	/** The tile a number of places further, round and round. */
	step(by) {
		const { order } = this;
		if (order.length) this.at = order[(order.indexOf(this.at) + by + order.length) % order.length];
	}

	/** The next tile that somebody should look at; false where there is none. */
	doubt() {
		const { order } = this;
		const here = order.indexOf(this.at) + 1;
		const next = [...order.slice(here), ...order.slice(0, here)].find((k) => isDoubtful(this.tiles[k]));
		if (next !== undefined) this.at = next;
		return next !== undefined;
	}

	/** A person's word on the tile in hand: what it is, even where that is what it was taken for. */
	relabel(label) {
		this.#put({ ...this.tile, label, doubt: false, source: "person" });
	}

	/** The tile in hand is what it is taken for. */
	keep() {
		if (isDoubtful(this.tile)) this.#put({ ...this.tile, doubt: false });
	}

	/** New corners of the tile in hand; false where they are none. */
	place(quad) {
		const corners = kept(quad, this.photo.width, this.photo.height);
		if (!isQuad(corners)) return false;
		this.#put({ ...this.tile, quad: corners });
		return true;
	}

	/** A tile of which nothing is known yet; false where the corners are none. */
	add(quad) {
		const corners = kept(quad, this.photo.width, this.photo.height);
		if (!isQuad(corners)) return false;
		this.#step([...this.tiles, { quad: corners, label: "?", probability: null, margin: null, top3: [], role: "other", source: "seen", doubt: true }], this.tiles.length);
		return true;
	}

	/** Without the tile in hand; the next one is in hand then. */
	remove() {
		const { order } = this;
		const next = order[order.indexOf(this.at) + 1] ?? order.at(-2) ?? -1;
		this.#step(this.tiles.filter((_, at) => at !== this.at), next > this.at ? next - 1 : next);
	}

	/** Without the tiles at these places. */
	removeAll(places) {
		const gone = new Set(places);
		const left = this.tiles.filter((_, at) => !gone.has(at));
		this.#step(left, Math.max(left.indexOf(this.tile), Math.min(0, left.length - 1)));
	}

	/** Other tiles in place of all. */
	replace(tiles) {
		this.#step(tiles, Math.max(this.at, 0));
	}

	#put(tile) {
		this.#step(this.tiles.with(this.at, tile), this.at);
	}

	/** The network's answer about a tile that was moved or drawn; no step of its own. A label that a person gave stays. */
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

/** Tiles as they are sent: what the models say of them the server knows, and roles follow from where they lie. */
export const sent = (tiles) => tiles.map(({ quad, label }) => ({ quad, label }));
