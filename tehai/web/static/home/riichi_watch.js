// Proposes a riichi if a player's discard lies turned in two readings in a row. Nothing here knows the page.
// A watch is a value: {hand, seen, left, proposed, answered}. Each but `hand` has, by player, {label, nth, at}: the turned tile, its
// index in the river, the time. `seen`: in the last reading with the river; `left`: from the hand before.

/** The sides of the table in turn, from whoever sits nearest to the camera. */
export const SIDES = ["near", "right", "across", "left"];

const SIDE_COUNT = SIDES.length;
const APART = 60_000; // milliseconds after which a reading confirms none before it
const SHIFTED = 1; // places by which a turned tile may move: a discard before it was called, or not read once

export const start = (hand) => ({ hand, seen: {}, left: {}, proposed: {}, answered: {} });

/** Who sits on a side. `nearest`: the player nearest to the camera; of three players the seat of number 3 is the empty one. Null for nobody. */
export function playerAt(side, nearest, players) {
	const player = (nearest + SIDES.indexOf(side)) % SIDE_COUNT;
	return player < players ? player : null;
}

/** The rivers of an answer of the server's: {player, tiles, turned}, the discards and which of them is surely turned, or null. */
export function riversOf({ tiles, rivers = [] }, nearest, players) {
	return rivers
		.map((river) => ({ player: playerAt(river.seat, nearest, players), tiles: river.tiles.map((at) => tiles[at]), turned: river.turned === null ? null : river.tiles.indexOf(river.turned) }))
		.filter(({ player }) => player !== null);
}

const isThere = (one, other) => Boolean(one) && Math.abs(one.nth - other.nth) <= SHIFTED;
const isSame = (one, other) => isThere(one, other) && one.label === other.label;

/** The watch after one more reading. `hand`: which hand is played; `declared`: players who have declared riichi in it. */
export function follow(watch, { hand, rivers, declared, at }) {
	const next = structuredClone(watch.hand === hand ? watch : { ...start(hand), left: { ...watch.left, ...watch.seen } });
	for (const player of declared) settle(next, player);
	for (const { player, tiles, turned } of rivers) {
		const before = next.seen[player];
		delete next.seen[player];
		const lain = next.left[player];
		if (turned === null) {
			if (lain && tiles.length <= lain.nth) delete next.left[player]; // the tiles were taken up
			continue;
		}
		const now = { label: tiles[turned].label, nth: turned, at };
		if (isSame(lain, now)) continue;
		delete next.left[player];
		next.seen[player] = now;
		const isConfirmed = isSame(before, now) && at - before.at <= APART;
		if (isConfirmed && !declared.includes(player) && !isThere(next.answered[player], now)) next.proposed[player] ??= now;
	}
	return next;
}

function settle(watch, player) {
	if (watch.proposed[player]) watch.answered[player] = watch.proposed[player];
	delete watch.proposed[player];
}

/** The watch once the proposal about a player was answered: it comes no more in this hand. */
export function answered(watch, player) {
	const next = structuredClone(watch);
	settle(next, player);
	return next;
}

/** Who may have declared riichi, and with which discard: {player, label}. */
export const proposals = ({ proposed }, declared) =>
	Object.entries(proposed).map(([player, { label }]) => ({ player: Number(player), label })).filter(({ player }) => !declared.includes(player));
