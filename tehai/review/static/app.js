// Starts the page, and dispatches keys to its screens.
import * as alike from "./alike.js";
import * as api from "./api.js";
import * as auto from "./auto.js";
import * as compare from "./compare.js";
import { app, attempt, run } from "./actions.js";
import * as faces from "./faces.js";
import { openHelp } from "./help.js";
import { nameOf, rowFor, Typed } from "./keys.js";
import * as photo from "./photo.js";
import * as queue from "./queue.js";
import { follow, screens, visit } from "./screens.js";
import { redraw, openSettings, useTheme } from "./settings.js";
import { byId, icon } from "./shared/dom.js";
import { speak, wanted } from "./shared/text.js";
import { open as openStore, settings } from "./store.js";

const REPEATED = /Arrow|Page|^[-+=]$/; // keys that may be held down: others would act on photos that nobody has seen
const MODIFIERS = ["Shift", "Control", "Alt", "Meta", "CapsLock"];

Object.assign(screens, { queue, photo, faces, alike, auto });

const typed = new Typed();

const globalActs = {
	queue: () => visit("queue"),
	faces: () => visit("faces"),
	alike: () => visit("alike"),
	auto: () => visit("auto"),
	help: openHelp,
};

function onKey(event) {
	if (MODIFIERS.includes(event.key)) return;
	const name = nameOf(event);
	const { target } = event;
	if (compare.isOpen()) return act(event, "compare", compare.acts, name, (does) => does());
	if (document.querySelector("dialog[open]")) return;
	if (target.matches("input:not([type=range]), select, textarea") && !event.altKey) return;
	// Focused elements handle Enter and Space themselves, except crops.
	if (["Enter", " "].includes(event.key) && target.closest("button:not(.card-crop), a, summary, input")) {
		if (event.repeat) event.preventDefault();
		return;
	}
	if (target.matches("input") && /^Arrow|^Page|^Home|^End/.test(event.key)) return;
	const screen = screens[app.screen];
	if (screen?.hear) {
		const wasTyping = typed.rank !== null;
		const result = typed.take(name);
		if (result) event.preventDefault();
		if (result || wasTyping) run(() => screen.hear(result ?? {}));
		if (result) return;
	}
	act(event, app.screen, { ...globalActs, ...screen?.acts }, name, run);
}

function act(event, screen, acts, name, runner) {
	const row = rowFor(screen, name);
	const action = row && acts[row.act];
	if (!action) return;
	event.preventDefault();
	if (!event.repeat || REPEATED.test(name)) runner(action);
}

async function start() {
	for (const place of document.querySelectorAll("[data-icon]")) place.replaceWith(icon(place.dataset.icon));
	useTheme();
	await Promise.all([speak(wanted(settings.lang)), openStore()]);
	for (const screen of Object.values(screens)) screen.start?.();
	compare.start();
	for (const [id, open] of [
		["open-help", openHelp],
		["open-settings", openSettings],
	]) {
		byId(id).addEventListener("click", ({ detail }) => {
			// after a click with the mouse, keys go back to the screen when the dialog closes
			if (detail) screens[app.screen]?.focus();
			open();
		});
	}
	document.addEventListener("keydown", onKey);
	addEventListener("popstate", follow);
	await attempt(async () => {
		app.by = (await api.me()).by;
	});
	await redraw();
}

start();
