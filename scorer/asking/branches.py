"""The score under every combination of answers to what is open.

A *cell* takes one option of each topic; the first option is what holds by default. A cell that the rules
refuse (riichi on an open hand, rinshan without a kong, ...) has no value of its own. To compare answers it
borrows that of the cell in which what hangs on other facts is taken back: who did not declare riichi has no
ura dora.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from math import prod
from typing import Any, Final, TypeVar

from scorer.asking.topics import TILE, Option, QuestionKind, Topic
from scorer.hand import OTHERS, Hand, Win
from scorer.open_record import WIN, Changes, OpenRecord
from scorer.rules import RuleSet
from scorer.score import score
from scorer.status import TOO_LITTLE, HandError, can_be_won

Cell = tuple[int, ...]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Value:
    """What a win pays: ``points``, 0 where it has no yaku, and what each payer pays, least first."""

    points: int
    payments: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reach:
    """What an answer leads to: ``points`` with the other facts as near to their defaults as it allows,
    ``low`` and ``high`` over all that they can be. 0 is a hand without yaku.

    ``payments``: who pays what then, least first."""

    points: int
    low: int
    high: int
    payments: tuple[int, ...] = ()


class Branches:
    """All cells of ``topics`` over a record whose defaults are filled in, and its ``hand``.

    ``topics``: those answered with tiles last; the first option of each agrees with the record.
    """

    def __init__(self, opened: OpenRecord, hand: Hand, topics: Sequence[Topic]) -> None:
        self.topics = tuple(topics)
        self._hand, self._rules = hand, opened.rules
        win = opened.whole_win
        self._win = {name: getattr(win, name) for name in Win.__dataclass_fields__}
        self._lenient = _lenient(opened.rules)
        self._effects = [[_Effect.of(opened, option) for option in topic.options] for topic in self.topics]
        self._classes = self._equivalence_classes()
        self._axes = [tuple(dict.fromkeys(classes)) for classes in self._classes]
        own = dict(self._score_all())
        self._fallbacks = [
            [_fallbacks(topic, option) for option in range(len(topic.options))] for topic in self.topics
        ]
        self._own = [own.get(cell) for cell in product(*self._axes)]
        self._values = [
            value if value is not None else self._fallback_value(own, cell)
            for cell, value in zip(product(*self._axes), self._own, strict=True)
        ]
        self._weights = self._probabilities()

    # --- what the cells say

    @property
    def first(self) -> Cell | None:
        """The first cell that the rules allow: that of the defaults where they go together."""
        return next(
            (cell for cell, value in zip(product(*self._axes), self._own, strict=True) if value is not None),
            None,
        )

    @property
    def reach(self) -> Reach:
        """What the hand can come to in all."""
        return _reach(self._own)

    def options(self, at: int) -> tuple[int, ...]:
        """The options of a topic that the rules allow in some cell."""
        return tuple(
            option
            for option in range(len(self.topics[at].options))
            if any(value is not None for value in self._column(self._own, at, option))
        )

    def reach_of(self, at: int, options: Sequence[int]) -> Reach:
        """What options lead to, the points those of the first; they must be among :meth:`options`."""
        return _reach(chain.from_iterable(self._column(self._own, at, option) for option in options))

    def is_allowed(self, at: int, option: int) -> bool:
        """Whether the option goes together with the defaults of all other topics."""
        # in the order of cells the others' defaults come first
        return next(self._column(self._own, at, option)) is not None

    def score_alike(self, at: int, one: int, other: int) -> bool:
        """Whether two options of a topic pay the same whatever else holds."""
        if self._classes[at][one] == self._classes[at][other]:
            return True
        columns = zip(self._column(self._values, at, one), self._column(self._values, at, other), strict=True)
        return all(a == b or a is None or b is None for a, b in columns)

    def error_of(self, at: int) -> float:
        """How many points the best guess is wrong by on average where a topic is left at its default."""
        default = list(self._column(self._values, at, 0))
        error = 0.0
        for option in self._axes[at]:
            for weight, value, guess in zip(
                self._column(self._weights, at, option),
                self._column(self._values, at, option),
                default,
                strict=True,
            ):
                if weight and value is not None and guess is not None:
                    error += weight * abs(value.points - guess.points)
        return error / sum(self._weights)

    def _probabilities(self) -> list[float]:
        """How often each cell holds; one that the rules refuse never does."""
        shares = []
        for topic, classes, axis in zip(self.topics, self._classes, self._axes, strict=True):
            share = dict.fromkeys(axis, 0.0)
            for option, class_ in zip(topic.options, classes, strict=True):
                share[class_] += option.weight
            shares.append(share)
        cells = product(*self._axes)
        return [
            0.0 if value is None else prod(share[option] for share, option in zip(shares, cell, strict=True))
            for cell, value in zip(cells, self._own, strict=True)
        ]

    def _column(self, values: Sequence[_T], at: int, option: int) -> Iterator[_T]:
        """The values of the cells that take an option, in the order of cells."""
        size = len(self._axes[at])
        stride = prod(len(axis) for axis in self._axes[at + 1 :])
        start = self._axes[at].index(self._classes[at][option]) * stride
        for block in range(start, len(values), size * stride):
            yield from values[block : block + stride]

    # --- scoring them

    def _score_all(self) -> Iterator[tuple[Cell, Value]]:
        """The value of every cell that the rules allow."""
        tiles = bool(self.topics) and self.topics[-1].kind is QuestionKind.TILES
        indicators = self._axes[-1] if tiles else (0,)
        alike: dict[object, list[Value | None]] = {}
        for head in product(*(self._axes[:-1] if tiles else self._axes)):
            cells = [(*head, option) for option in indicators] if tiles else [head]
            first = self._score(cells[0])
            if first is None:
                continue  # no indicator makes possible what is not
            value, kind = first
            if kind not in alike:
                alike[kind] = [value, *self._with_dora(value, cells[1:])]
            yield from ((cell, found) for cell, found in zip(cells, alike[kind], strict=True) if found)

    def _with_dora(self, none: Value, cells: Sequence[Cell]) -> list[Value | None]:
        """The values of cells that differ by ever more dora alone, which never make a win pay less."""
        values: list[Value | None] = []
        for cell in reversed(cells):
            values = [self._value(cell), *values]
            if values[0] is not None:
                break  # with the most dora that can be
        fewer = cells[: len(cells) - len(values)]
        if values[:1] == [none]:
            return [none] * len(fewer) + values
        return [self._value(cell) for cell in fewer] + values

    def _hand_and_win(self, cell: Cell) -> tuple[Hand, dict[str, Any]]:
        """The hand and how it was won in a cell, as fields; what a later topic tells is stronger."""
        hand, win = self._hand, dict(self._win)
        for options, option in zip(self._effects, cell, strict=True):
            hand = options[option].hand or hand
            win |= options[option].win
        return hand, win

    def _value(self, cell: Cell) -> Value | None:
        scored = self._score(cell)
        return scored and scored[0]

    def _score(self, cell: Cell) -> tuple[Value, object] | None:
        """The cell's value, and what it has to do with dora: cells that are equal in it gain alike by them.

        A dora is a han for each reading of the hand, whatever its other han are for.
        """
        hand, fields = self._hand_and_win(cell)
        if fields["double_riichi"] and not fields["riichi"]:
            return None  # ``riichi`` is also true with ``double_riichi`` (``docs/hand.md``)
        if not fields["tsumo"] and fields["loser_offset"] is None:
            others = OTHERS[self._rules.players]
            fields["loser_offset"] = next(player for player in others if player != fields["pao"])
        win = Win(**fields)
        try:
            scored = score(hand, win, self._rules)
        except HandError as error:
            if error.status & ~TOO_LITTLE:
                return None
            return Value(0), (hand, win.chankan, win.has_riichi, win.nukidora)
        assert scored.deltas is not None
        value = Value(scored.points, tuple(sorted(-delta for delta in scored.deltas[1:])))
        alone = cell if self._rules.limit_hands else ()  # a limit of its own hides how many han there are
        readings = frozenset((one.han, one.fu, one.limit) for one in (scored, *scored.other_readings))
        return value, (hand, win.chankan, win.has_riichi, win.nukidora, value, alone, readings)

    def _fallback_value(self, own: Mapping[Cell, Value], cell: Cell) -> Value | None:
        """The value of the cell with as little taken back as makes it possible."""
        ways = [back[option] for back, option in zip(self._fallbacks, cell, strict=True)]
        return next((own[nearest] for nearest in product(*ways) if nearest in own), None)

    # --- tiles and winds that do the same for a hand

    def _equivalence_classes(self) -> list[tuple[int, ...]]:
        """For each option of each topic the first option that is the same in every detail.

        Seats, rounds and winning tiles are many and mostly do nothing for a hand: of those that give it the
        same yaku and the same minipoints in each of its readings only one is scored with all the rest.
        """
        classes = [tuple(range(len(topic.options))) for topic in self.topics]
        for at in reversed([at for at, topic in enumerate(self.topics) if topic.tiles_only]):
            others = [self._axis_beside(at, other, classes) for other in range(len(self.topics))]
            first: dict[tuple[object, ...], int] = {}
            found = []
            for option in classes[at]:
                cells = product(*others[:at], (option,), *others[at + 1 :])
                found.append(first.setdefault(tuple(map(self._detail, cells)), option))
            classes[at] = tuple(found)
        return classes

    def _axis_beside(self, at: int, other: int, classes: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """The options of another topic beside which those of a plain one are compared: ways of winning,
        winds, a tile in doubt. Which tile won tells nothing more of winds: the sets are the same."""
        topic = self.topics[other]
        if topic.field == "tsumo":
            ways = {option.changes["tsumo"]: at for at, option in reversed([*enumerate(topic.options)])}
            return tuple(sorted(ways.values()))
        if topic.field == TILE or (topic.tiles_only and (other > at or topic.field != "win_tile")):
            return tuple(dict.fromkeys(classes[other]))
        return (0,)

    def _detail(self, cell: Cell) -> object:
        """All that tiles and winds do for the hand; won on the last tile, as it may have no other yaku."""
        hand, fields = self._hand_and_win(cell)
        tsumo, winds = fields["tsumo"], (fields["seat_wind"], fields["round_wind"])
        last, robbed = Win(tsumo, *winds, haitei=tsumo, houtei=not tsumo), Win(tsumo, *winds, chankan=True)
        try:
            scored = score(hand, last, self._lenient)
        except HandError as error:
            return error.status
        # the two minipoints of a pair are not those of rounding, which name no tiles
        readings = frozenset(
            (one.points, one.yaku, tuple((item.fu, bool(item.tiles)) for item in one.fu_items))
            for one in (scored, *scored.other_readings)
        )
        return readings, not tsumo and can_be_won(hand, robbed, self._rules)


def _fallbacks(topic: Topic, option: int) -> tuple[int, ...]:
    """The option, and what is left of it where it is taken back: ever fewer tiles, or ever fewer marks."""
    if not topic.depends or not option:
        return (option,)
    if topic.kind is QuestionKind.TILES:
        return tuple(range(option, -1, -1))
    whole = topic.options[option]
    less = [
        at
        for at, one in enumerate(topic.options)
        if one.marks < whole.marks and one.changes.get(topic.field) == whole.changes.get(topic.field)
    ]
    return (option, *sorted(less, key=lambda at: -len(topic.options[at].marks)))


def _lenient(rules: RuleSet) -> RuleSet:
    """The rules with which the last tile is yaku enough."""
    last = {"haitei": (1, 1), "houtei": (1, 1)}
    return replace(
        rules,
        yaku={**rules.yaku, **last},
        natural_wins_alone="always",
        two_han_from_honba=0,
    )


def _reach(values: Iterable[Value | None]) -> Reach:
    known = [value for value in values if value is not None]
    points = [value.points for value in known]
    return Reach(points[0], min(points), max(points), known[0].payments)


_OF_HAND: Final = ("concealed", "win_tile", "melds")
_OF_WIN: Final = WIN | {"dora_indicators", "ura_indicators"}


@dataclass(frozen=True, slots=True)
class _Effect:
    """What an option does: the hand where it changes the tiles, and fields of :class:`Win`."""

    hand: Hand | None
    win: Changes

    @classmethod
    def of(cls, opened: OpenRecord, option: Option) -> _Effect:
        changes = option.changes
        hand = None if changes.keys().isdisjoint(_OF_HAND) else opened.put(changes).hand_tiles.hand
        return cls(hand, {name: value for name, value in changes.items() if name in _OF_WIN})
