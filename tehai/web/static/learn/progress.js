// What is known of the learner as a file, which `tehai learn --import` and this page read: a pupil takes it to another phone, or to the teacher.
import * as api from "../app/api.js";
import { learnt } from "../app/store.js";
import { hand } from "../score/share.js";

const FORM = 2; // of the file, as the application writes it
const LARGEST = 1e6; // bytes

/** Hands the file over. */
export async function save() {
	const whole = (await learnt.get()) ?? { version: FORM, topics: {} };
	return hand(new File([JSON.stringify(whole)], "tehai-learn.json", { type: "application/json" }));
}

/** Takes such a file in: what it knows better than this device does. Which of the page's sentences says what became of it. `asked`: what goes
 * with each question to the application, which looks at the file: it is a stranger's. */
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
