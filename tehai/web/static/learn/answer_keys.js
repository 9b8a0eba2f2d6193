// Inputs of an exercise: tiles, numbers and names to tap, each as large as a thumb. An answer is the text that the
// terminal accepts.
import { button, fill, h } from "../shared/dom.js";
import { FACES, isRed, join } from "../shared/labels.js";
import { face, row } from "../shared/tiles.js";
import { pieces } from "./elements.js";

const MOST_SHOWN = 16; // choices shown at once; the others follow on demand

/** The inputs of all parts. `elements`; `values()`, null for an open part; `whole()`: whether no part is open.
 * `touched`: called after each tap. `done`: called after the tap that completes a single part. */
export function inputs(parts, words, touched, done) {
	const unclear = h("p.unclear", { role: "alert" });
	const alone = parts.length === 1;
	const all = parts.map((part, nth) =>
		KINDS[part.kind](
			part,
			words,
			(ready) => {
				unclear.textContent = "";
				touched();
				if (alone && ready) done();
			},
			nth,
		),
	);
	return {
		elements: [
			...all.map(({ element }, nth) =>
				h(
					"div.part",
					{ role: "group", label: parts[nth].how },
					parts[nth].label && h("p.part-label", pieces(parts[nth].label)),
					element,
				),
			),
			unclear,
		],
		values: () => all.map(({ value }) => value()),
		whole: () => all.every(({ value }) => value() !== null),
		say: (sentence) => fill(unclear, sentence),
	};
}

/** Buttons to choose one value, or several. `groups`: lists of [value, content], shown apart. */
function pad(groups, look, { several = false, none = null, more = null } = {}, changed, nth) {
	const values = groups.flat();
	const chosen = new Set();
	let isNone = false;
	let showsAll = !more;
	const element = h("div.keys-of");
	const toggle = (value) => {
		isNone = false;
		if (!several) chosen.clear();
		if (!chosen.delete(value)) chosen.add(value);
		draw();
		changed(!several);
	};
	const key = ([value, content]) =>
		button(
			{ class: look, key: `pick-${nth}-${value}`, pressed: chosen.has(value), onclick: () => toggle(value) },
			content,
		);
	const kind = groups.length > 1 ? `pad ${look}-pad suit` : `pad ${look}-pad`;
	function draw() {
		fill(
			element,
			groups.map((group) => h("div", { class: kind }, (showsAll ? group : group.slice(0, MOST_SHOWN)).map(key))),
			!showsAll && button({ class: "quiet", key: `more-${nth}`, onclick: () => ((showsAll = true), draw()) }, more),
			none &&
				button(
					{
						class: "chip nothing",
						key: `none-${nth}`,
						pressed: isNone,
						onclick: () => ((isNone = !isNone), chosen.clear(), draw(), changed(isNone)),
					},
					none,
				),
		);
	}
	draw();
	return {
		element,
		chosen: () => (isNone ? [] : chosen.size ? values.map(([value]) => value).filter((one) => chosen.has(one)) : null),
	};
}

const asTiles = (labels) => labels.map((label) => [label, face(label)]);
/** The given choices, or all faces by suit. */
const tilesOf = (choices, faces) =>
	choices ? [asTiles(choices)] : [..."mpsz"].map((suit) => asTiles(faces.filter((label) => label[1] === suit)));

const KINDS = {
	tile({ choices }, words, changed, nth) {
		const { element, chosen } = pad(tilesOf(choices, FACES), "key", {}, changed, nth);
		return { element, value: () => chosen()?.[0] ?? null };
	},
	tiles({ choices, none }, words, changed, nth) {
		const tiles = tilesOf(
			choices,
			FACES.filter((label) => !isRed(label)),
		);
		const { element, chosen } = pad(tiles, "key", { several: true, none: none && words.none }, changed, nth);
		return { element, value: () => textOf(chosen(), join) };
	},
	several({ choices, none }, words, changed, nth) {
		const { element, chosen } = pad(
			[choices],
			"chip",
			{ several: true, none: none && words.none, more: choices.length > MOST_SHOWN && words.more },
			changed,
			nth,
		);
		return { element, value: () => textOf(chosen(), (names) => names.join(", ")) };
	},
	one({ choices }, words, changed, nth) {
		const { element, chosen } = pad([choices], "chip", {}, changed, nth);
		return { element, value: () => chosen()?.[0] ?? null };
	},
	points({ many, how, label }, words, changed, nth) {
		const fields = Array.from({ length: many }, (_, at) =>
			h("input", {
				type: "text",
				inputmode: "numeric",
				autocomplete: "off",
				"data-key": `points-${nth}-${at}`,
				label: [how, many > 1 && String(at + 1)].filter(Boolean).join(" "),
				oninput: () => changed(false),
			}),
		);
		const value = () =>
			fields.every((field) => field.value.trim()) ? fields.map((field) => field.value.trim()).join("/") : null;
		return { element: h("div.points-of", fields), value };
	},
	/** Splits a hand into groups: select tiles, then put them together. */
	groups({ choices }, words, changed, nth) {
		const element = h("div.keys-of");
		let left = choices.map((label, at) => ({ label, at }));
		let picked = new Set();
		let groups = [];
		const combine = () => {
			groups = [...groups, left.filter(({ at }) => picked.has(at)).map(({ label }) => label)];
			left = left.filter(({ at }) => !picked.has(at));
			picked = new Set();
			draw();
			changed(false);
		};
		const restart = () => {
			left = choices.map((label, at) => ({ label, at }));
			picked = new Set();
			groups = [];
			draw();
			changed(false);
		};
		const pick = (at) => {
			if (!picked.delete(at)) picked.add(at);
			draw();
		};
		const key = ({ label, at }) =>
			button({ class: "key", key: `pick-${nth}-${at}`, pressed: picked.has(at), onclick: () => pick(at) }, face(label));
		function draw() {
			fill(
				element,
				left.length > 0 && h("p.hint", words.from),
				h("div.pad.key-pad", left.map(key)),
				h(
					"div.ways",
					button(
						{
							class: "secondary",
							key: `together-${nth}`,
							disabled: picked.size < 2 || picked.size > 3,
							onclick: combine,
						},
						words.together,
					),
					button({ class: "quiet", key: `apart-${nth}`, disabled: !groups.length, onclick: restart }, words.apart),
				),
				groups.length > 0 &&
					h(
						"div.tiles-of.put",
						groups.map((group) => row(group)),
					),
			);
		}
		draw();
		return { element, value: () => (left.length ? null : groups.map(join).join(" ")) };
	},
};

const textOf = (chosen, joined) => (chosen === null ? null : chosen.length ? joined(chosen) : "none");
