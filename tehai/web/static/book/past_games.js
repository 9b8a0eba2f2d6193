// Past games: dates, players, results, and the standings over all finished games.
import { attempt } from "../app/actions.js";
import { load, picturesOf, save } from "./backup.js";
import { day } from "../app/days.js";
import * as games from "../games/games.js";
import { signed } from "../home/home.js";
import { button, byId, fill, h, icon } from "../shared/dom.js";
import { number, t } from "../shared/text.js";
import { cards, withYaku } from "./statistics.js";
import { games as kept, pictures } from "../app/store.js";

/** Fills `place` if it `isWanted` once the games are loaded. `again`: draws the list anew. `back`: returns to the current
 * game. */
export async function pastGames(place, again, back, isWanted) {
	const all = (await kept.all()).sort((one, other) => other.at.localeCompare(one.at));
	const figures = cards(await withYaku(all));
	if (!isWanted()) return;
	const finished = all.filter(({ stands }) => stands.over);
	const loading = ({
		target: {
			files: [file],
		},
	}) =>
		file &&
		attempt(async () => {
			const added = await load(file);
			await again();
			const news = byId("backup-news"); // the player may have left the list
			if (news) news.textContent = t(added.games || added.hands ? "backup.loaded" : "backup.same", added);
		}, "backup.busy");
	fill(
		place,
		h("h2", t("game.past")),
		all.length
			? h(
					"ul.past-games",
					all.map((game) => entry(game, back, again)),
				)
			: h("p.empty", t("book.none")),
		finished.length > 0 && [h("h2", t("book.standings")), standings(finished)],
		all.length > 0 && [h("h2", t("stats.title")), h("ul.statistics", figures)],
		h(
			"section.backup",
			{ label: t("backup.title") },
			h("h2", t("backup.title")),
			h("p.hint", t("backup.why")),
			h(
				"div.ways",
				button(
					{ class: "secondary", key: "save-all", onclick: () => save(games.current.game) },
					icon("save"),
					t("backup.save"),
				),
				h(
					"label.secondary.upload",
					h("input.visually-hidden", {
						type: "file",
						id: "load-file",
						accept: ".json,application/json",
						onchange: loading,
					}),
					icon("book"),
					h("span", t("backup.load")),
				),
			),
			h("p", { role: "status", id: "backup-news" }),
		),
		games.current.game && button({ class: "secondary", key: "back-to-book", onclick: back }, t("book.back")),
	);
}

function entry(game, back, again) {
	const { stands } = game;
	const result = stands.ranking
		.map(({ name, points, score }) => `${name}\u00a0${stands.over ? signed(score) : number(points)}`)
		.join(", ");
	const open = async () => {
		await games.open(game);
		back();
	};
	const when = day(game.at);
	const forget = async () => {
		if (!confirm(t("book.sure", { when }))) return;
		if (games.current.game?.id === game.id) games.close();
		await kept.remove(game.id);
		const others = new Set((await kept.all()).flatMap(picturesOf)); // a copy that continued differently has the same photos
		await Promise.all(
			picturesOf(game)
				.filter((id) => !others.has(id))
				.map((id) => pictures.remove(id)),
		);
		again();
	};
	return h(
		"li.card",
		button(
			{ class: "past", key: `game-${game.id}`, onclick: open },
			h("span.when", `${when} · ${stands.title}`),
			h("strong", stands.players.join(", ")),
			h("span.how", t(stands.over ? "book.ended" : "book.going_on", { name: stands.name })),
			h("span.how", result),
		),
		button({ class: "tool", label: t("book.forget", { when }), onclick: forget }, icon("delete")),
	);
}

/** The standings by player name. */
function standings(finished) {
	const rows = new Map();
	for (const { ranking } of finished.map(({ stands }) => stands)) {
		for (const { name, place, score } of ranking) {
			const row = rows.get(name) ?? { name, games: 0, places: 0, firsts: 0, score: 0 };
			rows.set(name, {
				name,
				games: row.games + 1,
				places: row.places + place,
				firsts: row.firsts + (place === 1),
				score: row.score + score,
			});
		}
	}
	const sorted = [...rows.values()].sort((one, other) => other.score - one.score);
	const head = ["player", "games", "firsts", "mean", "sum"].map((name) =>
		h("th", { scope: "col" }, t(`book.head.${name}`)),
	);
	const row = (one) =>
		h(
			"tr",
			h("th", { scope: "row" }, one.name),
			[one.games, one.firsts, (one.places / one.games).toFixed(2)].map((value) => h("td", String(value))),
			h("td", h("strong", signed(one.score))),
		);
	return h("table.ranking.standings", h("thead", h("tr", head)), h("tbody", sorted.map(row)));
}
