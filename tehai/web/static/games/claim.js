// A win that is being entered: the winners, the discarder, then each winner's tiles or value.
import { fresh, readShots, rescore } from "../app/actions.js";
import * as games from "./games.js";
import { app, change } from "../app/state.js";
import { shots as stored } from "../app/store.js";

const { current } = games;

/** Starts a win. `from`: the discarder, null for tsumo, undefined if not yet known. */
export function claim(winners, from) {
	nextWinner({ ...newClaim(from), winners: games.inTurn(winners, from), hands: [] });
}

/** Starts a win with the photo. The winner is named later. */
export const claimLater = () => claim([null], undefined);

/** Whether the winner and the discarder are known. */
export const hasPlayers = (one) => winner(one) !== null && one.from !== undefined;

export const newClaim = (from) => ({
	game: current.game.id,
	id: games.newId(),
	fix: current.fix,
	nth: games.count(),
	from,
});

const OF_THE_DISCARD = ["houtei", "chankan", "tsubame_gaeshi", "kanburi"]; // the same for all winners on a discard

/** Goes on to the first winner whose hand is missing. */
export function nextWinner(one) {
	const { rules } = current.game.events[0].event;
	const { honba, riichi_sticks } = games.hand().table;
	const [first = {}] = one.hands;
	const dora = first.dora_indicators ?? games.turnedDora();
	const shared = Object.fromEntries(OF_THE_DISCARD.filter((name) => first[name]).map((name) => [name, true]));
	const more = { ...shared, ...(dora.length && { dora_indicators: dora }) };
	return fresh({
		screen: "take",
		won: { rules, table: { honba, riichi_sticks } },
		claim: { ...one, more, turned: games.turnedDora(), facts: factsOf({ ...one, more }) },
	});
}

/** Facts of the hand that need no question: those of the game, and `more`. */
export const factsOf = (one) => ({ ...one.more, ...games.known(one.winners, one.hands.length, one.from) });

/** An entered hand with the current facts of the game. */
function withFacts(one, hand, nth) {
	const { seat_wind, tsumo, loser_offset = null, riichi } = games.known(one.winners, nth, one.from);
	return { ...hand, seat_wind, tsumo, loser_offset, riichi };
}

export const drop = () => fresh({ screen: "home" });

let aside = null; // {state, shots, photos}: a win that was being entered when an earlier hand was opened for correction

/** Drops a win of another hand. One that was put aside comes back after the correction. */
export function follow() {
	const { state, shots, photos } = app;
	if (!isCurrent()) {
		if (current.fix !== null && state.claim.fix === null) aside = { state, shots, photos };
		drop();
	}
	if (current.fix !== null || !aside) return;
	const kept = aside;
	aside = null;
	if (!isCurrent(kept.state)) return;
	Object.assign(app, kept, { state: app.state });
	stored.put(kept.shots);
	change({ ...kept.state, screen: app.state.screen });
	if (kept.shots.length && !kept.state.hand) readShots();
}

app.restored = async () => {
	if (isCurrent()) return;
	if (games.isBooked(app.state.claim.id)) await fresh();
	else app.state = { ...app.state, claim: null, won: null };
};

/** The game's facts have changed, for example by a forgotten riichi. */
export function updateFacts() {
	const { claim: one, won } = app.state;
	const table = one && games.hand().table;
	if (!table) return;
	const { honba, riichi_sticks } = table;
	const nth = one.hands.length;
	const hands = one.hands.map((hand, at) => withFacts(one, hand, at));
	const rest = one.rest?.map((hand, at) => withFacts(one, hand, nth + 1 + at));
	const facts = factsOf(one);
	change({
		won: { ...won, table: { honba, riichi_sticks } },
		claim: { ...one, hands, rest, facts },
		...matching(app.state, facts),
	});
	if (app.state.hand) rescore();
}

export const DEPENDENT = {
	tsumo: ["rinshan", "haitei", "tenhou", "chiihou"],
	ron: ["houtei", "chankan", "robbed_ankan", "renhou", "tsubame_gaeshi", "kanburi"],
	riichi: ["ippatsu", "double_riichi", "open_riichi"],
};

/** The answers that fit the facts. Without riichi, answers that depend on it go. */
function matching({ answers, hand }, { tsumo, riichi }) {
	const dropped = [
		...(tsumo === undefined ? [] : DEPENDENT[tsumo ? "ron" : "tsumo"]),
		...(riichi === false ? DEPENDENT.riichi : []),
	];
	const left = (one) =>
		Array.isArray(one.id)
			? {
					...one,
					id: one.id.filter((id) => !dropped.includes(id)),
					fields: {
						...one.fields,
						...Object.fromEntries(dropped.filter((name) => name in one.fields).map((name) => [name, false])),
					},
				}
			: one;
	const isLeft = ({ field, id }) =>
		!(Array.isArray(id) && !id.length) && !(field === "ura_indicators" && riichi === false);
	return {
		answers: answers.map(left).filter(isLeft),
		...(hand?.ura && riichi === false ? { hand: { ...hand, ura: null } } : {}),
	};
}

/** Changes the winner or discarder; photo, tiles and answers stay. If the new winner was the discarder, the two trade
 * places. */
export function changeWinner({ winner: now, from }) {
	const one = app.state.claim;
	const nth = one.hands.length;
	const old = winner(one);
	const discarder = from !== undefined ? from : one.from === now ? (old ?? undefined) : one.from;
	change({ claim: { ...one, winners: now === undefined ? one.winners : one.winners.with(nth, now), from: discarder } });
	updateFacts();
}

/** Whether no win is being entered, or one of the current hand. */
export const isCurrent = ({ claim } = app.state) =>
	!claim ||
	(claim.game === current.game?.id &&
		(claim.fix ?? null) === current.fix &&
		(current.fix !== null || (claim.nth ?? games.count()) === games.count()));

export const winner = ({ winners, hands }) => winners[hands.length] ?? null;

/** Whether no other winner's hand follows. `rest`: later winners' hands, already entered. */
export const isLast = ({ winners, hands, rest = [] }) => hands.length + 1 + rest.length === winners.length;
