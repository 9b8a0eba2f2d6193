// Score: points, payments, yaku and fu with their tiles, the lesson, and the next hand.
import { learn, nextHand, setAnswer, removeAnswer } from "../app/actions.js";
import { scrollToQuestions, handLine } from "../check/answer.js";
import { book } from "../book/booked.js";
import * as booking from "../book/booking.js";
import * as claims from "../games/claim.js";
import { current } from "../games/games.js";
import { winText, signed } from "../home/home.js";
import { button, byId, fill, h, icon } from "../shared/dom.js";
import { remember } from "./history.js";
import { glossary, payment, steps, summary, tilesOf, amountElement } from "./lesson.js";
import { problem, scoreSummary } from "../app/outcome.js";
import { copyLink, loadPicture, shareImage } from "./share.js";
import { points, t } from "../shared/text.js";
import { sentence } from "../shared/tiles.js";
import { app, won } from "../app/state.js";
import { players } from "../app/settings.js";

const SHORT = ["no_yaku", "yaku", "dora", "fu"]; // the steps of a lesson that are always shown

export function start() {
	byId("why").addEventListener(
		"toggle",
		() => byId("why").open && byId("why").scrollIntoView({ behavior: "smooth", block: "start" }),
	);
}

/** Shows the result of sharing. */
async function showResult(sharing) {
	const result = await sharing;
	if (result) byId("shared").textContent = t(result);
}

export function way({ state }) {
	const share = (name, symbol, act) =>
		button({ class: "secondary", key: name, onclick: () => showResult(act(app)) }, icon(symbol), t(`share.${name}`));
	const ok = state.outcome?.result?.status === "ok";
	const { claim } = state;
	if (claim) return booking.way(state, { n: 0 }, () => book()) ?? { text: t("game.book_it"), disabled: true, go: null };
	return {
		text: t("score.next"),
		go: nextHand,
		beside: h("div.shares", ok && [share("image", "picture", shareImage), share("link", "link", copyLink)]),
	};
}

export function arrive() {
	byId("why").open = false;
	byId("shared").textContent = "";
	loadPicture(); // loads it while the server is there
}

export function render({ state }) {
	const { outcome, hand, lesson } = state;
	if (!outcome || !hand) return;
	const { result, record, range } = outcome;
	const ok = result?.status === "ok";
	fill(byId("score-hand"), handLine(hand));
	byId("score-of").hidden = !state.claim;
	byId("score-of").textContent = state.claim ? winText(state.claim) : "";
	const [found] = scoreSummary();
	fill(
		byId("points"),
		h("strong", { class: !ok && "none" }, ok ? points(result.points) : found?.textContent),
		ok && h("span.unit", t("points.unit")),
	);
	fill(byId("headline"), ok ? summary(result, lesson) : problem(outcome));
	const open = ok && outcome.questions.length > 0 && range?.low !== range?.high;
	byId("open-questions").hidden = !open;
	if (open)
		fill(
			byId("open-questions"),
			t("score.open", { low: points(range.low), high: points(range.high) }),
			" ",
			button({ class: "quiet", key: "to-answer", onclick: scrollToQuestions }, t("way.back")),
		);
	byId("notes").textContent = [outcome.summary, outcome.elsewhere].join(" ");
	byId("payments").hidden = !ok;
	if (!lesson && !app.busy && !app.trouble) learn();
	if (ok) {
		fill(byId("pays"), state.claim ? byName(state.claim, result) : payments(lesson));
		fill(byId("discarder"), record.tsumo || state.claim ? null : discarder(record));
	}
	fill(
		byId("reasons"),
		(lesson?.steps ?? []).filter((step) => SHORT.includes(step.kind)).map((step) => shortStep(lesson, step)),
	);
	fill(byId("lesson"), lesson ? [...steps(lesson), glossary(lesson)] : h("p", t("busy.lesson")));
	if (ok && !state.claim) remember(state, won().rules); // its lesson may load later; a game stores its own hands
}

// --- payments ---

function payments(lesson) {
	const lines = payment(lesson);
	const paid = lines.filter((line) => line.amount !== null); // a single payment equals the total
	return (paid.length > 1 ? lines : paid).map((line) =>
		h(
			"li",
			{ class: line.amount === null && "total" },
			h("span", line.text),
			amountElement(lesson, line.amount, line.unit),
		),
	);
}

/** Payments by name, in a game. `deltas`: the winner's, then those of the next players in turn. */
function byName(claim, { deltas, chips }) {
	const names = current.stands.players;
	const first = claims.winner(claim);
	const sits = names.length === 3 ? [0, 1, 3] : [0, 1, 2, 3];
	const lines = sits
		.map((offset, nth) => [names[(first + nth) % names.length], deltas?.[offset] ?? 0])
		.filter(([, points]) => points);
	return [
		...lines.map(([name, points]) =>
			h("li", { class: points > 0 && "total" }, h("span", name), h("strong", signed(points))),
		),
		chips > 0 && h("li", h("span", t("score.chips")), h("strong", t("amount_chips", { n: chips }))),
	];
}

/** The discarder changes no value, so that no question asks for it. If known, the payer is named. */
function discarder(record) {
	const chip = (player) =>
		button(
			{
				class: "chip",
				key: `from-${player}`,
				pressed: record.loser_offset === player,
				onclick: () =>
					record.loser_offset === player
						? removeAnswer("loser_offset")
						: setAnswer({ field: "loser_offset", id: String(player), fields: { loser_offset: player } }),
			},
			t(`player.${player}`),
		);
	return h(
		"div.chips",
		{ role: "group", label: t("score.discarder") },
		h("span", t("score.discarder")),
		(players() === 3 ? [3, 1] : [3, 2, 1]).map(chip),
	);
}

// --- reasons ---

function shortStep(lesson, { title, lines }) {
	const line = ({ label, text, tiles, amount, unit }) =>
		h(
			"li",
			h("span.what", label ? h("b", label) : sentence(text)),
			tilesOf(tiles),
			amountElement(lesson, amount, unit),
		);
	return h("section.card", h("h2", title), h("ul.lines", lines.map(line)));
}
