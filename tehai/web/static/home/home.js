// Home: the table of the current game. Without a game: start one, or score a single hand.
import { attempt, later, nextHand } from "../app/actions.js";
import * as api from "../app/api.js";
import * as claims from "../games/claim.js";
import * as games from "../games/games.js";
import * as shared from "../games/shared_game.js";
import { homeScreenHint } from "./home_screen.js";
import { announce, button, byId, fill, h, icon } from "../shared/dom.js";
import { number, t, tileName } from "../shared/text.js";
import { face } from "../shared/tiles.js";
import { app, change, go, show } from "../app/state.js";
import { isTablet, SIDES } from "../games/seats.js";
import { isAvailable } from "../take/permission.js";

const { current } = games;

// These dialogs load on first use.
const eventDialog = (name, ...values) =>
	later(
		() => import("./events.js"),
		(module) => module[name](...values),
	);
const setupDialog = (name, ...values) =>
	later(
		() => import("./setup.js"),
		(module) => module[name](...values),
	);
const newGame = (...names) => setupDialog("newGame", ...names);

const openTableCamera = () =>
	later(
		() => import("./table_camera.js"),
		(module) => module.open(declare),
	);

const reopen = (nth) =>
	later(
		() => import("../book/booked.js"),
		(module) => module.reopen(nth),
	);

export const hanAndFu = () => eventDialog("hanAndFu");

let asking = null; // {winners, who, hand}: a tap on a seat names a winner ("winner") or the discarder ("from") of this hand

export const start = () => {
	byId("act").addEventListener("close", () => {
		isFocusLost = true;
		if (app.state.screen === "home") requestAnimationFrame(restoreFocus);
	});
	byId("home").addEventListener("keydown", ({ key }) => key === "Escape" && asking && cancel());
	games.listen("changed", () => {
		if (asking?.hand !== games.handId()) asking = null;
		claims.follow();
		claims.updateFacts();
		show();
		if (current.fresh) announce(`${current.fresh.text}. ${current.stands.state}`);
	});
	games.listen("waits", sendPending);
	games.listen("overtaken", (trouble) => {
		if (byId("act").open) byId("act").close();
		if (app.state.claim || current.fix !== null) app.trouble = trouble;
	});
	api.listen("back", () => current.late && games.sendPending().catch(refused));
};
export const leave = () => (asking = null);

/** Sends the pending changes. Retries until the server answers. */
export const sendPending = () => attempt(games.sendPending, "game.booking");

const isAgreed = (at) => !games.losesEntered(app.state.claim, at) || confirm(t("game.loses"));

export const undo = async () => isAgreed() && (await games.undo()) && sendPending();

export const takeBack = (at) => isAgreed(at) && games.takeBack(at).then(sendPending);

function refused(trouble) {
	if (trouble.kind !== "offline") app.trouble = trouble;
	show();
}

function cancel() {
	asking = null;
	show();
	byId("home-body").querySelector('[data-key="won"]')?.focus({ preventScroll: true }); // taps on seats have changed their meaning
}

export function render({ state }) {
	const { game, stands } = current;
	document.body.classList.toggle("in-game", Boolean(game));
	byId("home-title").textContent = game ? stands.title : t("game.welcome");
	byId("home-title").classList.toggle("visually-hidden", Boolean(game));
	const hadFocus = byId("home-body").contains(document.activeElement);
	fill(byId("home-body"), !game ? welcome() : games.isOver() ? over() : table(state));
	if (hadFocus || isFocusLost) restoreFocus();
}

let isFocusLost = false; // the dialog that had the focus has closed

/** Restores a lost focus: to a seat while one is asked for, else to the next action. */
function restoreFocus() {
	isFocusLost = false;
	if (document.activeElement !== document.body) return;
	const next = byId("home-body").querySelector(asking ? ".seat:not(:disabled)" : ".deeds button, .stack button");
	next?.focus({ preventScroll: true });
}

const small = (key, symbol, onclick, more) =>
	button({ class: "quiet", key, onclick, ...more }, icon(symbol), t(`game.${key}`));
const big = (key, symbol, act, look = "secondary") => small(key, symbol, act, { class: `${look} big` });

function welcome() {
	return [
		h("p.hint", t("game.about")),
		h(
			"div.stack",
			big("new", "table", () => newGame(), "primary"),
			big("one", "camera", oneHand),
			big("past", "book", () => go("book")),
			big("learn", "learn", () => go("learn")),
		),
		shared.joinable(),
		homeScreenHint(),
	];
}

/** Starts a hand outside the game. */
function oneHand() {
	if (app.state.claim) claims.drop();
	return nextHand();
}

function table(state) {
	if (isTablet() && tablet)
		return tablet.tabletTable({
			asking,
			ask,
			declare,
			tapped,
			undo,
			middle: middle(),
			actions: actions(state),
			signed,
		});
	if (isTablet()) bringTablet();
	return [
		correcting(),
		h(
			"div.round-table",
			{
				role: "group",
				label: t("game.table"),
				data: { players: games.hand().table.seats.length, booked: current.game.events.length - 1 },
			},
			seats(),
			middle(),
		),
		actions(state),
		foot(),
	];
}

let tablet = null; // the module of tablet mode, once loaded

const bringTablet = () =>
	later(
		() => import("./tablet.js"),
		(module) => {
			tablet = module;
			show();
		},
	);

function correcting() {
	if (current.fix === null) return null;
	const { name, text } = current.stands.hands[current.fix - 1];
	const { hands = [] } = current.game.events[current.fix].event;
	const { seats } = games.hand().table;
	const again = hands.map((hand, nth) => {
		const player = current.stands.players[seats.indexOf(games.windOf(hand))];
		return (
			hand.concealed &&
			button(
				{ class: "quiet", key: `tiles-again-${nth}`, onclick: () => reopen(nth) },
				t(hands.length > 1 ? "game.tiles_again_of" : "game.tiles_again", { name: player }),
			)
		);
	});
	return h(
		"div.card.correcting",
		h("p", h("b", t("game.correcting", { name })), " ", text),
		h(
			"div.ways",
			again,
			button({ class: "quiet", key: "leave-correction", onclick: games.leaveCorrection }, t("game.leave")),
		),
	);
}

function seats() {
	const { table } = games.hand();
	const names = current.stands.players;
	const shown = games.shownPoints();
	return table.seats.map((wind, player) => {
		const isInRiichi = current.declared.includes(player);
		const points = shown[player];
		const change = current.fresh?.pays.players[player];
		const text = { name: names[player], wind: t(`game.wind.${wind}`), points: number(points) };
		const label = [
			t("game.seat", text),
			isInRiichi && t("game.declared"),
			change && t("game.moved", { n: signed(change) }),
			t(tapMeaning(player)),
		]
			.filter(Boolean)
			.join(", ");
		const look = {
			class: `seat ${SIDES[table.seats.length][player]}`,
			key: `seat-${player}`,
			data: { dealer: wind === "E" ? "yes" : "" },
		};
		return button(
			{
				...look,
				label,
				pressed: asking ? null : isInRiichi,
				disabled: Boolean(asking?.who === "winner" && asking.winners.includes(player)),
				onclick: () => tapped(player),
			},
			h("span.wind", { "aria-hidden": "true" }, "東南西北"["ESWN".indexOf(wind)]),
			h("span.name", text.name),
			h("span", { class: points < 0 ? "have below" : "have" }, number(points)),
			isInRiichi && h("span.stick", { "aria-hidden": "true" }),
			change ? pointChange(change) : null,
		);
	});
}

let animation = { of: null, began: 0 }; // the event whose point changes are animated, and the start time

/** The point change of the last hand. A redraw continues the animation where it was. */
function pointChange(change) {
	if (animation.of !== current.fresh) animation = { of: current.fresh, began: performance.now() };
	const badge = h("span", { class: change > 0 ? "moved up" : "moved" }, signed(change));
	badge.style.animationDelay = `${animation.began - performance.now()}ms`;
	return badge;
}

export const signed = (points) => (points > 0 ? `+${number(points)}` : number(points));

/** What a tap on this seat does now. */
function tapMeaning(player) {
	if (!asking)
		return isWin(player)
			? "game.tap.won"
			: current.declared.includes(player)
				? "game.tap.take_back"
				: "game.tap.riichi";
	return asking.who === "winner"
		? "game.tap.won"
		: asking.winners.includes(player)
			? "game.tap.tsumo"
			: "game.tap.discarded";
}

/** Whether a tap on this seat means a win: the player is in riichi. */
const isWin = (player) => !app.state.claim && current.declared.includes(player);

function tapped(player) {
	if (!asking) return isWin(player) ? ask("from", [player]) : declare(player);
	if (asking.who === "winner") ask("from", [...asking.winners, player]);
	else if (!asking.winners.includes(player)) finish(player);
	else if (asking.winners.length === 1) finish(null);
}

/** Declares riichi, or takes it back. */
function declare(player) {
	const { players } = current.stands;
	const { points, may_riichi: may } = games.hand().table;
	if (!current.declared.includes(player) && may && !may[player]) {
		app.trouble = new api.Trouble(
			"refused",
			t("game.riichi_poor", { name: players[player], points: number(points[player]), rules: current.stands.title }),
		);
		return show();
	}
	app.trouble = null;
	games.declare(player);
	announce(`${players[player]}: ${t(current.declared.includes(player) ? "game.declared" : "game.tap.taken_back")}`);
}

function ask(who, winners) {
	asking = { who, winners, hand: games.handId() };
	show();
	announce(question());
}

function finish(from) {
	const { winners } = asking;
	asking = null;
	const { hands = [] } = current.fix === null ? {} : current.game.events[current.fix].event;
	// Only the winner changes: keep the recorded tiles.
	if (winners.length === 1 && hands.length === 1 && hands[0].concealed)
		return reopen(0).then(() => claims.changeWinner({ winner: winners[0], from }));
	claims.claim(winners, from);
}

function noRiichi() {
	const [player] = asking.winners;
	cancel();
	declare(player);
}

function photoFirst() {
	asking = null;
	claims.claimLater();
}

const listed = (players) => players.map((player) => current.stands.players[player]).join(t("game.and"));
const question = () =>
	asking.who === "winner"
		? t(asking.winners.length ? "game.who_else" : "game.who")
		: t("game.from", { name: listed(asking.winners) });

function middle() {
	const { table, name } = games.hand();
	if (asking) return h("div.middle", h("strong.question-now", question()));
	const sticks = table.riichi_sticks + current.declared.length;
	return h(
		"div.middle",
		h("strong", current.late && current.fix === null ? t("noted.after", { name, n: games.pending().length }) : name),
		h("span", t("game.counters", { n: table.honba })),
		h("span.bets", h("span.stick", { "aria-hidden": "true" }), t("game.bets", { n: sticks })),
		current.fix === null && dora(),
	);
}

/** The dora indicators, as a button to edit them. */
function dora() {
	const tiles = games.turnedDora();
	return button(
		{
			class: "turned",
			key: "dora",
			label: t("game.dora_is", { tiles: tiles.map(tileName).join(t("game.and")) || t("answer.none") }),
			onclick: () => eventDialog("openDora"),
		},
		tiles.length ? tiles.map((label) => face(label, { "aria-hidden": "true" })) : t("game.dora"),
	);
}

function actions(state) {
	if (state.claim) return winInProgress(state.claim);
	const actionButton = (key, look, onclick) => button({ class: look, key, onclick }, t(`game.${key}`));
	if (asking) {
		const { who, winners } = asking;
		const more = who === "from" && winners.length < games.hand().may.winners;
		return h(
			"div.deeds",
			who === "from" && winners.length === 1 && actionButton("tsumo", "primary", () => finish(null)),
			more && actionButton("another", "secondary", () => ask("winner", winners)),
			who === "winner" && !winners.length && actionButton("photo_first", "secondary", photoFirst),
			who === "from" && winners.length === 1 && isWin(winners[0]) && actionButton("no_riichi", "secondary", noRiichi),
			actionButton("cancel", "quiet", cancel),
		);
	}
	return h(
		"div.deeds",
		actionButton("won", "primary", () => ask("winner", [])),
		actionButton("draw", "secondary", () => eventDialog("openDraw")),
		actionButton("more", "secondary", () => eventDialog("openMore", () => setupDialog("changeSeats"))),
	);
}

/** A win that is being entered: continue, or cancel. */
function winInProgress(one) {
	const { hand } = app.state;
	const on = () => change({ screen: hand ? "check" : "take" });
	return h(
		"div.card",
		h("p", winText(one)),
		h(
			"div.deeds",
			button({ class: "primary", key: "go-on", onclick: on }, t("game.go_on")),
			button({ class: "quiet", key: "drop", onclick: claims.drop }, t("game.drop")),
		),
	);
}

export function winText(one) {
	if (!claims.hasPlayers(one)) return t("who.open");
	const names = current.stands.players;
	return t(one.from === null ? "game.by_tsumo" : "game.by_ron", {
		name: names[claims.winner(one)],
		from: names[one.from],
	});
}

function foot() {
	const booked = current.fresh && h("p.booked", current.fresh.text);
	return [
		booked,
		pendingCard(),
		shared.shareStatus(),
		h(
			"div.others",
			small("undo", "undo", undo, { disabled: !current.game.undo.length && !games.pending().length }),
			small("book", "book", () => go("book")),
			isAvailable() && !games.isOver() && small("watch", "watch", openTableCamera),
			small("one", "camera", oneHand),
		),
	];
}

/** Changes that wait for the server. Until it answers, the points shown do not include them. */
export function pendingCard() {
	const all = games.pending();
	if (!current.late || !all.length) return null;
	const isOvertaken = !games.isApplicable(all[0]);
	const one = ({ id, text }, at) =>
		h(
			"li",
			h("span", text),
			button(
				{ class: "quiet", key: `noted-drop-${at}`, label: t("noted.drop_of", { text }), onclick: () => games.drop(id) },
				t("noted.drop"),
			),
		);
	const now = async () => {
		await games.renumber();
		return sendPending();
	};
	return h(
		"section.card.noted",
		{ label: t("noted.title") },
		h("h2", t("noted.title")),
		h("p.hint", t(isOvertaken ? "noted.overtaken" : "noted.why")),
		h("ol", all.map(one)),
		button({ class: "secondary", key: "noted-now", onclick: now }, t("noted.now")),
	);
}

function over() {
	return [
		h("h2.ended", t("game.over")),
		ranking(current.stands),
		h(
			"div.stack",
			big("book", "book", () => go("book"), "primary"),
			big("again", "table", () => setupDialog("again")),
			big("new", "table", () => newGame(current.stands.players)),
			big("learn", "learn", () => go("learn")),
		),
		foot(),
	];
}

/** Places, points, and final scores with uma and oka. */
export const ranking = ({ ranking: list, sticks, over: isOver, state }) => {
	const chips = list.some((one) => one.chips);
	return h(
		"div",
		h(
			"table.ranking",
			h(
				"thead",
				h(
					"tr",
					["place", "player", "points", chips && "chips", "score"]
						.filter(Boolean)
						.map((name) => h("th", { scope: "col" }, t(`game.head.${name}`))),
				),
			),
			h(
				"tbody",
				list.map((one) =>
					h(
						"tr",
						h("td", String(one.place)),
						h("th", { scope: "row" }, one.name),
						h("td", number(one.points)),
						chips && h("td", signed(one.chips)),
						h("td", h("strong", signed(one.score))),
					),
				),
			),
		),
		sticks > 0 && isOver && h("p.hint", state),
	);
};
