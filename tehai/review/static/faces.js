// All crops of one face, least sure first. Marked crops get a new label together.
import { announce, button, byId, fill, h } from "./shared/dom.js";
import { FACES } from "./shared/labels.js";
import { t, tileName } from "./shared/text.js";
import { face, keypad } from "./shared/tiles.js";
import * as api from "./api.js";
import { compareFaces } from "./compare.js";
import { reviewer, run } from "./actions.js";
import { pairs, sameTile } from "./geometry.js";
import { offerMore } from "./more.js";
import { say } from "./notice.js";
import { visit } from "./screens.js";
import { storeDraft, loadDraft, unsavedOf } from "./store.js";
import { count } from "./words.js";

const PAGE = 100;
const DRAFT = "faces-"; // prefix of draft keys, one draft a photo
const STATES = ["", "unreviewed", "auto", "accepted", "corrected", "imported"];

const LABELS = [...FACES, "back", "?"];

let label = LABELS[0];
let state = "";
let crops = [];
let total = 0;
let at = 0;
let marked = new Set(); // crop names
let last = null; // the crop marked last, where a range begins
let changes = []; // unsaved changes: {key, after, tile, label, from, quad}, to take a save back with its `back`
let steps = []; // changes before each step, for undo
let undoChanges = []; // changes that undo the last save

const nameOf = ({ key, revision, after, tile }) => `${key}:${revision ?? after}:${tile}`;
const pendingChange = (crop) => changes.find((one) => nameOf(one) === nameOf(crop));

export async function arrive(argument) {
	const asked = decodeURIComponent(argument);
	const other = LABELS.includes(asked) ? asked : label;
	if (other !== label) [at, marked] = [0, new Set()];
	label = other;
	await restore();
	await load(0);
	render();
}

export function focus() {
	(cards()[at] ?? document.querySelector("#faces h1")).focus({ preventScroll: !at });
}

export { focus as shown };

/** Restores the unsaved work of a reload or closed tab. The browser may also have drafts of another folder, or of a
 * journal that was made anew: what fits no tile is left. */
async function restore() {
	const keys = new Set(changes.map((one) => one.key));
	for (const what of unsavedOf()) {
		const key = what.slice(DRAFT.length);
		if (!what.startsWith(DRAFT) || keys.has(key) || !(await api.photo(key))) continue;
		for (const one of (await loadDraft(what)) ?? []) {
			const tile = (await api.revision(key, one.after))?.tiles[one.tile];
			if (tile && sameTile({ label: one.from, quad: one.quad ?? tile.quad }, tile)) changes = [...changes, one];
		}
	}
}

/** Replaces the unsaved changes, and stores them. */
function setChanges(next) {
	const keys = new Set([...changes, ...next].map((one) => one.key));
	changes = next;
	for (const key of keys) {
		const own = next.filter((one) => one.key === key);
		storeDraft(DRAFT + key, own.length ? own : null);
	}
}

async function load(offset) {
	const found = await api.faces(label, { offset, limit: PAGE, state });
	crops = offset ? [...crops, ...found.crops] : found.crops;
	total = found.total;
	at = Math.min(at, Math.max(crops.length - 1, 0));
}

const cards = () => [...byId("crops").children];

function render() {
	fill(byId("faces-title"), face(label), ` ${tileName(label)}`);
	byId("faces-count").textContent = count("faces.count", total);
	fill(
		byId("faces-keypad"),
		LABELS.map((one) =>
			h(
				"a",
				{
					class: "key",
					href: `#/faces/${encodeURIComponent(one)}`,
					key: `key-${one}`,
					"aria-current": one === label ? "page" : null,
					title: tileName(one),
				},
				face(one),
			),
		),
	);
	fill(
		byId("faces-filters"),
		h(
			"label",
			{ class: "filter" },
			h("span", {}, t("filter.state")),
			h(
				"select",
				{
					key: "faces-state",
					onchange: ({ target }) => {
						state = target.value;
						at = 0;
						run(async () => {
							await load(0);
							render();
						});
					},
				},
				STATES.map((one) =>
					h("option", { value: one, selected: one === state }, t(one ? `state.${one}` : "filter.any")),
				),
			),
		),
	);
	fill(byId("crops"), crops.map(card));
	if (!crops.length) fill(byId("crops"), h("p", { class: "empty" }, t("faces.none")));
	offerMore("faces-more", total - crops.length, PAGE, () => load(crops.length), render);
	bar();
}

function card(crop, n) {
	const change = pendingChange(crop);
	const isMarked = marked.has(nameOf(crop));
	const sure = crop.probability === null ? t("tile.person") : `${Math.round(100 * crop.probability)} %`;
	return button(
		{
			class: `card-crop${change ? " changed" : ""}`,
			key: nameOf(crop),
			pressed: isMarked,
			tabindex: n === at ? 0 : -1,
			title: crop.path,
			onfocus: () => focused(n),
			onclick: (event) => mark(n, event.shiftKey),
			label: [
				t("faces.crop", { n: n + 1, path: crop.path }),
				sure,
				change && t("faces.becomes", { name: tileName(change.label) }),
			]
				.filter(Boolean)
				.join(", "),
		},
		h("img", { src: api.crop(crop), alt: "", loading: "lazy", width: 72, height: 96 }),
		h("span", { class: "sure" }, change ? face(change.label) : sure),
	);
}

function focused(n) {
	for (const one of [cards()[at], cards()[n]]) if (one) one.tabIndex = -1;
	at = n;
	if (cards()[n]) cards()[n].tabIndex = 0;
}

function bar() {
	byId("faces-bar").hidden = !marked.size && !changes.length;
	const elsewhere = changes.filter((one) => one.from !== label).length;
	fill(
		byId("faces-bar"),
		h(
			"p",
			{},
			marked.size ? t("faces.marked", { n: marked.size }) : t("faces.changed", { n: changes.length }),
			" ",
			elsewhere > 0 && h("span", { class: "hint" }, t("faces.elsewhere", { n: elsewhere })),
		),
		marked.size > 0 &&
			h(
				"details",
				{ class: "pick" },
				h("summary", { key: "pick" }, t("faces.pick")),
				keypad((one) => run(() => relabel(one))),
			),
		h(
			"span",
			{ class: "ways" },
			button(
				{ class: "secondary", key: "undo", onclick: () => run(acts.undo) },
				t("photo.undo"),
				h("kbd", { "aria-hidden": "true" }, "u"),
			),
			changes.length > 0 &&
				button(
					{ class: "primary", key: "save", onclick: () => run(acts.save) },
					t("faces.save", { n: changes.length }),
					h("kbd", { "aria-hidden": "true" }, "Enter"),
				),
		),
	);
}

function mark(n, range = false) {
	const name = nameOf(crops[n]);
	const on = !marked.has(name);
	const [from, to] = range && last !== null ? [Math.min(last, n), Math.max(last, n)] : [n, n];
	for (const crop of crops.slice(from, to + 1)) marked[range || on ? "add" : "delete"](nameOf(crop));
	last = n;
	at = n;
	render();
	announce(t("faces.marked", { n: marked.size }));
}

/** Gives all marked crops a label. Without marks: the focused crop. */
function relabel(to) {
	const chosen = marked.size ? crops.filter((crop) => marked.has(nameOf(crop))) : crops.slice(at, at + 1);
	if (!chosen.length) return;
	steps.push(changes);
	const names = new Set(chosen.map(nameOf));
	const relabelled = chosen.map(({ key, revision, tile, quad }) => ({
		key,
		after: revision,
		tile,
		label: to,
		from: label,
		quad,
	}));
	// a crop that keeps its label is no change
	setChanges([
		...changes.filter((one) => !names.has(nameOf(one))),
		...relabelled.filter((one) => one.label !== one.from),
	]);
	marked = new Set();
	render();
	announce(t("faces.given", { n: chosen.length, name: tileName(to) }));
}

export function hear({ rank, label: typed, wrong }) {
	if (rank) announce(rank);
	if (wrong) say("photo.no_label", { label: wrong });
	if (typed) relabel(typed);
}

async function save() {
	if (!changes.length) return say("faces.unchanged");
	undoChanges = [];
	const n = await write();
	await load(0);
	render();
	focus();
	if (n) say("faces.saved", { n });
}

/** Saves the changes. Resolves conflicts first. Returns the number of saved tiles. */
async function write() {
	const body = changes.map(({ key, after, tile, label: to, back }) => ({ key, after, tile, label: to, back }));
	const { saved, conflicts } = await api.relabel({ changes: body, by: reviewer() });
	const done = new Map(saved.map((one) => [one.key, one.revision]));
	const made = changes.filter((one) => done.has(one.key));
	undoChanges.push(
		...made.map((one) => ({ ...one, after: done.get(one.key), back: one.after, label: one.from, from: one.label })),
	);
	const rest = changes.filter((one) => !done.has(one.key));
	steps = [];
	setChanges(rest);
	return made.length + (conflicts.length ? await resolveConflicts(rest, conflicts) : 0);
}

/** Resolves conflicts: finds the tiles again by position in the newer version. Returns the number of saved tiles. */
async function resolveConflicts(rest, conflicts) {
	const rows = [];
	for (const { key, latest } of conflicts) {
		for (const change of rest.filter((one) => one.key === key)) {
			const before = (await api.revision(key, change.after))?.tiles[change.tile];
			if (!before) continue; // the journal was created anew
			const theirs = pairs([before], latest.tiles)[0][1];
			const mine = { ...(theirs ?? before), label: change.label };
			const choice = theirs?.label === before.label ? "mine" : null;
			if (theirs?.label !== mine.label) rows.push({ key, path: latest.path, mine, theirs, choice, latest });
		}
	}
	const undecided = rows.some((row) => !row.choice);
	const chosen = undecided ? await compareFaces(rows) : rows;
	if (!chosen) {
		say("compare.put_off");
		return 0;
	}
	setChanges(
		chosen
			.filter((row) => row.choice === "mine" && row.theirs)
			.map(({ key, latest, mine, theirs }) => ({
				key,
				after: latest.revision,
				tile: latest.tiles.indexOf(theirs),
				label: mine.label,
				from: theirs.label,
				quad: theirs.quad,
			})),
	);
	return changes.length ? write() : 0;
}

function step(by) {
	if (!crops.length) return;
	at = Math.min(Math.max(at + by, 0), crops.length - 1);
	cards()[at].focus();
}

/** The number of crops in a row. */
function columns() {
	const [first, ...rest] = cards();
	const next = rest.findIndex((one) => one.offsetTop > first.offsetTop);
	return next < 0 ? cards().length : next + 1;
}

/** Opens the previous or next face. */
const turn = (by) =>
	visit("faces", encodeURIComponent(LABELS[(LABELS.indexOf(label) + by + LABELS.length) % LABELS.length]));

export const acts = {
	"face.previous": () => turn(-1),
	"face.next": () => turn(1),
	previous: () => step(-1),
	next: () => step(1),
	above: () => step(-columns()),
	below: () => step(columns()),
	mark: () => crops[at] && mark(at),
	back: () => relabel("back"),
	undo: async () => {
		if (steps.length) {
			setChanges(steps.pop());
			return render();
		}
		if (changes.length || !undoChanges.length) return say("photo.nothing");
		setChanges(undoChanges);
		await save();
		undoChanges = []; // this undo cannot be undone
		say("faces.taken_back");
	},
	save,
	open: () => crops[at] && visit("photo", crops[at].key),
};
