// The server's endpoints. Every failure is a Trouble.

import { events } from "../shared/events.js";
import { spoken } from "../shared/text.js";
import { send } from "../transport.js";

/** `kind`: `offline` (no answer), `access` (no cookie), `busy`, `unkept` (the disk cannot save games), `conflict` (another window or
 * phone was first), or `refused`. `event`: the number of the wrong event in a game. `code`: the server's name of the reason. */
export class Trouble extends Error {
	constructor(kind, message = "", event = 0, code = "") {
		super(message);
		Object.assign(this, { kind, event, code });
	}
}

/** `back`: the server answers again. */
export const { listen, raise } = events();
let silent = false;

const KINDS = { 401: "access", 403: "access", 429: "busy", 503: "busy" };
const MOST_TRIES = 3; // tries for a busy server
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** A lost connection, also half-way through an answer, is Trouble. */
const orOffline = (promise) =>
	promise.catch((error) => {
		if (error.name === "AbortError") throw error;
		silent = true;
		throw new Trouble("offline");
	});

async function ask(path, options = {}, tries = MOST_TRIES, as = "json") {
	const answer = await orOffline(
		send(path, { ...options, headers: { ...options.headers, "Accept-Language": spoken() } }),
	);
	if (silent) {
		silent = false;
		raise("back");
	}
	if (answer.ok) return orOffline(answer[as]());
	const kind = KINDS[answer.status] ?? "refused";
	if (kind === "busy" && tries > 1) {
		await pause(Number(answer.headers.get("Retry-After")) || 1);
		return ask(path, options, tries - 1, as);
	}
	const refusal = await answer.json().catch(() => ({}));
	throw new Trouble(refusal.code === "not_kept" ? "unkept" : kind, refusal.error ?? "", refusal.event, refusal.code);
}

const post = (path, value, as = "json") =>
	ask(
		path,
		{ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) },
		MOST_TRIES,
		as,
	);

function form(photos, fields) {
	const body = new FormData();
	photos.forEach((photo, at) => body.append("photo", photo, photo.name ?? `shot-${at + 1}.jpg`));
	for (const [name, value] of Object.entries(fields)) {
		if (value !== null) body.append(name, typeof value === "string" ? value : JSON.stringify(value));
	}
	return body;
}

/** Photos of one hand, read together. */
export const read = (photos, fields) => ask("api/read", { method: "POST", body: form(photos, fields) });

/** The tiles of one frame. A busy server is not asked again. */
export const find = (frame, fields = {}) => ask("api/find", { method: "POST", body: form([frame], fields) }, 1);

/** `others`: other readings of the tiles, by name. The answer says which of them change the hand or the payments.
 * `table`: the discards, from `toRequest` of app/rivers.js. */
export const score = (record, rules, lang, others = {}, table = {}) =>
	post("api/score", { record, rules, lang, others, ...table });
/** The tiles of a hand typed on one line, as record fields. */
export const typed = async (text) => (await post("api/typed", { text })).record;
export const lesson = (record, rules, lang, taught, table = {}) =>
	post("api/lesson", { record, rules, lang, taught, format: "json", ...table });
/** Lessons and drills: `menu`, `page`, `exercise`, `answer`. */
export const learn = (what, body) => post(`api/learn/${what}`, body);
export const game = (record, lang) => post("api/game", { record, lang });
export const sheet = (record) => post("api/game", { record, format: "csv" }, "text");
/** Games shared between phones. */
export const shared = {
	all: () => ask("api/games", {}, 1),
	one: (id) => ask(`api/games/${id}?lang=${spoken()}`, {}, 1),
	/** The changes after that number. */
	log: (id, after) => ask(`api/games/${id}/changes?after=${after}`),
	begin: (entries) => post("api/games", { entries, lang: spoken() }),
	change: (id, change) => post(`api/games/${id}/changes`, { ...change, lang: spoken() }),
	turn: (id, events, indicators) => post(`api/games/${id}/dora`, { events, indicators, lang: spoken() }),
};

export const health = () => ask("api/health", {}, 1);
export const rules = () => ask(`api/rules?lang=${spoken()}`, {}, 1);

/** The sample photo. */
export const sample = async () =>
	new File([await ask("sample.jpg", {}, 1, "blob")], "sample.jpg", { type: "image/jpeg" });
