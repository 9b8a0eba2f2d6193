// The lesson as elements: every step with its lines, tiles and piece of table, and the words used.
import { h } from "./dom.js";
import { number, t } from "./text.js";
import { row, sentence } from "./tiles.js";

export const steps = (lesson) => lesson.steps.map(step);

function step({ kind, title, lines, grid }) {
	return h("section", { class: `step ${kind}` }, h("h3", {}, title), lines.map(line), grid && table(grid));
}

function line({ label, text, tiles, amount, unit, source }) {
	return h(
		"div",
		{ class: "line" },
		h(
			"div",
			{},
			tiles.length > 0 && h("span", { class: "tiles-of" }, tiles.map((group) => row(group))),
			h("span", {}, label && [h("b", {}, label), " "], sentence(text), source && h("span", { class: "source" }, ` ${source}`)),
		),
		amount !== null && h("strong", {}, unit === "points" ? number(amount) : t(`unit.${unit}`, { n: amount })),
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
