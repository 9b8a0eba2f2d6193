// What the others have discarded and who declared riichi, beside the advice: a touch on a name, then tiles.
import { rescore } from "../app/actions.js";
import * as hands from "../app/hand.js";
import { none } from "../app/rivers.js";
import { players } from "../app/settings.js";
import { app, change } from "../app/state.js";
import { button, fill, h } from "../shared/dom.js";
import { plain } from "../shared/labels.js";
import { t, tileName } from "../shared/text.js";
import { face, plainKeypad } from "../shared/tiles.js";

const COPIES = 4;
const MOST = 24; // discards of a player

let now = "left"; // whose discards are typed

const body = h("div");
export const element = h("details.rivers", h("summary"), body);

export function render() {
	const rivers = known();
	const places = Object.keys(rivers.tiles);
	if (!places.includes(now)) now = "left";
	element.firstChild.textContent = t("rivers.title");
	fill(body,
		h("p.hint", t("rivers.hint")),
		places.map((who) => river(who, rivers.tiles[who], rivers.riichi.includes(who))),
		plainKeypad((label) => add(label)),
	);
}

function river(who, tiles, declared) {
	const name = t(`rivers.${who}`);
	return h("div.river", { role: "group", label: name },
		h("div.chips",
			button({ class: "chip", key: `river-${who}`, pressed: who === now, onclick: () => ((now = who), render()) }, name),
			button({ class: "chip riichi", key: `river-riichi-${who}`, pressed: declared, label: t("rivers.riichi_of", { name }), onclick: () => declare(who) }, t("rivers.riichi")),
		),
		tiles.length > 0 && h("div.picked", tiles.map((label, at) => button({ class: "key", key: `river-${who}-${at}`, label: t("answer.without", { tile: tileName(label) }), onclick: () => put(who, tiles.toSpliced(at, 1)) }, face(label)))),
	);
}

/** What was told, unless as many play by other rules now. */
function known() {
	const { rivers } = app.state;
	const open = none(players());
	return rivers && Object.keys(rivers.tiles).join() === Object.keys(open.tiles).join() ? rivers : open;
}

const tell = (rivers) => {
	change({ rivers });
	rescore();
};

const put = (who, tiles) => tell({ ...known(), tiles: { ...known().tiles, [who]: tiles } });

/** No fifth tile of a kind: those in the hand and in all rivers count. */
function add(label) {
	const { hand } = app.state;
	const rivers = known();
	const lie = [...hands.places(hand).map((place) => hands.tileAt(hand, place).label), ...Object.values(rivers.tiles).flat()];
	if (lie.filter((one) => plain(one) === label).length < COPIES && rivers.tiles[now].length < MOST) put(now, [...rivers.tiles[now], label]);
}

function declare(who) {
	const rivers = known();
	tell({ ...rivers, riichi: rivers.riichi.includes(who) ? rivers.riichi.filter((one) => one !== who) : [...rivers.riichi, who] });
}
