// The server's questions about facts other than tiles, on Check. Each answer shows what the hand would be worth.
import { clearDoubts, setTable, setAnswer, removeAnswer } from "../app/actions.js";
import * as hands from "../app/hand.js";
import { isSettled } from "../app/outcome.js";
import { button, byId, fill, h, icon } from "../shared/dom.js";
import { join } from "../shared/labels.js";
import { points, span, t, tileName, wording } from "../shared/text.js";
import { face, plainKeypad, row } from "../shared/tiles.js";
import { app, change, go, show, won } from "../app/state.js";

const COMMON = ["ippatsu"]; // circumstances common enough to stand beside the answers
const MOST_DORA = 4; // most dora to tap as a number
const MOST_PICKED = 5; // indicators
const DISCARDS = "discards";

/** Answers that change tiles: `put` adds them to the hand, `take` removes them. */
const TILE_ANSWERS = {
	win_tile: { put: (hand, { id }) => hands.wonOn(hand, id), take: hands.openWin },
	dora_indicators: {
		put: (hand, { labels }) => ({ ...hand, dora: labels.map(hands.tile) }),
		take: (hand) => ({ ...hand, dora: null }),
	},
	ura_indicators: { put: (hand, { labels }) => ({ ...hand, ura: labels.map(hands.tile) }) },
};

let picking = null; // the question whose tiles are being picked: each tap takes effect at once, and the question stays until closed

export function render({ state }) {
	byId("ask").hidden = !isAsked(state);
	if (byId("ask").hidden) return;
	fill(
		byId("given"),
		hands
			.fittingAnswers(state.hand, state.answers)
			.filter(
				(one) =>
					one.field !== DISCARDS &&
					!one.open &&
					!one.known &&
					wording(`name.${one.field}`, "") &&
					one.field !== picking?.field,
			)
			.map(given),
	);
	const open = questionsOf(state);
	const questions = picking ? [picking, ...open.filter(({ field }) => field !== picking.field)] : open;
	fill(
		byId("questions"),
		questions.length
			? questions.map(question)
			: isSettled(state.outcome.result) && h("p.settled", icon("check"), t("answer.settled")),
	);
	const table = h("div", counter("honba"), counter("riichi_sticks"), discards(state));
	if (table.innerHTML !== byId("table").innerHTML) fill(byId("table"), [...table.childNodes]); // unchanged content stays, so that a touch is not lost
	byId("rules-answer").value = won().rules;
	fill(
		byId("inferred"),
		inferred(state).map((fact) => h("li", fact)),
	);
}

const ASKED_IN_GAME = ["tsumo", "dealer", "seat_wind", "riichi"]; // in a game, other chips ask for winner and discarder

const questionsOf = ({ outcome, claim }) =>
	outcome.questions.filter(({ field }) => !(claim && ASKED_IN_GAME.includes(field)));

/** Whether the question about dora indicators is open. */
export const asksDora = (state) =>
	isAsked(state) && questionsOf(state).some(({ field }) => field === "dora_indicators");

/** The questions that affect the payments. Optional ones about rare circumstances are left out. */
export const deciding = (state) => (isAsked(state) ? questionsOf(state).filter(({ kind }) => kind !== "several") : []);

export const leave = () => (picking = null);

/** Whether the hand has all its tiles, so that its win can be asked about. */
export function isAsked({ hand, outcome }) {
	const { n, of } = hands.count(hand ?? hands.EMPTY);
	return n === of && outcome?.tiles.count === n;
}

/** Scrolls to the questions, or to the answers without any. */
export function scrollToQuestions() {
	go("check");
	const [place] = [byId("questions"), byId("given")].filter((one) => one.childElementCount);
	place?.scrollIntoView({ block: "center" });
	place?.querySelector("button")?.focus({ preventScroll: true });
}

/** The whole hand on one line: closed tiles, winning tile, melds, dora indicators. */
export function handLine(hand) {
	return h(
		"div.whole",
		{
			role: "img",
			label: hands
				.places(hand)
				.map((place) => tileName(hands.tileAt(hand, place).label))
				.join(", "),
		},
		row(hands.labels(hand.closed)),
		hand.win && row([hand.win.label], { class: "row win" }),
		hand.melds.map((meld) => row(hands.labels(meld.tiles), { class: "row meld" })),
		hand.dora?.length > 0 && row(hands.labels(hand.dora), { class: "row dora" }),
	);
}

// --- texts ---

const questionText = ({ field, text }) => wording(`ask.${field}`, text);

function answerText(field, id, label) {
	if (field === "win_tile") return tileName(id);
	if (TILE_ANSWERS[field] && id > 0) return t("answer.dora", { n: id });
	const marks = String(id)
		.split(" ")
		.map((one) => wording(`ask.${field}.${one}`, wording(`ask.special.${one}`, wording(`player.${one}`, label))));
	return marks.length > 1 ? marks.map((one) => one.split(":")[0]).join(" + ") : marks[0];
}

/** Whether the page has a text for an answer. Links may contain others, which are not shown. */
export const hasText = ({ field, id, labels }) =>
	labels ||
	[id].flat().every((one) =>
		String(one)
			.split(" ")
			.every((mark) => answerText(field, mark, "")),
	);

/** Facts that the server inferred, shown so that the player can check them. */
function inferred({ outcome, hand }) {
	const { record } = outcome;
	const facts = Object.entries(record.known)
		.filter(([name, source]) => source === "inferred" && name !== "win_tile")
		.map(([name]) => wording(`inferred.${name}.${record[name]}`, ""));
	const called = hand.melds.filter((meld) => meld.from && meld.tiles.some((one) => one.quad));
	return [
		...facts.filter(Boolean),
		...called.map((meld) => t("inferred.from", { meld: t(`meld.${meld.type}`), player: t(`from.${meld.from}`) })),
	];
}

// --- given answers ---

function given(one) {
	const answer = one.labels
		? one.labels.length
			? row(one.labels)
			: t("answer.none")
		: []
				.concat(one.id)
				.map((id) => answerText(one.field, id, id))
				.join(", ");
	const name = t(`name.${one.field}`);
	return h(
		"li",
		button(
			{
				class: "chip",
				key: `change-${one.field}`,
				title: t("answer.change_of", { question: name }),
				onclick: () => takeBack(one),
			},
			h("span.asked", name),
			h("strong", answer),
			one.kept && h("small", t("answer.kept")),
			icon("undo"),
		),
	);
}

function takeBack(one) {
	const { field, id } = one;
	if (Array.isArray(id)) return setAnswer({ ...one, open: true });
	const take = TILE_ANSWERS[field]?.take;
	if (take) change({ hand: take(app.state.hand) });
	removeAnswer(field);
}

// --- questions ---

function question(one, nth) {
	const body = { choice: choices, several: marks, tiles }[one.kind](one);
	return h(
		"div",
		{ class: nth ? "question" : "question first", role: "group", label: questionText(one), data: { field: one.field } },
		h("h2", questionText(one)),
		h("p.why", one.why),
		body,
	);
}

/** The value with each answer, or its range if the values are equal. */
function effects(list) {
	const worth = list.map((choice) => points(choice.points, choice.too_few));
	return new Set(worth).size > 1 ? worth : list.map((choice) => span(choice.low, choice.high, choice.too_few));
}

function option(key, label, effect, act, extra = {}) {
	return button({ class: "answer", key, onclick: act, ...extra }, h("span", label), h("span.effect", effect));
}

function choices({ field, choices: list }) {
	const effect = effects(list);
	const each = list.map((choice, at) => {
		const label = field === "win_tile" ? face(choice.id) : answerText(field, choice.id, choice.label);
		return option(`${field}-${choice.id}`, label, effect[at], () => submit(field, choice.id, choice.fields));
	});
	const isRare = ({ id, marks }) => marks?.length > 0 && !COMMON.includes(id);
	const [common, rare] = [false, true].map((wanted) => each.filter((_, at) => isRare(list[at]) === wanted));
	return [
		h("div.answers", common),
		rare.length > 0 &&
			h("details", { key: `${field}-rare` }, h("summary", t("answer.rare")), h("div.answers.wide", rare)),
	];
}

const FIELDS = { paarenchan: "dealer_wins" }; // record fields whose name differs from the mark

/** Several choices at once. Each tap takes effect at once; the question stays until closed.
 * The server's offer may be older than the last tap: earlier marks stay. */
function marks({ field, choices: list }) {
	const [now, ...more] = list;
	const earlier = app.state.answers.find((one) => one.field === field);
	const ids = earlier ? [earlier.id].flat() : [];
	const put = (left, fields) =>
		left.length ? setAnswer({ field, id: left, fields, open: true }) : removeAnswer(field);
	const add = (id, fields) =>
		put([...ids, id], {
			...fields,
			...Object.fromEntries(Object.entries(earlier?.fields ?? {}).filter(([, value]) => value)),
		});
	const remove = (id) => {
		const name = FIELDS[id] ?? id;
		put(
			ids.filter((one) => one !== id),
			{ ...earlier.fields, [name]: typeof earlier.fields[name] === "number" ? 0 : false },
		);
	};
	const effect = effects(list);
	const chip = (id, label, effect, act, pressed) =>
		option(`${field}-${id}`, answerText(field, id, label), effect, act, { pressed });
	return h(
		"div.answers",
		ids.length
			? option(`${field}-done`, t("answer.done"), "", () => setAnswer({ ...earlier, open: false }), {
					class: "answer done",
				})
			: option(`${field}-none`, answerText(field, "none", now.label), effect[0], () =>
					submit(field, "none", now.fields),
				),
		ids.map((id) => chip(id, id, effect[0], () => remove(id), true)),
		more.map(({ id: all, label, fields }, at) => {
			const id = all.split(" ").find((one) => !ids.includes(one));
			return id && chip(id, label, effect[at + 1], () => add(id, fields), false);
		}),
	);
}

function tiles(one) {
	const { field, choices: list } = one;
	const effect = effects(list);
	const picked = (picking?.field === field && app.state.answers.find((answer) => answer.field === field)?.labels) || [];
	const counts = Array.from({ length: MOST_DORA }, (_, nth) => nth + 1).map((n) => {
		const known = list.findIndex((choice) => doraOf(choice) === n);
		return option(
			`${field}-${n}`,
			String(n),
			effect[known],
			() => submit(field, n, { [field.replace("indicators", "count")]: n }),
			{ label: `${t("answer.dora", { n })} ${effect[known] ?? ""}` },
		);
	});
	const pick = (labels) => (labels.length ? submit(field, join(labels), {}, labels, one) : takeBack({ field }));
	const done = () => {
		leave();
		show();
	};
	return h(
		"div",
		field === "dora_indicators" && unconfirmedIndicators(),
		picked.length
			? h(
					"div.answers",
					option(`${field}-done`, t("answer.done"), "", done, { class: "answer done" }),
					pickedTiles("picked", picked, (at) => pick(picked.toSpliced(at, 1))),
				)
			: h(
					"div.answers.strip",
					option(`${field}-none`, "0", effect[0], () => submit(field, "", {}, []), {
						label: `${t("answer.none")} ${effect[0]}`,
					}),
					counts,
				),
		h(
			"details",
			{ key: `${field}-pick`, open: picked.length > 0 },
			h("summary", t("answer.pick")),
			plainKeypad((label) => picked.length < MOST_PICKED && pick([...picked, label])),
		),
	);
}

/** The indicators that were read but not confirmed, and a further candidate. */
function unconfirmedIndicators() {
	const { hand, reading } = app.state;
	if (!hands.isUnconfirmed(app.state)) return null;
	const more = hands.moreIndicators(app.state);
	const names = (tiles) => tiles.map(tileName).join(", ");
	const confirm = (key, text, labels) =>
		button(
			{ class: "secondary worded", key, onclick: () => submit("dora_indicators", join(labels), {}, labels) },
			row(labels),
			h("span", text),
		);
	const read = hands.labels(hand.dora);
	const all = [...read, ...(more?.tiles ?? []).map((at) => reading.tiles[at].label)];
	return h(
		"div.choices",
		more && h("span.hint", t("doubt.indicator_too", { tiles: names(all.slice(read.length)) })),
		more && confirm("dora-all", t(all.length === 2 ? "doubt_card.both" : "doubt_card.all"), all),
		confirm("dora-read", t(more ? "doubt_card.only" : "check.keep", { tile: names(read), tiles: names(read) }), read),
	);
}

/** The chosen tiles. A tap removes one. */
const pickedTiles = (name, labels, drop) =>
	labels.length > 0 &&
	h(
		"div.picked",
		labels.map((label, at) =>
			button(
				{
					class: "key",
					key: `${name}-${at}`,
					label: t("answer.without", { tile: tileName(label) }),
					onclick: () => drop(at),
				},
				face(label),
			),
		),
	);

const doraOf = ({ id, label }) => (id.includes("/") ? 0 : Number(label.match(/\d+/) ?? 0));

/** `open`: the question stays for further choices */
function submit(field, id, fields, labels = null, open = null) {
	picking = open;
	const answer = { field, id, fields, ...(labels ? { labels } : {}) };
	if (field === "dora_indicators") {
		const { hand, reading } = app.state;
		if (hand.dora && !labels) change({ hand: { ...hand, dora: null } }); // the tiles read there are not indicators
		clearDoubts(...(reading?.doubts ?? []).filter(({ kind }) => kind === "indicator"));
	}
	const tileAnswer = (labels || field === "win_tile") && TILE_ANSWERS[field];
	if (tileAnswer) {
		change({ hand: tileAnswer.put(app.state.hand, answer) });
		answer.fields = {};
	}
	setAnswer(answer);
}

// --- table ---

const MOST = { honba: 20, riichi_sticks: 20 };

function counter(name) {
	const value = won().table[name];
	const step = (symbol, by) =>
		button(
			{
				class: "tool",
				key: `${name}${by}`,
				disabled: by < 0 ? value < 1 : value >= MOST[name],
				label: t(by > 0 ? "table.more" : "table.fewer", { what: t(`table.${name}`) }),
				onclick: () => setTable({ [name]: value + by }),
			},
			icon(symbol),
		);
	return h(
		"div.counter",
		h("span", t(`table.${name}`)),
		step("minus", -1),
		h("output", String(value)),
		step("plus", 1),
	);
}

/** The winner's own discards. Furiten forbids ron. */
function discards({ answers }) {
	const labels = answers.find((one) => one.field === DISCARDS)?.labels ?? [];
	const put = (labels) =>
		labels.length
			? setAnswer({ field: DISCARDS, id: join(labels), fields: { [DISCARDS]: join(labels) }, labels })
			: removeAnswer(DISCARDS);
	return h(
		"details.discards",
		{ open: labels.length > 0 || document.querySelector(".discards")?.open },
		h("summary", t("table.discards")),
		pickedTiles("discard", labels, (at) => put(labels.filter((_, place) => place !== at))),
		plainKeypad((label) => put([...labels, label])),
	);
}
