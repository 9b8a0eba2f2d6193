// Deletes several tiles at once: those in a rectangle, or those below a probability.
import { announce, button, byId, fill, h, icon } from "./shared/dom.js";
import { t } from "./shared/text.js";
import { centre, moved, rectangle, sizeOf } from "./geometry.js";
import { say } from "./notice.js";
import { changed, listen, setAdding, now, runHere, show } from "./now.js";
import { count } from "./words.js";

const POINT = 9; // screen pixels of the first corner's dot

let selection = null; // {corner, area, below}: the first corner, the rectangle, the probability limit in percent; null: closed

export const isOpen = () => selection !== null;

export function toggle() {
	const open = !isOpen();
	setAdding(false);
	if (open) {
		selection = { corner: null, area: null, below: 100 };
		setAdding(true);
	}
	show();
}

/** Indices of the chosen tiles. */
export function chosen() {
	if (!selection || (!selection.area && selection.below === 100)) return [];
	const [from, , to] = selection.area ?? [[-Infinity, -Infinity], null, [Infinity, Infinity]];
	const isInside = ({ quad }) => centre(quad).every((at, axis) => from[axis] <= at && at <= to[axis]);
	const isUnsure = ({ probability }) =>
		selection.below === 100 || (probability !== null && 100 * probability < selection.below);
	return now.work.tiles.flatMap((tile, at) => (isInside(tile) && isUnsure(tile) ? [at] : []));
}

/** The preview at a point: a corner, or the rectangle from the first corner. */
export function form(point) {
	const half = POINT / now.stage.zoom / 2;
	const dot = rectangle([-half, -half], [half, half]);
	return selection.corner ? rectangle(selection.corner, point) : moved(dot, ...point);
}

/** Sets the rectangle, drawn at once or by two corners. */
export function enclose(quad) {
	const isDot = sizeOf(quad) * now.stage.zoom < 2 * POINT;
	selection.area = isDot && !selection.corner ? null : quad;
	selection.corner = isDot && !selection.corner ? centre(quad) : null;
	show();
	announce(summary());
}

export function remove() {
	const which = chosen();
	if (!which.length) return say("several.none");
	now.work.removeAll(which);
	setAdding(false);
	changed();
	return say(which.length === 1 ? "several.deleted.one" : "several.deleted", { n: which.length });
}

const summary = () => (selection.corner ? t("several.corner") : count("tiles.count", chosen().length));

listen("adding", (adding) => {
	if (!adding) selection = null;
});

listen("changed", () => {
	byId("several").hidden = !isOpen();
	if (!isOpen()) return fill(byId("several"));
	const n = chosen().length;
	fill(
		byId("several"),
		h("p", {}, t("several.how")),
		h(
			"label",
			{ class: "below" },
			t("several.below"),
			h("input", {
				type: "range",
				min: 0,
				max: 100,
				value: selection.below,
				key: "below",
				oninput: ({ target }) => {
					selection.below = Number(target.value);
					show();
				},
				onchange: () => announce(summary()),
			}),
			h("output", {}, selection.below === 100 ? t("several.any") : `${selection.below} %`),
		),
		h(
			"span",
			{ class: "ways" },
			h("b", {}, summary()),
			button(
				{
					class: "secondary small",
					key: "several-delete",
					disabled: !n,
					"aria-keyshortcuts": "x",
					onclick: () => runHere(remove),
				},
				icon("delete"),
				t("photo.delete"),
				h("kbd", { "aria-hidden": "true" }, "x"),
			),
			button({ class: "tool", key: "several-close", label: t("close"), onclick: () => runHere(toggle) }, icon("close")),
		),
	);
});
