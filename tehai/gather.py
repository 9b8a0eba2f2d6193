"""The hand record before anything is asked: from a photo or a typed line, and from the flags."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.asking.plan import TILE, Doubt, Plan, Question, plan
from scorer.hand import Meld, MeldType
from scorer.readings import waits
from scorer.record import DEFAULTS
from scorer.rules import RulesError, RuleSet, load_rules
from scorer.tiles import Tile
from scorer.words import VOCABULARIES, Words
from tehai import sample
from tehai.errors import Mistake
from tehai.notation import Record, correct, format_tiles, line_of, parse_hand, parse_tiles, with_tile
from vision.watch import TraceError, Watch, nobody

if TYPE_CHECKING:
    from vision.reader import Engine
    from vision.reading import Reading

PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".bmp"})
Region = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Given:
    """What is known so far. ``known``: for each field ``seen``, ``inferred``, ``asked`` or ``default``.

    ``checked``: indices of the reading's tiles that a person vouched for.
    """

    record: Record
    known: dict[str, str] = field(default_factory=dict)
    reading: Reading | None = None
    checked: frozenset[int] = frozenset()

    def plan(self) -> Plan:
        """What can still change the score (``scorer.asking.plan``)."""
        return plan(self.record, self.known, [doubt for _, doubt in doubts(self)])

    def told(self, facts: Record) -> Given:
        """With facts that a person gave, by flag or in answer to a question."""
        return replace(
            self, record={**self.record, **facts}, known={**self.known, **dict.fromkeys(facts, "asked")}
        )

    def answered(self, question: Question, text: str) -> Given:
        """With the answer to a question. Raises ``RecordError`` for what is none."""
        facts = question.answer(text)
        if question.field != TILE:
            return self.told(facts)
        changed = {name: value for name, value in facts.items() if self.record.get(name) != value}
        asked = next(index for index, doubt in doubts(self) if doubt.text == question.text)
        return replace(self.told(changed), checked=self.checked | {asked})

    def corrected(self, answer: str) -> Given:
        """With the line of tiles corrected (:func:`tehai.notation.correct`)."""
        record = correct(self.record, answer)
        changed = [
            name for name in ("concealed", "win_tile", "melds") if record.get(name) != self.record.get(name)
        ]
        looked_at = frozenset(range(len(self.reading.tiles))) if self.reading else frozenset()
        return replace(
            self,
            record=record,
            known={**self.known, **dict.fromkeys(changed, "asked")},
            checked=looked_at,
        )

    def won_on(self, tile: str) -> Given:
        """With the winning tile named: taken from the closed tiles, or added to 13 tiles.

        A winning tile that the photo showed goes back among the closed tiles first.
        """
        closed = list(parse_tiles(self.record.get("concealed", "")))
        if self.record.get("win_tile"):
            closed.append(self.record["win_tile"])
        if len(closed) % 3 == 2:
            if tile not in closed:
                raise Mistake(
                    f"{tile} is not among the closed tiles {format_tiles(closed)}; name one of them."
                )
            closed.remove(tile)
        return self.told({"concealed": format_tiles(closed), "win_tile": tile})


def doubts(given: Given) -> tuple[tuple[int, Doubt], ...]:
    """The tiles of the hand that may well be their runner-up, likeliest first, with their index in the photo.

    What the rules decided against the pixels is no doubt: only one of the two made a hand.
    """
    if given.reading is None:
        return ()
    from vision.habits import HABITS

    least = exp(-HABITS.decode.doubt)
    found = []
    for index, tile in enumerate(given.reading.tiles):
        other, probability = tile.runner_up
        if index in given.checked or tile.source == "rule" or probability < least * tile.probability:
            continue
        position = _position(given.record, tile.role, tile.label)
        if position is not None and len(other) == 2:
            fields = with_tile(given.record, position, other)
            share = probability / (probability + tile.probability)
            found.append((index, Doubt(tile.label, other, f"tile {position}", fields, share)))
    return tuple(sorted(found, key=lambda one: -one[1].probability))


def _position(record: Record, role: str, label: str) -> int | None:
    """Where on the line of tiles (from 1) a tile with that role and label lies first, None for nowhere."""
    closed = len(parse_tiles(record.get("concealed", "")))
    win = closed + bool(record.get("win_tile"))
    ends = {"hand": (0, closed), "win": (closed, win)}
    for at, meld in enumerate(record.get("melds", ())):
        ends[f"meld:{at}"] = (win, win := win + len(parse_tiles(meld["tiles"])))
    start, end = ends.get(role, (0, 0))
    line = line_of(record)[start:end]
    return start + line.index(label) + 1 if label in line else None


def inferred_facts(given: Given, plan: Plan) -> list[str]:
    """What nobody told and no tile shows, but follows, in sentences that say from what."""
    said = []
    if given.reading is not None and plan.known.get("win_tile") == "inferred":
        said.append(f"{plan.record['win_tile']} is the winning tile: it lies apart from the row.")
    for meld in given.record.get("melds", ()) if given.reading is not None else ():
        if meld.get("from"):
            said.append(f"{meld['tiles']} was called from {_PLAYERS[meld['from']]}: a tile lies sideways.")
    if given.known.get("riichi") == "seen" and given.record.get("riichi"):
        said.append("Riichi was declared: its stick lies in the photo.")
    for name, words in _FOLLOWS.items():
        if plan.known.get(name) == "inferred" and plan.record[name] in words:
            said.append(words[plan.record[name]])
    return said


_PLAYERS = {1: "the next player (right)", 2: "the player across", 3: "the previous player (left)"}
_FOLLOWS: dict[str, dict[object, str]] = {
    "riichi": {True: "Riichi was declared."},
    "tsumo": {True: "It was a self-draw (tsumo).", False: "It was won on a discard (ron)."},
    "seat_wind": {"E": "You are the dealer."},
}
"""What is said of a field that follows from others."""


def doubtful_positions(given: Given) -> frozenset[int]:
    """Positions (from 1) on the line of tiles that the reading is not sure of.

    A reading lists tiles as they were found, the line as they lie: of alike tiles in one group all are named.
    """
    if given.reading is None:
        return frozenset()
    unsure = {(tile.role.partition(":")[0], tile.label) for tile in given.reading.tiles if tile.is_doubtful}
    closed = len(parse_tiles(given.record.get("concealed", "")))
    win = bool(given.record.get("win_tile"))
    positions = set()
    for place, tile in enumerate(line_of(given.record)):
        role = "hand" if place < closed else "win" if place < closed + win else "meld"
        if (role, tile) in unsure:
            positions.add(place + 1)
    return frozenset(positions)


def is_photo(text: str) -> bool:
    """Whether the argument names a photo rather than a hand."""
    path = Path(text)
    return text == sample.NAME or path.suffix.lower() in PHOTO_SUFFIXES or "/" in text or path.exists()


def from_line(line: str) -> Given:
    """A hand typed as in :mod:`tehai.notation`."""
    record = parse_hand(line)
    return Given(record, dict.fromkeys(record, "asked"))


def from_photo(photo: str, region: Region | None) -> Given:
    """A hand read from a photo, as :func:`from_reading` has it."""
    return from_reading(read_photo(photo, region))


def from_reading(reading: Reading) -> Given:
    """What a reading tells; the record is empty where it shows no hand (the reading says why).

    That a tile won is inferred from where it lies, whatever its face.
    """
    known = dict(reading.known)
    if "win_tile" in known:
        known["win_tile"] = "inferred"
    return Given(dict(reading.hand or {}), known, reading)


def installed_engine() -> Engine:
    """The networks that reading uses. Raises :class:`Mistake` naming one that is missing."""
    installed_networks()
    from vision.reader import Engine

    return Engine()


def installed_networks() -> tuple[Path, Path]:
    """The files of the networks that reading uses. Raises :class:`Mistake` naming one that is missing."""
    from vision.network import FACES, FINDER

    for network in (FINDER, FACES):
        if not network.is_file():
            raise Mistake(f"The model {network.name} is missing from {network.parent}; install tehai again.")
    return FINDER, FACES


def read_photo(photo: str, region: Region | None, watch: Watch = nobody) -> Reading:
    """The reading of a photo, or of the sample; ``watch`` is shown every stage of it.

    Raises :class:`Mistake` for a file that is no photo, and for a trace that cannot be written.
    """
    path = sample.sample_path() if photo == sample.NAME else Path(photo)
    from vision.image import PhotoError
    from vision.reader import read

    try:
        return read(str(path), region=region, engine=installed_engine(), watch=watch)
    except (PhotoError, TraceError) as error:
        raise Mistake(str(error)) from None


def parse_region(text: str) -> Region:
    """``0,0.5,1,0.7`` as fractions x0, y0, x1, y1 of the photo."""
    try:
        x0, y0, x1, y1 = (float(part) for part in text.split(","))
    except ValueError:
        raise Mistake(f"--region is x0,y0,x1,y1 in fractions of the photo, not “{text}”.") from None
    if not (0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1):
        raise Mistake("--region needs 0 ≤ x0 < x1 ≤ 1 and 0 ≤ y0 < y1 ≤ 1, for example 0,0.5,1,0.7.")
    return x0, y0, x1, y1


def size_of(record: Record) -> int:
    """Tiles of the hand, each meld counted as three: 14 when finished."""
    closed = len(parse_tiles(record.get("concealed", ""))) + bool(record.get("win_tile"))
    return closed + 3 * len(record.get("melds", ()))


def check_hand(given: Given) -> None:
    """Raises :class:`Mistake` unless the hand has 14 tiles, a kan counted as three; says what 13 wait on."""
    record = given.record
    if "concealed" not in record:
        raise Mistake(given.reading.message if given.reading else "There are no tiles.")
    size = size_of(record)
    if size == 14:
        return
    if size == 13 and not record.get("win_tile"):
        if waiting := waiting_on(record):
            raise Mistake(f"13 tiles, waiting on {' '.join(waiting)}; add the winning tile with --win.")
        raise Mistake("13 tiles that wait on nothing; a finished hand has 14.")
    melds: list[dict[str, Any]] = record.get("melds", [])
    sizes = [len(parse_tiles(meld["tiles"])) for meld in melds]
    kans = sizes.count(4)
    count = size + sum(sizes) - 3 * len(sizes)
    kan = words_of(record).terms["kan"]
    wanted = f"{14 + kans} with {kans} {kan}" if kans else f"14, and one more for each {kan}"
    raise Mistake(f"The hand has {count} tiles, but a finished hand has {wanted}; correct the line of tiles.")


def words_of(record: Record) -> Words:
    """The vocabulary that a record speaks. Raises :class:`Mistake` for rules that there are none of."""
    if record.get("words"):
        return VOCABULARIES[record["words"]]
    rules = record.get("rules", DEFAULTS["rules"])
    try:
        return (rules if isinstance(rules, RuleSet) else load_rules(rules)).vocabulary
    except RulesError as error:
        raise Mistake(str(error)) from None


def waiting_on(record: Record) -> tuple[str, ...]:
    """The tiles that finish a hand of 13, lowest first; empty for any other."""
    if record.get("win_tile") or size_of(record) != 13:
        return ()
    return tuple(map(str, waits(record["concealed"], _melds(record))))


def _melds(record: Record) -> tuple[Meld, ...]:
    return tuple(
        Meld(MeldType(meld["type"]), tuple(map(Tile.parse, parse_tiles(meld["tiles"]))))
        for meld in record.get("melds", ())
    )
