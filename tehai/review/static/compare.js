// Two versions of a photo side by side, to resolve a conflict or to view an older revision.
import { button, byId, fill, h } from "./shared/dom.js";
import { locale, t, tileName } from "./shared/text.js";
import { crop, face } from "./shared/tiles.js";
import * as api from "./api.js";
import { differences, sameTile, resolved, pairs } from "./geometry.js";
import { hideNotice } from "./notice.js";
import { overview } from "./overview.js";
import { count } from "./words.js";

let dialog = null; // {rows, resolve, render}

export const isOpen = () => byId("compare").open;

export function start() {
	byId("compare-close").addEventListener("click", () => close(null));
	byId("compare").addEventListener("cancel", (event) => {
		event.preventDefault();
		close(null);
	});
}

function close(answer) {
	byId("compare").close();
	dialog.resolve(answer);
	dialog = null;
}

const all = (side) => dialog.rows && (dialog.rows.forEach((row) => (row.choice = side)), dialog.render(), focusSave());
const focusSave = () => byId("compare-ways").querySelector("button")?.focus();

export const acts = { mine: () => all("mine"), theirs: () => all("theirs"), later: () => close(null) };

function show(title, what, sides, rows, render) {
	byId("compare-title").textContent = title;
	byId("compare-what").textContent = what;
	hideNotice();
	fill(byId("compare-sides"), sides);
	byId("compare-sides").hidden = !sides.length;
	return new Promise((resolve) => {
		dialog = { rows, resolve, render };
		render();
		byId("compare").showModal();
		const undecided = byId("compare-rows").querySelector(".undecided input");
		if (undecided) undecided.focus();
		else focusSave();
	});
}

/** Null if it cannot be shown. The labels can still be compared. */
const loadPicture = (key) => api.picture(key).catch(() => null);

const authorOf = (photo) => {
	const last = photo.history.at(-1);
	const at = last?.at ? new Date(last.at).toLocaleTimeString(locale(), { timeStyle: "short" }) : "";
	return t("compare.who", { by: last?.by || t("compare.nobody"), at, state: t(`state.${photo.state}`) });
};

/** Compares `mine`, made from `base`, with `latest`. Resolves to `{tiles, state}`, or null to decide later.
 * `state`: the state to save as, null if not saving. */
export async function compare({ base, mine, latest, state }) {
	const rows = differences(base.tiles, mine, latest.tiles);
	if (state && (state === "rejected") !== (latest.state === "rejected")) {
		rows.unshift({
			states: { mine: state, theirs: latest.state === "rejected" ? "rejected" : "accepted" },
			choice: null,
		});
	}
	const [about, tileRows] = [rows.find((row) => row.states), rows.filter((row) => !row.states)];
	const outcome = () => ({ tiles: resolved(mine, tileRows), state: about ? about.states[about.choice] : state });
	if (!rows.length) return outcome();
	const picture = await loadPicture(latest.key);
	const side = (name, tiles, words) =>
		overview(
			latest,
			tiles,
			tileRows.map((row) => row[name]),
			tileRows.flatMap((row) => [row.mine, row.theirs]),
			t(`compare.${name}`),
			words,
		);
	const render = () => {
		fill(
			byId("compare-rows"),
			rows.map((row, n) => choice(row, n, about ? n : n + 1, () => picture, render)),
		);
		fill(
			byId("compare-ways"),
			button(
				{ class: "primary", key: "save", disabled: rows.some((row) => !row.choice), onclick: () => close(outcome()) },
				t(state ? "compare.save" : "compare.go_on"),
			),
			button(
				{ class: "secondary", key: "mine", "aria-keyshortcuts": "1", onclick: acts.mine },
				t("compare.all_mine"),
				h("kbd", { "aria-hidden": "true" }, "1"),
			),
			button(
				{ class: "secondary", key: "theirs", "aria-keyshortcuts": "2", onclick: acts.theirs },
				t("compare.all_theirs"),
				h("kbd", { "aria-hidden": "true" }, "2"),
			),
			button({ class: "quiet", key: "later", onclick: acts.later }, t("compare.later")),
		);
	};
	return show(
		t("compare.title"),
		count("compare.what", rows.length, { path: latest.path }),
		[side("mine", mine, t("compare.you")), side("theirs", latest.tiles, authorOf(latest))],
		rows,
		render,
	);
}

/** Compares labels given on the faces screen with another person's: rows `{key, path, mine, theirs, choice}`.
 * Resolves to the rows with choices, or null to decide later. */
export async function compareFaces(rows) {
	const pictures = new Map(
		await Promise.all([...new Set(rows.map((row) => row.key))].map(async (key) => [key, await loadPicture(key)])),
	);
	const render = () => {
		fill(
			byId("compare-rows"),
			rows.map((row, n) => choice(row, n, n + 1, () => pictures.get(row.key), render)),
		);
		fill(
			byId("compare-ways"),
			button(
				{ class: "primary", key: "save", disabled: rows.some((row) => !row.choice), onclick: () => close(rows) },
				t("compare.save"),
			),
			button(
				{ class: "secondary", key: "mine", onclick: acts.mine },
				t("compare.all_mine"),
				h("kbd", { "aria-hidden": "true" }, "1"),
			),
			button(
				{ class: "secondary", key: "theirs", onclick: acts.theirs },
				t("compare.all_theirs"),
				h("kbd", { "aria-hidden": "true" }, "2"),
			),
			button({ class: "quiet", key: "later", onclick: acts.later }, t("compare.later")),
		);
	};
	return show(t("compare.title"), count("compare.faces", rows.length), [], rows, render);
}

/** Compares an older revision with the current one. Resolves to whether to restore it. */
export async function compareRevision({ photo, older }) {
	const changed = pairs(older.tiles, photo.tiles)
		.filter(([one, other]) => !sameTile(one, other))
		.map(([mine, theirs]) => ({ mine, theirs }));
	const picture = await loadPicture(photo.key);
	const tiles = changed.flatMap((row) => [row.mine, row.theirs]);
	const side = (name, title, version) =>
		overview(
			photo,
			version.tiles,
			changed.map((row) => row[name]),
			tiles,
			title,
			authorOf({ ...version, history: version.history.filter((one) => one.revision === version.revision) }),
		);
	const render = () => {
		fill(
			byId("compare-rows"),
			changed.length
				? changed.map((row, n) =>
						h(
							"div",
							{ class: "difference seen" },
							h("b", { class: "nth" }, String(n + 1)),
							shownTile(row.mine, picture),
							h("span", { "aria-hidden": "true" }, "→"),
							shownTile(row.theirs, picture),
						),
					)
				: h("p", {}, t("compare.same")),
		);
		fill(
			byId("compare-ways"),
			button(
				{ class: "secondary", key: "back", disabled: !changed.length, onclick: () => close(true) },
				t("history.put_back_this"),
			),
			button({ class: "quiet", key: "later", onclick: () => close(false) }, t("close")),
		);
	};
	return show(
		t("history.look", { n: older.revision }),
		count("compare.differ", changed.length),
		[
			side("mine", t("history.older", { n: older.revision }), older),
			side("theirs", t("history.now", { n: photo.revision }), photo),
		],
		null,
		render,
	);
}

function choice(row, at, nth, picture, render) {
	const option = (side) =>
		h(
			"label",
			{ class: "option" },
			h("input", {
				type: "radio",
				name: `choice-${at}`,
				key: `choice-${at}-${side}`,
				checked: row.choice === side,
				onchange: () => {
					row.choice = side;
					render();
				},
			}),
			h("span", { class: "side" }, t(`compare.${side}`)),
			row.states ? h("b", {}, t(`state.${row.states[side]}`)) : shownTile(row[side], picture()),
		);
	const name = row.states ? t("compare.state") : [nth, row.path].filter(Boolean).join(" · ");
	return h(
		"fieldset",
		{ class: `difference${row.choice ? "" : " undecided"}` },
		h(
			"legend",
			{},
			h("b", { class: row.states ? null : "nth" }, name),
			!row.choice && h("span", { class: "hint" }, t("compare.choose")),
		),
		option("mine"),
		option("theirs"),
	);
}

function shownTile(tile, picture) {
	if (!tile) return h("span", { class: "shown-tile none" }, t("compare.none"));
	return h(
		"span",
		{ class: "shown-tile" },
		crop(picture && { picture, scale: 1 }, tile.quad, 48, 64),
		face(tile.label),
		h("span", {}, tileName(tile.label)),
	);
}
