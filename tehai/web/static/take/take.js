// Take: the camera on a secure page, or the phone's camera app, or a file.
import { attempt, kept, nextHand, openHand, readPhotos } from "../app/actions.js";
import * as api from "../app/api.js";
import { Live } from "./camera.js";
import { isAllowed, isAvailable } from "./permission.js";
import * as claims from "../games/claim.js";
import { button, byId, fill, h, icon } from "../shared/dom.js";
import { winText, hanAndFu } from "../home/home.js";
import { EMPTY } from "../app/hand.js";
import { app, change, go, listen, show } from "../app/state.js";
import { choose, settings } from "../app/store.js";
import { t, tileName } from "../shared/text.js";
import { face } from "../shared/tiles.js";
import { awake } from "../app/wake_lock.js";

const BUZZ = 40; // milliseconds of vibration at a photo

let live = null;
let offeredWaits = null; // the waits on screen

export function start() {
	live = new Live(byId("video"), byId("overlay"), {
		seen,
		lost: (error) => advise(error.kind === "offline" ? "trouble.offline" : "advice.none"),
		shot: (blob, won) => {
			navigator.vibrate?.(BUZZ);
			stopAndRead(() => readPhotos([blob], won));
		},
	});
	byId("shutter").addEventListener("click", () => live.release());
	byId("camera-start").addEventListener("click", begin);
	byId("camera-stop").addEventListener("click", leave);
	byId("torch").addEventListener("click", toggleTorch);
	byId("automatic").addEventListener("click", () => automatic(!live.automatic));
	for (const id of ["from-camera", "from-files"]) {
		byId(id).addEventListener("change", ({ target }) => {
			const files = [...target.files];
			target.value = "";
			if (files.length) stopAndRead(() => readPhotos(files));
		});
	}
	byId("try-sample").addEventListener("click", () =>
		stopAndRead(() => attempt(async () => readPhotos([await api.sample()]), "busy.reading")),
	);
	byId("type-hand").addEventListener("click", () => openHand(EMPTY, kept(), "check"));
	document.addEventListener("visibilitychange", () => document.hidden && leave());
	listen("busy", () => waiting(app.state));
}

export function render({ state }) {
	byId("secure").hidden = !isAvailable();
	byId("insecure").hidden = isAvailable();
	byId("claimed").hidden = !state.claim;
	if (state.claim)
		fill(
			byId("claimed"),
			h("strong", winText(state.claim)),
			claims.hasPlayers(state.claim) &&
				button({ class: "secondary", key: "told", onclick: hanAndFu }, t("game.han_fu")),
		);
	waiting(state);
	const more = state.shots > 0 && Boolean(state.hand);
	byId("more-shots").hidden = !more;
	if (more) {
		fill(
			byId("more-shots"),
			h("span", t("take.more", { n: state.shots })),
			button({ class: "quiet", key: "next-hand", onclick: nextHand }, t("score.next")),
			button({ class: "quiet", key: "back", onclick: () => change({ screen: "check" }) }, t("take.back")),
		);
	}
}

let waitingPhoto = { shot: null, address: "" }; // the photo that waits for the server

/** Shows a photo that the server has not read yet. */
function waiting({ hand }) {
	const [shot] = hand ? [] : app.shots;
	const isWaiting = Boolean(shot) && app.trouble?.kind === "offline";
	byId("waiting").hidden = !isWaiting;
	if (!isWaiting) return;
	if (waitingPhoto.shot !== shot) waitingPhoto = { shot, address: URL.createObjectURL(shot) };
	fill(
		byId("waiting"),
		h("img", { src: waitingPhoto.address, alt: "", width: 72, height: 54 }),
		h("span", t("take.waiting", { n: app.shots.length })),
		button({ class: "quiet", key: "drop-photo", onclick: nextHand }, t("noted.drop")),
	);
}

/** Starts the camera if that needs no question. */
export async function arrive() {
	if (isAvailable() && (await isAllowed()) && app.state.screen === "take" && !app.busy) begin();
}

/** Stops the camera, then reads the photo. */
function stopAndRead(act) {
	leave();
	act();
}

export function leave() {
	live.stop();
	viewfinder(false);
}

/** Opens the camera at once, for the address #camera. */
export async function photograph() {
	if (app.state.screen === "score") await nextHand();
	go("take");
	history.replaceState(history.state, "", location.pathname);
	if (isAvailable()) begin();
}

function viewfinder(on) {
	awake("camera", on);
	byId("torch").setAttribute("aria-pressed", "false");
	byId("viewfinder").hidden = !on;
	byId("camera-start").hidden = on;
}

async function begin() {
	if (live.wanted) return;
	viewfinder(true);
	byId("shutter").disabled = true;
	// Another photo of the same hand needs another angle: no automatic shutter.
	automatic(settings.automatic && !app.state.shots, false);
	offer([]);
	advise("advice.start");
	try {
		await live.start();
		byId("shutter").disabled = !live.running;
	} catch (error) {
		leave();
		app.trouble = { kind: error.name === "NotAllowedError" ? "camera_denied" : "camera_none" };
		show();
	}
}

function automatic(on, kept = true) {
	live.automatic = on;
	byId("automatic").setAttribute("aria-pressed", String(on));
	if (kept) choose({ automatic: on });
}

async function toggleTorch() {
	const on = byId("torch").getAttribute("aria-pressed") !== "true";
	await live.torch(on).then(
		() => byId("torch").setAttribute("aria-pressed", String(on)),
		() => {},
	);
}

/** Offers the waits of 13 tiles. A tap takes the photo with that winning tile. */
function offer(waits) {
	if (offeredWaits === String(waits)) return; // unchanged buttons stay, so that a press is not lost
	offeredWaits = String(waits);
	fill(
		byId("waits"),
		waits.map((label) =>
			button(
				{ class: "choice", key: `won-${label}`, label: tileName(label), onclick: () => live.release(label) },
				face(label),
			),
		),
	);
}

function seen({ n, of, advice, steady, waits }) {
	const whole = n === of;
	byId("torch").hidden = !live.hasTorch; // some cameras report it late
	fill(byId("found"), whole && icon("check"), t("count", { n, of }));
	byId("found").classList.toggle("whole", whole);
	byId("shutter").style.setProperty("--steady", live.automatic ? Math.min(1, steady) : 0);
	offer(waits);
	advise(
		`advice.${advice ?? (whole ? (live.automatic ? "hold" : "press") : n === of - 1 && waits.length ? "waits" : "none")}`,
	);
}

function advise(key) {
	const sentence = t(key);
	if (byId("advice").textContent !== sentence) byId("advice").textContent = sentence;
}
