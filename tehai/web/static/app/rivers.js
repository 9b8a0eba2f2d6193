// The other players' discards and riichi, used for advice only.
// Null if unknown, else {tiles: {right, across, left}, riichi, seen}. With three players nobody sits across.
import { join } from "../shared/labels.js";

/** No discards yet. */
export const noDiscards = (players) => ({
	tiles: { right: [], ...(players === 3 ? {} : { across: [] }), left: [] },
	riichi: [],
});

/** Whether any discard or riichi is known. */
export const isKnown = (rivers) =>
	Boolean(rivers && (rivers.seen || rivers.riichi.length || Object.values(rivers.tiles).some(({ length }) => length)));

/** The request fields for the server. */
export const toRequest = (rivers) =>
	isKnown(rivers)
		? { rivers: Object.values(rivers.tiles).map(join).join("/"), riichi_by: rivers.riichi.join(","), seen: rivers.seen }
		: {};
