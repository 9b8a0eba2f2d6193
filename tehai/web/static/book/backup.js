// Backup: all games and hands in one file, to load here or on another phone.
import * as api from "../app/api.js";
import { current, isEqual, newId, record, take, write } from "../games/games.js";
import { among, both, fields, isGame, isLog, isPast, isRecord, like, list, object } from "../app/shape.js";
import { decode, shareFile } from "../score/share.js";
import { spoken } from "../shared/text.js";
import { evening, games, pictures } from "../app/store.js";

const FORMAT = 1; // version of the file format
const LARGEST = 300e6; // bytes of a file

// --- save ---

/** Saves the backup file. `open`: the current game, which may be missing in a full storage. */
export async function save(open) {
	const kept = (await games.all()).filter(({ id }) => id !== open?.id);
	const all = open ? [...kept, open] : kept;
	const photos = await Promise.all(
		all.flatMap(picturesOf).map(async (id) => [id, await packed(await pictures.get(id))]),
	);
	const whole = {
		tehai: FORMAT,
		games: all,
		hands: await evening.all(),
		pictures: Object.fromEntries(photos.filter(([, photo]) => photo)),
	};
	const at = new Date().toISOString().slice(0, 10);
	return shareFile(new File([JSON.stringify(whole)], `tehai-${at}.json`, { type: "application/json" }));
}

/** The ids of a game's photos: one per winner's hand, pending ones included. Older pages stored one per event. */
export const picturesOf = ({ events, noted = [] }) => [
	...new Set(
		[...events, ...noted]
			.flatMap(({ picture, seen = [] }) => [picture, ...seen.map((one) => one?.picture)])
			.filter(Boolean),
	),
];

async function packed(blob) {
	if (!blob) return null;
	const bytes = new Uint8Array(await blob.arrayBuffer());
	return { type: blob.type, data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
}

// --- load ---

/** Its games and hands are checked one by one. */
const photo = fields({ type: like(/^image\/[a-z]+$/), data: (value) => typeof value === "string" });
const isBackup = fields({
	tehai: among(FORMAT),
	games: list(object, 9999),
	hands: list(object, 99999),
	pictures: both(object, (value) => Object.values(value).every(photo)),
});

/** Loads a backup or a single game record. Returns how many games and hands are new. Existing data is never lost.
 * The file is not trusted: the server replays each game. */
export async function load(file) {
	const data = await parsed(file);
	if (isRecord(data)) {
		const at = new Date(file.lastModified).toISOString();
		return {
			games: await addGames([{ id: newId(), at, n: 1, events: data.map((event) => ({ id: newId(), at, event })) }]),
			hands: 0,
		};
	}
	if (!isBackup(data)) throw new api.Trouble("file");
	const added = await addGames(data.games);
	for (const [id, { type, data: text }] of Object.entries(data.pictures))
		if (!(await pictures.get(id))) await pictures.put(id, new Blob([decode(text)], { type }));
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

const entriesOf = (events) => events.map(({ id, event }) => JSON.stringify([id, event])); // a corrected hand keeps its id

function holds(one, other) {
	const there = new Set(entriesOf(one));
	return entriesOf(other).every((entry) => there.has(entry));
}

/** The pending changes of both. */
const pendingOf = (game, stored) => [
	...game.noted,
	...(stored.noted ?? []).filter((one) => ![...game.noted, ...game.events].some(({ id }) => id === one.id)),
];

/** Adds the games that are new or longer than here. Returns their number. A game that continued differently here stays
 * too. */
async function addGames(list) {
	const added = [];
	const all = await games.all();
	for (const { id, at, n, events, noted } of list) {
		if (!isLog(events)) throw new api.Trouble("file");
		const isKnown = (old) =>
			old[0].id === events[0].id ? holds(old, events) : isEqual(record({ events: old }), record({ events }));
		if (all.some((one) => [one.events, ...one.undo].some(isKnown))) continue; // this state is known here
		const stands = {
			...(await api.game(
				events.map(({ event }) => event),
				spoken(),
			)),
			lang: spoken(),
		};
		const game = {
			id,
			at,
			n: n + 1,
			events,
			undo: [],
			noted: noted ?? [],
			stands,
		};
		if (!isGame(game)) throw new api.Trouble("file");
		added.push(game);
	}
	for (const game of added) {
		// after all of them are checked
		const kept = await write(game, (stored) =>
			stored.shared || !holds(game.events, stored.events) ? stored : { ...game, noted: pendingOf(game, stored) },
		);
		if (kept.events !== game.events) await write({ ...game, id: newId() }, (one) => one);
		else if (current.game?.id === game.id) await take(kept, true);
	}
	return added.length;
}
