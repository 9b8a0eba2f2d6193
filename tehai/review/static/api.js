// The server's endpoints. Every failure is a Trouble.

import { spoken } from "./shared/text.js";

/** `kind`: `offline` (no answer), `conflict` with the `latest` version of the photo, `missing`, or `refused`.
 * The message is the server's sentence. */
export class Trouble extends Error {
	constructor(kind, message = "", latest = null) {
		super(message);
		this.kind = kind;
		this.latest = latest;
	}
}

/** A lost connection, also half-way through an answer, is Trouble. */
const orOffline = (promise) =>
	promise.catch(() => {
		throw new Trouble("offline");
	});

async function ask(path, options = {}) {
	const answer = await orOffline(
		fetch(path, { ...options, headers: { ...options.headers, "Accept-Language": spoken() } }),
	);
	if (answer.ok) return orOffline(answer.json());
	const refusal = await answer.json().catch(() => ({}));
	if (answer.status === 409 && refusal.latest) throw new Trouble("conflict", refusal.error, refusal.latest);
	throw new Trouble(answer.status === 404 ? "missing" : "refused", refusal.error ?? "");
}

/** The answer, or null if it does not exist. */
const orNull = (answer) =>
	answer.catch((error) => {
		if (error.kind === "missing") return null;
		throw error;
	});

const send = (method, path, value) =>
	ask(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });

const query = (fields) =>
	String(new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== "" && value !== null)));

export const me = () => ask("api/me");
export const queue = (fields) => ask(`api/queue?${query(fields)}`);
export const alike = (fields) => ask(`api/alike?${query(fields)}`);
export const photo = (key) => orNull(ask(`api/photos/${key}`));
export const revision = (key, n) => orNull(ask(`api/photos/${key}/revisions/${n}`));
export const save = (key, body) => send("PUT", `api/photos/${key}`, body);
export const read = async (key, quads) => (await send("POST", `api/photos/${key}/read`, { quads })).tiles;
export const faces = (label, fields) => ask(`api/faces/${label}?${query(fields)}`);
export const relabel = (body) => send("POST", "api/faces", body);
export const auto = (margin) => ask(`api/auto?${query({ margin })}`);
export const accept = (margin, by) => send("POST", "api/auto", { margin, by });

export const image = (key, side = null) => `api/photos/${key}/image${side ? `?side=${side}` : ""}`;
/** The browser caches a crop. The quad names it in case the journal is made anew, with other tiles. */
export const crop = ({ key, tile, revision, quad }) =>
	`api/photos/${key}/crops/${tile}?revision=${revision}&quad=${quad}`;

const pictures = new Map(); // cached photos, decoded or decoding
const MOST_CACHED = 4;

/** The decoded photo. */
export function picture(key) {
	const held = pictures.get(key) ?? decode(image(key));
	pictures.delete(key);
	pictures.set(key, held);
	for (const old of [...pictures.keys()].slice(0, -MOST_CACHED)) pictures.delete(old);
	held.catch(() => pictures.delete(key));
	return held;
}

async function decode(address) {
	const image = new Image();
	image.src = address;
	await image.decode().catch(() => {
		throw new Trouble("picture");
	});
	return image;
}
