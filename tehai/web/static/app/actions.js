// Actions: requests to the server, and what the player does.
import * as api from "./api.js";
import * as hands from "./hand.js";
import { isSettled, scoreSummary, waits } from "./outcome.js";
import * as photos from "./photo.js";
import { toRequest } from "./rivers.js";
import { announce } from "../shared/dom.js";
import { spoken, t } from "../shared/text.js";
import { app, change, enter, FRESH, go, keep, raise, reachable, show, won } from "./state.js";
import { choose, learnt, settings, shots, storedState } from "./store.js";

const KEPT = ["round_wind"]; // answers that stay for the next hand, whoever wins it
const MOST_UNDONE = 20; // corrections that can be undone
const MOST_SHOTS = 6; // photos of one hand, the server's limit
const DEPENDENT = { tsumo: "loser_offset", riichi: "ura_indicators", dora_indicators: "ura_indicators" };
const UNREADABLE = ["bad_photo", "too_large"]; // error codes that sending again cannot fix
const RETRY = 1000; // milliseconds between checks for a silent server

let waiting = null; // {act, busy}: to repeat when the server answers
let isRetrying = false; // whether the page checks for the server

/** Runs `act`, which needs the server. While the server is silent, repeats it later. */
export async function attempt(act, busy = null) {
	waiting = null;
	app.busy = busy;
	app.trouble = null;
	raise("busy");
	try {
		await act();
	} catch (error) {
		if (!(error instanceof api.Trouble)) throw error;
		app.trouble = error;
		if (error.kind === "offline") {
			waiting = { act, busy };
			retryUntilAnswered();
		}
	} finally {
		app.busy = null;
		raise("busy");
	}
}

async function repeatWaiting() {
	if (waiting) await attempt(waiting.act, waiting.busy);
	// another request may have taken the place of these:
	if (app.shots.length && !app.state.hand && !app.busy) readShots();
	else if (isScoreLost && isAwaited() && app.state.hand) reask();
}

api.listen("back", repeatWaiting);

/** Loads a script, then runs `act` with it. A loaded script needs no server. */
export async function later(load, act) {
	const found = await load().catch(() => null);
	if (found) return act(found);
	let isRetry = false;
	return attempt(async () => {
		const loaded = await load().catch(() => {
			if (isRetry) location.reload(); // Chromium 150 does not retry a failed import
			isRetry = true;
			throw new api.Trouble("offline");
		});
		return act(loaded);
	});
}

function retryUntilAnswered() {
	if (isRetrying) return;
	isRetrying = true;
	const again = () =>
		setTimeout(async () => {
			isRetrying = await api.rules().then(
				() => false,
				({ kind }) => kind === "offline",
			);
			if (isRetrying) again();
			else repeatWaiting(); // a script was missing, not an answer of the API
		}, RETRY);
	again();
}

const id = () => crypto.getRandomValues(new Uint32Array(2)).join("-");

/** Answers kept from an earlier hand. */
export const kept = () => app.state.answers.filter((one) => one.kept);

/** The known facts other than tiles. */
const otherFacts = (answers, { table } = won(), claim = app.state.claim) =>
	Object.assign(
		{},
		table,
		spoken() === "en" && settings.terms && { words: settings.terms },
		claim?.facts,
		...answers.map((one) => one.fields),
	);

/** The hand with the dora indicators of the game. */
function withTurned(hand) {
	const turned = app.state.claim?.facts.dora_indicators;
	return turned ? { ...hand, dora: turned.map(hands.tile) } : hand;
}

/** The record for the server, with `known`: the source of each fact. */
function request({ hand, answers, won, claim, reading } = app.state) {
	const { dora_indicators, ...tiles } = hands.toRecord(hand);
	const seen = { ...tiles, ...(dora_indicators && !hands.isUnconfirmed({ hand, reading }) && { dora_indicators }) };
	const { dora_indicators: turned, ...facts } = claim?.facts ?? {}; // already in the hand
	const fitting = hands.fittingAnswers(hand, answers);
	const answered = otherFacts(fitting, won ?? settings, { facts });
	const source = (name) => fitting.find((one) => name in one.fields && (one.open || one.known)); // `open` counts, but its question stays
	const known = Object.fromEntries([
		...Object.keys(seen).map((name) => [name, "seen"]),
		...Object.keys(answered).map((name) => [name, source(name) ? (source(name).known ?? "default") : "asked"]),
	]);
	return { ...seen, ...answered, known };
}

let asked = 0;
let answered = 0; // the last request that was answered or abandoned

/** Whether the hand's score is awaited. */
export const isAwaited = () => asked !== answered;
app.isAwaited = isAwaited;

let isScoreLost = false; // whether the server was silent when asked for the score
let afterScore = null; // called after the awaited score

/** Requests the score of the hand. Drops an answer that a later change has made obsolete. */
export function rescore(after = null) {
	const mine = ++asked;
	afterScore = after;
	if (!hands.places(app.state.hand).length) {
		answered = mine;
		return change({ outcome: null });
	}
	keep();
	return attempt(async () => {
		isScoreLost = false;
		const outcome = await api
			.score(request(), won().rules, spoken(), app.others(), toRequest(app.state.rivers))
			.catch((error) => {
				isScoreLost = error.kind === "offline";
				throw error;
			});
		if (mine !== asked) return;
		answered = mine;
		change({ outcome, lesson: null });
		announce(
			scoreSummary()
				.map((element) => element.textContent)
				.join(", "),
		);
		afterScore = null;
		after?.(outcome);
	});
}

/** Requests the score again, after a change of rules or table. */
export const reask = () => rescore(afterScore);

/** Another hand: drops the awaited answer. */
function dropAwaited() {
	answered = ++asked;
	afterScore = null;
}

/** Reads photos as one hand, together with the earlier ones. `won`: the winning tile for a hand of 13. */
export async function readPhotos(added, won) {
	app.shots = [...app.shots, ...added].slice(-MOST_SHOTS);
	await shots.put(app.shots);
	change({ shots: app.shots.length, screen: "take" });
	await readShots();
	if (waits(app.state).includes(won)) correct(hands.add(app.state.hand, "win", won));
}

let lastSent = null; // the photos of the latest request

/** Reads the current photos. A region needs a single photo. `name`: the id of another hand in them. */
export function readShots(name = app.state.id ?? id()) {
	const mine = (lastSent = app.shots);
	const facts = () => ({ rules: won().rules, lang: spoken(), record: otherFacts(kept()) });
	return attempt(async () => {
		const before = facts();
		const found = await api
			.read(await photos.fitting(mine), { ...before, region: app.shots[1] ? null : app.state.region })
			.catch(async (error) => {
				if (!UNREADABLE.includes(error.code)) throw error;
				if (!mine.every((shot, at) => shot === app.shots[at])) return null; // dropped meanwhile
				await removeUnreadable(mine);
				throw error;
			});
		if (!found) return app.shots.length && app.shots !== lastSent ? readShots() : null;
		const opened = await Promise.all(mine.map(photos.open));
		if (app.shots !== mine) return; // the photos have changed meanwhile
		const { reading, photo, photos: all, unlike, kept: files, seen_table: table, ...outcome } = found;
		const seen =
			table &&
			(await import("./table.js").then(
				({ factsOfTable }) => factsOfTable(table, app.state.claim),
				() => null,
			));
		outcome.questions = outcome.questions.filter(
			(one) => one.field !== "tile" && !(one.field === "win_tile" && reading.hand.win_tile),
		); // Check asks these
		app.photos = opened;
		dropAwaited();
		change({
			screen: "check",
			hand: withTurned(hands.fromReading(reading)),
			reading: {
				tiles: reading.tiles,
				index: photo.index,
				unlike,
				doubts: reading.doubts.filter(
					({ kind }) => kind !== "face" && !(kind === "indicator" && app.state.claim?.facts.dora_indicators),
				),
				unsure: outcome.in_doubt && !reading.doubts.length && reading.confidence,
			},
			outcome,
			undone: [],
			answers: [...kept(), ...nukidoraAnswer(outcome.record), ...(seen?.answers ?? [])],
			rivers: seen?.rivers ?? null,
			lesson: null,
			id: name,
		});
		announce(`${t("check.read", hands.count(app.state.hand))} ${t("check.doubts", { n: reading.doubts.length })}`);
		if (JSON.stringify(before) !== JSON.stringify(facts())) rescore(); // another winner, for example
	}, "busy.reading");
}

/** Removes unreadable photos, so that a later one is read without them. */
async function removeUnreadable(mine) {
	const read = app.state.hand ? Math.min(app.photos.length, mine.length - 1) : 0;
	app.shots = app.shots.toSpliced(read, mine.length - read);
	await shots.put(app.shots);
	change({ shots: app.shots.length });
}

/** Norths set aside become an answer that the player can change. */
function nukidoraAnswer({ nukidora, known }) {
	return known?.nukidora === "inferred" && nukidora
		? [{ field: "nukidora", id: String(nukidora), fields: { nukidora } }]
		: [];
}

/** Reads the photo again for another hand in it: the one in the region, or without one the default. */
export async function readRegion(region, at = app.state.reading.index) {
	app.shots = [app.shots[at]];
	await shots.put(app.shots);
	change({ region: region?.join() ?? null, shots: 1 });
	return readShots(id());
}

/** Clears these doubts. */
export function clearDoubts(...gone) {
	const { reading } = app.state;
	if (reading)
		change({ reading: { ...reading, unsure: null, doubts: reading.doubts.filter((one) => !gone.includes(one)) } });
}

/** Loads the lesson about the scored hand. */
export function learn() {
	return attempt(async () => {
		const record = app.state.outcome.record;
		const lesson = await api.lesson(record, won().rules, spoken(), await learnt.steps(), toRequest(app.state.rivers));
		if (app.state.outcome?.record === record) change({ lesson });
	});
}

// --- the player's actions ---

/** Corrects the tiles. Can be undone. */
export function correct(hand) {
	if (hand === app.state.hand) return;
	change({ hand, undone: [...app.state.undone, app.state.hand].slice(-MOST_UNDONE) });
	rescore();
}

export function undo() {
	const { undone } = app.state;
	if (!undone.length) return;
	change({ hand: undone.at(-1), undone: undone.slice(0, -1) });
	rescore();
}

/** Sets an answer, in place of an earlier one. */
export function setAnswer(answer, after) {
	const answers = app.state.answers.filter((one) => one.field !== answer.field);
	change({ answers: [...answers, answer] });
	rescore(after);
}

/** Removes an answer and those that depend on it. */
export function removeAnswer(field) {
	const { hand, answers } = app.state;
	const gone = [field, DEPENDENT[field]];
	const left = gone.includes("ura_indicators") ? { ...hand, ura: null } : hand;
	change({ answers: answers.filter((one) => !gone.includes(one.field)), hand: left });
	rescore();
}

/** Sets honba and riichi sticks, which stay for the next hand. */
export function setTable(changes) {
	const table = { ...won().table, ...changes };
	if (app.state.won) change({ won: { ...app.state.won, table } });
	else choose({ table });
	if (app.state.hand) reask();
	else show();
}

/** Starts the next hand at the same table. After a hand from a link, returns to the player's own if there is one. */
export async function nextHand() {
	if (app.state.foreign) {
		await restore();
		if (app.state.screen !== "score") return resume();
	}
	const answers = app.state.answers.filter((one) => KEPT.includes(one.field)).map((one) => ({ ...one, kept: true }));
	const { claim, won } = app.state;
	return fresh({ answers, screen: "take", ...(claim && { claim, won }) });
}

/** Clears the hand and the photos. */
export function fresh(changes) {
	dropAwaited();
	app.shots = app.photos = [];
	change({ ...FRESH, ...changes });
	return shots.put([]);
}

/** Opens a typed or stored hand. `won`: its rules and table. `seen`: its photo, and the tiles in it. */
export async function openHand(hand, answers, screen, known = null, won = null, seen = null) {
	app.shots = seen ? [seen.photo] : [];
	app.photos = await Promise.all(app.shots.map(photos.open));
	shots.put(app.shots);
	const reading = seen && { tiles: seen.tiles, index: 0, unlike: [], doubts: [], unsure: null };
	const { claim } = app.state;
	const of = known || !claim ? { won } : { claim, won: app.state.won }; // a hand of the list is not part of a game
	change({
		...FRESH,
		hand: of.claim ? withTurned(hand) : hand,
		answers,
		...of,
		reading,
		shots: app.shots.length,
		id: known ?? id(),
		screen: "check",
	});
	return rescore(() => go(screen));
}

/** Opens a hand from a link if the server accepts it. It is not stored. */
export function openLink({ rules, table, tiles, answers }) {
	const state = { ...FRESH, hand: hands.fromRecord(tiles), answers, won: { rules, table }, foreign: true };
	return attempt(async () => {
		const outcome = await api.score(request(state), rules, spoken()).catch((error) => {
			throw error.kind === "refused" ? new api.Trouble("link") : error;
		});
		dropAwaited();
		app.shots = app.photos = [];
		enter({ ...state, outcome, screen: isSettled(outcome.result) ? "score" : "check" });
	}, "busy.lesson");
}

/** Restores the player's own hand, unless its game has recorded it. */
export async function restore() {
	const state = { ...FRESH, ...storedState() };
	app.shots = await shots.get();
	app.photos = await Promise.all(app.shots.map(photos.open));
	app.state = { ...state, shots: app.shots.length };
	if (!reachable(state.screen)) app.state.screen = state.hand ? "check" : "home";
	return app.restored();
}

/** Continues after a reload or a lost connection: reads the photo or scores the hand. */
export function resume() {
	const { hand, outcome } = app.state;
	enter(app.state);
	if (app.shots.length && !hand) readShots();
	else if (hand && !outcome) rescore();
}
