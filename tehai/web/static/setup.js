// A new game: who plays, by which rules, how long.
import { attempt } from "./acts.js";
import * as games from "./games.js";
import { close, dialog } from "./happen.js";
import { presets } from "./settings.js";
import { button, h } from "./shared/dom.js";
import { t } from "./shared/text.js";
import { choose, settings } from "./store.js";

const LONGEST = 24; // characters of a name

/** Asks for names, rules and length. `before`: who played the game before, who changes seats or not. */
export function newGame(before = settings.names) {
	const all = presets();
	let players = all.find((one) => one.id === settings.rules)?.players ?? 4;
	let rules = null;
	let rounds = null;
	let names = [0, 1, 2, 3].map((at) => before[at] ?? "");
	dialog(t("game.new"), (draw) => {
		const list = all.filter((one) => (one.players ?? 4) === players);
		rules = list.some((one) => one.id === rules) ? rules : (list.find((one) => one.id === settings.rules) ?? list[0]).id;
		const keep = (set) => ({ target }) => set(target.value);
		const many = (n) => button({ class: "chip", key: `players-${n}`, pressed: players === n, onclick: () => ((players = n), draw()) }, t(`game.players.${n}`));
		const select = (key, options, chosen, set) =>
			h("label.setup", h("span", t(`game.${key}`)), h("select", { key, id: `new-${key}`, onchange: keep(set) }, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));
		return [
			h("fieldset", h("legend", t("game.how_many")), h("div.chips", [4, 3].map(many))),
			h("fieldset", h("legend", t("game.names")), names.slice(0, players).map((name, at) =>
				h("label.setup", h("span", t(`game.wind.${"ESWN"[at]}`)), h("input", { key: `name-${at}`, id: `name-${at}`, value: name, maxlength: LONGEST, placeholder: t("game.player", { n: at + 1 }), autocomplete: "off", oninput: keep((text) => (names = names.with(at, text))) })),
			)),
			select("rules", list.map((one) => [one.id, one.title]), rules, (id) => (rules = id)),
			select("length", ["", "1", "2"].map((value) => [value, t(`game.rounds.${value || "usual"}`)]), rounds ?? "", (value) => (rounds = value)),
			button({ class: "primary big", key: "begin", onclick: () => begin({ rules: list.find((one) => one.id === rules).text ?? rules, rounds, names: names.slice(0, players) }) }, t("game.begin")),
		];
	});
}

function begin({ rules, rounds, names }) {
	const called = distinct(names.map((name, at) => name.trim() || t("game.player", { n: at + 1 })));
	choose({ names: names.map((name) => name.trim()) });
	return attempt(async () => {
		close();
		await games.begin({ event: "start", rules, players: called, ...(rounds ? { rounds: Number(rounds) } : {}) });
	}, "game.booking");
}

/** Two of the same name are told apart. */
const distinct = (names) => names.map((name, at) => (names.indexOf(name) < at ? `${name} ${at + 1}` : name));
