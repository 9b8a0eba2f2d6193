// The page's texts: JSON files for each language, with the same keys.

export const LANGUAGES = { en: "English", ja: "日本語" };

let words = {};
let language = "en";

/** The chosen language, else a supported one of the browser, else English. */
export function wanted(chosen) {
	return chosen ?? navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in LANGUAGES) ?? "en";
}

let latest = null; // the latest request
const prefixes = new Set([""]);

/** Loads the texts of a language. `more`: prefixes of further files, also for later calls. */
export async function speak(code, ...more) {
	for (const one of more) prefixes.add(one);
	const files = [...prefixes].map(async (name) => (await fetch(`lang/${name}${code}.json`)).json());
	const mine = (latest = {});
	const loaded = await Promise.all(files);
	if (mine !== latest) return; // another language was chosen meanwhile
	words = Object.assign({}, ...loaded);
	language = code;
	document.documentElement.lang = code;
	document.title = t("title");
	for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
	for (const element of document.querySelectorAll("[data-label]"))
		element.setAttribute("aria-label", t(element.dataset.label));
}

export const spoken = () => language;

/** The language as the browser's owner writes it, such as British English, for dates and times. */
export const locale = () => navigator.languages.find((one) => one.startsWith(language)) ?? language;

/** The text of a key: `check.title` is `title` in group `check`, or a whole key. */
function find(key) {
	const [, group, name] = key.match(/([^.]*)\.?(.*)/);
	const inside = Object.hasOwn(words[group] ?? {}, name) ? words[group][name] : null; // not an inherited property
	return inside ?? words[key];
}

/** The text of a key, with `{name}` replaced by values. */
export function t(key, values = {}) {
	return (find(key) ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** The text of a key, or `otherwise` without one. */
export const wording = (key, otherwise) => find(key) || otherwise;

/** A number with thousands separators and a true minus sign. */
export const number = (value) => value.toLocaleString("en").replace("-", "−");

/** Points, or why there are none: no yaku, or too few han. */
export const points = (value, few) => (value ? number(value) : t(few ? "points.few" : "points.none"));

/** `8,000`, or `8,000–12,000`. */
export const span = (low, high, few) => (low === high ? points(low, few) : `${points(low, few)}–${points(high)}`);

/** A tile in words: "red 5 circles". */
export function tileName(label) {
	if (!/^[0-9][mpsz]$/.test(label)) return t(label === "back" ? "tile.back" : "tile.unread");
	const rank = Number(label[0]);
	if (label[1] === "z") return t(`tile.${label}`);
	return t(rank ? "tile.suited" : "tile.red", {
		rank: t("ranks")[(rank || 5) - 1],
		suit: t(`${rank === 1 ? "suit_one" : "suit"}.${label[1]}`),
	});
}
