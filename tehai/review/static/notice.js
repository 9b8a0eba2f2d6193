// The notice above the screen.
import { button, byId, fill, h, icon } from "./shared/dom.js";
import { t } from "./shared/text.js";

const SHOWN_FOR = 6000; // milliseconds that a notice stays

let shownKey = null; // the key of the notice, `trouble` for an error
let hideTimer = 0;

/** Whether this notice is shown. */
export const isShown = (key) => shownKey === key;

/** Shows a notice for a while. `offer`: a button with an action. */
export function say(key, values = {}, offer = null) {
	shownKey = key;
	const sentence = t(key, values);
	byId("notice").className = "notice";
	fill(
		byId("notice"),
		key === "busy" && h("span", { class: "spinner", "aria-hidden": "true" }),
		h("span", {}, sentence),
		offer && button({ class: "quiet", key: "offer", onclick: offer.act }, offer.text),
	);
	byId("notice").hidden = false;
	clearTimeout(hideTimer);
	if (key !== "busy") hideTimer = setTimeout(hideNotice, SHOWN_FOR);
}

export function trouble(error) {
	shownKey = "trouble";
	clearTimeout(hideTimer);
	byId("notice").className = "notice trouble";
	const sentence = error.message || t(`trouble.${error.kind}`);
	fill(
		byId("notice"),
		h("span", {}, sentence),
		button({ class: "tool", label: t("dismiss"), onclick: hideNotice }, icon("close")),
	);
	byId("notice").hidden = false;
}

export function hideNotice() {
	shownKey = null;
	clearTimeout(hideTimer);
	byId("notice").hidden = true;
}
