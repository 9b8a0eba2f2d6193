// The photo on Check: tap a tile to select it, or draw a frame around the hand to read.
import { readRegion } from "../app/actions.js";
import * as hands from "../app/hand.js";
import { app } from "../app/state.js";
import { button, byId, fill, h } from "../shared/dom.js";
import { t } from "../shared/text.js";
import { applyOtherReading } from "./doubt_cards.js";
import { isUnclear, unsettled } from "./doubts.js";
import * as photos from "./photo_drawing.js";
import { pick, view } from "./selection.js";

const WIDE = 860; // pixels from which the photo stands beside the tiles and may be higher
const MOVED = 8; // pixels after which a touch becomes a frame

let part = null; // the shown part of the photo

export function start() {
	const canvas = byId("photo");
	canvas.addEventListener("click", onClick);
	canvas.addEventListener("pointerdown", beginFrame);
}

/** The photo with the selected tile, else with most of the hand. */
export const shot = () =>
	(view.picked && view.picked.group !== "other" ? hands.tileAt(app.state.hand, view.picked)?.shot : null) ??
	app.state.reading?.index ??
	0;
export const outside = () =>
	(app.state.reading?.tiles ?? []).filter((one) => one.role === "other" && (one.photo ?? 0) === shot());
const inShot = () =>
	hands
		.places(app.state.hand)
		.map((place) => ({ place, tile: hands.tileAt(app.state.hand, place) }))
		.filter(({ tile }) => tile.quad && tile.shot === shot());

export function picture() {
	const photo = app.photos[shot()];
	const isElsewhere = Boolean(app.state.claim?.elsewhere) && !app.shots.length;
	byId("photo-frame").hidden = !app.shots.length && !isElsewhere;
	byId("photo-frame").classList.toggle("whole-photo", showsWholePhoto());
	byId("no-picture").hidden = Boolean(photo) || (!app.shots.length && !isElsewhere);
	byId("no-picture").textContent = t(isElsewhere ? "check.photo_elsewhere" : "check.no_picture");
	byId("photo").hidden = !photo;
	renderFraming(photo);
	if (!photo) return;
	const tiles = inShot();
	const ink = getComputedStyle(byId("photo"));
	const colour = (name) => ink.getPropertyValue(`--role-${name}`).trim();
	// indicators lie apart: showing them makes the hand small
	const mainTiles = tiles.filter(({ place }) => !place.group.endsWith("ra") || hands.samePlace(place, view.picked));
	const others = unsettled()
		.flatMap(outsideQuads(photo))
		.map((quad) => ({ quad, colour: colour("doubt"), width: 5, dashed: true }));
	const evidence = app.state.answers
		.flatMap((one) => one.tiles ?? [])
		.map((at) => app.state.reading?.tiles[at])
		.filter((one) => one && (one.photo ?? 0) === shot());
	others.push(...evidence.map(({ quad }) => ({ quad, colour: colour("win"), width: 6 })));
	const all = app.state.reading?.tiles.filter((one) => (one.photo ?? 0) === shot()).map(({ quad }) => quad) ?? [];
	const faces = showsWholePhoto()
		? []
		: photos.beside(
				(mainTiles.length ? mainTiles : tiles).map(({ tile }) => tile),
				all,
			);
	const shown = [
		...(mainTiles.length ? mainTiles : tiles).map(({ tile }) => tile.quad),
		...faces.map(({ quad }) => quad),
		...others.map(({ quad }) => quad),
	];
	part = photos.part(photo, showsWholePhoto() ? [] : shown, innerWidth < WIDE ? 0 : 0.5);
	const lines = tiles.map(({ place, tile }) => ({
		quad: tile.quad,
		colour: colour(isUnclear(tile) ? "doubt" : place.group.split(":")[0]),
		width: hands.samePlace(place, view.picked) ? 8 : 3,
		dashed: isUnclear(tile),
	}));
	const isPicked = (at) => hands.samePlace(view.picked, { group: "other", at });
	const loose = showsWholePhoto()
		? outside().flatMap((one, at) =>
				isBack(one) && !isPicked(at) ? [] : { quad: one.quad, colour: colour("other"), width: isPicked(at) ? 8 : 1.5 },
			)
		: [];
	const frame =
		showsWholePhoto() && app.state.region
			? [{ quad: photos.corners(photo, app.state.region.split(",").map(Number)), colour: colour("win"), width: 3 }]
			: [];
	photos.draw(byId("photo"), photo, part, [...loose, ...frame, ...others, ...lines]);
	photos.drawFaces(byId("photo"), photo, faces, () => app.state.screen === "check" && picture());
}

/** Whether the whole photo is shown: on request, or if no hand was found. */
const showsWholePhoto = () => view.whole || !hands.places(app.state.hand).length;

/** The picture's point at a canvas position. */
function pointAt(x, y) {
	const { clientWidth: width, clientHeight: height } = byId("photo");
	const zoom = Math.min(width / part.width, height / part.height);
	return [part.x + part.width / 2 + (x - width / 2) / zoom, part.y + part.height / 2 + (y - height / 2) / zoom];
}

/** Taps on the photo select a tile of the hand, another hand, or any other tile. */
function onClick({ offsetX, offsetY }) {
	if (hasFramed) return (hasFramed = false); // ignore the click that follows a frame
	const photo = app.photos[shot()];
	const point = pointAt(offsetX, offsetY).map((one) => one / photo.scale);
	const tiles = inShot();
	const found = photos.under(
		point,
		tiles.map(({ tile }) => tile.quad),
	);
	if (found >= 0) return pick(tiles[found].place);
	const otherHand = unsettled().find(
		({ instead }) => instead?.region && photos.under(point, [photos.corners(photo, instead.region)]) === 0,
	);
	if (otherHand) return applyOtherReading(otherHand);
	const other = showsWholePhoto()
		? photos.under(
				point,
				outside().map((one) => one.quad),
			)
		: -1;
	pick(other >= 0 ? { group: "other", at: other } : null);
}

/** The quads outside the hand that a doubt is about. */
const outsideQuads =
	(photo) =>
	({ tiles, instead }) =>
		instead?.region
			? [photos.corners(photo, instead.region)]
			: tiles
					.map((at) => app.state.reading.tiles[at])
					.filter((one) => one.role === "other" && !isBack(one))
					.map((one) => one.quad);

/** Backs belong to the wall and are no misreading. */
const isBack = ({ label }) => label === "back";

// --- frame around the hand to read ---

let hasFramed = false; // whether the current touch has drawn a frame

/** The hint for the frame, and the button to remove it. */
function renderFraming(photo) {
	fill(
		byId("framing"),
		showsWholePhoto() && photo && h("span", t("check.frame")),
		app.state.region && button({ class: "quiet", key: "unframe", onclick: () => readRegion(null) }, t("check.unframe")),
	);
}

function beginFrame(event) {
	hasFramed = false;
	if (!showsWholePhoto() || event.button) return;
	const canvas = byId("photo");
	const from = [event.offsetX, event.offsetY];
	const box = byId("frame");
	const ended = new AbortController();
	const on = (name, act) => canvas.addEventListener(name, act, { signal: ended.signal });
	const corners = (to) => [0, 1].map((axis) => [from[axis], to[axis]].sort((one, other) => one - other));
	const end = () => {
		ended.abort();
		box.hidden = true;
	};
	canvas.setPointerCapture(event.pointerId);
	on("pointermove", (move) => {
		const [[left, right], [top, bottom]] = corners([move.offsetX, move.offsetY]);
		hasFramed ||= Math.hypot(right - left, bottom - top) > MOVED;
		box.hidden = !hasFramed;
		Object.assign(box.style, {
			left: `${canvas.offsetLeft + left}px`,
			top: `${canvas.offsetTop + top}px`,
			width: `${right - left}px`,
			height: `${bottom - top}px`,
		});
	});
	on("pointerup", (up) => {
		end();
		const [[left, right], [top, bottom]] = corners([up.offsetX, up.offsetY]);
		if (!hasFramed || Math.min(right - left, bottom - top) < MOVED) return;
		const { width, height } = app.photos[shot()].picture;
		const share = (x, y) => pointAt(x, y).map((value, axis) => Math.min(1, Math.max(0, value / [width, height][axis])));
		const region = [...share(left, top), ...share(right, bottom)].map((value) => Number(value.toFixed(4)));
		if (region[0] < region[2] && region[1] < region[3]) readRegion(region, shot());
	});
	on("pointercancel", end);
}
