// All games and hands in one file, which loads again here and on another phone.
import * as api from "../app/api.js";
import { newId } from "../games/games.js";
import { isBackup, isGame, isLog, isPast, isRecord } from "../app/shape.js";
import { decode, hand } from "../score/share.js";
import { spoken } from "../shared/text.js";
import { evening, games, pictures } from "../app/store.js";

const FORM = 1; // of the file
const LARGEST = 300e6; // bytes

// --- into a file ---

/** Hands the file over. `open`: the game that is played, of which the browser may have kept nothing. */
export async function save(open) {
	const kept = (await games.all()).filter(({ id }) => id !== open?.id);
	const all = open ? [...kept, open] : kept;
	const photos = await Promise.all(all.flatMap(picturesOf).map(async (id) => [id, await packed(await pictures.get(id))]));
	const whole = { tehai: FORM, games: all, hands: await evening.all(), pictures: Object.fromEntries(photos.filter(([, photo]) => photo)) };
	const at = new Date().toISOString().slice(0, 10);
	return hand(new File([JSON.stringify(whole)], `tehai-${at}.json`, { type: "application/json" }));
}

/** The names of a game's photos: that of each winner's hand, noted ones too; of an older page that of the event. */
export const picturesOf = ({ events, noted = [] }) => [...new Set([...events, ...noted].flatMap(({ picture, seen = [] }) => [picture, ...seen.map((one) => one?.picture)]).filter(Boolean))];

async function packed(blob) {
	if (!blob) return null;
	const bytes = new Uint8Array(await blob.arrayBuffer());
	return { type: blob.type, data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
}

// --- out of a file ---

/** Takes what such a file holds, or a game record alone: how many games and hands are here that were not. Nothing that is here is lost. The
 * file is a stranger's: each game is replayed. */
export async function load(file) {
	const data = await parsed(file);
	if (isRecord(data)) {
		const at = new Date(file.lastModified).toISOString();
		return { games: await taken([{ id: newId(), at, n: 1, events: data.map((event) => ({ id: newId(), at, event })) }]), hands: 0 };
	}
	if (!isBackup(data)) throw new api.Trouble("file");
	const added = await taken(data.games);
	for (const [id, { type, data: text }] of Object.entries(data.pictures)) if (!(await pictures.get(id))) await pictures.put(id, new Blob([decode(text)], { type }));
	const here = new Set((await evening.all()).map(({ id }) => id));
	const hands = data.hands.filter((one) => isPast(one) && !here.has(one.id));
	for (const one of hands) await evening.put(one);
	return { games: added, hands: hands.length };
}

async function parsed(file) {
	try {
		if (file.size > LARGEST) throw new Error("too large");
		return JSON.parse(await file.text());
	} catch {
		throw new api.Trouble("file");
	}
}

const entriesOf = (events) => events.map(({ id, event }) => JSON.stringify([id, event])); // a hand that is corrected keeps its id

function holds(one, other) {
	const there = new Set(entriesOf(one));
	return entriesOf(other).every((entry) => there.has(entry));
}

/** How many of the games were not here, or not so far. One that went on differently here stays beside it. */
async function taken(list) {
	const fresh = [];
	const all = await games.all();
	for (const { id, at, n, events, noted } of list) {
		if (!isLog(events)) throw new api.Trouble("file");
		const same = all.filter((one) => one.events[0].id === events[0].id);
		if (same.some((one) => [one.events, ...one.undo].some((old) => holds(old, events)))) continue; // it is here, or was
		const here = await games.get(id);
		const stands = { ...(await api.game(events.map(({ event }) => event), spoken())), lang: spoken() };
		const game = { id: here && !holds(events, here.events) ? newId() : id, at, n: n + 1, events, undo: [], noted: noted ?? [], stands };
		if (!isGame(game)) throw new api.Trouble("file");
		fresh.push(game);
	}
	for (const game of fresh) await games.put(game); // once all of them are sound
	return fresh.length;
}
