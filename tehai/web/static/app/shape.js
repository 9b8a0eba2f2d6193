// Validates data from outside: links, which anybody may have written, and storage, which may be damaged or of an older
// page.
// The server checks what the fields of a hand mean.
import { FACES, split } from "../shared/labels.js";

const text = (value) => typeof value === "string" && value.length < 999;
export const like = (pattern) => (value) => text(value) && pattern.test(value);
const whole = (most) => (value) => Number.isInteger(value) && value >= 0 && value <= most;
export const among =
	(...values) =>
	(value) =>
		values.includes(value);
const any =
	(...tests) =>
	(value) =>
		tests.some((test) => test(value));
export const both =
	(...tests) =>
	(value) =>
		tests.every((test) => test(value));
const maybe = (test) => any(among(null, undefined), test);
export const list = (test, most = 999, least = 0) =>
	both(
		Array.isArray,
		({ length }) => length >= least && length <= most,
		(value) => value.every((one) => test(one)),
	);
export const object = (value) => Object.prototype.toString.call(value) === "[object Object]";
export const fields = (tests) =>
	both(object, (value) => Object.entries(tests).every(([name, test]) => test(value[name])));

const flag = among(true, false);
const number = Number.isFinite;
const face = among(...FACES);
const tiles = both(like(/^(\d+[mpsz]){0,30}$/), (value) => split(value).every(face));
const meld = (tiles) =>
	fields({ type: among("chi", "pon", "minkan", "kakan", "ankan"), from: maybe(among(1, 2, 3)), tiles });
const faces = maybe(list(face, 5));
const table = fields({ honba: whole(99), riichi_sticks: whole(99) });

// --- a hand record ---

const RECORD = {
	concealed: maybe(tiles),
	win_tile: maybe(face),
	melds: maybe(list(meld(tiles), 4)),
	dora_indicators: faces,
	ura_indicators: faces,
};
export const record = fields(RECORD);
const fact = ([name, value]) =>
	/^[a-z]/.test(name) &&
	!(name in RECORD || /^(rules|words|known)$/.test(name)) &&
	any(maybe(flag), whole(99), text)(value);
export const answers = list(
	fields({
		field: like(/^[a-z]\w*$/),
		id: any(like(/^[\w ]{0,60}$/), whole(20), list(like(/^\w+$/), 9)),
		fields: both(object, (value) => Object.entries(value).every(fact)), // neither tiles nor rules
		labels: maybe(list(face, 33)),
	}),
	30,
);
export const WON = { rules: (value) => typeof value === "string" && value.length < 9999, table }; // house rules are a text of many lines

/** A hand of the history. */
export const isPast = fields({
	id: text,
	at: (value) => text(value) && Date.parse(value) > 0,
	rules: text,
	record: both(record, table),
	result: fields({ points: number }),
	answers,
});

// --- a game ---

/** The server replays the events before any is shown. */
const seen = maybe(
	list(
		maybe(
			fields({ picture: text, tiles: list(fields({ label: text, role: text, quad: list(list(number, 2, 2), 4, 4) })) }),
		),
		3,
	),
);
const entry = fields({ id: text, at: text, event: object, picture: maybe(text), seen });
const points = list(number, 4, 3);
const at = maybe(
	fields({
		round_wind: text,
		honba: number,
		riichi_sticks: number,
		seats: list(text, 4, 3),
		points,
		may_riichi: maybe(list(flag, 4, 3)),
	}),
);
const win = fields({
	player: whole(3),
	points: number,
	yaku: maybe(list(fields({ id: text, name: text }), 60)),
	dora: maybe(number),
});
const pays = fields({ players: points, sticks: number });
const turn = fields({
	event: text,
	name: text,
	text,
	changes: points,
	points,
	table: at,
	pays: maybe(pays),
	winners: maybe(list(win, 3)),
	discarder: maybe(whole(3)),
	declared: maybe(list(whole(3), 4)),
});
const rank = fields({
	place: number,
	player: whole(3),
	name: text,
	points: number,
	chips: maybe(number),
	score: number,
});
const stands = fields({
	players: list(text, 4, 3),
	start: points,
	hands: list(turn),
	over: flag,
	ranking: list(rank, 4, 3),
	title: text,
	name: text,
	state: text,
	table: at,
	may: fields({ abort: list(fields({ id: text, label: text })), limits: list(fields({ id: text, label: text })) }),
});

/** A stored game, and its events in a link. */
const log = list(entry, 300, 1);
export const isLog = log;
const note = both(
	fields({
		id: text,
		at: text,
		event: maybe(object),
		picture: maybe(text),
		seen,
		of: maybe(entry),
		undo: maybe(log),
		deal: whole(300),
		nth: whole(999),
		text,
	}),
	({ event, of, undo }) => event || of || undo,
);
export const isGame = fields({
	id: text,
	at: text,
	n: whole(99999),
	events: log,
	undo: list(log),
	noted: maybe(list(note, 300)),
	tried: maybe(list(log)),
	dora: maybe(fields({ nth: whole(999), tiles: list(face, 5) })),
	stands,
});
export const isRecord = list(object, 300, 1);

export const isTiles = both(fields({ concealed: tiles }), record);

const players = list(whole(3), 4);
const claim = fields({
	game: text,
	id: text,
	fix: maybe(whole(300)),
	winners: list(maybe(whole(3)), 3, 1),
	from: maybe(whole(3)),
	hands: list(object),
	rest: maybe(list(object)),
	more: maybe(object),
	seen,
	facts: object,
});

// --- the page's own state ---

const quad = list(list(number, 2, 2), 4, 4);
const laid = list(fields({ label: face, quad: maybe(quad), shot: whole(5) }), 60);
const hand = fields({
	closed: laid,
	win: maybe((value) => laid([value])),
	melds: list(meld(laid)),
	dora: maybe(laid),
	ura: maybe(laid),
});
const instead = maybe(
	both(
		fields({ label: maybe(text), hand: maybe(record), region: maybe(list(number, 4, 4)) }),
		({ label, hand }) => label || hand,
	),
);
const doubts = ({ tiles, doubts }) =>
	list(
		fields({
			kind: among("photo", "hand", "win", "left_out", "indicator"),
			tiles: list(whole(tiles.length - 1)),
			instead,
		}),
	)(doubts);
const line = fields({ text, tiles: list(text), amount: maybe(number), turned: maybe(list(whole(3), 4)) });
const grid = maybe(fields({ head: list(text), rows: list(list(text)), marked: list(number) }));
const choice = fields({ id: text, label: text, fields: object, points: number, low: number, high: number });
const question = fields({
	field: text,
	text,
	why: text,
	kind: among("choice", "several", "tiles"),
	choices: list(choice, 999, 1),
});

const NOW = {
	screen: among("home", "take", "check", "score", "book", "learn"),
	id: text,
	hand,
	undone: list(hand),
	answers,
	reading: both(
		fields({ tiles: list(fields({ label: text, role: text, quad })), index: whole(5), unlike: list(number) }),
		doubts,
	),
	region: text,
	won: fields(WON),
	rivers: fields({
		tiles: fields({ right: list(face, 24), across: maybe(list(face, 24)), left: list(face, 24) }),
		riichi: list(among("right", "across", "left"), 3),
		seen: maybe(text),
	}),
	claim,
	outcome: fields({
		record: both(record, fields({ known: object })),
		result: maybe(object),
		range: maybe(fields({ low: number, high: number })),
		questions: list(question),
		tiles: fields({ waits: list(face) }),
	}),
	lesson: fields({
		steps: list(fields({ kind: text, title: text, lines: list(line), grid })),
		glossary: list(fields({ name: text, means: text, others: list(text) })),
	}),
};
const SETTINGS = {
	lang: among("en", "ja"),
	rules: text,
	theme: among("auto", "light", "dark"),
	terms: among("english", "ema", "japanese"),
	automatic: flag,
	table,
	names: list(text, 4),
	hinted: flag,
	tablet: flag,
};

const sound = (tests) => (value) =>
	Object.fromEntries(
		Object.entries(tests).flatMap(([name, test]) => (test(value?.[name]) ? [[name, value[name]]] : [])),
	);

/** The valid parts of a stored state or of settings. */
export const soundState = sound(NOW);
export const soundSettings = sound(SETTINGS);
export const soundSeat = sound({ game: text, declared: players, aside: players, fix: whole(300) });
