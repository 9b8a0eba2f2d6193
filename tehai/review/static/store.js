// Browser storage: settings and unsaved work. Each tab stores its own. A tab that opens the photo takes over the work
// of a closed tab.

const NAME = "tehai-review";
const THEMES = ["auto", "light", "dark"];

/** Settings. `null`: not yet chosen. */
export const settings = { lang: null, theme: "auto", by: null, ...read(NAME) };
export { THEMES };

export function choose(changes) {
	Object.assign(settings, changes);
	write(NAME, settings);
}

const ANSWERS = 150; // milliseconds in which tabs answer each other

let tab = "";
let refused = false; // whether the browser refuses to store, so that closing the tab loses work

/** Claims a unique name for this tab. A reload keeps the name; a duplicated tab gets a new one. */
export async function open() {
	for (tab = sessionName() ?? newName(); !(await acquireLock(`${NAME}:${tab}`)); tab = newName());
	try {
		sessionStorage.setItem(NAME, tab);
	} catch {
		refused = true;
	}
	addEventListener("beforeunload", (event) => {
		if (refused && unsaved()) event.preventDefault();
	});
}

const newName = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

function sessionName() {
	try {
		return sessionStorage.getItem(NAME);
	} catch {
		return null;
	}
}

// Locks need a secure page, which `--lan` without `--https` is not: there the tabs answer each other.
const channel = navigator.locks ? null : new BroadcastChannel(NAME);
const answered = new Set();
channel?.addEventListener("message", ({ data }) => (data ? answered.add(data) : channel.postMessage(`${NAME}:${tab}`)));

/** The locks of all open tabs; on a page without locks those of the other ones. */
async function locksHeld() {
	if (!channel) return new Set((await navigator.locks.query()).held.map((lock) => lock.name));
	answered.clear();
	channel.postMessage(null);
	await new Promise((resolve) => setTimeout(resolve, ANSWERS));
	return new Set(answered);
}

/** Holds a lock until the tab closes. Resolves to false if another tab holds it. */
async function acquireLock(name) {
	if (channel) return !(await locksHeld()).has(name);
	return new Promise((resolve) => {
		navigator.locks.request(name, { ifAvailable: true }, (lock) => {
			resolve(Boolean(lock));
			return lock && new Promise(() => {});
		});
	});
}

const inMemory = new Map(); // drafts by key
const place = (what, of = tab) => `${NAME}:draft:${of}:${what}`;

/** Stores the unsaved work on a photo (by its key) or on faces (`"faces-"` and the key). Null removes it. */
export function storeDraft(what, draft) {
	if (draft) inMemory.set(what, draft);
	else inMemory.delete(what);
	if (!write(place(what), draft)) refused = true;
}

/** The unsaved work of this tab, or of a closed one. */
export async function loadDraft(what) {
	if (inMemory.has(what)) return inMemory.get(what);
	const stored = names().filter((name) => name.split(":")[3] === what);
	const alive = stored.length ? await locksHeld() : new Set();
	for (const name of stored) {
		const [, , of] = name.split(":");
		if (of !== tab && alive.has(`${NAME}:${of}`)) continue;
		const draft = read(name);
		write(name, null);
		if (draft) storeDraft(what, draft);
		if (draft) return draft;
	}
	return null;
}

/** Keys with unsaved work in any tab. */
export const unsavedOf = () => new Set([...inMemory.keys(), ...names().map((name) => name.split(":")[3])]);
const unsaved = () => inMemory.size > 0;

function names() {
	try {
		return Object.keys(localStorage).filter((name) => name.startsWith(`${NAME}:draft:`));
	} catch {
		return [];
	}
}

function read(name) {
	try {
		return JSON.parse(localStorage.getItem(name));
	} catch {
		return null;
	}
}

function write(name, value) {
	try {
		if (value === null) localStorage.removeItem(name);
		else localStorage.setItem(name, JSON.stringify(value));
		return true;
	} catch {
		return false;
	}
}
