// The evening's hands: kept in the browser alone, shown in a list, exported as lines that `tehai batch` reads.
import { openHand } from "../app/actions.js";
import { whole } from "../check/answer.js";
import { moment } from "../app/days.js";
import { button, byId, fill, h, icon } from "../shared/dom.js";
import { fromRecord } from "../app/hand.js";
import { limitOf } from "./lesson.js";
import { download } from "./share.js";
import { evening } from "../app/store.js";
import { number, t } from "../shared/text.js";

let kept = null; // what was remembered last: a hand is written when it changes
let written = Promise.resolve(); // until what was remembered last stands in the list

/** Puts the scored hand into the list, or in its place what became of it. */
export function remember({ id, outcome, answers, foreign }, rules) {
	if (foreign) return;
	const { known, ...record } = outcome.record;
	const text = JSON.stringify([id, record, outcome.result]);
	if (text === kept) return;
	kept = text;
	written = written.then(() => evening.all()).then((hands) => {
		const at = hands.find((one) => one.id === id)?.at ?? new Date().toISOString();
		return evening.put({ id, at, rules, record, result: outcome.result, answers });
	});
}

export async function openHistory() {
	await list();
	byId("history").showModal();
}

async function list() {
	await written;
	const hands = (await evening.all()).sort((one, other) => other.at.localeCompare(one.at));
	fill(byId("history-list"), hands.length ? hands.map(entry) : h("li.empty", t("history.empty")));
	fill(
		byId("history-tools"),
		button({ class: "secondary", disabled: !hands.length, onclick: () => save(hands) }, icon("save"), t("history.export")),
		button({ class: "quiet", disabled: !hands.length, onclick: () => forget(hands) }, t("history.clear")),
	);
}

function entry(one) {
	const { record, result } = one;
	const time = moment(one.at);
	return h("li",
		button({ class: "past", onclick: () => reopen(one) },
			h("span.when", time),
			h("strong", number(result.points)),
			h("span.how", [t(record.tsumo ? "ask.tsumo.tsumo" : "ask.tsumo.ron"), limitOf(result)].filter(Boolean).join(" · ")),
			whole(fromRecord({ ...record, dora_indicators: null })),
		),
		button({ class: "tool", label: t("history.remove", { time }), onclick: () => evening.remove(one.id).then(list) }, icon("delete")),
	);
}

/** A hand of the list again, as it was answered. */
function reopen({ id, rules, record, answers }) {
	byId("history").close();
	openHand(fromRecord(record), answers, "score", id, { rules, table: { honba: record.honba, riichi_sticks: record.riichi_sticks } });
}

/** One record a line, oldest first; when it was noted and what it was worth in fields that are no record's own. */
function save(hands) {
	const lines = [...hands].reverse().map(({ at, record, result }) => JSON.stringify({ ...record, x_at: at, x_result: result }));
	download(new File([`${lines.join("\n")}\n`], `tehai-${hands[0].at.slice(0, 10)}.jsonl`, { type: "application/jsonl" }));
}

async function forget(hands) {
	if (!confirm(t("history.sure", { n: hands.length }))) return;
	await evening.clear();
	kept = null;
	list();
}
