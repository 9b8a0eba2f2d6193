// The table of keys. Pages act on it, and the help lists it.

/** `on`: the screen; `keys` as `nameOf` writes them; `act`: the action, and its text in the help. Rows without keys
 * only explain. */
export const KEYS = [
	{ on: "photo", shown: ["1 – 9", "m p s z"], act: "label" },
	{ on: "photo", shown: ["0", "m p s"], act: "red" },
	{ on: "photo", keys: ["b"], act: "back" },
	{ on: "photo", keys: ["ArrowLeft"], shown: ["←"], act: "previous" },
	{ on: "photo", keys: ["ArrowRight"], shown: ["→"], act: "next" },
	{ on: "photo", keys: ["d"], act: "doubt" },
	{ on: "photo", keys: ["k"], act: "keep" },
	{ on: "photo", keys: ["Enter"], shown: ["Enter"], act: "accept" },
	{ on: "photo", keys: ["r"], act: "reject" },
	{ on: "photo", keys: ["u", "Control+z"], shown: ["u"], act: "undo" },
	{ on: "photo", keys: ["y", "Control+Shift+Z", "Control+y"], shown: ["y"], act: "redo" },
	{ on: "photo", keys: ["ArrowUp", "PageUp"], shown: ["↑"], act: "photo.previous" },
	{ on: "photo", keys: ["ArrowDown", "PageDown"], shown: ["↓"], act: "photo.next" },
	{ on: "photo", keys: ["Escape"], shown: ["Esc"], act: "leave" },

	{ on: "photo", group: "places", keys: ["a"], act: "add" },
	{ on: "photo", group: "places", keys: ["x", "Delete"], shown: ["x"], act: "delete" },
	{ on: "photo", group: "places", keys: ["v"], act: "several" },
	{ on: "photo", group: "places", keys: ["c"], act: "corner" },
	{ on: "photo", group: "places", keys: ["Shift+ArrowLeft"], shown: ["Shift", "← ↑ ↓ →"], act: "left" },
	{ on: "photo", group: "places", keys: ["Shift+ArrowRight"], act: "right", silent: true },
	{ on: "photo", group: "places", keys: ["Shift+ArrowUp"], act: "up", silent: true },
	{ on: "photo", group: "places", keys: ["Shift+ArrowDown"], act: "down", silent: true },
	{ on: "photo", group: "places", keys: ["t"], act: "turn" },

	{ on: "photo", group: "view", keys: ["+", "="], shown: ["+"], act: "in" },
	{ on: "photo", group: "view", keys: ["-"], act: "out" },
	{ on: "photo", group: "view", keys: ["f"], act: "fit" },
	{ on: "photo", group: "view", keys: ["g"], act: "go" },
	{ on: "photo", group: "view", keys: ["h"], act: "hide" },

	{ on: "photo", group: "mouse", shown: ["mouse.wheel"], act: "mouse.zoom" },
	{ on: "photo", group: "mouse", shown: ["mouse.drag"], act: "mouse.pan" },
	{ on: "photo", group: "mouse", shown: ["mouse.click"], act: "mouse.pick" },
	{ on: "photo", group: "mouse", shown: ["mouse.twice"], act: "mouse.go" },
	{ on: "photo", group: "mouse", shown: ["mouse.tile"], act: "mouse.move" },
	{ on: "photo", group: "mouse", shown: ["mouse.add"], act: "mouse.draw" },
	{ on: "photo", group: "mouse", shown: ["mouse.several"], act: "mouse.enclose" },

	{ on: "queue", keys: ["ArrowUp"], shown: ["↑"], act: "previous" },
	{ on: "queue", keys: ["ArrowDown"], shown: ["↓"], act: "next" },
	{ on: "queue", keys: ["Enter"], shown: ["Enter"], act: "open" },

	{ on: "faces", keys: ["ArrowLeft"], shown: ["←"], act: "previous" },
	{ on: "faces", keys: ["ArrowRight"], shown: ["→"], act: "next" },
	{ on: "faces", keys: ["ArrowUp"], shown: ["↑"], act: "above" },
	{ on: "faces", keys: ["ArrowDown"], shown: ["↓"], act: "below" },
	{ on: "faces", keys: ["PageUp"], shown: ["Page ↑"], act: "face.previous" },
	{ on: "faces", keys: ["PageDown"], shown: ["Page ↓"], act: "face.next" },
	{ on: "faces", keys: [" ", "x"], shown: ["Space"], act: "mark" },
	{ on: "faces", shown: ["1 – 9", "m p s z"], act: "label" },
	{ on: "faces", shown: ["0", "m p s"], act: "red" },
	{ on: "faces", keys: ["b"], act: "back" },
	{ on: "faces", keys: ["u", "Control+z"], shown: ["u"], act: "undo" },
	{ on: "faces", keys: ["Enter"], shown: ["Enter"], act: "save" },
	{ on: "faces", keys: ["o"], act: "open" },

	{ on: "compare", keys: ["1"], act: "mine" },
	{ on: "compare", keys: ["2"], act: "theirs" },
	{ on: "compare", keys: ["Escape"], shown: ["Esc"], act: "later" },

	{ on: "all", keys: ["Alt+1"], shown: ["Alt", "1"], act: "queue" },
	{ on: "all", keys: ["Alt+2"], shown: ["Alt", "2"], act: "faces" },
	{ on: "all", keys: ["Alt+3"], shown: ["Alt", "3"], act: "auto" },
	{ on: "all", keys: ["Alt+4"], shown: ["Alt", "4"], act: "alike" },
	{ on: "all", keys: ["?"], act: "help" },
];

/** A key press as the table writes it. Letters are lower case. Shift is named unless the key itself implies it. */
export function nameOf(event) {
	const letter = event.key.length === 1;
	const shift = event.shiftKey && (!letter || event.ctrlKey || event.metaKey);
	const key = letter && !shift ? event.key.toLowerCase() : event.key;
	return [(event.ctrlKey || event.metaKey) && "Control", event.altKey && "Alt", shift && "Shift", key]
		.filter(Boolean)
		.join("+");
}

export const rowFor = (screen, name) =>
	KEYS.find((row) => (row.on === screen || row.on === "all") && row.keys?.includes(name));

const RANKS = { m: /[0-9]/, p: /[0-9]/, s: /[0-9]/, z: /[1-7]/ };

/** A label typed as digit and suit. `take` returns `{rank}` before the suit, `{label}` after it, `{wrong}` for an
 * impossible tile, and null for other keys. */
export class Typed {
	rank = null;

	take(name) {
		if (/^[0-9]$/.test(name)) {
			this.rank = name;
			return { rank: name };
		}
		const { rank } = this;
		if (rank === null) return null;
		this.rank = null;
		if (!(name in RANKS)) return name === "Escape" || name === "Backspace" ? {} : null;
		return RANKS[name].test(rank) ? { label: rank + name } : { wrong: rank + name };
	}
}
