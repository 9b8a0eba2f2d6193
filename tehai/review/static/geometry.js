// Quads, and matching tiles of two versions of a photo. A quad is four [x, y] pixels of the upright photo, clockwise
// from the face's top left.

const MOST_APART = 0.5; // in tile sides: closer centres belong to the same tile
const MOST_RISE = 0.6; // in tile sides: vertical distance of neighbours in a row
const MOST_GAP = 8; // in tile sides: their horizontal distance
const EQUAL_WITHIN = 0.06; // pixels: corners are stored to a tenth of a pixel

export const centre = (quad) => [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis], 0) / 4);

/** The side of a square of equal area, in pixels. */
export function sizeOf(quad) {
	const twice = quad.reduce((sum, [x, y], at) => sum + x * quad[(at + 1) % 4][1] - quad[(at + 1) % 4][0] * y, 0);
	return Math.sqrt(Math.abs(twice) / 2);
}

export const moved = (quad, dx, dy) => quad.map(([x, y]) => [x + dx, y + dy]);
export const bent = (quad, corner, dx, dy) => quad.map(([x, y], at) => (at === corner ? [x + dx, y + dy] : [x, y]));

/** The same quad with its top edge a quarter turn further. */
export const turned = (quad, quarters = 1) => quad.map((_, at) => quad[(at + quarters) % 4]);

/** The quad scaled about its centre. */
export function grown(quad, factor) {
	const [cx, cy] = centre(quad);
	return quad.map(([x, y]) => [cx + factor * (x - cx), cy + factor * (y - cy)]);
}

/** An upright rectangle between two points. */
export function rectangle([x1, y1], [x2, y2]) {
	const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
	const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
	return [
		[left, top],
		[right, top],
		[right, bottom],
		[left, bottom],
	];
}

/** The corners rounded to a tenth of a pixel, inside the photo. */
export const clipped = (quad, width, height) =>
	quad.map(([x, y]) => [
		Math.round(10 * Math.min(Math.max(x, 0), width)) / 10,
		Math.round(10 * Math.min(Math.max(y, 0), height)) / 10,
	]);

/** Whether the corners run clockwise once, around a visible area. */
export function isQuad(quad) {
	const turns = quad.map(([x, y], at) => {
		const [[x1, y1], [x2, y2]] = [quad[(at + 1) % 4], quad[(at + 2) % 4]];
		return (x1 - x) * (y2 - y1) - (y1 - y) * (x2 - x1);
	});
	return turns.every((turn) => turn > 0) && sizeOf(quad) >= 4;
}

const sameQuad = (quad, other) =>
	quad.every(([x, y], at) => Math.abs(x - other[at][0]) < EQUAL_WITHIN && Math.abs(y - other[at][1]) < EQUAL_WITHIN);
export const sameTile = (one, other) =>
	one && other ? one.label === other.label && sameQuad(one.quad, other.quad) : !one && !other;
export const sameTiles = (tiles, others) =>
	tiles.length === others.length && tiles.every((tile, at) => sameTile(tile, others[at]));

/** Pairs the tiles of two lists, nearest first, then the unpaired ones: `[tile or null, tile or null]`. */
export function pairs(tiles, others) {
	const near = tiles.flatMap((tile, at) =>
		others.map((other, to) => ({ at, to, far: distance(tile.quad, other.quad) })).filter(({ far }) => far < MOST_APART),
	);
	const [taken, given] = [new Set(), new Set()];
	const found = [];
	for (const { at, to } of near.sort((one, other) => one.far - other.far)) {
		if (taken.has(at) || given.has(to)) continue;
		taken.add(at);
		given.add(to);
		found.push([tiles[at], others[to]]);
	}
	return [
		...found,
		...tiles.filter((_, at) => !taken.has(at)).map((tile) => [tile, null]),
		...others.filter((_, at) => !given.has(at)).map((other) => [null, other]),
	];
}

/** Tile indices in reading order: row by row, left to right. Rows may slope. */
export function readingOrder(tiles) {
	const rows = [];
	const places = tiles.map((tile, at) => ({
		at,
		x: centre(tile.quad)[0],
		y: centre(tile.quad)[1],
		size: sizeOf(tile.quad),
	}));
	for (const place of places.sort((one, other) => one.x - other.x)) {
		const fits = (row) =>
			Math.abs(row.at(-1).y - place.y) < MOST_RISE * place.size && place.x - row.at(-1).x < MOST_GAP * place.size;
		const row = rows
			.filter(fits)
			.sort((one, other) => Math.abs(one.at(-1).y - place.y) - Math.abs(other.at(-1).y - place.y))[0];
		if (row) row.push(place);
		else rows.push([place]);
	}
	const height = (row) => row.reduce((sum, { y }) => sum + y, 0) / row.length;
	return rows
		.sort((one, other) => height(one) - height(other))
		.flat()
		.map(({ at }) => at);
}

function distance(quad, other) {
	const [[x1, y1], [x2, y2]] = [centre(quad), centre(other)];
	return Math.hypot(x1 - x2, y1 - y2) / Math.min(sizeOf(quad), sizeOf(other));
}

/** Differences between two versions made from `base`: `{mine, theirs, choice}`. `choice`: whose change it is, null if
 * both changed the tile. */
export function differences(base, mine, theirs) {
	const baseOf = (tile, list) => list.find(([own]) => own === tile)?.[1] ?? null;
	const [fromMine, fromTheirs] = [pairs(mine, base), pairs(theirs, base)];
	return pairs(mine, theirs)
		.filter(([my, their]) => !sameTile(my, their))
		.map(([my, their]) => {
			const before = my ? baseOf(my, fromMine) : baseOf(their, fromTheirs);
			const choice = sameTile(my, before) ? "theirs" : sameTile(their, before) ? "mine" : null;
			return { mine: my, theirs: their, choice };
		});
}

/** `mine` with the chosen tiles, in its order. Tiles only in the other version come last. */
export function resolved(mine, rows) {
	const taken = new Map(rows.filter(({ mine: my }) => my).map((row) => [row.mine, row[row.choice]]));
	const added = rows.filter((row) => !row.mine && row.choice === "theirs").map((row) => row.theirs);
	return [...mine.map((tile) => (taken.has(tile) ? taken.get(tile) : tile)), ...added].filter(Boolean);
}
