// A read-only view of a photo, with some tiles marked and numbered.
import { h } from "./shared/dom.js";
import { tileName } from "./shared/text.js";
import * as api from "./api.js";
import { centre, sizeOf } from "./geometry.js";
import { outline, s } from "./stage.js";

const AROUND = 3; // margin around the marked tiles, in tiles

/** `marked`: tiles by number, null if missing in this version. `around`: tiles that both views must show. */
export function overview(photo, tiles, marked, around, title, words) {
	const view = part(photo, around.filter(Boolean));
	const unit = view.width / 480; // about one screen pixel
	const numbers = marked.map((tile, n) => tile && number(tile, n + 1, unit)).filter(Boolean);
	const svg = s(
		"svg",
		{
			class: "canvas",
			viewBox: `${view.x} ${view.y} ${view.width} ${view.height}`,
			role: "img",
			"aria-label": marked.map((tile, n) => `${n + 1}: ${tile ? tileName(tile.label) : "–"}`).join(", "),
		},
		s("image", { href: api.image(photo.key), width: photo.width, height: photo.height }),
		s(
			"g",
			{ class: "marks" },
			...tiles
				.filter((tile) => !marked.includes(tile))
				.map((tile) => s("path", { class: "quad faint", d: outline(tile.quad) })),
			...numbers,
		),
	);
	return h("figure", {}, h("figcaption", {}, h("b", {}, title), h("span", { class: "hint" }, words)), svg);
}

function number(tile, n, unit) {
	const [x, y] = centre(tile.quad);
	const size = 15 * unit;
	return s(
		"g",
		{ class: "tile-mark doubt" },
		s("path", { class: "under", d: outline(tile.quad) }),
		s("path", { class: "quad", d: outline(tile.quad) }),
		s("circle", { class: "disc", cx: x, cy: y, r: size * 0.8 }),
		s("text", { class: "number", x, y: y + size * 0.35, "font-size": size }, String(n)),
	);
}

function part(photo, tiles) {
	if (!tiles.length) return { x: 0, y: 0, width: photo.width, height: photo.height };
	const room = AROUND * Math.max(...tiles.map((tile) => sizeOf(tile.quad)));
	const ends = (axis, most) => {
		const all = tiles.flatMap((tile) => tile.quad.map((point) => point[axis]));
		return [Math.max(0, Math.min(...all) - room), Math.min(most, Math.max(...all) + room)];
	};
	const [left, right] = ends(0, photo.width);
	const [top, bottom] = ends(1, photo.height);
	return { x: left, y: top, width: right - left, height: bottom - top };
}
