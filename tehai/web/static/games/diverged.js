// Another phone has changed the game on the server too: finds this phone's changes that are missing there, as pending
// changes.
import * as games from "./games.js";
import { textOf } from "./pending.js";
import { t } from "../shared/text.js";

/** `view`: the server's game. `log`: all its changes. What the server has changed stays. */
export function missingChanges({ events, stands, tried }, view, log) {
	const stood = log.flatMap(({ add, entry, set }) => set ?? add ?? entry ?? []);
	const theirs = new Map(view.entries.map((entry, at) => [entry.id, { entry, turn: view.stands.hands[at - 1] }]));
	const isHere = new Set(events.map(({ id }) => id));
	const was = new Map(tried.flat().map((entry) => [entry.id, entry]));
	const now = new Date().toISOString();
	let nth = view.entries.filter(({ id }) => isHere.has(id)).length; // the next hand follows those that both have

	const changed = [];
	const added = [];
	for (const [at, one] of events.entries()) {
		const old = stood.filter(({ id }) => id === one.id);
		const there = theirs.get(one.id);
		const turn = stands.hands[at - 1];
		const isSame = (other, by) => games.isEqual(games.rotated(other, by).event, games.rotated(one, 0).event);
		const isTheirs = there && isSame(there.entry, (there.turn?.deal ?? 0) - (turn?.deal ?? 0)); // rotated to the same players
		const isOld = (!there || old.length > 1) && old.some((other) => [0, 1, 2, 3].some((by) => isSame(other, by))); // whatever the deal was
		if (isTheirs || isOld) continue;
		const text = textOf(one.event, games.tableBefore(stands, at));
		const about = { ...one, at: now, deal: turn.deal ?? 0 };
		if (old.length)
			changed.push({
				...about,
				id: games.newId(),
				of: old[0],
				nth,
				text: t("noted.corrected", { name: turn.name, text }),
			});
		else added.push({ ...about, nth: nth++, text });
	}
	const isTakenBack = ({ id }) => !isHere.has(id) && was.has(id);
	const takenBack = view.entries.filter(isTakenBack).map(({ id }) => {
		const { turn } = theirs.get(id);
		return { id: games.newId(), at: now, of: was.get(id), deal: turn.deal ?? 0, nth, text: games.removalText(turn) };
	});
	return [...changed, ...takenBack, ...added];
}
