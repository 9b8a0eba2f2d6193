// Table camera: reads the discards frame by frame and draws them over the picture. It proposes riichi for a sideways
// discard, and does nothing else.
import * as api from "../app/api.js";
import { frame, outline, toBlob } from "../app/photo.js";
import { app, listen, show } from "../app/state.js";
import { settings } from "../app/store.js";
import { awake } from "../app/wake_lock.js";
import * as games from "../games/games.js";
import { isTablet } from "../games/seats.js";
import { announce, button, byId, fill, h, icon, styled } from "../shared/dom.js";
import { speak, spoken, t, tileName, wanted } from "../shared/text.js";
import { face } from "../shared/tiles.js";
import { Live } from "../take/camera.js";
import { answered, follow, playerAt, proposals, riversOf, SIDES, start } from "./riichi_watch.js";

await Promise.all([styled("home/table_camera.css"), speak(wanted(settings.lang), "watch.")]);

const { current } = games;
const PAUSE = 3000; // milliseconds between an answer and the next frame
const INKS = ["#35d07f", "#ffcf3f", "#52b6ff", "#e58cff"]; // one colour per player
const STORAGE_KEY = "tehai-nearest"; // key in sessionStorage: {game, player}
const BUZZ = 40; // milliseconds

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** Sends whole frames, each after the answer to the one before. */
class TableCamera extends Live {
	#turn = Promise.resolve();

	loop(stream) {
		this.#turn = this.#turn.then(() => this.#read(stream));
	}

	async #read(stream) {
		while (this.stream === stream) {
			if (!document.querySelector("dialog[open]")) await this.#frame(stream); // skips frames while a dialog is open, which may need the server
			await pause();
		}
	}

	async #frame(stream) {
		const found = await this.#found().catch((error) => ({ error }));
		if (this.stream !== stream) return;
		if (found.error) this.lost(found.error);
		else this.seen(found);
	}

	async #found() {
		return api.find(await toBlob(frame(this.video), 0.85), { table: "yes" });
	}
}

const video = h("video", { playsinline: true, muted: true });
const overlay = h("canvas", { "aria-hidden": "true" });
const nearestPanel = h("div");
const proposalPanel = h("div", { role: "group" });
const status = h("p.hint", { role: "status" });
const list = h("ul.watched");
const title = h("h2", { id: "watch-title", tabindex: "-1" });
const end = button({ class: "tool", key: "watch-close", onclick: close }, icon("close"));
const panel = h(
	"section.card.watch",
	{ id: "watch", "aria-labelledby": "watch-title" },
	h("div.watch-head", title, end),
	nearestPanel,
	proposalPanel,
	h("div.watch-picture", video, overlay),
	status,
	list,
);
const camera = new TableCamera(video, overlay, { seen, lost });

let declare = null; // declares a player's riichi
let isOpen = false;
let watch = start(null);
let last = null; // the server's last answer
let shownProposals = null; // the proposals on screen, as JSON

const hand = () => `${current.game.id} ${games.handsPlayed()}`;
const isPlayed = () => isOpen && app.state.screen === "home" && !document.hidden;

/** Whether the frames show the current hand: no win is being entered and no hand corrected. */
const isCurrentHand = () => current.fix === null && !app.state.claim;

const storedNearest = () => JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null");

/** Who sits nearest to the camera; null if not yet chosen in this game. */
function nearest() {
	const one = storedNearest();
	return one && one.game === current.game.id ? one.player : null;
}

/** Opens the camera. `riichi` declares a player's riichi. */
export function open(riichi) {
	declare = riichi;
	if (!isOpen) {
		isOpen = true;
		last = null;
		status.textContent = t("watch.starts");
		byId("home-body").before(panel);
	}
	changed();
	(nearestPanel.querySelector("button.chip") ?? title).focus();
}

function close() {
	isOpen = false;
	stopCamera();
	panel.remove();
	byId("home-body").querySelector('[data-key="watch"]')?.focus();
}

function stopCamera() {
	camera.stop();
	awake("table", false);
}

/** Runs the camera only while the table is shown. */
async function startCamera() {
	if (!isPlayed()) return stopCamera();
	if (camera.wanted) return;
	awake("table", true);
	try {
		await camera.start();
		if (camera.running && !last) status.textContent = t("watch.reads");
	} catch (error) {
		close();
		app.trouble = { kind: error.name === "NotAllowedError" ? "camera_denied" : "camera_none" };
		show();
	}
}

function seen(found) {
	last = found;
	const advice = found.advice[0]?.id;
	status.textContent = !found.rivers.length
		? t(advice ? `advice.${advice}` : "watch.none")
		: nearest() === null
			? ""
			: t("watch.follows");
	if (isCurrentHand()) read(rivers());
	render();
}

function read(rivers) {
	watch = follow(watch, { hand: hand(), rivers, declared: current.declared, at: Date.now() });
}

function lost(error) {
	status.textContent = t(error.kind === "offline" ? "trouble.offline" : "watch.slow");
}

const rivers = () => (last && nearest() !== null ? riversOf(last, nearest(), names().length) : []);
const names = () => current.stands.players;

function render() {
	title.textContent = t("watch.title");
	proposalPanel.setAttribute("aria-label", t("watch.title"));
	end.setAttribute("aria-label", t("watch.close"));
	fill(nearestPanel, nearest() === null ? question() : nearestPlayer());
	renderProposals();
	fill(list, nearest() !== null && last && playersInTurn().map(row));
	draw();
}

function question() {
	const chip = (player, text) =>
		button({ class: "chip", key: `nearest-${player}`, onclick: () => choose(player) }, text);
	return h(
		"fieldset",
		h("legend", t("watch.who")),
		h(
			"div.chips",
			names().map((name, player) => chip(player, name)),
			names().length < SIDES.length && chip(names().length, t("watch.nobody")),
		),
	);
}

function nearestPlayer() {
	const name = names()[nearest()];
	return h(
		"p.nearest",
		h("span", name ? t("watch.nearest", { name }) : t("watch.nearest_nobody")),
		button({ class: "quiet", key: "nearest-change", onclick: () => choose(null) }, t("watch.change")),
	);
}

function choose(player) {
	sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ game: current.game.id, player }));
	watch = start(hand());
	render();
	(nearestPanel.querySelector("button.chip") ?? title).focus();
}

/** The players in seat order, the nearest first. */
const playersInTurn = () =>
	SIDES.map((side) => playerAt(side, nearest(), names().length)).filter((player) => player !== null);

function row(player) {
	const river = rivers().find((one) => one.player === player);
	const many = river?.tiles.length;
	const turned = river && river.turned !== null && river.tiles[river.turned].label;
	const swatch = h("span.swatch", { "aria-hidden": "true" });
	swatch.style.background = INKS[player];
	return h(
		"li",
		swatch,
		h("b", names()[player]),
		h(
			"span",
			many ? t(many === 1 ? "watch.one_discard" : "watch.discards", { n: many }) : t("watch.unseen"),
			turned && t("watch.turned", { tile: tileName(turned) }),
		),
		river &&
			h(
				"span.row",
				{ "aria-hidden": "true" },
				river.tiles.map(({ label }, nth) => face(label, nth === river.turned ? { class: "tile lying" } : {})),
			),
	);
}

/** Shows the riichi proposals. Unchanged buttons are not redrawn, so that a press is not lost. */
function renderProposals() {
	const all = isCurrentHand() ? proposals(watch, current.declared) : [];
	const now = JSON.stringify([all, spoken()]);
	if (now === shownProposals) return;
	const isNew = all.length > JSON.parse(shownProposals ?? "[[]]")[0].length;
	shownProposals = now;
	const hadFocus = proposalPanel.contains(document.activeElement);
	const sentences = all.map(({ player, label }) =>
		t("watch.proposal", { name: names()[player], tile: tileName(label) }),
	);
	fill(
		proposalPanel,
		all.map(({ player, label }, at) =>
			h(
				"div.proposal",
				h("p", face(label, { "aria-hidden": "true", class: "tile lying" }), h("b", sentences[at])),
				h(
					"div.answers",
					button(
						{
							class: "primary",
							key: `watch-riichi-${player}`,
							label: t("watch.riichi_of", { name: names()[player] }),
							onclick: () => answer(player, true),
						},
						t("watch.riichi"),
					),
					button(
						{
							class: "secondary",
							key: `watch-no-${player}`,
							label: t("watch.no_of", { name: names()[player] }),
							onclick: () => answer(player, false),
						},
						t("watch.no"),
					),
				),
			),
		),
	);
	if (hadFocus && !proposalPanel.contains(document.activeElement))
		(proposalPanel.querySelector("button") ?? title).focus();
	if (!isNew) return;
	announce(sentences.at(-1));
	navigator.vibrate?.(BUZZ);
}

function answer(player, isRiichi) {
	watch = answered(watch, player);
	if (isRiichi && !current.declared.includes(player)) declare(player);
	else render();
}

/** Draws each player's discards over the picture, in the player's colour and with the name. */
function draw() {
	if (!last || !camera.running) return;
	const { width, height } = last;
	Object.assign(overlay, { width, height });
	const pen = overlay.getContext("2d");
	const unit = width / 800;
	for (const { player, tiles, turned } of rivers()) {
		outline(
			pen,
			tiles.map(({ quad }, nth) => ({
				quad,
				colour: INKS[player],
				width: nth === turned ? 5 : 2,
				dashed: nth === turned,
			})),
			1,
			unit,
		);
		const corners = tiles.flatMap(({ quad }) => quad);
		const least = (axis) => Math.min(...corners.map((corner) => corner[axis]));
		label(pen, names()[player], INKS[player], Math.max(0, least(0)), Math.max(0, least(1) - 26 * unit), unit);
	}
}

function label(pen, text, colour, x, y, unit) {
	pen.font = `700 ${17 * unit}px ${getComputedStyle(panel).fontFamily}`;
	const wide = Math.min(pen.measureText(text).width, 180 * unit);
	pen.fillStyle = colour;
	pen.fillRect(x, y, wide + 12 * unit, 24 * unit);
	pen.fillStyle = "#10181a";
	pen.fillText(text, x + 6 * unit, y + 18 * unit, wide);
}

function changed() {
	if (!isOpen) return;
	if (!current.game || games.isOver() || isTablet()) return close();
	if (watch.hand !== hand()) read([]);
	render();
	startCamera();
}

listen("changed", changed);
document.addEventListener("visibilitychange", () => isOpen && startCamera());
