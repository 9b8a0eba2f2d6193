// The page's words: JSON files a language, with the same keys in each.

export const LANGUAGES = { en: "English", ja: "日本語" };

let words = {};
let language = "en";

/** The language asked for, else the browser's if there is one, else English. */
export function wanted(chosen) {
	return chosen ?? navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in LANGUAGES) ?? "en";
}

const begun = new Set([""]);

/** Takes the words of a language from its files: those whose names begin so, now and in every language from now on. */
export async function speak(code, ...more) {
	for (const one of more) begun.add(one);
	const files = [...begun].map(async (name) => (await fetch(`lang/${name}${code}.json`)).json());
	words = Object.assign({}, ...(await Promise.all(files)));
	language = code;
	document.documentElement.lang = code;
	document.title = t("title");
	for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
	for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", t(element.dataset.label));
}

export const spoken = () => language;

/** What a key says: `check.title` stands in the group `check`, or by its whole name. */
function find(key) {
	const [, group, name] = key.match(/([^.]*)\.?(.*)/);
	const inside = Object.hasOwn(words[group] ?? {}, name) ? words[group][name] : null; // and none that every object has
	return inside ?? words[key];
}

/** The text of a key, `{name}` replaced by values. */
export function t(key, values = {}) {
	return (find(key) ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** The text of a key, or another where this language leaves it to the server. */
export const wording = (key, otherwise) => find(key) || otherwise;

/** Grouped by thousands, with a real minus. */
export const number = (value) => value.toLocaleString("en").replace("-", "−");

/** Points; a hand without yaku is worth none, nor is one with too few han. */
export const points = (value, few) => (value ? number(value) : t(few ? "points.few" : "points.none"));

/** `8,000`, or `8,000–12,000`. */
export const span = (low, high, few) => (low === high ? points(low, few) : `${points(low, few)}–${points(high)}`);

/** A tile in words: "red 5 circles". */
export function tileName(label) {
	if (!/^[0-9][mpsz]$/.test(label)) return t(label === "back" ? "tile.back" : "tile.unread");
	const rank = Number(label[0]);
	if (label[1] === "z") return t(`tile.${label}`);
	return t(rank ? "tile.suited" : "tile.red", { rank: t("ranks")[(rank || 5) - 1], suit: t(`${rank === 1 ? "suit_one" : "suit"}.${label[1]}`) });
}
