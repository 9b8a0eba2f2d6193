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

let tab = "";
let refused = false; // whether the browser refuses to store, so that closing the tab loses work

/** Claims a unique name for this tab. A reload keeps the name; a duplicated tab gets a new one. */
export async function open() {
	for (tab = sessionName() ?? crypto.randomUUID(); !(await acquireLock(`${NAME}:${tab}`)); tab = crypto.randomUUID());
	try {
		sessionStorage.setItem(NAME, tab);
	} catch {
		refused = true;
	}
	addEventListener("beforeunload", (event) => {
		if (refused && unsaved()) event.preventDefault();
	});
}

function sessionName() {
	try {
		return sessionStorage.getItem(NAME);
	} catch {
		return null;
	}
}

/** Holds a lock until the tab closes. Resolves to false if another tab holds it. */
function acquireLock(name) {
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
	const alive = new Set((await navigator.locks.query()).held.map((lock) => lock.name));
	for (const name of names()) {
		const [, , of, of_what] = name.split(":");
		if (of_what !== what || (of !== tab && alive.has(`${NAME}:${of}`))) continue;
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
