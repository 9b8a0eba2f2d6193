"""What is in doubt about a hand that was read: told in sentences, asked where an answer can change the score.

Which doubts there are the reading says (:class:`vision.reading.Doubt`). Here are those that are left once a
person has said more, in words, and as questions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from math import floor
from typing import TYPE_CHECKING, Any, Final

from scorer.asking.phrases import Phrases
from scorer.asking.topics import Doubt as Question
from scorer.hand_tiles import FactSource, HandTiles
from scorer.open_record import OpenRecord
from scorer.tiles import Tile
from vision.reading import SURE, Doubt, Reading

if TYPE_CHECKING:
    from vision.reading import Region

Left = tuple[tuple[int, Doubt], ...]
"""Doubts, each with its index among all of the reading."""

_TOLD_BY: Final[Mapping[str, str]] = {"win": "win_tile", "indicator": "dora_indicators"}
"""Kind of a doubt to the field of the record that settles it once a person has said it."""


def left(
    reading: Reading | None, opened: OpenRecord, checked: Collection[int] = (), *, vouched: bool = False
) -> Left:
    """The doubts of a reading that nobody has settled, the gravest first.

    ``checked``: indices of those that were. ``vouched``: a person has said what all the tiles of the hand
    are; then only indicators can be in doubt.
    """
    known = opened.known
    return tuple(
        (index, doubt)
        for index, doubt in enumerate(reading.doubts if reading else ())
        if index not in checked
        and (doubt.kind == "indicator" or not vouched)
        and known.get(_TOLD_BY.get(doubt.kind, "")) is not FactSource.ASKED
    )


def in_doubt(doubts: Collection[object], confidence: float | None) -> bool:
    """Whether a reading with these doubts and that confidence is no sure ground for a score."""
    return bool(doubts) or (confidence is not None and confidence < SURE)


def record_in_doubt(reading: object) -> bool:
    """:func:`in_doubt` of a reading as JSON values; false for what is none."""
    if not isinstance(reading, Mapping):
        return False
    doubts, confidence = reading.get("doubts"), reading.get("confidence")
    said = doubts if isinstance(doubts, list) else ()
    return in_doubt(said, confidence if isinstance(confidence, int | float) else None)


# --- in words -----------------------------------------------------------------------------------------------


_NAMED: Final = 4
"""Tiles that a sentence names one by one: a kan has as many."""


def sentence(doubt: Doubt, reading: Reading, language: str = "en") -> str:
    """A doubt in one sentence: in English the reading's own, in other languages by its kind. Many tiles that
    may belong to the hand are not named."""
    phrases = Phrases(language)
    if doubt.kind == "left_out" and len(doubt.tiles) > _NAMED:
        return phrases.of("doubt", "many_left_out")
    if language == "en":
        return doubt.text
    labels = [reading.tiles[at].label for at in doubt.tiles]
    tile, instead = (labels or [""])[0], (doubt.instead or {}).get("label")
    if doubt.kind == "win":
        tile = (reading.hand or {}).get("win_tile") or tile
        instead = _other_hand(doubt).get("win_tile")
    if doubt.kind in ("face", "win") and instead is None:
        return phrases.of("doubt", f"{doubt.kind}_alone", tile=tile)
    form = "indicator_too" if doubt.kind == "indicator" and doubt.instead else doubt.kind
    return phrases.of("doubt", form, tile=tile, instead=instead, tiles=" ".join(labels))


def sureness(confidence: float, language: str = "en") -> str:
    """How sure the whole reading is, in one sentence; in whole percents, never more than it is."""
    return Phrases(language).of("doubt", "sure", percent=floor(100 * confidence))


def sentences(
    reading: Reading | None, doubts: Left, language: str = "en", *, vouched: bool = False
) -> list[str]:
    """What is to be said of the doubts that are left, each in its sentence, those alike once; where the
    reading has named none, but is less than sure, how sure it is."""
    if reading is None:
        return []
    told = list(dict.fromkeys(sentence(doubt, reading, language) for _, doubt in doubts))
    if reading.doubts or vouched or reading.confidence is None or not in_doubt((), reading.confidence):
        return told
    return [sureness(reading.confidence, language)]


# --- as questions -------------------------------------------------------------------------------------------


def questions(reading: Reading | None, hand_tiles: HandTiles, doubts: Left) -> Iterator[tuple[int, Question]]:
    """The doubts about faces and about which tile won, as the planner of questions takes them, each with its
    index in the reading. ``hand_tiles``: the tiles as far as they have been corrected."""
    for index, doubt in doubts if reading else ():
        assert reading is not None
        if doubt.kind == "face":
            asked = _face(doubt, reading, hand_tiles)
            yield from () if asked is None else [(index, asked)]
        elif doubt.kind == "win":
            yield from ((index, asked) for asked in _wins(doubt, reading, hand_tiles))


def open_win(hand_tiles: HandTiles, doubts: Left) -> HandTiles | None:
    """The tiles with the winning one among the others again, the likeliest last, where a doubt says that none
    is set apart; else None."""
    sizes = [_laid(_other_hand(doubt)).size for _, doubt in doubts if _has_no_winner(doubt)]
    if 14 not in sizes or hand_tiles.win_tile is None or hand_tiles.size != 14:
        return None
    return hand_tiles.with_open_win()


def other_hands(doubts: Left) -> list[tuple[HandTiles, Region]]:
    """The other hands that may be meant, each with the region in which it is read."""
    found = []
    for _, doubt in doubts:
        region = (doubt.instead or {}).get("region")
        if doubt.kind == "hand" and region is not None:
            x0, y0, x1, y1 = map(float, region)
            found.append((_laid(_other_hand(doubt)), (x0, y0, x1, y1)))
    return found


def positions(reading: Reading | None, hand_tiles: HandTiles, doubts: Left) -> frozenset[int]:
    """Positions (from 1) on the line of tiles that are in doubt.

    A reading lists tiles as they were found, the line as they lie: of alike tiles in one group all are named.
    """
    if reading is None:
        return frozenset()
    seen = (reading.tiles[at] for _, doubt in doubts if doubt.kind in ("face", "win") for at in doubt.tiles)
    unsure = {(tile.role.partition(":")[0], tile.label) for tile in seen}
    closed, win = len(hand_tiles.concealed), len(hand_tiles.closed)
    places = ("hand" if at < closed else "win" if at < win else "meld" for at in range(len(hand_tiles.line)))
    return frozenset(
        at
        for at, (role, tile) in enumerate(zip(places, hand_tiles.line, strict=True), 1)
        if (role, str(tile)) in unsure
    )


def _face(doubt: Doubt, reading: Reading, hand_tiles: HandTiles) -> Question | None:
    """Whether a tile is the other one; None where it is no tile of the hand any more."""
    other = str((doubt.instead or {}).get("label", ""))
    tile = reading.tiles[doubt.tiles[0]]
    position = _position(hand_tiles, tile.role, tile.label)
    if position is None or len(other) != 2:
        return None
    chance = tile.runner_up[1] if tile.runner_up[0] == other else 1 - tile.probability
    share = chance / (chance + tile.probability) if chance else 0.0
    return Question(
        tile.label, other, f"tile {position}", hand_tiles.with_tile(position, Tile.parse(other)), share
    )


def _wins(doubt: Doubt, reading: Reading, hand_tiles: HandTiles) -> Iterator[Question]:
    """Which of two tiles won: the one that was taken, or the other one; where the doubt is whether it belongs
    to the hand at all, any other that the rest waits on."""
    record = _other_hand(doubt)
    if hand_tiles.win_tile is None or not record:
        return
    share = _EVEN if reading.confidence is None else min(_EVEN, 1 - reading.confidence)
    if _has_no_winner(doubt):
        rest = replace(hand_tiles, win_tile=None)
        others = rest.waits if _laid(record).size == 13 else ()
        ways = [(tile, replace(hand_tiles, win_tile=tile)) for tile in others]
    else:
        tile = Tile.parse(record["win_tile"])
        won = hand_tiles.won_on(tile) if tile in hand_tiles.closed else _laid(record)
        ways = [] if won is None else [(tile, won)]
    for tile, won in ways:
        if tile != hand_tiles.win_tile:
            yield Question(str(hand_tiles.win_tile), str(tile), "", won, share)


def _has_no_winner(doubt: Doubt) -> bool:
    """Whether it doubts that the tile that was taken won, and knows of no other."""
    return doubt.kind == "win" and bool(doubt.instead) and "win_tile" not in _other_hand(doubt)


_EVEN: Final = 0.5
"""The chance of another winning tile where the reading says no better."""


def _other_hand(doubt: Doubt) -> Mapping[str, Any]:
    hand: Mapping[str, Any] = (doubt.instead or {}).get("hand") or {}
    return hand


def _laid(record: Mapping[str, Any]) -> HandTiles:
    return HandTiles.from_record({"concealed": "", **record}, {})


def _position(hand_tiles: HandTiles, role: str, label: str) -> int | None:
    """Where on the line of tiles (from 1) a tile with that role and label lies first, None for nowhere."""
    closed, win = len(hand_tiles.concealed), len(hand_tiles.closed)
    ends = {"hand": (0, closed), "win": (closed, win)}
    for at, meld in enumerate(hand_tiles.melds):
        ends[f"meld:{at}"] = (win, win := win + len(meld.tiles))
    start, end = ends.get(role, (0, 0))
    line = [str(tile) for tile in hand_tiles.line[start:end]]
    return start + line.index(label) + 1 if label in line else None
