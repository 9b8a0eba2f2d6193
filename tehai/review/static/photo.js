// The photo under review: its screen and its key actions.
import * as api from "./api.js";
import { run } from "./actions.js";
import { pairs, sameTile, turned } from "./geometry.js";
import { say, trouble } from "./notice.js";
import { changed, listen, setAdding, now, runHere, show, announceTile } from "./now.js";
import { chosenTile, historyOf, tileList } from "./panel.js";
import { draw, form, nudge, place, readPending } from "./placing.js";
import * as queue from "./queue.js";
import { resolveConflict, showRevision, openNext, save, undoSave } from "./saving.js";
import { visit } from "./screens.js";
import * as several from "./several.js";
import { announce, button, byId, fill, h, icon } from "./shared/dom.js";
import { t } from "./shared/text.js";
import { Stage } from "./stage.js";
import { storeDraft, loadDraft } from "./store.js";
import { Work } from "./work.js";
import { count } from "./words.js";

const STRIDE = 14; // screen pixels that a key moves a new tile

let picture = null; // null if it cannot be shown
let hidden = false; // whether outlines are hidden
let newerVersion = null; // a newer version, saved by somebody else before this draft was opened again

export function start() {
	now.stage = new Stage(byId("canvas"), {
		pick: (at) => runHere(() => pick(at)),
		moved: (quad) => preview(quad),
		placed: (quad) => runHere(() => place(quad)),
		drawn: (quad) => runHere(() => onDrawn(quad)),
		form: newQuad,
	});
	byId("revisions").addEventListener("toggle", ({ target }) => target.scrollIntoView({ block: "nearest" }));
	// after a click with the mouse, keys go back to the photo
	byId("photo").addEventListener("click", ({ detail, target }) => detail && target.closest("button") && focus());
	for (const kind of ["keydown", "keyup"]) {
		document.addEventListener(kind, (event) => {
			if (event.key !== " ") return;
			now.stage.panning = kind === "keydown" && event.target === byId("stage");
			byId("canvas").classList.toggle("hand", now.stage.panning);
			if (now.stage.panning) event.preventDefault();
		});
	}
	document.addEventListener("visibilitychange", () => !document.hidden && !byId("photo").hidden && run(refresh));
}

export async function arrive(key) {
	await readPending();
	setAdding(false);
	let pictureError = null;
	const [photo, shown, draft, next] = await Promise.all([
		api.photo(key),
		api.picture(key).catch((error) => (pictureError = error) && null),
		loadDraft(key),
		queue.neighbourOf(key, 1),
	]);
	if (!photo) throw new api.Trouble("missing");
	await begin(photo, draft);
	picture = shown;
	if (pictureError) trouble(pictureError); // the labels are still usable
	now.corner = -1;
	now.stage.open(photo, api.image(key));
	show();
	if (next) api.picture(next).catch(() => {}); // preloads the next photo; errors show up when it opens
}

export function shown(from) {
	now.stage.fit();
	if (from !== "photo") focus();
	const latest = newerVersion;
	newerVersion = null;
	if (latest) run(() => resolveConflict(latest));
}

export const focus = () => byId("stage").focus({ preventScroll: true });

/** Opens the server's photo with the unsaved work on it. */
async function begin(photo, draft) {
	// null if the journal was created anew
	const base = draft && draft.after !== photo.revision ? await api.revision(photo.key, draft.after) : null;
	now.work = new Work(base ?? photo, draft);
	if (base) newerVersion = photo;
	else if (draft && now.work.edited) say("photo.restored");
}

/** Loads what others have saved, if there is no unsaved work. */
async function refresh() {
	const photo = await api.photo(now.work.photo.key);
	if (!photo || photo.revision === now.work.photo.revision || now.work.edited) return;
	now.work = new Work(photo);
	show();
	say("photo.newer", { by: photo.history.at(-1)?.by ?? "" });
}

listen("changed", () => {
	const { photo, tiles, at } = now.work;
	const place = queue.placeOf(photo.key);
	byId("photo-path").textContent = photo.path;
	byId("photo-path").title = photo.path;
	byId("photo-state").className = `state ${now.work.edited ? "draft" : photo.state}`;
	byId("photo-state").textContent = t(now.work.edited ? "queue.unsaved" : `state.${photo.state}`);
	byId("photo-place").textContent = place ? t("photo.place", place) : "";
	fill(byId("photo-why"), queue.reasons(photo.why));
	now.stage.show(tiles, at, now.corner, several.chosen());
	chosen(now.work.tile);
	byId("tiles-title").textContent = count("tiles.count", tiles.length);
	tileList(byId("tiles"), tiles, now.work.order, at, (to) => runHere(() => pick(to)));
	renderActions();
	renderTools();
	historyOf(byId("history"), photo, (revision) => runHere(() => showRevision(revision)));
});

const chosen = (tile) =>
	chosenTile(
		byId("chosen"),
		{ tile, at: now.work.at, picture, model: modelOf(tile) },
		{
			label: (label) => runHere(() => relabel(label)),
			delete: () => runHere(acts.delete),
			turn: () => runHere(acts.turn),
		},
	);

/** What the models say about the tile; null if they did not detect it. */
function modelOf(tile) {
	if (!tile || !now.work.photo.model) return null;
	return pairs([tile], now.work.photo.model)[0][1];
}

const NAMES = { redo: "redo", in: "plus", out: "minus", fit: "whole", hide: "eye", add: "add", several: "several" };

function renderActions() {
	const way = (act, look, key) =>
		button(
			{ class: look, key: act, onclick: () => press(act), "aria-keyshortcuts": key },
			h("span", {}, t(act === "accept" && now.work.edited ? "photo.save" : `photo.${act}`)),
			h("kbd", { "aria-hidden": "true" }, key),
		);
	fill(byId("ways"), way("accept", "primary", "Enter"), way("reject", "secondary", "r"), way("undo", "secondary", "u"));
}

function renderTools() {
	const tool = (act, key, pressed = null) =>
		button(
			{
				class: "tool",
				key: act,
				pressed,
				label: t(`key.photo.${act}`),
				title: `${t(`key.photo.${act}`)} (${key})`,
				onclick: () => press(act),
			},
			icon(NAMES[act]),
		);
	fill(
		byId("stage-tools"),
		tool("add", "a", now.stage.adding && !several.isOpen()),
		tool("several", "v", several.isOpen()),
		tool("in", "+"),
		tool("out", "-"),
		tool("fit", "f"),
		tool("hide", "h", hidden),
		tool("redo", "y"),
	);
}

/** A drawn quad is a new tile, or in several mode a selection of tiles. */
const newQuad = (point) => (several.isOpen() ? several.form(point) : form(point));
const onDrawn = (quad) => (several.isOpen() ? several.enclose(quad) : draw(quad));

const press = (act) => runHere(acts[act]);

async function pick(at) {
	now.corner = -1;
	now.work.select(at);
	await picked();
}

async function picked() {
	if (now.work.tile) now.stage.reveal(now.work.tile.quad);
	show();
	announceTile();
}

async function relabel(label) {
	if (!now.work.tile) return say("photo.no_tile");
	now.work.relabel(label);
	changed();
	announceTile();
}

/** Shows a quad while it is dragged. Null: cancelled. */
function preview(quad) {
	const tile = quad ? { ...now.work.tile, quad } : now.work.tile;
	now.stage.show(quad ? now.work.tiles.with(now.work.at, tile) : now.work.tiles, now.work.at, now.corner);
	chosen(tile);
}

listen("adding", (adding) => {
	renderTools();
	hud(adding && !several.isOpen() ? "photo.adding" : null);
});

function hud(key, values = {}) {
	byId("hud").hidden = !key;
	if (key) byId("hud").textContent = t(key, values);
}

/** Handles a typed label. */
export async function hear({ rank, label, wrong }) {
	hud(rank ? "photo.typing" : null, { rank });
	if (wrong) say("photo.no_label", { label: wrong });
	if (label) await relabel(label);
}

/** Arrow keys move the preview while a new tile is being placed. */
const arrow = (dx, dy, otherwise) => () =>
	now.stage.adding ? now.stage.moveSpot(dx * STRIDE, dy * STRIDE) : otherwise();

function step(by) {
	now.corner = -1;
	now.work.step(by);
	return picked();
}

export const acts = {
	back: () => relabel("back"),
	previous: arrow(-1, 0, () => step(-1)),
	next: arrow(1, 0, () => step(1)),
	keep: async () => {
		if (!now.work.tile) return;
		now.work.keep();
		await acts.doubt();
	},
	doubt: async () => {
		const more = now.work.doubt();
		await picked();
		if (!more) say("photo.no_doubt");
	},
	accept: async () => {
		if (now.stage.adding) return onDrawn(newQuad(now.stage.spot));
		await readPending();
		const unread = now.work.tiles.findIndex(
			(tile) => tile.label === "?" && !now.work.photo.tiles.some((before) => sameTile(before, tile)),
		);
		if (unread >= 0) {
			await pick(unread);
			return say("photo.unread");
		}
		if (await save("accepted")) await openNext();
	},
	reject: async () => {
		await readPending();
		if (await save("rejected")) await openNext();
	},
	undo: async () => {
		await readPending();
		if (!now.work.undo()) return undoSave();
		changed();
		announceTile();
	},
	redo: async () => {
		await readPending();
		if (now.work.redo()) changed();
	},
	"photo.previous": arrow(0, -1, () => other(-1)),
	"photo.next": arrow(0, 1, () => other(1)),
	leave: async () => {
		if (several.isOpen()) return several.toggle();
		if (now.stage.adding) return setAdding(false);
		if (now.corner >= 0) {
			now.corner = -1;
			return show();
		}
		await visit("queue");
	},
	add: () => (several.isOpen() ? several.toggle() : setAdding(!now.stage.adding)),
	several: () => several.toggle(),
	delete: async () => {
		if (several.isOpen()) return several.remove();
		if (!now.work.tile) return;
		now.work.remove();
		changed();
		announceTile();
	},
	corner: () => {
		now.corner = now.corner === 3 ? -1 : now.corner + 1;
		announce(t(now.corner < 0 ? "photo.whole_tile" : "photo.corner", { n: now.corner + 1 }));
		return show();
	},
	left: () => nudge(-1, 0),
	right: () => nudge(1, 0),
	up: () => nudge(0, -1),
	down: () => nudge(0, 1),
	turn: () => now.work.tile && place(turned(now.work.tile.quad)),
	in: () => now.stage.in(),
	out: () => now.stage.out(),
	fit: () => now.stage.fit(),
	go: () => now.work.tile && now.stage.goTo(now.work.tile.quad),
	hide: () => {
		hidden = !hidden;
		now.stage.hide(hidden);
		renderTools();
	},
};

async function other(by) {
	const next = await queue.neighbourOf(now.work.photo.key, by);
	if (next) await visit("photo", next);
	else say(by < 0 ? "photo.first" : "photo.last");
}
