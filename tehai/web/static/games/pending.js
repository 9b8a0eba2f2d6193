// The text of a pending event, in the page's words. The server's text replaces it later.
import { t } from "../shared/text.js";

/** One line. `stands`: the game whose winds the event uses. */
export function textOf({ event, kind, tenpai = [], nagashi = [], seat, hands = [] }, { players, table, may }) {
	const name = (wind) => players[table.seats.indexOf(wind)];
	const who = (winds) => winds.map(name).join(t("game.and"));
	const after = (text, more) => (more ? t("noted.of", { text, more }) : text);
	if (event === "win") return hands.map((hand) => after(won(hand, table, name), worth(hand))).join("; ");
	if (event === "draw")
		return after(
			t("game.draw"),
			[who(tenpai), nagashi.length > 0 && `${t("game.nagashi")} ${who(nagashi)}`].filter(Boolean).join("; "),
		);
	if (event === "abort") return after(may.abort.find((one) => one.id === kind)?.label ?? t("game.abort"), who(tenpai));
	if (event === "chombo") return after(t("game.chombo"), name(seat));
	return t(`book.${event}`);
}

function won({ seat_wind, tsumo, loser_offset }, { seats }, name) {
	if (tsumo) return t("game.by_tsumo", { name: name(seat_wind) });
	const offset = seats.length === 3 && loser_offset === 3 ? 2 : loser_offset;
	const winds = "ESWN".slice(0, seats.length);
	return t("game.by_ron", {
		name: name(seat_wind),
		from: name(winds[(winds.indexOf(seat_wind) + offset) % winds.length]),
	});
}

function worth({ value }) {
	if (!value) return "";
	const { han, fu, limit, yakuman } = value;
	if (yakuman) return yakuman > 1 ? t("game.yakuman_times", { n: yakuman }) : t("limit.yakuman");
	return limit ? t(`limit.${limit}`) : t("noted.worth", { han, fu });
}
