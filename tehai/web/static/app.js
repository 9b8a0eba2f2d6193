// The page: one state, four screens, and what goes to the server between them.
import * as api from "./api.js";
import { announce, button, byId, fill, h, icon } from "./dom.js";
import * as hands from "./hand.js";
import { openHistory } from "./history.js";
import { withoutSeats } from "./lesson.js";
import * as photos from "./photo.js";
import { openSettings, showRules, useTheme } from "./settings.js";
import { handOfLink } from "./share.js";
import { choose, keep, kept, settings, shots } from "./store.js";
import { points, span, speak, spoken, t, told, wanted } from "./text.js";
import * as answer from "./answer.js";
import * as check from "./check.js";
import * as score from "./score.js";
import * as take from "./take.js";

const SCREENS = { take, check, answer, score };
const KEPT = ["dealer", "seat_wind", "round_wind"]; // answers that hold for the next hand too
const MOST_UNDONE = 20; // corrections that can be taken back
const MOST_SHOTS = 6; // of one hand, as the server takes them
const HANGS = { tsumo: "loser_offset", riichi: "ura_indicators", dora_indicators: "ura_indicators" };
const RETRY = 3000; // milliseconds between knocks at a server that does not answer

const FRESH = {
	screen: "take",
	id: null, // of the hand in the evening's list
	hand: null,
	undone: [], // hands before each correction, the last one last
	answers: [], // {field, id, fields, kept}: what was told, in the order of telling
	reading: null, // {tiles, index, unlike}: what the photos showed, in which of them the hand lies, which show another
	outcome: null, // the server's last answer about the hand
	lesson: null,
	shots: 0,
};

/** The state; changed by `change` alone. */
export const app = { state: { ...FRESH }, shots: [], photos: [], busy: null, trouble: null };

// --- state ---

/** Changes the state, keeps it for a reload, and shows it. */
export function change(changes) {
	const moved = changes.screen && changes.screen !== app.state.screen;
	app.state = { ...app.state, ...changes };
	keep(app.state);
	if (moved) {
		history.pushState({ screen: app.state.screen }, "");
		arrive();
	}
	show(changes);
}

function arrive() {
	for (const [name, screen] of Object.entries(SCREENS)) if (name !== app.state.screen) screen.leave?.();
	scrollTo(0, 0);
	SCREENS[app.state.screen].arrive?.();
	requestAnimationFrame(() => document.querySelector(`#${app.state.screen} h1`)?.focus({ preventScroll: true }));
}

/** Shows the state as it is; a screen may leave alone what the changes do not touch. */
export function show(changes = null) {
	const { screen } = app.state;
	for (const name of Object.keys(SCREENS)) byId(name).hidden = name !== screen;
	document.body.dataset.screen = screen;
	steps();
	SCREENS[screen].render(app, changes);
	bar();
	notice();
}

/** Which screens there is something to show on. */
const reachable = (name) => name === "take" || Boolean(app.state.hand && (name === "check" || app.state.outcome));

function steps() {
	const { screen } = app.state;
	const names = Object.keys(SCREENS);
	const step = (name, at) => {
		const label = t(`step.${name}`);
		const look = { key: `step-${name}`, label: label, data: { past: names.indexOf(screen) > at ? "yes" : "" } };
		const use = { "aria-current": name === screen ? "step" : null, disabled: !reachable(name), onclick: () => go(name) };
		return h("li", {}, button({ ...look, ...use }, h("span", { class: "nth" }, String(at + 1)), h("span", { class: "name" }, label)));
	};
	fill(byId("steps"), names.map(step));
}

export function go(screen) {
	if (!reachable(screen) || screen === app.state.screen) return;
	change({ screen });
}

/** What goes on, or wrong, above the screen. */
function notice() {
	const { busy, trouble } = app;
	const place = byId("notice");
	place.hidden = !busy && !trouble;
	place.className = trouble ? "notice trouble" : "notice";
	if (busy) fill(place, h("span", { class: "spinner", "aria-hidden": "true" }), h("span", {}, t(busy)));
	if (trouble) {
		fill(
			place,
			h("span", {}, trouble.kind === "refused" ? trouble.message || t("trouble.refused") : t(`trouble.${trouble.kind}`)),
			trouble.kind !== "offline" && button({ class: "quiet", key: "dismiss", onclick: dismiss }, t("dismiss")),
		);
	}
}

function dismiss() {
	app.trouble = null;
	show();
}

/** The score so far and the way on, at the bottom of Check and Answer. */
function bar() {
	const place = byId("bar");
	const way = SCREENS[app.state.screen].way?.(app);
	place.hidden = !way;
	if (!way) return;
	const look = [way.beside ?? h("div", { class: "standing" }, standing()), button({ class: "primary", key: "way", disabled: way.disabled, onclick: way.go }, way.text, icon("next"))];
	// what looks the same does the same; a button that is being pressed must not be put in place of itself
	if (look.length !== place.children.length || look.some((one, at) => !one.isEqualNode(place.children[at]))) fill(place, look);
}

/** What the hand is worth by the best guess, and what it can still come to. */
export function standing() {
	const { outcome, hand } = app.state;
	if (!hand) return [];
	const { n, of } = hands.count(hand);
	if (!n && app.shots.length) return [h("strong", { class: "wrong" }, t("hand.nothing")), h("small", {}, t("hand.closer"))];
	const number = h("strong", { class: "count" }, t("count", { n, of }));
	if (n !== of) return [number, h("small", {}, t(n > of ? "count.many" : waits(app.state).length ? "ask.win_tile" : "count.few"))];
	if (!outcome) return [number];
	const { result, range } = outcome;
	if (!isSettled(result)) {
		return [h("strong", { class: "wrong" }, t("hand.none")), h("small", {}, problem(outcome))];
	}
	const worth = result.status === "ok" ? result.points : 0;
	const open = range && range.low !== range.high;
	return [
		h("strong", {}, points(worth)),
		h("small", {}, open ? t("range", { span: span(range.low, range.high) }) : t(worth ? "points.settled" : "points.missing")),
	];
}

/** The tiles that would finish a hand of 13. */
export const waits = ({ outcome }) => outcome?.tiles.waits ?? [];

/** Whether there is a score, be it that a yaku is missing. */
export const isSettled = (result) => result?.status === "ok" || result?.error === "no_yaku";

/** Why there is no score, in the page's language where it has the words. */
export function problem({ result, message }) {
	return told(`error.${result?.error}`, message || result?.message || "");
}

// --- the server ---

let waiting = null; // what to do again once the server answers

/** Does what needs the server; where it does not answer, tries again when it does. */
export async function attempt(act, busy = null) {
	app.busy = busy;
	app.trouble = null;
	notice();
	try {
		await act();
		waiting = null;
	} catch (error) {
		if (!(error instanceof api.Trouble)) throw error;
		app.trouble = error;
		if (error.kind === "offline") knock(act, busy);
	} finally {
		app.busy = null;
		notice();
		bar();
	}
}

function knock(act, busy) {
	const mine = (waiting = { act });
	const again = async () => {
		if (waiting !== mine) return;
		try {
			await api.rules();
		} catch (error) {
			if (error.kind === "offline") return setTimeout(again, RETRY);
		}
		if (waiting === mine) attempt(act, busy);
	};
	setTimeout(again, RETRY);
}

/** The facts as the server takes them: tiles, answers, what lies on the table. */
function request() {
	const { hand, answers } = app.state;
	const seen = hands.toRecord(hand);
	const said = Object.assign({}, settings.table, ...answers.map((one) => one.fields));
	const known = Object.fromEntries([...Object.keys(seen).map((name) => [name, "seen"]), ...Object.keys(said).map((name) => [name, "asked"])]);
	return { ...seen, ...said, known };
}

let asked = 0;

/** Asks what the hand is worth now. An answer that a later change has overtaken is dropped. */
export function rescore(after = () => {}) {
	const mine = ++asked;
	if (!hands.places(app.state.hand).length) return change({ outcome: null });
	return attempt(async () => {
		const outcome = await api.score(request(), settings.rules, spoken());
		if (mine !== asked) return;
		change({ outcome, lesson: null });
		announce(said());
		after(outcome);
	});
}

const said = () => standing().map((element) => element.textContent).join(", ");

/** Reads photos as one hand: those given and the shots before them. */
export async function readPhotos(added) {
	app.shots = [...app.shots, ...added].slice(-MOST_SHOTS);
	await shots.put(app.shots);
	change({ shots: app.shots.length, screen: "take" });
	await readShots();
}

/** Reads the shots that there are. */
export function readShots() {
	return attempt(async () => {
		const table = Object.assign({}, settings.table, ...app.state.answers.filter((one) => one.kept).map((one) => one.fields));
		const found = await api.read(await photos.fitting(app.shots), { rules: settings.rules, lang: spoken(), record: table });
		const { reading, photo, photos: all, unlike, kept, ...outcome } = found;
		app.photos = await Promise.all(app.shots.map(photos.open));
		change({
			screen: "check",
			hand: hands.fromReading(reading, outcome.questions),
			reading: { tiles: reading.tiles, index: photo.index, unlike },
			outcome,
			undone: [],
			answers: app.state.answers.filter((one) => one.kept),
			lesson: null,
			id: app.state.id ?? crypto.getRandomValues(new Uint32Array(2)).join("-"),
		});
		announce(`${t("check.read", hands.count(app.state.hand))} ${t("check.doubts", { n: hands.doubts(app.state.hand).length })}`);
	}, "busy.reading");
}

/** The lesson about the hand as it is scored now. */
export function learn() {
	return attempt(async () => {
		const record = app.state.outcome.record;
		const lesson = await api.lesson(record, settings.rules, spoken());
		if (app.state.outcome?.record === record) change({ lesson: withoutSeats(lesson, app.state.outcome) });
	});
}

// --- what the player does ---

/** A correction of the tiles, which can be undone. */
export function correct(hand) {
	if (hand === app.state.hand) return;
	change({ hand, undone: [...app.state.undone.slice(-MOST_UNDONE), app.state.hand] });
	rescore();
}

export function undo() {
	const { undone } = app.state;
	if (!undone.length) return;
	change({ hand: undone.at(-1), undone: undone.slice(0, -1) });
	rescore();
}

/** An answer; the one before it to the same question is taken back. */
export function tell(given, after) {
	const answers = app.state.answers.filter((one) => one.field !== given.field);
	change({ answers: [...answers, given] });
	rescore(after);
}

/** Takes an answer back, and what hangs on it, so that its question is open again. */
export function untell(field) {
	const { hand, answers } = app.state;
	const gone = [field, HANGS[field]];
	const left = gone.includes("ura_indicators") ? { ...hand, ura: null } : hand;
	change({ answers: answers.filter((one) => !gone.includes(one.field)), hand: left });
	rescore();
}

/** Counters and bets on the table, which the next hand keeps. */
export function setTable(changes) {
	choose({ table: { ...settings.table, ...changes } });
	if (app.state.hand) rescore();
	else show();
}

/** Away with this hand; the next one is won at the same table. */
export async function nextHand() {
	const answers = app.state.answers.filter((one) => KEPT.includes(one.field)).map((one) => ({ ...one, kept: true }));
	app.shots = app.photos = [];
	await shots.put([]);
	change({ ...FRESH, answers });
}

/** A hand without a photo: typed, or opened from a link or the evening's list. */
export function openHand(hand, answers, screen, id = null) {
	app.shots = app.photos = [];
	shots.put([]);
	change({ ...FRESH, hand, answers, id: id ?? crypto.getRandomValues(new Uint32Array(2)).join("-"), screen: "check" });
	return rescore(() => go(screen));
}

// --- start ---

/** In another language or by other rules: what is shown is asked anew. */
export async function refresh() {
	await speak(wanted(settings.lang));
	showRules();
	show();
	if (app.state.hand) rescore();
}

async function restore() {
	app.state = { ...FRESH, ...kept() };
	app.shots = await shots.get();
	app.photos = await Promise.all(app.shots.map(photos.open));
	// a photo that was taken but never answered: the page was closed or the server gone
	if (app.shots.length && !app.state.hand) readShots();
}

async function openLink() {
	const link = handOfLink(location.hash);
	if (!link) return false;
	history.replaceState({ screen: "take" }, "", location.pathname);
	choose({ rules: link.rules, table: { ...settings.table, ...link.table } });
	await openHand(hands.fromRecord(link.tiles), link.answers, "score");
	return true;
}

async function start() {
	useTheme();
	for (const place of document.querySelectorAll("[data-icon]")) place.replaceWith(icon(place.dataset.icon));
	await speak(wanted(settings.lang));
	byId("open-history").addEventListener("click", openHistory);
	byId("open-settings").addEventListener("click", openSettings);
	addEventListener("hashchange", openLink);
	addEventListener("popstate", (event) => {
		const screen = event.state?.screen ?? "take";
		if (!reachable(screen)) return;
		app.state = { ...app.state, screen };
		keep(app.state);
		arrive();
		show();
	});
	for (const screen of Object.values(SCREENS)) screen.start?.(app);
	await showRules();
	if (!(await openLink())) await restore();
	history.replaceState({ screen: app.state.screen }, "");
	SCREENS[app.state.screen].arrive?.();
	show();
	document.body.dataset.ready = "yes";
	navigator.serviceWorker?.register("sw.js").catch(() => {});
}

start();
