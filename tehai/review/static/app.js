// The page: its screens, the keys, and what is said above them.
import { button, byId, fill, h, icon } from "/shared/dom.js";
import { speak, t, wanted } from "/shared/text.js";
import * as api from "./api.js";
import * as auto from "./auto.js";
import * as compare from "./compare.js";
import * as faces from "./faces.js";
import { openHelp } from "./help.js";
import { nameOf, rowFor, Typed } from "./keys.js";
import * as photo from "./photo.js";
import * as queue from "./queue.js";
import { openSettings, useTheme } from "./settings.js";
import { open as openStore, settings } from "./store.js";

const SCREENS = { queue, photo, faces, auto };
const IN_NAV = ["queue", "faces", "auto"];
const MODIFIERS = ["Shift", "Control", "Alt", "Meta", "CapsLock"];
const SLOW = 400; // milliseconds after which one is told to wait
const READ_IN = 6000; // milliseconds for which a sentence stands

/** `screen`: the one that is shown; `by`: the name that this machine gives the reviewer. */
export const app = { screen: null, by: "" };
const typed = new Typed();

/** Whose name is written to what is saved. */
export const reviewer = () => settings.by || app.by;

// --- one thing after the other ---

let doing = Promise.resolve();

/** Does something once all that was asked for before is done, so that no key is lost or meets the wrong photo. */
export function run(act) {
	doing = doing.then(() => attempt(act));
	return doing;
}

async function attempt(act) {
	if (said !== "trouble") hush();
	const slow = setTimeout(() => say("busy"), SLOW);
	try {
		await act();
	} catch (error) {
		if (!(error instanceof api.Trouble)) throw error;
		trouble(error);
	} finally {
		clearTimeout(slow);
		if (said === "busy") hush();
	}
}

// --- screens ---

/** Shows a screen. From photo to photo the browser's way back stays the queue. */
export async function visit(name, argument = "") {
	const hash = `#/${name}${argument && `/${argument}`}`;
	if (hash !== location.hash) history[name === "photo" && app.screen === "photo" ? "replaceState" : "pushState"](null, "", hash);
	await arrive(name, argument);
}

async function arrive(name, argument) {
	const from = app.screen;
	try {
		await SCREENS[name].arrive(argument);
		app.screen = name;
	} finally {
		for (const one of Object.keys(SCREENS)) byId(one).hidden = one !== app.screen;
		document.body.dataset.screen = app.screen;
		document.body.dataset.ready = "yes"; // seen only now: what is hidden takes no focus
		fill(byId("nav"), IN_NAV.map((one) => h("a", { href: `#/${one}`, key: `nav-${one}`, "aria-current": one === app.screen ? "page" : null }, t(`nav.${one}`))));
	}
	SCREENS[name].shown?.(from);
}

function follow() {
	const [, name, argument] = location.hash.match(/^#\/(\w+)(?:\/(.+))?$/) ?? [];
	return run(() => (name in SCREENS ? arrive(name, argument ?? "") : visit("queue")));
}

/** Everything anew, in another language say. */
export function again() {
	byId("who").textContent = reviewer();
	byId("open-settings").setAttribute("aria-label", t("settings.open", { by: reviewer() }));
	return follow();
}

// --- keys ---

const everywhere = {
	queue: () => visit("queue"),
	faces: () => visit("faces"),
	auto: () => visit("auto"),
	help: openHelp,
};

function press(event) {
	if (MODIFIERS.includes(event.key)) return;
	const name = nameOf(event);
	const { target } = event;
	if (compare.isOpen()) return act(event, "compare", compare.acts, name, (does) => does());
	if (document.querySelector("dialog[open]")) return;
	if (target.matches("input:not([type=range]), select, textarea") && !event.altKey) return;
	// what is focused is pressed by its own keys; a crop only marked by them
	if (["Enter", " "].includes(event.key) && target.closest("button:not(.card-crop), a, summary, input")) return;
	if (target.matches("input") && /^Arrow|^Page|^Home|^End/.test(event.key)) return;
	const screen = SCREENS[app.screen];
	if (screen?.hear) {
		const waited = typed.rank !== null;
		const heard = typed.take(name);
		if (heard) event.preventDefault();
		if (heard || waited) run(() => screen.hear(heard ?? {}));
		if (heard) return;
	}
	act(event, app.screen, { ...everywhere, ...screen?.acts }, name, run);
}

function act(event, screen, acts, name, how) {
	const row = rowFor(screen, name);
	const does = row && acts[row.act];
	if (!does) return;
	event.preventDefault();
	how(does);
}

// --- what is said ---

let said = null;
let fading = 0;

/** A sentence above the screen, for a while; `offer` is a button that does something about it. */
export function say(key, values = {}, offer = null) {
	said = key;
	const sentence = t(key, values);
	byId("notice").className = "notice";
	fill(byId("notice"), key === "busy" && h("span", { class: "spinner", "aria-hidden": "true" }), h("span", {}, sentence), offer && button({ class: "quiet", key: "offer", onclick: offer.act }, offer.text));
	byId("notice").hidden = false;
	clearTimeout(fading);
	if (key !== "busy") fading = setTimeout(hush, READ_IN);
}

export function trouble(error) {
	said = "trouble";
	clearTimeout(fading);
	byId("notice").className = "notice trouble";
	const sentence = error.message || t(`trouble.${error.kind}`);
	fill(byId("notice"), h("span", {}, sentence), button({ class: "tool", label: t("dismiss"), onclick: hush }, icon("close")));
	byId("notice").hidden = false;
}

export function hush() {
	said = null;
	clearTimeout(fading);
	byId("notice").hidden = true;
}

// --- start ---

async function start() {
	for (const place of document.querySelectorAll("[data-icon]")) place.replaceWith(icon(place.dataset.icon));
	useTheme();
	await Promise.all([speak(wanted(settings.lang)), openStore()]);
	for (const screen of Object.values(SCREENS)) screen.start?.();
	compare.start();
	for (const [id, open] of [["open-help", openHelp], ["open-settings", openSettings]]) {
		byId(id).addEventListener("click", ({ detail }) => {
			// opened by the mouse, it gives the keys back to the screen when it is closed
			if (detail) SCREENS[app.screen]?.focus();
			open();
		});
	}
	document.addEventListener("keydown", press);
	addEventListener("popstate", follow);
	await attempt(async () => {
		app.by = (await api.me()).by;
	});
	await again();
}

start();
