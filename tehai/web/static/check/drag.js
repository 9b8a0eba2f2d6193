// Drags a tile to another place or group.
import { correct } from "../app/actions.js";
import * as hands from "../app/hand.js";
import { app } from "../app/state.js";
import { byId } from "../shared/dom.js";
import { view } from "./selection.js";

const MOVED = 8; // pixels after which a press becomes a drag

export function press(event, from) {
	if (event.button) return;
	const lifted = event.currentTarget;
	const { hand } = app.state;
	const begin = { x: event.clientX, y: event.clientY };
	let dragging = false;
	const ended = new AbortController();
	const on = (name, act) => addEventListener(name, act, { signal: ended.signal });
	on("pointermove", (move) => {
		const [x, y] = [move.clientX - begin.x, move.clientY - begin.y];
		dragging ||= Math.hypot(x, y) > MOVED;
		if (!dragging) return;
		lifted.classList.add("dragged");
		lifted.style.transform = `translate(${x}px, ${y}px)`;
		mark(targetAt(move, lifted, from));
	});
	on("pointerup", (up) => {
		ended.abort();
		const to = dragging ? targetAt(up, lifted, from) : null;
		settle(lifted);
		if (!dragging) return;
		const swallowing = new AbortController(); // the click that follows a drag, if any
		addEventListener("click", (click) => click.stopPropagation(), { capture: true, signal: swallowing.signal });
		setTimeout(() => {
			swallowing.abort();
			if (to && app.state.hand === hand) correct(hands.move(hand, from, to));
		});
		view.picked = null;
	});
	on("pointercancel", () => {
		ended.abort();
		settle(lifted);
	});
}

function settle(lifted) {
	lifted.classList.remove("dragged");
	lifted.style.transform = "";
	mark(null);
}

function mark(to) {
	for (const one of byId("groups").querySelectorAll(".target")) one.classList.remove("target");
	if (to) byId("groups").querySelector(`[data-group="${to.group}"]`)?.classList.add("target");
}

/** The drop target: the group under the pointer, before the first tile whose middle is to the right. A redraw may have
 * replaced the `held` element: the tiles leave out the one at its place `from`. */
function targetAt({ clientX, clientY }, held, from) {
	const below = document
		.elementsFromPoint(clientX, clientY)
		.find((one) => one !== held && !held.contains(one) && one.closest("[data-group]"));
	const target = below?.closest("[data-group]");
	if (!target) return null;
	const tiles = [...target.querySelectorAll(".held")]
		.filter((one) => target.dataset.group !== from.group || one.dataset.at !== String(from.at))
		.map((one) => one.getBoundingClientRect());
	const before = tiles.findIndex((box) => clientY < box.bottom && clientX < box.left + box.width / 2);
	return { group: target.dataset.group, at: before < 0 ? tiles.length : before };
}
