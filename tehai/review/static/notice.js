// The notice above the screen.
import { button, byId, fill, h, icon } from "./shared/dom.js";
import { t } from "./shared/text.js";

const READ_IN = 6000; // milliseconds that a notice stays

let standing = null; // the key of the notice, `trouble` for an error
let fading = 0;

/** Whether this notice is shown. */
export const stands = (key) => standing === key;

/** Shows a notice for a while. `offer`: a button with an action. */
export function say(key, values = {}, offer = null) {
	standing = key;
	const sentence = t(key, values);
	byId("notice").className = "notice";
	fill(byId("notice"), key === "busy" && h("span", { class: "spinner", "aria-hidden": "true" }), h("span", {}, sentence), offer && button({ class: "quiet", key: "offer", onclick: offer.act }, offer.text));
	byId("notice").hidden = false;
	clearTimeout(fading);
	if (key !== "busy") fading = setTimeout(hush, READ_IN);
}

export function trouble(error) {
	standing = "trouble";
	clearTimeout(fading);
	byId("notice").className = "notice trouble";
	const sentence = error.message || t(`trouble.${error.kind}`);
	fill(byId("notice"), h("span", {}, sentence), button({ class: "tool", label: t("dismiss"), onclick: hush }, icon("close")));
	byId("notice").hidden = false;
}

export function hush() {
	standing = null;
	clearTimeout(fading);
	byId("notice").hidden = true;
}
