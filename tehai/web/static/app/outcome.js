// The server's last answer about the hand.
import { h } from "../shared/dom.js";
import { points, span, t } from "../shared/text.js";
import * as hands from "./hand.js";
import { app } from "./state.js";

/** The value by the best guess, and the range still possible. */
export function scoreSummary() {
	const { outcome, hand } = app.state;
	if (!hand) return [];
	const { n, of } = hands.count(hand);
	if (!n && app.shots.length) return [h("strong.wrong", t("hand.nothing")), h("small", t("hand.closer"))];
	const number = h("strong.count", t("count", { n, of }));
	if (n !== of)
		return [number, h("small", t(n > of ? "count.many" : waits(app.state).length ? "ask.win_tile" : "count.few"))];
	if (!outcome) return [number];
	const { result, range } = outcome;
	if (!isSettled(result)) {
		return [h("strong.wrong", t("hand.none")), h("small", unfinished(app.state)?.text ?? problem(outcome))];
	}
	const worth = result.status === "ok" ? result.points : 0;
	const few = result.error === TOO_FEW_HAN;
	const open = range && range.low !== range.high;
	return [
		h("strong", points(worth, few)),
		h(
			"small",
			open
				? t("range", { span: span(range.low, range.high, few) })
				: few
					? problem(outcome)
					: t(worth ? "points.settled" : "points.missing"),
		),
	];
}

/** The tiles that would complete a hand of 13. */
export const waits = ({ outcome }) => outcome?.tiles.waits ?? [];

/** The advice for an unfinished hand. Null for others, or if the tiles have changed since. */
export const unfinished = ({ outcome, hand }) =>
	hand && outcome?.advice && outcome.tiles.count === hands.count(hand).n ? outcome.advice : null;

const TOO_FEW_HAN = "below_minimum"; // too few han, for example with many honba

/** Whether the score is final. Also true if a yaku or a han is missing. */
export const isSettled = (result) => result?.status === "ok" || ["no_yaku", TOO_FEW_HAN].includes(result?.error);

/** Why there is no score. */
export const problem = ({ result, message }) => message || result?.message || "";
