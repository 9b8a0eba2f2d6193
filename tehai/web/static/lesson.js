// The lesson as elements: every step with its lines, tiles and piece of table, and the words used.
import { h } from "./dom.js";
import { number, t } from "./text.js";
import { row, sentence } from "./tiles.js";

/** "4 fan", in the words of the rules. */
export function amountOf({ glossary }, amount, unit) {
	const name = glossary.find((entry) => entry.id === unit)?.name ?? unit;
	return unit === "points" ? number(amount) : t("amount", { n: amount, name });
}

export const steps = (lesson) => lesson.steps.map((one) => step(lesson, one));

function step(lesson, { kind, title, lines, grid }) {
	return h("section", { class: `step ${kind}` }, h("h3", {}, title), lines.map((one) => line(lesson, one)), grid && table(grid));
}

function line(lesson, { label, text, tiles, amount, unit, source }) {
	return h(
		"div",
		{ class: "line" },
		h(
			"div",
			{},
			tiles.length > 0 && h("span", { class: "tiles-of" }, tiles.map((group) => row(group))),
			h("span", {}, label && [h("b", {}, label), " "], sentence(text), source && h("span", { class: "source" }, ` ${source}`)),
		),
		amount !== null && h("strong", {}, amountOf(lesson, amount, unit)),
	);
}

function table({ head, rows, marked }) {
	const cell = (text, at, nth) => h("td", { class: marked[0] === nth && marked[1] === at ? "marked" : null }, text);
	const whole = h(
		"table",
		{},
		h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
		h("tbody", {}, rows.map((cells, nth) => h("tr", {}, cells.map((text, at) => cell(text, at, nth))))),
	);
	return h("div", { class: "scroll", tabindex: "0", role: "region", label: t("lesson.table") }, whole);
}

export function glossary({ glossary: entries }) {
	return h(
		"section",
		{ class: "step" },
		h("h3", {}, t("lesson.words")),
		h("dl", {}, entries.map((entry) => [h("dt", {}, entry.name, " ", h("small", {}, [...entry.others, `“${entry.said}”`].join(", "))), h("dd", {}, entry.means)])),
	);
}
