// What to do with a hand that is not finished: the advice in a sentence, the best discards, and the whole of it on demand.
import { learn } from "../app/actions.js";
import { byId, fill, h } from "../shared/dom.js";
import { glossary, steps } from "../score/lesson.js";
import { unfinished } from "../app/outcome.js";
import { t } from "../shared/text.js";
import { row, sentence } from "../shared/tiles.js";
import { app, listen } from "../app/state.js";

const MOST = 4; // discards that are shown one by one
const WIDE = 9; // kinds up to which the tiles that help are drawn; a hand that is far takes nearly any

const place = h("section", { id: "unfinished", class: "card unfinished", hidden: true });
const whole = h("div.lesson");
let asked = null; // the answer about which the whole was asked for

const more = h("details", { ontoggle: show }, h("summary"), whole);

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
	fill(place, h("h2", sentence(advice.text)), h("ul.lines", ways(advice).map(way)), more, h("p.hint", t("unfinished.seen")), h("p.hint", t("unfinished.wrong")));
	if (!more.open) return;
	if (!lesson && asked !== outcome) {
		asked = outcome;
		learn();
	}
	fill(whole, lesson ? [...steps(lesson), glossary(lesson)] : h("p", t("busy.lesson")));
}

/** The best discards; of a hand that is to draw what helps it. */
function ways({ draws, discards }) {
	if (draws) return [draws];
	const [{ shanten }] = discards;
	return discards.filter((one) => one.shanten === shanten).slice(0, shanten > 2 ? 1 : MOST);
}

function way({ tile, left, kinds, tiles }) {
	const helping = tiles.filter(([, many]) => many).map(([label]) => label);
	const counted = t(left === 1 ? "unfinished.one" : "unfinished.left", { n: left, kinds });
	return h("li", tile && h("span.what", row([tile])), helping.length <= WIDE && h("span.tiles-of", row(helping)), h("span", counted));
}
