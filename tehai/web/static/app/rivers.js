// What the others have discarded and who declared riichi, beside the hand at work: for the advice alone. Nothing is known of them (null), or
// {tiles: {right, across, left}, riichi, seen}: of three players nobody sits across.
import { join } from "../shared/labels.js";

/** That nobody has discarded anything yet. */
export const none = (players) => ({ tiles: { right: [], ...(players === 3 ? {} : { across: [] }), left: [] }, riichi: [] });

/** Whether anything is told of them. */
export const isTold = (rivers) => Boolean(rivers && (rivers.seen || rivers.riichi.length || Object.values(rivers.tiles).some(({ length }) => length)));

/** As the server takes them. */
export const toRequest = (rivers) => (isTold(rivers) ? { rivers: Object.values(rivers.tiles).map(join).join("/"), riichi_by: rivers.riichi.join(","), seen: rivers.seen } : {});
