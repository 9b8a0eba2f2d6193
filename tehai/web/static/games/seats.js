// Who sits where as the device shows it, and to whom it is turned where it lies in the middle of the table.
import { current } from "./games.js";
import { app } from "../app/state.js";
import { settings } from "../app/store.js";

/** In turn, against the clock. */
export const SIDES = { 4: ["near", "right", "far", "left"], 3: ["near", "right", "left"] };

const LARGE = matchMedia("(min-width: 600px) and (min-height: 600px)");

/** Whether there is room for seats that are turned to their players; a phone has none. */
export const isLarge = () => LARGE.matches;

export const isTablet = () => settings.tablet && isLarge() && Boolean(current.game) && current.fix === null;

/** On which side the player sits who reads what is shown now: the one who has won; null for the near one. */
export function readerSide() {
	const { claim, screen } = app.state;
	if (!isTablet() || !claim || screen === "home") return null;
	const side = SIDES[current.stands.players.length][claim.winners[claim.hands.length]];
	return side === "near" ? null : side;
}
