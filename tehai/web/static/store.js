// What the page keeps: settings and the hand at work in localStorage, which has it at once; photos and the evening's
// hands in IndexedDB. A browser that refuses either (private windows) works all the same, it only forgets.

import { isPast, soundSettings, soundState } from "./shape.js";

const NAME = "tehai";

let opened = null;

function open() {
	opened ??= new Promise((resolve, reject) => {
		const request = indexedDB.open(NAME, 1);
		request.onupgradeneeded = () => {
			request.result.createObjectStore("now");
			request.result.createObjectStore("evening", { keyPath: "id" });
		};
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
	return opened;
}

async function on(store, mode, act) {
	try {
		const database = await open();
		return await new Promise((resolve, reject) => {
			const transaction = database.transaction(store, mode);
			const request = act(transaction.objectStore(store));
			transaction.oncomplete = () => resolve(request.result);
			transaction.onerror = transaction.onabort = () => reject(transaction.error);
		});
	} catch {
		return undefined;
	}
}

/** The photos of the hand at work, as blobs. */
export const shots = {
	get: async () => [(await on("now", "readonly", (store) => store.get("shots"))) ?? []].flat().filter((one) => one instanceof Blob),
	put: (blobs) => on("now", "readwrite", (store) => store.put(blobs, "shots")),
};

/** The evening's hands, each with its `id`. */
export const evening = {
	all: async () => ((await on("evening", "readonly", (store) => store.getAll())) ?? []).filter(isPast),
	put: (hand) => on("evening", "readwrite", (store) => store.put(hand)),
	remove: (id) => on("evening", "readwrite", (store) => store.delete(id)),
	clear: () => on("evening", "readwrite", (store) => store.clear()),
};

const DEFAULTS = { lang: null, rules: null, theme: "auto", terms: null, automatic: true, table: { honba: 0, riichi_sticks: 0 } };

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
	} catch {
		// it holds until the page is closed
	}
}
