// Tablet mode: one device in the middle of the table. Each seat faces its player and has its own riichi and win
// buttons.
import * as games from "../games/games.js";
import { SIDES } from "../games/seats.js";
import { button, h, icon, styled } from "../shared/dom.js";
import { number, t } from "../shared/text.js";
import { app, go, show } from "../app/state.js";
import { choose } from "../app/store.js";

await styled("home/tablet.css");

const { current } = games;
const HELD = 450; // milliseconds of a long press
let compared = null; // the player whose points are held: the others show their difference

/** The table in tablet mode. `home` supplies the state and the actions. */
export function tabletTable({ asking, ask, declare, tapped, undo, middle, actions, signed }) {
	const { seats } = games.hand().table;
	const points = games.shownPoints();
	const panel = (wind, player) => {
		const name = current.stands.players[player];
		const isInRiichi = current.declared.includes(player);
		const moved =
			compared === null
				? current.fresh?.pays.players[player]
				: compared !== player && points[player] - points[compared];
		return h(
			"div",
			{
				class: `panel ${SIDES[seats.length][player]}`,
				role: "group",
				label: t("game.seat", { name, wind: t(`game.wind.${wind}`), points: number(points[player]) }),
				data: { dealer: wind === "E" ? "yes" : "" },
			},
			h(
				"div.turned-panel",
				h("div.who", h("span.wind", { "aria-hidden": "true" }, "東南西北"["ESWN".indexOf(wind)]), h("span.name", name)),
				button(
					{
						class: points[player] < 0 ? "have below" : "have",
						key: `compare-${player}`,
						label: t("game.compare", { name }),
						pressed: compared === player,
						onpointerdown: () => hold(player),
						onclick: ({ detail }) => detail === 0 && compare(compared === player ? null : player),
						oncontextmenu: (event) => event.preventDefault(),
					},
					number(points[player]),
				),
				h(
					"span.news",
					moved
						? h("span", { class: moved > 0 ? "moved up" : "moved" }, signed(moved))
						: isInRiichi && h("span.stick", { "aria-hidden": "true" }),
				),
				h("div.own", seatButtons(player, isInRiichi)),
			),
		);
	};
	const seatButtons = (player, isInRiichi) => {
		if (app.state.claim) return null;
		const seatButton = (key, text, look, act, more = {}) =>
			button({ class: look, key, onclick: act, ...more }, t(`game.${text}`));
		if (!asking)
			return [
				seatButton(`seat-${player}`, "self.riichi", "secondary", () => declare(player), { pressed: isInRiichi }),
				seatButton(`won-${player}`, "won", "primary", () => ask("from", [player])),
			];
		const hasWon = asking.winners.includes(player);
		if (asking.who === "winner")
			return seatButton(`seat-${player}`, "won", "primary", () => tapped(player), { disabled: hasWon });
		return hasWon
			? asking.winners.length === 1 && seatButton(`seat-${player}`, "tsumo", "primary", () => tapped(player))
			: seatButton(`seat-${player}`, "self.discarded", "secondary", () => tapped(player));
	};
	return h(
		"div.tablet.round-table",
		{ role: "group", label: t("game.table"), data: { players: seats.length, booked: current.game.events.length - 1 } },
		seats.map(panel),
		h(
			"div.centre",
			middle,
			actions,
			h(
				"div.others",
				button(
					{
						class: "tool",
						key: "undo",
						label: t("game.undo"),
						disabled: !current.game.undo.length && !games.pending().length,
						onclick: undo,
					},
					icon("undo"),
				),
				button({ class: "tool", key: "book", label: t("game.book"), onclick: () => go("book") }, icon("book")),
				button({ class: "tool", key: "leave-tablet", label: t("game.leave_tablet"), onclick: leave }, icon("close")),
			),
		),
	);
}

function compare(player) {
	compared = player;
	show();
}

/** While a player's points are held, the others show their difference to them. */
function hold(player) {
	const timer = setTimeout(() => compare(player), HELD);
	const end = () => {
		clearTimeout(timer);
		for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, end);
		if (compared === player) compare(null);
	};
	for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end);
}

function leave() {
	choose({ tablet: false });
	if (document.fullscreenElement) document.exitFullscreen();
	show();
}
