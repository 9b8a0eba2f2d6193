"""What a partial hand record leaves open, and only what can still change its score.

A photo shows tiles; how they were won it does not show. Each open fact is a :class:`Question` with choices,
and a choice is a set of record fields. Nothing here lists what excludes what: every choice is scored beside
the others, those that the rules refuse everywhere (riichi on an open hand, rinshan without a kong, ...) fall
away, and a question whose choices all score alike is not asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from reprlib import repr as shown
from typing import Any, Final

from scorer.readings import is_complete
from scorer.record import DEFAULTS, RecordError, score_record
from scorer.tiles import (
    COPIES,
    DRAGONS,
    TILES,
    WINDS,
    Tile,
    TileError,
    count_kinds,
    dora_of,
    format_tiles,
    parse_tiles,
)

Fields = Mapping[str, Any]


class QuestionKind(StrEnum):
    """``choice``: one of the choices; ``tiles``: tiles as text, or nothing."""

    CHOICE = "choice"
    TILES = "tiles"


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: ``id`` to type or click, ``label`` to show, and the record ``fields`` that it sets.

    ``points``: the hand's value with this answer and the other open questions at their defaults, or None.
    """

    id: str
    label: str
    fields: Fields
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """An open fact. ``field``: the record field that it is about; ``why``: why it is asked.

    ``default``: the id of the choice that holds if nobody answers, or the text (often empty) of the tiles.
    """

    field: str
    text: str
    kind: QuestionKind
    choices: tuple[Choice, ...]
    default: str
    why: str

    def answer(self, text: str) -> dict[str, Any]:
        """The record fields that an answer sets; empty text is the default. Raises :class:`RecordError`."""
        text = text.strip() or self.default
        if self.kind is QuestionKind.TILES:
            return _indicators(self.field, text)
        for choice in self.choices:
            if text.casefold() in (choice.id.casefold(), choice.label.casefold()):
                return dict(choice.fields)
        known = ", ".join(choice.id for choice in self.choices)
        raise RecordError("bad_field", self.field, f"{shown(text)} is no answer here: choose one of {known}.")

    def to_record(self) -> dict[str, Any]:
        """The question as JSON values."""
        return {
            "field": self.field,
            "text": self.text,
            "kind": self.kind.value,
            "choices": [
                {"id": one.id, "label": one.label, "fields": dict(one.fields), "points": one.points}
                for one in self.choices
            ],
            "default": self.default,
            "why": self.why,
        }


def _indicators(field: str, text: str) -> dict[str, Any]:
    """``"3m5p"``, and for dora with ura after a slash ``"3m/5p"``."""
    names = ("dora_indicators", "ura_indicators") if field == "dora_indicators" else (field,)
    parts = text.split("/")
    if len(parts) > len(names):
        raise RecordError(
            "bad_field", field, f"{shown(text)} has too many slashes: write indicators such as 3m5p."
        )
    try:
        return {
            name: [str(tile) for tile in parse_tiles(part)] for name, part in zip(names, parts, strict=False)
        }
    except TileError as error:
        raise RecordError("bad_tile", field, str(error)) from None


# --- what may be asked --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Topic:
    """A question before it is known whether it is open, and whether to ask it.

    ``choices``: all there are; of a question answered with tiles, examples that show whether it matters.
    ``span``: how many of the first choices to try while another question is looked at.
    ``rare``: whether to leave out the choices that never score unlike the default.
    """

    field: str
    text: str
    why: str
    choices: tuple[Choice, ...]
    span: int = 1
    rare: bool = False
    kind: QuestionKind = QuestionKind.CHOICE


_PLAYERS: Final = {1: "the next player (right)", 2: "the player across", 3: "the previous player (left)"}
_WINDS: Final = {"E": "east", "S": "south", "W": "west", "N": "north"}
_SPECIAL: Final = {
    "rinshan": "rinshan: on the replacement tile after a kong",
    "haitei": "haitei: on the last tile of the wall",
    "houtei": "houtei: on the last discard",
    "chankan": "chankan: robbing a kong",
    "tenhou": "tenhou: on the dealer's first fourteen tiles",
    "chiihou": "chiihou: on the first draw, before any call",
    "renhou": "renhou: on a discard before the first draw",
}


def _win_tile(record: Fields) -> _Topic:
    choices = []
    for tile in _win_candidates(record):
        fields = {"win_tile": str(tile), "concealed": format_tiles(_without(_concealed(record), tile))}
        choices.append(Choice(str(tile), tile.name, fields))
    return _Topic("win_tile", "Which tile won?", "No tile lies apart from the others.", tuple(choices))


def _won(record: Fields) -> _Topic:
    choices = (
        Choice("ron", "ron, no matter from whom", {"tsumo": False, "loser_offset": None}),
        Choice("tsumo", "self-draw (tsumo)", {"tsumo": True, "loser_offset": None}),
        *(
            Choice(f"ron{offset}", f"ron from {player}", {"tsumo": False, "loser_offset": offset})
            for offset, player in _PLAYERS.items()
        ),
    )
    return _Topic("tsumo", "Self-draw or ron?", "It decides fu, yaku and who pays.", choices, span=2)


def _seat(record: Fields) -> _Topic:
    choices = tuple(
        Choice(wind, f"{name} (dealer)" if wind == "E" else name, {"seat_wind": wind})
        for wind, name in _WINDS.items()
    )
    return _Topic(
        "seat_wind", "Which seat?", "East wins and pays more; seat winds are yaku.", choices, span=4
    )


def _round(record: Fields) -> _Topic:
    choices = tuple(Choice(wind, name, {"round_wind": wind}) for wind, name in _WINDS.items())
    return _Topic("round_wind", "Which round?", "The hand holds winds that may be the round's.", choices)


def _riichi(record: Fields) -> _Topic:
    choices = tuple(
        Choice(
            id_,
            id_.replace("-", " ").replace("+", " and ") if id_ != "no" else "no riichi",
            {"riichi": id_ != "no", "double_riichi": "double" in id_, "ippatsu": "ippatsu" in id_},
        )
        for id_ in ("no", "riichi", "riichi+ippatsu", "double-riichi", "double-riichi+ippatsu")
    )
    return _Topic("riichi", "Riichi?", "A concealed hand may have declared it.", choices, span=2)


def _indicators_of(field: str, text: str, why: str, record: Fields) -> _Topic:
    """The choices are examples: no indicator, and for some kinds of the hand one that makes them dora."""
    held = count_kinds((*_concealed(record), *_melded(record)))
    examples: list[list[str]] = [[]]
    for indicator in range(len(held)):
        if held[dora_of(indicator)] and held[indicator] < COPIES and len(examples) < 3:
            examples.append([str(TILES[indicator])])
    choices = tuple(Choice("".join(example), "", {field: example}) for example in examples)
    return _Topic(field, text, why, choices, kind=QuestionKind.TILES)


def _dora(record: Fields) -> _Topic:
    return _indicators_of(
        "dora_indicators",
        "Dora indicators, kan dora included?",
        "Each dora is a han, and none was seen.",
        record,
    )


def _ura(record: Fields) -> _Topic:
    return _indicators_of("ura_indicators", "Ura dora indicators?", "Riichi opens them.", record)


def _special(record: Fields) -> _Topic:
    none = dict.fromkeys(_SPECIAL, False)
    choices = (
        Choice("none", "nothing special", none),
        *(Choice(name, label, {**none, name: True}) for name, label in _SPECIAL.items()),
    )
    return _Topic(
        "special", "Anything special about the win?", "Each of these is worth a yaku.", choices, rare=True
    )


def _pao(record: Fields) -> _Topic:
    """Only sets on the table, all called, of three dragons, three or four winds, or four kongs can make a
    player liable; for which of them the rules do, the scores say (EMA 2008 §3.3.6, Toudai §4.1.6)."""
    called = [parse_tiles(meld["tiles"]) for meld in record.get("melds", ()) if meld["type"] != "ankan"]
    kinds = {tile.kind for tiles in called for tile in tiles}
    kongs = sum(len(tiles) == COPIES for tiles in called)
    players = _PLAYERS if kinds >= DRAGONS or len(kinds & WINDS) >= 3 or kongs == 4 else {}
    choices = (
        Choice("nobody", "nobody", {"pao": None}),
        *(Choice(str(offset), player, {"pao": offset}) for offset, player in players.items()),
    )
    return _Topic("pao", "Who fed the last set of this yakuman?", "That player is liable for it.", choices)


_TOPICS: Final[tuple[Callable[[Fields], _Topic], ...]] = (
    _win_tile,
    _won,
    _seat,
    _round,
    _riichi,
    _dora,
    _ura,
    _special,
    _pao,
)
"""In the order in which they are asked."""


# --- what is asked ------------------------------------------------------------------------------------------

_HAND_ERRORS: Final = ("no_yaku", "below_minimum")
"""Errors that are a result of the hand as played; any other says that the facts cannot be."""


def open_questions(record: Fields, known: Collection[str] | Mapping[str, str] = ()) -> tuple[Question, ...]:
    """The questions that can still change the score of a partial record, in the order to ask them.

    ``record``: the fields of ``HAND.md`` so far; a full hand whose winning tile is open has it among
    ``concealed`` and no ``win_tile``. ``known``: the fields that need no asking, or how each is known
    (``seen``, ``inferred``, ``asked``, ``default``), where ``default`` is as good as unknown. Ask the first,
    put :meth:`Question.answer` into the record and its fields into ``known``, and call again. Tiles that are
    no hand leave nothing to ask.

    >>> questions = open_questions({"concealed": "234m340567p2267s", "win_tile": "8s"})
    >>> [question.field for question in questions]
    ['tsumo', 'seat_wind', 'riichi', 'dora_indicators', 'special']
    """
    settled = {field for field in known if not (isinstance(known, Mapping) and known[field] == "default")}
    if record.get("win_tile") is not None:
        settled |= {"win_tile", "concealed"}
    else:
        settled.discard("concealed")  # the answer takes the winning tile from among them
    filled = apply_defaults(record)
    scores = _Scores(filled)
    if not scores.is_hand:
        return ()
    topics = [topic for make in _TOPICS if (topic := _open_part(make(record), filled, settled)) is not None]
    asked = [
        question for topic in topics if (question := _question(topic, topics, filled, scores)) is not None
    ]
    if not (filled["riichi"] and "riichi" in settled):
        asked = [question for question in asked if question.field != "ura_indicators"]
    return tuple(_dora_together(asked))


def apply_defaults(record: Fields) -> dict[str, Any]:
    """The record with every missing field at its default: a ron, and of a full row the last tile won.

    >>> apply_defaults({"concealed": "234m340567p22678s"})["win_tile"]
    '8s'
    """
    filled = {field: list(value) if isinstance(value, list) else value for field, value in DEFAULTS.items()}
    filled |= {"tsumo": False, **record}
    if filled.get("win_tile") is None and isinstance(record.get("concealed"), str):
        try:
            tiles = _concealed(record)
        except TileError:
            return filled
        if len(tiles) % 3 == 2:
            filled |= {"win_tile": str(tiles[-1]), "concealed": format_tiles(tiles[:-1])}
    return filled


class _Scores:
    """Results of the record with some fields changed, each worked out once."""

    def __init__(self, record: Fields) -> None:
        self._record = record
        self._known: dict[str, dict[str, Any] | None] = {}

    @property
    def is_hand(self) -> bool:
        """Whether the tiles alone make a hand, however it was won."""
        fields = ("rules", "concealed", "win_tile", "melds", "tsumo")
        plain = {field: self._record[field] for field in fields if field in self._record}
        return _essence(score_record(plain)) is not None

    def __call__(self, fields: Fields) -> dict[str, Any] | None:
        """What makes two scores differ for a player; None where the facts cannot be."""
        key = json.dumps(fields, sort_keys=True)
        if key not in self._known:
            self._known[key] = _essence(score_record({**self._record, **fields}))
        return self._known[key]


def _essence(result: Fields) -> dict[str, Any] | None:
    """Minipoints count only below the limits; a hand without yaku scores, a contradiction does not."""
    if result["status"] == "error":
        return {"error": result["error"], "points": None} if result["error"] in _HAND_ERRORS else None
    fields = (
        ("han", "points", "yaku", "deltas") if result["limit"] else ("han", "fu", "points", "yaku", "deltas")
    )
    return {field: result[field] for field in fields}


def _open_part(topic: _Topic, filled: Fields, settled: Collection[str]) -> _Topic | None:
    """The topic with the choices that agree with what is settled, its default first; None where it is closed.

    The default is the choice that agrees with the filled record.
    """
    choices = [
        choice
        for choice in topic.choices
        if all(filled.get(field) == value for field, value in choice.fields.items() if field in settled)
    ]
    if len(choices) < 2 or all(field in settled for choice in choices for field in choice.fields):
        return None
    default = next(
        (one for one in choices if all(filled.get(f) == v for f, v in one.fields.items())), choices[0]
    )
    choices.sort(key=lambda choice: choice is not default)
    topic = replace(topic, choices=tuple(choices))
    if topic.field == "tsumo" and "tsumo" in settled:
        return replace(topic, field="loser_offset", text="Who discarded the winning tile?", why="Who pays.")
    return topic


def _settings(topics: list[_Topic]) -> Iterator[dict[str, Any]]:
    """Answers to the other questions under which one is tried: all defaults first."""
    for answers in product(*(topic.choices[: topic.span] for topic in topics)):
        yield {field: value for answer in answers for field, value in answer.fields.items()}
    defaults = {field: value for topic in topics for field, value in topic.choices[0].fields.items()}
    for topic in topics:
        for choice in topic.choices[topic.span :]:
            yield {**defaults, **choice.fields}


def _question(topic: _Topic, topics: list[_Topic], filled: Fields, scores: _Scores) -> Question | None:
    """The topic as a question with the choices that can be, or None where they all score alike."""
    others = [other for other in topics if other is not topic]
    points: dict[str, int | None] = {}
    matter: set[str] = set()
    for setting in _settings(others):
        results = {one.id: scores({**setting, **one.fields}) for one in topic.choices}
        can_be = {id_: result for id_, result in results.items() if result is not None}
        for id_, result in can_be.items():
            points.setdefault(id_, result["points"])
        matter |= {id_ for id_, result in can_be.items() if result != next(iter(can_be.values()))}
        if len(points) == len(topic.choices) and (
            len(matter) == len(points) - 1 or (matter and not topic.rare)
        ):
            break
    if not matter:
        return None
    default, *alternatives = (
        replace(one, points=points[one.id]) for one in topic.choices if one.id in points
    )
    choices = (default, *(one for one in alternatives if one.id in matter or not topic.rare))
    free = topic.kind is QuestionKind.TILES
    return Question(topic.field, topic.text, topic.kind, () if free else choices, default.id, topic.why)


def _dora_together(asked: list[Question]) -> Iterator[Question]:
    """Dora and ura indicators in one question where both are open."""
    both = {"dora_indicators", "ura_indicators"} <= {question.field for question in asked}
    for question in asked:
        if both and question.field == "dora_indicators":
            yield replace(question, text="Dora indicators, and after a slash the ura (3m/5p)?")
        elif not (both and question.field == "ura_indicators"):
            yield question


# --- the tiles of a partial record --------------------------------------------------------------------------


def _concealed(record: Fields) -> tuple[Tile, ...]:
    return parse_tiles(record.get("concealed", ""))


def _melded(record: Fields) -> tuple[Tile, ...]:
    return tuple(tile for meld in record.get("melds", ()) for tile in parse_tiles(meld["tiles"]))


def _without(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    """The tiles less the last one that is equal to ``tile``."""
    at = len(tiles) - 1 - tiles[::-1].index(tile)
    return tiles[:at] + tiles[at + 1 :]


def _win_candidates(record: Fields) -> tuple[Tile, ...]:
    """The tiles for which the rest of a full row waits, one of each kind, in the order of the row."""
    tiles = _concealed(record)
    if record.get("win_tile") is not None or not is_complete(
        count_kinds(tiles), len(record.get("melds", ()))
    ):
        return ()
    return tuple({tile.kind: tile for tile in tiles}.values())
