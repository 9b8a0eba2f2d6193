// Settings: rules, language, theme; and whether the page works offline.
import { reask } from "./actions.js";
import * as api from "./api.js";
import { current, reevaluate } from "../games/games.js";
import { byId, fill, h } from "../shared/dom.js";
import { choose, settings } from "./store.js";
import { LANGUAGES, speak, spoken, t, wanted } from "../shared/text.js";
import { app, change, show, won } from "./state.js";

const THEMES = ["auto", "light", "dark"];
const TERMS = ["english", "ema", "japanese"];

let ruleSets = []; // the server's last list of rule sets

const night = matchMedia("(prefers-color-scheme: dark)");
night.addEventListener("change", useTheme);

/** Applies the theme: as chosen, or the device's. */
export function useTheme() {
	document.documentElement.dataset.theme =
		settings.theme === "auto" ? (night.matches ? "dark" : "light") : settings.theme;
	const felt = getComputedStyle(document.documentElement).getPropertyValue("--felt");
	for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.content = felt; // the browser's bar follows the theme
}

export const presets = () => ruleSets;

/** The number of players: of the game, or by the chosen rules. */
export const players = () =>
	app.state.claim ? current.stands.players.length : (ruleSets.find((one) => one.id === won().rules)?.players ?? 4);

/** Fills the rule menus. Without the server they offer the last choice. */
export async function showRules() {
	try {
		ruleSets = await api.rules();
	} catch {
		ruleSets = ruleSets.length ? ruleSets : [{ id: settings.rules ?? "ema2008", title: settings.rules ?? "EMA 2008" }];
	}
	const chosen = ruleSets.some((one) => one.id === settings.rules)
		? settings.rules
		: (ruleSets.find((one) => one.default) ?? ruleSets[0]).id;
	settings.rules = chosen;
	for (const select of document.querySelectorAll(".rules-choice")) {
		fill(
			select,
			ruleSets.map((one) => h("option", { value: one.id, selected: one.id === chosen }, one.title)),
		);
		select.value = chosen;
		select.onchange = () => {
			const rules = select.value;
			if (app.state.rivers) change({ rivers: null }); // the number of players may change
			if (app.state.won && select.id === "rules-answer") change({ won: { ...app.state.won, rules } });
			else choose({ rules });
			refresh();
		};
	}
}

/** After a change of language or rules, requests again what is shown. */
async function refresh() {
	await speak(wanted(settings.lang)).catch(() => {}); // otherwise the language stays
	showRules();
	await reevaluate().catch(() => {});
	show();
	if (app.state.hand) reask();
}

export async function openSettings() {
	await fillDialog();
	byId("settings").showModal();
}

/** Fills the dialog in the current language. */
async function fillDialog() {
	fill(byId("language"), options("lang", Object.entries(LANGUAGES), spoken()));
	fill(
		byId("terms"),
		options(
			"terms",
			TERMS.map((one) => [one, t(`terms.${one}`)]),
			settings.terms ?? TERMS[0],
		),
	);
	byId("terms").parentElement.hidden = spoken() !== "en";
	fill(
		byId("theme"),
		options(
			"theme",
			THEMES.map((one) => [one, t(`theme.${one}`)]),
			settings.theme,
		),
	);
	const works = await offlineStatus();
	byId("offline").textContent = t(works);
	byId("trust").hidden = works !== "offline.untrusted" || location.protocol !== "https:";
}

function options(name, list, chosen) {
	const keep = async (value) => {
		choose({ [name]: value });
		useTheme();
		await refresh();
		fillDialog();
	};
	return list.map(([value, text]) =>
		h(
			"label.option",
			h("input", { type: "radio", name, value, key: value, checked: value === chosen, onchange: () => keep(value) }),
			h("span", text),
		),
	);
}

/** Whether the page works offline, and why not. */
async function offlineStatus() {
	if (!isSecureContext) return "offline.insecure";
	const worker = await navigator.serviceWorker?.getRegistration().catch(() => null);
	return worker?.active ? "offline.works" : "offline.untrusted";
}
