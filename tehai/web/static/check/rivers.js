// Enters the players' discards and riichi, for the advice. Tap a name, then tiles; a photo may have filled them in.
import { rescore } from "../app/actions.js";
import * as hands from "../app/hand.js";
import { noDiscards } from "../app/rivers.js";
import { players } from "../app/settings.js";
import { app, change } from "../app/state.js";
import { button, fill, h } from "../shared/dom.js";
import { join, plain } from "../shared/labels.js";
import { t, tileName } from "../shared/text.js";
import { face, plainKeypad } from "../shared/tiles.js";

const COPIES = 4;
const MOST = 24; // discards of a player
const OWN = "near";

let current = "left"; // the player whose discards are being typed
let gap = null; // {who, at, turned}: a removed tile, whose place the next one takes

const body = h("div");
const summary = h("summary");
let openedFor = null; // the photo for which the panel opened by itself

export function render(element) {
	const rivers = currentRivers();
	const isRead = Boolean(rivers.turned);
	const own = isRead ? [OWN] : [];
	const places = [...own, ...Object.keys(rivers.tiles)];
	if (!places.includes(current)) current = "left";
	if (!body.parentElement) element.append(summary, body);
	if (isRead && openedFor !== app.state.reading?.tiles) {
		openedFor = app.state.reading?.tiles;
		element.open = true;
	}
	summary.textContent = t("rivers.title");
	fill(
		body,
		h("p.hint", t(isRead ? "rivers.read" : "rivers.hint")),
		places.map((who) => river(who, tilesOf(rivers, who), rivers, () => render(element))),
		plainKeypad((label) => add(label)),
	);
}

function river(who, tiles, { riichi, turned = {} }, again) {
	const name = t(`rivers.${who}`);
	const declared = riichi.includes(who);
	return h(
		"div.river",
		{ role: "group", label: name },
		h(
			"div.chips",
			button(
				{
					class: "chip",
					key: `river-${who}`,
					pressed: who === current,
					onclick: () => ((current = who), (gap = null), again()),
				},
				name,
			),
			who !== OWN &&
				button(
					{
						class: "chip riichi",
						key: `river-riichi-${who}`,
						pressed: declared,
						label: t("rivers.riichi_of", { name }),
						onclick: () => declare(who),
					},
					t("rivers.riichi"),
				),
		),
		tiles.length > 0 &&
			h(
				"div.picked",
				tiles.map((label, at) => {
					const isTurned = turned[who] === at;
					const called = isTurned ? t("rivers.turned", { tile: tileName(label) }) : tileName(label);
					return button(
						{
							class: isTurned ? "key turned" : "key",
							key: `river-${who}-${at}`,
							label: t("answer.without", { tile: called }),
							onclick: () => take(who, at),
						},
						face(label),
					);
				}),
			),
	);
}

/** The known discards, unless the number of players has changed. */
function currentRivers() {
	const { rivers } = app.state;
	const open = noDiscards(players());
	return rivers && Object.keys(rivers.tiles).join() === Object.keys(open.tiles).join() ? rivers : open;
}

/** The winner's own discards are an answer about the hand. */
const ownAnswer = () => app.state.answers.find(({ field }) => field === "discards");
const tilesOf = (rivers, who) => (who === OWN ? (ownAnswer()?.labels ?? []) : rivers.tiles[who]);

const store = (rivers, changes = {}) => {
	change({ rivers, ...changes });
	rescore();
};

function put(who, tiles, turned) {
	const rivers = currentRivers();
	const at = rivers.turned && { turned: { ...rivers.turned, [who]: turned } };
	if (who !== OWN) return store({ ...rivers, ...at, tiles: { ...rivers.tiles, [who]: tiles } });
	const others = app.state.answers.filter(({ field }) => field !== "discards");
	const discards = join(tiles);
	return store(
		{ ...rivers, ...at },
		{
			answers: tiles.length
				? [...others, { field: "discards", id: discards, fields: { discards }, labels: tiles }]
				: others,
		},
	);
}

function take(who, at) {
	const turned = currentRivers().turned?.[who];
	current = who;
	gap = { who, at, turned: turned === at };
	put(
		who,
		tilesOf(currentRivers(), who).toSpliced(at, 1),
		turned === at ? undefined : turned > at ? turned - 1 : turned,
	);
}

/** Adds a discard, unless four copies are visible in the hand and all discards. */
function add(label) {
	const { hand } = app.state;
	const rivers = currentRivers();
	const visible = [
		...hands.places(hand).map((place) => hands.tileAt(hand, place).label),
		...Object.values(rivers.tiles).flat(),
		...tilesOf(rivers, OWN),
	];
	const tiles = tilesOf(rivers, current);
	if (visible.filter((one) => plain(one) === label).length >= COPIES || tiles.length >= MOST) return;
	const { at, turned } = gap?.who === current && gap.at <= tiles.length ? gap : { at: tiles.length };
	gap = null;
	const was = rivers.turned?.[current];
	put(current, tiles.toSpliced(at, 0, label), turned ? at : was >= at ? was + 1 : was);
}

function declare(who) {
	const rivers = currentRivers();
	store({
		...rivers,
		riichi: rivers.riichi.includes(who) ? rivers.riichi.filter((one) => one !== who) : [...rivers.riichi, who],
	});
}
