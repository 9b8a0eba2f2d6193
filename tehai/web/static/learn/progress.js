// The learner's progress as a file, for another phone, the teacher, or `tehai learn --import`.
import * as api from "../app/api.js";
import { learnt } from "../app/store.js";
import { hand } from "../score/share.js";

const FORM = 2; // version of the file format
const LARGEST = 1e6; // bytes

/** Saves the file. */
export async function save() {
	const whole = (await learnt.get()) ?? { version: FORM, topics: {} };
	return hand(new File([JSON.stringify(whole)], "tehai-learn.json", { type: "application/json" }));
}

/** Merges a file where it knows more than this device. Returns the key of the message about the result.
 * `asked`: fields of each request. The server checks the file, which is not trusted. */
export async function load(file, asked) {
	const there = await parsed(file);
	if (!there) return "not_progress";
	try {
		await api.learn("menu", { ...asked, progress: there });
	} catch (error) {
		if (error.kind === "refused") return "not_progress";
		throw error;
	}
	const here = await learnt.get();
	const topics = Object.fromEntries(Object.entries(there.topics).filter(([id, { answers }]) => answers > (here?.topics[id]?.answers ?? -1)));
	if (!Object.keys(topics).length) return "nothing_new";
	await learnt.put({ version: Math.max(there.version, here?.version ?? FORM), topics });
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
