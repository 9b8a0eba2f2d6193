// Statistics of each player over all games stored on this device.
import * as api from "../app/api.js";
import { h } from "../shared/dom.js";
import { number, spoken, t } from "../shared/text.js";
import { games as kept } from "../app/store.js";

const PLAYED = ["win", "draw", "abort"]; // events that count as a hand
const MOST_YAKU = 6;

const isUpToDate = ({ stands }) => stands.lang === spoken() && stands.may.fu; // a game saved by an older page lacks yaku

/** The games with their yaku in the current language. Without the server, as last stored. */
export async function withYaku(list) {
	return Promise.all(
		list.map(async (game) => {
			if (isUpToDate(game)) return game;
			const stands = await api
				.game(
					game.events.map(({ event }) => event),
					spoken(),
				)
				.catch(() => null);
			return stands && (await kept.get(game.id)) // not deleted meanwhile
				? kept.update(game, (stored) =>
						stored.n === game.n ? { ...stored, stands: { ...stands, lang: spoken() } } : stored,
					)
				: game;
		}),
	);
}

const emptyRow = (name) => ({
	name,
	games: 0,
	hands: 0,
	wins: 0,
	dealIns: 0,
	riichi: 0,
	points: 0,
	places: [],
	shown: 0,
	dora: 0,
	yaku: new Map(),
});

/** One row a player, the most games first. */
export function statistics(list) {
	const rows = new Map();
	for (const { stands } of list) {
		const players = stands.players.map((name) => rows.get(name) ?? rows.set(name, emptyRow(name)).get(name));
		for (const one of players) one.games++;
		for (const turn of stands.hands.filter(({ event }) => PLAYED.includes(event))) count(turn, players);
		if (stands.over) for (const { player, place } of stands.ranking) players[player].places.push(place);
	}
	return [...rows.values()].sort((one, other) => other.games - one.games || other.wins - one.wins);
}

function count({ winners = [], discarder, declared = [] }, players) {
	for (const one of players) one.hands++;
	for (const player of declared) players[player].riichi++;
	if (winners.length && discarder !== undefined) players[discarder].dealIns++;
	for (const { player, points, yaku, dora } of winners) {
		const row = players[player];
		row.wins++;
		row.points += points;
		if (!yaku) continue; // a value declared without tiles
		row.shown++;
		row.dora += dora;
		for (const { id, name } of yaku) row.yaku.set(id, { name, n: (row.yaku.get(id)?.n ?? 0) + 1 });
	}
}

const share = (n, of) => (of ? t("stats.share", { percent: Math.round((100 * n) / of), n }) : "–");
const mean = (sum, n, digits = 0) => (n ? number(Number((sum / n).toFixed(digits))) : "–");

/** One card a player. */
export function cards(list) {
	return statistics(list).map((one) => {
		const places = [1, 2, 3, 4].map((place) => one.places.filter((other) => other === place).length);
		const yaku = [...one.yaku.values()].sort((some, other) => other.n - some.n).slice(0, MOST_YAKU);
		const figures = {
			wins: share(one.wins, one.hands),
			deal_ins: share(one.dealIns, one.hands),
			riichi: share(one.riichi, one.hands),
			average: mean(one.points, one.wins),
			places: one.places.length
				? `${places.join("–")} (${mean(
						one.places.reduce((all, place) => all + place, 0),
						one.places.length,
						2,
					)})`
				: "–",
			dora: mean(one.dora, one.shown, 1),
			yaku: yaku.map(({ name, n }) => `${name} ${n}`).join(", ") || "–",
		};
		return h(
			"li.card",
			h("h3", one.name),
			h("p.hint", t("stats.of", { games: one.games, hands: one.hands })),
			h(
				"dl.figures",
				Object.entries(figures).map(([name, value]) => [h("dt", t(`stats.${name}`)), h("dd", value)]),
			),
		);
	});
}
