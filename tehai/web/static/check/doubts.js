// The doubts about a read hand. A doubt matters if the other reading changes the hand or the payments.
import * as answer from "./answer.js";
import * as hands from "../app/hand.js";
import { FACES } from "../shared/labels.js";
import { app } from "../app/state.js";

const isIndicator = ({ kind }) => kind === "indicator";
const keyOf = (doubt) =>
	`${doubt.kind} ${doubt.tiles?.join() ?? ""} ${doubt.place ? `${doubt.place.group}/${doubt.place.at}` : (doubt.instead?.hand?.win_tile ?? "")}`;

/** All doubts: tiles of the hand, and those of the reading. `otherwise`: the hand by the other reading, or null.
 * Doubts about indicators are not listed: a question asks about them. */
function allDoubts({ hand, reading }) {
	if (!hand) return [];
	const faces = hands.doubts(hand).map((place) => {
		const { label, runner } = hands.tileAt(hand, place);
		const isKnown = FACES.includes(runner);
		return {
			kind: "face",
			place,
			label,
			instead: isKnown && { label: runner },
			otherwise: isKnown ? hands.replace(hand, place, runner) : null,
		};
	});
	const more = (reading?.doubts ?? [])
		.filter((one) => !isIndicator(one))
		.map((doubt) => {
			const isKnown = doubt.instead?.hand && !doubt.instead.region;
			return { ...doubt, of: doubt, otherwise: isKnown ? hands.withOtherReading(hand, doubt, reading.tiles) : null };
		});
	return [...faces, ...more];
}

/** Whether there is any doubt, even one that does not matter. */
export const isAny = (state) => hands.isUnconfirmed(state) || allDoubts(state).length > 0;

/** The other readings by key, so that the server says which of them matter. */
const others = (state) =>
	Object.fromEntries(
		allDoubts(state)
			.filter(({ otherwise }) => otherwise)
			.map((doubt) => [keyOf(doubt), hands.toRecord(doubt.otherwise)]),
	);

/** The doubts that matter. Those without an answer of the server count too. */
export const relevant = (state) => allDoubts(state).filter((doubt) => state.outcome?.others?.[keyOf(doubt)] ?? true);

const KINDS = ["photo", "hand", "win", "face", "left_out"]; // of doubts, the most serious first
export const rank = (doubt) => KINDS.indexOf(doubt.kind);

/** Doubts that matter: tiles of the hand, and others of the reading. */
export const faces = () => relevant(app.state).filter(({ place }) => place);
export const unsettled = () => relevant(app.state).flatMap(({ of }) => of ?? []);

/** Like `unsettled`, but several doubts about the winning tile become one, with `ways`. */
export function doubtsOfReading() {
	const [wins, rest] = [true, false].map((wanted) => unsettled().filter(({ kind }) => (kind === "win") === wanted));
	const ways = wins.filter(({ instead }) => instead?.hand?.win_tile);
	return ways.length > 1 ? [{ kind: "win", ways }, ...rest] : [...wins, ...rest];
}

/** Whether unconfirmed indicators matter. */
export const isDoraOpen = () => hands.isUnconfirmed(app.state) && answer.asksDora(app.state);

/** Whether the tile has a doubt that matters, or is an unconfirmed indicator. */
function isFaceUnclear(one) {
	const { hand } = app.state;
	if (hand.dora?.includes(one)) return isDoraOpen();
	return one.doubt && faces().some(({ place }) => hands.tileAt(hand, place) === one);
}

/** Whether anything about a tile of the hand is in doubt: its face, its place, or whether it won. */
export const isUnclear = (one) =>
	isFaceUnclear(one) ||
	unsettled().some(
		({ kind, tiles }) =>
			kind !== "hand" && tiles.some((at) => String(app.state.reading.tiles[at].quad) === String(one.quad)),
	);

app.others = () => others(app.state);
