"""The open doubts about a hand from a photo, as sentences and as questions.

The reading has the doubts (:class:`vision.reading.Doubt`). A doubt is open until a person settles it.
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
from vision.reading import READING_THRESHOLD, Doubt, Reading

if TYPE_CHECKING:
    from vision.reading import Region

OpenDoubts = tuple[tuple[int, Doubt], ...]
"""(index among all doubts of the reading, doubt)."""

_SETTLED_BY: Final[Mapping[str, str]] = {"win": "win_tile", "indicator": "dora_indicators"}
"""By kind of doubt: the field of the record that settles it if a person enters it."""


def open_doubts(
    reading: Reading | None, opened: OpenRecord, checked: Collection[int] = (), *, vouched: bool = False
) -> OpenDoubts:
    """The doubts of a reading that nobody has settled, the gravest first.

    ``checked``: indices of settled doubts. ``vouched``: whether a person has confirmed all tiles of the hand.
    Then only indicators can be in doubt.
    """
    known = opened.known
    return tuple(
        (index, doubt)
        for index, doubt in enumerate(reading.doubts if reading else ())
        if index not in checked
        and (doubt.kind == "indicator" or not vouched)
        and known.get(_SETTLED_BY.get(doubt.kind, "")) is not FactSource.ASKED
    )


def in_doubt(doubts: Collection[object], confidence: float | None) -> bool:
    """Whether a reading with these doubts and this confidence is too uncertain for a score."""
    return bool(doubts) or (confidence is not None and confidence < READING_THRESHOLD)


def record_in_doubt(reading: object) -> bool:
    """:func:`in_doubt` for a reading as JSON values; false for other values."""
    if not isinstance(reading, Mapping):
        return False
    doubts, confidence = reading.get("doubts"), reading.get("confidence")
    said = doubts if isinstance(doubts, list) else ()
    return in_doubt(said, confidence if isinstance(confidence, int | float) else None)


# --- in words -----------------------------------------------------------------------------------------------


_NAMED: Final = 4
"""The most tiles that a sentence lists: the size of a kan."""


def sentence(doubt: Doubt, reading: Reading, language: str = "en") -> str:
    """A doubt in one sentence: the reading's own in English, one for its kind in other languages. A long list
    of tiles that may belong to the hand is left out."""
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


def confidence_sentence(confidence: float, language: str = "en") -> str:
    """The confidence of the reading in one sentence, in whole percent, rounded down."""
    return Phrases(language).of("doubt", "sure", percent=floor(100 * confidence))


def sentences(
    reading: Reading | None, doubts: OpenDoubts, language: str = "en", *, vouched: bool = False
) -> list[str]:
    """The sentences of the open doubts, each once. If the reading has no doubts but low confidence, the
    sentence is that of the confidence."""
    if reading is None:
        return []
    texts = list(dict.fromkeys(sentence(doubt, reading, language) for _, doubt in doubts))
    if reading.doubts or vouched or reading.confidence is None or not in_doubt((), reading.confidence):
        return texts
    return [confidence_sentence(reading.confidence, language)]


# --- as questions -------------------------------------------------------------------------------------------


def questions(
    reading: Reading | None, hand_tiles: HandTiles, doubts: OpenDoubts
) -> Iterator[tuple[int, Question]]:
    """(index of the doubt, question for the planner) for the doubts about faces and about the winning tile.
    ``hand_tiles``: the tiles with their corrections so far."""
    for index, doubt in doubts if reading else ():
        assert reading is not None
        if doubt.kind == "face":
            asked = _face(doubt, reading, hand_tiles)
            yield from () if asked is None else [(index, asked)]
        elif doubt.kind == "win":
            yield from ((index, asked) for asked in _wins(doubt, reading, hand_tiles))


def open_win(hand_tiles: HandTiles, doubts: OpenDoubts) -> HandTiles | None:
    """The tiles without a winning tile, the likeliest one last, if a doubt says that no tile lies apart;
    otherwise None."""
    sizes = [_hand_tiles_of(_other_hand(doubt)).size for _, doubt in doubts if _has_no_winner(doubt)]
    if 14 not in sizes or hand_tiles.win_tile is None or hand_tiles.size != 14:
        return None
    return hand_tiles.with_open_win()


def other_hands(doubts: OpenDoubts) -> list[tuple[HandTiles, Region]]:
    """The other hands that the player may mean, each with its region of the photo."""
    found = []
    for _, doubt in doubts:
        region = (doubt.instead or {}).get("region")
        if doubt.kind == "hand" and region is not None:
            x0, y0, x1, y1 = map(float, region)
            found.append((_hand_tiles_of(_other_hand(doubt)), (x0, y0, x1, y1)))
    return found


def positions(reading: Reading | None, hand_tiles: HandTiles, doubts: OpenDoubts) -> frozenset[int]:
    """The positions (from 1) of uncertain tiles on the line.

    The order of the reading differs from that of the line. So of equal tiles in one group all count.
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
    """The question whether a tile is another one; None if the tile is no longer in the hand."""
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
    """The questions which of two tiles won: the tile of the reading or another one. If the tile may not
    belong to the hand, the others are all waits of the rest."""
    record = _other_hand(doubt)
    if hand_tiles.win_tile is None or not record:
        return
    share = _EVEN if reading.confidence is None else min(_EVEN, 1 - reading.confidence)
    if _has_no_winner(doubt):
        rest = replace(hand_tiles, win_tile=None)
        others = rest.waits if _hand_tiles_of(record).size == 13 else ()
        ways = [(tile, replace(hand_tiles, win_tile=tile)) for tile in others]
    else:
        tile = Tile.parse(record["win_tile"])
        won = hand_tiles.won_on(tile) if tile in hand_tiles.closed else _hand_tiles_of(record)
        ways = [] if won is None else [(tile, won)]
    for tile, won in ways:
        if tile != hand_tiles.win_tile:
            yield Question(str(hand_tiles.win_tile), str(tile), "", won, share)


def _has_no_winner(doubt: Doubt) -> bool:
    """Whether the doubt is about the winning tile and names no other one."""
    return doubt.kind == "win" and bool(doubt.instead) and "win_tile" not in _other_hand(doubt)


_EVEN: Final = 0.5
"""The default probability of another winning tile."""


def _other_hand(doubt: Doubt) -> Mapping[str, Any]:
    hand: Mapping[str, Any] = (doubt.instead or {}).get("hand") or {}
    return hand


def _hand_tiles_of(record: Mapping[str, Any]) -> HandTiles:
    return HandTiles.from_record({"concealed": "", **record}, {})


def _position(hand_tiles: HandTiles, role: str, label: str) -> int | None:
    """The first position (from 1) on the line of a tile with that role and label, or None."""
    closed, win = len(hand_tiles.concealed), len(hand_tiles.closed)
    ends = {"hand": (0, closed), "win": (closed, win)}
    for at, meld in enumerate(hand_tiles.melds):
        ends[f"meld:{at}"] = (win, win := win + len(meld.tiles))
    start, end = ends.get(role, (0, 0))
    line = [str(tile) for tile in hand_tiles.line[start:end]]
    return start + line.index(label) + 1 if label in line else None
