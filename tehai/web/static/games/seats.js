// Which side each player sits on, and which side the screen faces in tablet mode.
import { current } from "./games.js";
import { app } from "../app/state.js";
import { settings } from "../app/store.js";

/** Counterclockwise, in turn order. */
export const SIDES = { 4: ["near", "right", "far", "left"], 3: ["near", "right", "left"] };

const LARGE = matchMedia("(min-width: 600px) and (min-height: 600px)");

/** Whether the screen is large enough for tablet mode. */
export const isLarge = () => LARGE.matches;

export const isTablet = () => settings.tablet && isLarge() && Boolean(current.game) && current.fix === null;

/** The side of the winner who reads the screen now; null for the near side. */
export function readerSide() {
	const { claim, screen } = app.state;
	if (!isTablet() || !claim || screen === "home") return null;
	const side = SIDES[current.stands.players.length][claim.winners[claim.hands.length]];
	return side === "near" ? null : side;
}
