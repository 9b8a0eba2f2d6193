// The list of keys, from the table in keys.js.
import { byId, fill, h } from "./shared/dom.js";
import { t } from "./shared/text.js";
import { KEYS } from "./keys.js";

const caps = ({ shown, keys }) =>
	(shown ?? [keys[0]]).map((one) =>
		one.startsWith("mouse.") ? h("span", { class: "cap" }, t(one)) : h("kbd", {}, one),
	);

/** Rows by heading. */
function groups() {
	const found = new Map();
	for (const row of KEYS.filter((one) => !one.silent)) {
		const name = row.group ?? row.on;
		found.set(name, [...(found.get(name) ?? []), row]);
	}
	return [...found];
}

export function openHelp() {
	fill(
		byId("help-keys"),
		groups().map(([name, rows]) =>
			h(
				"section",
				{},
				h("h3", {}, t(`keys.${name}`)),
				h(
					"dl",
					{},
					rows.map((row) => h("div", {}, h("dt", {}, caps(row)), h("dd", {}, t(`key.${row.on}.${row.act}`)))),
				),
			),
		),
	);
	byId("help").showModal();
}
