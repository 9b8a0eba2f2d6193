// Who reviews, and one thing done after the other.
import { Trouble } from "./api.js";
import { hush, say, stands, trouble } from "./notice.js";
import { settings } from "./store.js";

const SLOW = 400; // milliseconds after which one is asked to wait

/** `screen`: the one that is shown; `by`: the name that this machine gives the reviewer. */
export const app = { screen: null, by: "" };

/** Whose name is written to what is saved. */
export const reviewer = () => settings.by || app.by;

let doing = Promise.resolve();

/** Does something once all that was asked for before is done, so that no key is lost or meets the wrong photo. */
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
