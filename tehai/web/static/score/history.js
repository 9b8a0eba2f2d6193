// The history of scored hands: stored in the browser only, listed, and exported as lines for `tehai batch`.
import { openHand } from "../app/actions.js";
import { handLine } from "../check/answer.js";
import { moment } from "../app/days.js";
import { button, byId, fill, h, icon } from "../shared/dom.js";
import { fromRecord } from "../app/hand.js";
import { limitOf } from "./lesson.js";
import { download } from "./share.js";
import { evening } from "../app/store.js";
import { number, t } from "../shared/text.js";

let lastText = null; // the hand stored last: a hand is written only when it changes
let lastWrite = Promise.resolve(); // resolves when the last hand is in the history

/** Adds the scored hand to the history, or updates it. */
export function remember({ id, outcome, answers, foreign }, rules) {
	if (foreign) return;
	const { known, ...record } = outcome.record;
	const text = JSON.stringify([id, record, outcome.result]);
	if (text === lastText) return;
	lastText = text;
	lastWrite = lastWrite
		.then(() => evening.all())
		.then((hands) => {
			const at = hands.find((one) => one.id === id)?.at ?? new Date().toISOString();
			return evening.put({ id, at, rules, record, result: outcome.result, answers });
		});
}

export async function openHistory() {
	await list();
	byId("history").showModal();
}

async function list() {
	await lastWrite;
	const hands = (await evening.all()).sort((one, other) => other.at.localeCompare(one.at));
	fill(byId("history-list"), hands.length ? hands.map(entry) : h("li.empty", t("history.empty")));
	fill(
		byId("history-tools"),
		button(
			{ class: "secondary", disabled: !hands.length, onclick: () => save(hands) },
			icon("save"),
			t("history.export"),
		),
		button({ class: "quiet", disabled: !hands.length, onclick: () => forget(hands) }, t("history.clear")),
	);
}

function entry(one) {
	const { record, result } = one;
	const time = moment(one.at);
	return h(
		"li",
		button(
			{ class: "past", onclick: () => reopen(one) },
			h("span.when", time),
			h("strong", number(result.points)),
			h(
				"span.how",
				[t(record.tsumo ? "ask.tsumo.tsumo" : "ask.tsumo.ron"), limitOf(result)].filter(Boolean).join(" · "),
			),
			handLine(fromRecord({ ...record, dora_indicators: null })),
		),
		button(
			{ class: "tool", label: t("history.remove", { time }), onclick: () => evening.remove(one.id).then(list) },
			icon("delete"),
		),
	);
}

/** Opens a hand of the history with its answers. */
function reopen({ id, rules, record, answers }) {
	byId("history").close();
	openHand(fromRecord(record), answers, "score", id, {
		rules,
		table: { honba: record.honba, riichi_sticks: record.riichi_sticks },
	});
}

/** One record a line, oldest first. Extra fields have the time and the result. */
function save(hands) {
	const lines = [...hands]
		.reverse()
		.map(({ at, record, result }) => JSON.stringify({ ...record, x_at: at, x_result: result }));
	download(
		new File([`${lines.join("\n")}\n`], `tehai-${hands[0].at.slice(0, 10)}.jsonl`, { type: "application/jsonl" }),
	);
}

async function forget(hands) {
	if (!confirm(t("history.sure", { n: hands.length }))) return;
	await evening.clear();
	lastText = null;
	list();
}
