// A hand of the game on its way: who won from whom, then his tiles or what they are worth, then into the book.
import { attempt, fresh, rescore } from "./acts.js";
import * as games from "./games.js";
import { open, toBlob } from "./photo.js";
import { h } from "./shared/dom.js";
import { app, change } from "./state.js";

const { desk } = games;

/** Somebody has won: `from` is a player, or null for a self-draw. */
export function claim(winners, from) {
	next({ ...begun(from), winners: games.inTurn(winners, from), hands: [] });
}

const begun = (from) => ({ game: desk.game.id, id: games.newId(), fix: desk.fix, nth: games.count(), from });

/** On to the first winner whose hand is not told yet. */
function next(one) {
	const { rules } = desk.game.events[0].event;
	const { honba, riichi_sticks } = games.hand().table;
	const facts = games.known(one.winners, one.hands.length, one.from);
	const dora = one.hands[0]?.dora_indicators ?? games.turnedDora();
	fresh({ screen: "take", won: { rules, table: { honba, riichi_sticks } }, claim: { ...one, facts: { ...facts, ...(dora.length ? { dora_indicators: dora } : {}) } } });
}

const WAY = [
	"double_riichi", "open_riichi", "ippatsu", "rinshan", "chankan", "robbed_ankan", "haitei", "houtei", "tenhou", "chiihou", "renhou",
	"dora_count", "ura_count", "nukidora", "discards", "pao",
]; // what was told of a hand besides its tiles

/** The tiles of a winner's hand, the `nth` of those that are corrected, as they were booked; how it was won stays, and so do the others'. */
export function tilesAgain(nth) {
	const { hands } = desk.game.events[desk.fix].event;
	const hand = hands[nth];
	const winners = hands.map((one) => games.hand().table.seats.indexOf(one.seat_wind));
	next({ ...begun(desk.stands.hands[desk.fix - 1].discarder ?? null), winners, hands: hands.slice(0, nth), rest: hands.slice(nth + 1) });
	const one = app.state.claim;
	const { dora_indicators, ...facts } = one.facts; // they lie in the hand
	const told = Object.fromEntries(WAY.filter((name) => name in hand).map((name) => [name, hand[name]]));
	change({ claim: { ...one, facts: { ...told, ...facts } } });
	return hand;
}

export const drop = () => fresh({ screen: "home" });

/** What the table knows has changed under the hand: a riichi that was forgotten, or the server has told what came before it. */
export function again() {
	const { claim: one, won } = app.state;
	const table = one && games.hand().table;
	if (!table) return;
	const { honba, riichi_sticks } = table;
	const hands = one.hands.map((hand, nth) => ({ ...hand, seat_wind: games.seatsOf([one.winners[nth]])[0] }));
	change({ won: { ...won, table: { honba, riichi_sticks } }, claim: { ...one, hands, facts: { ...one.facts, ...games.known(one.winners, one.hands.length, one.from) } } });
	if (app.state.hand) rescore();
}

/** Whether the hand on its way, if there is one, belongs to the game and the place in it that is open. */
export const isHere = ({ claim } = app.state) => !claim || (claim.game === desk.game?.id && (claim.fix ?? null) === desk.fix && (desk.fix !== null || (claim.nth ?? games.count()) === games.count()));

export const winner = ({ winners, hands }) => winners[hands.length];

/** Whether this hand ends the event, `rest` being told already; else another winner's follows. */
export const isLast = ({ winners, hands, rest = [] }) => hands.length + 1 + rest.length === winners.length;

/** The hand record that was scored, as the book has it: the tiles, too, since which of 14 won the server may have said. */
function told({ outcome }) {
	// what the game knows it says itself: a correction of a hand before may change it
	const { known, rules, words, dealer, round_wind, honba, riichi_sticks, dealer_wins, ron_index, ...record } = outcome.record;
	return record;
}

/** The hand that is scored, or one whose `value` was told, into the book; or on to the next winner's. */
export async function book(value = null) {
	const one = app.state.claim;
	const { tsumo, seat_wind, loser_offset, riichi } = one.facts;
	const hands = [...one.hands, value ? { value, tsumo, seat_wind, riichi, ...(loser_offset ? { loser_offset } : {}) } : told(app.state)];
	if (!isLast(one)) return next({ ...one, hands });
	await games.book(games.winOf([...hands, ...(one.rest ?? [])]), one.id, await thumbnail());
	await attempt(games.handOver, "game.booking");
	const isWritten = one.fix !== null ? desk.fix === null : games.isBooked(one.id); // in the book, or noted
	if (isWritten && app.state.claim?.id === one.id) drop();
}

const WIDE = 480; // pixels of a picture in the book

/** The photo of the hand, small. */
async function thumbnail() {
	const unread = app.photos.length ? null : app.shots[0]; // the server has not answered
	const photo = (app.photos[app.state.reading?.index ?? 0] ?? (unread && (await open(unread))))?.picture;
	if (!photo) return null;
	const scale = Math.min(1, WIDE / photo.width);
	const canvas = h("canvas", { width: Math.round(photo.width * scale), height: Math.round(photo.height * scale) });
	canvas.getContext("2d").drawImage(photo, 0, 0, canvas.width, canvas.height);
	return toBlob(canvas, 0.7);
}
