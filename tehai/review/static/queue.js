// The queue: photos by difficulty, with reasons and filters.
import { button, byId, fill, h } from "./shared/dom.js";
import { t, tileName } from "./shared/text.js";
import * as api from "./api.js";
import { run } from "./actions.js";
import { offerMore } from "./more.js";
import { visit } from "./screens.js";
import { unsavedOf } from "./store.js";
import { count } from "./words.js";

const PAGE = 100;
const THUMBNAIL = 240; // pixels
const NO_FILTER = { state: "open", face: "", folder: "", kind: "" };
const KINDS = { state: "states", face: "faces", folder: "folders", kind: "kinds" };

/** `photos`: the listed ones, in order. A finished photo stays in the list as `done`. */
const list = { filter: { ...NO_FILTER }, photos: [], total: 0, counts: null };
let at = 0; // the focused photo

export async function load() {
	const { photos, total, counts } = await api.queue({ ...list.filter, offset: 0, limit: PAGE });
	Object.assign(list, { photos, total, counts });
}

async function more() {
	const { state } = list.filter;
	// finished photos may no longer be in the server's list
	const isIn = (one) => !one.done || state === "all" || state === one.state;
	const offset = list.photos.filter(isIn).length;
	const { photos } = await api.queue({ ...list.filter, offset, limit: PAGE });
	const known = new Set(list.photos.map((one) => one.key));
	list.photos.push(...photos.filter((one) => !known.has(one.key)));
}

/** The photo before or after one in the list. Forwards, finished ones are skipped. Null at an end. */
export async function neighbourOf(key, by) {
	if (!list.counts) await load();
	const index = list.photos.findIndex((one) => one.key === key);
	const isOpen = (one) => by < 0 || !one.done;
	const find = () =>
		by < 0 ? list.photos.slice(0, Math.max(index, 0)).findLast(isOpen) : list.photos.slice(index + 1).find(isOpen);
	let found = find();
	if (!found && by > 0 && list.photos.length < list.total) {
		await more();
		found = find();
	}
	return found?.key ?? null;
}

/** The position of a photo in the list, and their number. */
export function placeOf(key) {
	const index = list.photos.findIndex((one) => one.key === key);
	return index < 0 ? null : { n: index + 1, of: Math.max(list.total, list.photos.length) };
}

/** A photo was saved, or its saving undone. */
export function markDone(photo, done) {
	const entry = list.photos.find((one) => one.key === photo.key);
	if (entry) Object.assign(entry, { done, state: photo.state, revision: photo.revision, tiles: photo.tiles.length });
}

/** Opens the queue with another filter. */
export function openFiltered(filter) {
	list.filter = { ...NO_FILTER, ...filter };
	at = 0;
	return visit("queue");
}

export async function arrive() {
	await load();
	at = Math.min(at, Math.max(list.photos.length - 1, 0));
	render();
}

export function focus() {
	(rows()[at] ?? document.querySelector("#queue h1")).focus({ preventScroll: !at });
}

export { focus as shown };

const rows = () => [...byId("photos").querySelectorAll("a")];

function render() {
	const { photos, total } = list;
	byId("queue-count").textContent = total ? count("queue.count", total) : "";
	fill(
		byId("filters"),
		Object.keys(KINDS).map(filter),
		isFiltered() && button({ class: "quiet", key: "clear", onclick: () => setFilter(NO_FILTER) }, t("queue.clear")),
	);
	const waiting = unsavedOf();
	fill(
		byId("photos"),
		photos.length
			? photos.map((one) => row(one, waiting))
			: h("li", { class: "empty" }, t(isFiltered() ? "queue.none" : "queue.done")),
	);
	offerMore("queue-more", total - photos.length, PAGE, more, render);
}

const isFiltered = () => Object.entries(NO_FILTER).some(([name, value]) => list.filter[name] !== value);

function setFilter(changes) {
	Object.assign(list.filter, changes);
	at = 0;
	run(arrive);
}

const NAMES = {
	state: (value) => t(`state.${value}`),
	face: (value) => `${value}  ${tileName(value)}`,
	folder: (value) => (value === "." || value === "" ? t("folder.top") : value),
	kind: (value) => t(`why.${value}`),
};

function filter(name) {
	const first = name === "state" ? ["open", "all"] : [""];
	const chosen = first.includes(list.filter[name]) ? {} : { [list.filter[name]]: 0 }; // even if no photo matches it any more
	const counts = Object.entries({ ...chosen, ...list.counts[KINDS[name]] });
	const sorted = name === "face" ? counts : counts.sort(([one], [other]) => one.localeCompare(other));
	const option = (value, text) => h("option", { value, selected: list.filter[name] === value }, text);
	return h(
		"label",
		{ class: "filter" },
		h("span", {}, t(`filter.${name}`)),
		h(
			"select",
			{ key: `filter-${name}`, onchange: ({ target }) => setFilter({ [name]: target.value }) },
			first.map((value) => option(value, value ? t(`state.${value}`) : t("filter.any"))),
			sorted
				.filter(([value]) => value || name !== "folder")
				.map(([value, n]) => option(value, `${NAMES[name](value)} (${n})`)),
		),
	);
}

function row(photo, waiting) {
	const picture = h("img", {
		src: api.image(photo.key, THUMBNAIL),
		alt: "",
		loading: "lazy",
		decoding: "async",
		width: 112,
		height: 84,
	});
	return h(
		"li",
		{},
		h(
			"a",
			{
				href: `#/photo/${photo.key}`,
				class: "photo-row",
				key: photo.key,
				onfocus: () => (at = list.photos.indexOf(photo)),
			},
			picture,
			h(
				"span",
				{ class: "photo-words" },
				h("strong", {}, photo.path),
				h(
					"span",
					{ class: "facts" },
					h("span", { class: `state ${photo.state}` }, t(`state.${photo.state}`)),
					h("span", {}, count("tiles.count", photo.tiles)),
					waiting.has(photo.key) && h("span", { class: "state draft" }, t("queue.unsaved")),
				),
				reasons(photo.why),
			),
			h(
				"span",
				{ class: "hardness" },
				h("meter", { min: 0, max: 1, value: photo.hardness, "aria-hidden": "true" }),
				h("span", { class: "visually-hidden" }, t("queue.hardness", { n: Math.round(100 * photo.hardness) })),
			),
		),
	);
}

/** The reasons for a photo's place in the queue: name and the server's sentence. */
export function reasons(why) {
	return h(
		"span",
		{ class: "reasons" },
		why.map((one) =>
			h("span", { class: "why" }, h("b", {}, t(`why.${one.id}`)), " ", h("span", { lang: "en" }, one.text)),
		),
	);
}

function step(by) {
	at = Math.min(Math.max(at + by, 0), list.photos.length - 1);
	rows()[at]?.focus();
}

export const acts = {
	previous: () => step(-1),
	next: () => step(1),
	open: () => list.photos[at] && visit("photo", list.photos[at].key),
};
