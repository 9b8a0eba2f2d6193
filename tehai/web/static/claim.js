// A hand of the game on its way: who won from whom, then his tiles or what they are worth, then into the book.
import { attempt, fresh, isAwaited, openHand, rescore } from "./acts.js";
import * as api from "./api.js";
import * as games from "./games.js";
import { answersOf, fromReading, places, tileAt } from "./hand.js";
import { isSettled } from "./outcome.js";
import { open, toBlob } from "./photo.js";
import { h } from "./shared/dom.js";
import { spoken } from "./shared/text.js";
import { app, change, listen, raise } from "./state.js";
import { pictures } from "./store.js";

const { desk } = games;

/** Somebody has won: `from` is a player, null for a self-draw, undefined as long as nobody has said it. */
export function claim(winners, from) {
	next({ ...begun(from), winners: games.inTurn(winners, from), hands: [] });
}

/** Somebody has won, and who it was is told when the photo is there. */
export const claimLater = () => claim([null], undefined);

/** Whether it is known who won, and on whose discard. */
export const isTold = (one) => winner(one) !== null && one.from !== undefined;

const begun = (from) => ({ game: desk.game.id, id: games.newId(), fix: desk.fix, nth: games.count(), from });

/** On to the first winner whose hand is not told yet. */
function next(one) {
	const { rules } = desk.game.events[0].event;
	const { honba, riichi_sticks } = games.hand().table;
	const dora = one.hands[0]?.dora_indicators ?? games.turnedDora();
	const more = dora.length ? { dora_indicators: dora } : {};
	return fresh({ screen: "take", won: { rules, table: { honba, riichi_sticks } }, claim: { ...one, more, facts: factsOf({ ...one, more }) } });
}

/** What needs no asking about the hand: what the game knows, and `more` that is known besides. */
const factsOf = (one) => ({ ...one.more, ...games.known(one.winners, one.hands.length, one.from) });

/** Of a hand that is told already: what the game knows of it now. */
function seated(one, hand, nth) {
	const { seat_wind, tsumo, loser_offset = null, riichi } = games.known(one.winners, nth, one.from);
	return { ...hand, seat_wind, tsumo, loser_offset, riichi };
}

/** A hand of those that are corrected, the `nth`, as it was booked: its tiles, its photo where this phone has it, every answer. */
export async function reopen(nth) {
	const { event: { hands }, seen } = desk.game.events[desk.fix];
	const record = hands[nth];
	const winners = hands.map((one) => games.hand().table.seats.indexOf(one.seat_wind));
	next({ ...begun(desk.stands.hands[desk.fix - 1].discarder ?? null), winners, hands: hands.slice(0, nth), rest: hands.slice(nth + 1), seen: seen ?? [] });
	const one = app.state.claim;
	const more = record.robbed_ankan ? { robbed_ankan: true } : {}; // no question asks it
	change({ claim: { ...one, more, facts: factsOf({ ...one, more }) } });
	const { picture, tiles = [] } = seen?.[nth] ?? {};
	const photo = picture && (await pictures.get(picture));
	const shown = photo ? tiles.map((tile) => ({ ...tile, runner_up: [null, 0] })) : [];
	const hand = fromReading({ hand: record, tiles: shown, doubts: [] }, shown.filter(({ role }) => role !== "other"));
	return openHand(hand, answersOf(record), "check", null, null, photo && { photo, tiles: shown });
}

export const drop = () => fresh({ screen: "home" });

/** What the table knows has changed under the hand: a riichi that was forgotten, or the server has told what came before it. */
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

const HANGS = { tsumo: ["rinshan", "haitei", "tenhou", "chiihou"], ron: ["houtei", "chankan", "robbed_ankan", "renhou"], riichi: ["ippatsu", "double_riichi", "open_riichi"] };

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
export const isHere = ({ claim } = app.state) => !claim || (claim.game === desk.game?.id && (claim.fix ?? null) === desk.fix && (desk.fix !== null || (claim.nth ?? games.count()) === games.count()));

export const winner = ({ winners, hands }) => winners[hands.length] ?? null;

/** Whether this hand ends the event, `rest` being told already; else another winner's follows. */
export const isLast = ({ winners, hands, rest = [] }) => hands.length + 1 + rest.length === winners.length;

/** The hand record that was scored, as the book has it: the tiles, too, since which of 14 won the server may have said. */
function told({ outcome }) {
	// what the game knows it says itself: a correction of a hand before may change it
	const { known, rules, words, dealer, round_wind, honba, riichi_sticks, dealer_wins, ron_index, ...record } = outcome.record;
	return record;
}

/** The hands that are told, the last of them the one that is scored or whose `value` was told. */
function handsWith(value) {
	const { hands, facts: { tsumo, seat_wind, loser_offset, riichi } } = app.state.claim;
	return [...hands, value ? { value, tsumo, seat_wind, riichi, ...(loser_offset ? { loser_offset } : {}) } : told(app.state)];
}

/** What "Book it" would write now. */
export const eventOf = (value = null) => games.winOf([...handsWith(value), ...(app.state.claim.rest ?? [])]);

/** What the hand on its way changes: `turn`, once the server has said it, or the `trouble` with it. */
export const ahead = { of: null, turn: null, trouble: null };

/** Asks for it where the hand has a score. */
function lookAhead() {
	const { claim: one, outcome } = app.state;
	const isThere = one && isHere() && isTold(one) && !isAwaited() && isSettled(outcome?.result) && outcome.result.status === "ok";
	const event = isThere ? eventOf() : null;
	const of = event && JSON.stringify([desk.game.id, desk.game.n, desk.fix, event, spoken()]);
	if (of === ahead.of) return;
	Object.assign(ahead, { of, turn: null, trouble: null });
	if (event) games.foresee(event).then((turn) => arrived(of, { turn, trouble: turn ? null : new api.Trouble("offline") }), (trouble) => arrived(of, { trouble }));
}

function arrived(of, found) {
	if (ahead.of !== of) return;
	Object.assign(ahead, found);
	raise("busy");
}

listen("changed", lookAhead);
api.listen("back", () => {
	ahead.of = null;
	lookAhead();
});

/** The hand that is scored, or one whose `value` was told, into the book; or on to the next winner's. */
export async function book(value = null) {
	const one = app.state.claim;
	const hands = handsWith(value);
	const mine = value ? null : await see(`${one.id}-${hands.length - 1}`);
	if (!isLast(one)) return next({ ...one, hands, seen: [...(one.seen ?? []), mine] });
	const all = one.winners.map((_, nth) => (nth === hands.length - 1 ? mine : one.seen?.[nth]) ?? null);
	await games.book(eventOf(value), one.id, all);
	await attempt(games.handOver, "game.booking");
	const isWritten = one.fix !== null ? desk.fix === null : games.isBooked(one.id); // in the book, or noted
	if (isWritten && app.state.claim?.id === one.id) drop();
}

const WIDE = 1600; // pixels of a picture in the book: the crops of its tiles are still sharp

/** Keeps the photo of the hand under this name: {picture, tiles}, where in it which tile lies; null without one. */
async function see(name) {
	const { hand, reading } = app.state;
	const index = reading?.index ?? 0;
	const photo = app.photos[index] ?? (app.shots[index] && (await open(app.shots[index]))); // of one that the server has not read
	if (!photo) return null;
	const scale = Math.min(1, WIDE / photo.picture.width);
	const canvas = h("canvas", { width: Math.round(photo.picture.width * scale), height: Math.round(photo.picture.height * scale) });
	canvas.getContext("2d").drawImage(photo.picture, 0, 0, canvas.width, canvas.height);
	if ((await pictures.put(name, await toBlob(canvas, 0.7))) === undefined) return null; // the browser keeps nothing
	const there = ({ label, quad }, role) => ({ label, role, quad: quad.map((corner) => corner.map((value) => Math.round(value * photo.scale * scale))) });
	const mine = hand ? places(hand).map((place) => [tileAt(hand, place), roleOf(place.group)]).filter(([one]) => one.quad && one.shot === index) : [];
	const others = (reading?.tiles ?? []).filter((one) => one.role === "other" && (one.photo ?? 0) === index);
	return { picture: name, tiles: [...mine.map(([one, role]) => there(one, role)), ...others.map((one) => there(one, "other"))] };
}

/** What a reading calls a group of the hand. */
const roleOf = (group) => (group === "closed" ? "hand" : group);
