// The big screen: a read-only view of a shared game.
import { byId, fill, h } from "../shared/dom.js";
import { locale, number, speak, spoken, t, wanted } from "../shared/text.js";

const NAME = "tehai-table";
const NEWEST = "newest";
const LAST_HANDS = 8;
const RETRY = 3000; // milliseconds until a server that refused is asked again

const settings = { lang: null, theme: null, ...storedSettings() };
let source = null;
let shownView = null; // the view on screen
let arrivedAt = null; // the time it arrived

function storedSettings() {
	try {
		const { lang, theme } = JSON.parse(localStorage.getItem(NAME)) ?? {};
		return { lang: ["en", "ja"].includes(lang) ? lang : null, theme: ["light", "dark"].includes(theme) ? theme : null };
	} catch {
		return {};
	}
}

function choose(changes) {
	Object.assign(settings, changes);
	try {
		localStorage.setItem(NAME, JSON.stringify(settings));
	} catch {
		// kept in memory until the page closes
	}
}

const time = (date) => date.toLocaleTimeString(locale(), { hour: "numeric", minute: "2-digit" });
const chosenGame = () => new URLSearchParams(location.hash.slice(1)).get("game") ?? NEWEST;

function follow() {
	source?.close();
	source = new EventSource(`../api/games/${encodeURIComponent(chosenGame())}/follow?lang=${spoken()}`);
	const current = source;
	source.addEventListener("game", ({ data }) => {
		const view = JSON.parse(data);
		if (view.number !== shownView?.number || view.id !== shownView?.id) list();
		shownView = view;
		arrivedAt = new Date();
		showTrouble(null);
		render();
	});
	source.addEventListener("error", async () => {
		if (current !== source) return;
		showTrouble("offline");
		if (source.readyState !== EventSource.CLOSED) return; // the browser reconnects
		const answer = await fetch("../api/games").catch(() => null);
		if (answer?.status === 401) showTrouble("access");
		if (answer?.ok && chosenGame() !== NEWEST) location.hash = ""; // that game no longer exists
		setTimeout(() => current === source && follow(), RETRY);
	});
}

function showTrouble(kind) {
	const place = byId("trouble");
	place.hidden = !kind;
	place.textContent = kind ? t(`trouble.${kind}`, { time: arrivedAt ? time(arrivedAt) : "–" }) : "";
}

/** Lists the games to choose from. */
async function list() {
	const games = await fetch("../api/games")
		.then((answer) => (answer.ok ? answer.json() : []))
		.catch(() => []); // also if the answer breaks off
	const about = ({ made, players }) =>
		t("game", {
			time: new Date(1000 * made).toLocaleString(locale(), { dateStyle: "short", timeStyle: "short" }),
			players: players.join(", "),
		});
	fill(
		byId("which"),
		h("option", { value: NEWEST }, t("newest")),
		games.map((game) => h("option", { value: game.id }, about(game))),
	);
	byId("which").value = chosenGame();
}

const signed = (points) => (points > 0 ? `+${number(points)}` : number(points));
const direction = (points) => (points > 0 ? "up" : points < 0 ? "down" : "");

function render() {
	const game = shownView?.stands;
	byId("nothing").hidden = Boolean(game);
	byId("hand").textContent = game ? (game.over ? t("over") : game.name) : "tehai";
	byId("rules").textContent = game?.title ?? "";
	byId("on-table").textContent = game?.sticks ? t("bets", { n: number(1000 * game.sticks) }) : "";
	fill(byId("players"), game && inOrder(game).map((standing) => seat(game, standing)));
	fill(
		byId("dora"),
		(shownView?.dora ?? []).map((label) =>
			h("img", { src: `../tiles/${label}.svg`, alt: label, width: 60, height: 80 }),
		),
	);
	byId("dora").hidden = !shownView?.dora?.length;
	const last = game?.hands.at(-1);
	fill(byId("last"), last && h("p", last.name && `${last.name}: `, last.text));
	fill(byId("hands"), game?.hands.length ? hands(game) : null);
}

/** The players in turn. After the end, by rank. */
const inOrder = ({ over, ranking }) => (over ? ranking : [...ranking].sort((one, other) => one.player - other.player));

function seat(game, standing) {
	const { player, name } = standing;
	const wind = game.table?.seats[player];
	const change = game.hands.at(-1)?.changes[player] ?? 0;
	const below = game.over ? t("score", { n: signed(standing.score) }) : change ? signed(change) : "";
	const mark = wind === "E" ? { dealer: "yes" } : game.over && standing.place === 1 ? { first: "yes" } : {};
	return h(
		"li",
		{ data: mark },
		wind
			? h(
					"span.wind",
					{ role: "img", label: t(wind === "E" ? "dealer" : "seat", { wind: t(`wind.${wind}`) }) },
					"東南西北"["ESWN".indexOf(wind)],
				)
			: h("span"),
		h("span.name", name),
		h("span.place", t("place", { n: standing.place })),
		h("span.have", number(standing.points)),
		h("span", { class: `moved ${game.over ? "" : direction(change)}` }, below),
	);
}

/** The last hands, the latest first. */
function hands({ players, hands }) {
	const row = ({ name, text, changes }) =>
		h(
			"tr",
			h("td", name),
			h("td.text", text),
			changes.map((change) => h("td", { class: direction(change) }, change ? signed(change) : "")),
		);
	return [
		h(
			"thead",
			h(
				"tr",
				h("th", { scope: "col" }, t("hand")),
				h("th.text", { scope: "col" }, t("happened")),
				players.map((name) => h("th.player", { scope: "col", title: name }, name)),
			),
		),
		h("tbody", hands.slice(-LAST_HANDS).reverse().map(row)),
	];
}

function useTheme() {
	const night = matchMedia("(prefers-color-scheme: dark)").matches;
	document.documentElement.dataset.theme = settings.theme ?? (night ? "dark" : "light");
}

async function useLanguage(code) {
	await speak(code);
	byId("language").textContent = t("other");
	byId("language").lang = code === "en" ? "ja" : "en";
	render();
	list();
	follow();
}

/** Keeps the laptop awake. */
async function stayAwake() {
	if (document.visibilityState === "visible") await navigator.wakeLock?.request("screen").catch(() => {});
}

async function start() {
	useTheme();
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", useTheme);
	byId("language").addEventListener("click", () => {
		choose({ lang: spoken() === "en" ? "ja" : "en" });
		useLanguage(settings.lang).catch(() => showTrouble("offline"));
	});
	byId("theme").addEventListener("click", () => {
		choose({ theme: document.documentElement.dataset.theme === "dark" ? "light" : "dark" });
		useTheme();
	});
	byId("full").hidden = !document.documentElement.requestFullscreen;
	byId("full").addEventListener("click", () =>
		document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
	);
	byId("which").addEventListener(
		"change",
		({ target }) => (location.hash = target.value === NEWEST ? "" : `game=${target.value}`),
	);
	addEventListener("hashchange", () => {
		list();
		follow();
	});
	document.addEventListener("visibilitychange", stayAwake);
	stayAwake();
	await useLanguage(wanted(settings.lang));
	document.body.dataset.ready = "yes";
}

start();
