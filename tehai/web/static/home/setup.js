// A new game: players, rules, length.
import { attempt } from "../app/actions.js";
import * as games from "../games/games.js";
import { close, dialog } from "./events.js";
import { presets } from "../app/settings.js";
import { button, h } from "../shared/dom.js";
import { t } from "../shared/text.js";
import { choose, settings } from "../app/store.js";

const { current } = games;
const LONGEST = 24; // characters of a name

/** Asks for names, rules and length. `before`: names of the previous game. `start`: its start event, whose rules and
 * length are preselected. */
export function newGame(before = settings.names, start = {}) {
	const all = presets();
	const chosen =
		all.find((one) => one.id === start.rules || one.text === start.rules) ??
		all.find((one) => one.id === settings.rules);
	let players = chosen?.players ?? 4;
	let rules = chosen?.id ?? null;
	let rounds = start.rounds ? String(start.rounds) : null;
	let names = [0, 1, 2, 3].map((at) => before[at] ?? "");
	dialog(t("game.new"), (draw) => {
		const list = all.filter((one) => (one.players ?? 4) === players);
		rules = list.some((one) => one.id === rules)
			? rules
			: (list.find((one) => one.id === settings.rules) ?? list[0]).id;
		const keep =
			(set) =>
			({ target }) =>
				set(target.value);
		const countChip = (n) =>
			button(
				{ class: "chip", key: `players-${n}`, pressed: players === n, onclick: () => ((players = n), draw()) },
				t(`game.players.${n}`),
			);
		const select = (key, options, chosen, set) =>
			h(
				"label.setup",
				h("span", t(`game.${key}`)),
				h(
					"select",
					{ key, id: `new-${key}`, onchange: keep(set) },
					options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
				),
			);
		return [
			h("fieldset", h("legend", t("game.how_many")), h("div.chips", [4, 3].map(countChip))),
			h(
				"fieldset",
				h("legend", t("game.names")),
				names.slice(0, players).map((name, at) => nameOf(at, name, (text) => (names = names.with(at, text)))),
				button(
					{
						class: "quiet",
						key: "draw-seats",
						onclick: () => ((names = [...shuffled(names.slice(0, players)), ...names.slice(players)]), draw()),
					},
					t("game.draw_seats"),
				),
			),
			select(
				"rules",
				list.map((one) => [one.id, one.title]),
				rules,
				(id) => (rules = id),
			),
			h("p.hint", t("game.unsure")),
			select(
				"length",
				["", "1", "2"].map((value) => [value, t(`game.rounds.${value || "usual"}`)]),
				rounds ?? "",
				(value) => (rounds = value),
			),
			button(
				{
					class: "primary big",
					key: "begin",
					onclick: () =>
						begin({
							rules: list.find((one) => one.id === rules).text ?? rules,
							rounds,
							names: names.slice(0, players),
						}),
				},
				t("game.begin"),
			),
		];
	});
}

const nameOf = (at, name, set) =>
	h(
		"label.setup",
		h("span", t(`game.wind.${"ESWN"[at]}`)),
		h("input", {
			key: `name-${at}`,
			id: `name-${at}`,
			value: name,
			maxlength: LONGEST,
			placeholder: t("game.player", { n: at + 1 }),
			autocomplete: "off",
			oninput: ({ target }) => set(target.value),
		}),
	);

/** The names in random order. */
function shuffled(names) {
	const lots = crypto.getRandomValues(new Uint32Array(names.length));
	return names
		.map((name, at) => [lots[at], name])
		.sort(([one], [other]) => one - other)
		.map(([, name]) => name);
}

/** A new game with the same players and rules, seats drawn anew. */
export const again = () => newGame(shuffled(current.stands.players), current.game.events[0].event);

/** Corrects names and seats of the current game, from the first hand on. */
export function changeSeats() {
	const { event } = current.game.events[0];
	let names = [...current.stands.players];
	dialog(t("game.seats"), (draw) => {
		const up = (at) => {
			names = names.with(at, names[at - 1]).with(at - 1, names[at]);
			draw();
		};
		const upButton = (at) =>
			button(
				{
					class: "chip",
					key: `up-${at}`,
					label: t("game.seat_up", { name: names[at] }),
					disabled: at === 0,
					onclick: () => up(at),
				},
				"↑",
			);
		const send = () => {
			close();
			const players = playerNames(names);
			return attempt(async () => {
				await games.replaceStart({ ...event, players });
				await games.sendPending();
			}, "game.booking");
		};
		return [
			h("p.hint", t("game.seats_why")),
			h(
				"fieldset",
				h("legend", t("game.names")),
				names.map((name, at) =>
					h(
						"div.total",
						nameOf(at, name, (text) => (names = names.with(at, text))),
						upButton(at),
					),
				),
			),
			button({ class: "primary big", key: "book-it", onclick: send }, t("game.book_it")),
		];
	});
}

const playerNames = (names) => numbered(names.map((name, at) => name.trim() || t("game.player", { n: at + 1 })));

function begin({ rules, rounds, names }) {
	choose({ names: names.map((name) => name.trim()) });
	return attempt(async () => {
		close();
		await games.begin({
			event: "start",
			rules,
			players: playerNames(names),
			...(rounds ? { rounds: Number(rounds) } : {}),
		});
	}, "game.booking");
}

/** Numbers repeated names. */
const numbered = (names) => names.map((name, at) => (names.indexOf(name) < at ? `${name} ${at + 1}` : name));
