// The reviewer's name, and a queue of actions.
import { Trouble } from "./api.js";
import { hideNotice, say, isShown, trouble } from "./notice.js";
import { settings } from "./store.js";

const SLOW = 400; // milliseconds before a busy notice

/** `screen`: the current one; `by`: the reviewer's name by default, from this machine. */
export const app = { screen: null, by: "" };

/** The name stored with each save. */
export const reviewer = () => settings.by || app.by;

let lastAction = Promise.resolve();

/** Runs an action after all earlier ones, so that no key is lost or applied to the wrong photo. */
export function run(act) {
	lastAction = lastAction.then(() => attempt(act));
	return lastAction;
}

export async function attempt(act) {
	if (!isShown("trouble")) hideNotice();
	const slow = setTimeout(() => say("busy"), SLOW);
	try {
		await act();
	} catch (error) {
		if (!(error instanceof Trouble)) throw error;
		trouble(error);
	} finally {
		clearTimeout(slow);
		if (isShown("busy")) hideNotice();
	}
}
