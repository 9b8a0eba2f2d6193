// What of a hand that was read is in doubt, and which doubts matter: those whose other reading pays otherwise, or is another hand.
import * as answer from "./answer.js";
import * as hands from "../app/hand.js";
import { FACES } from "../shared/labels.js";
import { app } from "../app/state.js";

const isIndicator = ({ kind }) => kind === "indicator";
const named = (doubt) => `${doubt.kind} ${doubt.tiles?.join() ?? ""} ${doubt.place ? `${doubt.place.group}/${doubt.place.at}` : (doubt.instead?.hand?.win_tile ?? "")}`;

/** Tiles of the hand and what the reading doubts besides them, each with the hand as it is `otherwise`, null where nobody knows.
 * Indicators are none of them: their question asks about them. */
function listed({ hand, reading }) {
	if (!hand) return [];
	const faces = hands.doubts(hand).map((place) => {
		const { label, runner } = hands.tileAt(hand, place);
		const isKnown = FACES.includes(runner);
		return { kind: "face", place, label, instead: isKnown && { label: runner }, otherwise: isKnown ? hands.replace(hand, place, runner) : null };
	});
	const more = (reading?.doubts ?? []).filter((one) => !isIndicator(one)).map((doubt) => {
		const isKnown = doubt.instead?.hand && !doubt.instead.region;
		return { ...doubt, of: doubt, otherwise: isKnown ? hands.withOtherReading(hand, doubt, reading.tiles) : null };
	});
	return [...faces, ...more];
}

/** Whether anything is in doubt, be it that it does not matter. */
export const isAny = (state) => hands.isUnconfirmed(state) || listed(state).length > 0;

/** The other readings by the doubt's name, for the server to say which of them matter. */
const others = (state) => Object.fromEntries(listed(state).filter(({ otherwise }) => otherwise).map((doubt) => [named(doubt), hands.toRecord(doubt.otherwise)]));

/** The doubts that matter, as far as the server has said. */
export const relevant = (state) => listed(state).filter((doubt) => state.outcome?.others?.[named(doubt)] ?? true);

const KINDS = ["photo", "hand", "win", "face", "left_out"]; // of doubts, the gravest first
export const rank = (doubt) => KINDS.indexOf(doubt.kind);

/** Tiles of the hand in doubt, and what the reading doubts besides; only what can change who pays what, or the hand. */
export const faces = () => relevant(app.state).filter(({ place }) => place);
export const unsettled = () => relevant(app.state).flatMap(({ of }) => of ?? []);

/** The same, where several tiles may have won as one doubt: `ways` are the others. */
export function asked() {
	const [wins, rest] = [true, false].map((wanted) => unsettled().filter(({ kind }) => (kind === "win") === wanted));
	const ways = wins.filter(({ instead }) => instead?.hand?.win_tile);
	return ways.length > 1 ? [{ kind: "win", ways }, ...rest] : [...wins, ...rest];
}

/** Whether indicators were read that nobody has confirmed, and that matter. */
export const isDoraOpen = () => hands.isUnconfirmed(app.state) && answer.asksDora(app.state);

/** Whether a tile's face is a doubt that matters, or it is an indicator that nobody has confirmed. */
function isAskedAbout(one) {
	const { hand } = app.state;
	if (hand.dora?.includes(one)) return isDoraOpen();
	return one.doubt && faces().some(({ place }) => hands.tileAt(hand, place) === one);
}

/** Whether a tile of the hand is in doubt, or whether it belongs to it or won. */
export const unclear = (one) => isAskedAbout(one) || unsettled().some(({ kind, tiles }) => kind !== "hand" && tiles.some((at) => String(app.state.reading.tiles[at].quad) === String(one.quad)));

app.others = () => others(app.state);
