// The page: navigation between its screens, and the parts around them.
import { attempt, later, openLink, restore, resume } from "./app/actions.js";
import * as api from "./app/api.js";
import * as games from "./games/games.js";
import * as home from "./home/home.js";
import { scoreSummary } from "./app/outcome.js";
import { openSettings, showRules, useTheme } from "./app/settings.js";
import * as shared from "./games/shared_game.js";
import { button, byId, fill, h, icon } from "./shared/dom.js";
import { speak, t, wanted } from "./shared/text.js";
import { app, change, go, keep, listen, place, reachable, show } from "./app/state.js";
import { isUnkept, listen as whenStored, settings } from "./app/store.js";
import { readerSide } from "./games/seats.js";
import { keepPage } from "./transport.js";
import { awake } from "./app/wake_lock.js";

const FLOW = ["take", "check", "score"];

/** The loaded screens. Others load when needed. */
const SCREENS = { home };
const LOADERS = {
	take: () => import("./take/take.js"),
	check: () => import("./check/check.js"),
	score: () => import("./score/score.js"),
	book: () => import("./book/book.js"),
	learn: () => import("./learn/learn.js"),
};

function started(name, screen) {
	if (!SCREENS[name]) screen.start?.();
	return (SCREENS[name] = screen);
}

const loadScreen = (name) =>
	later(LOADERS[name], (screen) => {
		started(name, screen);
		if (app.state.screen !== name) return;
		settle();
		show();
	});

/** Loads what a game will need, in case the server is gone later. The body's `data-ahead` reports it. */
const preloadForGame = () =>
	Promise.all([...["take", "check", "score", "book"].map((name) => LOADERS[name]()), import("./home/events.js")]).then(
		() => (document.body.dataset.ahead = "yes"),
		() => {},
	);

async function arrive() {
	if (app.state.foreign && (app.state.screen === "take" || app.state.screen === "home")) {
		const { screen } = app.state;
		await restore();
		app.state.screen = screen;
		return resume();
	}
	for (const [name, screen] of Object.entries(SCREENS)) if (name !== app.state.screen) screen.leave?.();
	scrollTo(0, 0);
	document.body.scrollTo(0, 0); // scrolls in tablet mode
	if (app.state.screen === "take") for (const name of ["check", "score"]) LOADERS[name]().catch(() => {}); // loads them while the player takes a photo
	return SCREENS[app.state.screen] ? settle() : loadScreen(app.state.screen);
}

function settle() {
	SCREENS[app.state.screen].arrive?.();
	requestAnimationFrame(() => document.querySelector(`#${app.state.screen} h1`)?.focus({ preventScroll: true }));
}

listen("moved", arrive);
listen("changed", (changes) => {
	const { screen } = app.state;
	for (const name of ["home", ...FLOW, "book", "learn"]) byId(name).hidden = name !== screen || !SCREENS[name];
	document.body.dataset.screen = screen;
	document.body.classList.toggle("claimed", Boolean(app.state.claim));
	document.body.dataset.turn = readerSide() ?? "";
	awake("hand", screen === "check" || (screen === "home" && Boolean(games.current.game)));
	if (games.current.game) preloadForGame();
	steps();
	SCREENS[screen]?.render(app, changes);
	renderAround();
});
listen("busy", renderAround);
whenStored("unkept", unkept);

function renderAround() {
	bar();
	notice();
}

function steps() {
	const { screen } = app.state;
	byId("go-home").hidden = screen === "home";
	byId("open-history").hidden = screen !== "home" && Boolean(games.current.game);
	byId("steps").hidden = !FLOW.includes(screen);
	const step = (name, at) => {
		const label = t(`step.${name}`);
		const look = { key: `step-${name}`, label: label, data: { past: FLOW.indexOf(screen) > at ? "yes" : "" } };
		const use = {
			"aria-current": name === screen ? "step" : null,
			disabled: !reachable(name),
			onclick: () => go(name),
		};
		return h("li", button({ ...look, ...use }, h("span.nth", String(at + 1)), h("span.name", label)));
	};
	fill(byId("steps"), FLOW.map(step));
}

/** Progress or trouble, above the screen. */
function notice() {
	const { busy, trouble } = app;
	const place = byId("notice");
	place.hidden = !busy && !trouble;
	place.className = trouble ? "notice trouble" : "notice";
	if (busy) fill(place, h("span.spinner", { "aria-hidden": "true" }), h("span", t(busy)));
	if (trouble) {
		fill(
			place,
			h("span", trouble.kind === "refused" ? games.refusal(trouble) : t(`trouble.${trouble.kind}`)),
			trouble.kind !== "offline" && button({ class: "quiet", key: "dismiss", onclick: dismiss }, t("dismiss")),
		);
	}
}

/** A warning with a backup button, while the browser refuses to store data. */
function unkept() {
	const place = byId("unkept");
	place.hidden = !isUnkept();
	const save = () =>
		later(
			() => import("./book/backup.js"),
			(backup) => backup.save(games.current.game),
		);
	fill(
		place,
		isUnkept() && [
			h("span", t("unkept.why")),
			button({ class: "primary", key: "save-all", onclick: save }, icon("save"), t("unkept.save")),
		],
	);
}

function dismiss() {
	app.trouble = null;
	show();
}

/** The current score and the button to go on, at the bottom of Check. */
function bar() {
	const place = byId("bar");
	const way = SCREENS[app.state.screen]?.way?.(app);
	place.classList.toggle("booking", Boolean(app.state.claim));
	place.hidden = !way;
	if (!way) return;
	const look = [
		way.beside ?? h("div.standing", scoreSummary()),
		button({ class: "primary", key: "way", disabled: way.disabled, onclick: way.go }, way.text, icon("next")),
	];
	// Unchanged content stays, so that a press is not lost.
	if (look.length !== place.children.length || look.some((one, at) => !one.isEqualNode(place.children[at])))
		fill(place, look);
}

// --- start ---

/** Opens the hand in the address. If it is unreadable, only says so. */
async function openHash() {
	if (location.hash === "#camera") return later(LOADERS.take, (take) => started("take", take).photograph());
	if (location.hash.startsWith("#game=")) return openGameLink();
	return later(
		() => Promise.all([import("./score/share.js"), import("./check/answer.js")]),
		async ([{ linkIn }, { hasText }]) => {
			const link = linkIn(location.hash);
			if (link === undefined) return app.state.foreign && restore().then(resume);
			if (link?.answers.every(hasText)) await openLink(link);
			else app.trouble = { kind: "link" };
			show();
		},
	);
}

/** Opens the book of the game in the address. */
function openGameLink() {
	return attempt(async () => {
		const [{ linked }, book] = await Promise.all([import("./book/sheet.js"), import("./book/book.js")]);
		const shown = await linked(location.hash).catch((error) => {
			throw error.kind === "offline" ? error : new api.Trouble("link");
		});
		history.replaceState(history.state, "", location.pathname);
		book.look(shown);
		change({ screen: "book" });
		show();
	}, "game.booking");
}

/** Learns what the server can do. */
function greet() {
	api.health().then(
		({ address, games: keeps }) => {
			app.address = address;
			if (!keeps) return;
			shared.offer();
			show();
		},
		({ kind }) => kind === "offline" && setTimeout(greet, 3000),
	);
}

async function start() {
	useTheme();
	for (const place of document.querySelectorAll("[data-icon]")) place.replaceWith(icon(place.dataset.icon));
	await speak(wanted(settings.lang), "questions.");
	byId("go-home").addEventListener("click", () => go("home"));
	byId("open-history").addEventListener("click", () =>
		later(
			() => import("./score/history.js"),
			({ openHistory }) => openHistory(),
		),
	);
	byId("open-settings").addEventListener("click", openSettings);
	addEventListener("hashchange", openHash);
	addEventListener("popstate", (event) => {
		const { screen, id } = event.state ?? {}; // null if the user edited the address
		if (!screen || !reachable(screen, id) || Boolean(location.hash) !== app.state.foreign) return;
		app.state = { ...app.state, screen };
		keep();
		arrive();
		show();
	});
	home.start();
	await showRules();
	await games.restore();
	await restore();
	unkept();
	await LOADERS[app.state.screen]?.().catch(() => {}); // avoids an empty screen before a restored hand
	history.replaceState(place(), "");
	if (location.hash) await openHash();
	if (!app.state.foreign) resume();
	if (games.current.late) home.sendPending();
	greet();
	document.body.dataset.ready = "yes";
	keepPage();
}

start();
