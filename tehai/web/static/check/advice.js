// Advice for an unfinished hand: a sentence, the best discards with value and danger, and the full explanation on
// demand.
import { later, learn } from "../app/actions.js";
import { byId, fill, h } from "../shared/dom.js";
import { glossary, steps } from "../score/lesson.js";
import { unfinished } from "../app/outcome.js";
import { isKnown } from "../app/rivers.js";
import { points, t } from "../shared/text.js";
import { row, sentence } from "../shared/tiles.js";
import { app, listen } from "../app/state.js";

const MOST_DISCARDS = 4; // discards shown one by one
const MOST_KINDS = 9; // kinds of useful tiles to draw; a hand far from tenpai has more

const place = h("section", { id: "unfinished", class: "card unfinished", hidden: true });
const river = h("details.rivers");
const explanation = h("div.lesson");
let requested = null; // the answer whose full explanation was requested

const more = h("details.all", { ontoggle: show }, h("summary"), explanation);

export function start() {
	byId("groups").after(place);
	listen("changed", show);
}

function show() {
	const { outcome, lesson, screen } = app.state;
	const advice = screen === "check" ? unfinished(app.state) : null;
	place.hidden = !advice;
	if (!advice) {
		more.open = false;
		return;
	}
	more.firstChild.textContent = t("unfinished.more");
	fill(
		place,
		h("h2", sentence(advice.text)),
		h("ul.lines", shownDiscards(advice).map(discardLine)),
		(advice.discards.length > 0 || isKnown(app.state.rivers)) && river,
		more,
		h("p.hint", countedTiles(app.state.rivers)),
		h("p.hint", t("unfinished.wrong")),
	);
	later(
		() => import("./rivers.js"),
		({ render }) => render(river),
	);
	if (!more.open) return;
	if (!lesson && requested !== outcome) {
		requested = outcome;
		learn();
	}
	fill(explanation, lesson ? [...steps(lesson), glossary(lesson)] : h("p", t("busy.lesson")));
}

/** Which visible tiles the counts exclude. */
const countedTiles = (rivers) =>
	isKnown(rivers)
		? `${t("unfinished.seen_rivers")} ${rivers.seen ? t("unfinished.seen_more") : ""}`
		: t("unfinished.seen");

/** The discards to show: all if their danger is known, else the best. A hand that must draw shows the useful tiles. */
function shownDiscards({ draws, discards }) {
	if (draws) return [draws];
	const [{ shanten, risks }] = discards;
	if (risks.length) return discards.map((one) => ({ ...one, isWorse: one.shanten > shanten }));
	return discards.filter((one) => one.shanten === shanten).slice(0, shanten > 2 ? 1 : MOST_DISCARDS);
}

function discardLine({ tile, left, kinds, tiles, price, risks = [], isWorse }) {
	const helping = tiles.filter(([, many]) => many).map(([label]) => label);
	const counted = isWorse
		? t("unfinished.back")
		: t(left === 1 ? "unfinished.one" : kinds === 1 ? "unfinished.kind" : "unfinished.left", { n: left, kinds });
	const canWin = price && !price.bar && price.left > 0;
	const win = canWin && { points: points(price.points), many: price.left, tiles: counted };
	const value = win ? t(price.left < left ? "unfinished.a_win_some" : "unfinished.a_win", win) : counted;
	return h(
		"li",
		tile && h("span.what", row([tile])),
		!isWorse && helping.length <= MOST_KINDS && h("span.tiles-of", row(helping)),
		h("span", value),
		risks.map(risk),
	);
}

const risk = ({ danger, text }) => h("span.risk", { data: { danger } }, sentence(text));
