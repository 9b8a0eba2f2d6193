// Corrections of a hand: pure functions from one hand to the next.
//
// A tile: {label, quad, shot, doubt, runner}. `quad`: its corners in that shot, or null. `doubt`: needs a check. `runner`: the
// second most likely label. A hand: {closed, win, melds: [{type, from, tiles}], dora, ura}. `win`: a tile or null. `dora`,
// `ura`: lists, or null if unknown. The place of a tile: {group: "closed" | "win" | "dora" | "ura" | "meld:0"…, at}.
import { isRed, join, plain, split } from "../shared/labels.js";

const MOST_INDICATORS = 5;
const LEAST_PROBABILITY = 0.01; // the least probability of a second label that is more than noise

export const EMPTY = { closed: [], win: null, melds: [], dora: null, ura: null };

export const order = (label) => "mpsz".indexOf(label[1]) * 20 + 2 * Number(plain(label)[0]) - isRed(label);

export const tile = (label) => ({ label, quad: null, shot: 0, doubt: false, runner: null });
export const labels = (tiles) => tiles.map((one) => one.label);

// --- from a reading ---

const middle = (quad) => [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis], 0) / 4);

/** Compares two tiles along the row, left to right for its reader. */
function byRowOrder(tiles) {
	const way = [0, 1].map((axis) =>
		tiles.reduce((sum, one) => sum + (one.sideways ? 0 : one.quad[1][axis] - one.quad[0][axis]), 0),
	);
	const place = (one) => middle(one.quad).reduce((sum, value, axis) => sum + value * way[axis], 0);
	return (one, other) => place(one) - place(other);
}

/** The second label, if it is likely enough. */
const runnerUp = ([label, probability]) => (probability >= LEAST_PROBABILITY ? label : null);

/** The hand of a server's answer: the record has the tiles in order, the reading their places. `more`: tiles that may
 * belong to it, whatever their role. */
export function fromReading(reading, more = []) {
	const record = reading.hand;
	if (!record) return EMPTY;
	const other = new Map(
		reading.doubts.filter((one) => one.kind === "face").map((one) => [reading.tiles[one.tiles[0]], one.instead?.label]),
	);
	const pool = new Map();
	for (const seen of reading.tiles) pool.set(seen.role, [...(pool.get(seen.role) ?? []), seen]);
	for (const tiles of pool.values()) tiles.sort(byRowOrder(tiles));
	const take = (role) => (label) => {
		const own = pool.get(role) ?? [];
		const like = (tiles, name) => tiles.findIndex((one) => name(one.label) === name(label));
		const at = (tiles) => (like(tiles, (one) => one) < 0 ? like(tiles, plain) : like(tiles, (one) => one)); // rules without red fives record a red five as plain
		const tiles = at(own) < 0 && at(more) >= 0 ? more : own;
		const seen = tiles.splice(Math.max(0, at(tiles)), 1)[0];
		if (!seen) return tile(label);
		return {
			label,
			quad: seen.quad,
			shot: seen.photo ?? 0,
			doubt: other.has(seen),
			runner: other.get(seen) ?? runnerUp(seen.runner_up),
		};
	};
	return {
		closed: split(record.concealed ?? "").map(take("hand")),
		win: record.win_tile ? take("win")(record.win_tile) : null,
		melds: (record.melds ?? []).map((meld, at) => ({ ...meld, tiles: split(meld.tiles).map(take(`meld:${at}`)) })),
		dora: record.dora_indicators?.map(take("dora")) ?? null,
		ura: record.ura_indicators?.map(take("ura")) ?? null,
	};
}

/** The hand of a record, for example of a link. */
export const fromRecord = (hand) => fromReading({ hand, tiles: [], doubts: [] });

/** The record's tile fields. Unknown ones are left out. */
export function toRecord(hand) {
	const record = {
		concealed: join(labels(hand.closed)),
		melds: hand.melds.map((meld) => ({ ...meld, tiles: join(labels(meld.tiles)) })),
	};
	if (hand.win) record.win_tile = hand.win.label;
	if (hand.dora) record.dora_indicators = labels(hand.dora);
	if (hand.ura) record.ura_indicators = labels(hand.ura);
	return record;
}

/** A key of the scored tiles, independent of their order. */
export function scored({ concealed, win_tile, melds = [], dora_indicators = [], ura_indicators = [] }) {
	const sets = melds.map(({ type, tiles }) => type + split(tiles).sort());
	return [split(concealed ?? ""), [win_tile], sets, dora_indicators, ura_indicators]
		.map((part) => [...part].sort())
		.join("/");
}

// --- queries ---

/** The index of a meld's group, null for other groups. */
export const meldOf = (group) => (group.startsWith("meld:") ? Number(group.slice(5)) : null);

/** The tiles of a group as a list. */
export function tilesOf(hand, group) {
	const meld = meldOf(group);
	return [(meld === null ? hand[group] : hand.melds[meld]?.tiles) ?? []].flat();
}

export const groupsOf = (hand) => ["closed", "win", ...hand.melds.map((_, at) => `meld:${at}`), "dora", "ura"];
export const tileAt = (hand, place) => tilesOf(hand, place.group)[place.at];
export const places = (hand) => groupsOf(hand).flatMap((group) => tilesOf(hand, group).map((_, at) => ({ group, at })));

/** Tiles in doubt. Indicators have their own question. */
export const doubts = (hand) =>
	places(hand).filter((place) => !place.group.endsWith("ra") && tileAt(hand, place).doubt);
export const samePlace = (one, other) => Boolean(one && other && one.group === other.group && one.at === other.at);

/** How many tiles the hand has, and how many it needs with its kans. */
export function count(hand) {
	const kans = hand.melds.filter((meld) => meld.tiles.length === 4).length;
	const melded = hand.melds.reduce((sum, meld) => sum + meld.tiles.length, 0);
	return { n: hand.closed.length + (hand.win ? 1 : 0) + melded, of: 14 + kans };
}

/** The doubt whether more tiles are indicators, if any. */
export const moreIndicators = ({ reading }) =>
	reading?.doubts.find(({ kind, instead }) => kind === "indicator" && instead?.hand) ?? null;

/** Whether indicators were read but not confirmed. Until then they do not count. */
export const isUnconfirmed = ({ hand, reading }) =>
	Boolean(hand?.dora?.length && (hand.dora.some(({ doubt }) => doubt) || moreIndicators({ reading })));

// --- changes ---

const without = (list, at) => [...list.slice(0, at), ...list.slice(at + 1)];
const withAt = (list, at, value) => [...list.slice(0, at), value, ...list.slice(at)];

function withTiles(hand, group, tiles) {
	const meld = meldOf(group);
	if (meld !== null) return changeMeld(hand, meld, { tiles });
	return { ...hand, [group]: group === "win" ? (tiles[0] ?? null) : tiles };
}

/** Replaces a tile's face, without doubt. */
export function replace(hand, place, label) {
	const tiles = tilesOf(hand, place.group).map((one, at) => (at === place.at ? { ...one, label, doubt: false } : one));
	return withTiles(hand, place.group, tiles);
}

export const confirm = (hand, place) => replace(hand, place, tileAt(hand, place).label);
export const toggleRed = (hand, place) => {
	const { label } = tileAt(hand, place);
	return replace(hand, place, isRed(label) ? plain(label) : "0" + label[1]);
};

/** Confirms all tiles in doubt. */
export const confirmAll = (hand) => doubts(hand).reduce(confirm, hand);

/** Removes a tile. A meld that is then too short returns to the closed tiles. Without indicators left, they are
 * unknown. */
export function remove(hand, place) {
	if (place.group.endsWith("ra") && tilesOf(hand, place.group).length === 1) return { ...hand, [place.group]: null };
	const left = withTiles(hand, place.group, without(tilesOf(hand, place.group), place.at));
	const meld = meldOf(place.group);
	return meld !== null && left.melds[meld].tiles.length < 3 ? breakMeld(left, meld) : left;
}

/** Adds a tile to a group. A second winning tile replaces the first, which joins the closed tiles. */
export function add(hand, group, added) {
	return insert(hand, { group, at: tilesOf(hand, group).length }, typeof added === "string" ? tile(added) : added);
}

function insert(hand, { group, at }, one) {
	if (group === "win") return { ...openWin(hand), win: one };
	const tiles = tilesOf(hand, group);
	if ((group === "dora" || group === "ura") && tiles.length >= MOST_INDICATORS) return hand;
	return withTiles(hand, group, withAt(tiles, at, one));
}

/** Moves a tile. The target index counts without the moved tile. Melds accept no tile. */
export function move(hand, from, to) {
	if (samePlace(from, to) || (meldOf(to.group) !== null && to.group !== from.group)) return hand;
	const same = from.group === to.group;
	if (same && to.group === "win") return hand;
	return insert(
		same ? withTiles(hand, to.group, without(tilesOf(hand, to.group), from.at)) : remove(hand, from),
		to,
		tileAt(hand, from),
	);
}

/** Sets the winning tile: one of the closed tiles, or an added one if a tile is missing. */
export function wonOn(hand, label) {
	const back = openWin(hand);
	const at = back.closed.findLastIndex((one) => one.label === label);
	const { n, of } = count(back);
	if (n >= of && at >= 0) return { ...back, win: back.closed[at], closed: without(back.closed, at) };
	return { ...back, win: tile(label) };
}

/** The hand by a doubt's other reading. If only the winning tile differs, corrections stay. */
export function withOtherReading(hand, { kind, instead, tiles }, seen) {
	const won = instead.hand.win_tile;
	if (kind === "win" && hand.closed.some((one) => one.label === won)) return wonOn(hand, won);
	return fromReading(
		{ tiles: seen, hand: instead.hand, doubts: [] },
		tiles.map((at) => seen[at]),
	);
}

/** The answers that fit the hand: it has the tiles that they name, and an open hand has no riichi that a photo showed. */
export const fittingAnswers = (hand, answers) =>
	answers.filter(({ known, field, id, labels: named }) => {
		const tiles = hand[field.slice(0, -11)]; // dora or ura
		if (field.endsWith("_indicators")) return named ? tiles && String(labels(tiles)) === String(named) : !tiles?.length;
		if (field === "win_tile") return hand.win?.label === id;
		return !known || !/riichi|ippatsu/.test(field) || hand.melds.every(({ type }) => type === "ankan");
	});

/** Moves the winning tile back to the closed tiles. */
export const openWin = (hand) => (hand.win ? { ...hand, win: null, closed: [...hand.closed, hand.win] } : hand);

export function breakMeld(hand, at) {
	return { ...hand, closed: [...hand.closed, ...hand.melds[at].tiles], melds: without(hand.melds, at) };
}

export function changeMeld(hand, at, changes) {
	return { ...hand, melds: hand.melds.map((meld, place) => (place === at ? { ...meld, ...changes } : meld)) };
}

/** Sorts the closed tiles by suit and rank. */
export const sorted = (hand) => ({
	...hand,
	closed: [...hand.closed].sort((one, other) => order(one.label) - order(other.label)),
});
