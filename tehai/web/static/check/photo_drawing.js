// Draws the photo on Check: the part with the hand, tile outlines, and faces beside the tiles.
import { outline } from "../app/photo.js";
import { FACES } from "../shared/labels.js";

const MARGIN = 0.5; // around the hand, in tile heights
const APART = 0.15; // between a tile and its drawn face, in tile widths

/** The part of the photo around the quads, in pixels of the picture. Without quads: all of it. `least`: the least ratio
 * of height to width. */
export function part(photo, quads, least = 0) {
	const { width, height } = photo.picture;
	if (!quads.length) return { x: 0, y: 0, width, height };
	const corners = quads.flat().map(([x, y]) => [x * photo.scale, y * photo.scale]);
	const sides = quads.map((quad) => Math.hypot(quad[3][0] - quad[0][0], quad[3][1] - quad[0][1]) * photo.scale);
	const margin = MARGIN * Math.max(...sides);
	const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
	const left = Math.max(0, Math.min(...xs) - margin);
	const right = Math.min(width, Math.max(...xs) + margin);
	const more = Math.max(0, least * (right - left) - (Math.max(...ys) - Math.min(...ys)) - 2 * margin) / 2;
	const top = Math.max(0, Math.min(...ys) - margin - more);
	const bottom = Math.min(height, Math.max(...ys) + margin + more);
	return { x: left, y: top, width: right - left, height: bottom - top };
}

const dot = ([x, y], [right, down]) => x * right + y * down;
const minus = ([x, y], [right, down]) => [x - right, y - down];
const along = ([x, y], [right, down], far) => [x + far * right, y + far * down];
const middle = (quad) => [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis], 0) / 4);

/** The up direction for the reader of these tiles. */
function upward(quads) {
	const ups = quads.map((quad) => minus(quad[0], quad[3]));
	const sum = ups.reduce((one, other) => along(one, other, 1), [0, 0]);
	const length = Math.hypot(...sum);
	return length < 0.3 * ups.reduce((all, one) => all + Math.hypot(...one), 0)
		? [0, -1]
		: sum.map((value) => value / length);
}

/** Places the drawn face of each tile `{label, quad}`: above it, seen upright, or below if a tile is above. None if tiles
 * are on both sides. `all`: the quads of all tiles. */
export function beside(tiles, all) {
	const up = upward(tiles.map(({ quad }) => quad));
	const right = [-up[1], up[0]];
	const place = ({ label, quad }, side) => {
		const centre = middle(quad);
		const reach = (way) => Math.max(...quad.map((corner) => Math.abs(dot(minus(corner, centre), way))));
		const width = 2 * Math.min(reach(right), 1.1 * reach(up));
		const there = along(centre, up, side * (reach(up) + (2 / 3 + APART) * width));
		const corner = (across, high) => along(along(there, right, (across * width) / 2), up, (high * width * 2) / 3);
		return { label, there, quad: [corner(-1, 1), corner(1, 1), corner(1, -1), corner(-1, -1)] };
	};
	const free = (side) =>
		tiles
			.filter(({ label }) => FACES.includes(label))
			.map((one) => place(one, side))
			.filter(({ there }) => under(there, all) < 0);
	const [above, below] = [free(1), free(-1)];
	return below.length > above.length ? below : above;
}

const drawings = new Map();

/** The image of a face. Null until it is loaded, then calls `again`. */
function drawing(label, again) {
	if (!drawings.has(label)) {
		const image = new Image();
		image.onload = again;
		image.src = `tiles/${label}.svg`;
		drawings.set(label, image);
	}
	const image = drawings.get(label);
	return image.complete && image.naturalWidth ? image : null;
}

/** Draws the faces that `beside` has placed. Calls `again` when a missing image is loaded. */
export function drawFaces(canvas, photo, faces, again) {
	const context = canvas.getContext("2d");
	for (const { label, quad } of faces) {
		const image = drawing(label, again);
		if (!image) continue;
		const [origin, right, , down] = quad.map((corner) => corner.map((value) => value * photo.scale));
		context.save();
		context.transform(...minus(right, origin), ...minus(down, origin), ...origin);
		context.drawImage(image, 0, 0, 1, 1);
		context.restore();
	}
}

/** Draws a part of the photo with outlines `{quad, colour, width, dashed}`. The canvas takes the part's proportions. */
export function draw(canvas, photo, part, outlines) {
	const wide = Math.min(1600, Math.max(part.width, 900));
	const zoom = wide / part.width;
	canvas.width = Math.round(wide);
	canvas.height = Math.round(part.height * zoom);
	const context = canvas.getContext("2d");
	context.imageSmoothingQuality = "high";
	context.setTransform(zoom, 0, 0, zoom, -part.x * zoom, -part.y * zoom);
	context.drawImage(photo.picture, 0, 0);
	outline(context, outlines, photo.scale, 1 / zoom);
}

/** The corners of a region, which is given in fractions of the photo. */
export function corners({ picture, scale }, [x0, y0, x1, y1]) {
	return [
		[x0, y0],
		[x1, y0],
		[x1, y1],
		[x0, y1],
	].map(([x, y]) => [(x * picture.width) / scale, (y * picture.height) / scale]);
}

/** The index of the quad under a point of the photo, or -1. */
export function under(point, quads) {
	return quads.findIndex((quad) => {
		const sides = quad.map(([x, y], at) => {
			const [nextX, nextY] = quad[(at + 1) % quad.length];
			return (nextX - x) * (point[1] - y) - (nextY - y) * (point[0] - x);
		});
		return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
	});
}
