// What the page does: it asks the server, and follows the player.
import * as api from "./api.js";
import * as hands from "./hand.js";
import { isSettled, standing, waits } from "./outcome.js";
import * as photos from "./photo.js";
import { toRequest } from "./rivers.js";
import { announce } from "../shared/dom.js";
import { spoken, t } from "../shared/text.js";
import { app, change, enter, FRESH, go, raise, reachable, show, won } from "./state.js";
import { choose, learnt, settings, shots, kept as whole } from "./store.js";

const KEPT = ["round_wind"]; // answers that hold for the next hand too, whoever wins it
const MOST_UNDONE = 20; // corrections that can be taken back
const MOST_SHOTS = 6; // of one hand, as the server takes them
const HANGS = { tsumo: "loser_offset", riichi: "ura_indicators", dora_indicators: "ura_indicators" };
const UNREADABLE = ["bad_photo", "too_large"]; // codes of photos that stay so however often they are sent
const RETRY = 1000; // milliseconds between knocks at a server that does not answer

let waiting = null; // {act, busy}: what to do again once the server answers
let knocking = false; // whether it is asked until it does

/** Does what needs the server; where it does not answer, tries again when it does. */
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
			knock();
		}
	} finally {
		app.busy = null;
		raise("busy");
	}
}

const goOn = () => waiting && attempt(waiting.act, waiting.busy);
api.listen("back", goOn);

/** Does what stands in a script that comes when it is wanted first. Of one that is here already no server is asked, and what waits for
 * one goes on waiting. */
export async function later(load, act) {
	const found = await load().catch(() => null);
	if (found) return act(found);
	let isAgain = false;
	return attempt(async () => {
		const come = await load().catch(() => {
			if (isAgain) location.reload(); // Chromium 150 remembers what did not come
			isAgain = true;
			throw new api.Trouble("offline");
		});
		return act(come);
	});
}

function knock() {
	if (knocking) return;
	knocking = true;
	const again = () => setTimeout(async () => {
		knocking = await api.rules().then(() => false, ({ kind }) => kind === "offline");
		if (knocking) again();
		else goOn(); // what was missed was no answer of the server's, but a script
	}, RETRY);
	again();
}

const id = () => crypto.getRandomValues(new Uint32Array(2)).join("-");

/** Answers that an earlier hand has left. */
export const kept = () => app.state.answers.filter((one) => one.kept);

/** What is known beside the tiles. */
const beside = (answers, { table } = won(), claim = app.state.claim) => Object.assign({}, table, spoken() === "en" && settings.terms && { words: settings.terms }, claim?.facts, ...answers.map((one) => one.fields));

/** The hand with the indicators that the table knows. */
function withTurned(hand) {
	const turned = app.state.claim?.facts.dora_indicators;
	return turned ? { ...hand, dora: turned.map(hands.tile) } : hand;
}

/** The facts as the server takes them: tiles, answers, what lies on the table. */
function request({ hand, answers, won, claim, reading } = app.state) {
	const { dora_indicators, ...tiles } = hands.toRecord(hand);
	const seen = { ...tiles, ...(dora_indicators && !hands.isUnconfirmed({ hand, reading }) && { dora_indicators }) };
	const { dora_indicators: turned, ...facts } = claim?.facts ?? {}; // they lie in the hand
	const told = hands.holding(hand, answers);
	const answered = beside(told, won ?? settings, { facts });
	const how = (name) => told.find((one) => name in one.fields && (one.open || one.known)); // open: it counts, and is still asked about
	const known = Object.fromEntries([...Object.keys(seen).map((name) => [name, "seen"]), ...Object.keys(answered).map((name) => [name, how(name) ? (how(name).known ?? "default") : "asked"])]);
	return { ...seen, ...answered, known };
}

let asked = 0;
let answered = 0; // the last question that was answered, or given up

/** Whether the server has yet to say what the hand is worth as it is now. */
export const isAwaited = () => asked !== answered;

let following = null; // what is to follow the answer that is awaited

/** Asks what the hand is worth now. An answer that a later change has overtaken is dropped. */
export function rescore(after = null) {
	const mine = ++asked;
	following = after;
	if (!hands.places(app.state.hand).length) {
		answered = mine;
		return change({ outcome: null });
	}
	return attempt(async () => {
		const outcome = await api.score(request(), won().rules, spoken(), app.others(), toRequest(app.state.rivers));
		if (mine !== asked) return;
		answered = mine;
		change({ outcome, lesson: null });
		announce(standing().map((element) => element.textContent).join(", "));
		following = null;
		after?.(outcome);
	});
}

/** Asks the same by other rules or at another table; the same follows the answer. */
export const reask = () => rescore(following);

/** Another hand is at work: an answer under way is about the one before. */
function forget() {
	answered = ++asked;
	following = null;
}

/** Reads photos as one hand: those given and the shots before them. `won`: the tile that 13 waited on. */
export async function readPhotos(added, won) {
	app.shots = [...app.shots, ...added].slice(-MOST_SHOTS);
	await shots.put(app.shots);
	change({ shots: app.shots.length, screen: "take" });
	await readShots();
	if (waits(app.state).includes(won)) correct(hands.add(app.state.hand, "win", won));
}

/** Reads the shots that there are; the region is one of a single shot. */
export function readShots() {
	const mine = app.shots;
	return attempt(async () => {
		const found = await api.read(await photos.fitting(mine), { rules: won().rules, lang: spoken(), record: beside(kept()), region: app.shots[1] ? null : app.state.region }).catch(async (error) => {
			if (UNREADABLE.includes(error.code)) await giveUp(mine);
			throw error;
		});
		const opened = await Promise.all(mine.map(photos.open));
		if (app.shots !== mine) return; // another photo came meanwhile, or another hand
		const { reading, photo, photos: all, unlike, kept: files, seen_table: table, ...outcome } = found;
		const seen = table && (await import("./table.js").then(({ taken }) => taken(table, app.state.claim), () => null));
		outcome.questions = outcome.questions.filter((one) => one.field !== "tile" && !(one.field === "win_tile" && reading.hand.win_tile)); // Check has them
		app.photos = opened;
		forget();
		change({
			screen: "check",
			hand: withTurned(hands.fromReading(reading)),
			reading: { tiles: reading.tiles, index: photo.index, unlike, doubts: reading.doubts.filter(({ kind }) => kind !== "face" && !(kind === "indicator" && app.state.claim?.facts.dora_indicators)), unsure: outcome.in_doubt && !reading.doubts.length && reading.confidence },
			outcome,
			undone: [],
			answers: [...kept(), ...setAside(outcome.record), ...(seen?.answers ?? [])],
			rivers: seen?.rivers ?? null,
			lesson: null,
			id: app.state.id ?? id(),
		});
		announce(`${t("check.read", hands.count(app.state.hand))} ${t("check.doubts", { n: reading.doubts.length })}`);
	}, "busy.reading");
}

/** The last photos, which cannot be read: the next one is read without them. */
async function giveUp(mine) {
	app.shots = mine.slice(0, app.state.hand ? Math.min(app.photos.length, mine.length - 1) : 0);
	await shots.put(app.shots);
	change({ shots: app.shots.length });
}

/** Norths beside the hand are an answer that can be changed. */
function setAside({ nukidora, known }) {
	return known?.nukidora === "inferred" && nukidora ? [{ field: "nukidora", id: String(nukidora), fields: { nukidora } }] : [];
}

/** Another hand of the shot is meant, which is read again: the one in the region, or without one the photo's own. */
export async function meant(region, at = app.state.reading.index) {
	app.shots = [app.shots[at]];
	await shots.put(app.shots);
	change({ region: region?.join() ?? null, shots: 1 });
	return readShots();
}

/** What is in doubt is so no more. */
export function dispel(...gone) {
	const { reading } = app.state;
	if (reading) change({ reading: { ...reading, unsure: null, doubts: reading.doubts.filter((one) => !gone.includes(one)) } });
}

/** The lesson about the hand as it is scored now. */
export function learn() {
	return attempt(async () => {
		const record = app.state.outcome.record;
		const lesson = await api.lesson(record, won().rules, spoken(), await learnt.steps(), toRequest(app.state.rivers));
		if (app.state.outcome?.record === record) change({ lesson });
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
export function tell(answer, after) {
	const answers = app.state.answers.filter((one) => one.field !== answer.field);
	change({ answers: [...answers, answer] });
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
	const table = { ...won().table, ...changes };
	if (app.state.won) change({ won: { ...app.state.won, table } });
	else choose({ table });
	if (app.state.hand) reask();
	else show();
}

/** The next hand at the same table; after a stranger's hand one's own, where one is at work. */
export async function nextHand() {
	if (app.state.foreign) {
		await restore();
		if (app.state.screen !== "score") return resume();
	}
	const answers = app.state.answers.filter((one) => KEPT.includes(one.field)).map((one) => ({ ...one, kept: true }));
	const { claim, won } = app.state;
	return fresh({ answers, screen: "take", ...(claim && { claim, won }) });
}

/** No hand is at work, and no photo. */
export function fresh(changes) {
	forget();
	app.shots = app.photos = [];
	change({ ...FRESH, ...changes });
	return shots.put([]);
}

/** A hand that is typed, or opened again; `won`: by what; `seen`: its photo and the tiles in it. */
export async function openHand(hand, answers, screen, known = null, won = null, seen = null) {
	app.shots = seen ? [seen.photo] : [];
	app.photos = await Promise.all(app.shots.map(photos.open));
	shots.put(app.shots);
	const reading = seen && { tiles: seen.tiles, index: 0, unlike: [], doubts: [], unsure: null };
	const { claim } = app.state;
	const of = known || !claim ? { won } : { claim, won: app.state.won }; // one of the list is none of the game
	change({ ...FRESH, hand: of.claim ? withTurned(hand) : hand, answers, ...of, reading, shots: app.shots.length, id: known ?? id(), screen: "check" });
	return rescore(() => go(screen));
}

/** A hand that somebody shared, once the server finds nothing wrong. It is kept nowhere. */
export function openLink({ rules, table, tiles, answers }) {
	const state = { ...FRESH, hand: hands.fromRecord(tiles), answers, won: { rules, table }, foreign: true };
	return attempt(async () => {
		const outcome = await api.score(request(state), rules, spoken()).catch((error) => {
			throw error.kind === "refused" ? new api.Trouble("link") : error;
		});
		forget();
		app.shots = app.photos = [];
		enter({ ...state, outcome, screen: isSettled(outcome.result) ? "score" : "check" });
	}, "busy.lesson");
}

/** The player's own hand, as it was kept. */
export async function restore() {
	const state = { ...FRESH, ...whole() };
	app.shots = await shots.get();
	app.photos = await Promise.all(app.shots.map(photos.open));
	app.state = { ...state, shots: app.shots.length };
	if (!reachable(state.screen)) app.state.screen = state.hand ? "check" : "home";
}

/** Continues after the page was closed or the server was gone: reads the photo or scores the hand. */
export function resume() {
	const { hand, outcome } = app.state;
	enter(app.state);
	if (app.shots.length && !hand) readShots();
	else if (hand && !outcome) rescore();
}
