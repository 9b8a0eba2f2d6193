"""The hand record before anything is asked: from a photo or a typed line, and from the flags."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.asking.phrases import Phrases, catalogue
from scorer.asking.plan import TILE, Plan, Question, plan_of
from scorer.hand import Hand
from scorer.hand_tiles import FactSource, HandTiles
from scorer.open_record import Changes, OpenRecord
from scorer.record import DEFAULTS, RecordError, record_of, with_fields
from scorer.rules import load_rules
from scorer.status import tile_faults
from scorer.tiles import COPIES, Tile, format_tiles
from tehai.errors import Mistake, Mistyped
from tehai.hand import doubts, sample
from tehai.hand.notation import Record, correct, parse_hand
from tehai.hand.nukidora import set_aside
from tehai.hand.table_facts import facts_that_hold, sentence, table_facts
from vision.observer import Observer, no_observer

if TYPE_CHECKING:
    from vision.reader import Engine
    from vision.reading import DoubtKind, Reading, Region

PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".bmp"})


@dataclass(frozen=True, slots=True)
class Given:
    """What is known so far, and how.

    ``checked``: indices of the reading's doubts that a person has settled; ``vouched``: the person has said
    what all the tiles are. ``language``: of the questions.
    """

    opened: OpenRecord
    reading: Reading | None = None
    checked: frozenset[int] = frozenset()
    vouched: bool = False
    language: str = "en"

    @property
    def hand_tiles(self) -> HandTiles:
        """The tiles as they lie."""
        return self.opened.hand_tiles

    @property
    def record(self) -> Record:
        """What is known as JSON values."""
        return record_of(self.opened)

    @property
    def known(self) -> dict[str, str]:
        """For each field ``seen``, ``inferred``, ``asked`` or ``default``."""
        return {name: str(source) for name, source in self.opened.known.items()}

    @property
    def doubts(self) -> doubts.Left:
        """What is in doubt about the reading, and nobody has settled."""
        return doubts.left(self.reading, self.opened, self.checked, vouched=self.vouched)

    @property
    def is_in_doubt(self) -> bool:
        """Whether what was read is no sure ground for a score."""
        confidence = None if self.reading is None or self.vouched else self.reading.confidence
        return doubts.in_doubt(self.doubts, confidence)

    @property
    def doubts_told(self) -> list[str]:
        """What is in doubt, in sentences."""
        return doubts.sentences(self.reading, self.doubts, self.language, vouched=self.vouched)

    def without_doubts(self, kind: DoubtKind) -> Given:
        """With all doubts of a kind settled."""
        settled = {index for index, doubt in self.doubts if doubt.kind == kind}
        return replace(self, checked=self.checked | settled)

    def plan(self) -> Plan:
        """What can still change the score (``scorer.asking.plan``)."""
        asked = doubts.questions(self.reading, self.hand_tiles, self.doubts)
        plan = plan_of(self.opened, [doubt for _, doubt in asked], self.language)
        open_win = doubts.open_win(self.hand_tiles, self.doubts)
        if open_win is None:
            return plan
        if TILE in (*plan.later, *(question.field for question in plan.questions)):
            return replace(plan, later=(*plan.later, "win_tile"))  # what the tiles are comes before
        return plan_of(replace(self.opened, hand_tiles=open_win), (), self.language)

    def with_facts(self, facts: Record) -> Given:
        """With fields of the record that a person gave, as JSON values.

        Raises :class:`Mistake` for what cannot be understood.
        """
        try:
            opened = with_fields(self.opened, facts, FactSource.ASKED)
        except RecordError as error:
            raise Mistake(str(error)) from None
        return replace(self, opened=opened).with_norths()

    def as_played(self) -> Given:
        """With plain fives for the red ones that the rules do not play."""
        return replace(self, opened=self.opened.as_played())

    def with_norths(self) -> Given:
        """With the norths that lie beside the hand set aside, where by the rules three play and nobody has
        said how many: inferred, as from where they lie."""
        opened = self.opened
        if self.reading is None or opened.rules.players == 4 or "nukidora" in opened.known:
            return self
        reading, norths = set_aside(self.reading)
        if not 0 < norths <= COPIES:
            return self
        return replace(
            self, reading=reading, opened=opened.with_facts({"nukidora": norths}, FactSource.INFERRED)
        )

    def answered(self, question: Question, text: str) -> Given:
        """With the answer to a question. Raises ``RecordError`` for what is none."""
        changes = question.changes(text)
        if question.field != TILE:
            return self.asked(changes)
        changed = {name: value for name, value in changes.items() if self.opened.value(name) != value}
        phrases = Phrases(self.language)
        about = doubts.questions(self.reading, self.hand_tiles, self.doubts)
        asked = next(index for index, doubt in about if doubt.text(phrases) == question.text)
        return replace(self.asked(changed), checked=self.checked | {asked})

    def corrected(self, answer: str) -> Given:
        """With the line of tiles corrected (:func:`tehai.hand.notation.correct`)."""
        hand_tiles = correct(self.hand_tiles, answer)
        tiles = {
            "concealed": hand_tiles.concealed,
            "win_tile": hand_tiles.win_tile,
            "melds": hand_tiles.melds,
        }
        changed = {name: value for name, value in tiles.items() if self.opened.value(name) != value}
        return replace(self.asked(changed), vouched=True)

    def won_on(self, tile: Tile) -> Given:
        """With the winning tile named: taken from the closed tiles, or added to 13 tiles.

        A winning tile that the photo showed goes back among the closed tiles first.
        """
        won = self.hand_tiles.won_on(tile)
        if won is None:
            closed = format_tiles(self.hand_tiles.closed)
            raise Mistake(f"{tile} is not among the closed tiles {closed}; name one of them.")
        return self.asked({"concealed": won.concealed, "win_tile": tile})

    def asked(self, changes: Changes) -> Given:
        """With what a person said."""
        return replace(self, opened=self.opened.with_facts(changes, FactSource.ASKED))


def inferred_facts(given: Given, plan: Plan) -> list[str]:
    """What nobody told and no tile shows, but follows, in sentences that say from what."""
    sentences = []
    guess, known = plan.guess, plan.guess.known
    phrases = Phrases(given.language)
    seen = given.reading.hand if given.reading is not None else None
    if seen and "win_tile" in seen and known.get("win_tile") is FactSource.INFERRED:
        sentences.append(phrases.of("inferred", "win_tile", tile=guess.hand_tiles.win_tile))
    for meld in given.hand_tiles.melds if given.reading is not None else ():
        if meld.source:
            player = phrases.answer("pao", _PLAYERS[meld.source])
            sentences.append(phrases.of("inferred", "called", tiles=format_tiles(meld.tiles), player=player))
    has_table = given.reading is not None and given.reading.table is not None
    if not has_table and given.opened.known.get("riichi") is FactSource.SEEN and given.opened.win.riichi:
        sentences.append(phrases.of("inferred", "stick"))
    if given.reading is not None:
        sentences += _table_sentences(given, given.reading, phrases)
    for form in catalogue()["inferred"]:
        name, _, value = form.partition(".")
        if known.get(name) is FactSource.INFERRED and value == json.dumps(guess.value(name)).strip('"'):
            sentences.append(phrases.of("inferred", form))
    return sentences


def _table_sentences(given: Given, reading: Reading, phrases: Phrases) -> list[str]:
    """What the table says that nobody has said otherwise, each sentence once."""
    sentences = (
        sentence(fact, reading, phrases)
        for fact in facts_that_hold(reading, given.opened)
        if fact.field not in ("ippatsu", "double_riichi") or given.opened.win.riichi
    )
    return list(dict.fromkeys(sentences))


_PLAYERS = {1: "right", 2: "across", 3: "left"}


def nothing() -> Given:
    """Nothing at all, under the rules that hold where none are named."""
    return Given(OpenRecord(HandTiles(), load_rules(), called=DEFAULTS["rules"]))


def is_photo(text: str) -> bool:
    """Whether the argument names a photo rather than a hand."""
    path = Path(text)
    return text == sample.NAME or path.suffix.lower() in PHOTO_SUFFIXES or "/" in text or path.exists()


def from_line(line: str) -> Given:
    """A hand typed as in :mod:`tehai.hand.notation`."""
    hand_tiles = parse_hand(line)
    fields = ("concealed", "melds", *(() if hand_tiles.win_tile is None else ("win_tile",)))
    hand_tiles = replace(hand_tiles, known=dict.fromkeys(fields, FactSource.ASKED))
    return replace(nothing(), opened=replace(nothing().opened, hand_tiles=hand_tiles))


def from_argument(hand: str, region: Region | None) -> Given:
    """A photo or a typed line, whichever it is. Raises :class:`Mistake` where it is neither, and for a region
    of a typed line."""
    if is_photo(hand):
        return from_photo(hand, region)
    if region is not None:
        raise Mistake("--region frames a hand in a photo, and this hand is typed: drop it.")
    return from_line(hand)


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
    given = nothing()
    if reading.hand is not None:
        hand_tiles = HandTiles.from_record(reading.hand, known)
        given = replace(given, opened=replace(given.opened, hand_tiles=hand_tiles))
        for fact in table_facts(reading):
            given = replace(given, opened=given.opened.with_facts({fact.field: fact.value}, fact.known))
    return replace(given, reading=reading)


def installed_engine() -> Engine:
    """The networks that reading uses. Raises :class:`Mistake` naming one that is missing."""
    installed_networks()
    from vision.reader import Engine

    return Engine()


def installed_networks() -> tuple[Path, ...]:
    """The files of the networks that reading uses. Raises :class:`Mistake` naming one that is missing."""
    from vision.network import FACES, FINDER, SCENE

    networks = FINDER, FACES, SCENE
    for network in networks:
        if not network.is_file():
            raise Mistake(f"The model {network.name} is missing from {network.parent}; install tehai again.")
    return networks


def tracing(folder: Path) -> Observer:
    """What draws every stage into a folder. Raises :class:`Mistake` where that cannot be made."""
    from tehai.output.trace import Trace

    return Trace(folder)


def read_photo(photo: str, region: Region | None, observer: Observer = no_observer) -> Reading:
    """The reading of a photo, or of the sample; ``observer`` receives every stage.

    Raises :class:`Mistake` for a file that is no photo, and for a trace that cannot be written.
    """
    path = sample.sample_path() if photo == sample.NAME else Path(photo)
    from vision.image import PhotoError
    from vision.reader import read

    try:
        return read(str(path), region=region, engine=installed_engine(), observer=observer)
    except (PhotoError, FileNotFoundError) as error:
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


@contextmanager
def told_in(language: str) -> Iterator[None]:
    """What is mistyped here is told in a language."""
    try:
        yield
    except Mistyped as error:
        raise Mistake(Phrases(language).of("tiles", "mistyped", why=error)) from None


def check_hand(given: Given) -> None:
    """Raises :class:`Mistake` unless the hand has 14 tiles, a kan counted as three; says what 13 wait on."""
    hand_tiles, phrases = given.hand_tiles, Phrases(given.language)
    if "concealed" not in hand_tiles.known:
        raise Mistake(
            phrases.reading(given.reading.message) if given.reading else phrases.of("advice", "no_tiles")
        )
    if hand_tiles.size == 14:
        return
    if hand_tiles.size == 13 and hand_tiles.win_tile is None:
        if waiting := hand_tiles.waits:
            raise Mistake(phrases.of("tiles", "waiting", tiles=" ".join(map(str, waiting))))
        raise Mistake(impossible_tiles(given) or phrases.of("tiles", "dead"))
    kans = sum(len(meld.tiles) == 4 for meld in hand_tiles.melds)
    kan = given.opened.rules.vocabulary.terms["kan"]
    count = len(hand_tiles.line)
    form = "count_one" if count == 1 else "count_kans" if kans else "count"
    raise Mistake(phrases.of("tiles", form, count=count, wanted=14 + kans, kans=kans, kan=kan))


def impossible_tiles(given: Given) -> str:
    """Why no set has the tiles of a hand that is not finished, such as five alike; empty where one has."""
    hand_tiles, opened = given.hand_tiles, given.opened
    hand = Hand(hand_tiles.closed[:-1], hand_tiles.closed[-1], hand_tiles.melds)
    wrong = tile_faults(hand, opened.whole_win, opened.rules)
    return Phrases(given.language).error(wrong[0].id, wrong[0].message) if wrong else ""
