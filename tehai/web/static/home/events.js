// Dialogs for events besides a photographed win: exhaustive draw, abortive draw, chombo, and a value declared without
// tiles.
import { attempt } from "../app/actions.js";
import * as api from "../app/api.js";
import * as booked from "../book/booked.js";
import * as claims from "../games/claim.js";
import * as games from "../games/games.js";
import { payments } from "../games/payments.js";
import { isLarge } from "../games/seats.js";
import { open, scaled, toBlob } from "../app/photo.js";
import { button, byId, fill, h, icon } from "../shared/dom.js";
import { FACES, plain } from "../shared/labels.js";
import { number, t, tileName } from "../shared/text.js";
import { face, plainKeypad } from "../shared/tiles.js";
import { app, show } from "../app/state.js";
import { choose } from "../app/store.js";

const { current } = games;

let drawn = null; // `draw` of the latest dialog

games.listen("changed", () => byId("act").open && current.game && games.hand().table && drawn?.()); // points and winds may be others now

/** Opens the shared event dialog. `body` returns its content and may call `draw` to redraw it. It names seats and points
 * only while it draws: both may change while the dialog is open. */
export function dialog(title, body) {
	const draw = () => drawn === draw && fill(byId("act-body"), body(draw, close)); // not over a later dialog
	drawn = draw;
	byId("act-title").textContent = title;
	draw();
	if (!byId("act").open) byId("act").showModal();
}

export const close = () => byId("act").close();

const chip = (key, text, pressed, act, more = {}) =>
	button({ class: "chip", key, pressed, onclick: act, ...more }, text);
const capital = (label) => label[0].toUpperCase() + label.slice(1); // the server writes labels in lower case
const toggled = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);
const names = () => current.stands.players;

const group = (title, ...children) => h("fieldset", h("legend", title), h("div.chips", children));

/** The "Record it" button with a preview of the payments above it. `show` takes the event to preview, or null if it is
 * incomplete. */
function recordBar(text, act) {
	const send = button({ class: "primary big", key: "book-it", disabled: true, onclick: act }, text);
	const says = h("p.foretold", { role: "status" });
	let last = null; // the latest event to preview
	const show = async (event) => {
		last = event;
		send.disabled = true;
		says.textContent = event ? t("pays.wait") : "";
		says.classList.remove("wrong");
		if (!event) return;
		const found = await games.preview(event).then(
			(turn) => ({ turn }),
			(trouble) => ({ trouble }),
		);
		if (last !== event) return;
		const { turn, trouble } = found;
		const isRefused = Boolean(trouble) && trouble.kind !== "offline";
		says.classList.toggle("wrong", isRefused);
		says.textContent = turn
			? [turn.said, payments(current.stands, turn)].filter(Boolean).join(": ")
			: isRefused
				? games.refusal(trouble)
				: t("pays.later");
		send.disabled = isRefused;
	};
	return { element: h("div.booking", says, send), show };
}

/** The same for an event that is already complete. */
function completeRecordBar(event, text = t("game.book_it"), act = () => book(event)) {
	const { element, show } = recordBar(text, act);
	show(event);
	return element;
}

/** Records an event of the game. */
async function book(event) {
	close();
	await games.book(event);
	return attempt(games.sendPending, "game.booking");
}

/** Players whose riichi stick is on the table. After an abortive draw by four riichi: all of them. */
const riichiPlayers = (kind) => (kind === "four_riichi" ? names().map((_, player) => player) : current.declared);

/** Asks who is tenpai, after an exhaustive draw (`kind` is null) or an abortive draw. */
export function openDraw(kind = null) {
	const declared = riichiPlayers(kind);
	const { may } = games.hand();
	const old = current.fix === null ? null : current.stands.hands[current.fix - 1];
	const dead = old?.dead ?? []; // only a loaded record has such hands
	let tenpai = [...new Set([...declared, ...(old?.tenpai ?? [])])].filter((player) => !dead.includes(player));
	let nagashi = old?.nagashi ?? [];
	const event = () => ({
		...(kind
			? { event: "abort", kind }
			: { event: "draw", nagashi: games.seatsOf(nagashi), ...(dead.length && { dead: games.seatsOf(dead) }) }),
		tenpai: games.seatsOf(tenpai),
		declared: games.seatsOf(declared),
	});
	dialog(kind ? capital(may.abort.find((one) => one.id === kind).label) : t("game.draw"), (draw) => {
		const all = names().map((name, player) => ({ name, player }));
		const pick = (key, list, set, isFixed) =>
			all.map(({ name, player }) =>
				chip(
					`${key}-${player}`,
					name,
					list.includes(player),
					() => {
						set(toggled(list, player));
						draw();
					},
					{ disabled: isFixed(player) },
				),
			);
		return [
			group(
				t("game.ready"),
				pick(
					"ready",
					tenpai,
					(list) => (tenpai = list),
					(player) => dead.includes(player) || ((!kind || kind === "four_riichi") && declared.includes(player)),
				),
			),
			!kind &&
				may.nagashi &&
				group(
					t("game.nagashi"),
					pick(
						"nagashi",
						nagashi,
						(list) => (nagashi = list),
						(player) => dead.includes(player),
					),
				),
			completeRecordBar(event()),
		];
	});
}

/** Asks to confirm an event that needs no further input. */
const openConfirmation = (title, event) => dialog(title, () => [completeRecordBar(event())]);

/** Rare events, and the end of the game. */
export function openMore(changeSeats) {
	const { may } = games.hand();
	const declared = (kind) => games.seatsOf(riichiPlayers(kind));
	dialog(t("game.more"), () => [
		may.abort.length > 0 &&
			group(
				t("game.abort"),
				may.abort.map(({ id, label }) =>
					chip(`abort-${id}`, capital(label), null, () =>
						may.abort_asks_tenpai
							? openDraw(id)
							: openConfirmation(capital(label), () => ({ event: "abort", kind: id, declared: declared(id) })),
					),
				),
			),
		group(
			t("game.chombo"),
			names().map((name, player) =>
				chip(`chombo-${player}`, name, null, () =>
					chombo(() => ({ event: "chombo", seat: games.seatsOf([player])[0], declared: declared() }), name),
				),
			),
		),
		h(
			"div.ways",
			button({ class: "secondary", key: "points", onclick: openPoints }, t("game.points")),
			current.fix === null && button({ class: "secondary", key: "seats", onclick: changeSeats }, t("game.seats")),
			current.fix === null &&
				isLarge() &&
				button({ class: "secondary", key: "tablet", onclick: enterTablet }, t("game.tablet")),
			current.fix === null &&
				button(
					{ class: "secondary", key: "end", onclick: () => confirm(t("game.end_sure")) && book({ event: "end" }) },
					t("game.end"),
				),
			button({ class: "quiet", key: "close-game", onclick: putAway }, t("game.put_away")),
		),
	]);
}

const PENALTY = 20000; // the usual fixed chombo penalty, in points

/** Records a chombo. Asks for the penalty if the rules do not define one. */
function chombo(event, name) {
	if (games.hand().may.chombo !== "none") return openConfirmation(t("game.chombo_of", { name }), event);
	let penalty = null;
	const points = h("input", { type: "text", id: "penalty", inputmode: "numeric", value: PENALTY });
	const withPenalty = () => ({
		...event(),
		penalty,
		...(penalty === "points" ? { points: Number(points.value) } : {}),
	});
	const isValid = () =>
		penalty === "reverse_mangan" ||
		(penalty === "points" && Number(points.value) > 0 && Number(points.value) % 100 === 0);
	dialog(t("game.chombo_of", { name }), (draw) => {
		const { element, show } = recordBar(t("game.book_it"), () => book(withPenalty()));
		const update = () => show(isValid() ? withPenalty() : null);
		points.oninput = update;
		update();
		const penaltyChip = (id) =>
			chip(`penalty-${id}`, t(`game.penalty.${id}`), penalty === id, () => ((penalty = id), draw()));
		return [
			h("p.hint", t("game.penalty_asked", { rules: current.stands.title })),
			group(t("game.penalty"), ["reverse_mangan", "points"].map(penaltyChip)),
			penalty === "points" && h("label.setup", h("span", t("game.penalty_points")), points),
			element,
		];
	});
}

/** Switches to tablet mode: one device in the middle of the table. */
function enterTablet() {
	close();
	choose({ tablet: true });
	document.documentElement.requestFullscreen?.().catch(() => {}); // not available on an iPhone
	show();
}

/** Closes the game. It stays in the list of past games. */
function putAway() {
	close();
	if (app.state.claim) claims.drop();
	games.close();
}

/** Corrects the points, for example after a referee's decision or a count of the sticks. */
function openPoints() {
	if (games.pending().length) return dialog(t("game.points"), () => [h("p.hint", t("game.points_later"))]); // pending changes: these points are out of date
	const before = games.shownPoints;
	const all = (values) => values.reduce((sum, one) => sum + one, 0);
	const inputs = before().map((points, player) =>
		h("input", { type: "text", id: `points-${player}`, inputmode: "numeric", value: Math.abs(points) }),
	);
	// the number pad of an iPhone has no minus
	const minus = before().map((points, player) =>
		button(
			{
				class: "chip minus",
				key: `minus-${player}`,
				label: t("game.below_0", { name: names()[player] }),
				pressed: points < 0,
				onclick: () => flip(player),
			},
			"−",
		),
	);
	const isBelow = (player) => minus[player].getAttribute("aria-pressed") === "true";
	const sum = h("p.hint", { role: "status" });
	const values = () => inputs.map(({ value }, player) => Number(value) * (isBelow(player) ? -1 : 1));
	const changes = () => values().map((points, player) => points - before()[player]);
	const event = () => ({ event: "correction", changes: changes(), note: "" });
	const { element, show } = recordBar(t("game.book_it"), () => book(event()));
	const update = () => {
		const now = all(values());
		const isWhole = values().every((points) => points % 100 === 0);
		sum.textContent = isWhole
			? t(now === all(before()) ? "game.sum_right" : "game.sum", { n: number(now), of: number(all(before())) })
			: t("game.sum_hundreds");
		show(!isWhole || now !== all(before()) || !changes().some(Boolean) ? null : event());
	};
	const flip = (player) => {
		minus[player].setAttribute("aria-pressed", String(!isBelow(player)));
		update();
	};
	inputs.forEach((input) => input.addEventListener("input", update));
	dialog(t("game.points"), () => {
		update();
		return [
			h("p.hint", t("game.points_why")),
			inputs.map((input, player) => h("div.total", h("label.setup", h("span", names()[player]), input), minus[player])),
			sum,
			element,
		];
	});
}

// --- dora indicators ---

const MOST_INDICATORS = 5;
const LONGEST = 1600; // pixels of a photo of the indicators

/** Edits the turned dora indicators. Each change takes effect at once, for every win of this hand. */
export function openDora() {
	let status = "";
	dialog(t("game.dora"), (draw) => {
		const turned = games.turnedDora();
		const put = async (tiles, said = "") => {
			status = said;
			await games.turnDora(tiles);
			draw();
		};
		const photograph = ({
			target: {
				files: [file],
			},
		}) =>
			file &&
			attempt(async () => {
				const id = games.handId();
				const seen = await indicators(file);
				if (id !== games.handId()) return; // of an earlier hand
				const right = seen.length > 0 && seen.length <= MOST_INDICATORS;
				return put(right ? seen : games.turnedDora(), right ? t("game.dora_check") : t("game.dora_unseen"));
			}, "busy.reading");
		return [
			h("p.hint", t("game.dora_why")),
			turned.length > 0 &&
				h(
					"div.picked",
					turned.map((label, at) =>
						button(
							{
								class: "key",
								key: `turned-${at}`,
								label: t("answer.without", { tile: tileName(label) }),
								onclick: () => put(turned.toSpliced(at, 1)),
							},
							face(label),
						),
					),
				),
			h("p", { role: "status" }, status),
			h(
				"label.secondary.upload",
				h("input.visually-hidden", {
					type: "file",
					id: "dora-photo",
					accept: "image/*",
					capture: "environment",
					onchange: photograph,
				}),
				icon("camera"),
				h("span", t("game.dora_photo")),
			),
			turned.length < MOST_INDICATORS &&
				plainKeypad((label) => put([...games.turnedDora(), label].slice(0, MOST_INDICATORS))), // not `turned`: a quick tap adds to the one before
			button({ class: "primary big", key: "dora-done", onclick: close }, t("answer.done")),
		];
	});
}

/** The faces in a photo of the dead wall, from left to right. */
async function indicators(file) {
	const photo = await open(file);
	if (!photo) return [];
	const { tiles } = await api.find(
		await toBlob(scaled(photo.picture, photo.picture.width, photo.picture.height, LONGEST)),
		{ table: "yes" },
	);
	const sumX = ({ quad }) => quad.reduce((sum, [x]) => sum + x, 0);
	const faces = tiles.filter(({ label }) => FACES.includes(label));
	const dora = faces.filter(({ role }) => role === "dora"); // set if the photo also shows a hand
	return (dora.length ? dora : faces).sort((one, other) => sumX(one) - sumX(other)).map(({ label }) => plain(label));
}

// --- a value declared without tiles ---

const MOST_HAN = 4; // more are a limit
const MOST_HAN_WITHOUT_LIMITS = 30;

/** Asks for the value of the current win: han and fu, a limit, or yakuman. */
export function hanAndFu() {
	const one = app.state.claim;
	let value = {};
	const player = claims.winner(one);
	const winner = names()[player];
	const {
		may: { limits, fu: all, yakuman = 2, liable = [], liable_whole_hand },
		table,
	} = games.hand(); // a game saved by an older page lacks yakuman and liability
	const hans = Array.from({ length: limits.length ? MOST_HAN : MOST_HAN_WITHOUT_LIMITS }, (_, at) => at + 1);
	const method = one.from === null ? "tsumo" : "ron";
	const leastHan = new Map(
		all.map(({ fu, [method]: usual, [`riichi_${method}`]: declared = usual }) => [
			fu,
			one.facts.riichi ? declared : usual,
		]),
	); // fu to the least han; null if no hand has this fu
	const minimumHan = table.least_han?.[player] ?? 1;
	const dealer = booked.dealerToAsk(one);
	const setDealerTenpai = (isTenpai, draw) => () => {
		booked.setDealerTenpai(isTenpai);
		draw();
	};
	const isPartlyLiable = () => value.pao && value.yakuman > 1 && !liable_whole_hand; // liability may cover only some of the yakuman
	const isComplete = () =>
		booked.isDealerKnown(app.state.claim) &&
		(!isPartlyLiable() || value.liable) &&
		(value.limit || value.yakuman || (value.han && value.fu));
	const times = (n) => (n > 1 ? t("game.yakuman_times", { n }) : t("limit.yakuman"));
	const others = names()
		.map((name, other) => ({ name, other, pao: games.offsetOf(other, player) }))
		.filter(({ other, pao }) => pao && other !== one.from);
	dialog(t("game.told", { name: winner }), (draw) => {
		const set = (next) => () => {
			value = next;
			draw();
		};
		const offered = limits.filter(({ id }) => !id.startsWith("counted"));
		const isPossible = (han, fu) => leastHan.get(fu) !== null && leastHan.get(fu) <= han && minimumHan <= han;
		return [
			group(
				t("game.han"),
				hans
					.filter((han) => (value.fu ? [value.fu] : [...leastHan.keys()]).some((fu) => isPossible(han, fu)))
					.map((han) => chip(`han-${han}`, String(han), value.han === han, set({ han, fu: value.fu }))),
			),
			group(
				t("game.fu"),
				[...leastHan.keys()]
					.filter((fu) => isPossible(value.han ?? hans.at(-1), fu))
					.map((fu) => chip(`fu-${fu}`, String(fu), value.fu === fu, set({ han: value.han, fu }))),
			),
			limits.length > 0 &&
				group(
					t("game.limit"),
					offered.map(({ id, label }) => chip(`limit-${id}`, capital(label), value.limit === id, set({ limit: id }))),
					[1, 2].slice(0, yakuman).map((n) => chip(`yakuman-${n}`, times(n), value.yakuman === n, set({ yakuman: n }))),
				),
			value.yakuman &&
				liable.includes(method) &&
				group(
					t("game.liable"),
					chip("liable-nobody", t("game.liable_nobody"), !value.pao, set({ yakuman: value.yakuman })),
					others.map(({ name, other, pao }) =>
						chip(`liable-${other}`, name, value.pao === pao, set({ yakuman: value.yakuman, pao })),
					),
				),
			isPartlyLiable() &&
				group(
					t("game.liable_for"),
					[1, 2].map((n) => chip(`liable-for-${n}`, times(n), value.liable === n, set({ ...value, liable: n }))),
				),
			dealer !== null &&
				group(
					t("who.tenpai", { name: names()[dealer] }),
					[true, false].map((isTenpai) =>
						chip(
							`told-tenpai-${isTenpai}`,
							t(`who.${isTenpai}`),
							app.state.claim.tenpai === isTenpai,
							setDealerTenpai(isTenpai, draw),
						),
					),
				),
			completeRecordBar(
				isComplete() ? booked.eventOf(value) : null,
				t(claims.isLast(one) ? "game.book_it" : "game.next_winner"),
				() => {
					close();
					booked.book(value);
				},
			),
		];
	});
}
