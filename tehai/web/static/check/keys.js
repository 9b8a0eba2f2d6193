// Keyboard control of Check.
import { correct, undo } from "../app/actions.js";
import * as hands from "../app/hand.js";
import { app } from "../app/state.js";
import { announce, byId } from "../shared/dom.js";
import { t, tileName } from "../shared/text.js";
import { drop } from "./corrections.js";
import { pick } from "./selection.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** Arrows select the next tile, with Shift they move the tile. Delete removes it. Escape closes the sheet. */
export function keys(event) {
	if (event.target.matches?.("input")) return;
	if (event.key === "z" && (event.ctrlKey || event.metaKey)) {
		event.preventDefault();
		return undo();
	}
	if (event.key === "Escape") return pick(null);
	const on = event.target.closest?.(".held");
	if (!on) return;
	const { hand } = app.state;
	const place = { group: on.closest("[data-group]").dataset.group, at: Number(on.dataset.at) };
	const step = STEPS[event.key];
	if (event.key === "Delete" || event.key === "Backspace") return drop(place);
	if (!step) return;
	event.preventDefault();
	const all = hands.places(hand);
	const target = all[all.findIndex((one) => hands.samePlace(one, place)) + step];
	if (!target) return;
	const key = (one) => byId("groups").querySelector(`[data-key="${one.group}/${one.at}"]`);
	if (!event.shiftKey) return key(target)?.focus();
	if (target.group !== place.group) return;
	correct(hands.move(hand, place, target));
	key(target)?.focus();
	announce(t("check.moved", { tile: tileName(hands.tileAt(app.state.hand, target).label), n: target.at + 1 }));
}
