// Helpers to build elements. No markup is made from text, so that nothing needs escaping.

export const byId = (id) => document.getElementById(id);

const isAbsent = (value) => value === null || value === undefined || value === false;
const present = (children) => children.flat(3).filter((child) => !isAbsent(child));

/** An element (`"p"`, or `"p.hint"` with a class), its properties if any, and its children. A property `on…` is a listener,
 * `data` an object; null is left out. `key`: its name for `fill`. `label`, `pressed`: for screen readers. */
export function h(name, ...children) {
	const [tag, ...classes] = name.split(".");
	const element = document.createElement(tag);
	const properties = children[0]?.constructor === Object ? children.shift() : {};
	if (classes.length) element.className = classes.join(" ");
	for (const [key, value] of Object.entries(properties)) {
		if (key === "pressed" ? value === null : isAbsent(value)) continue;
		if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
		else if (key === "data") Object.assign(element.dataset, value);
		else if (key === "key") element.dataset.key = value;
		else if (key === "pressed") element.setAttribute("aria-pressed", String(value));
		else element.setAttribute(key === "label" ? "aria-label" : key, value === true ? "" : value);
	}
	element.append(...present(children));
	return element;
}

export const button = (properties, ...children) => h("button", { type: "button", ...properties }, ...children);

/** Adds a style sheet, and resolves once it is loaded. */
export function styled(href) {
	if (document.querySelector(`link[href="${href}"]`)) return null;
	return new Promise((resolve) =>
		document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve })),
	);
}

/** An icon of icons.svg. It is decoration: its button has a text or a label. */
export function icon(name) {
	const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
	const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
	use.setAttribute("href", `icons.svg#${name}`);
	svg.setAttribute("class", "icon");
	svg.setAttribute("viewBox", "0 0 24 24");
	svg.setAttribute("aria-hidden", "true");
	svg.append(use);
	return svg;
}

/** Replaces the children of an element. The focus stays on the same `data-key`, and opened details stay open. */
export function fill(element, ...children) {
	const keyed = (key) => element.querySelector(`[data-key="${CSS.escape(key)}"]`);
	const focusedKey = element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
	const opened = [...element.querySelectorAll("details[open][data-key]")].map(({ dataset }) => dataset.key);
	element.replaceChildren(...present(children));
	for (const key of opened) keyed(key)?.setAttribute("open", "");
	if (focusedKey) keyed(focusedKey)?.focus({ preventScroll: true });
}

/** Announces a sentence to screen readers. */
export function announce(sentence) {
	byId("announcer").textContent = sentence;
}
