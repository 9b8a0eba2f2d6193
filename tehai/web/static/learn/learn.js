// Lessons and drills: the menu, a page of a lesson, an exercise, and its result.
// The server decides what is due and what is right. The learner's progress is stored here.
import { attempt } from "../app/actions.js";
import * as api from "../app/api.js";
import { inputs } from "./answer_keys.js";
import { line, passage, pieces, shown } from "./elements.js";
import { load, save } from "./progress.js";
import { announce, button, byId, fill, h, icon, styled } from "../shared/dom.js";
import { spoken } from "../shared/text.js";
import { app, change, show } from "../app/state.js";
import { evening, games, learnt, settings } from "../app/store.js";

const MOST_OWN = 20; // hands of the history used for exercises

let menu = null; // the server's last menu: texts, lessons, levels
let menuKey = null; // language and rules of the menu
let view = { kind: "menu" }; // or page {page, among}, exercise {exercise, among, keys}, result {exercise, among, result}
let nextLevel = null; // the level to open next
let drawnView = null; // the view that is drawn
let winners = []; // winners of the last game, to review their hands

const place = () => byId("learn-body");
const request = async (more = {}) => ({ lang: spoken(), rules: settings.rules, progress: await learnt.get(), ...more });
const word = (name) => menu.words[name];

export function start() {
	for (const sheet of ["check/check.css", "learn/learn.css"]) styled(sheet); // answers look like those on Check
}

export function render() {
	const now = `${spoken()} ${settings.rules}`;
	if (menuKey !== now) {
		menuKey = now;
		return loadMenu();
	}
	if (menu && drawnView !== view) draw();
}

/** Opens the drill that a lesson names. */
export function arrive() {
	nextLevel = app.state.drill;
	if (nextLevel) change({ drill: null });
}

export function leave() {
	setView({ kind: "menu" });
	menuKey = null; // progress may have changed
}

/** The button to go on, and what stands beside it. */
export function way() {
	if (!menu) return null;
	if (view.kind === "page") return { text: word("begin"), go: next, beside: back() };
	if (view.kind === "result") return { text: word(view.result.step ? "goes_on" : "next"), go: next, beside: back() };
	if (view.kind !== "exercise") return null;
	return {
		text: word("done"),
		go: done,
		disabled: !view.keys.whole(),
		beside: button({ class: "quiet", key: "unknown", onclick: answerUnknown }, word("unknown")),
	};
}

const back = () => button({ class: "quiet", key: "learn-back", onclick: loadMenu }, word("back"));

function setView(to) {
	view = to;
}

/** Loads and shows the menu. */
function loadMenu() {
	return attempt(async () => {
		menu = await api.learn("menu", await request());
		winners = await lastWinners();
		setView({ kind: "menu" });
		const level = nextLevel;
		nextLevel = null;
		if (level) return startExercise({ level });
		show();
	}, "busy.lesson");
}

function draw() {
	drawnView = view;
	({ menu: overview, page, exercise, result: drawResult })[view.kind]();
	scrollTo(0, 0);
}

// --- menu ---

function overview() {
	const { lessons, levels, due, waiting, course } = menu;
	const step = course.find((one) => one.next);
	fill(
		place(),
		h("p.hint", word("known")),
		step &&
			button(
				{ class: "primary big", key: "learn-course", onclick: () => begin(step) },
				icon("next"),
				h("span", word("course")),
				h("span.due", step.title),
			),
		h(
			"details.course",
			{ open: Boolean(step) },
			h("summary", word("course")),
			h(
				"ol.learn-list",
				course.map((one, at) => stepEntry(one, at + 1)),
			),
		),
		button(
			{ class: step ? "secondary big" : "primary big", key: "learn-all", onclick: () => startExercise({}) },
			icon("next"),
			h("span", word("all")),
			due > 0 && h("span.due", waiting),
		),
		winners.length > 0 && [
			h("h2", word("evening")),
			h(
				"div.chips",
				winners.map((name, at) =>
					button(
						{ class: "secondary", key: `evening-${at}`, onclick: () => startExercise({ player: name, nth: 0 }) },
						name || word("mine"),
					),
				),
			),
		],
		h("h2", word("lessons")),
		h(
			"ol.learn-list",
			lessons.map((one, at) => entry(one, String(at + 1), `lesson-${one.id}`, () => open(one.id))),
		),
		h("h2", word("levels")),
		h(
			"ol.learn-list",
			levels.map((one, at) => entry(one, String(at + 1), `level-${one.id}`, () => startExercise({ level: one.id }))),
		),
		h(
			"section",
			{ label: word("progress") },
			h("h2", word("progress")),
			h("p.hint", word("progress_why")),
			h(
				"div.chips",
				button({ class: "secondary", key: "learn-save", onclick: save }, icon("save"), word("save")),
				h(
					"label.secondary.upload",
					h("input.visually-hidden", {
						type: "file",
						id: "load-progress",
						accept: ".json,application/json",
						onchange: loadProgress,
					}),
					icon("book"),
					h("span", word("load")),
				),
				button({ class: "quiet", key: "learn-anew", onclick: resetProgress }, icon("delete"), word("anew")),
			),
			h("p", { role: "status", id: "progress-news" }),
		),
	);
}

const entry = ({ title, told: state, waiting, learnt: many, all }, nth, key, act) =>
	h(
		"li",
		button(
			{ class: "learn-entry", key, data: { learnt: all && many === all ? "yes" : "" }, onclick: act },
			h("span.nth", { "aria-hidden": "true" }, nth),
			h("span.name", title),
			h("span.state", state, waiting && h("b.due", waiting)),
		),
	);

const stepEntry = (one, nth) =>
	h(
		"li",
		button(
			{
				class: "learn-entry",
				key: `step-${one.id}`,
				data: { learnt: one.done ? "yes" : "" },
				onclick: () => begin(one),
			},
			h("span.nth", { "aria-hidden": "true" }, nth),
			h("span.name", one.title),
			one.done && h("span.state", "✓"),
		),
	);

/** Starts a step of the course: its page, then its exercises. */
function begin({ id }) {
	return attempt(async () => {
		const step = `course.${id}`;
		setView({ kind: "page", page: await api.learn("page", await request({ lesson: step })), among: { step, nth: 0 } });
		show();
	}, "busy.lesson");
}

/** Loads a progress file, and reports the result. */
function loadProgress({
	target: {
		files: [file],
	},
}) {
	return (
		file &&
		attempt(async () => {
			const { progress, ...asking } = await request();
			const news = await load(file, asking);
			menu = await api.learn("menu", await request());
			setView({ kind: "menu" });
			show();
			byId("progress-news").textContent = word(news);
		}, "busy.lesson")
	);
}

function resetProgress() {
	if (!confirm(word("sure"))) return;
	learnt.clear().then(loadMenu);
}

// --- page of a lesson ---

function open(lesson) {
	return attempt(async () => {
		setView({ kind: "page", page: await api.learn("page", await request({ lesson })), among: { lesson } });
		show();
	}, "busy.lesson");
}

function page() {
	fill(
		place(),
		h("h2.learn-title", { tabindex: "-1" }, view.page.title),
		h("div.lesson.learn-page", view.page.lines.map(line)),
	);
	place().querySelector("h2").focus({ preventScroll: true });
}

// --- exercise ---

/** Shows what is due in a level or lesson, or in all. */
function startExercise(among, last = null) {
	return attempt(async () => {
		const own = (await evening.all())
			.sort((one, other) => one.at.localeCompare(other.at))
			.slice(-MOST_OWN)
			.map(({ at, rules, record }) => ({ ...record, rules, at }));
		const game = among.player ? await lastGame() : null;
		const found = await api.learn("exercise", await request({ ...among, last, own, game }));
		const ready = { kind: "exercise", exercise: found, among, keys: inputs(found.parts, menu.words, touched, done) };
		setView(
			found.page && !among.lesson && !among.step && among.player === undefined
				? { kind: "page", page: found.page, among, ready }
				: ready,
		);
		show();
	}, "busy.lesson");
}

/** Goes on from a page or a result. */
function next() {
	if (view.kind === "page" && view.ready) {
		setView(view.ready);
		return show();
	}
	if (view.kind === "result" && view.among.step) return nextInStep();
	if (view.kind === "result" && view.among.player !== undefined)
		return view.result.step
			? loadMenu()
			: startExercise({ ...view.among, nth: view.among.nth + 1 }, view.exercise.ref.topic);
	return startExercise(view.among, view.exercise?.ref.topic);
}

/** The next exercise of a step, or the next step after the last one. */
async function nextInStep() {
	const { step, nth } = view.among;
	if (!view.result.step) return startExercise({ step, nth: nth + 1 });
	await loadMenu();
	const following = menu.course.find((one) => one.next);
	return following && begin(following);
}

/** The events of the last game; null without one. */
async function lastGame() {
	const all = (await games.all()).filter(({ events }) => events.some(({ event }) => event.event === "win"));
	const last = all.sort((one, other) => one.at.localeCompare(other.at)).at(-1);
	return last ? last.events.map(({ event }) => event) : null;
}

/** Winners of the last game whose tiles are known. An empty name stands for hands outside a game. */
async function lastWinners() {
	const game = await lastGame();
	const mine = (await evening.all()).length > 0 ? [""] : [];
	return game ? [...(await api.learn("winners", await request({ game }))).players, ...mine] : mine;
}

/** An input has changed: updates the button to go on. */
const touched = () => show();

function exercise() {
	const { exercise: one, keys } = view;
	fill(
		place(),
		h("p.hint", [one.level, one.origin].filter(Boolean).join(" · ")),
		shown(one.shown),
		h("h2.question-now", { tabindex: "-1" }, pieces(one.question)),
		keys.elements,
		back(),
	);
	place().querySelector("h2").focus({ preventScroll: true });
}

const done = () => answer(view.keys.values());
/** "I don't know" is no mistake: given answers count, and the rest comes again soon. */
const answerUnknown = () => answer(view.keys.values());

function answer(answers) {
	const asking = view;
	return attempt(async () => {
		const result = await api.learn("answer", await request({ ref: asking.exercise.ref, answers }));
		if (result.unclear) return asking.keys.say(pieces(result.unclear));
		await learnt.put(result.known); // also if the learner has left meanwhile
		if (view !== asking) return;
		setView({ ...asking, kind: "result", result });
		show();
	});
}

// --- result ---

const SIGNS = { right: "✓", partly: "~", wrong: "✗", unknown: "?", so_far: "?" };

function drawResult() {
	const { exercise: one, result } = view;
	fill(
		place(),
		result.step && h("p.step-done", { role: "status" }, result.step),
		h(
			"div",
			{ class: `verdict ${result.verdict}` },
			h("span.sign", { "aria-hidden": "true" }, SIGNS[result.verdict]),
			h("h2", { tabindex: "-1" }, result.text),
		),
		result.parts
			.filter(({ known }) => !known)
			.map(({ label, right, apart }) =>
				h(
					"div.card.apart",
					h("p.right", label && [h("span", pieces(label)), " "], h("strong", pieces(right))),
					apart.length > 0 && h("div.lesson", line(apart[0])),
				),
			),
		h("div.card.asked", shown(one.shown), h("p", pieces(one.question))),
		h(
			"details.rest",
			h("summary", { key: "why" }, word("why")),
			result.parts
				.filter(({ apart }) => apart.length > 1)
				.map(({ apart }) => h("div.card.lesson", apart.slice(1).map(line))),
			h("div.card.lesson.why-so", h("p.hint", result.topic), result.why.map(passage)),
		),
	);
	announce(result.text);
	place().querySelector("h2").focus({ preventScroll: true });
}
