// Shares the hand as a link, and the score as a picture. The hand stands after the #, which browsers do not send to
// servers.
import { h } from "../shared/dom.js";
import { toRecord } from "../app/hand.js";
import { app, won } from "../app/state.js";
import { answers, fields, record, WON } from "../app/shape.js";
import { t } from "../shared/text.js";

const NAME = "hand=";
const LONGEST = 8000; // characters of a link; any hand is shorter

export const encode = (bytes) =>
	btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");
export const decode = (text) =>
	Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));

/** Where others reach this page. */
export const address = () => app.address ?? location.origin + location.pathname;

/** A link to this page with the hand, its answers and its rules. */
export function linkOf({ hand, answers }) {
	const short = answers
		.filter(({ known }) => known !== "default")
		.map(({ field, id, fields, labels }) => ({ field, id, fields, ...(labels ? { labels } : {}) }));
	const { rules, table } = won();
	const whole = { rules, table, tiles: toRecord(hand), answers: short };
	return `${address()}#${NAME}${encode(new TextEncoder().encode(JSON.stringify(whole)))}`;
}

export const isLink = fields({ ...WON, tiles: record, answers });

/** The checked content of a link. Null if unreadable, undefined without a hand. */
export function linkIn(hash) {
	if (!hash.startsWith(`#${NAME}`)) return undefined;
	try {
		const link = JSON.parse(new TextDecoder().decode(decode(hash.slice(1 + NAME.length, LONGEST))));
		return isLink(link) ? link : null;
	} catch {
		return null;
	}
}

/** Shares the link of the hand. Returns the key of the message about the result. */
export const copyLink = ({ state }) => send(linkOf(state));

/** Shares any link, with the phone's share sheet if there is one. */
export async function send(url) {
	if (navigator.share)
		return tryShare(
			() => navigator.share({ title: t("title"), url }),
			() => copy(url),
		);
	return copy(url);
}

const LOCAL = /^https?:..(localhost|127\.|\[::1)/; // not reachable from other devices

async function copy(url) {
	try {
		await navigator.clipboard.writeText(url);
		return LOCAL.test(url) ? "share.here" : "share.copied";
	} catch {
		history.replaceState(history.state, "", url); // without a clipboard (plain http), the address line shows the link
		return "share.address";
	}
}

async function tryShare(share, fallback) {
	try {
		await share();
		return null;
	} catch (error) {
		return error.name === "AbortError" ? null : fallback();
	}
}

/** Loads the script that draws the picture; null if that fails. */
export const loadPicture = () => import("./picture.js").catch(() => null);

/** Shares the picture of the score. */
export async function shareImage(app) {
	if (!app.state.lesson) return "share.wait";
	const drawing = await loadPicture();
	if (!drawing) return "trouble.offline";
	const blob = await drawing.picture(app);
	const file = new File([blob], `tehai-${app.state.outcome.result.points}.png`, { type: "image/png" });
	return shareFile(file);
}

/** Shares a file with the phone's share sheet if it accepts files, else downloads it. */
export function shareFile(file) {
	const save = () => download(file);
	if (navigator.canShare?.({ files: [file] }))
		return tryShare(() => navigator.share({ files: [file], title: t("title") }), save);
	return save();
}

/** Saves a file. */
export function download(file) {
	const address = URL.createObjectURL(file);
	h("a", { href: address, download: file.name }).click();
	setTimeout(() => URL.revokeObjectURL(address), 60_000);
	return "share.saved";
}
