// What the browser keeps: the settings, and work that is not saved yet. Each tab keeps its own; what a closed tab left
// behind is taken up by the next one that comes to the photo.

const NAME = "tehai-review";
const THEMES = ["auto", "light", "dark"];

/** Settings; `null` is not chosen yet. */
export const settings = { lang: null, theme: "auto", by: null, ...read(NAME) };
export { THEMES };

export function choose(changes) {
	Object.assign(settings, changes);
	write(NAME, settings);
}

let tab = "";
let refused = false; // whether the browser keeps nothing, so that closing the tab loses work

/** Takes a name for this tab that no other open one has; a reload keeps it, a copy of the tab gets another. */
export async function open() {
	for (tab = sessionName() ?? crypto.randomUUID(); !(await hold(`${NAME}:${tab}`)); tab = crypto.randomUUID());
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

/** Holds a lock for as long as the tab is open; false where another tab has it. */
function hold(name) {
	return new Promise((resolve) => {
		navigator.locks.request(name, { ifAvailable: true }, (lock) => {
			resolve(Boolean(lock));
			return lock && new Promise(() => {});
		});
	});
}

const inMemory = new Map(); // drafts by the name of what they are of
const place = (what, of = tab) => `${NAME}:draft:${of}:${what}`;

/** Keeps what is not saved of a photo (its key) or of the faces (`"faces"`); null forgets it. */
export function keep(what, draft) {
	if (draft) inMemory.set(what, draft);
	else inMemory.delete(what);
	if (!write(place(what), draft)) refused = true;
}

/** This tab's work on it, or what a tab left that is closed by now. */
export async function kept(what) {
	if (inMemory.has(what)) return inMemory.get(what);
	const alive = new Set((await navigator.locks.query()).held.map((lock) => lock.name));
	for (const name of names()) {
		const [, , of, of_what] = name.split(":");
		if (of_what !== what || (of !== tab && alive.has(`${NAME}:${of}`))) continue;
		const draft = read(name);
		write(name, null);
		if (draft) keep(what, draft);
		if (draft) return draft;
	}
	return null;
}

/** Names of what any tab has not saved yet. */
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
