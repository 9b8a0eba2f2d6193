// Who pays whom, by name, as the server says.
import { number, t } from "../shared/text.js";

const signed = (points) => (points > 0 ? `+${number(points)}` : number(points).replace("-", "−"));

/** One line, highest gain first, no name apart from its points. `turn`: the evaluated event. */
export function payments({ players }, { pays, penalties = [] }) {
	const moved = players.map((name, player) => ({ name, points: pays.players[player] })).filter(({ points }) => points);
	const off = players.map((name, player) => ({ name, points: penalties[player] ?? 0 })).filter(({ points }) => points);
	const parts = [
		...moved
			.sort((one, other) => other.points - one.points)
			.map(({ name, points }) => `${name}\u00a0${signed(points)}`),
		...(pays.sticks ? [t("pays.sticks", { n: number(pays.sticks) })] : []),
		...off.map(({ name, points }) => t("pays.penalty", { name, points: signed(points) })),
	];
	return parts.join(t("pays.and")) || t("pays.nobody");
}
