// Corrections of the selected tile. Each moves on to the next step.
import { correct } from "../app/actions.js";
import * as hands from "../app/hand.js";
import { app } from "../app/state.js";
import { announce } from "../shared/dom.js";
import { t, tileName } from "../shared/text.js";
import { faces } from "./doubts.js";
import { open, pick, view } from "./selection.js";
import { makeMeld } from "./sets.js";

export function replaceFace(label) {
	const place = view.picked;
	correct(hands.replace(app.state.hand, place, label));
	announce(t("check.now", { n: place.at + 1, tile: tileName(label) }));
	pick(faces()[0]?.place ?? null);
}

/** Adds a tile. The sheet stays open until the closed tiles are complete; the winning tile is a single one. */
export function addTile(name, label) {
	const { hand } = app.state;
	correct(name === "win" ? hands.wonOn(hand, label) : hands.add(hand, name, label));
	announce(t("check.added", { tile: tileName(label) }));
	const { n, of } = hands.count(app.state.hand);
	if (name === "win" || (name === "closed" && n >= of)) open(null, "alternatives");
}

export function formMeld(set) {
	correct(makeMeld(app.state.hand, set));
	pick({ group: `meld:${app.state.hand.melds.length - 1}`, at: 0 });
}

export function drop(place) {
	correct(hands.remove(app.state.hand, place));
	pick(null);
}

export function shift(step) {
	const to = { ...view.picked, at: view.picked.at + step };
	correct(hands.move(app.state.hand, view.picked, to));
	open(to, view.mode);
}
