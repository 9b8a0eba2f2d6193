// A hand of the game on its way: who won from whom, then his tiles or what they are worth.
import { fresh, rescore } from "../app/actions.js";
import * as games from "./games.js";
import { app, change } from "../app/state.js";

const { current } = games;

/** Somebody has won: `from` is a player, null for a self-draw, undefined as long as nobody has said it. */
export function claim(winners, from) {
	next({ ...begun(from), winners: games.inTurn(winners, from), hands: [] });
}

/** Somebody has won, and who it was is told when the photo is there. */
export const claimLater = () => claim([null], undefined);

/** Whether it is known who won, and on whose discard. */
export const isTold = (one) => winner(one) !== null && one.from !== undefined;

export const begun = (from) => ({ game: current.game.id, id: games.newId(), fix: current.fix, nth: games.count(), from });

const OF_THE_DISCARD = ["houtei", "chankan", "tsubame_gaeshi", "kanburi"]; // the same for all who win on it

/** On to the first winner whose hand is not told yet. */
export function next(one) {
	const { rules } = current.game.events[0].event;
	const { honba, riichi_sticks } = games.hand().table;
	const [first = {}] = one.hands;
	const dora = first.dora_indicators ?? games.turnedDora();
	const shared = Object.fromEntries(OF_THE_DISCARD.filter((name) => first[name]).map((name) => [name, true]));
	const more = { ...shared, ...(dora.length && { dora_indicators: dora }) };
	return fresh({ screen: "take", won: { rules, table: { honba, riichi_sticks } }, claim: { ...one, more, facts: factsOf({ ...one, more }) } });
}

/** What needs no asking about the hand: what the game knows, and `more` that is known besides. */
export const factsOf = (one) => ({ ...one.more, ...games.known(one.winners, one.hands.length, one.from) });

/** Of a hand that is told already: what the game knows of it now. */
function seated(one, hand, nth) {
	const { seat_wind, tsumo, loser_offset = null, riichi } = games.known(one.winners, nth, one.from);
	return { ...hand, seat_wind, tsumo, loser_offset, riichi };
}

export const drop = () => fresh({ screen: "home" });

/** What the table knows has changed under the hand, as by a forgotten riichi. */
export function again() {
	const { claim: one, won } = app.state;
	const table = one && games.hand().table;
	if (!table) return;
	const { honba, riichi_sticks } = table;
	const nth = one.hands.length;
	const hands = one.hands.map((hand, at) => seated(one, hand, at));
	const rest = one.rest?.map((hand, at) => seated(one, hand, nth + 1 + at));
	const facts = factsOf(one);
	change({ won: { ...won, table: { honba, riichi_sticks } }, claim: { ...one, hands, rest, facts }, ...fitting(app.state, facts) });
	if (app.state.hand) rescore();
}

const HANGS = { tsumo: ["rinshan", "haitei", "tenhou", "chiihou"], ron: ["houtei", "chankan", "robbed_ankan", "renhou", "tsubame_gaeshi", "kanburi"], riichi: ["ippatsu", "double_riichi", "open_riichi"] };

/** The answers that can be with these facts; what hangs on a riichi that nobody declared goes with it. */
function fitting({ answers, hand }, { tsumo, riichi }) {
	const gone = [...(tsumo === undefined ? [] : HANGS[tsumo ? "ron" : "tsumo"]), ...(riichi === false ? HANGS.riichi : [])];
	const left = (one) => (Array.isArray(one.id) ? { ...one, id: one.id.filter((id) => !gone.includes(id)), fields: { ...one.fields, ...Object.fromEntries(gone.filter((name) => name in one.fields).map((name) => [name, false])) } } : one);
	const isLeft = ({ field, id }) => !(Array.isArray(id) && !id.length) && !(field === "ura_indicators" && riichi === false);
	return { answers: answers.map(left).filter(isLeft), ...(hand?.ura && riichi === false ? { hand: { ...hand, ura: null } } : {}) };
}

/** Another player has won, or on another's discard; photo, tiles and answers stay. Who was the discarder and won trades places. */
export function tell({ winner: now, from }) {
	const one = app.state.claim;
	const nth = one.hands.length;
	const old = winner(one);
	const discarder = from !== undefined ? from : one.from === now ? (old ?? undefined) : one.from;
	change({ claim: { ...one, winners: now === undefined ? one.winners : one.winners.with(nth, now), from: discarder } });
	again();
}

/** Whether the hand on its way, if there is one, belongs to the game and the place in it that is open. */
export const isHere = ({ claim } = app.state) => !claim || (claim.game === current.game?.id && (claim.fix ?? null) === current.fix && (current.fix !== null || (claim.nth ?? games.count()) === games.count()));

export const winner = ({ winners, hands }) => winners[hands.length] ?? null;

/** Whether this hand ends the event, `rest` being told already; else another winner's follows. */
export const isLast = ({ winners, hands, rest = [] }) => hands.length + 1 + rest.length === winners.length;
