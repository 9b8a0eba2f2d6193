// Saves a photo, undoes a save, restores older revisions, and resolves conflicts.
import * as api from "./api.js";
import { compare, compareRevision } from "./compare.js";
import { reviewer } from "./actions.js";
import { say } from "./notice.js";
import { changed, now, show } from "./now.js";
import * as queue from "./queue.js";
import { visit } from "./screens.js";
import { storeDraft } from "./store.js";
import { sent, Work } from "./work.js";

const saved = []; // saves that can be undone: {key, revision, back, state}; `back`: the revision before

/** Saves the tiles as a new revision. Resolves a conflict first. Returns whether the photo was saved. */
export async function save(state) {
	const { photo, tiles } = now.work;
	let fresh = null;
	try {
		fresh = await api.save(photo.key, { after: photo.revision, state, tiles: sent(tiles), by: reviewer() });
	} catch (error) {
		if (error.kind !== "conflict") throw error;
		return resolveConflict(error.latest, state);
	}
	storeDraft(photo.key, null);
	saved.push({ key: photo.key, revision: fresh.revision, back: photo.revision, state: photo.state });
	queue.markDone(fresh, true);
	now.work = new Work(fresh);
	return true;
}

/** Shows both versions. The choice becomes a revision after theirs: saved as `state`, or edited further if that is null.
 * After a cancel one's own work stays unchanged. Returns whether it was saved. */
export async function resolveConflict(latest, state = null) {
	const chosen = await compare({ base: now.work.photo, mine: now.work.tiles, latest, state });
	if (!chosen) {
		storeDraft(now.work.photo.key, now.work.draft);
		say("compare.put_off");
		return false;
	}
	const { tiles, state: wanted } = chosen;
	now.work = new Work(latest, { tiles, at: now.work.at });
	storeDraft(latest.key, now.work.edited ? now.work.draft : null);
	show();
	const isChanged = now.work.edited || !isSettled(latest) || (wanted === "rejected") !== (latest.state === "rejected");
	const done = wanted !== null && (!isChanged || (await save(wanted)));
	say(!done ? "compare.merged" : isChanged ? "compare.saved" : "compare.left");
	return done;
}

/** Whether a person has checked the whole photo. */
const isSettled = ({ state, history }) => ["accepted", "corrected", "rejected"].includes(state) && !history.at(-1).part;

/** Opens the next photo of the queue. */
export async function openNext() {
	const next = await queue.neighbourOf(now.work.photo.key, 1);
	if (next) await visit("photo", next);
	else await visit("queue");
}

/** Undoes the last save, by another revision. */
export async function undoSave() {
	const last = saved.pop();
	if (!last) return say("photo.nothing");
	const { key, revision, back, state } = last;
	try {
		const fresh = await api.save(key, { after: revision, state, back, by: reviewer() });
		queue.markDone(fresh, false);
	} catch (error) {
		if (error.kind !== "conflict") {
			saved.push(last); // allows another try
			throw error;
		}
		say("photo.taken_over");
		return visit("photo", key);
	}
	await visit("photo", key);
	say("photo.taken_back");
}

/** Compares an older revision with the current one, and restores it on request. */
export async function showRevision(revision) {
	const { photo } = now.work;
	const older = await api.revision(photo.key, revision);
	if (!(await compareRevision({ photo, older }))) return;
	now.work.replace(older.tiles);
	changed();
	say("history.put_back");
}
