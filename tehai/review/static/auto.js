// Auto-accept: photos whose tiles the models are sure of, and the measured error rate.
import { button, byId, fill, h } from "./shared/dom.js";
import { t } from "./shared/text.js";
import * as api from "./api.js";
import { reviewer, run } from "./actions.js";
import { say } from "./notice.js";
import { openFiltered } from "./queue.js";
import { count } from "./words.js";

const PAUSE = 150; // milliseconds after the slider's last move

let answer = null;
let margin = null;
let timer = 0;

export function start() {
	byId("margin").addEventListener("input", ({ target }) => slide(Number(target.value)));
}

export async function arrive() {
	answer = await api.auto(margin);
	margin ??= answer.margin;
	render();
}

export function focus() {
	document.querySelector("#auto h1").focus();
}

export { focus as shown };

const percent = (value) =>
	`${(100 * value).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 })} %`;

function render() {
	const { eligible, accepted, drawn, checked, wrong_photos, wrong_tiles, tiles_checked, error_rate, interval } = answer;
	byId("margin").value = margin;
	byId("margin-value").textContent = margin.toFixed(2);
	fill(
		byId("auto-eligible"),
		h("p", { class: "large", role: "status" }, count("auto.eligible", eligible)),
		h("p", { class: "hint" }, t("auto.rest")),
		button(
			{ class: "primary", key: "accept", disabled: !eligible, onclick: () => run(accept) },
			count("auto.accept", eligible),
		),
	);
	const left = drawn - checked;
	fill(
		byId("auto-measured"),
		h(
			"dl",
			{ class: "figures" },
			figure("accepted", accepted),
			figure("drawn", drawn),
			figure("checked", checked),
			figure("wrong_photos", wrong_photos),
		),
		error_rate === null
			? h("p", {}, t("auto.unmeasured"))
			: [
					h("p", { class: "large" }, t("auto.rate", { rate: percent(error_rate) })),
					h(
						"p",
						{},
						t("auto.interval", {
							wrong: wrong_tiles,
							of: tiles_checked,
							low: percent(interval[0]),
							high: percent(interval[1]),
						}),
					),
				],
		left > 0 &&
			button(
				{ class: "secondary", key: "check", onclick: () => openFiltered({ kind: "check" }) },
				count("auto.check", left),
			),
	);
}

const figure = (name, value) => h("div", {}, h("dt", {}, t(`auto.${name}`)), h("dd", {}, String(value)));

function slide(value) {
	margin = value;
	byId("margin-value").textContent = margin.toFixed(2);
	clearTimeout(timer);
	timer = setTimeout(() => run(arrive), PAUSE);
}

async function accept() {
	clearTimeout(timer);
	if (answer.margin !== margin) return arrive(); // the slider has moved: the number on the button was of another margin
	const before = answer.accepted;
	answer = await api.accept(margin, reviewer());
	render();
	say("auto.done", { n: answer.accepted - before });
}
