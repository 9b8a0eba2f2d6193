// The hint to install the page on the home screen, so that the phone keeps its data.
import { button, h, icon } from "../shared/dom.js";
import { t } from "../shared/text.js";
import { show } from "../app/state.js";
import { choose, settings } from "../app/store.js";

let installPrompt = null; // the install prompt of a browser that offers one

addEventListener("beforeinstallprompt", (event) => {
	event.preventDefault();
	installPrompt = event;
	show();
});

const isPhone = () => matchMedia("(pointer: coarse)").matches;
const isInstalled = () =>
	navigator.standalone || matchMedia("(display-mode: standalone), (display-mode: fullscreen)").matches;
const isApple = () => "standalone" in navigator; // only Safari has this property

/** The hint, shown before a game: an installed page has its own storage. Null if installed or dismissed. */
export function homeScreenHint() {
	if (!isPhone() || isInstalled() || settings.hinted) return null;
	const drop = () => {
		choose({ hinted: true });
		show();
	};
	const install = () => installPrompt.prompt().then(drop, () => {});
	return h(
		"section.card.home-screen",
		{ label: t("install.title") },
		h("h2", icon("save"), t("install.title")),
		h("p", t(isApple() ? "install.apple" : "install.why")),
		h(
			"div.ways",
			installPrompt && button({ class: "secondary", key: "install", onclick: install }, t("install.now")),
			button({ class: "quiet", key: "install-no", onclick: drop }, t("install.no")),
		),
	);
}
