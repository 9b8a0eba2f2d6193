// Groups of equal or near-duplicate photos. A split keeps each group together.
import { byId, fill, h } from "./shared/dom.js";
import { t } from "./shared/text.js";
import * as api from "./api.js";
import { offerMore } from "./more.js";
import { count } from "./words.js";

const PAGE = 50; // groups
const THUMBNAIL = 240; // pixels

let groups = []; // lists of photos
let total = 0;

async function load(offset) {
	const { groups: found, total: all } = await api.alike({ offset, limit: PAGE });
	groups = [...groups.slice(0, offset), ...found];
	total = all;
}

export async function arrive() {
	await load(0);
	render();
}

export function focus() {
	document.querySelector("#alike h1").focus();
}

export { focus as shown };

function render() {
	byId("alike-count").textContent = count("alike.count", total);
	fill(
		byId("alike-groups"),
		groups.map((photos, n) =>
			h(
				"li",
				{ class: "card", key: `group-${n}` },
				h("h2", {}, t("alike.group", { n: n + 1, of: photos.length })),
				h("ul", { class: "likes" }, photos.map(photo)),
			),
		),
	);
	offerMore("alike-more", total - groups.length, PAGE, () => load(groups.length), render);
}

const photo = ({ key, path, state, tiles }) =>
	h(
		"li",
		{},
		h(
			"a",
			{ href: `#/photo/${key}`, key },
			h("img", {
				src: api.image(key, THUMBNAIL),
				alt: "",
				loading: "lazy",
				decoding: "async",
				width: 160,
				height: 120,
			}),
			h("strong", {}, path),
			h(
				"span",
				{ class: "facts" },
				h("span", { class: `state ${state}` }, t(`state.${state}`)),
				count("tiles.count", tiles),
			),
		),
	);
