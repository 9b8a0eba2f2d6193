// A lesson as elements: its steps with lines, tiles and tables, and the glossary.
import { button, h, icon } from "../shared/dom.js";
import { number, t, wording } from "../shared/text.js";
import { row, sentence } from "../shared/tiles.js";
import { change } from "../app/state.js";

/** For example "4 fan", in the terms of the rules. */
export function amountOf({ glossary }, amount, unit) {
	const name = glossary.find((entry) => entry.id === unit)?.name ?? unit;
	if (unit === "chips") return t("amount_chips", { n: amount });
	return unit === "points" ? number(amount) : t("amount", { n: amount, name });
}

export const limitOf = ({ limit }) => limit && wording(`limit.${limit}`, limit);

/** For example "Mangan · 5 fan 30 minipoints". Without the lesson, only the limit. */
export function summary(result, lesson) {
	const counted = result.yakuman
		? result.yakuman > 1 && t("score.times", { n: result.yakuman })
		: lesson &&
			(lesson.tells_fu === false ? ["han"] : ["han", "fu"])
				.map((unit) => amountOf(lesson, result[unit], unit))
				.join(" ");
	return [limitOf(result), counted].filter(Boolean).join(" · ");
}

export const payment = (lesson) => lesson?.steps.find((one) => one.kind === "payment")?.lines ?? [];

export const steps = (lesson) => lesson.steps.map((one) => step(lesson, one));

function step(lesson, { kind, title, words, lines, grid }) {
	return h(
		"section",
		{ class: `step of-${kind}` },
		h("h3", title),
		terms(lesson, words),
		lines.map((one) => line(lesson, one)),
		grid && table(grid, title),
	);
}

/** The terms that first appear here, each with its meaning on a tap. */
function terms({ glossary: entries }, words) {
	const word = ({ name, means }) => h("details.word", h("summary", name), h("span", means));
	const known = words.map((id) => entries.find((entry) => entry.id === id)).filter(Boolean); // stored data may be damaged
	return known.length > 0 && h("div.words", known.map(word));
}

function line(lesson, { label, text, tiles, won, turned, amount, unit, words, cited, drill }) {
	if (drill)
		return button(
			{ class: "secondary", key: `drill-${drill}`, onclick: () => change({ screen: "learn", drill }) },
			icon("learn"),
			t("lesson.drill"),
		);
	return h(
		"div.line",
		h(
			"div",
			tilesOf(tiles, won, turned),
			h("span", label && [h("b", label), " "], sentence(text), cited && h("span.source", ` ${cited}`)),
			terms(lesson, words),
		),
		amountElement(lesson, amount, unit),
	);
}

/** The tiles of a line by group. `won`: the last group is the winning tile. `turned`: indices of sideways tiles. */
export function tilesOf(groups, won = false, turned = []) {
	const rows = groups.map((group, at) => row(group, { class: won && at === groups.length - 1 ? "row won" : "row" }));
	for (const at of turned ?? []) rows[0]?.children[at]?.classList.add("turned");
	return rows.length > 0 && h("span.tiles-of", rows);
}

/** What a line adds. */
export const amountElement = (lesson, amount, unit) => amount !== null && h("strong", amountOf(lesson, amount, unit));

/** A table cell. Payments of two players may wrap on a small phone. */
const cellContent = (text) => text.split("/").map((part, nth) => [nth > 0 && ["/", h("wbr")], sentence(part)]);

function table({ head, rows, marked }, title) {
	const cell = (text, at, nth) =>
		h("td", { class: marked[0] === nth && marked[1] === at ? "marked" : null }, cellContent(text));
	const whole = h(
		"table",
		h(
			"thead",
			h(
				"tr",
				head.map((text) => h("th", { scope: "col" }, text)),
			),
		),
		h(
			"tbody",
			rows.map((cells, nth) =>
				h(
					"tr",
					cells.map((text, at) => cell(text, at, nth)),
				),
			),
		),
	);
	return h("div.scroll", { tabindex: "0", role: "region", label: title }, whole);
}

export function glossary({ glossary: entries }) {
	return h(
		"details.step.glossary",
		h("summary", t("lesson.words")),
		h(
			"dl",
			entries.map((entry) => [
				h(
					"dt",
					entry.name,
					" ",
					h("small", [...entry.others, entry.said && `“${entry.said}”`].filter(Boolean).join(", ")),
				),
				h("dd", entry.means),
			]),
		),
	);
}
