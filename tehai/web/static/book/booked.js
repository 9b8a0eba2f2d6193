// Records a hand in the game, and opens a recorded one again.
import { attempt, isAwaited, openHand } from "../app/actions.js";
import * as api from "../app/api.js";
import {
	DEPENDENT,
	newClaim,
	drop,
	factsOf,
	isCurrent,
	isLast,
	hasPlayers,
	nextWinner,
	updateFacts,
} from "../games/claim.js";
import * as games from "../games/games.js";
import { fromReading, places, tile, tileAt } from "../app/hand.js";
import { isSettled } from "../app/outcome.js";
import { open, toBlob } from "../app/photo.js";
import { h } from "../shared/dom.js";
import { join, split } from "../shared/labels.js";
import { spoken } from "../shared/text.js";
import { app, change, listen, raise } from "../app/state.js";
import { pictures } from "../app/store.js";

const { current } = games;

// --- recording ---

/** The scored hand record, as the game stores it. It includes the winning tile, which the server may have found. */
function recordOf({ outcome }) {
	// The game supplies these fields. A correction of an earlier hand can change them.
	const { known, rules, words, dealer, round_wind, honba, riichi_sticks, dealer_wins, ron_index, ...record } =
		outcome.record;
	return record;
}

/** All entered hands of this win. The last is the scored hand, or one with a declared `value`. */
function handsWith(value) {
	const {
		hands,
		facts: { tsumo, seat_wind, loser_offset, riichi },
	} = app.state.claim;
	if (!value) return [...hands, recordOf(app.state)];
	const { pao, ...worth } = value;
	return [
		...hands,
		{ value: worth, tsumo, seat_wind, riichi, ...(loser_offset ? { loser_offset } : {}), ...(pao ? { pao } : {}) },
	];
}

/** The dealer, if the dealer discarded and a triple ron is a draw in which the dealer's tenpai decides the next deal.
 * Otherwise null. */
export function dealerToAsk({ winners, from }) {
	const { may, table } = games.hand();
	const isAsked =
		winners.length === 3 &&
		may.triple_ron_draw &&
		may.abort_asks_tenpai &&
		table.seats[from] === "E" &&
		!current.declared.includes(from);
	return isAsked ? from : null;
}

/** Whether the dealer's tenpai is known or not needed. */
export const isDealerKnown = (one) => dealerToAsk(one) === null || one.tenpai !== undefined;

export const setDealerTenpai = (tenpai) => change({ claim: { ...app.state.claim, tenpai } });

const ON_RIICHI = [...DEPENDENT.riichi, "ura_indicators", "ura_count"];

/** The hand without what needs a riichi, if another winner's screen has taken it back. */
const fitting = (hand) =>
	hand.riichi !== false ? hand : Object.fromEntries(Object.entries(hand).filter(([name]) => !ON_RIICHI.includes(name)));

/** The event that "Record it" would record now. */
export function eventOf(value = null) {
	const one = app.state.claim;
	const win = games.winOf([...handsWith(value), ...(one.rest ?? [])].map(fitting));
	return one.tenpai && dealerToAsk(one) !== null ? { ...win, tenpai: ["E"] } : win;
}

games.listen("changed", turnDora);

/** Gives all hands of this win the dora indicators of the table, if those have changed since it began. */
function turnDora() {
	const { claim: one, hand, answers, reading } = app.state;
	if (!one) return;
	const turned = games.turnedDora();
	if (games.isEqual(turned, one.turned ?? [])) return;
	const withTurned = ({ dora_indicators, dora_count, ...rest }) => ({
		...rest,
		...(turned.length && !rest.value && { dora_indicators: turned }),
	});
	change({
		claim: { ...one, turned, hands: one.hands.map(withTurned), more: withTurned(one.more) },
		hand: hand && { ...hand, dora: turned.length ? turned.map(tile) : null },
		answers: answers.filter(({ field }) => field !== "dora_indicators"),
		reading: reading && { ...reading, doubts: reading.doubts.filter(({ kind }) => kind !== "indicator") },
	});
	updateFacts();
}

/** The preview of the current win: `turn` from the server, or its `trouble`. */
export const previewed = { of: null, turn: null, trouble: null };

/** Requests the preview once the hand has a score. */
function updatePreview() {
	const { claim: one, outcome } = app.state;
	const hasScore =
		one &&
		isCurrent() &&
		hasPlayers(one) &&
		!isAwaited() &&
		isSettled(outcome?.result) &&
		outcome.result.status === "ok";
	const event = hasScore ? eventOf() : null;
	const of = event && JSON.stringify([current.game.id, current.game.n, current.fix, event, spoken()]);
	if (of === previewed.of) return;
	Object.assign(previewed, { of, turn: null, trouble: null });
	if (event)
		games.preview(event).then(
			(turn) => receivePreview(of, { turn, trouble: turn ? null : new api.Trouble("offline") }),
			(trouble) => receivePreview(of, { trouble }),
		);
}

function receivePreview(of, found) {
	if (previewed.of !== of) return;
	Object.assign(previewed, found);
	raise("busy");
}

listen("changed", updatePreview);
api.listen("back", () => {
	previewed.of = null;
	updatePreview();
});

/** Records the scored hand, or one with a declared `value`. With more winners, goes on to the next. */
export async function book(value = null) {
	const one = app.state.claim;
	const hands = handsWith(value);
	const mine = await storePhoto(`${one.id}-${hands.length - 1}`);
	if (!isLast(one)) return nextWinner({ ...one, hands, seen: [...(one.seen ?? []), mine] });
	const all = one.winners.map((_, nth) => (nth === hands.length - 1 ? mine : one.seen?.[nth]) ?? null);
	await games.book(eventOf(value), one.id, all);
	await attempt(games.sendPending, "game.booking");
	const isWritten = one.fix !== null ? current.fix === null : games.isBooked(one.id); // recorded or pending
	if (isWritten && app.state.claim?.id === one.id) drop();
}

const WIDE = 1600; // pixels of a stored picture, enough for sharp crops of its tiles

/** Stores the photo of the hand under this name. Returns {picture, tiles}, with the tiles' places in it, or null. */
async function storePhoto(name) {
	const { hand, reading } = app.state;
	const index = reading?.index ?? 0;
	const photo = app.photos[index] ?? (app.shots[index] && (await open(app.shots[index]))); // a photo that the server has not read
	if (!photo) return null;
	const scale = Math.min(1, WIDE / photo.picture.width);
	const canvas = h("canvas", {
		width: Math.round(photo.picture.width * scale),
		height: Math.round(photo.picture.height * scale),
	});
	canvas.getContext("2d").drawImage(photo.picture, 0, 0, canvas.width, canvas.height);
	if ((await pictures.put(name, await toBlob(canvas, 0.7))) === undefined) return null; // the browser refuses to store it
	const there = ({ label, quad }, role) => ({
		label,
		role,
		quad: quad.map((corner) => corner.map((value) => Math.round(value * photo.scale * scale))),
	});
	const mine = hand
		? places(hand)
				.map((place) => [tileAt(hand, place), roleOf(place.group)])
				.filter(([one]) => one.quad && one.shot === index)
		: [];
	const others = (reading?.tiles ?? []).filter((one) => one.role === "other" && (one.photo ?? 0) === index);
	return {
		picture: name,
		tiles: [...mine.map(([one, role]) => there(one, role)), ...others.map((one) => there(one, "other"))],
	};
}

/** The role of a group of the hand in a reading. */
const roleOf = (group) => (group === "closed" ? "hand" : group);

// --- opening again ---

const MARKS = [
	"double_riichi",
	"open_riichi",
	"ippatsu",
	"rinshan",
	"chankan",
	"haitei",
	"houtei",
	"tenhou",
	"chiihou",
	"renhou",
	"tsubame_gaeshi",
	"kanburi",
];
const LIABLE = { 1: "right", 2: "across", 3: "left" };

/** The answers that a record contains. */
function answersOf(record) {
	const one = (field, id, fields, labels) => ({ field, id, fields, ...(labels ? { labels } : {}) });
	const marks = MARKS.filter((name) => record[name]);
	const indicators = (name) => {
		const count = `${name}_count`;
		const labels = record[`${name}_indicators`];
		if (record[count]) return one(`${name}_indicators`, record[count], { [count]: record[count] });
		return labels && (name === "dora" || record.riichi) ? one(`${name}_indicators`, join(labels), {}, labels) : null;
	};
	return [
		marks.length > 0 && one("special", marks, Object.fromEntries(marks.map((name) => [name, true]))),
		indicators("dora"),
		indicators("ura"),
		record.nukidora > 0 && one("nukidora", String(record.nukidora), { nukidora: record.nukidora }),
		record.pao && one("pao", LIABLE[record.pao], { pao: record.pao }),
		record.discards?.length > 0 &&
			one("discards", record.discards, { discards: record.discards }, split(record.discards)),
	].filter(Boolean);
}

/** Opens winner `nth` of the corrected hand, with its tiles, answers, and its photo if this phone has it. */
export async function reopen(nth) {
	const {
		event: { hands, tenpai = [] },
		seen,
	} = current.game.events[current.fix];
	const record = hands[nth];
	const winners = hands.map((one) => games.hand().table.seats.indexOf(games.windOf(one)));
	nextWinner({
		...newClaim(current.stands.hands[current.fix - 1].discarder ?? null),
		winners,
		hands: hands.slice(0, nth),
		rest: hands.slice(nth + 1),
		seen: seen ?? [],
		tenpai: tenpai.includes("E"),
	});
	const one = app.state.claim;
	const more = record.robbed_ankan ? { robbed_ankan: true } : {}; // no question asks for it
	const { picture, tiles = [] } = seen?.[nth] ?? {};
	const photo = picture && (await pictures.get(picture));
	const elsewhere = !photo && Boolean(current.game.shared); // photos stay on the phone that took them
	change({ claim: { ...one, more, elsewhere, facts: factsOf({ ...one, more }) } });
	const shown = photo ? tiles.map((tile) => ({ ...tile, runner_up: [null, 0] })) : [];
	const { ura_indicators, ...rest } = record;
	const visible = record.riichi ? record : rest; // without riichi there are no ura dora
	const hand = fromReading(
		{ hand: visible, tiles: shown, doubts: [] },
		shown.filter(({ role }) => role !== "other"),
	);
	return openHand(hand, answersOf(record), "check", null, null, photo && { photo, tiles: shown });
}
