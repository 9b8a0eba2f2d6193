// The page's state. A change raises an event for the screens.
import { events } from "../shared/events.js";
import { storeState, settings } from "./store.js";

export const FRESH = {
	screen: "home",
	id: null, // of the hand in the history
	hand: null,
	undone: [], // hands before each correction, the latest last
	answers: [], // {field, id, fields, kept}, in the order given
	reading: null, // {tiles, index, unlike, doubts, unsure}: the tiles, the photo with the hand, photos of other hands, doubts
	// except about faces, and a low confidence without doubts
	rivers: null, // the other players' discards (app/rivers.js)
	region: null, // of the photo, to read another hand
	won: null, // {rules, table} of a hand that is opened again
	claim: null, // {game, id, fix, nth, winners, from, hands, facts}: the win in the current game, and the game's facts of it
	foreign: false, // whether it came from a link: then nothing is stored
	outcome: null, // the server's last answer about the hand
	lesson: null,
	drill: null, // the level that a lesson leads to
	shots: 0,
};

/** The state. Only `change` changes it. */
export const app = {
	state: { ...FRESH },
	shots: [],
	photos: [],
	busy: null,
	trouble: null,
	address: null,
	others: () => ({}),
	isAwaited: () => false,
	restored: () => {},
}; // `others`: other readings of doubtful tiles; `isAwaited`: whether the outcome is out of date; `restored`: drops a restored win whose game went on

/** Rules and table of the hand: stored with it, or the current settings. */
export const won = () => app.state.won ?? settings;

/** `moved`: to another screen; `changed`: with the changes, or null; `busy`: a request begins or ends. */
export const { listen, raise } = events();

/** Stores the state, without an outcome that is out of date: after a reload the hand is scored again. */
export const keep = () => storeState(app.isAwaited() ? { ...app.state, outcome: null } : app.state);

/** Changes the state, stores it, and shows it. */
export function change(changes) {
	const moved = changes.screen && changes.screen !== app.state.screen;
	app.state = { ...app.state, ...changes };
	keep();
	if (moved) {
		history.pushState(place(), "", app.state.foreign ? location.href : location.pathname);
		raise("moved");
	} else if (changes.id) history.replaceState(place(), "");
	show(changes);
}

/** Shows the state. A screen may skip parts that the changes do not touch. */
export const show = (changes = null) => raise("changed", changes);

/** The place in the browser's history. A screen belongs to one hand. */
export const place = () => ({ screen: app.state.screen, id: app.state.id });

const ALWAYS = ["home", "take", "book", "learn"];

/** Which screens have content. */
export const reachable = (name, id = app.state.id) =>
	ALWAYS.includes(name) ||
	(id === app.state.id && Boolean(app.state.hand && (name === "check" || (name === "score" && app.state.outcome))));

/** Replaces the whole state. */
export function enter(state) {
	app.state = state;
	history.replaceState(place(), "", state.foreign ? location.href : location.pathname);
	raise("moved");
	show();
}

export function go(screen) {
	if (!reachable(screen) || screen === app.state.screen) return;
	change({ screen });
}
