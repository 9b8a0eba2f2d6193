// The page's state. What changes it raises an event, and the screens listen.
import { events } from "../shared/events.js";
import { keep, settings } from "./store.js";

export const FRESH = {
	screen: "home",
	id: null, // of the hand in the evening's list
	hand: null,
	undone: [], // hands before each correction, the last one last
	answers: [], // {field, id, fields, kept}: in the order of answering
	reading: null, // {tiles, index, unlike, doubts, unsure}: the tiles, the photo of the hand, photos of other hands, doubts
	// besides faces, and the confidence if it is low without any doubt
	rivers: null, // what the others have discarded (app/rivers.js)
	region: null, // of the photo, where another hand was meant
	won: null, // {rules, table}: by which and on which a hand was won that is opened again
	claim: null, // {game, id, fix, nth, winners, from, hands, facts}: who won it in the game that is played, and what that says of it
	foreign: false, // whether it came in a link: nothing of it is kept
	outcome: null, // the server's last answer about the hand
	lesson: null,
	drill: null, // the level to which a lesson leads
	shots: 0,
};

/** The state; changed by `change` alone. */
export const app = { state: { ...FRESH }, shots: [], photos: [], busy: null, trouble: null, address: null, others: () => ({}) }; // `others`: readings of the tiles that a screen asks about

/** The rules of the hand and what lies on its table: as it was won, else as the player has them now. */
export const won = () => app.state.won ?? settings;

/** `moved`: to another screen; `changed`: with what did, null for anything; `busy`: the server is asked or has answered. */
export const { listen, raise } = events();

/** Changes the state, keeps it for a reload, and shows it. */
export function change(changes) {
	const moved = changes.screen && changes.screen !== app.state.screen;
	app.state = { ...app.state, ...changes };
	keep(app.state);
	if (moved) {
		history.pushState(place(), "", app.state.foreign ? location.href : location.pathname);
		raise("moved");
	}
	show(changes);
}

/** Shows the state as it is; a screen may leave alone what the changes do not touch. */
export const show = (changes = null) => raise("changed", changes);

/** What the browser's history keeps of where the player is: a screen of one hand shows no other. */
export const place = () => ({ screen: app.state.screen, id: app.state.id });

const ALWAYS = ["home", "take", "book", "learn"];

/** Which screens there is something to show on. */
export const reachable = (name, id = app.state.id) => ALWAYS.includes(name) || (id === app.state.id && Boolean(app.state.hand && (name === "check" || (name === "score" && app.state.outcome))));

/** Shows another state, in the place of the one before it. */
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
