// The current game: its events, and the server's answers. The server alone calculates points, winds and counters.
// A game: {id, at, n, events: [{id, at, event, picture}], undo, noted, stands, tried, dora: {nth, tiles, unsent}}.
// `n`: counts the changes, to detect a second window or phone. `undo`: earlier lists of events. `tried`: the events that a
// server which is to share the game may already have. `dora`: the indicators of the hand after `nth` events.
// Another window may write at any time: change the saved game, never replace it.
// `noted`: pending changes, which the server has not confirmed, in order. Each has `id`, `text`, `deal` (its winds refer to it), and
// `nth`, the number of events before it. `event`: added at the end, or in place of the entry `of`. `of` alone: remove that entry.
// `undo` in it: the events to restore.
import * as api from "../app/api.js";
import { events } from "../shared/events.js";
import { spoken, t } from "../shared/text.js";
import { textOf } from "./pending.js";
import { games as storage, persist, storedSeat, storeSeat } from "../app/store.js";

const MOST_UNDONE = 20;
const STICK = 1000; // points of a riichi stick

/** `changed`: another game or another hand; `overtaken`: why a hand comes too late; `waits`: another window has
 * unconfirmed changes. */
export const { listen, raise } = events();

/** The current game. `stands`: after all events; `before`: before the corrected one; `fix`: its number. `declared`: players
 * in riichi; `aside`: those of the next hand during a correction. `fresh`: changes by the last event. `late`: whether
 * unconfirmed changes wait for the server or for the player. */
export const current = {
	game: null,
	stands: null,
	before: null,
	declared: [],
	aside: [],
	fix: null,
	fresh: null,
	late: false,
};

export const newId = () => crypto.getRandomValues(new Uint32Array(2)).join("-");
export const record = (game) => game.events.map(({ event }) => event);

export const pending = () => current.game?.noted ?? [];

/** How much longer this change makes the list of events. */
const size = ({ event, of, undo, nth }) => (undo ? undo.length - nth : of ? (event ? 0 : -1) : 1);
const isHand = ({ of, undo }) => !of && !undo;

const PLAYED = ["win", "draw", "abort", "chombo"]; // events after which no riichi stick remains on the table
const isPlayed = (one) => PLAYED.includes(one?.event?.event);
const played = (events) => events.filter(isPlayed).length;

/** Whether this change leads to another hand. */
const isNext = (one) =>
	one.undo ? played(one.undo) !== played(current.game.events) : isPlayed(one) !== isPlayed(one.of);

/** Back to the current hand. `isOther`: a different hand than before. */
const resetTable = (isOther) => ({
	before: null,
	fix: null,
	declared: isOther ? [] : current.fix === null ? current.declared : current.aside,
	aside: [],
});

/** The number of events, pending ones included. */
export const count = (game = current.game) =>
	(game?.noted ?? []).reduce((all, one) => all + size(one), game?.events.length);

/** The number of hands before the one in progress, pending ones included. */
export const handsPlayed = () =>
	pending().reduce(
		(all, one) => (one.undo ? played(one.undo) : all + isPlayed(one) - isPlayed(one.of)),
		played(current.game.events),
	);

/** A name of the hand that is being entered. */
export const handId = () => `${current.game?.id} ${count()} ${current.fix}`;

/** The hand that is being entered: the next, or the corrected one.
 * With pending changes it is unknown whether the game goes on after its end: the hand is entered like the last one. */
export function hand() {
	const { fix, stands, before } = current;
	if (fix !== null) return before;
	return stands.table || !lastHand() ? stands : tableBefore(stands, lastHand());
}

/** The number of the last hand, 0 without one. */
const lastHand = () => current.stands.hands.findLastIndex(({ table }) => table) + 1;

/** Whether the game has ended, and no pending change can continue it. */
export const isOver = () =>
	current.stands.over && current.fix === null && !(current.late && pending().some((one) => !isHand(one)));

// --- storage, shared by all windows of the browser ---

const windows = new BroadcastChannel("tehai");
windows.onmessage = async ({ data: { id, late } }) => {
	const kept = id === current.game?.id && (await storage.get(id));
	if (!kept || current.game?.id !== id) return;
	const wasLate = current.late;
	await take(kept, wasLate || late);
	if (current.late && !wasLate) raise("waits"); // that window may close before the server is back
};

const notifyWindows = (id) => windows.postMessage({ id, late: current.late });

/** Saves what `act` makes of the stored game. `notify`: the other windows, too. */
export async function write(game, act, notify = true) {
	const kept = await storage.update(current.game?.id === game.id ? current.game : game, act);
	if (notify) notifyWindows(game.id);
	return kept;
}

/** Stores games of this phone alone. */
const local = {
	/** The game after the pending change `id`. */
	async change(game, { events, undo }, id) {
		const stands = await evaluate(events);
		const isUnchanged = ({ n, shared }) => n === game.n && !shared;
		const kept = await write(game, (stored) =>
			isUnchanged(stored)
				? {
						...stored,
						n: game.n + 1,
						events,
						undo,
						stands,
						dora: movedDora(stored, events),
						noted: stored.noted.filter((one) => one.id !== id),
					}
				: stored,
		);
		if (kept.events === events) {
			evaluations.clear(); // the preview is recorded; later changes ask the server again
			return kept;
		}
		await take(kept);
		throw new api.Trouble("conflict");
	},
};

/** Where games are stored. A shared game is changed on the server first. */
export const places = { local, shared: null };

/** Events name seats by their wind. If a correction changes a later deal, the same players have other winds in the
 * hands after it.
 * `deals`: the earlier deal of each event. */
async function rotateFollowing(list, from, deals) {
	for (let at = from; at < list.length; at++) {
		const { next } = await evaluate(list.slice(0, at));
		if (!next || next.deal === deals[at]) return list; // nor does anything change after it
		if (!deals[at]) continue; // a correction of points after the end names no seat
		list = list.with(at, rotated(list[at], deals[at] - next.deal));
	}
	return list;
}

/** The winner's wind. A record may give only the dealer for East. */
export const windOf = ({ seat_wind }) => seat_wind ?? "E";

/** The event for the same players, their winds rotated. */
export function rotated(entry, by) {
	const { players } = current.stands;
	const winds = "ESWN".slice(0, players.length);
	const turn = (wind) => winds[(winds.indexOf(wind) + by + winds.length) % winds.length];
	const { tenpai, declared, nagashi, dead, seat, hands, ...event } = entry.event;
	const lists = Object.fromEntries(
		Object.entries({ tenpai, declared, nagashi, dead })
			.filter(([, seats]) => seats)
			.map(([name, seats]) => [name, [...seats].map(turn)]),
	);
	const rotateHand = ({ dealer, ...hand }) => ({ ...hand, seat_wind: turn(windOf(hand)) });
	return {
		...entry,
		event: { ...event, ...lists, ...(seat && { seat: turn(seat[0]) }), ...(hands && { hands: hands.map(rotateHand) }) },
	};
}

const MOST_EVALUATIONS = 40;
const evaluations = new Map(); // the server's recent answers, by list of events

/** The server's evaluation of the events. It is cached, so that what is recorded equals its preview. */
async function evaluate(list, lang = spoken()) {
	const record = list.map(({ event }) => event);
	const key = JSON.stringify([record, lang]);
	if (!evaluations.has(key)) {
		evaluations.set(key, { ...(await api.game(record, lang)), lang });
		if (evaluations.size > MOST_EVALUATIONS) evaluations.delete(evaluations.keys().next().value);
	}
	return evaluations.get(key);
}

/** The reason for a refusal, with the hand if it is about one. */
export function refusal({ message, event }) {
	const hand = event > 1 && current.stands?.hands[event - 2]?.name;
	const why = message.replace(/^Event \d+: /, "") || t("trouble.refused");
	return hand ? t("game.refused", { name: hand, why }) : why;
}

/** The server's preview of an event; null while changes are pending. */
export async function preview(event) {
	if (current.late) return null;
	const one = { ...pendingFields(event), event, picture: null };
	const list = await eventsAfter(current.game, one);
	return (await evaluate(list)).hands[placeOf(one) - 1];
}

const saveSeat = () =>
	storeSeat({ game: current.game?.id ?? null, declared: current.declared, aside: current.aside, fix: current.fix });

function set(changes) {
	Object.assign(current, changes);
	saveSeat();
	raise("changed");
}

/** Loads the current game. Without the server, as last evaluated. */
export async function restore() {
	const { game: id, declared, aside, fix } = storedSeat();
	const game = id && (await storage.get(id));
	if (!game) return;
	Object.assign(current, {
		game,
		stands: game.stands,
		declared: fix === null ? declared : aside,
		aside: [],
		fix: null,
		late: isLate(game),
	});
	await reevaluate().catch(() => {});
	if (fix !== null && fix < game.events.length) await correct(fix, declared).catch(() => {});
}

/** Evaluates the game again in the current language. */
export async function reevaluate() {
	const { game, stands } = current;
	if (!game || (stands?.lang === spoken() && stands.may.fu)) return; // a game saved by an older page lacks them
	const evaluated = await evaluate(game.events);
	const { fix } = current;
	if (current.game !== game) return reevaluate(); // changed meanwhile
	set({ stands: evaluated, before: fix === null ? null : tableBefore(evaluated, fix) });
}

/** Starts a new game. */
export async function begin(start) {
	const at = now();
	const events = [{ id: newId(), at, event: start }];
	const game = { id: newId(), at, n: 1, events, undo: [], stands: await evaluate(events) };
	return open(await write(game, () => game));
}

export async function open(game) {
	persist();
	set({ game, stands: game.stands, ...resetTable(true), fresh: null, late: isLate(game) });
	return reevaluate();
}

const isLate = ({ noted }) => Boolean(noted?.length);

/** The current game, as another window or phone has changed it. */
export async function take(game, late = current.late) {
	const { fix } = current;
	const old = current.game;
	const at = fix === null ? -1 : game.events.findIndex(({ id }) => id === old.events[fix].id);
	const { stands } = game;
	const isSame = game.n === old.n;
	const own = sending && pending().find(({ id }) => !game.noted?.some((one) => one.id === id)); // recorded, not yet answered
	const sent = !current.late && own;
	const isOther = count(game) !== count(old);
	const isOvertaken = fix === null ? isOther : at < 0 || (own?.of?.id !== game.events[at].id && isChanged(game, at));
	if (isOvertaken) raise("overtaken", overtaken(game, old.events.length, at));
	const fresh = isSame ? current.fresh : game.events.length > old.events.length ? stands.hands.at(-1) : null;
	const before = isSame || at < 0 ? current.before : tableBefore(stands, at);
	const aside = isOther ? [] : current.aside;
	set({
		game,
		stands,
		late: late && isLate(game),
		fresh,
		aside,
		...(isOvertaken || sent ? resetTable(isOvertaken ? isOther : isNext(sent)) : { fix: at < 0 ? null : at, before }),
	});
	await reevaluate().catch(() => {}); // the other window may use another language
}

/** Whether the corrected hand is another record at this place of the game. */
function isChanged({ events, stands }, at) {
	const { fix, game, stands: before } = current;
	const by = (before.hands[fix - 1].deal ?? 0) - (stands.hands[at - 1].deal ?? 0);
	return !isEqual(rotated(game.events[fix], by).event, rotated(events[at], 0).event);
}

/** Why an event for a list of this length, or the correction of event `at`, comes too late. */
function overtaken({ events, stands }, length, at = -1) {
	const last = at < 0 ? events.length > length && stands.hands.at(-1) : stands.hands[at - 1];
	return new api.Trouble(
		"refused",
		last ? t("trouble.booked", { hand: named(last), text: last.text }) : t("trouble.overtaken"),
	);
}

const named = (turn) => turn.name || t(`book.${turn.event}`);

export const close = () => set({ game: null, stands: null, ...resetTable(true), fresh: null, late: false });

// --- dora indicators ---

let turning = null; // {id, nth, tiles}: those that are being stored

/** The indicators turned in the current hand. For a corrected hand, its record has them. */
export function turnedDora() {
	const dora = turning?.id === current.game.id ? turning : current.game.dora;
	return current.fix === null && dora?.nth === count() ? dora.tiles : [];
}

/** Sets the turned indicators, on all phones of a shared game. */
export async function turnDora(tiles) {
	const mine = { id: current.game.id, nth: count(), tiles };
	turning = mine;
	const kept = await write(current.game, (stored) => ({
		...stored,
		dora: { nth: count(stored), tiles, unsent: Boolean(stored.shared) },
	})).finally(() => turning === mine && (turning = null));
	if (current.game?.id === kept.id) set({ game: kept });
	return kept.shared && places.shared.turn();
}

const isCorrection = ({ event }) => event.event === "correction";

/** The stored indicators after a change. They stay with the hand that follows the same hand. */
export function movedDora({ dora, events: before }, events) {
	if (!dora || dora.nth > before.length) return dora;
	const last = before.slice(0, dora.nth).findLast((one) => !isCorrection(one));
	let nth = events.findIndex(({ id }) => id === last?.id) + 1;
	while (nth && nth < events.length && isCorrection(events[nth])) nth++;
	return { ...dora, nth };
}

const has = ({ events, noted: noted = [] }, id) => [...events, ...noted].some((one) => one.id === id);

/** Whether this hand is recorded or pending. A reload can show such a hand again. */
export const isBooked = (id) => current.game !== null && has(current.game, id);

// --- pending changes ---

const now = () => new Date().toISOString();

/** Fields of the pending change: the corrected event if any, the deal, the text. */
function pendingFields(event) {
	const { game, stands, fix } = current;
	const of = fix === null ? null : game.events[fix];
	const turn = of && stands.hands[fix - 1];
	const text = textOf(event, hand());
	return of
		? { of, deal: turn.deal, text: t("noted.corrected", { name: turn.name, text }) }
		: { deal: (stands.next ?? stands.hands[lastHand() - 1]).deal, text };
}

/** Records an event. `seen`: {picture, tiles} of each winner's hand: the photo's name, and where the tiles lie in it.
 * */
export function book(event, id = newId(), seen = []) {
	const picture = seen.find((one) => one)?.picture ?? null;
	return addPending({ id, event, picture, ...(picture && { seen }), ...pendingFields(event) });
}

/** Replaces names or seats from the first hand on. All hands are evaluated again. */
export const replaceStart = (event) =>
	addPending({ id: newId(), event, of: current.game.events[0], deal: 0, text: t("game.seats") });

/** Removes an event. */
export function takeBack(at) {
	const turn = current.stands.hands[at - 1];
	return addPending({ id: newId(), of: current.game.events[at], deal: turn.deal ?? 0, text: removalText(turn) });
}

export const removalText = (turn) => t("noted.taken_back", { name: named(turn), text: turn.text });

const lastPending = () => pending().toSorted((one, other) => other.at.localeCompare(one.at))[0];

/** Whether undo, or taking back event `at`, drops what is entered now: the win `claim`, or riichi. */
export function losesEntered(claim, at = null) {
	const { game, fix, declared, aside } = current;
	const last = at === null && lastPending();
	const one = last || (at === null ? { undo: game.undo.at(-1), nth: count() } : { of: game.events[at] });
	if (claim && (fix !== null || size(one) !== 0)) return true;
	return !last && isNext(one) && (fix === null ? declared : aside).length > 0;
}

/** Undoes the last change, or drops the last pending one. Returns whether a change is pending now. */
export async function undo() {
	const {
		events,
		undo: [...before],
	} = current.game;
	const list = before.pop();
	const last = lastPending();
	if (last) await drop(last.id);
	else
		await addPending({
			id: newId(),
			undo: list,
			deal: 0,
			text: list.length < events.length ? removalText(current.stands.hands.at(-1)) : t("noted.undo"),
		});
	return !last;
}

async function addPending(one) {
	await updatePending(
		(list, game) => (has(game, one.id) ? list : insertPending(list, { ...one, at: now(), nth: count() })),
		current.late,
	);
	const left = resetTable(isNext(one));
	if (current.late) set(left);
	else storeSeat({ game: current.game.id, declared: left.declared, fix: null }); // a reload finds the event in the pending changes
}

/** A change of an earlier event comes before pending hands, and replaces a pending change of the same event. */
function insertPending(list, one) {
	if (isHand(one)) return [...list, one];
	const same = list.find(({ of }) => of && of.id === one.of?.id);
	const rest = same ? withoutPending(list, same.id) : list;
	const at = rest.filter((other) => !isHand(other)).length;
	return [...rest.slice(0, at), one, ...shifted(rest.slice(at), size(one))];
}

const shifted = (list, by) => list.map((one) => ({ ...one, nth: one.nth + by }));

/** The list without a change. Later changes are renumbered. */
function withoutPending(list, id) {
	const at = list.findIndex((one) => one.id === id);
	if (at < 0) return list;
	const by = size(list[at]);
	const knows = ({ nth }) => by < 0 || nth > list[at].nth; // its window knew of the dropped change
	return [...list.slice(0, at), ...list.slice(at + 1).map((one) => (knows(one) ? shifted([one], -by)[0] : one))];
}

async function updatePending(act, notify = true) {
	const kept = await write(current.game, (stored) => ({ ...stored, noted: act(stored.noted ?? [], stored) }), notify);
	if (kept.n === current.game.n) current.game = kept;
	else await take(kept);
}

/** Drops a pending change. */
export async function drop(id) {
	await updatePending((list) => withoutPending(list, id));
	set({ late: isLate(current.game) });
}

/** Applies the pending changes to the game as it is now. */
export function renumber() {
	return updatePending((list, { events }) => {
		let nth = events.length;
		return list.map((one) => {
			const there = one.of && events.find(({ id }) => id === one.of.id);
			const next = {
				...one,
				nth: one.undo ? one.nth : nth,
				...(there && { of: rotated(there, -rotationOf(one, placeOf(one))) }),
			}; // in the deal of that time
			nth += size(next);
			return next;
		});
	});
}

// --- sending the pending changes ---

let sending = null;

/** Sends the unconfirmed changes in order. After a failure that one and all later ones stay. If it is the only one and
 * the player waits for it, the error is shown instead. Its name prevents a second booking by another window. */
export function sendPending() {
	sending ??= sendInOrder().finally(() => (sending = null));
	return sending;
}

async function sendInOrder() {
	while (pending().length) {
		const [one] = pending();
		try {
			if (!isApplicable(one)) throw overtaken(current.game, isHand(one) ? one.nth : Infinity);
			await commit(one);
		} catch (trouble) {
			if (trouble.kind === "conflict") continue; // another window has recorded it, or made an unrelated change
			await keepPending(trouble, one.id);
			throw trouble;
		}
	}
}

const placeOf = ({ of }) => (of ? current.game.events.findIndex(({ id }) => id === of.id) : current.game.events.length);

/** The deal of the hand at this index, or of the next hand. */
const dealAt = (at) =>
	at < current.game.events.length ? current.stands.hands[at - 1]?.deal : current.stands.next?.deal;

/** By how much the winds have rotated since the change was made. */
const rotationOf = (one, at) => (one.deal && dealAt(at) ? one.deal - dealAt(at) : 0);

/** Whether the change still fits the game. */
export function isApplicable(one) {
	const { events, undo } = current.game;
	if (one.undo) return isEqual(one.undo, undo.at(-1));
	if (!one.of) return one.nth === events.length;
	const at = placeOf(one);
	return at >= 0 && isEqual(rotated(one.of, rotationOf(one, at)).event, rotated(events[at], 0).event);
}

export const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Applies the change. Riichi sticks stay on the table if the change was pending or is not a new hand. */
async function commit(one) {
	const { game } = current;
	const isOther = isNext(one);
	const [events, undo] = one.undo
		? [one.undo, game.undo.slice(0, -1)]
		: [await eventsAfter(game, one), [...game.undo, game.events].slice(-MOST_UNDONE)];
	const kept = await places[game.shared ? "shared" : "local"].change(game, { events, undo }, one.id);
	if (current.game?.id !== game.id) return; // another game is open by now
	const { stands } = kept;
	const goesOn = current.late && (isHand(one) || current.fix === null);
	set({
		game: kept,
		stands,
		late: current.late && isLate(kept),
		...(goesOn ? {} : resetTable(isOther)),
		fresh: isHand(one) ? stands.hands.at(-1) : null,
	});
}

/** The events after the change. */
function eventsAfter({ events }, one) {
	const { id, at: when, event, picture, seen, of } = one;
	const at = placeOf(one);
	const entry =
		event &&
		rotated({ id: of?.id ?? id, at: of?.at ?? when, event, picture, ...(seen && { seen }) }, rotationOf(one, at));
	const list = events.toSpliced(at, 1, ...(event ? [entry] : []));
	const deals = list.map((other) => current.stands.hands[events.indexOf(other) - 1]?.deal);
	return of ? rotateFollowing(list, event ? at + 1 : at, deals) : list;
}

async function keepPending({ kind }, id) {
	const one = pending().find((other) => other.id === id);
	if (!one) return;
	if (!current.late && kind === "refused") return drop(id);
	set({ ...(current.late ? {} : resetTable(isNext(one))), late: true, fresh: null });
	notifyWindows(current.game.id);
}

/** Starts the correction of a hand. The table is as it was before that hand. */
export async function correct(fix, declared = null) {
	const { table, declared: players = [] } = current.stands.hands[fix - 1];
	if (!table) set({ stands: await evaluate(current.game.events) }); // a game saved by an older page lacks it
	const aside = current.fix === null ? current.declared : current.aside;
	set({ before: tableBefore(current.stands, fix), fix, declared: declared ?? players, aside, fresh: null });
}

export function tableBefore(stands, fix) {
	const { table, name } = stands.hands[fix - 1];
	return { ...stands, table, name };
}

export const leaveCorrection = () => set(resetTable(false));

/** Declares a player's riichi, or takes it back. */
export function declare(player) {
	const { declared } = current;
	set({
		declared: declared.includes(player) ? declared.filter((one) => one !== player) : [...declared, player],
		fresh: null,
	});
}

// --- facts that the game knows of a hand ---

export const seatsOf = (players) => players.map((player) => hand().table.seats[player]);

/** Winners on a discard in turn, starting after the discarder. */
export function inTurn(winners, from) {
	const players = hand().table.seats.length;
	return from === null
		? winners
		: [...winners].sort((one, other) => ((one - from + players) % players) - ((other - from + players) % players));
}

/** Where a player sits from the winner: 1 next, 2 across, 3 previous. With three players, too. */
export function offsetOf(player, winner) {
	const { length } = hand().table.seats;
	const offset = (player - winner + length) % length;
	return length === 3 && offset === 2 ? 3 : offset;
}

/** Fields of a winner's hand record that need no question. `nth`: index among the winners of this discard. */
export function known(winners, nth, from) {
	const { round_wind, honba, riichi_sticks, dealer_wins, seats } = hand().table;
	const winner = winners[nth];
	const sticks = winners.length > 1 ? 0 : riichi_sticks + current.declared.length; // the server divides them
	const table = { round_wind, honba, riichi_sticks: sticks };
	if (winner === null) return { ...table, ...(from === undefined ? {} : { tsumo: from === null }) }; // the winner is not yet named
	const seat = seats[winner];
	const offset = from === null || from === undefined ? null : offsetOf(from, winner);
	return {
		...table,
		seat_wind: seat,
		dealer_wins: seat === "E" ? dealer_wins : 0,
		...(from === undefined ? {} : { tsumo: from === null }),
		...(offset ? { loser_offset: offset, ron_index: inTurn(winners, from).indexOf(winner) } : {}),
		riichi: current.declared.includes(winner),
		...(current.declared.includes(winner) ? {} : { double_riichi: false }),
	};
}

/** Points by player as the table shows them: less the riichi sticks of this hand. */
export const shownPoints = () =>
	hand().table.points.map((points, player) => points - (current.declared.includes(player) ? STICK : 0));

export const winOf = (hands) => ({ event: "win", hands, declared: seatsOf(current.declared) });
