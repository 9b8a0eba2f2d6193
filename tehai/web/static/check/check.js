// Check: the photo with outlines, the tiles below in reading order, and their corrections.
import { correct, clearDoubts, later, nextHand, readPhotos, reask, setAnswer, undo } from "../app/actions.js";
import * as hands from "../app/hand.js";
import { isSettled, waits } from "../app/outcome.js";
import { players } from "../app/settings.js";
import { app, change, go, show, won } from "../app/state.js";
import { book as intoBook } from "../book/booked.js";
import * as booking from "../book/booking.js";
import { remember } from "../score/history.js";
import { button, byId, fill, h, icon, styled } from "../shared/dom.js";
import { t } from "../shared/text.js";
import * as advice from "./advice.js";
import * as answer from "./answer.js";
import * as cards from "./doubt_cards.js";
import * as doubts from "./doubts.js";
import { group, shown } from "./groups.js";
import { keys } from "./keys.js";
import * as photo from "./photo_view.js";
import { measure, open, view } from "./selection.js";
import * as sets from "./sets.js";
import * as sheet from "./sheet.js";

await styled("check/check.css");

const NO_TILES = ["outcome", "lesson", "answers"]; // state fields that change no tile

export function start() {
	advice.start();
	photo.start();
	byId("check").addEventListener("keydown", keys);
	measure();
}

/** Opens the first doubtful tile, unless a graver doubt is open. Without doubts: the waits of 13 tiles. Without tiles:
 * the keypad. */
export function arrive() {
	view.whole = false;
	const { hand, outcome } = app.state;
	if (doubts.isAny(app.state) && !outcome?.others) reask(); // requests which doubts matter
	if (hand && !app.shots.length && !hands.places(hand).length) return open(null, { add: "closed" });
	const doubt = hand && doubts.faces()[0]?.place;
	if (doubts.unsettled().some((one) => doubts.rank(one) < 2)) return open(null, "alternatives");
	open(doubt ?? null, hand && !doubt && !hand.win && waits(app.state).length ? { add: "win" } : "alternatives");
}

export function leave() {
	view.picked = null;
	view.mode = "alternatives";
	sheet.forget();
	document.body.classList.remove("with-sheet");
	answer.leave();
}

export function render({ state }, changes) {
	const { hand } = state;
	answer.render(app);
	if (state.answers.some(({ known }) => known))
		later(
			() => import("./table.js"),
			(table) => table.render(),
		);
	else document.querySelector(".seen-table")?.remove();
	booking.who(app);
	if (!hand || (changesNoTile(changes) && view.mode.add !== "win" && !doubts.isAny(state))) return; // unless the change may affect the waits of 13 tiles, or which doubts matter
	if (view.picked && view.picked.group !== "other" && !hands.tileAt(hand, view.picked)) view.picked = null;
	if (view.mode.add === "win" && hand.win) view.mode = "alternatives";
	const all = cards.all();
	const n = all.length + Number(doubts.isDoraOpen());
	const unsure = !n && state.reading?.unsure;
	const count = hands.count(hand);
	const isShort = !n && app.photos[photo.shot()] && count.n < count.of - 1; // the rest may be in the photo
	const isUnsure = n || unsure || isShort;
	fill(
		byId("check-tools"),
		hand.closed.length > 0 &&
			button(
				{
					class: isUnsure ? "pill doubt" : "pill good",
					key: "doubts",
					disabled: !n && !isShort,
					onclick: isShort ? zoom : cards.scrollToDoubts,
				},
				icon(isUnsure ? "look" : "check"),
				isShort
					? t("check.frame_it")
					: unsure
						? t("doubt.sure", { percent: Math.floor(100 * unsure) })
						: t(n ? "check.doubts" : "check.sure", { n }),
			),
		app.photos[photo.shot()] && tool("whole", "check.whole", zoom, false, view.whole),
		tool("undo", "check.undo", undo, !state.undone.length),
		tool("camera", "check.another", () => go("take"), !app.shots.length),
		tool("sort", "check.sort", () => correct(hands.sorted(hand)), !hand.closed.length),
	);
	const unlike = state.reading?.unlike ?? [];
	byId("unlike").hidden = !unlike.length;
	fill(
		byId("unlike"),
		unlike.map((at) =>
			h(
				"div.more",
				h("span", t("check.unlike", { n: at + 1 })),
				button(
					{ class: "secondary", key: `another-hand-${at}`, onclick: () => anotherHand(at) },
					t("check.another_hand"),
				),
			),
		),
	);
	fill(byId("doubts"), all.map(cards.card));
	photo.picture();
	fill(byId("groups"), hands.groupsOf(hand).filter(shown).map(group));
	sheet.render();
}

/** Scores a photo of another hand on its own. The earlier hand goes to the history if it has a score. */
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
	view.whole = !view.whole;
	show();
}

/** Whether no tile has changed. Unchanged buttons are not redrawn, so that a press is not lost. */
const changesNoTile = (changes) => changes && Object.keys(changes).every((name) => NO_TILES.includes(name));

export function way({ state }) {
	const { n, of } = hands.count(state.hand ?? hands.EMPTY);
	const { outcome } = state;
	if (!n && app.shots.length) return { text: t("check.retake"), go: nextHand };
	if (n === of - 1 && !state.hand.win) return { text: t("group.win"), go: () => open(null, { add: "win" }) };
	const isComplete = answer.isAsked(state);
	const questions = (isComplete && outcome.questions) || [];
	const settled = isComplete && isSettled(outcome.result);
	const toBook =
		settled &&
		state.claim &&
		booking.way(state, { n: doubts.faces().length + doubts.doubtsOfReading().length, go: cards.scrollToDoubts }, book);
	if (toBook) return toBook;
	if (n > of || (isComplete && !settled && !questions.length)) {
		// Typed among the closed tiles: a kan, or norths to set aside.
		const kan = sets.kan(state.hand);
		if (kan) return { text: t("meld.ankan"), go: () => correct(sets.makeMeld(state.hand, kan)) };
		const norths = players() === 3 && n > of && sets.withoutNorths(state.hand, n - of);
		if (norths) return { text: t("name.nukidora"), go: () => setAsideNorths(norths, n - of) };
	}
	if (settled) return { text: t(isOpen(state) ? "way.skip" : "way.score"), go: proceed };
	const hasAnswers = isComplete && state.answers.length > 0 && !outcome.advice; // an answer may forbid the win
	const text = questions.length
		? t("way.answer", { n: questions.length })
		: t(hasAnswers ? "answer.title" : "way.score");
	return { text, disabled: !questions.length && !hasAnswers, go: answer.scrollToQuestions };
}

const isOpen = (state) => state.outcome.range?.low !== state.outcome.range?.high && answer.deciding(state).length > 0;

function setAsideNorths(hand, more) {
	const nukidora = Math.min(
		4,
		more + (app.state.answers.find(({ field }) => field === "nukidora")?.fields.nukidora ?? 0),
	);
	correct(hand);
	setAnswer({ field: "nukidora", id: String(nukidora), fields: { nukidora } });
}

/** Goes on to the score. This confirms all tiles. */
function proceed() {
	settleAll();
	go("score");
}

/** In a game, records the hand. This confirms all tiles. */
function book() {
	settleAll();
	intoBook();
}

function settleAll() {
	change({ hand: hands.confirmAll(app.state.hand) });
	clearDoubts(...(app.state.reading?.doubts ?? []).filter(({ kind }) => kind !== "indicator"));
}
