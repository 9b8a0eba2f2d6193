// Cards for the doubts about a read hand, each with the other reading to choose.
import { correct, clearDoubts, readRegion } from "../app/actions.js";
import * as hands from "../app/hand.js";
import { app, go } from "../app/state.js";
import { byId, h, icon } from "../shared/dom.js";
import { t, tileName } from "../shared/text.js";
import { crop, face } from "../shared/tiles.js";
import * as answer from "./answer.js";
import { choice, worded } from "./buttons.js";
import { doubtsOfReading, faces, rank } from "./doubts.js";
import { open } from "./selection.js";

/** The doubts of the reading, the most serious first. */
export const all = () => [...faces().map(withCrop), ...doubtsOfReading()].sort((one, other) => rank(one) - rank(other));

/** Scrolls to the first card. */
export function scrollToDoubts() {
	go("check");
	if (!byId("doubts").childElementCount) return answer.scrollToQuestions();
	byId("doubts").scrollIntoView({ block: "center" });
	byId("doubts").querySelector("button")?.focus({ preventScroll: true });
}

/** A tile in doubt with its crop. */
function withCrop(doubt) {
	const { shot, quad } = hands.tileAt(app.state.hand, doubt.place);
	return { ...doubt, picture: crop(app.photos[shot], quad) };
}

/** A card: the doubt, a button to keep the reading, and one to choose the other. */
export function card(doubt, nth) {
	const { kind, place, label, tiles = [], instead, ways } = doubt;
	const { hand, reading } = app.state;
	if (ways) return winningTileCard(ways);
	const named = tiles.map((at) => tileName(reading.tiles[at].label));
	const won = kind === "win" ? instead?.hand?.win_tile : null;
	const other = won ?? instead?.label;
	const form = (place || kind === "win") && !other ? `${kind}_alone` : kind;
	const mine = label ?? (won && hand.win?.label);
	const text = t(`doubt.${form}`, {
		tile: mine ? tileName(mine) : named[0],
		instead: other && tileName(other),
		tiles: named.join(", "),
	});
	return h(
		"li.pill.doubt",
		doubt.picture,
		h("span", text),
		h(
			"div.choices",
			worded(
				mine ? t("check.keep", { tile: tileName(mine) }) : t(kind === "hand" ? "doubt_card.this" : "doubt_card.keep"),
				"check",
				() => (place ? correct(hands.confirm(hand, place)) : clearDoubts(doubt)),
			),
			instead &&
				worded(
					other
						? t("doubt_card.no", { tile: tileName(other) })
						: t(kind === "hand" ? "doubt_card.that" : "doubt_card.other"),
					`other-${nth}`,
					() => applyOtherReading(doubt),
					other ? face(other) : answer.handLine(hands.fromRecord(instead.hand)),
				),
			!instead && place && worded(t("doubt_card.another"), `other-${nth}`, () => open(place, "all")),
		),
	);
}

/** One card for several possible winning tiles. */
function winningTileCard(ways) {
	const { hand } = app.state;
	const others = ways
		.map((doubt) => [doubt.instead.hand.win_tile, doubt])
		.filter(([label], at, all) => all.findIndex(([one]) => one === label) === at);
	return h(
		"li.pill.doubt",
		h("span", t("ask.win_tile")),
		h(
			"div.choices",
			hand.win &&
				choice(
					t("check.keep", { tile: tileName(hand.win.label) }),
					"won",
					settled,
					[face(hand.win.label), h("small", icon("check"))],
					"choice current",
				),
			others.map(([label, doubt], nth) =>
				choice(tileName(label), `other-${nth}`, () => applyOtherReading(doubt), face(label)),
			),
		),
		!hand.win && worded(t("doubt_card.keep"), "check", settled),
	);
}

/** Clears all doubts about the winning tile. */
const settled = () => clearDoubts(...(app.state.reading?.doubts ?? []).filter(({ kind }) => kind === "win"));

/** Applies the other reading of a doubt. */
export function applyOtherReading(doubt) {
	const { hand, reading } = app.state;
	const { place, instead } = doubt;
	if (instead.region) return readRegion(instead.region);
	if (place) return correct(hands.replace(hand, place, instead.label));
	if (doubt.kind === "win") settled();
	else clearDoubts(doubt.of ?? doubt);
	correct(hands.withOtherReading(hand, doubt, reading.tiles));
}
