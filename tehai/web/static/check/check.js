// Check: the photo with its outlines, the tiles below in reading order, each over its crop, and all one can do to them.
import * as advice from "./advice.js";
import { correct, dispel, meant, nextHand, readPhotos, reask, tell, typedHand, undo } from "../app/actions.js";
import * as answer from "./answer.js";
import { book as intoBook } from "../book/booked.js";
import * as booking from "../book/booking.js";
import * as claims from "../games/claim.js";
import * as doubting from "./doubts.js";
import { announce, button, byId, fill, h, icon, styled } from "../shared/dom.js";
import * as hands from "../app/hand.js";
import { remember } from "../score/history.js";
import { isSettled, waits } from "../app/outcome.js";
import * as photos from "../app/photo.js";
import { canBeRed, FACES, isRed } from "../shared/labels.js";
import { t, tileName } from "../shared/text.js";
import { crop, face, keypad, row } from "../shared/tiles.js";
import { players } from "../app/settings.js";
import { app, change, go, show, won } from "../app/state.js";

await styled("check/check.css");

const WIDE = 860; // pixels from which the photo stands beside the tiles and can be higher
const MOVED = 8; // pixels after which a press on a tile is a drag
const MEASURED = ["photo-frame", "sheet", "bar"]; // what stays where it is while the page scrolls
const WORTH = ["outcome", "lesson", "answers"]; // what of a state is no tile
const MELDS = ["chi", "pon", "minkan", "kakan", "ankan"];
const FROM = [3, 2, 1, null]; // left, across, right, not known

let picked = null; // the place that is being corrected, or {group: "other", at} for a tile of the photo outside the hand
let mode = "alternatives"; // of the sheet: alternatives, all (the keypad), melds; or {add: group}
let whole = false; // whether all of the photo is shown

// --- screen ---

export function start() {
	advice.start();
	const canvas = byId("photo");
	canvas.addEventListener("click", touched);
	canvas.addEventListener("pointerdown", beginFrame);
	byId("check").addEventListener("keydown", keys);
	const watcher = new ResizeObserver(inSight);
	for (const id of MEASURED) watcher.observe(byId(id));
}

/** Tells the style sheet how much of the screen is taken, and has the tile in question lie where nothing is over it. */
function inSight() {
	for (const id of MEASURED) document.documentElement.style.setProperty(`--${id}`, `${byId(id).offsetHeight}px`);
	if (!picked || picked.group === "other") return;
	byId("groups").querySelector(`[data-key="${picked.group}/${picked.at}"]`)?.scrollIntoView({ block: "nearest" });
}

/** The first tile in doubt is opened by itself, unless something graver is; where none is, what 13 tiles wait on; where
 * nothing is there at all, what tiles are typed with. */
export function arrive() {
	whole = false;
	const { hand, outcome } = app.state;
	if (doubting.isAny(app.state) && !outcome?.others) reask(); // which of them matter
	if (hand && !app.shots.length && !hands.places(hand).length) return open(null, { add: "closed" });
	const doubt = hand && faces()[0]?.place;
	if (unsettled().some((one) => rank(one) < 2)) return open(null, "alternatives");
	open(doubt ?? null, hand && !doubt && !hand.win && waits(app.state).length ? { add: "win" } : "alternatives");
}

export function leave() {
	picked = null;
	mode = "alternatives";
	line = unread = "";
	document.body.classList.remove("with-sheet");
	answer.leave();
}

export function render({ state }, changes) {
	const { hand } = state;
	answer.render(app);
	booking.who(app);
	if (!hand || (isOnlyWorth(changes) && mode.add !== "win" && !doubting.isAny(state))) return; // the news may be what 13 wait on, or which doubts matter
	if (picked && picked.group !== "other" && !hands.tileAt(hand, picked)) picked = null;
	if (mode.add === "win" && hand.win) mode = "alternatives";
	const all = [...faces().map(asDoubt), ...asked()].sort((one, other) => rank(one) - rank(other));
	const n = all.length + Number(isDoraOpen());
	const unsure = !n && state.reading?.unsure;
	const look = n || unsure;
	fill(
		byId("check-tools"),
		hand.closed.length > 0 && button({ class: look ? "pill doubt" : "pill good", key: "doubts", disabled: !n, onclick: reachDoubts },
			icon(look ? "look" : "check"),
			unsure ? t("doubt.sure", { percent: Math.floor(100 * unsure) }) : t(n ? "check.doubts" : "check.sure", { n }),
		),
		app.photos[shot()] && tool("whole", "check.whole", zoom, false, whole),
		tool("undo", "check.undo", undo, !state.undone.length),
		tool("camera", "check.another", () => go("take"), !app.shots.length),
		tool("sort", "check.sort", () => correct(hands.sorted(hand)), !hand.closed.length),
	);
	const unlike = state.reading?.unlike ?? [];
	byId("unlike").hidden = !unlike.length;
	fill(byId("unlike"), unlike.map((at) => h("div.more", h("span", t("check.unlike", { n: at + 1 })), button({ class: "secondary", key: `another-hand-${at}`, onclick: () => anotherHand(at) }, t("check.another_hand")))));
	fill(byId("doubts"), all.map(told));
	picture();
	fill(byId("groups"), hands.groupsOf(hand).filter(shown).map(group));
	sheet();
}

/** A photo that shows another hand is scored by itself; the one before it stays in the evening's list, where it has a score. */
async function anotherHand(at) {
	const shot = app.shots[at];
	const { outcome, claim } = app.state;
	if (!claim && outcome?.result?.status === "ok") remember(app.state, won().rules);
	await nextHand();
	return readPhotos([shot]);
}

const tool = (name, label, act, disabled = false, pressed = null) =>
	button({ class: "tool", disabled, pressed, key: name, title: t(label), label: t(label), onclick: act }, icon(name));

function zoom() {
	whole = !whole;
	show();
}

/** Whether no tile is news; one that is being pressed stays. */
const isOnlyWorth = (changes) => changes && Object.keys(changes).every((name) => WORTH.includes(name));
const shown = (name) => name !== "ura" || Boolean(app.state.hand.ura);

export function way({ state }) {
	const { n, of } = hands.count(state.hand ?? hands.EMPTY);
	const { outcome } = state;
	if (!n && app.shots.length) return { text: t("check.retake"), go: nextHand };
	if (n === of - 1 && !state.hand.win) return { text: t("group.win"), go: () => open(null, { add: "win" }) };
	const there = answer.isAsked(state);
	const questions = (there && outcome.questions) || [];
	const settled = there && isSettled(outcome.result);
	const toBook = settled && state.claim && booking.way(state, { n: faces().length + asked().length, go: reachDoubts }, book);
	if (toBook) return toBook;
	if (n > of || (there && !settled && !questions.length)) {
		// typed among the closed tiles: a kong, norths that are set aside
		const kong = hands.kong(state.hand);
		if (kong) return { text: t("meld.ankan"), go: () => correct(hands.makeMeld(state.hand, kong)) };
		const norths = players() === 3 && n > of && hands.withoutNorths(state.hand, n - of);
		if (norths) return { text: t("name.nukidora"), go: () => setAside(norths, n - of) };
	}
	if (settled) return { text: t(isOpen(state) ? "way.skip" : "way.score"), go: proceed };
	const told = there && state.answers.length > 0; // an answer may forbid the win
	const text = questions.length ? t("way.answer", { n: questions.length }) : t(told ? "answer.title" : "way.score");
	return { text, disabled: !questions.length && !told, go: answer.reach };
}

const isOpen = (state) => state.outcome.range?.low !== state.outcome.range?.high && answer.deciding(state).length > 0;

function setAside(hand, more) {
	const nukidora = Math.min(4, more + (app.state.answers.find(({ field }) => field === "nukidora")?.fields.nukidora ?? 0));
	correct(hand);
	tell({ field: "nukidora", id: String(nukidora), fields: { nukidora } });
}

/** Going on says that all tiles are right. */
function proceed() {
	settleAll();
	go("score");
}

/** In a game nothing is left to say: what the hand is worth goes into its book. */
function book() {
	settleAll();
	intoBook();
}

function settleAll() {
	change({ hand: hands.confirmAll(app.state.hand) });
	dispel(...(app.state.reading?.doubts ?? []).filter(({ kind }) => kind !== "indicator"));
}

// --- doubts ---

/** The first card, on the way to the book. */
function reachDoubts() {
	go("check");
	if (!byId("doubts").childElementCount) return answer.reach();
	byId("doubts").scrollIntoView({ block: "center" });
	byId("doubts").querySelector("button")?.focus({ preventScroll: true });
}

const KINDS = ["photo", "hand", "win", "face", "left_out"]; // of doubts, the gravest first
const rank = (doubt) => KINDS.indexOf(doubt.kind);

/** Tiles of the hand in doubt, and what the reading doubts besides; only what can change who pays what, or the hand. */
const faces = () => doubting.relevant(app.state).filter(({ place }) => place);
const unsettled = () => doubting.relevant(app.state).flatMap(({ of }) => of ?? []);

/** The same, where several tiles may have won as one doubt: `ways` are the others. */
function asked() {
	const [wins, rest] = [true, false].map((wanted) => unsettled().filter(({ kind }) => (kind === "win") === wanted));
	const ways = wins.filter(({ instead }) => instead?.hand?.win_tile);
	return ways.length > 1 ? [{ kind: "win", ways }, ...rest] : [...wins, ...rest];
}

/** A tile in doubt, like the doubts of the reading. */
function asDoubt(doubt) {
	const { shot, quad } = hands.tileAt(app.state.hand, doubt.place);
	return { ...doubt, picture: crop(app.photos[shot], quad) };
}

/** A doubt in its sentence, with the other reading to tap, and that it is right as it is. */
function told(doubt, nth) {
	const { kind, place, label, tiles = [], instead, ways } = doubt;
	const { hand, reading } = app.state;
	if (ways) return oneOf(ways);
	const named = tiles.map((at) => tileName(reading.tiles[at].label));
	const won = kind === "win" ? instead?.hand?.win_tile : null;
	const other = won ?? instead?.label;
	const form = (place || kind === "win") && !other ? `${kind}_alone` : kind;
	const mine = label ?? (won && hand.win?.label);
	const text = t(`doubt.${form}`, { tile: mine ? tileName(mine) : named[0], instead: other && tileName(other), tiles: named.join(", ") });
	return h("li.pill.doubt",
		doubt.picture,
		h("span", text),
		h("div.choices",
			worded(mine ? t("check.keep", { tile: tileName(mine) }) : t(kind === "hand" ? "doubt_card.this" : "doubt_card.keep"), "check", () => (place ? correct(hands.confirm(hand, place)) : dispel(doubt))),
			instead && worded(other ? t("doubt_card.no", { tile: tileName(other) }) : t(kind === "hand" ? "doubt_card.that" : "doubt_card.other"), `other-${nth}`, () => taken(doubt), other ? face(other) : answer.whole(hands.fromRecord(instead.hand))),
			!instead && place && worded(t("doubt_card.another"), `other-${nth}`, () => open(place, "all")),
		),
	);
}

/** A button that says in words what it does. */
const worded = (text, key, act, shown = null) => button({ class: "secondary worded", key, onclick: act }, shown, h("span", text));

/** Which of several tiles won, asked once. */
function oneOf(ways) {
	const { hand } = app.state;
	const others = ways.map((doubt) => [doubt.instead.hand.win_tile, doubt]).filter(([label], at, all) => all.findIndex(([one]) => one === label) === at);
	return h("li.pill.doubt",
		h("span", t("ask.win_tile")),
		h("div.choices",
			hand.win && choice(t("check.keep", { tile: tileName(hand.win.label) }), "won", settled, [face(hand.win.label), h("small", icon("check"))], "choice current"),
			others.map(([label, doubt], nth) => choice(tileName(label), `other-${nth}`, () => taken(doubt), face(label))),
		),
		!hand.win && worded(t("doubt_card.keep"), "check", settled),
	);
}

/** Nobody doubts which tile won any more. */
const settled = () => dispel(...(app.state.reading?.doubts ?? []).filter(({ kind }) => kind === "win"));

/** The other reading of a doubt is the right one. */
function taken(doubt) {
	const { hand, reading } = app.state;
	const { place, instead } = doubt;
	if (instead.region) return meant(instead.region);
	if (place) return correct(hands.replace(hand, place, instead.label));
	if (doubt.kind === "win") settled();
	else dispel(doubt.of ?? doubt);
	correct(hands.otherwise(hand, doubt, reading.tiles));
}

/** The quads of what a doubt is about outside the hand. */
const elsewhere = (photo) => ({ tiles, instead }) =>
	instead?.region ? [photos.corners(photo, instead.region)] : tiles.map((at) => app.state.reading.tiles[at]).filter((one) => one.role === "other" && !isBack(one)).map((one) => one.quad);

/** Backs are the wall's: nothing is wrong with them. */
const isBack = ({ label }) => label === "back";

/** Whether indicators were read that nobody has confirmed, and that matter. */
const isDoraOpen = () => hands.isUnconfirmed(app.state) && answer.asksDora(app.state);

/** Whether a tile's face is a doubt that matters, or it is an indicator that nobody has confirmed. */
function isAskedAbout(one) {
	const { hand } = app.state;
	if (hand.dora?.includes(one)) return isDoraOpen();
	return one.doubt && faces().some(({ place }) => hands.tileAt(hand, place) === one);
}

/** Whether a tile of the hand is in doubt, or whether it belongs to it or won. */
const unclear = (one) => isAskedAbout(one) || unsettled().some(({ kind, tiles }) => kind !== "hand" && tiles.some((at) => String(app.state.reading.tiles[at].quad) === String(one.quad)));

// --- photo ---

let part = null; // of the photo that is shown

/** The shot that shows the tile in hand, else most of the hand. */
const shot = () => (picked && picked.group !== "other" ? hands.tileAt(app.state.hand, picked)?.shot : null) ?? app.state.reading?.index ?? 0;
const outside = () => (app.state.reading?.tiles ?? []).filter((one) => one.role === "other" && (one.photo ?? 0) === shot());
const inShot = () => hands.places(app.state.hand).map((place) => ({ place, tile: hands.tileAt(app.state.hand, place) })).filter(({ tile }) => tile.quad && tile.shot === shot());

function picture() {
	const photo = app.photos[shot()];
	byId("photo-frame").hidden = !app.shots.length;
	byId("photo-frame").classList.toggle("whole-photo", isWhole());
	byId("no-picture").hidden = Boolean(photo) || !app.shots.length;
	byId("photo").hidden = !photo;
	framing(photo);
	if (!photo) return;
	const tiles = inShot();
	const ink = getComputedStyle(byId("photo"));
	const colour = (name) => ink.getPropertyValue(`--role-${name}`).trim();
	// dora lie apart and would make the rest small
	const near = tiles.filter(({ place }) => !place.group.endsWith("ra") || hands.samePlace(place, picked));
	const others = unsettled().flatMap(elsewhere(photo)).map((quad) => ({ quad, colour: colour("doubt"), width: 5, dashed: true }));
	const all = app.state.reading?.tiles.filter((one) => (one.photo ?? 0) === shot()).map(({ quad }) => quad) ?? [];
	const faces = isWhole() ? [] : photos.beside((near.length ? near : tiles).map(({ tile }) => tile), all);
	const shown = [...(near.length ? near : tiles).map(({ tile }) => tile.quad), ...faces.map(({ quad }) => quad), ...others.map(({ quad }) => quad)];
	part = photos.part(photo, isWhole() ? [] : shown, innerWidth < WIDE ? 0 : 0.5);
	const lines = tiles.map(({ place, tile }) => ({
		quad: tile.quad,
		colour: colour(unclear(tile) ? "doubt" : place.group.split(":")[0]),
		width: hands.samePlace(place, picked) ? 8 : 3,
		dashed: unclear(tile),
	}));
	const isPicked = (at) => hands.samePlace(picked, { group: "other", at });
	const loose = isWhole() ? outside().flatMap((one, at) => (isBack(one) && !isPicked(at) ? [] : { quad: one.quad, colour: colour("other"), width: isPicked(at) ? 8 : 1.5 })) : [];
	const frame = isWhole() && app.state.region ? [{ quad: photos.corners(photo, app.state.region.split(",").map(Number)), colour: colour("win"), width: 3 }] : [];
	photos.draw(byId("photo"), photo, part, [...loose, ...frame, ...others, ...lines]);
	photos.drawFaces(byId("photo"), photo, faces, () => app.state.screen === "check" && picture());
}

/** All of the photo is shown where somebody wants to see it, and where no hand was found in it. */
const isWhole = () => whole || !hands.places(app.state.hand).length;

/** The point of the photo's picture that lies there on the canvas. */
function pointAt(x, y) {
	const { clientWidth: width, clientHeight: height } = byId("photo");
	const zoom = Math.min(width / part.width, height / part.height);
	return [part.x + part.width / 2 + (x - width / 2) / zoom, part.y + part.height / 2 + (y - height / 2) / zoom];
}

/** A touch of the photo: a tile of the hand, another hand that may be meant, any other tile. */
function touched({ offsetX, offsetY }) {
	if (framed) return (framed = false); // the click that follows a frame is none
	const photo = app.photos[shot()];
	const point = pointAt(offsetX, offsetY).map((one) => one / photo.scale);
	const tiles = inShot();
	const found = photos.under(point, tiles.map(({ tile }) => tile.quad));
	if (found >= 0) return pick(tiles[found].place);
	const meantHere = unsettled().find(({ instead }) => instead?.region && photos.under(point, [photos.corners(photo, instead.region)]) === 0);
	if (meantHere) return taken(meantHere);
	const other = isWhole() ? photos.under(point, outside().map((one) => one.quad)) : -1;
	pick(other >= 0 ? { group: "other", at: other } : null);
}

// --- a frame around the hand that is meant ---

let framed = false; // whether the touch that ends now has drawn one

/** What a frame is for, and the way back from one. */
function framing(photo) {
	fill(byId("framing"),
		isWhole() && photo && h("span", t("check.frame")),
		app.state.region && button({ class: "quiet", key: "unframe", onclick: () => meant(null) }, t("check.unframe")),
	);
}

function beginFrame(event) {
	framed = false;
	if (!isWhole() || event.button) return;
	const canvas = byId("photo");
	const from = [event.offsetX, event.offsetY];
	const box = byId("frame");
	const ended = new AbortController();
	const on = (name, act) => canvas.addEventListener(name, act, { signal: ended.signal });
	const corners = (to) => [0, 1].map((axis) => [from[axis], to[axis]].sort((one, other) => one - other));
	const end = () => {
		ended.abort();
		box.hidden = true;
	};
	canvas.setPointerCapture(event.pointerId);
	on("pointermove", (move) => {
		const [[left, right], [top, bottom]] = corners([move.offsetX, move.offsetY]);
		framed ||= Math.hypot(right - left, bottom - top) > MOVED;
		box.hidden = !framed;
		Object.assign(box.style, { left: `${canvas.offsetLeft + left}px`, top: `${canvas.offsetTop + top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
	});
	on("pointerup", (up) => {
		end();
		const [[left, right], [top, bottom]] = corners([up.offsetX, up.offsetY]);
		if (!framed || Math.min(right - left, bottom - top) < MOVED) return;
		const { width, height } = app.photos[shot()].picture;
		const share = (x, y) => pointAt(x, y).map((value, axis) => Math.min(1, Math.max(0, value / [width, height][axis])));
		const region = [...share(left, top), ...share(right, bottom)].map((value) => Number(value.toFixed(4)));
		if (region[0] < region[2] && region[1] < region[3]) meant(region, shot());
	});
	on("pointercancel", end);
}

// --- tiles ---

const kind = (name) => name.split(":")[0];

function group(name) {
	const { hand } = app.state;
	const tiles = hands.tilesOf(hand, name);
	const meld = hand.melds[hands.meldOf(name)];
	const title = meld ? t(`meld.${meld.type}`) : t(`group.${name}`);
	const can = !meld && (name !== "win" || !tiles.length);
	return h("div", { class: `group ${kind(name)}`, role: "group", label: title, data: { group: name } },
		h("h2", title, meld?.from && h("small", ` ${t(`from.${meld.from}`)}`)),
		h("div.tiles",
			tiles.map((one, at) => held(one, { group: name, at })),
			can && button({ class: "add", key: `add-${name}`, label: t("check.add", { group: title }), "aria-expanded": String(mode.add === name), onclick: () => open(null, { add: name }) }, icon("plus")),
		),
	);
}

function held(one, place) {
	const chosen = hands.samePlace(place, picked);
	return button(
		{
			class: unclear(one) ? "held doubt" : "held",
			key: `${place.group}/${place.at}`,
			data: { at: String(place.at) },
			pressed: chosen,
			label: t(unclear(one) ? "check.tile_doubt" : "check.tile", { n: place.at + 1, tile: tileName(one.label) }),
			onpointerdown: (event) => press(event, place),
			onclick: () => pick(chosen ? null : place),
		},
		face(one.label),
		crop(app.photos[one.shot], one.quad),
		unclear(one) && h("span.mark", { "aria-hidden": "true" }, "?"),
	);
}

function pick(place) {
	open(place, "alternatives");
}

function open(place, how) {
	picked = place;
	mode = how;
	show();
	inSight();
}

// --- sheet ---

function sheet() {
	const place = byId("sheet");
	place.hidden = !picked && !mode.add;
	document.body.classList.toggle("with-sheet", !place.hidden);
	if (mode.add) return fill(place, head(t("check.add", { group: t(`group.${mode.add}`) })), mode.add === "win" && wanted(), keypad((label) => added(mode.add, label)), mode.add === "closed" && !app.state.foreign && asText());
	if (!picked) return fill(place);
	if (picked.group === "other") return fill(place, head(tileName(outside()[picked.at].label)), fromOutside());
	const one = hands.tileAt(app.state.hand, picked);
	const title = t(one.doubt ? "check.is_it" : "check.tile", { n: picked.at + 1, tile: tileName(one.label) });
	const bodies = { alternatives: likely, all: () => keypad((label) => chosen(label)), melds: sets };
	fill(place, head(title), h("div.judged", crop(app.photos[one.shot], one.quad, 192, 256), bodies[mode](one)), actions(one));
}

const head = (title) =>
	h(
		"div.sheet-head",
		h("h2", title),
		button({ class: "tool", key: "close", label: t("close"), onclick: () => pick(null) }, icon("close")),
	);

const choice = (label, key, act, content, look = "choice") => button({ class: look, key, label, onclick: act }, content);

/** A face to choose. */
const choiceOf = (label, key, act) => choice(tileName(label), key, () => act(label), face(label));

/** The tile as it was read, what it may be instead, and all others. */
function likely(one) {
	return h("div.choices",
		FACES.includes(one.label) &&
			choice(t("check.keep", { tile: tileName(one.label) }), "keep", () => chosen(one.label), [face(one.label), h("small", icon("check"))], "choice current"),
		hands.alternatives(one).map((label) => choiceOf(label, `to-${label}`, chosen)),
		choice(t("keypad"), "all", () => open(picked, "all"), h("span", t("check.all")), "choice more"),
	);
}

/** What the hand waits for, before all tiles. */
const wanted = () => h("div.choices", waits(app.state).map((label) => choiceOf(label, `wait-${label}`, () => added("win", label))));

let line = ""; // the hand as it is typed
let unread = ""; // why it cannot be read

/** All tiles of the hand typed as one line. */
function asText() {
	const read = async (event) => {
		event.preventDefault();
		if (!line.trim()) return;
		const wrong = await typedHand(line);
		unread = wrong ?? "";
		if (wrong !== "") return show();
		line = "";
		open(null, "alternatives");
	};
	return h("form.line", { onsubmit: read },
		h("label", h("span", t("check.text")), h("input", { key: "line", value: line, placeholder: "234m067p3488s + 5s [777z]", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 120, oninput: ({ target }) => (line = target.value) })),
		h("button.secondary", { key: "line-read" }, t("answer.done")),
		unread && h("p", { class: "wrong", role: "alert" }, unread),
	);
}

function sets() {
	return h("div.choices",
		hands.melds(app.state.hand, picked.at).map(({ type, tiles }, nth) => {
			const labels = tiles.map((at) => app.state.hand.closed[at].label);
			return choice(`${t(`meld.${type}`)}: ${labels.map(tileName).join(", ")}`, `set-${nth}`, () => melded({ type, tiles }), [row(labels), h("small", t(`meld.${type}`))], "choice set");
		}),
	);
}

const chip = (content, key, act, pressed = null) => button({ class: "chip", key, pressed, onclick: act }, content);

function actions(one) {
	const { hand } = app.state;
	const { group: name, at } = picked;
	const meld = hands.meldOf(name);
	const go = (symbol, text, act, pressed = null) => chip([icon(symbol), t(text)], symbol, act, pressed);
	const to = (group, symbol) =>
		go(symbol, `group.${group}`, () => {
			correct(hands.move(hand, picked, { group, at: hands.tilesOf(hand, group).length }));
			pick(null);
		});
	return h("div.chips",
		meld !== null && meldChips(meld),
		canBeRed(one.label) && go("red", "check.red", () => correct(hands.toggleRed(hand, picked)), isRed(one.label)),
		name !== "win" && meld === null && to("win", "win"),
		name !== "closed" && meld === null && to("closed", "hand"),
		name === "closed" && hands.melds(hand, at).length > 0 && go("meld", "check.meld", () => open(picked, mode === "melds" ? "alternatives" : "melds"), mode === "melds"),
		name === "closed" && to("dora", "dora"),
		name === "dora" && to("ura", "dora"),
		at > 0 && go("left", "check.left", () => shift(-1)),
		at < hands.tilesOf(hand, name).length - 1 && go("right", "check.right", () => shift(1)),
		go("delete", "check.delete", () => drop(picked)),
	);
}

function meldChips(at) {
	const { hand } = app.state;
	const meld = hand.melds[at];
	const four = meld.tiles.length === 4;
	const types = MELDS.filter((type) => (type.endsWith("kan") ? four : type === meld.type));
	return [
		types.length > 1 && types.map((type) => chip(t(`meld.${type}`), type, () => correct(hands.changeMeld(hand, at, { type })), type === meld.type)),
		meld.type !== "ankan" && FROM.map((from) => chip(t(`from.${from ?? 0}`), `from-${from}`, () => correct(hands.changeMeld(hand, at, { from })), from === meld.from)),
		chip(t("meld.break"), "break", () => {
			correct(hands.breakMeld(hand, at));
			pick(null);
		}),
	];
}

/** A tile that the photo shows outside the hand can join it. */
function fromOutside() {
	const { label, quad, photo } = outside()[picked.at];
	const join = (group) => () => {
		correct(hands.add(app.state.hand, group, { ...hands.tile(label), quad, shot: photo ?? 0 }));
		pick(null);
	};
	const names = FACES.includes(label) ? ["closed", "win", "dora", "ura"] : [];
	return h("div.chips", names.map((name) => chip([icon("plus"), t(`group.${name}`)], `join-${name}`, join(name))));
}

// --- corrections ---

function chosen(label) {
	const place = picked;
	correct(hands.replace(app.state.hand, place, label));
	announce(t("check.now", { n: place.at + 1, tile: tileName(label) }));
	pick(faces()[0]?.place ?? null);
}

/** Tiles of the row are added one after another; the winning tile is one. */
function added(name, label) {
	const { hand } = app.state;
	correct(name === "win" ? hands.wonOn(hand, label) : hands.add(hand, name, label));
	announce(t("check.added", { tile: tileName(label) }));
	const { n, of } = hands.count(app.state.hand);
	if (name === "win" || (name === "closed" && n >= of)) open(null, "alternatives");
}

function melded(set) {
	correct(hands.makeMeld(app.state.hand, set));
	pick({ group: `meld:${app.state.hand.melds.length - 1}`, at: 0 });
}

function drop(place) {
	correct(hands.remove(app.state.hand, place));
	pick(null);
}

function shift(step) {
	const to = { ...picked, at: picked.at + step };
	correct(hands.move(app.state.hand, picked, to));
	open(to, mode);
}

// --- keys ---

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** Arrows go from tile to tile, with Shift they move the tile; Delete takes it away; Escape closes the sheet. */
function keys(event) {
	if (event.target.matches?.("input")) return;
	if (event.key === "z" && (event.ctrlKey || event.metaKey)) {
		event.preventDefault();
		return undo();
	}
	if (event.key === "Escape") return pick(null);
	const on = event.target.closest?.(".held");
	if (!on) return;
	const { hand } = app.state;
	const place = { group: on.closest("[data-group]").dataset.group, at: Number(on.dataset.at) };
	const step = STEPS[event.key];
	if (event.key === "Delete" || event.key === "Backspace") return drop(place);
	if (!step) return;
	event.preventDefault();
	const all = hands.places(hand);
	const target = all[all.findIndex((one) => hands.samePlace(one, place)) + step];
	if (!target) return;
	const key = (one) => byId("groups").querySelector(`[data-key="${one.group}/${one.at}"]`);
	if (!event.shiftKey) return key(target)?.focus();
	if (target.group !== place.group) return;
	correct(hands.move(hand, place, target));
	key(target)?.focus();
	announce(t("check.moved", { tile: tileName(hands.tileAt(app.state.hand, target).label), n: target.at + 1 }));
}

// --- dragging ---

function press(event, from) {
	if (event.button) return;
	const lifted = event.currentTarget;
	const begin = { x: event.clientX, y: event.clientY };
	let dragging = false;
	const ended = new AbortController();
	const on = (name, act) => addEventListener(name, act, { signal: ended.signal });
	on("pointermove", (move) => {
		const [x, y] = [move.clientX - begin.x, move.clientY - begin.y];
		dragging ||= Math.hypot(x, y) > MOVED;
		if (!dragging) return;
		lifted.classList.add("dragged");
		lifted.style.transform = `translate(${x}px, ${y}px)`;
		mark(targetAt(move, lifted));
	});
	on("pointerup", (up) => {
		ended.abort();
		const to = dragging ? targetAt(up, lifted) : null;
		settle(lifted);
		if (!dragging) return;
		// the click that follows a drag is none
		addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
		setTimeout(() => to && correct(hands.move(app.state.hand, from, to)));
		picked = null;
	});
	on("pointercancel", () => {
		ended.abort();
		settle(lifted);
	});
}

function settle(lifted) {
	lifted.classList.remove("dragged");
	lifted.style.transform = "";
	mark(null);
}

function mark(to) {
	for (const one of byId("groups").querySelectorAll(".target")) one.classList.remove("target");
	if (to) byId("groups").querySelector(`[data-group="${to.group}"]`)?.classList.add("target");
}

/** Where the tile would land: in the group below the pointer, before the first tile whose middle is right of it. */
function targetAt({ clientX, clientY }, held) {
	const below = document.elementsFromPoint(clientX, clientY).find((one) => one !== held && !held.contains(one) && one.closest("[data-group]"));
	const target = below?.closest("[data-group]");
	if (!target) return null;
	const tiles = [...target.querySelectorAll(".held")].filter((one) => one !== held).map((one) => one.getBoundingClientRect());
	const before = tiles.findIndex((box) => clientY < box.bottom && clientX < box.left + box.width / 2);
	return { group: target.dataset.group, at: before < 0 ? tiles.length : before };
}
