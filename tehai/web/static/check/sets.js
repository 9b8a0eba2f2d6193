// Alternatives of a tile and possible melds: pure functions of a hand (app/hand.js).
import { labels, order } from "../app/hand.js";
import { canBeRed, FACES, isRed, plain } from "../shared/labels.js";

const HONOURS = { wind: ["1z", "2z", "3z", "4z"], dragon: ["5z", "6z", "7z"] };

/** Other labels of a tile, likeliest first: the second most likely one, its red or plain five, its neighbours. For an
 * honour: its own kind, then the others. */
export function alternatives({ label, runner }) {
	const [rank, suit] = plain(label);
	const { wind, dragon } = HONOURS;
	const honours = dragon.includes(label) ? [...dragon, ...wind] : [...wind, ...dragon];
	const near = suit === "z" ? honours : [1, -1, 2, -2].map((step) => Number(rank) + step + suit);
	const all = [runner, canBeRed(label) ? (isRed(label) ? plain(label) : "0" + suit) : null, ...near];
	return [...new Set(all)].filter((one) => FACES.includes(one) && one !== label).slice(0, 4);
}

/** The sets that a closed tile can form with others: {type, tiles}, with indices of `closed`. */
export function melds(hand, at) {
	const row = labels(hand.closed).map(plain);
	const label = row[at];
	const found = [];
	const alike = [at, ...row.keys()].filter((one, place, all) => row[one] === label && all.indexOf(one) === place);
	if (label[1] !== "z") {
		for (const first of [-2, -1, 0].map((step) => Number(label[0]) + step)) {
			const run = [0, 1, 2].map((step) =>
				first + step === Number(label[0]) ? at : row.indexOf(first + step + label[1]),
			);
			if (run.every((one) => one >= 0)) found.push({ type: "chi", tiles: run });
		}
	}
	if (alike.length >= 3) found.push({ type: "pon", tiles: alike.slice(0, 3) });
	if (alike.length >= 4) found.push({ type: "minkan", tiles: alike }, { type: "ankan", tiles: alike });
	return found;
}

/** Four equal closed tiles, as a kan, if there are any. */
export const kan = (hand) => hand.closed.flatMap((_, at) => melds(hand, at)).find(({ type }) => type === "ankan");

/** Turns closed tiles into a meld, in ascending order. Its caller's direction is unknown. */
export function makeMeld(hand, { type, tiles }) {
	const chosen = tiles.map((at) => hand.closed[at]).sort((one, other) => order(one.label) - order(other.label));
	return {
		...hand,
		closed: hand.closed.filter((_, at) => !tiles.includes(at)),
		melds: [...hand.melds, { type, tiles: chosen, from: null }],
	};
}

/** The hand without so many norths. Null if it has fewer. */
export function withoutNorths(hand, many) {
	const closed = hand.closed.filter((one) => one.label !== "4z" || many-- <= 0);
	return many > 0 ? null : { ...hand, closed };
}
