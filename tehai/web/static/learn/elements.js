// Elements of lessons and exercises: text with tiles, lines, tables, hands.
import { h } from "../shared/dom.js";
import { row } from "../shared/tiles.js";

const FACES = 37; // columns of faces.jpg
const WIDTH = 108; // shown width of a face, three quarters of its height

/** Texts, and lists of labels as tiles. */
export const pieces = (value) => value.map((one) => (Array.isArray(one) ? row(one) : one));

/** A line of an explanation. `won`: the last group is the winning tile. */
export function line({ label, text, groups, won, worth, source }) {
	const tiles =
		groups.length > 0 &&
		h(
			"span.tiles-of",
			groups.map((group, at) => row(group, { class: won && at === groups.length - 1 ? "row won" : "row" })),
		);
	return h(
		"div.line",
		h("div", tiles, h("span", label && [h("b", label), " "], pieces(text), source && h("span.source", ` ${source}`))),
		worth && h("strong", worth),
	);
}

/** Lines, with an optional heading and table. */
export function passage({ title, lines, grid }) {
	return h("section.step", title && h("h3", title), lines.map(line), grid && table(grid, title));
}

function table({ head, rows, marked }, title) {
	const cell = (text, at, nth) =>
		h("td", { class: marked[0] === nth && marked[1] === at ? "marked" : null }, pieces(text));
	return h(
		"div.scroll",
		{ tabindex: "0", role: "region", label: title ?? "" },
		h(
			"table",
			h(
				"thead",
				h(
					"tr",
					head.map((text) => h("th", { scope: "col" }, pieces(text))),
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
		),
	);
}

/** The subject of an exercise: a tile to name, or a hand with its known facts. */
export function shown({ face, concealed, last, win, melds, facts }) {
	const group = (tiles, name) => h("figure.group-of", row(tiles), name && h("figcaption", name));
	return h(
		"div.shown",
		face && picture(face),
		concealed.length > 0 &&
			h(
				"div.laid",
				group(concealed, ""),
				last.length > 0 && group(last, win),
				melds.map(({ name, tiles }) => group(tiles, name)),
			),
		facts.length > 0 &&
			h(
				"ul.facts",
				facts.map((fact) => h("li", pieces(fact))),
			),
	);
}

function picture({ tile, column, row: style }) {
	if (tile) return h("img.to-name", { src: `tiles/${tile}.svg`, alt: "", width: WIDTH, height: (WIDTH * 4) / 3 });
	const element = h("div.to-name.cut", { "aria-hidden": "true" });
	element.style.backgroundSize = `${FACES * WIDTH}px auto`;
	element.style.backgroundPosition = `${-column * WIDTH}px ${(-style * WIDTH * 4) / 3}px`;
	return element;
}
