// A game that several phones share: booked on the server first, followed by server-sent events, and kept here besides.
// `game.shared`: {id, number}: the server's game, and its last change that is known here. `game.sending`: a change on its way there,
// until the server has answered: a reload hands it over again.
import { attempt } from "./acts.js";
import * as api from "./api.js";
import * as games from "./games.js";
import { button, byId, h, icon } from "./shared/dom.js";
import { spoken, t } from "./shared/text.js";
import { app, show } from "./state.js";
import { games as here } from "./store.js";

const { desk } = games;
const AGAIN = 3000; // milliseconds until a server that has closed the line is asked again
const NEWEST = "newest"; // what who plays nothing follows: somebody may begin
const me = games.newId(); // in the names of changes: one that is sent again is known by the server

const state = { offered: false, going: [], lost: false }; // whether games can be shared here, those going on, whether the server is silent
let line = null; // {id, lang, source}: who is followed

// --- the server's entries and ours: photos stay on the phone that took them ---

const sent = ({ id, at, event }) => ({ id, at, event });

/** The game here as the server has it now. */
function copy(game, { id, number, entries, stands }) {
	const pictures = new Map([...game.events, ...(game.noted ?? [])].map((entry) => [entry.id, entry.picture]));
	const events = entries.map((entry) => ({ ...entry, picture: pictures.get(entry.id) ?? null }));
	const noted = (game.noted ?? []).filter((one) => !entries.some((entry) => entry.id === one.id));
	return { ...game, events, noted, stands: { ...stands, lang: spoken() }, shared: { id, number }, sending: null };
}

/** What makes one list of events of another, as the server takes it, which counts them from 1. */
function difference(old, list) {
	const [before, then] = [old, list].map((entries) => entries.map((entry) => JSON.stringify(sent(entry))));
	const from = then.findIndex((text, at) => text !== before[at]); // -1: the last ones were taken out
	const at = from < 0 ? then.length : from;
	const rest = (texts, start) => texts.slice(start).join();
	if (at === before.length && then.length === at + 1) return { add: sent(list[at]) };
	if (rest(before, at + 1) === rest(then, at)) return { remove: at + 1 };
	if (rest(before, at + 1) === rest(then, at + 1)) return { replace: at + 1, entry: sent(list[at]) };
	return { set: list.map(sent) };
}

/** A change as it is sent, under a name by which the server knows it again. */
function wire(old, list, after) {
	const change = difference(old, list);
	let mark = 0;
	for (const character of JSON.stringify(change)) mark = (mark * 31 + character.codePointAt(0)) >>> 0;
	return { after, id: `${after}-${me}-${change.add?.id ?? mark}`, ...change };
}

const keep = async (game) => {
	await here.update(game.id, () => game);
	return game;
};

/** Where a shared game is kept. */
games.places.shared = {
	keep: (_, next) => keep(next),
	/** The game after a change, which stands on the server then. Where another phone has booked meanwhile, what it booked is told. */
	async change(game, next) {
		const made = wire(game.events, next.events, game.shared.number);
		const sending = made.add && game.sending?.add?.id === made.add.id ? game.sending : made; // its answer may have been lost
		await keep({ ...game, sending });
		const view = await handedOver(game, sending);
		const now = desk.game; // which may have heard of a later change already
		return keep(now?.id === game.id && now.shared?.number > view.number ? { ...now, sending: null } : copy(next, view));
	},
};

/** How the game stands with the change. What the server refuses is no longer on its way. */
async function handedOver(game, sending) {
	const { id } = game.shared;
	try {
		return await api.shared.change(id, sending);
	} catch (trouble) {
		if (trouble.kind !== "refused") throw trouble;
		await keep({ ...game, sending: null });
		if (trouble.code !== "game_conflict") throw trouble;
		const now = await api.shared.one(id);
		const isFree = sending.add && now.entries.length === game.events.length; // only a hand of before was corrected
		if (isFree) return api.shared.change(id, { ...sending, after: now.number });
		await news(now);
		throw clash(now);
	}
}

/** What was on its way when the page was closed. */
const resend = () =>
	attempt(async () => {
		const { sending, ...game } = desk.game;
		const view = await handedOver(game, sending);
		if (desk.game?.id === game.id) await games.take(await keep(copy(desk.game, view)));
	}, "game.booking");

function clash({ stands }) {
	const last = stands.hands.at(-1);
	return new api.Trouble("refused", last ? t("shared.clash", { hand: last.name, text: last.text }) : t("shared.clash_none"));
}

// --- following ---

/** What another phone has booked, or this one. */
async function news(view) {
	state.lost = false;
	const { game } = desk;
	if (game?.shared?.id !== view.id || view.number <= game.shared.number) return show();
	const next = copy({ ...game, undo: [] }, view); // what could be taken back is no longer where it was
	if (next.events.length !== game.events.length) {
		if (byId("act").open) byId("act").close(); // its hand is booked
		if (app.state.claim) app.trouble = clash(view);
	}
	await games.take(await keep(next));
}

const wanted = () => desk.game?.shared?.id ?? (desk.game ? null : NEWEST);

/** Follows what is played, or nobody. */
function follow() {
	const id = state.offered ? wanted() : null;
	if (line?.id === id && line?.lang === spoken()) return;
	line?.source.close();
	line = id && { id, lang: spoken(), source: new EventSource(`api/games/${id}/follow?lang=${spoken()}`) };
	if (!line) return;
	const mine = line;
	mine.source.addEventListener("game", ({ data }) => {
		if (mine !== line) return;
		if (id === NEWEST) list();
		else news(JSON.parse(data));
	});
	mine.source.addEventListener("error", () => {
		if (mine !== line) return;
		if (id !== NEWEST && !state.lost) {
			state.lost = true;
			show();
		}
		if (mine.source.readyState === EventSource.CLOSED) setTimeout(() => mine === line && again(id), AGAIN); // else it tries by itself
	});
}

async function again(id) {
	line = null;
	if (id !== NEWEST) {
		const gone = await api.shared.one(id).then(() => false, (trouble) => trouble.code === "no_game");
		if (gone && desk.game?.shared?.id === id) await games.take(await keep({ ...desk.game, shared: null })); // ours alone from now on
	}
	follow();
}

async function list() {
	const all = await api.shared.all().catch(() => []);
	state.going = all.filter(({ over }) => !over);
	if (!desk.game) show();
}

/** Once it is known that the server keeps games. */
export function offer() {
	state.offered = true;
	games.listen("changed", follow);
	follow();
	if (desk.game?.shared && desk.game.sending && !games.noted().length) resend();
}

// --- what is tapped ---

const share = () =>
	attempt(async () => {
		const { game } = desk;
		const view = await api.shared.begin(game.events.map(sent));
		await games.take(await keep(copy(game, view)));
	}, "game.booking");

const join = ({ id, made }) =>
	attempt(async () => {
		const view = await api.shared.one(id);
		const mine = (await here.all()).find((game) => game.shared?.id === id);
		const fresh = { id: games.newId(), at: new Date(1000 * made).toISOString(), n: 1, events: [], undo: [] };
		await games.open(await keep(copy(mine ?? fresh, view)));
	}, "game.booking");

/** The games that phones play here now, for who plays none. */
export function going() {
	if (!state.going.length) return null;
	const way = (game) => button({ class: "secondary big", key: `join-${game.id}`, onclick: () => join(game) }, icon("table"), t("shared.join", { players: game.players.join(", ") }));
	return [h("h2", t("shared.going")), h("div.stack", state.going.map(way))];
}

/** Whether others see this game, and the way to let them. */
export function standing() {
	if (!state.offered) return null;
	if (!desk.game.shared) return h("div.others", button({ class: "quiet", key: "share-here", onclick: share }, icon("link"), t("shared.share")));
	return h("p", { class: state.lost ? "hint lost" : "hint", id: "shared-standing", role: "status" }, t(state.lost ? "shared.lost" : "shared.followed"));
}
