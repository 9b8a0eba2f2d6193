// Buttons of the doubt cards and the sheet.
import { button, h } from "../shared/dom.js";
import { tileName } from "../shared/text.js";
import { face } from "../shared/tiles.js";

/** A button with text. */
export const worded = (text, key, act, shown = null) =>
	button({ class: "secondary worded", key, onclick: act }, shown, h("span", text));

export const choice = (label, key, act, content, look = "choice") =>
	button({ class: look, key, label, onclick: act }, content);

/** A button with a face. */
export const choiceOf = (label, key, act) => choice(tileName(label), key, () => act(label), face(label));

export const chip = (content, key, act, pressed = null) =>
	button({ class: "chip", key, pressed, onclick: act }, content);
