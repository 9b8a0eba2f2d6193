// The page: its four screens, and what stands around each of them.
import { openHand, readShots } from "./acts.js";
import * as answer from "./answer.js";
import * as check from "./check.js";
import { fromRecord } from "./hand.js";
import { openHistory } from "./history.js";
import { standing } from "./outcome.js";
import { open } from "./photo.js";
import * as score from "./score.js";
import { openSettings, showRules, useTheme } from "./settings.js";
import { handOfLink } from "./share.js";
import { button, byId, fill, h, icon } from "./shared/dom.js";
import { speak, t, wanted } from "./shared/text.js";
import { app, FRESH, go, listen, reachable, show } from "./state.js";
import { choose, keep, kept, settings, shots } from "./store.js";
import * as take from "./take.js";
import { keepPage } from "./transport.js";

const SCREENS = { take, check, answer, score };

function arrive() {
	for (const [name, screen] of Object.entries(SCREENS)) if (name !== app.state.screen) screen.leave?.();
	scrollTo(0, 0);
	SCREENS[app.state.screen].arrive?.();
	requestAnimationFrame(() => document.querySelector(`#${app.state.screen} h1`)?.focus({ preventScroll: true }));
}

listen("moved", arrive);
listen("changed", (changes) => {
	const { screen } = app.state;
	for (const name of Object.keys(SCREENS)) byId(name).hidden = name !== screen;
	document.body.dataset.screen = screen;
	steps();
	SCREENS[screen].render(app, changes);
	around();
});
listen("busy", around);

function around() {
	bar();
	notice();
}

function steps() {
	const { screen } = app.state;
	const names = Object.keys(SCREENS);
	const step = (name, at) => {
		const label = t(`step.${name}`);
		const look = { key: `step-${name}`, label: label, data: { past: names.indexOf(screen) > at ? "yes" : "" } };
		const use = { "aria-current": name === screen ? "step" : null, disabled: !reachable(name), onclick: () => go(name) };
		return h("li", button({ ...look, ...use }, h("span.nth", String(at + 1)), h("span.name", label)));
	};
	fill(byId("steps"), names.map(step));
}

/** What goes on, or wrong, above the screen. */
function notice() {
	const { busy, trouble } = app;
	const place = byId("notice");
	place.hidden = !busy && !trouble;
	place.className = trouble ? "notice trouble" : "notice";
	if (busy) fill(place, h("span.spinner", { "aria-hidden": "true" }), h("span", t(busy)));
	if (trouble) {
		fill(
			place,
			h("span", trouble.kind === "refused" ? trouble.message || t("trouble.refused") : t(`trouble.${trouble.kind}`)),
			trouble.kind !== "offline" && button({ class: "quiet", key: "dismiss", onclick: dismiss }, t("dismiss")),
		);
	}
}

function dismiss() {
	app.trouble = null;
	show();
}

/** The score so far and the way on, at the bottom of Check and Answer. */
function bar() {
	const place = byId("bar");
	const way = SCREENS[app.state.screen].way?.(app);
	place.hidden = !way;
	if (!way) return;
	const look = [way.beside ?? h("div.standing", standing()), button({ class: "primary", key: "way", disabled: way.disabled, onclick: way.go }, way.text, icon("next"))];
	// what looks the same does the same; a button that is being pressed must not be put in place of itself
	if (look.length !== place.children.length || look.some((one, at) => !one.isEqualNode(place.children[at]))) fill(place, look);
}

// --- start ---

async function restore() {
	app.state = { ...FRESH, ...kept() };
	app.shots = await shots.get();
	app.photos = await Promise.all(app.shots.map(open));
	// a photo that was taken but never answered: the page was closed or the server gone
	if (app.shots.length && !app.state.hand) readShots();
}

async function openLink() {
	const link = handOfLink(location.hash);
	if (!link) return false;
	history.replaceState({ screen: "take" }, "", location.pathname);
	choose({ rules: link.rules, table: { ...settings.table, ...link.table } });
	await openHand(fromRecord(link.tiles), link.answers, "score");
	return true;
}

async function start() {
	useTheme();
	new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${byId("bar").offsetHeight}px`)).observe(byId("bar"));
	for (const place of document.querySelectorAll("[data-icon]")) place.replaceWith(icon(place.dataset.icon));
	await speak(wanted(settings.lang), "questions.");
	byId("open-history").addEventListener("click", openHistory);
	byId("open-settings").addEventListener("click", openSettings);
	addEventListener("hashchange", openLink);
	addEventListener("popstate", (event) => {
		const screen = event.state?.screen ?? "take";
		if (!reachable(screen)) return;
		app.state = { ...app.state, screen };
		keep(app.state);
		arrive();
		show();
	});
	for (const screen of Object.values(SCREENS)) screen.start?.(app);
	await showRules();
	if (!(await openLink())) await restore();
	history.replaceState({ screen: app.state.screen }, "");
	SCREENS[app.state.screen].arrive?.();
	show();
	document.body.dataset.ready = "yes";
	keepPage();
}

start();
