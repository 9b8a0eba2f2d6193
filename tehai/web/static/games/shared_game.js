// A game that several phones share: recorded on the server first, followed by server-sent events, and also stored here.
// `game.shared`: {id, number}: the server's game, and its last change that is known here. A pending change (games.js)
// keeps its id in the server's log, so sending it twice records it once.
import { attempt } from "../app/actions.js";
import * as api from "../app/api.js";
import * as games from "./games.js";
import { button, h, icon } from "../shared/dom.js";
import { spoken, t } from "../shared/text.js";
import { show } from "../app/state.js";
import { games as storage } from "../app/store.js";

const { current } = games;
const RECONNECT_AFTER = 1000; // milliseconds until a closed connection is opened again
const NEWEST = "newest"; // followed without a game: somebody may start one

const state = { offered: false, going: [], lost: false }; // `going`: games on the server; `lost`: no connection
let connection = null; // {id, lang, source}: the connection

// --- merging; photos stay on the phone that took them ---

const toEntry = ({ id, at, event }) => ({ id, at, event });

/** The stored game with the server's entries. `names`: ids of pending changes that are in the log. */
function merged(game, { id, number, entries, stands, dora = [] }, names = [], undo = []) {
	const { events: old, noted = [], n, shared } = game;
	const booked = noted
		.filter((one) => names.includes(one.id))
		.flatMap((one) => one.undo ?? (one.event ? [{ ...one, id: one.of?.id ?? one.id }] : []));
	const photos = new Map([...old, ...booked].map(({ id, picture, seen }) => [id, { picture, ...(seen && { seen }) }]));
	const events = entries.map((entry) => ({ ...entry, picture: null, ...photos.get(entry.id) }));
	const left = noted.filter((one) => !names.includes(one.id));
	const turned = game.dora?.unsent ? games.movedDora(game, events) : { nth: events.length, tiles: dora };
	return {
		...game,
		n: shared?.number === number ? n : n + 1,
		events,
		undo,
		noted: left,
		dora: turned,
		stands: { ...stands, lang: spoken() },
		shared: { id, number },
	};
}

/** Stores the server's game. Pending changes that are in its log are pending no more.
 * `change`: the change just sent, with {id, undo}. */
async function adopt(game, view, change = null) {
	const { number } = game.shared;
	const isNext = change && view.number === number + 1;
	const noted = [game, await storage.get(game.id)].some((one) => one?.noted?.length); // another window's changes, too
	const names = isNext || !noted ? [] : (await api.shared.log(view.id, number)).map(({ id }) => id);
	if (change) names.push(change.id);
	const isNewer = ({ shared }) =>
		shared?.id === view.id && (shared.number < view.number || (change && shared.number === view.number));
	return games.write(game, (stored) =>
		isNewer(stored) ? merged(stored, view, names, isNext ? change.undo : []) : stored,
	);
}

/** The change that turns one list of events into another, for the server, which counts from 1. */
function difference(old, list) {
	const [before, then] = [old, list].map((entries) => entries.map((entry) => JSON.stringify(toEntry(entry))));
	const from = then.findIndex((text, at) => text !== before[at]); // -1: the last ones were removed
	const at = from < 0 ? then.length : from;
	const rest = (texts, start) => texts.slice(start).join();
	if (at === before.length && then.length === at + 1) return { add: toEntry(list[at]) };
	if (rest(before, at + 1) === rest(then, at)) return { remove: at + 1 };
	if (rest(before, at + 1) === rest(then, at + 1)) return { replace: at + 1, entry: toEntry(list[at]) };
	return { set: list.map(toEntry) };
}

games.places.shared = {
	/** The game after the pending change `id`, once the server has it. */
	async change(game, { events, undo }, id) {
		const { shared } = game;
		const view = await sendChange(shared.id, { after: shared.number, id, ...difference(game.events, events) });
		return adopt(game, view, { id, undo });
	},
	/** Sends the dora indicators to the other phones. Repeated when the server is back. */
	async turn() {
		const { shared, events, dora } = current.game;
		try {
			await api.shared.turn(shared.id, events.length, dora.tiles);
		} catch (trouble) {
			if (trouble.kind === "offline") return;
			await receive(await api.shared.one(shared.id));
		}
		await games
			.write(
				current.game,
				(stored) => (games.isEqual(stored.dora, dora) ? { ...stored, dora: { ...dora, unsent: false } } : stored),
				false,
			)
			.then((kept) => (current.game = kept));
	},
};

/** Receives dora indicators from another phone. */
async function receiveDora({ dora = [] }) {
	const { game } = current;
	if (game.dora?.unsent && game.dora.nth === game.events.length) return games.places.shared.turn();
	const turned = { nth: game.events.length, tiles: dora };
	if (!games.isEqual(game.dora?.tiles ?? [], dora) || game.dora?.nth !== turned.nth)
		await games.take(await games.write(game, (stored) => ({ ...stored, dora: turned })));
}

/** The server's game after the change. On a conflict, loads what the other phone did. */
async function sendChange(id, change) {
	try {
		return await api.shared.change(id, change);
	} catch (trouble) {
		if (trouble.code !== "game_conflict") throw trouble;
		await receive(await api.shared.one(id));
		throw new api.Trouble("conflict");
	}
}

/** A change recorded by this or another phone. */
async function receive(view) {
	state.lost = false;
	const { game } = current;
	if (game?.shared?.id !== view.id || view.number < game.shared.number) return show();
	if (view.number === game.shared.number) return receiveDora(view).then(() => show());
	const kept = await adopt(game, view);
	if (current.game?.id === game.id) await games.take(kept);
}

const wanted = () => current.game?.shared?.id ?? (current.game ? null : NEWEST);

/** Follows the current game, or the newest without one. */
function follow() {
	const id = state.offered ? wanted() : null;
	if (connection?.id === id && connection?.lang === spoken()) return;
	connection?.source.close();
	connection = id && { id, lang: spoken(), source: new EventSource(`api/games/${id}/follow?lang=${spoken()}`) };
	if (!connection) return;
	const mine = connection;
	mine.source.addEventListener("game", ({ data }) => {
		if (mine !== connection) return;
		if (id === NEWEST) list();
		else receive(JSON.parse(data)).catch(() => {}); // the server sends it again
	});
	mine.source.addEventListener("error", () => {
		if (mine !== connection) return;
		if (id !== NEWEST && !state.lost) {
			state.lost = true;
			show();
		}
		if (mine.source.readyState === EventSource.CLOSED)
			setTimeout(() => mine === connection && reconnect(id), RECONNECT_AFTER); // otherwise the browser reconnects
	});
}

async function reconnect(id) {
	connection = null;
	if (id !== NEWEST) {
		const gone = await api.shared.one(id).then(
			() => false,
			(trouble) => trouble.code === "no_game",
		);
		if (gone && current.game?.shared?.id === id)
			await games.take(
				await games.write(current.game, (stored) => ({ ...stored, shared: null, tried: [stored.events] })),
			); // no longer shared
	}
	follow();
}

async function list() {
	const all = await api.shared.all().catch(() => []);
	state.going = all.filter(({ over }) => !over);
	if (!current.game) show();
}

/** Called once the server is known to store games. */
export function offer() {
	state.offered = true;
	games.listen("changed", follow);
	follow();
}

// --- actions ---

function share() {
	const { id } = current.game;
	return attempt(() => uploadAll(id), "game.booking");
}

async function uploadAll(id) {
	while (current.game?.id === id && !current.game.shared) await upload(current.game); // once more if another window has changed it
	await games.sendPending();
}

/** Shares the game. If it is on the server already (an answer was lost), sends what is missing there.
 * If other phones have changed it, theirs counts, and what is only here becomes pending. */
async function upload(open) {
	const others = ({ tried = [], events }) => tried.filter((list) => !games.isEqual(list, events));
	const game = await games.write(open, (stored) => ({ ...stored, tried: [...others(stored), stored.events] }), false);
	const { events, n, tried } = game;
	let view = await api.shared.begin(events.map(toEntry));
	const isThere = (list) => games.isEqual(view.entries, list.map(toEntry));
	const hasDiverged = !tried.some(isThere);
	const log = hasDiverged ? await api.shared.log(view.id, 0) : [];
	if (!hasDiverged && !isThere(events))
		view = await api.shared.change(view.id, {
			after: view.number,
			id: games.newId(),
			...difference(view.entries, events),
		});
	if (current.game?.id !== game.id) return; // another game is open by now
	const mine = hasDiverged ? (await import("./diverged.js")).missingChanges(game, view, log) : [];
	const joined = (stored) => ({
		...merged(stored, view, [], hasDiverged ? [] : stored.undo),
		noted: [...mine, ...(stored.noted ?? [])],
		tried: [],
	});
	const kept = await games.write(game, (stored) => (stored.n === n && !stored.shared ? joined(stored) : stored));
	if (current.game?.id === game.id) await games.take(kept, current.late || hasDiverged);
}

let joining = null; // for a second tap

const join = ({ id, made }) =>
	(joining ??= attempt(async () => {
		const view = await api.shared.one(id);
		const all = await storage.all();
		const mine = all.find(({ shared }) => shared?.id === id);
		const uploaded = all.find(({ shared, events }) => !shared && events[0].id === view.entries[0].id); // shared before, but the answer was lost
		if (!mine && uploaded) {
			await games.open(uploaded);
			return uploadAll(uploaded.id);
		}
		const fresh = {
			id: games.newId(),
			at: new Date(1000 * made).toISOString(),
			n: 1,
			events: [],
			undo: [],
			shared: { id, number: 0 },
		};
		await games.open(await adopt(mine ?? fresh, view));
	}, "game.booking").finally(() => (joining = null)));

/** Games on the server to join, for a phone without one. */
export function joinable() {
	if (!state.going.length) return null;
	const way = (game) =>
		button(
			{ class: "secondary big", key: `join-${game.id}`, onclick: () => join(game) },
			icon("table"),
			t("shared.join", { players: game.players.join(", ") }),
		);
	return [h("h2", t("shared.going")), h("div.stack", state.going.map(way))];
}

/** Whether the game is shared, and the button to share it. */
export function shareStatus() {
	if (!state.offered) return null;
	if (!current.game.shared)
		return h(
			"div.others",
			button({ class: "quiet", key: "share-here", onclick: share }, icon("link"), t("shared.share")),
		);
	return h(
		"p",
		{ class: state.lost ? "hint lost" : "hint", id: "shared-standing", role: "status" },
		t(state.lost ? "shared.lost" : "shared.followed"),
	);
}
