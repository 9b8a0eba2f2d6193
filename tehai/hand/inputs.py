"""The known facts of a hand before any question: from a photo, a typed line and flags."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
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
class HandInput:
    """The facts of a hand so far, with their sources.

    ``checked``: indices of the doubts of the reading that a person has settled. ``vouched``: whether a person
    has confirmed all tiles. ``language``: of the questions.
    """

    opened: OpenRecord
    reading: Reading | None = None
    checked: frozenset[int] = frozenset()
    vouched: bool = False
    language: str = "en"

    @property
    def hand_tiles(self) -> HandTiles:
        """The tiles of the record."""
        return self.opened.hand_tiles

    @property
    def record(self) -> Record:
        """The facts as JSON values."""
        return record_of(self.opened)

    @property
    def known(self) -> dict[str, str]:
        """The source of each field: ``seen``, ``inferred``, ``asked`` or ``default``."""
        return {name: str(source) for name, source in self.opened.known.items()}

    @property
    def doubts(self) -> doubts.OpenDoubts:
        """The doubts of the reading that nobody has settled."""
        return doubts.open_doubts(self.reading, self.opened, self.checked, vouched=self.vouched)

    @property
    def is_in_doubt(self) -> bool:
        """Whether the reading is too uncertain for a score."""
        confidence = None if self.reading is None or self.vouched else self.reading.confidence
        return doubts.in_doubt(self.doubts, confidence)

    @property
    def doubt_sentences(self) -> list[str]:
        """The open doubts as sentences."""
        return doubts.sentences(self.reading, self.doubts, self.language, vouched=self.vouched)

    def without_doubts(self, kind: DoubtKind) -> HandInput:
        """With all doubts of a kind settled."""
        settled = {index for index, doubt in self.doubts if doubt.kind == kind}
        return replace(self, checked=self.checked | settled)

    def plan(self) -> Plan:
        """The questions that can still change the score (``scorer.asking.plan``)."""
        asked = doubts.questions(self.reading, self.hand_tiles, self.doubts)
        plan = plan_of(self.opened, [doubt for _, doubt in asked], self.language)
        open_win = doubts.open_win(self.hand_tiles, self.doubts)
        if open_win is None:
            return plan
        if TILE in (*plan.later, *(question.field for question in plan.questions)):
            return replace(plan, later=(*plan.later, "win_tile"))  # ask for uncertain tiles first
        return plan_of(replace(self.opened, hand_tiles=open_win), (), self.language)

    def with_facts(self, facts: Record, names: Mapping[str, str] | None = None) -> HandInput:
        """With fields of the record that a person entered, as JSON values.

        Raises :class:`Mistake` for an invalid field. ``names``: how that person calls a field.
        """
        try:
            opened = with_fields(self.opened, facts, FactSource.ASKED)
        except RecordError as error:
            name, said = (names or {}).get(error.field, error.field), str(error)
            about = said.removeprefix(f"{error.field} ")
            raise Mistake(said if about == said else f"{name} {about}") from None
        return replace(self, opened=opened).with_inferred_nukidora()

    def as_played(self) -> HandInput:
        """With plain fives for red ones that the rules do not play."""
        return replace(self, opened=self.opened.as_played())

    def with_inferred_nukidora(self) -> HandInput:
        """With the norths beside the hand as nukidora, under rules of three players and if nobody has entered
        their number. Their source is ``inferred``."""
        opened = self.opened
        if self.reading is None or opened.rules.players == 4 or "nukidora" in opened.known:
            return self
        reading, norths = set_aside(self.reading)
        if not 0 < norths <= COPIES:
            return self
        return replace(
            self, reading=reading, opened=opened.with_facts({"nukidora": norths}, FactSource.INFERRED)
        )

    def answered(self, question: Question, text: str) -> HandInput:
        """With the answer to a question. Raises ``RecordError`` for an invalid one."""
        changes = question.changes(text)
        if question.field != TILE:
            return self.asked(changes)
        changed = {name: value for name, value in changes.items() if self.opened.value(name) != value}
        phrases = Phrases(self.language)
        about = doubts.questions(self.reading, self.hand_tiles, self.doubts)
        asked = next(index for index, doubt in about if doubt.text(phrases) == question.text)
        return replace(self.asked(changed), checked=self.checked | {asked})

    def corrected(self, answer: str) -> HandInput:
        """With the line of tiles corrected (:func:`tehai.hand.notation.correct`)."""
        hand_tiles = correct(self.hand_tiles, answer)
        tiles = {
            "concealed": hand_tiles.concealed,
            "win_tile": hand_tiles.win_tile,
            "melds": hand_tiles.melds,
        }
        changed = {name: value for name, value in tiles.items() if self.opened.value(name) != value}
        return replace(self.asked(changed), vouched=True)

    def won_on(self, tile: Tile) -> HandInput:
        """With that winning tile: taken from the closed tiles, or added to 13 tiles.

        An earlier winning tile goes back among the closed tiles first.
        """
        won = self.hand_tiles.won_on(tile)
        if won is None:
            closed = format_tiles(self.hand_tiles.closed)
            raise Mistake(f"{tile} is not among the closed tiles {closed}; name one of them.")
        return self.asked({"concealed": won.concealed, "win_tile": tile})

    def asked(self, changes: Changes) -> HandInput:
        """With facts that a person entered."""
        return replace(self, opened=self.opened.with_facts(changes, FactSource.ASKED))


def inferred_facts(hand_input: HandInput, plan: Plan) -> list[str]:
    """Sentences about the inferred facts, with the reason of each."""
    sentences = []
    guess, known = plan.guess, plan.guess.known
    phrases = Phrases(hand_input.language)
    seen = hand_input.reading.hand if hand_input.reading is not None else None
    if seen and "win_tile" in seen and known.get("win_tile") is FactSource.INFERRED:
        sentences.append(phrases.of("inferred", "win_tile", tile=guess.hand_tiles.win_tile))
    for meld in hand_input.hand_tiles.melds if hand_input.reading is not None else ():
        if meld.source:
            player = phrases.answer("pao", _PLAYERS[meld.source])
            sentences.append(phrases.of("inferred", "called", tiles=format_tiles(meld.tiles), player=player))
    has_table = hand_input.reading is not None and hand_input.reading.table is not None
    if (
        not has_table
        and hand_input.opened.known.get("riichi") is FactSource.SEEN
        and hand_input.opened.win.riichi
    ):
        sentences.append(phrases.of("inferred", "stick"))
    if hand_input.reading is not None:
        sentences += _table_sentences(hand_input, hand_input.reading, phrases)
    for form in catalogue()["inferred"]:
        name, _, value = form.partition(".")
        if known.get(name) is FactSource.INFERRED and value == json.dumps(guess.value(name)).strip('"'):
            sentences.append(phrases.of("inferred", form))
    return sentences


def _table_sentences(hand_input: HandInput, reading: Reading, phrases: Phrases) -> list[str]:
    """Sentences about the facts from the table that nobody has overridden, each once."""
    sentences = (
        sentence(fact, reading, phrases)
        for fact in facts_that_hold(reading, hand_input.opened)
        if fact.field not in ("ippatsu", "double_riichi") or hand_input.opened.win.riichi
    )
    return list(dict.fromkeys(sentences))


_PLAYERS = {1: "right", 2: "across", 3: "left"}


def nothing() -> HandInput:
    """No facts, under the default rules."""
    return HandInput(OpenRecord(HandTiles(), load_rules(), called=DEFAULTS["rules"]))


def is_photo(text: str) -> bool:
    """Whether the argument is the path of a photo and no typed hand."""
    path = Path(text)
    if text == sample.NAME or path.suffix.lower() in PHOTO_SUFFIXES or "/" in text:
        return True
    with suppress(OSError):  # a line of tiles can be longer than the name of a file
        return bool(text) and path.exists()
    return False


def from_line(line: str) -> HandInput:
    """A hand typed as in :mod:`tehai.hand.notation`."""
    hand_tiles = parse_hand(line)
    fields = ("concealed", "melds", *(() if hand_tiles.win_tile is None else ("win_tile",)))
    hand_tiles = replace(hand_tiles, known=dict.fromkeys(fields, FactSource.ASKED))
    return replace(nothing(), opened=replace(nothing().opened, hand_tiles=hand_tiles))


def from_argument(hand: str, region: Region | None) -> HandInput:
    """The hand of a photo or of a typed line. Raises :class:`Mistake` for anything else, and for a region
    with a typed line."""
    if is_photo(hand):
        return from_photo(hand, region)
    if region is not None:
        raise Mistake("--region frames a hand in a photo, and this hand is typed: drop it.")
    return from_line(hand)


def from_photo(photo: str, region: Region | None) -> HandInput:
    """The hand of a photo; see :func:`from_reading`."""
    return from_reading(read_photo(photo, region))


def from_reading(reading: Reading) -> HandInput:
    """The facts of a reading. The record is empty if the photo shows no hand; the reading has the reason.

    The source of the winning tile is ``inferred``: it follows from the position of the tile.
    """
    known = dict(reading.known)
    if "win_tile" in known:
        known["win_tile"] = "inferred"
    hand_input = nothing()
    if reading.hand is not None:
        hand_tiles = HandTiles.from_record(reading.hand, known)
        hand_input = replace(hand_input, opened=replace(hand_input.opened, hand_tiles=hand_tiles))
        for fact in table_facts(reading):
            hand_input = replace(
                hand_input, opened=hand_input.opened.with_facts({fact.field: fact.value}, fact.known)
            )
    return replace(hand_input, reading=reading)


def installed_engine() -> Engine:
    """The engine with the installed networks. Raises :class:`Mistake` with the name of a missing one."""
    installed_networks()
    from vision.reader import Engine

    return Engine()


def installed_networks() -> tuple[Path, ...]:
    """The files of the networks. Raises :class:`Mistake` with the name of a missing one."""
    from vision.network import FACES, FINDER, SCENE

    networks = FINDER, FACES, SCENE
    for network in networks:
        if not network.is_file():
            raise Mistake(f"The model {network.name} is missing from {network.parent}; install tehai again.")
    return networks


def tracing(folder: Path) -> Observer:
    """An observer that draws every stage into a folder. Raises :class:`Mistake` if it cannot make the
    folder."""
    from tehai.output.trace import Trace

    return Trace(folder)


def read_photo(photo: str, region: Region | None, observer: Observer = no_observer) -> Reading:
    """The reading of a photo or of the sample. ``observer`` receives every stage.

    Raises :class:`Mistake` for a file that is no photo, and if the trace cannot be written.
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
def mistakes_in(language: str) -> Iterator[None]:
    """Within this context a :class:`Mistyped` becomes a :class:`Mistake` in the language."""
    try:
        yield
    except Mistyped as error:
        raise Mistake(Phrases(language).of("tiles", "mistyped", why=error)) from None


def check_hand(hand_input: HandInput) -> None:
    """Raise :class:`Mistake` unless the hand has 14 tiles, each kan counted as three. For 13 tiles the
    message has the waits."""
    hand_tiles, phrases = hand_input.hand_tiles, Phrases(hand_input.language)
    if "concealed" not in hand_tiles.known:
        raise Mistake(
            phrases.reading(hand_input.reading.message)
            if hand_input.reading
            else phrases.of("advice", "no_tiles")
        )
    if hand_tiles.size == 14:
        return
    if hand_tiles.size == 13 and hand_tiles.win_tile is None:
        if waiting := hand_tiles.waits:
            raise Mistake(phrases.of("tiles", "waiting", tiles=" ".join(map(str, waiting))))
        raise Mistake(impossible_tiles(hand_input) or phrases.of("tiles", "dead"))
    kans = sum(len(meld.tiles) == 4 for meld in hand_tiles.melds)
    kan = hand_input.opened.rules.vocabulary.terms["kan"]
    count = len(hand_tiles.line)
    form = "count_one" if count == 1 else "count_kans" if kans else "count"
    raise Mistake(phrases.of("tiles", form, count=count, wanted=14 + kans, kans=kans, kan=kan))


def impossible_tiles(hand_input: HandInput) -> str:
    """Why the tiles of an unfinished hand are impossible, such as five alike; empty if they are possible."""
    hand_tiles, opened = hand_input.hand_tiles, hand_input.opened
    hand = Hand(hand_tiles.closed[:-1], hand_tiles.closed[-1], hand_tiles.melds)
    wrong = tile_faults(hand, opened.whole_win, opened.rules)
    return Phrases(hand_input.language).error(wrong[0].id, wrong[0].message) if wrong else ""
