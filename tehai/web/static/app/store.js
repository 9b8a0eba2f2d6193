// Storage. localStorage: settings, the current hand, riichi on the table. IndexedDB: photos, games, and the history of
// hands.
// If the browser refuses to store, the page still works and says so.

import { events } from "../shared/events.js";
import { isGame, isPast, soundSeat, soundSettings, soundState } from "./shape.js";

/** `unkept`: the browser starts or stops refusing to store. */
export const { listen, raise } = events();

const refused = new Set(); // places that refuse

/** Whether anything could not be stored. */
export const isUnkept = () => refused.size > 0;

function trackRefusal(place, isKept) {
	const before = isUnkept();
	if (isKept) refused.delete(place);
	else refused.add(place);
	if (isUnkept() !== before) raise("unkept");
}

/** Asks the browser not to evict the data. */
export const persist = () => navigator.storage?.persist?.().catch(() => false);

const NAME = "tehai";
const VERSION = 3; // 1 had no games, 2 no progress of learning

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
			request.result.onversionchange = () => request.result.close(); // lets a newer page upgrade
			request.result.onclose = () => (opened = null); // by the browser, such as Safari's after a while in the background
			opened = Promise.resolve(request.result);
			resolve(request.result);
		};
		request.onerror = () => reject(request.error);
		request.onblocked = () => reject(new Error("an older page is open")); // nothing is stored until it closes
	});
	return opened;
}

async function transact(store, mode, act) {
	const isWriting = mode === "readwrite";
	try {
		const database = await open();
		const result = await new Promise((resolve, reject) => {
			const transaction = database.transaction(store, mode);
			const request = act(transaction.objectStore(store));
			transaction.oncomplete = () => resolve(request.result);
			transaction.onerror = transaction.onabort = () => reject(transaction.error);
		});
		if (isWriting) trackRefusal(store, true);
		return result;
	} catch {
		if (isWriting) trackRefusal(store, false);
		return undefined;
	}
}

// Photos are stored as bytes and type: WebKit stores no Blob in a private window. Older pages stored Blobs.
const packed = async (blob) => ({ name: blob.name, type: blob.type, bytes: await blob.arrayBuffer() });
const isPacked = (one) => one?.bytes instanceof ArrayBuffer;
const unpacked = (one) =>
	isPacked(one) ? (one.name ? new File([one.bytes], one.name, one) : new Blob([one.bytes], one)) : one;
const photosOf = (kept) =>
	[kept ?? []]
		.flat()
		.map(unpacked)
		.filter((one) => one instanceof Blob);

let shotsPut = Promise.resolve(); // one after another: packing may finish out of order

/** The photos of the current hand, as blobs. */
export const shots = {
	get: async () => photosOf(await transact("now", "readonly", (store) => store.get("shots"))),
	put(blobs) {
		const all = Promise.all(blobs.map(packed)).catch(() => []); // a file may have become unreadable
		shotsPut = shotsPut.then(async () => {
			const bytes = await all;
			return transact("now", "readwrite", (store) => store.put(bytes, "shots"));
		});
		return shotsPut;
	},
};

/** The history of hands, each with its `id`. */
export const evening = {
	all: async () => ((await transact("evening", "readonly", (store) => store.getAll())) ?? []).filter(isPast),
	put: (hand) => transact("evening", "readwrite", (store) => store.put(hand)),
	remove: (id) => transact("evening", "readwrite", (store) => store.delete(id)),
	clear: () => transact("evening", "readwrite", (store) => store.clear()),
};

/** Games, each with its `id`. */
export const games = {
	all: async () => ((await transact("games", "readonly", (store) => store.getAll())) ?? []).filter(isGame),
	get: async (id) => [await transact("games", "readonly", (store) => store.get(id))].find(isGame),
	/** Saves what `act` makes of the stored game, or of `game` if none is stored. One transaction, because other
	 * windows write too. */
	async update(game, act) {
		let next = null;
		const isBehind = refused.has("games"); // the latest state is only in memory
		await transact("games", "readwrite", (store) => {
			const request = store.get(game.id);
			request.onsuccess = () => store.put((next = act(!isBehind && isGame(request.result) ? request.result : game)));
			return request;
		});
		return next ?? act(game);
	},
	put: (game) => transact("games", "readwrite", (store) => store.put(game)),
	remove: (id) => transact("games", "readwrite", (store) => store.delete(id)),
};

/** Small photos of recorded hands. */
export const pictures = {
	get: async (id) => photosOf(await transact("pictures", "readonly", (store) => store.get(id)))[0],
	async put(id, blob) {
		const bytes = await packed(blob);
		return transact("pictures", "readwrite", (store) => store.put(bytes, id));
	},
	remove: (id) => transact("pictures", "readwrite", (store) => store.delete(id)),
};

/** Progress of learning by topic, as the server returned it; null without any. */
export const learnt = {
	get: () => transact("learnt", "readonly", (store) => store.get("progress")).then((found) => found ?? null),
	/** One transaction, because another window may write too. */
	put: ({ version, topics }) =>
		transact("learnt", "readwrite", (store) => {
			const request = store.get("progress");
			request.onsuccess = () => store.put({ version, topics: { ...request.result?.topics, ...topics } }, "progress");
			return request;
		}),
	clear: () => transact("learnt", "readwrite", (store) => store.clear()),
	/** The completed steps of the course, for lessons. */
	steps: () =>
		learnt.get().then((found) => Object.keys(found?.topics ?? {}).filter((topic) => topic.startsWith("course."))),
};

/** The current game and the players in riichi. During a correction, also those of the next hand. */
export const storedSeat = () => ({
	game: null,
	declared: [],
	aside: [],
	fix: null,
	...soundSeat(load(`${NAME}-table`)),
});
export const storeSeat = (seat) => save(`${NAME}-table`, seat);

const DEFAULTS = {
	lang: null,
	rules: null,
	theme: "auto",
	terms: null,
	automatic: true,
	table: { honba: 0, riichi_sticks: 0 },
	names: [],
	hinted: false,
	tablet: false,
};

/** Settings that outlive the hand. `null`: not yet chosen. */
export const settings = { ...DEFAULTS, ...soundSettings(load(NAME)) };

export function choose(changes) {
	Object.assign(settings, changes);
	const stored = refused.has(NAME) ? {} : soundSettings(load(NAME)); // another window may have changed others
	save(NAME, { ...settings, ...stored, ...changes });
}

/** The current hand without photos. A hand from a link is not stored. */
export const storedState = () => soundState(load(`${NAME}-now`));
export const storeState = (state) => state.foreign || save(`${NAME}-now`, state);

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
		trackRefusal(name, true);
	} catch {
		trackRefusal(name, false); // kept in memory until the page closes
	}
}
