// The book of a game: all hands with their payments, corrections, ranking, chart, and sharing.
import { attempt } from "../app/actions.js";
import { handLine } from "../check/answer.js";
import { chart } from "./chart.js";
import { reopen } from "./booked.js";
import { day, time } from "../app/days.js";
import * as games from "../games/games.js";
import * as hand from "../app/hand.js";
import { pendingCard, ranking, signed, takeBack, undo } from "../home/home.js";
import { isRecord, isTiles } from "../app/shape.js";
import { shareLink, sharePicture, saveRecord, saveSheet } from "./sheet.js";
import { button, byId, fill, h, icon, styled } from "../shared/dom.js";
import { number, t } from "../shared/text.js";
import { change } from "../app/state.js";
import { pictures } from "../app/store.js";
import { pastGames } from "./past_games.js";

await styled("book/book.css");

const { current } = games;

let linkedGame = null; // {game, stands}: a game opened from a link, never stored
let showsPast = false; // whether the list of past games is shown instead
let message = "";
let drawing = 0; // the number of the latest drawing: a list that comes late is not drawn over it
const addresses = new Map(); // picture id to object URL

/** Shows a game from a link. */
export function look(shown) {
	linkedGame = shown;
	showsPast = false;
}

export function leave() {
	linkedGame = null;
	showsPast = false;
	message = "";
}

function backToBook() {
	showsPast = false;
	render();
}

export function render() {
	const mine = ++drawing;
	const { game, stands } = linkedGame ?? current;
	if (showsPast || !game) return pastGames(byId("book-body"), render, backToBook, () => mine === drawing);
	fill(
		byId("book-body"),
		h("p.hint", [stands.title, day(game.at)].filter(Boolean).join(" · ")),
		h("h2", t(stands.over ? "book.ranking" : "book.so_far")),
		ranking(stands),
		!stands.over && h("p.hint", stands.state),
		stands.hands.length > 0 && chart(stands),
		h(
			"div.ways.sharing",
			shareButton("picture", "picture", () => sharePicture(game, stands)),
			shareButton("link", "link", () => shareLink(game)),
			shareButton("csv", "save", () => saveSheet(game)),
			shareButton("json", "save", () => saveRecord(game)),
			shareButton("print", "book", () => print()),
		),
		h("p", { role: "status", id: "book-news" }, message),
		h("h2", t("book.hands")),
		h(
			"ol.booked-hands",
			stands.hands.map((turn, at) => entry(game, stands, turn, at + 1)),
		),
		!linkedGame && pendingCard(),
		!linkedGame &&
			h(
				"div.others",
				button(
					{ class: "quiet", key: "undo", disabled: !game.undo.length && !games.pending().length, onclick: undo },
					icon("undo"),
					t("game.undo"),
				),
				button(
					{ class: "quiet", key: "past-games", onclick: () => ((showsPast = true), render()) },
					icon("history"),
					t("game.past"),
				),
			),
	);
}

const shareButton = (key, symbol, act) =>
	button(
		{
			class: "secondary",
			key: `share-${key}`,
			onclick: () =>
				attempt(async () => {
					const result = await act();
					message = result ? t(result) : "";
					byId("book-news").textContent = message;
				}),
		},
		icon(symbol),
		t(`book.${key}`),
	);

function entry(game, stands, turn, at) {
	const { event, picture, at: when } = game.events[at];
	const hands = isRecord(event.hands) ? event.hands : [];
	const tiles = hands.filter(isTiles);
	const name = turn.name || t(`book.${turn.event}`);
	return h(
		"li.card",
		h("div.entry-head", h("strong", name), h("span.when", time(when))),
		h("p", turn.text),
		h(
			"div.entry-hand",
			picture && photo(picture, name),
			h(
				"div",
				tiles.map((one) => handLine(hand.fromRecord(one))),
			),
		),
		h(
			"ul.payments",
			stands.players.map((player, nth) =>
				h(
					"li",
					h("span", player),
					h(
						"b",
						{ class: turn.changes[nth] > 0 ? "up" : turn.changes[nth] < 0 && "down" },
						turn.changes[nth] ? signed(turn.changes[nth]) : "0",
					),
					h("span", number(turn.points[nth])),
				),
			),
		),
		!linkedGame &&
			h(
				"div.ways",
				hands.map(
					(one, nth) =>
						isTiles(one) &&
						button(
							{ class: "chip", key: `open-${at}-${nth}`, onclick: () => open(at, nth) },
							whoWon(stands, turn, one),
						),
				),
				turn.event !== "end" &&
					turn.event !== "correction" &&
					button(
						{ class: "quiet", key: `correct-${at}`, label: t("book.correct_of", { name }), onclick: () => correct(at) },
						t("book.correct"),
					),
				button(
					{
						class: "quiet",
						key: `take-back-${at}`,
						label: t("book.take_back_of", { name }),
						onclick: () => takeBack(at),
					},
					t("book.take_back"),
				),
			),
	);
}

/** The photo of a hand, loaded from the database on first use. */
function photo(id, name) {
	const image = h("img", { alt: t("book.photo", { name }), hidden: true });
	const show = (address) => {
		image.src = address;
		image.hidden = false;
	};
	if (addresses.has(id)) show(addresses.get(id));
	else
		pictures.get(id).then((blob) => {
			if (!blob) return;
			addresses.set(id, URL.createObjectURL(blob));
			show(addresses.get(id));
		});
	return image;
}

const whoWon = ({ players }, { discarder = null, table }, hand) =>
	t(discarder === null ? "game.by_tsumo" : "game.by_ron", {
		name: players[table?.seats.indexOf(games.windOf(hand))],
		from: players[discarder],
	});

/** Opens a recorded hand to change its photo, tiles, answers or winner. */
function open(at, nth) {
	return attempt(async () => {
		await games.correct(at);
		await reopen(nth);
	});
}

/** Returns to the table as it was before that hand. */
function correct(at) {
	return attempt(async () => {
		await games.correct(at);
		change({ screen: "home", claim: null });
	});
}
