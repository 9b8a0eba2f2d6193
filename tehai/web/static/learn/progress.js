// The learner's progress as a file, for another phone, the teacher, or `tehai learn --import`.
import * as api from "../app/api.js";
import { learnt } from "../app/store.js";
import { shareFile } from "../score/share.js";

const FORMAT = 2; // version of the file format
const LARGEST = 1e6; // bytes

/** Saves the file. */
export async function save() {
	const progress = (await learnt.get()) ?? { version: FORMAT, topics: {} };
	return shareFile(new File([JSON.stringify(progress)], "tehai-learn.json", { type: "application/json" }));
}

/** Merges a file where it knows more than this device. Returns the key of the message about the result.
 * `request`: fields of each request. The server checks the file, which is not trusted. */
export async function load(file, request) {
	const loaded = await parsed(file);
	if (!loaded) return "not_progress";
	try {
		await api.learn("menu", { ...request, progress: loaded });
	} catch (error) {
		if (error.kind === "refused") return "not_progress";
		throw error;
	}
	const own = await learnt.get();
	const topics = Object.fromEntries(
		Object.entries(loaded.topics).filter(([id, { answers }]) => answers > (own?.topics[id]?.answers ?? -1)),
	);
	if (!Object.keys(topics).length) return "nothing_new";
	await learnt.put({ version: Math.max(loaded.version, own?.version ?? FORMAT), topics });
	return "taken";
}

async function parsed(file) {
	try {
		const value = file.size <= LARGEST && JSON.parse(await file.text());
		return value?.topics ? value : null;
	} catch {
		return null;
	}
}
