// From a hand to the record: winner and discarder, open questions, and the payments above "Record it".
import { isAwaited } from "../app/actions.js";
import * as answer from "../check/answer.js";
import { previewed, dealerToAsk, isDealerKnown, setDealerTenpai } from "./booked.js";
import * as claims from "../games/claim.js";
import * as games from "../games/games.js";
import { isSettled } from "../app/outcome.js";
import { payments } from "../games/payments.js";
import { button, byId, fill, h } from "../shared/dom.js";
import { points, span, t } from "../shared/text.js";
import { app, go, show } from "../app/state.js";

const { current } = games;

let ledTo = null; // the open questions that the player has been led to: recording is allowed after that

// --- winner and discarder ---

/** Chips for the winner, the discarder and a forgotten riichi. Each takes effect at once. */
export function who({ state }) {
	byId("who").hidden = !state.claim;
	if (!state.claim) return;
	const { winners, from, hands } = state.claim;
	const winner = claims.winner(state.claim);
	const others = winners.filter((_, nth) => nth !== hands.length);
	const chip = (key, text, pressed, act) => button({ class: "chip", key, pressed, onclick: act }, text);
	const row = (label, ...chips) => h("div.chips", { role: "group", label }, h("span.asked", label), chips);
	const dealer = dealerToAsk(state.claim);
	const names = current.stands.players
		.map((name, player) => ({ name, player }))
		.filter(({ player }) => !others.includes(player));
	fill(
		byId("who"),
		row(
			t("who.won"),
			names.map(({ name, player }) =>
				chip(`winner-${player}`, name, player === winner, () => claims.changeWinner({ winner: player })),
			),
		),
		row(
			t("who.from"),
			!others.length && chip("from-nobody", t("game.tsumo"), from === null, () => claims.changeWinner({ from: null })),
			names
				.filter(({ player }) => player !== winner)
				.map(({ name, player }) =>
					chip(`from-${player}`, name, player === from, () => claims.changeWinner({ from: player })),
				),
		),
		winner !== null &&
			row(
				t("who.riichi"),
				chip("declared", current.stands.players[winner], current.declared.includes(winner), () =>
					games.declare(winner),
				),
			),
		dealer !== null &&
			row(
				t("who.tenpai", { name: current.stands.players[dealer] }),
				[true, false].map((isTenpai) =>
					chip(`tenpai-${isTenpai}`, t(`who.${isTenpai}`), state.claim.tenpai === isTenpai, () =>
						setDealerTenpai(isTenpai),
					),
				),
			),
	);
}

function scrollToWho() {
	go("check");
	byId("who").scrollIntoView({ block: "center" });
	byId("who").querySelector('[aria-pressed="false"]')?.focus({ preventScroll: true });
}

// --- open questions ---

/** What can still change the payments: how many questions, and a function to go to the first. `doubts`: {n, go} for the
 * tiles. */
function openQuestions({ claim, outcome }, doubts) {
	if (!claims.hasPlayers(claim))
		return { n: 1, text: t(claims.winner(claim) === null ? "who.ask" : "who.ask_from"), go: scrollToWho };
	if (!isDealerKnown(claim))
		return { n: 1, text: t("who.tenpai", { name: current.stands.players[claim.from] }), go: scrollToWho };
	const n = answer.deciding(app.state).length;
	if (doubts.n) return { n: doubts.n + n, text: t("check.doubts", { n: doubts.n }), go: doubts.go };
	return n ? { n, text: t("way.answer", { n }), go: answer.scrollToQuestions } : null;
}

/** The button and the text above it. Null if the hand has no score to record. */
export function way(state, doubts, book) {
	const { outcome, claim } = state;
	if (!isSettled(outcome?.result) || outcome.result.status !== "ok") return null;
	const open = openQuestions(state, doubts);
	const of = open && JSON.stringify([state.hand, state.answers, claim.winners, claim.from]);
	const { turn, trouble } = previewed;
	const isReady = !isAwaited() && !app.busy && claims.hasPlayers(claim) && (turn || trouble?.kind === "offline");
	if (open && (ledTo !== of || !claims.hasPlayers(claim) || !isDealerKnown(claim))) {
		const lead = () => {
			ledTo = of;
			show();
			open.go();
		};
		// While an answer is under way, open questions are unknown: the button must not turn into "Record it" under a
		// finger.
		return {
			text: open.text,
			disabled: claims.hasPlayers(claim) && isAwaited(),
			go: lead,
			beside: standing(outcome, open, true),
		};
	}
	const last = claims.isLast(claim);
	return {
		text: t(last ? (open ? "game.book_open" : "game.book_it") : "game.next_winner"),
		disabled: !isReady,
		go: book,
		beside: standing(outcome, open, false),
	};
}

/** The value and the payments, or the open questions. `isUnseen`: the player has not yet seen them. */
function standing({ result, range }, open, isUnseen) {
	const { turn, trouble } = previewed;
	const pays = turn ? payments(current.stands, turn) : t(trouble?.kind === "offline" ? "pays.later" : "pays.wait");
	const refused = trouble && trouble.kind !== "offline" && games.refusal(trouble);
	return h(
		"div.standing.paying",
		h("strong", turn?.said || points(result.points)),
		open &&
			h(
				"small.open-now",
				range && range.low !== range.high
					? t("pays.open_to", { n: open.n, span: span(range.low, range.high) })
					: t("pays.open", { n: open.n }),
			),
		refused ? h("small.wrong", refused) : !isUnseen && h("small.pays", pays),
	);
}
