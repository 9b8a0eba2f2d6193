// Exports a game: as a picture, a link, CSV, or its record (docs/game.md).
import * as api from "../app/api.js";
import { courses, scaled } from "./chart.js";
import { record } from "../games/games.js";
import { signed } from "../home/home.js";
import { address, decode, encode, shareFile, send } from "../score/share.js";
import { isRecord } from "../app/shape.js";
import { h } from "../shared/dom.js";
import { locale, number, spoken, t } from "../shared/text.js";

const LONGEST = 60_000; // characters of a link

const named = (game, kind) => `tehai-${(game.at ?? "game").slice(0, 10)}.${kind}`;

const through = async (bytes, stream) =>
	new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** Shares a link with the whole game, packed. It stands after the #, which browsers do not send to servers. */
export async function shareLink(game) {
	const bytes = new TextEncoder().encode(JSON.stringify({ at: game.at, events: record(game) }));
	return send(`${address()}#game=${encode(await through(bytes, new CompressionStream("deflate-raw")))}`);
}

/** The game of a link, replayed by the server. Throws if there is none. */
export async function linked(hash) {
	const bytes = await through(decode(hash.slice("#game=".length, LONGEST)), new DecompressionStream("deflate-raw"));
	const { at, events } = JSON.parse(new TextDecoder().decode(bytes));
	if (!isRecord(events)) throw new api.Trouble("link");
	const stands = await api.game(events, spoken());
	return { stands, game: { at: Date.parse(at) > 0 ? at : "", events: events.map((event) => ({ event })), undo: [] } };
}

export const saveRecord = (game) =>
	shareFile(
		new File(
			[
				`[\n${record(game)
					.map((event) => JSON.stringify(event))
					.join(",\n")}\n]\n`,
			],
			named(game, "json"),
			{ type: "application/json" },
		),
	);
export const saveSheet = async (game) =>
	shareFile(new File([await api.sheet(record(game))], named(game, "csv"), { type: "text/csv" }));

const [WIDTH, EDGE, LINE, CHART] = [1080, 56, 46, 420];
const FONT = 'system-ui, "Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", sans-serif';
const INK = { paper: "#0e3b2e", card: "#f8f4e8", ink: "#1d2733", soft: "#5b6673", light: "#f8f4e8", accent: "#f2c14e" };
const LINES = ["#0e6b4c", "#a3231f", "#1d56a8", "#8a5a00"];

export async function sharePicture(game, stands) {
	const canvas = h("canvas", {
		width: WIDTH,
		height: 240 + 60 * stands.ranking.length + CHART + LINE * (stands.hands.length + 1),
	});
	draw(canvas, game, stands);
	const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
	return shareFile(new File([blob], named(game, "png"), { type: "image/png" }));
}

function draw(canvas, game, stands) {
	const pen = canvas.getContext("2d");
	const write = (text, x, y, size, colour, { weight = 400, align = "left", most = WIDTH } = {}) => {
		pen.font = `${weight} ${size}px ${FONT}`;
		pen.textAlign = align;
		pen.fillStyle = colour;
		pen.fillText(text, x, y, most);
	};
	pen.fillStyle = INK.paper;
	pen.fillRect(0, 0, WIDTH, canvas.height);
	write("手牌 tehai", EDGE, 80, 36, INK.accent, { weight: 600 });
	const when = game.at ? new Date(game.at).toLocaleDateString(locale()) : "";
	write([stands.title, when].filter(Boolean).join(" · "), WIDTH - EDGE, 80, 28, INK.light, {
		align: "right",
		most: 700,
	});
	let y = 160;
	for (const { place, name, points, score } of stands.ranking) {
		write(String(place), EDGE, y, 40, INK.accent, { weight: 700 });
		write(name, EDGE + 60, y, 40, INK.light, { weight: 600, most: 480 });
		write(number(points), 800, y, 34, INK.light, { align: "right" });
		write(signed(score), WIDTH - EDGE, y, 40, INK.accent, { weight: 700, align: "right" });
		y += 60;
	}
	pen.fillStyle = INK.card;
	pen.beginPath();
	pen.roundRect(EDGE / 2, y - 20, WIDTH - EDGE, canvas.height - y - 8, 28);
	pen.fill();
	lines(pen, write, stands, y + 10);
	y += CHART + 40;
	const columns = stands.players.map(
		(_, player) => 560 + ((WIDTH - EDGE - 560) / stands.players.length) * (player + 1),
	);
	stands.players.forEach((name, player) =>
		write(name, columns[player], y, 26, LINES[player], { weight: 700, align: "right", most: 112 }),
	);
	for (const turn of stands.hands) {
		y += LINE;
		write(turn.name || t(`book.${turn.event}`), EDGE, y, 24, INK.ink, { weight: 600, most: 150 });
		write(turn.text, EDGE + 160, y, 22, INK.soft, { most: 390 });
		turn.changes.forEach(
			(change, player) =>
				change && write(signed(change), columns[player], y, 26, INK.ink, { align: "right", most: 120 }),
		);
	}
}

function lines(pen, write, stands, top) {
	const all = courses(stands);
	const { x, y, grid } = scaled(all, { left: EDGE + 90, right: WIDTH - EDGE, top: top + 20, bottom: top + CHART - 30 });
	for (const points of grid) {
		pen.fillStyle = "#d9d3c3";
		pen.fillRect(EDGE + 90, y(points), WIDTH - 2 * EDGE - 90, 1.5);
		write(number(points), EDGE + 78, y(points) + 8, 22, INK.soft, { align: "right" });
	}
	all.forEach((line, player) => {
		pen.strokeStyle = LINES[player];
		pen.lineWidth = 5;
		pen.lineJoin = "round";
		pen.beginPath();
		line.forEach((points, at) => pen.lineTo(x(at), y(points)));
		pen.stroke();
	});
}
