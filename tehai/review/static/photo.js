// The photo under review: what the keys and the mouse do to its tiles, saving, and the way back.
import { announce, button, byId, fill, h, icon } from "/shared/dom.js";
import { t, tileName } from "/shared/text.js";
import * as api from "./api.js";
import { reviewer, run, say, trouble, visit } from "./app.js";
import { compare, look } from "./compare.js";
import { bent, centre, moved, pairs, sameTile, turned } from "./geometry.js";
import { chosenTile, historyOf, tileList } from "./panel.js";
import * as queue from "./queue.js";
import { Stage } from "./stage.js";
import { keep, kept } from "./store.js";
import { count } from "./words.js";
import { sent, Work } from "./work.js";

const PAUSE = 250; // milliseconds after which a tile that was moved is read anew
const NUDGE = 2; // pixels of the screen that a key moves a tile
const STRIDE = 14; // pixels of the screen that a key moves a new one
const PALM = 64; // pixels of the screen of a new tile in a photo without any

let stage = null;
let work = null;
let picture = null;
let corner = -1; // that the keys move; -1 is the whole tile
let hidden = false;
const saved = []; // what was saved, to be taken back: {key, revision, tiles, state}
let newer = null; // what somebody else saved while one's own work waited in the browser
let waiting = null; // the tile that was moved and is to be read: {tile, quads, timer}

// --- screen ---

export function start() {
	stage = new Stage(byId("canvas"), {
		pick: (at) => run(() => pick(at)),
		moved: (quad) => live(quad),
		placed: (quad) => run(() => place(quad)),
		drawn: (quad) => run(() => draw(quad)),
		form,
	});
	byId("revisions").addEventListener("toggle", ({ target }) => target.scrollIntoView({ block: "nearest" }));
	// a button pressed with the mouse gives the keys back to the photo
	byId("photo").addEventListener("click", ({ detail, target }) => detail && target.closest("button") && focus());
	for (const kind of ["keydown", "keyup"]) {
		document.addEventListener(kind, (event) => {
			if (event.key !== " ") return;
			stage.panning = kind === "keydown" && event.target === byId("stage");
			byId("canvas").classList.toggle("hand", stage.panning);
			if (stage.panning) event.preventDefault();
		});
	}
	document.addEventListener("visibilitychange", () => !document.hidden && !byId("photo").hidden && run(refresh));
}

export async function arrive(key) {
	await settle();
	let lost = null;
	const [photo, shown, draft, next] = await Promise.all([api.photo(key), api.picture(key).catch((error) => (lost = error) && null), kept(key), queue.beside(key, 1)]);
	picture = shown;
	if (lost) trouble(lost); // its labels can be seen all the same
	corner = -1;
	await begin(photo, draft);
	stage.open(photo, api.image(key));
	await show();
	if (next) api.picture(next).catch(() => {}); // ahead of time; whether it can be shown is said when it is
}

export function shown(from) {
	stage.fit();
	if (from !== "photo") focus();
	const latest = newer;
	newer = null;
	if (latest) run(() => clash(latest));
}

export const focus = () => byId("stage").focus({ preventScroll: true });

export async function leave() {
	await settle();
	mode(false);
}

/** The photo as the server has it, with the work that was left on it. */
async function begin(photo, draft) {
	if (draft && draft.after !== photo.revision) {
		work = new Work(await api.revision(photo.key, draft.after), draft);
		newer = photo;
		return;
	}
	work = new Work(photo, draft);
	if (draft && work.edited) say("photo.restored");
}

/** What others have saved meanwhile, where nothing of one's own would be lost by it. */
async function refresh() {
	const photo = await api.photo(work.photo.key);
	if (photo.revision === work.photo.revision || work.edited) return;
	work = new Work(photo);
	await show();
	say("photo.newer", { by: photo.history.at(-1)?.by ?? "" });
}

async function show() {
	const { photo, tiles, at } = work;
	const place = queue.placeOf(photo.key);
	byId("photo-path").textContent = photo.path;
	byId("photo-path").title = photo.path;
	byId("photo-state").className = `state ${work.edited ? "draft" : photo.state}`;
	byId("photo-state").textContent = t(work.edited ? "queue.unsaved" : `state.${photo.state}`);
	byId("photo-place").textContent = place ? t("photo.place", place) : "";
	fill(byId("photo-why"), photo.why.map((one) => h("li", { class: "why" }, h("b", {}, t(`why.${one.id}`)), " ", h("span", { lang: "en" }, one.text))));
	stage.show(tiles, at, corner);
	chosen(work.tile);
	byId("tiles-title").textContent = count("tiles.count", tiles.length);
	tileList(byId("tiles"), tiles, work.order, at, (to) => run(() => pick(to)));
	ways();
	tools();
	historyOf(byId("history"), photo, (revision) => run(() => lookAt(revision)));
}

const chosen = (tile) =>
	chosenTile(byId("chosen"), { tile, at: work.at, picture, model: modelOf(tile) }, {
		label: (label) => run(() => relabel(label)),
		delete: () => run(acts.delete),
		turn: () => run(acts.turn),
	});

/** What the models say of the tile, null where they did not see it. */
function modelOf(tile) {
	if (!tile || !work.photo.model) return null;
	return pairs([tile], work.photo.model)[0][1];
}

const NAMES = { redo: "redo", in: "plus", out: "minus", fit: "whole", hide: "eye", add: "add" };

function ways() {
	const way = (act, look, key) => button({ class: look, key: act, onclick: () => press(act), "aria-keyshortcuts": key }, h("span", {}, t(act === "accept" && work.edited ? "photo.save" : `photo.${act}`)), h("kbd", { "aria-hidden": "true" }, key));
	fill(byId("ways"), way("accept", "primary", "Enter"), way("reject", "secondary", "r"), way("undo", "secondary", "u"));
}

function tools() {
	const tool = (act, key, pressed = null) =>
		button({ class: "tool", key: act, pressed, label: t(`key.photo.${act}`), title: `${t(`key.photo.${act}`)} (${key})`, onclick: () => press(act) }, icon(NAMES[act]));
	fill(byId("stage-tools"), tool("add", "a", stage.adding), tool("in", "+"), tool("out", "-"), tool("fit", "f"), tool("hide", "h", hidden), tool("redo", "y"));
}

const press = (act) => run(acts[act]);

// --- tiles ---

async function changed() {
	keep(work.photo.key, work.edited ? work.draft : null);
	await show();
}

function spoken() {
	const { tile, at } = work;
	if (!tile) return;
	// where the list has the focus, the screen reader reads the tile there
	if (!byId("tiles").contains(document.activeElement)) announce(t("tile.said", { n: at + 1, name: tileName(tile.label) }));
}

async function pick(at) {
	corner = -1;
	work.select(at);
	await picked();
}

async function picked() {
	if (work.tile) stage.reveal(work.tile.quad);
	await show();
	spoken();
}

async function relabel(label) {
	if (!work.tile) return say("photo.no_tile");
	work.relabel(label);
	await changed();
	spoken();
}

/** While a quad is dragged; null where that was broken off. */
function live(quad) {
	const tile = quad ? { ...work.tile, quad } : work.tile;
	stage.show(quad ? work.tiles.with(work.at, tile) : work.tiles, work.at, corner);
	chosen(tile);
}

async function place(quad) {
	if (!work.place(quad)) {
		await show();
		return say("photo.no_quad");
	}
	readSoon(work.tile);
	await changed();
}

/** A new tile; what it is and which way up it lies, the network says. */
async function draw(quad) {
	mode(false);
	if (!work.add(quad)) return say("photo.no_quad");
	await changed();
	const { tile } = work;
	const ways = [0, 1, 2, 3].map((quarters) => turned(tile.quad, quarters));
	const answers = await api.read(work.photo.key, ways);
	const upright = answers.reduce((best, one, at) => (one.probability > answers[best].probability ? at : best), 0);
	heard(tile, answers[upright], ways[upright]);
	await changed();
	spoken();
}

/** A quad at a point, of the form of its nearest neighbour. */
function form([x, y]) {
	const far = (tile) => Math.hypot(centre(tile.quad)[0] - x, centre(tile.quad)[1] - y);
	const near = work.tiles.length ? work.tiles.reduce((best, one) => (far(one) < far(best) ? one : best)) : null;
	const half = PALM / stage.zoom / 2;
	const [cx, cy] = near ? centre(near.quad) : [0, 0];
	return near ? moved(near.quad, x - cx, y - cy) : [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]];
}

function readSoon(tile) {
	clearTimeout(waiting?.timer);
	waiting = { tile, timer: setTimeout(() => run(async () => { await settle(); await changed(); }), PAUSE) };
}

/** Reads what still waits to be read. */
async function settle() {
	if (!waiting) return;
	const { tile, timer } = waiting;
	waiting = null;
	clearTimeout(timer);
	const [answer] = await api.read(work.photo.key, [tile.quad]);
	heard(tile, answer, tile.quad);
}

function heard(tile, answer, quad) {
	const read = work.answered(tile, { ...answer, quad });
	if (read && read.label !== tile.label) announce(t("tile.read", { name: tileName(read.label) }));
}

function nudge(dx, dy) {
	if (stage.adding) return stage.moveSpot(dx * NUDGE, dy * NUDGE);
	if (!work.tile) return null;
	const by = NUDGE / stage.zoom;
	const { quad } = work.tile;
	return place(corner < 0 ? moved(quad, dx * by, dy * by) : bent(quad, corner, dx * by, dy * by));
}

function mode(adding) {
	stage.add(adding);
	tools();
	hud(adding ? "photo.adding" : null);
}

function hud(key, values = {}) {
	byId("hud").hidden = !key;
	if (key) byId("hud").textContent = t(key, values);
}

/** What is typed of a label. */
export async function hear({ rank, label, wrong }) {
	hud(rank ? "photo.typing" : null, { rank });
	if (wrong) say("photo.no_label", { label: wrong });
	if (label) await relabel(label);
}

// --- saving ---

/** Writes the tiles down as a new revision. Whether the photo is dealt with: where somebody else was faster, that is settled
 * first, or put off. */
async function save(state) {
	const { photo, tiles } = work;
	let fresh = null;
	try {
		fresh = await api.save(photo.key, { after: photo.revision, state, tiles: sent(tiles), by: reviewer() });
	} catch (error) {
		if (error.kind !== "conflict") throw error;
		return clash(error.latest, state);
	}
	keep(photo.key, null);
	saved.push({ key: photo.key, revision: fresh.revision, tiles: photo.tiles, state: photo.state });
	queue.dealt(fresh, true);
	work = new Work(fresh);
	return true;
}

/** Both versions are shown, and what comes of it is put on top of theirs: saved as `state`, or kept to go on with where that
 * is null. Put off, one's own work stays as it was. Whether it was saved. */
async function clash(latest, state = null) {
	const chosen = await compare({ base: work.photo, mine: work.tiles, latest, state });
	if (!chosen) {
		keep(work.photo.key, work.draft);
		say("compare.put_off");
		return false;
	}
	const { tiles, state: wanted } = chosen;
	work = new Work(latest, { tiles, at: work.at });
	keep(latest.key, work.edited ? work.draft : null);
	await show();
	const isNews = work.edited || (wanted === "rejected") !== (latest.state === "rejected");
	const done = wanted !== null && (!isNews || (await save(wanted)));
	say(!done ? "compare.merged" : isNews ? "compare.saved" : "compare.left");
	return done;
}

async function onwards() {
	const next = await queue.beside(work.photo.key, 1);
	if (next) await visit("photo", next);
	else await visit("queue");
}

/** Puts back what was saved last, as one more revision. */
async function takeBack() {
	const last = saved.pop();
	if (!last) return say("photo.nothing");
	const { key, revision, tiles, state } = last;
	try {
		const fresh = await api.save(key, { after: revision, state, tiles: sent(tiles), by: reviewer() });
		queue.dealt(fresh, false);
	} catch (error) {
		if (error.kind !== "conflict") throw error;
		say("photo.taken_over");
		return visit("photo", key);
	}
	await visit("photo", key);
	say("photo.taken_back");
}

/** An older revision beside the one that holds; put back if so wanted. */
async function lookAt(revision) {
	const { photo } = work;
	const older = await api.revision(photo.key, revision);
	if (!(await look({ photo, older }))) return;
	work.replace(older.tiles);
	await changed();
	say("history.put_back");
}

/** An arrow moves the new tile while there is one to be put somewhere. */
const arrow = (dx, dy, otherwise) => () => (stage.adding ? stage.moveSpot(dx * STRIDE, dy * STRIDE) : otherwise());

function step(by) {
	corner = -1;
	work.step(by);
	return picked();
}

export const acts = {
	back: () => relabel("back"),
	previous: arrow(-1, 0, () => step(-1)),
	next: arrow(1, 0, () => step(1)),
	keep: async () => {
		if (!work.tile) return;
		work.keep();
		await acts.doubt();
	},
	doubt: async () => {
		const more = work.doubt();
		await picked();
		if (!more) say("photo.no_doubt");
	},
	accept: async () => {
		if (stage.adding) return draw(form(stage.spot));
		await settle();
		const unread = work.tiles.findIndex((tile) => tile.label === "?" && !work.photo.tiles.some((before) => sameTile(before, tile)));
		if (unread >= 0) {
			await pick(unread);
			return say("photo.unread");
		}
		if (await save("accepted")) await onwards();
	},
	reject: async () => {
		await settle();
		if (await save("rejected")) await onwards();
	},
	undo: async () => {
		await settle();
		if (!work.undo()) return takeBack();
		await changed();
		spoken();
	},
	redo: async () => {
		await settle();
		if (work.redo()) await changed();
	},
	"photo.previous": arrow(0, -1, () => other(-1)),
	"photo.next": arrow(0, 1, () => other(1)),
	leave: async () => {
		if (stage.adding) return mode(false);
		if (corner >= 0) {
			corner = -1;
			return show();
		}
		await visit("queue");
	},
	add: () => mode(!stage.adding),
	delete: async () => {
		if (!work.tile) return;
		work.remove();
		await changed();
		spoken();
	},
	corner: () => {
		corner = corner === 3 ? -1 : corner + 1;
		announce(t(corner < 0 ? "photo.whole_tile" : "photo.corner", { n: corner + 1 }));
		return show();
	},
	left: () => nudge(-1, 0),
	right: () => nudge(1, 0),
	up: () => nudge(0, -1),
	down: () => nudge(0, 1),
	turn: () => work.tile && place(turned(work.tile.quad)),
	in: () => stage.in(),
	out: () => stage.out(),
	fit: () => stage.fit(),
	go: () => work.tile && stage.goTo(work.tile.quad),
	hide: () => {
		hidden = !hidden;
		stage.hide(hidden);
		tools();
	},
};

async function other(by) {
	const next = await queue.beside(work.photo.key, by);
	if (next) await visit("photo", next);
	else say(by < 0 ? "photo.first" : "photo.last");
}
