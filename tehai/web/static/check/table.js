// Facts about the win that the photo of the table shows, with their tiles. Each can be removed.
import { rescore } from "../app/actions.js";
import * as hands from "../app/hand.js";
import { app, change } from "../app/state.js";
import { button, byId, fill, h, icon } from "../shared/dom.js";
import { spoken, t, wording } from "../shared/text.js";
import { crop, sentence } from "../shared/tiles.js";

const ON_RIICHI = ["riichi", "ippatsu", "double_riichi"];

const list = h("ul.seen-table");

export function render() {
	const { answers, hand, outcome } = app.state;
	const isAsked = (field) => outcome?.questions?.some((one) => one.field === field);
	const facts = hands
		.fittingAnswers(hand, answers)
		.filter(
			({ known, field, fields }) =>
				(known === "seen" || (known && isAsked(field))) && (field !== "riichi" || fields.riichi),
		);
	const sentences = [...new Set(facts.map(({ texts }) => texts.en))]; // one sentence can cover several facts
	byId("given").before(list);
	fill(
		list,
		sentences.map((text) => fact(facts.filter(({ texts }) => texts.en === text))),
	);
}

function fact(together) {
	const [{ field, fields, known, tiles, texts }] = together;
	const names = together.map(
		(one) => wording(`name.${one.field}`, wording(`ask.special.${one.field}`, one.field)).split(/[:：]/)[0],
	);
	const what = t("rivers.take_back", { what: names.join(spoken() === "ja" ? "、" : ", ") });
	const seen = tiles
		.slice(0, field === "tsumo" ? 3 : 1)
		.map((at) => app.state.reading?.tiles[at])
		.filter(Boolean);
	return h(
		"li",
		h(
			"span.crops",
			seen.map(({ quad, photo = 0 }) => crop(app.photos[photo], quad)),
		),
		h(
			"span.says",
			known === "seen" && fields[field] && h("strong", `${names[0]}: ${t("rivers.seen")}`),
			h("span", sentence(texts[spoken()])),
		),
		known === "seen" &&
			button(
				{
					class: "tool",
					key: `seen-${field}`,
					label: what,
					title: what,
					onclick: () => takeBack(together.map((one) => one.field)),
				},
				icon("undo"),
			),
	);
}

/** Removes facts. Without riichi, the facts that depend on it go too. */
function takeBack(fields) {
	const riichi = fields.includes("riichi"),
		gone = riichi ? ON_RIICHI : fields;
	const { answers, hand } = app.state;
	change({
		answers: answers.filter((one) => !(one.known && gone.includes(one.field))),
		hand: riichi && hand.ura ? { ...hand, ura: null } : hand,
	});
	rescore();
}
