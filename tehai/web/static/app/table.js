// Facts that a photo of the table shows: answers, and discards for advice.
import { split } from "../shared/labels.js";

const IDS = { riichi: "yes", tsumo: "tsumo" };
const BY_PLAYERS = ["riichi", "ippatsu", "double_riichi", "tsumo"];

/** The answers and discards that a table gives. A game's own facts about a win take precedence. */
export function factsOfTable({ facts, rivers, riichi_by: by, seen, discards, turned }, claim) {
	const answers = facts
		.filter(({ field }) => !claim || !(BY_PLAYERS.includes(field) || field in claim.facts))
		.map(({ field, value, known, tiles, texts }) => ({
			field,
			id: IDS[field] ?? "none",
			fields: { [field]: value },
			known,
			tiles,
			texts,
		}));
	if (discards) answers.push({ field: "discards", id: discards, fields: { discards }, labels: split(discards) });
	if (rivers === null) return { answers, rivers: null };
	const lines = rivers.split("/");
	const names = lines.length === 3 ? ["right", "across", "left"] : ["right", "left"];
	return {
		answers,
		rivers: {
			tiles: Object.fromEntries(names.map((name, at) => [name, split(lines[at])])),
			riichi: by ? by.split(",") : [],
			seen,
			turned,
		},
	};
}
