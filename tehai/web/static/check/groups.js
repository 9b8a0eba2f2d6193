// The tiles of the hand by group, each with its crop of the photo.
import * as hands from "../app/hand.js";
import { app } from "../app/state.js";
import { button, h, icon } from "../shared/dom.js";
import { t, tileName } from "../shared/text.js";
import { crop, face } from "../shared/tiles.js";
import { isUnclear } from "./doubts.js";
import { press } from "./drag.js";
import { open, pick, view } from "./selection.js";

export const shown = (name) => name !== "ura" || Boolean(app.state.hand.ura);

const kind = (name) => name.split(":")[0];

export function group(name) {
	const { hand } = app.state;
	const tiles = hands.tilesOf(hand, name);
	const meld = hand.melds[hands.meldOf(name)];
	const title = meld ? t(`meld.${meld.type}`) : t(`group.${name}`);
	const can = !meld && (name !== "win" || !tiles.length);
	return h(
		"div",
		{ class: `group ${kind(name)}`, role: "group", label: title, data: { group: name } },
		h("h2", title, meld?.from && h("small", ` ${t(`from.${meld.from}`)}`)),
		h(
			"div.tiles",
			tiles.map((one, at) => held(one, { group: name, at })),
			can &&
				button(
					{
						class: "add",
						key: `add-${name}`,
						label: t("check.add", { group: title }),
						"aria-expanded": String(view.mode.add === name),
						onclick: () => open(null, { add: name }),
					},
					icon("plus"),
				),
		),
	);
}

function held(one, place) {
	const chosen = hands.samePlace(place, view.picked);
	return button(
		{
			class: isUnclear(one) ? "held doubt" : "held",
			key: `${place.group}/${place.at}`,
			data: { at: String(place.at) },
			pressed: chosen,
			label: t(isUnclear(one) ? "check.tile_doubt" : "check.tile", { n: place.at + 1, tile: tileName(one.label) }),
			onpointerdown: (event) => press(event, place),
			onclick: () => pick(chosen ? null : place),
		},
		face(one.label),
		crop(app.photos[one.shot], one.quad),
		isUnclear(one) && h("span.mark", { "aria-hidden": "true" }, "?"),
	);
}
