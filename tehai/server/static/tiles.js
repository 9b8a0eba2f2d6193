// Tiles on the page: drawn faces, crops of the photo, and the keypad.
import { button, h } from "./dom.js";
import { FACES, isRed, split } from "./labels.js";
import { t, tileName } from "./text.js";

/** A drawn tile with a name for screen readers. A red five has a mark besides its colour. */
export function face(label, properties = {}) {
	const known = FACES.includes(label) || label === "back";
	const picture = known
		? h("img", { src: `tiles/${label}.svg`, alt: tileName(label), draggable: "false", width: 60, height: 80 })
		: h("span.unread", { role: "img", label: tileName(label) }, "?");
	const mark = isRed(label) && h("span.red-mark", { "aria-hidden": "true" }, t("mark.red"));
	return h("span.tile", properties, picture, mark);
}

/** Tiles in a row, from mpsz text or labels. */
export function row(tiles, properties = {}) {
	return h(
		"span.row",
		properties,
		(typeof tiles === "string" ? split(tiles) : tiles).map((label) => face(label)),
	);
}

/** A sentence with its tiles drawn: "5s completes …". */
export function sentence(text) {
	const parts = text.split(/((?<![\w.])(?:[0-9]+[mpsz])+(?!\w))/u);
	return parts.map((part, at) => (at % 2 ? row(part) : part));
}

/** A keypad of all faces, or of those given. */
export function keypad(choose, properties = {}, faces = FACES) {
	const key = (label) =>
		button({ class: isRed(label) ? "key red" : "key", key: `key-${label}`, onclick: () => choose(label) }, face(label));
	return h("div.keypad", { role: "group", label: t("keypad"), ...properties }, faces.map(key));
}

/** The keypad without red fives. */
export const plainKeypad = (choose) =>
	keypad(
		choose,
		{ class: "keypad plain" },
		FACES.filter((label) => !isRed(label)),
	);

/** The tile's crop of the photo, straightened. Null without a quad. */
export function crop(photo, quad, width = 96, height = 128) {
	if (!photo || !quad) return null;
	const canvas = h("canvas.crop", { width, height, "aria-hidden": "true" });
	const scale = photo.scale;
	const [origin, right, , down] = quad.map(([x, y]) => [x * scale, y * scale]);
	// The inverse of the face's parallelogram (right - origin, down - origin) maps the photo to the canvas.
	const [a, b] = [(right[0] - origin[0]) / width, (right[1] - origin[1]) / width];
	const [c, d] = [(down[0] - origin[0]) / height, (down[1] - origin[1]) / height];
	const determinant = a * d - b * c;
	if (!determinant) return null;
	const context = canvas.getContext("2d");
	context.imageSmoothingQuality = "high";
	context.setTransform(d / determinant, -b / determinant, -c / determinant, a / determinant, 0, 0);
	context.translate(-origin[0], -origin[1]);
	context.drawImage(photo.picture, 0, 0);
	return canvas;
}
