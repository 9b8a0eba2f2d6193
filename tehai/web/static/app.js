// The page: its four screens, and what stands around each of them.
import { openLink, restore, resume } from "./acts.js";
import * as api from "./api.js";
import * as answer from "./answer.js";
import * as check from "./check.js";
import { openHistory } from "./history.js";
import { standing } from "./outcome.js";
import * as score from "./score.js";
import { openSettings, showRules, useTheme } from "./settings.js";
import { linkIn } from "./share.js";
import { button, byId, fill, h, icon } from "./shared/dom.js";
import { speak, t, wanted } from "./shared/text.js";
import { app, go, listen, reachable, show } from "./state.js";
import { keep, settings } from "./store.js";
import * as take from "./take.js";
import { keepPage } from "./transport.js";
import { awake } from "./wake.js";

const SCREENS = { take, check, answer, score };

async function arrive() {
	if (app.state.foreign && app.state.screen === "take") {
		await restore();
		app.state.screen = "take";
		return resume();
	}
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
	awake("hand", screen === "check" || screen === "answer");
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

/** Opens the hand in the address; one that cannot be read is said, and nothing else changes. */
async function follow() {
	if (location.hash === "#camera") return take.photograph();
	const link = linkIn(location.hash);
	if (link === undefined) return app.state.foreign && restore().then(resume);
	if (link?.answers.every(answer.isTold)) await openLink(link);
	else app.trouble = { kind: "link" };
	show();
}

async function start() {
	useTheme();
	new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${byId("bar").offsetHeight}px`)).observe(byId("bar"));
	for (const place of document.querySelectorAll("[data-icon]")) place.replaceWith(icon(place.dataset.icon));
	await speak(wanted(settings.lang), "questions.");
	byId("open-history").addEventListener("click", openHistory);
	byId("open-settings").addEventListener("click", openSettings);
	addEventListener("hashchange", follow);
	addEventListener("popstate", (event) => {
		const screen = event.state?.screen; // none: somebody wrote into the address
		if (!screen || !reachable(screen) || Boolean(location.hash) !== app.state.foreign) return;
		app.state = { ...app.state, screen };
		keep(app.state);
		arrive();
		show();
	});
	for (const screen of Object.values(SCREENS)) screen.start?.(app);
	await showRules();
	await restore();
	history.replaceState({ screen: app.state.screen }, "");
	if (location.hash) await follow();
	if (!app.state.foreign) resume();
	api.health().then(({ address }) => (app.address = address), () => {});
	document.body.dataset.ready = "yes";
	keepPage();
}

start();
