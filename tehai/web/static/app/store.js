// What the page keeps: settings, the hand at work and who declared riichi in localStorage, which has it at once; photos, games and
// the evening's hands in IndexedDB. Where a browser refuses, the page works all the same and says so.

import { events } from "../shared/events.js";
import { isGame, isPast, soundSeat, soundSettings, soundState } from "./shape.js";

/** `unkept`: the browser begins to refuse, or keeps again, what is written. */
export const { listen, raise } = events();

const refused = new Set(); // where it refuses

/** Whether something is not kept that was to be. */
export const isUnkept = () => refused.size > 0;

function wrote(place, isKept) {
	const before = isUnkept();
	if (isKept) refused.delete(place);
	else refused.add(place);
	if (isUnkept() !== before) raise("unkept");
}

/** Asks the browser not to clear what is kept when it needs room. */
export const persist = () => navigator.storage?.persist?.().catch(() => false);

const NAME = "tehai";
const VERSION = 3; // 1 had no games, 2 nothing of what is learnt

let opened = null;

function open() {
	opened ??= new Promise((resolve, reject) => {
		const request = indexedDB.open(NAME, VERSION);
		request.onupgradeneeded = ({ oldVersion }) => {
			const database = request.result;
			if (oldVersion < 1) {
				database.createObjectStore("now");
				database.createObjectStore("evening", { keyPath: "id" });
			}
			if (oldVersion < 2) {
				database.createObjectStore("games", { keyPath: "id" });
				database.createObjectStore("pictures");
			}
			database.createObjectStore("learnt");
		};
		request.onsuccess = () => {
			request.result.onversionchange = () => request.result.close(); // a newer page is not held up
			opened = Promise.resolve(request.result);
			resolve(request.result);
		};
		request.onerror = () => reject(request.error);
		request.onblocked = () => reject(new Error("an older page is open")); // until it is closed nothing is kept
	});
	return opened;
}

async function on(store, mode, act) {
	const isWriting = mode === "readwrite";
	try {
		const database = await open();
		const result = await new Promise((resolve, reject) => {
			const transaction = database.transaction(store, mode);
			const request = act(transaction.objectStore(store));
			transaction.oncomplete = () => resolve(request.result);
			transaction.onerror = transaction.onabort = () => reject(transaction.error);
		});
		if (isWriting) wrote(store, true);
		return result;
	} catch {
		if (isWriting) wrote(store, false);
		return undefined;
	}
}

// Photos lie there as bytes and their kind: WebKit keeps no Blob in a private window. Pages of before kept those.
const packed = async (blob) => ({ name: blob.name, type: blob.type, bytes: await blob.arrayBuffer() });
const isPacked = (one) => one?.bytes instanceof ArrayBuffer;
const unpacked = (one) => (isPacked(one) ? (one.name ? new File([one.bytes], one.name, one) : new Blob([one.bytes], one)) : one);
const photosOf = (kept) => [kept ?? []].flat().map(unpacked).filter((one) => one instanceof Blob);

let shotsPut = Promise.resolve(); // one after the other, as what is packed longer was not given later

/** The photos of the hand at work, as blobs. */
export const shots = {
	get: async () => photosOf(await on("now", "readonly", (store) => store.get("shots"))),
	put(blobs) {
		const all = Promise.all(blobs.map(packed)).catch(() => []); // a file that can be read no more is kept no more
		shotsPut = shotsPut.then(async () => {
			const bytes = await all;
			return on("now", "readwrite", (store) => store.put(bytes, "shots"));
		});
		return shotsPut;
	},
};

/** The evening's hands, each with its `id`. */
export const evening = {
	all: async () => ((await on("evening", "readonly", (store) => store.getAll())) ?? []).filter(isPast),
	put: (hand) => on("evening", "readwrite", (store) => store.put(hand)),
	remove: (id) => on("evening", "readwrite", (store) => store.delete(id)),
	clear: () => on("evening", "readwrite", (store) => store.clear()),
};

/** Games, each with its `id`. */
export const games = {
	all: async () => ((await on("games", "readonly", (store) => store.getAll())) ?? []).filter(isGame),
	get: async (id) => [await on("games", "readonly", (store) => store.get(id))].find(isGame),
	/** Saves what `act` makes of the saved game, or of this one if none is saved. One transaction, as other windows write too. */
	async update(game, act) {
		let next = null;
		const isBehind = refused.has("games"); // what was to be written last is in the memory alone
		await on("games", "readwrite", (store) => {
			const request = store.get(game.id);
			request.onsuccess = () => store.put((next = act(!isBehind && isGame(request.result) ? request.result : game)));
			return request;
		});
		return next ?? act(game);
	},
	put: (game) => on("games", "readwrite", (store) => store.put(game)),
	remove: (id) => on("games", "readwrite", (store) => store.delete(id)),
};

/** Photos of the hands of games, small. */
export const pictures = {
	get: async (id) => photosOf(await on("pictures", "readonly", (store) => store.get(id)))[0],
	async put(id, blob) {
		const bytes = await packed(blob);
		return on("pictures", "readwrite", (store) => store.put(bytes, id));
	},
	remove: (id) => on("pictures", "readwrite", (store) => store.delete(id)),
};

/** What is known of the learner, by topic, as the application wrote it; null where nothing is. */
export const learnt = {
	get: () => on("learnt", "readonly", (store) => store.get("progress")).then((found) => found ?? null),
	/** In one transaction, as another window may drill as well. */
	put: ({ version, topics }) =>
		on("learnt", "readwrite", (store) => {
			const request = store.get("progress");
			request.onsuccess = () => store.put({ version, topics: { ...request.result?.topics, ...topics } }, "progress");
			return request;
		}),
	clear: () => on("learnt", "readwrite", (store) => store.clear()),
	/** The steps of the course that are done, as lessons want to know them. */
	steps: () => learnt.get().then((found) => Object.keys(found?.topics ?? {}).filter((topic) => topic.startsWith("course."))),
};

/** Which game is played, whose riichi lies on the table, and of the next hand while one is corrected. */
export const seated = () => ({ game: null, declared: [], aside: [], fix: null, ...soundSeat(load(`${NAME}-table`)) });
export const sit = (seat) => save(`${NAME}-table`, seat);

const DEFAULTS = { lang: null, rules: null, theme: "auto", terms: null, automatic: true, table: { honba: 0, riichi_sticks: 0 }, names: [], hinted: false, tablet: false };

/** Settings that outlive the hand; `null` is not chosen yet. */
export const settings = { ...DEFAULTS, ...soundSettings(load(NAME)) };

export function choose(changes) {
	Object.assign(settings, changes);
	save(NAME, settings);
}

/** The hand at work, but for its photos; a stranger's is not kept in its place. */
export const kept = () => soundState(load(`${NAME}-now`));
export const keep = (state) => state.foreign || save(`${NAME}-now`, state);

function load(name) {
	try {
		return JSON.parse(localStorage.getItem(name));
	} catch {
		return null;
	}
}

function save(name, value) {
	try {
		localStorage.setItem(name, JSON.stringify(value));
		wrote(name, true);
	} catch {
		wrote(name, false); // it holds until the page is closed
	}
}
