// The sheet on Check: alternatives and actions for the selected tile, and the keypad to add tiles.
import { attempt, correct } from "../app/actions.js";
import * as api from "../app/api.js";
import * as hands from "../app/hand.js";
import { waits } from "../app/outcome.js";
import { app, show } from "../app/state.js";
import { button, byId, fill, h, icon } from "../shared/dom.js";
import { canBeRed, FACES, isRed } from "../shared/labels.js";
import { t, tileName } from "../shared/text.js";
import { crop, face, keypad, row } from "../shared/tiles.js";
import { chip, choice, choiceOf } from "./buttons.js";
import { addTile, replaceFace, drop, formMeld, shift } from "./corrections.js";
import { outside } from "./photo_view.js";
import { open, pick, view } from "./selection.js";
import { alternatives, melds } from "./sets.js";

const MELDS = ["chi", "pon", "minkan", "kakan", "ankan"];
const FROM = [3, 2, 1, null]; // left, across, right, unknown

let typed = ""; // the typed hand
let error = ""; // why it is not readable

/** Clears the typed hand. */
export function forget() {
	typed = error = "";
}

export function render() {
	const place = byId("sheet");
	place.hidden = !view.picked && !view.mode.add;
	document.body.classList.toggle("with-sheet", !place.hidden);
	if (view.mode.add)
		return fill(
			place,
			head(t("check.add", { group: t(`group.${view.mode.add}`) })),
			view.mode.add === "win" && waitChoices(),
			keypad((label) => addTile(view.mode.add, label)),
			view.mode.add === "closed" && !app.state.foreign && textForm(),
		);
	if (!view.picked) return fill(place);
	if (view.picked.group === "other") return fill(place, head(tileName(outside()[view.picked.at].label)), fromOutside());
	const one = hands.tileAt(app.state.hand, view.picked);
	const title = t(one.doubt ? "check.is_it" : "check.tile", { n: view.picked.at + 1, tile: tileName(one.label) });
	const bodies = { alternatives: alternativeChoices, all: () => keypad((label) => replaceFace(label)), melds: sets };
	fill(
		place,
		head(title),
		h("div.judged", crop(app.photos[one.shot], one.quad, 192, 256), bodies[view.mode](one)),
		actions(one),
	);
}

const head = (title) =>
	h(
		"div.sheet-head",
		h("h2", title),
		button({ class: "tool", key: "close", label: t("close"), onclick: () => pick(null) }, icon("close")),
	);

/** The tile as read, its alternatives, and a button for all others. */
function alternativeChoices(one) {
	return h(
		"div.choices",
		FACES.includes(one.label) &&
			choice(
				t("check.keep", { tile: tileName(one.label) }),
				"keep",
				() => replaceFace(one.label),
				[face(one.label), h("small", icon("check"))],
				"choice current",
			),
		alternatives(one).map((label) => choiceOf(label, `to-${label}`, replaceFace)),
		choice(t("keypad"), "all", () => open(view.picked, "all"), h("span", t("check.all")), "choice more"),
	);
}

/** The waits, for choosing the winning tile. */
const waitChoices = () =>
	h(
		"div.choices",
		waits(app.state).map((label) => choiceOf(label, `wait-${label}`, () => addTile("win", label))),
	);

/** A form to type all tiles on one line. */
function textForm() {
	const read = async (event) => {
		event.preventDefault();
		if (!typed.trim()) return;
		const wrong = await typedHand(typed);
		error = wrong ?? "";
		if (wrong !== "") return show();
		typed = "";
		open(null, "alternatives");
	};
	return h(
		"form.line",
		{ onsubmit: read },
		h(
			"label",
			h("span", t("check.text")),
			h("input", {
				key: "line",
				value: typed,
				placeholder: "234m067p3488s + 5s [777z]",
				autocomplete: "off",
				autocapitalize: "off",
				spellcheck: "false",
				maxlength: 120,
				oninput: ({ target }) => (typed = target.value),
			}),
		),
		h("button.secondary", { key: "line-read" }, t("answer.done")),
		error && h("p", { class: "wrong", role: "alert" }, error),
	);
}

function sets() {
	return h(
		"div.choices",
		melds(app.state.hand, view.picked.at).map(({ type, tiles }, nth) => {
			const labels = tiles.map((at) => app.state.hand.closed[at].label);
			return choice(
				`${t(`meld.${type}`)}: ${labels.map(tileName).join(", ")}`,
				`set-${nth}`,
				() => formMeld({ type, tiles }),
				[row(labels), h("small", t(`meld.${type}`))],
				"choice set",
			);
		}),
	);
}

function actions(one) {
	const { hand } = app.state;
	const { group: name, at } = view.picked;
	const meld = hands.meldOf(name);
	const go = (symbol, text, act, pressed = null) => chip([icon(symbol), t(text)], symbol, act, pressed);
	const to = (group, symbol) =>
		go(symbol, `group.${group}`, () => {
			correct(hands.move(hand, view.picked, { group, at: hands.tilesOf(hand, group).length }));
			pick(null);
		});
	return h(
		"div.chips",
		meld !== null && meldChips(meld),
		canBeRed(one.label) && go("red", "check.red", () => correct(hands.toggleRed(hand, view.picked)), isRed(one.label)),
		name !== "win" && meld === null && to("win", "win"),
		name !== "closed" && meld === null && to("closed", "hand"),
		name === "closed" &&
			melds(hand, at).length > 0 &&
			go(
				"meld",
				"check.meld",
				() => open(view.picked, view.mode === "melds" ? "alternatives" : "melds"),
				view.mode === "melds",
			),
		name === "closed" && to("dora", "dora"),
		name === "dora" && to("ura", "dora"),
		at > 0 && go("left", "check.left", () => shift(-1)),
		at < hands.tilesOf(hand, name).length - 1 && go("right", "check.right", () => shift(1)),
		go("delete", "check.delete", () => drop(view.picked)),
	);
}

function meldChips(at) {
	const { hand } = app.state;
	const meld = hand.melds[at];
	const four = meld.tiles.length === 4;
	const types = MELDS.filter((type) => (type.endsWith("kan") ? four : type === meld.type));
	return [
		types.length > 1 &&
			types.map((type) =>
				chip(t(`meld.${type}`), type, () => correct(hands.changeMeld(hand, at, { type })), type === meld.type),
			),
		meld.type !== "ankan" &&
			FROM.map((from) =>
				chip(
					t(`from.${from ?? 0}`),
					`from-${from}`,
					() => correct(hands.changeMeld(hand, at, { from })),
					from === meld.from,
				),
			),
		chip(t("meld.break"), "break", () => {
			correct(hands.breakMeld(hand, at));
			pick(null);
		}),
	];
}

/** Adds a tile that the photo shows outside the hand. */
function fromOutside() {
	const { label, quad, photo } = outside()[view.picked.at];
	const join = (group) => () => {
		correct(hands.add(app.state.hand, group, { ...hands.tile(label), quad, shot: photo ?? 0 }));
		pick(null);
	};
	const names = FACES.includes(label) ? ["closed", "win", "dora", "ura"] : [];
	return h(
		"div.chips",
		names.map((name) => chip([icon("plus"), t(`group.${name}`)], `join-${name}`, join(name))),
	);
}

/** Replaces the hand's tiles by the typed ones. Returns the error, "" without one, null without a
 * server or if another hand is open by now. */
async function typedHand(text) {
	let wrong = "";
	const { id } = app.state;
	await attempt(async () => {
		const record = await api.typed(text).catch((error) => {
			if (error.kind !== "refused") throw error;
			wrong = error.message;
		});
		if (!record || app.state.id !== id) return;
		const { dora, ura } = app.state.hand;
		correct({ ...hands.fromRecord(record), dora, ura });
	});
	return app.trouble || app.state.id !== id ? null : wrong;
}
