// Navigation. Screens register here at the start, so that they do not import each other.
import { app, run } from "./actions.js";
import { byId, fill, h } from "./shared/dom.js";
import { t } from "./shared/text.js";

const IN_NAV = ["queue", "faces", "alike", "auto"];

/** Screens by name. Each has `arrive(argument)`, which loads its content, and `focus()`. Optional: `start()`,
 * `shown(from)`, `acts` by key, `hear(typed)`. */
export const screens = {};

/** Shows a screen. Photos replace each other in the browser's history, so that Back returns to the queue. */
export async function visit(name, argument = "") {
	const hash = `#/${name}${argument && `/${argument}`}`;
	if (hash !== location.hash)
		history[name === "photo" && app.screen === "photo" ? "replaceState" : "pushState"](null, "", hash);
	await arrive(name, argument);
}

async function arrive(name, argument) {
	const from = app.screen;
	try {
		await screens[name].arrive(argument);
		app.screen = name;
	} finally {
		for (const one of Object.keys(screens)) byId(one).hidden = one !== app.screen;
		document.body.dataset.screen = app.screen;
		document.body.dataset.ready = "yes"; // only now, because hidden elements take no focus
		fill(
			byId("nav"),
			IN_NAV.map((one) =>
				h(
					"a",
					{ href: `#/${one}`, key: `nav-${one}`, "aria-current": one === app.screen ? "page" : null },
					t(`nav.${one}`),
				),
			),
		);
	}
	screens[name].shown?.(from);
}

/** Shows the screen of the address. */
export function follow() {
	const [, name, argument] = location.hash.match(/^#\/(\w+)(?:\/(.+))?$/) ?? [];
	return run(() => (name in screens ? arrive(name, argument ?? "") : visit("queue")));
}
