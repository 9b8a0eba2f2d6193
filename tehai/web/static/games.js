// The game that is played: its events, and what the server says of them. Points, winds, counters are never reckoned here.
// A game: {id, at, n, events: [{id, at, event, picture}], undo: [events as they were], noted, stands}; `n` counts its changes, so that a
// second window (or phone) is noticed. A change: {add: entry}, {replace: nth, entry}, {remove: nth}.
// `noted`: events that are not in the book yet, for the server has not answered: entries with the `deal` by which their winds were written,
// the place (`nth`) in the book that they were meant for, and `text`, what they are.
import * as api from "./api.js";
import { events } from "./shared/events.js";
import { spoken } from "./shared/text.js";
import { textOf } from "./noted.js";
import { games as here, pictures, seated, sit } from "./store.js";

const MOST_UNDONE = 20;

/** `changed`: the game is another, or is at another hand. */
export const { listen, raise } = events();

/** What is played. `stands`: after all events; `before`: before the one that is being corrected, `fix`, of how many; `declared`:
 * players whose riichi lies on the table in this hand; `fresh`: what the event booked last changed; `late`: whether what is noted waits for
 * the server, or for the player. */
export const desk = { game: null, stands: null, before: null, declared: [], fix: null, fresh: null, late: false };

export const newId = () => crypto.getRandomValues(new Uint32Array(2)).join("-");
export const record = (game) => game.events.map(({ event }) => event);

export const noted = () => desk.game?.noted ?? [];

/** How many events there are with those that are noted. */
export const count = () => desk.game.events.length + noted().length;

/** The hand that is being written: the one that follows all others, or the one corrected. */
export const hand = () => (desk.fix === null ? desk.stands : desk.before);

/** Where games are kept that are this phone's alone. */
const local = {
	/** Stores the game as a change leaves it, with how it stands; a `clash` where another window was first. */
	async change(game, draft) {
		return this.keep(game, { ...draft, stands: await stand(draft.events) });
	},
	async keep(game, next) {
		let clash = null;
		await here.update(game.id, (stored) => {
			clash = stored && stored.n !== game.n ? stored : null;
			return clash ? null : next;
		});
		if (!clash) return next;
		await open(clash); // as another window has it
		throw new api.Trouble("clash");
	},
};

const place = () => places[desk.game.shared ? "shared" : "local"];

/** By where they are kept: those that phones share stand on a server first, which tells by `take` what others changed. */
export const places = { local, shared: null };

/** The events after a change. */
function changed(list, { add, replace, remove, entry }) {
	if (add) return [...list, add];
	return remove === undefined ? list.with(replace, entry) : list.toSpliced(remove, 1);
}

/** Events name seats by their wind in that hand. Where a correction has the deal pass on otherwise, the same players have other winds
 * in the hands after it. `deals`: by event of the list, its deal as it was. */
async function following(list, from, deals) {
	for (let at = from; at < list.length; at++) {
		const { next } = await stand(list.slice(0, at));
		if (!next || next.deal === deals[at]) return list; // and so is all that follows
		if (!deals[at]) continue; // points corrected after the end, which names no seat
		list = list.with(at, turned(list[at], deals[at] - next.deal));
	}
	return list;
}

function turned(entry, by) {
	const { players } = desk.stands;
	const winds = "ESWN".slice(0, players.length);
	const turn = (wind) => winds[(winds.indexOf(wind) + by + winds.length) % winds.length];
	const { tenpai, declared, nagashi, seat, hands, ...event } = entry.event;
	const lists = Object.fromEntries(Object.entries({ tenpai, declared, nagashi }).filter(([, seats]) => seats).map(([name, seats]) => [name, seats.map(turn)]));
	return { ...entry, event: { ...event, ...lists, ...(seat && { seat: turn(seat) }), ...(hands && { hands: hands.map((hand) => ({ ...hand, seat_wind: turn(hand.seat_wind) })) }) } };
}

const stand = async (list) => ({ ...(await api.game(list.map(({ event }) => event), spoken())), lang: spoken() });

const keep = () => sit({ game: desk.game?.id ?? null, declared: desk.declared, fix: desk.fix });

function set(changes) {
	Object.assign(desk, changes);
	keep();
	raise("changed");
}

/** The game as it was left. Without the server it stands as it was last told. */
export async function restore() {
	const { game: id, declared, fix } = seated();
	const game = id && (await here.get(id));
	if (!game) return;
	Object.assign(desk, { game, stands: game.stands, declared, fix: null, late: isLate(game) });
	await tellAgain().catch(() => {});
	if (fix !== null && fix < game.events.length) await correct(fix, declared).catch(() => {});
}

/** In the language spoken now. */
export async function tellAgain() {
	const { game, stands, fix } = desk;
	if (!game || stands?.lang === spoken()) return;
	const told = await stand(game.events);
	set({ stands: told, before: fix === null ? null : await stand(game.events.slice(0, fix)) });
}

/** A new game begins, or one of before goes on. */
export async function begin(start) {
	const at = new Date().toISOString();
	return open(await local.change({}, { id: newId(), at, n: 1, events: [{ id: newId(), at, event: start }], undo: [] }));
}

export async function open(game) {
	set({ game, stands: game.stands, before: null, declared: [], fix: null, fresh: null, late: isLate(game) });
	return tellAgain();
}

const isLate = ({ noted }) => Boolean(noted?.length);

/** The game that is open, as another phone has changed it. */
export async function take(game) {
	const { events, stands } = game;
	const isLonger = events.length !== desk.game.events.length;
	if (!isLonger && desk.fix !== null) {
		Object.assign(desk, { game, stands });
		return correct(desk.fix, desk.declared);
	}
	set({ game, stands, late: desk.late && isLate(game), ...(isLonger ? { before: null, declared: [], fix: null, fresh: stands.hands.at(-1) ?? null } : {}) });
}

export const close = () => set({ game: null, stands: null, before: null, declared: [], fix: null, fresh: null, late: false });

/** Whether this hand is in the book, or noted, as one is that a reload brings up again. */
export const isBooked = (id) => [...(desk.game?.events ?? []), ...noted()].some((one) => one.id === id);

/** An event at the end, or in the place of the one that is corrected. What it makes impossible is refused, and nothing kept; where the
 * server does not answer, one at the end is noted. The same again is not booked twice. */
export async function book(event, id = newId(), picture = null) {
	const { game, fix } = desk;
	if (fix === null && isBooked(id)) return handOver();
	const kept = picture && (await pictures.put(id, picture)) !== undefined ? id : null;
	const old = game.events[fix ?? game.events.length];
	const shows = event.hands?.some((one) => one.concealed) ? old?.picture : null; // what was photographed may be no hand now
	const entry = { id: old?.id ?? id, at: old?.at ?? new Date().toISOString(), event, picture: kept ?? shows ?? null };
	if (fix !== null) return change({ replace: fix, entry });
	await note(entry);
	return handOver();
}

export async function change(one) {
	const { game } = desk;
	const list = changed(game.events, one);
	const deals = list.map((entry) => desk.stands.hands[game.events.indexOf(entry) - 1]?.deal);
	return put(one.add ? list : await following(list, one.replace === undefined ? one.remove : one.replace + 1, deals), undoable(), Boolean(one.add));
}

const undoable = () => [...desk.game.undo.slice(-MOST_UNDONE), desk.game.events];

/** These events in the place of all that were. `left`: what stays noted where one of those is booked, whose riichi are not those of the hand
 * that is played now. */
async function put(list, undo, isNew = false, left = null) {
	const { game, late } = desk;
	const by = list.length - game.events.length;
	const next = await place().change(game, { ...game, n: game.n + 1, events: list, undo, noted: left ?? noted().map((one) => ({ ...one, nth: one.nth + by })) });
	if (game.id && desk.game?.id !== game.id) return; // another is open by now
	const { stands } = next;
	set({ game: next, stands, late: late && isLate(next), ...(left && late ? {} : { before: null, fix: null, declared: [] }), fresh: isNew ? stands.hands.at(-1) : null });
}

/** Takes back the last change, or what was noted last. */
export const undo = () => (noted().length ? drop(noted().length - 1) : put(desk.game.undo.at(-1), desk.game.undo.slice(0, -1)));

// --- what is noted ---

/** Written here before the server hears of it. */
async function note(entry) {
	const text = textOf(entry.event, desk.stands);
	await notes([...noted(), { ...entry, deal: desk.stands.next?.deal ?? 0, nth: count(), text }]);
	if (desk.late) set({ declared: [] });
	else sit({ game: desk.game.id, declared: [], fix: null }); // a reload finds them in what is noted
}

async function notes(list) {
	const { game } = desk;
	desk.game = await place().keep(game, { ...game, n: game.n + 1, noted: list });
}

/** One of them never was; those behind it move up. */
export async function drop(at) {
	await notes(noted().toSpliced(at, 1).map((one, nth) => (nth < at ? one : { ...one, nth: one.nth - 1 })));
	set({ late: noted().length > 0 });
}

/** They follow what is in the book, whatever came into it meanwhile. */
export const renumber = () => notes(noted().map((one, at) => ({ ...one, nth: desk.game.events.length + at })));

let handing = null;

/** What is noted into the book, in its order. One that cannot be booked stays noted, and so do those behind it; but where somebody waits for
 * the answer to the only one he is told, and nothing is noted. */
export function handOver() {
	handing ??= inOrder().finally(() => (handing = null));
	return handing;
}

async function inOrder() {
	while (noted().length) {
		const [{ deal, nth, text, ...entry }, ...rest] = noted();
		try {
			if (nth !== desk.game.events.length) throw new api.Trouble("overtaken");
			const { next } = desk.stands;
			const by = next ? deal - next.deal : 0; // the same players have other winds where the deal has passed since
			await put([...desk.game.events, by ? turned(entry, by) : entry], undoable(), true, rest);
		} catch (trouble) {
			await stays(trouble, entry.id);
			throw trouble;
		}
	}
}

async function stays({ kind }, id) {
	const at = noted().findIndex((one) => one.id === id);
	if (at < 0) return;
	const isRefused = kind === "refused" || kind === "overtaken" || kind === "clash";
	if (!desk.late && isRefused) await drop(at);
	else set({ late: true, declared: desk.late ? desk.declared : [], fresh: null });
}

/** A hand of before is written anew: the table is as it was then. */
export async function correct(fix, declared = null) {
	const before = await stand(desk.game.events.slice(0, fix));
	const players = declared ?? desk.stands.hands[fix - 1]?.declared ?? [];
	set({ before, fix, declared: players, fresh: null });
}

export const leaveCorrection = () => set({ fix: null, before: null, declared: [] });

/** A player's riichi is on the table, or taken back. */
export function declare(player) {
	const { declared } = desk;
	set({ declared: declared.includes(player) ? declared.filter((one) => one !== player) : [...declared, player], fresh: null });
}

// --- what the game knows of a hand ---

export const seatsOf = (players) => players.map((player) => hand().table.seats[player]);

/** Winners of one discard, the next in turn after the discarder first. */
export function inTurn(winners, from) {
	const players = hand().table.seats.length;
	return from === null ? winners : [...winners].sort((one, other) => ((one - from + players) % players) - ((other - from + players) % players));
}

/** Fields of a winner's hand record that nobody needs to be asked. `nth`: of the winners of this discard, in turn. */
export function known(winners, nth, from) {
	const { round_wind, honba, riichi_sticks, dealer_wins, seats } = hand().table;
	const winner = winners[nth];
	const seat = seats[winner];
	const apart = from === null ? null : (from - winner + seats.length) % seats.length;
	return {
		seat_wind: seat,
		round_wind,
		honba,
		riichi_sticks: nth ? 0 : riichi_sticks + desk.declared.length,
		dealer_wins: seat === "E" ? dealer_wins : 0,
		tsumo: from === null,
		...(apart ? { loser_offset: seats.length === 3 && apart === 2 ? 3 : apart, ron_index: nth } : {}),
		riichi: desk.declared.includes(winner),
		...(desk.declared.includes(winner) ? {} : { double_riichi: false }),
	};
}

export const winOf = (hands) => ({ event: "win", hands, declared: seatsOf(desk.declared) });
