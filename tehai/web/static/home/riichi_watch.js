// Proposes a riichi if a player's discard lies sideways in two readings in a row. Independent of the page.
// A watch is a value: {hand, seen, left, proposed, answered, before}. `seen`: in the last reading. `left`: from the
// previous hand. `seen` to `answered` map a player to {label, nth, at}: the sideways tile, its index among the discards,
// the time. `before`: the watch of the previous hand.

/** The sides of the table in turn, starting nearest to the camera. */
export const SIDES = ["near", "right", "across", "left"];

const SIDE_COUNT = SIDES.length;
const MOST_APART = 60_000; // milliseconds after which a reading no longer confirms an earlier one
const MOST_SHIFTED = 1; // index change allowed for the sideways tile: an earlier discard may have been called or missed

export const start = (hand) => ({ hand, seen: {}, left: {}, proposed: {}, answered: {}, before: null });

/** Who sits on a side, null for an empty seat. `nearest`: the player nearest to the camera. With three players, seat 3
 * is empty. */
export function playerAt(side, nearest, players) {
	const player = (nearest + SIDES.indexOf(side)) % SIDE_COUNT;
	return player < players ? player : null;
}

/** The discards of a server's answer: {player, tiles, turned}. `turned`: the index of the sideways tile, or null. */
export function riversOf({ tiles, rivers = [] }, nearest, players) {
	return rivers
		.map((river) => ({
			player: playerAt(river.seat, nearest, players),
			tiles: river.tiles.map((at) => tiles[at]),
			turned: river.turned === null ? null : river.tiles.indexOf(river.turned),
		}))
		.filter(({ player }) => player !== null);
}

const isSamePlace = (one, other) => Boolean(one) && Math.abs(one.nth - other.nth) <= MOST_SHIFTED;
const isSame = (one, other) => isSamePlace(one, other) && one.label === other.label;

/** The watch after one more reading. `hand`: an id of the hand that is played. `declared`: players in riichi. */
export function follow(watch, { hand, rivers, declared, at }) {
	const next = structuredClone(watch.hand === hand ? watch : inHand(hand, watch));
	for (const player of declared) settle(next, player);
	for (const { player, tiles, turned } of rivers) {
		const before = next.seen[player];
		delete next.seen[player];
		const earlier = next.left[player];
		if (turned === null) {
			if (earlier && tiles.length <= earlier.nth) delete next.left[player]; // the tiles were cleared away
			continue;
		}
		const now = { label: tiles[turned].label, nth: turned, at };
		if (isSame(earlier, now)) continue;
		delete next.left[player];
		next.seen[player] = now;
		const isConfirmed = isSame(before, now) && at - before.at <= MOST_APART;
		if (isConfirmed && !declared.includes(player) && !isSamePlace(next.answered[player], now))
			next.proposed[player] ??= now;
	}
	return next;
}

/** The watch of another hand. An undone hand took its riichi with it: the hand before it may propose them again. */
const inHand = (hand, { before, ...watch }) =>
	before?.hand === hand
		? { ...before, answered: {} }
		: { ...start(hand), left: { ...watch.left, ...watch.seen }, before: { ...watch, before: null } };

function settle(watch, player) {
	if (watch.proposed[player]) watch.answered[player] = watch.proposed[player];
	delete watch.proposed[player];
}

/** The watch after an answer about a player. No more proposals for this player in this hand. */
export function answered(watch, player) {
	const next = structuredClone(watch);
	settle(next, player);
	return next;
}

/** Riichi proposals: {player, label}, with the discard that lies sideways. */
export const proposals = ({ proposed }, declared) =>
	Object.entries(proposed)
		.map(([player, { label }]) => ({ player: Number(player), label }))
		.filter(({ player }) => !declared.includes(player));
