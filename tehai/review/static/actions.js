// The reviewer's name, and a queue of actions.
import { Trouble } from "./api.js";
import { hush, say, stands, trouble } from "./notice.js";
import { settings } from "./store.js";

const SLOW = 400; // milliseconds before a busy notice

/** `screen`: the current one; `by`: the reviewer's name by default, from this machine. */
export const app = { screen: null, by: "" };

/** The name stored with each save. */
export const reviewer = () => settings.by || app.by;

let doing = Promise.resolve();

/** Runs an action after all earlier ones, so that no key is lost or applied to the wrong photo. */
export function run(act) {
	doing = doing.then(() => attempt(act));
	return doing;
}

export async function attempt(act) {
	if (!stands("trouble")) hush();
	const slow = setTimeout(() => say("busy"), SLOW);
	try {
		await act();
	} catch (error) {
		if (!(error instanceof Trouble)) throw error;
		trouble(error);
	} finally {
		clearTimeout(slow);
		if (stands("busy")) hush();
	}
}
