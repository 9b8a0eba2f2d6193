// Settings: the reviewer's name, language and theme.
import { reviewer } from "./actions.js";
import { follow } from "./screens.js";
import { byId, fill, h } from "./shared/dom.js";
import { LANGUAGES, speak, spoken, t } from "./shared/text.js";
import { choose, settings, THEMES } from "./store.js";

const night = matchMedia("(prefers-color-scheme: dark)");

export function useTheme() {
	const set = () => {
		document.documentElement.dataset.theme =
			settings.theme === "auto" ? (night.matches ? "dark" : "light") : settings.theme;
	};
	set();
	night.addEventListener("change", set);
	byId("name-form").addEventListener("submit", (event) => {
		event.preventDefault();
		const by = byId("name").value.trim();
		if (!by) return;
		choose({ by });
		byId("settings").close();
		redraw();
	});
}

function options(name, pairs, chosen, set) {
	return pairs.map(([value, text]) =>
		h(
			"label",
			{ class: "option" },
			h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => set(value) }),
			h("span", { lang: name === "language" ? value : null }, text),
		),
	);
}

/** Redraws everything, for example in another language. */
export function redraw() {
	byId("who").textContent = reviewer();
	byId("open-settings").setAttribute("aria-label", t("settings.open", { by: reviewer() }));
	return follow();
}

export function openSettings() {
	byId("name").value = reviewer();
	fill(
		byId("language"),
		options("language", Object.entries(LANGUAGES), spoken(), async (lang) => {
			choose({ lang });
			await speak(lang).catch(() => {}); // otherwise the language stays
			redraw();
		}),
	);
	fill(
		byId("theme"),
		options(
			"theme",
			THEMES.map((one) => [one, t(`theme.${one}`)]),
			settings.theme,
			(theme) => {
				choose({ theme });
				document.documentElement.dataset.theme = theme === "auto" ? (night.matches ? "dark" : "light") : theme;
			},
		),
	);
	byId("settings").showModal();
}
