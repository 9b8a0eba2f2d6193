"""The hand record before anything is asked: from a photo or a typed line, and from the flags."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.hand import Meld, MeldType
from scorer.questions import Question, open_questions
from scorer.readings import waits
from scorer.tiles import TILES, Tile, count_kinds
from tehai import sample
from tehai.errors import Mistake
from tehai.notation import Record, correct, format_tiles, line_of, parse_hand, parse_tiles

if TYPE_CHECKING:
    from vision.reading import Reading

PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".bmp"})
Region = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Given:
    """What is known so far. ``known``: for each field ``seen``, ``inferred``, ``asked`` or ``default``."""

    record: Record
    known: dict[str, str] = field(default_factory=dict)
    reading: Reading | None = None

    def questions(self) -> tuple[Question, ...]:
        """What can still change the score (``scorer.questions``)."""
        return open_questions(self.record, self.known)

    def told(self, facts: Record) -> Given:
        """With facts that a person gave, by flag or in answer to a question."""
        return replace(
            self, record={**self.record, **facts}, known={**self.known, **dict.fromkeys(facts, "asked")}
        )

    def corrected(self, answer: str) -> Given:
        """With the line of tiles corrected (:func:`tehai.notation.correct`)."""
        record = correct(self.record, answer)
        changed = [
            name for name in ("concealed", "win_tile", "melds") if record.get(name) != self.record.get(name)
        ]
        return replace(self, record=record, known={**self.known, **dict.fromkeys(changed, "asked")})

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


def doubtful_positions(given: Given) -> frozenset[int]:
    """Positions (from 1) on the line of tiles that the reading is not sure of.

    A reading lists tiles as they were found, the line as they lie: of alike tiles in one group all are named.
    """
    if given.reading is None:
        return frozenset()
    from vision.draw import is_doubtful

    unsure = {(tile.role.partition(":")[0], tile.label) for tile in given.reading.tiles if is_doubtful(tile)}
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
    """A hand read from a photo; the record is empty where the photo shows none (the reading says why)."""
    reading = read_photo(photo, region)
    return Given(dict(reading.hand or {}), dict(reading.known), reading)


def read_photo(photo: str, region: Region | None) -> Reading:
    """The reading of a photo, or of the sample. Raises :class:`Mistake` for a file that is no photo."""
    path = sample.sample_path() if photo == sample.NAME else Path(photo)
    from vision.image import PhotoError
    from vision.reader import Engine, read

    engine = Engine()
    for model in (engine.finder, engine.faces):
        if not model.is_file():
            raise Mistake(f"The model {model.name} is missing from {model.parent}; install tehai again.")
    try:
        return read(str(path), region=region, engine=engine)
    except PhotoError as error:
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
        waiting = waits(_counts(record["concealed"]), _melds(record))
        if waiting:
            named = " ".join(str(TILES[kind]) for kind in waiting)
            raise Mistake(f"13 tiles, waiting on {named}; add the winning tile with --win.")
        raise Mistake("13 tiles that wait on nothing; a finished hand has 14.")
    melds: list[dict[str, Any]] = record.get("melds", [])
    sizes = [len(parse_tiles(meld["tiles"])) for meld in melds]
    kans = sizes.count(4)
    count = size + sum(sizes) - 3 * len(sizes)
    wanted = f"{14 + kans} with {kans} kan" if kans else "14, and one more for each kan"
    raise Mistake(f"The hand has {count} tiles, but a finished hand has {wanted}; correct the line of tiles.")


def _melds(record: Record) -> tuple[Meld, ...]:
    return tuple(
        Meld(MeldType(meld["type"]), tuple(map(Tile.parse, parse_tiles(meld["tiles"]))))
        for meld in record.get("melds", ())
    )


def _counts(text: str) -> tuple[int, ...]:
    return count_kinds(Tile.parse(tile) for tile in parse_tiles(text))
