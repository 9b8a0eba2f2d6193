// The score as a picture to share.
import { labels } from "../app/hand.js";
import { amountOf, payment, summary } from "./lesson.js";
import { h } from "../shared/dom.js";
import { points } from "../shared/text.js";
import { won } from "../app/state.js";

const WIDTH = 1080;
const EDGE = 64;
const FONT = 'system-ui, "Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", sans-serif';
const INK = { paper: "#0e3b2e", card: "#f8f4e8", ink: "#1d2733", soft: "#5b6673", light: "#f8f4e8", accent: "#f2c14e" };

async function loadFace(label) {
	const image = new Image();
	image.src = `tiles/${label}.svg`;
	await image.decode();
	return image;
}

/** Draws the score as a PNG. */
export async function picture({ state }) {
	const { hand, outcome, lesson } = state;
	const { result } = outcome;
	const yaku = lesson.steps
		.filter((step) => step.kind === "yaku" || step.kind === "dora")
		.flatMap((step) => step.lines)
		.filter((line) => line.amount !== null);
	const pays = payment(lesson);
	const groups = groupsOf(hand);
	const images = Object.fromEntries(
		await Promise.all([...new Set(groups.flat())].map(async (label) => [label, await loadFace(label)])),
	);
	const height = 620 + 64 * yaku.length + 56 * pays.length;
	const canvas = h("canvas", { width: WIDTH, height });
	const pen = canvas.getContext("2d");
	const write = (text, x, y, size, colour, { weight = 400, align = "left", most = WIDTH - 2 * EDGE } = {}) => {
		pen.font = `${weight} ${size}px ${FONT}`;
		pen.textAlign = align;
		pen.fillStyle = colour;
		pen.fillText(text, x, y, most);
	};
	pen.fillStyle = INK.paper;
	pen.fillRect(0, 0, WIDTH, height);
	write("手牌 tehai", EDGE, 84, 34, INK.accent, { weight: 600 });
	write(
		document.querySelector("#rules-answer option:checked")?.textContent ?? won().rules,
		WIDTH - EDGE,
		84,
		28,
		INK.light,
		{ align: "right", most: 640 },
	);
	drawTiles(pen, groups, images, EDGE, 128);
	write(points(result.points), EDGE, 410, 150, INK.light, { weight: 800 });
	write(summary(result, lesson), EDGE, 480, 40, INK.accent, { weight: 600 });
	pen.fillStyle = INK.card;
	pen.beginPath();
	pen.roundRect(EDGE / 2, 520, WIDTH - EDGE, height - 520 - EDGE / 2, 28);
	pen.fill();
	let y = 590;
	for (const line of yaku) {
		write(line.label ?? line.text, EDGE, y, 36, INK.ink, { weight: 600, most: 700 });
		write(amountOf(lesson, line.amount, line.unit), WIDTH - EDGE, y, 36, INK.ink, { align: "right", most: 220 });
		y += 64;
	}
	for (const line of pays) {
		write(line.text, EDGE, y, 30, INK.soft, { most: 720 });
		if (line.amount !== null)
			write(amountOf(lesson, line.amount, line.unit), WIDTH - EDGE, y, 32, INK.ink, {
				weight: 600,
				align: "right",
				most: 220,
			});
		y += 56;
	}
	return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** The labels of closed tiles, winning tile and melds. */
const groupsOf = (hand) =>
	[hand.closed, [hand.win].filter(Boolean), ...hand.melds.map((meld) => meld.tiles)]
		.filter((tiles) => tiles.length)
		.map(labels);

function drawTiles(pen, groups, images, left, top) {
	const gaps = 0.35 * (groups.length - 1);
	const wide = Math.min(84, (WIDTH - 2 * left) / (groups.flat().length + gaps));
	let x = left;
	for (const group of groups) {
		for (const label of group) {
			pen.drawImage(images[label], x, top, wide * 0.97, wide * 1.3);
			x += wide;
		}
		x += 0.35 * wide;
	}
}
