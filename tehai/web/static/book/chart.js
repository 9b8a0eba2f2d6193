// A line chart of all players' points. Lines differ in colour and in dashes.
import { h } from "../shared/dom.js";
import { number, t } from "../shared/text.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, EDGE] = [400, 210, 54, 8, 10];
const STEPS = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];
const MOST_LINES = 6; // of the grid

const svg = (name, properties = {}, ...children) => {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value);
	element.append(...children);
	return element;
};

/** The points of each player, from the start. */
export const courses = ({ start, hands }) =>
	start.map((points, player) => [points, ...hands.map((turn) => turn.points[player])]);

/** Scales points and hands to a canvas of that size. `grid`: the points that get a line. */
export function scaled(lines, { left, right, top, bottom }) {
	const all = lines.flat();
	const step = STEPS.find((one) => (Math.max(...all) - Math.min(...all)) / one <= MOST_LINES - 2) ?? STEPS.at(-1);
	const low = Math.floor(Math.min(...all) / step) * step;
	const high = Math.max(low + step, Math.ceil(Math.max(...all) / step) * step);
	const last = Math.max(1, lines[0].length - 1);
	const y = (points) => bottom - ((points - low) / (high - low)) * (bottom - top);
	const grid = Array.from({ length: (high - low) / step + 1 }, (_, at) => low + at * step);
	return { x: (at) => left + (at / last) * (right - left), y, grid };
}

export function chart(stands) {
	const lines = courses(stands);
	const { x, y, grid } = scaled(lines, { left: LEFT, right: WIDTH - RIGHT, top: EDGE, bottom: HEIGHT - EDGE });
	const path = (line) =>
		line.map((points, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(points).toFixed(1)}`).join("");
	const last = stands.players.map((name, player) => `${name} ${number(lines[player].at(-1))}`).join(", ");
	return h(
		"figure.chart",
		svg(
			"svg",
			{ viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${t("book.chart")}: ${last}` },
			...grid.flatMap((points) => [
				svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(points), y2: y(points), class: "grid" }),
				svg("text", { x: LEFT - 8, y: y(points) + 4, "text-anchor": "end" }, number(points)),
			]),
			...lines.map((line, player) => svg("path", { d: path(line), class: `course course-${player}` })),
		),
		h(
			"figcaption",
			stands.players.map((name, player) =>
				h(
					"span",
					svg(
						"svg",
						{ viewBox: "0 0 30 8", width: 30, height: 8, "aria-hidden": "true" },
						svg("path", { d: "M0 4H30", class: `course course-${player}` }),
					),
					name,
				),
			),
		),
	);
}
