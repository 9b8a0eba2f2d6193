// The panel beside the photo: the selected tile with its likely faces, all tiles, and the revisions.
import { button, fill, h, icon } from "./shared/dom.js";
import { locale, t, tileName } from "./shared/text.js";
import { crop, face, keypad } from "./shared/tiles.js";
import { grown } from "./geometry.js";
import { count } from "./words.js";

const AROUND = 1.25; // shown surroundings of a tile, to check its outline

const percent = (value) =>
	value === null || value === undefined ? "" : value > 0.995 && value < 1 ? "> 99 %" : `${Math.round(100 * value)} %`;

/** The selected tile. `acts`: `label(label)`, `delete()`, `turn()`. */
export function chosenTile(place, { tile, at, picture, model }, acts) {
	if (!tile) return fill(place, h("p", { class: "hint" }, t("photo.no_tile")));
	fill(
		place,
		h("h2", {}, t("tile.place", { n: at + 1 }), " ", h("strong", {}, tileName(tile.label))),
		h(
			"div",
			{ class: "beside" },
			crop(picture && { picture, scale: 1 }, grown(tile.quad, AROUND), 129, 172) ?? h("span", { class: "crop" }),
			h(
				"div",
				{ class: "read-as" },
				face(tile.label),
				h("kbd", { class: "label" }, tile.label === "back" ? "b" : tile.label),
			),
		),
		h(
			"div",
			{ class: "likely", role: "group", label: t("tile.likely") },
			likely(tile).map(([label, probability]) =>
				button(
					{ class: "choice", key: `to-${label}`, pressed: label === tile.label, onclick: () => acts.label(label) },
					face(label),
					h("span", { class: "name" }, h("b", {}, label === "back" ? "b" : label), percent(probability)),
					h("meter", { min: 0, max: 1, value: probability, "aria-hidden": "true" }),
				),
			),
		),
		h(
			"ul",
			{ class: "notes" },
			notes(tile, model).map((note) => h("li", {}, note)),
		),
		h(
			"div",
			{ class: "tools" },
			button(
				{ class: "secondary small", key: "turn", "aria-keyshortcuts": "t", onclick: acts.turn },
				icon("turn"),
				t("photo.turn"),
				h("kbd", { "aria-hidden": "true" }, "t"),
			),
			button(
				{ class: "secondary small", key: "delete", "aria-keyshortcuts": "x", onclick: acts.delete },
				icon("delete"),
				t("photo.delete"),
				h("kbd", { "aria-hidden": "true" }, "x"),
			),
		),
		h(
			"details",
			{ class: "all-faces", open: place.querySelector(".all-faces")?.open ?? false },
			h("summary", { key: "all-faces" }, t("tile.all")),
			keypad(acts.label),
			h(
				"div",
				{ class: "tools" },
				["back", "?"].map((label) =>
					button({ class: "secondary small", key: `key-${label}`, onclick: () => acts.label(label) }, tileName(label)),
				),
			),
		),
	);
}

/** The likely labels. "none" (no tile there) is left out. */
const likely = (tile) => (tile.top3 ?? []).filter(([label]) => label !== "none");

function notes(tile, model) {
	return [
		tile.doubt && h("span", { class: "doubt" }, icon("look"), t("tile.doubt")),
		tile.source === "person" && t("tile.person"),
		tile.source === "rule" && t("tile.rule"),
		tile.source === "imported" && t("tile.imported"),
		model && model.label !== tile.label && t("tile.model", { name: tileName(model.label), label: model.label }),
		(tile.top3 ?? []).some(([label, probability]) => label === "none" && probability > 0.1) && t("tile.none"),
	].filter(Boolean);
}

let lastTile = null; // the tile that the list was scrolled to

/** All tiles in reading order. The selected one is in the tab order. */
export function tileList(place, tiles, order, at, pick) {
	const hadFocus = place.contains(document.activeElement);
	const kind = (tile) => (tile.doubt ? "doubt" : tile.source === "person" ? "person" : "sure");
	place.replaceChildren(
		...order.map((n) =>
			h(
				"div",
				{
					class: `entry ${kind(tiles[n])}`,
					role: "option",
					tabindex: n === at ? 0 : -1,
					"aria-selected": String(n === at),
					onclick: () => pick(n),
					label: [t("tile.spoken", { n: n + 1, name: tileName(tiles[n].label) }), t(`kind.${kind(tiles[n])}`)].join(
						", ",
					),
				},
				face(tiles[n].label),
			),
		),
	);
	const current = place.children[order.indexOf(at)];
	if (hadFocus) current?.focus({ preventScroll: true });
	// scroll only for another tile: on a phone the list is below the photo
	if (lastTile !== tiles[at]) current?.scrollIntoView({ block: "nearest" });
	lastTile = tiles[at];
}

export function historyOf(place, photo, look) {
	const when = (at) => (at ? new Date(at).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" }) : "");
	fill(
		place,
		[...photo.history].reverse().map((one) =>
			h(
				"li",
				{},
				button(
					{
						class: "quiet",
						key: `revision-${one.revision}`,
						disabled: one.revision === photo.revision,
						onclick: () => look(one.revision),
					},
					h("b", {}, `${one.revision}`),
					h("span", { class: `state ${one.state}` }, t(`state.${one.state}`)),
					h("span", {}, [one.by, count("tiles.count", one.tiles), when(one.at)].filter(Boolean).join(" · ")),
				),
			),
		),
	);
}
