"""The score under every combination of answers to the open questions.

A *cell* is one option of each topic; the first option is the default. A cell that the rules refuse (riichi on
an open hand, rinshan without a kan, ...) has no value of its own. For comparisons it takes the value of the
nearest valid cell, without the answers that depend on others: without riichi there are no ura dora.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, product
from math import prod
from typing import Any, Final, TypeVar

from scorer.asking.topics import TILE, Option, QuestionKind, Topic
from scorer.hand import OTHERS, Hand, Win
from scorer.open_record import WIN, Changes, OpenRecord
from scorer.rules import RuleSet
from scorer.score import score
from scorer.status import TOO_LITTLE, HandError, HandStatus, can_be_won

Cell = tuple[int, ...]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Value:
    """The payment of a win. ``points``: 0 without a yaku. ``payments``: of each payer, the smallest first.
    ``chips``: from each payer.

    ``too_few``: whether the hand has a yaku, but fewer han than it needs (EMA 2008 §3.4.11).
    """

    points: int
    payments: tuple[int, ...] = ()
    chips: int = 0
    too_few: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Reach:
    """The points that an answer leads to. 0 means a hand without yaku.

    ``points``: with the other facts as near to their defaults as possible. ``low``, ``high``: over all other
    answers. ``payments``: of each payer at ``points``, the smallest first. ``too_few``: whether 0 means too
    few han instead.
    """

    points: int
    low: int
    high: int
    payments: tuple[int, ...] = ()
    too_few: bool = False


class Branches:
    """All cells of ``topics`` for a ``hand`` and a record with its defaults filled in.

    ``topics``: those answered with tiles come last. The first option of each agrees with the record.
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

    # --- queries

    @property
    def first(self) -> Cell | None:
        """The first cell that the rules allow: that of the defaults, if they are compatible."""
        return next(
            (cell for cell, value in zip(product(*self._axes), self._own, strict=True) if value is not None),
            None,
        )

    @property
    def reach(self) -> Reach:
        """The points that the hand can have."""
        return _reach(self._own)

    def options(self, at: int) -> tuple[int, ...]:
        """The options of a topic that the rules allow in some cell."""
        return tuple(
            option
            for option in range(len(self.topics[at].options))
            if any(value is not None for value in self._column(self._own, at, option))
        )

    def reach_of(self, at: int, options: Sequence[int]) -> Reach:
        """The points that some options lead to, at least one. They must be among :meth:`options`."""
        return _reach(chain.from_iterable(self._column(self._own, at, option) for option in options))

    def is_allowed(self, at: int, option: int) -> bool:
        """Whether the rules allow the option with the defaults of all other topics."""
        # cells with the defaults of the other topics come first
        return next(self._column(self._own, at, option)) is not None

    def score_alike(self, at: int, one: int, other: int) -> bool:
        """Whether an option of a topic pays as much as another one, under all answers that are possible with
        the other one."""
        if self._classes[at][one] == self._classes[at][other]:
            return True
        columns = zip(self._column(self._values, at, one), self._column(self._own, at, other), strict=True)
        return all(a == b or a is None or b is None for a, b in columns)

    def error_of(self, at: int) -> float:
        """The average error in points if a topic stays at its default."""
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
        """The relative probability of each cell; 0 for a cell that the rules refuse."""
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
        """The values of the cells with an option, in the order of cells."""
        size = len(self._axes[at])
        stride = prod(len(axis) for axis in self._axes[at + 1 :])
        start = self._axes[at].index(self._classes[at][option]) * stride
        for block in range(start, len(values), size * stride):
            yield from values[block : block + stride]

    # --- scoring

    def _score_all(self) -> Iterator[tuple[Cell, Value]]:
        """The value of every cell that the rules allow."""
        tiles = bool(self.topics) and self.topics[-1].kind is QuestionKind.TILES
        indicators = self._axes[-1] if tiles else (0,)
        alike: dict[object, list[Value | None]] = {}
        for head in product(*(self._axes[:-1] if tiles else self._axes)):
            cells = [(*head, option) for option in indicators] if tiles else [head]
            first = self._score(cells[0])
            if first is None:
                continue  # indicators cannot make an impossible win possible
            value, kind = first
            if kind not in alike:
                alike[kind] = [value, *self._with_dora(value, cells[1:])]
            yield from ((cell, found) for cell, found in zip(cells, alike[kind], strict=True) if found)

    def _with_dora(self, none: Value, cells: Sequence[Cell]) -> list[Value | None]:
        """The values of cells that differ only in the number of dora. More dora never pay less."""
        values: list[Value | None] = []
        for cell in reversed(cells):
            values = [self._value(cell), *values]
            if values[0] is not None:
                break  # the cell with the most possible dora
        fewer = cells[: len(cells) - len(values)]
        if values[:1] == [none]:
            return [none] * len(fewer) + values
        return [self._value(cell) for cell in fewer] + values

    def _hand_and_win(self, cell: Cell) -> tuple[Hand, dict[str, Any]]:
        """The hand of a cell and the fields of its win. Later topics override earlier ones."""
        hand, win = self._hand, dict(self._win)
        for options, option in zip(self._effects, cell, strict=True):
            hand = options[option].hand or hand
            win |= options[option].win
        return hand, win

    def _value(self, cell: Cell) -> Value | None:
        scored = self._score(cell)
        return scored and scored[0]

    def _score(self, cell: Cell) -> tuple[Value, object] | None:
        """The value of a cell, and a key: cells with the same key gain the same by dora.

        A dora adds one han to each reading of the hand.
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
            too_few = error.status is HandStatus.BELOW_MINIMUM
            return Value(0, too_few=too_few), (hand, win.chankan, win.has_riichi, win.nukidora)
        assert scored.deltas is not None
        value = Value(scored.points, tuple(sorted(-delta for delta in scored.deltas[1:])), scored.chips)
        alone = cell if self._rules.limit_hands else ()  # a fixed limit hides the number of han
        readings = frozenset((one.han, one.fu, one.limit) for one in (scored, *scored.other_readings))
        return value, (hand, win.chankan, win.has_riichi, win.nukidora, value, alone, readings)

    def _fallback_value(self, own: Mapping[Cell, Value], cell: Cell) -> Value | None:
        """The value of the nearest valid cell, with the fewest answers taken back."""
        ways = [back[option] for back, option in zip(self._fallbacks, cell, strict=True)]
        return next((own[nearest] for nearest in product(*ways) if nearest in own), None)

    # --- equivalent options

    def _equivalence_classes(self) -> list[tuple[int, ...]]:
        """For each option of each topic, the first option that is equivalent to it.

        This saves scoring: most seats, rounds and winning tiles make no difference. Two options are
        equivalent if they give the same yaku and minipoints in each reading of the hand.
        """
        classes = [tuple(range(len(topic.options))) for topic in self.topics]
        own = bool(self._rules.own_yaku)  # which may ask for a winning tile and for a way of winning at once
        alike = [topic.tiles_only and not (own and topic.field == "win_tile") for topic in self.topics]
        for at in reversed([at for at, merges in enumerate(alike) if merges]):
            others = [self._axis_beside(at, other, classes) for other in range(len(self.topics))]
            first: dict[tuple[object, ...], int] = {}
            found = []
            for option in classes[at]:
                cells = product(*others[:at], (option,), *others[at + 1 :])
                found.append(first.setdefault(tuple(map(self._detail, cells)), option))
            classes[at] = tuple(found)
        return classes

    def _axis_beside(self, at: int, other: int, classes: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """The options of topic ``other`` to combine with when comparing options of topic ``at``: ways of
        winning, winds, an uncertain tile. The winning tile does not matter for winds: the sets stay the same.
        """
        topic = self.topics[other]
        if topic.field == "tsumo":
            ways = {option.changes["tsumo"]: at for at, option in reversed([*enumerate(topic.options)])}
            return tuple(sorted(ways.values()))
        if topic.field == TILE or (topic.tiles_only and (other > at or topic.field != "win_tile")):
            return tuple(dict.fromkeys(classes[other]))
        return (0,)

    def _detail(self, cell: Cell) -> object:
        """A key for the effect of tiles and winds on the hand. It is scored as won on the last tile, so that
        it has a yaku in any case."""
        hand, fields = self._hand_and_win(cell)
        tsumo, winds = fields["tsumo"], (fields["seat_wind"], fields["round_wind"])
        last, robbed = Win(tsumo, *winds, haitei=tsumo, houtei=not tsumo), Win(tsumo, *winds, chankan=True)
        try:
            scored = score(hand, last, self._lenient)
        except HandError as error:
            return error.status
        # tell the two minipoints of a pair from those of rounding: these have no tiles
        readings = frozenset(
            (one.points, one.yaku, tuple((item.fu, bool(item.tiles)) for item in one.fu_items))
            for one in (scored, *scored.other_readings)
        )
        return readings, not tsumo and can_be_won(hand, robbed, self._rules)


def _fallbacks(topic: Topic, option: int) -> tuple[int, ...]:
    """The option, and weaker ones to fall back to: with fewer and fewer tiles or marks."""
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
    """The rules, changed so that a win on the last tile needs no other yaku."""
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
    nothing = [value.too_few for value in known if not value.points]
    return Reach(points[0], min(points), max(points), known[0].payments, bool(nothing) and all(nothing))


_OF_HAND: Final = ("concealed", "win_tile", "melds")
_OF_WIN: Final = WIN | {"dora_indicators", "ura_indicators"}


@dataclass(frozen=True, slots=True)
class _Effect:
    """The effect of an option. ``hand``: the new hand if it changes tiles. ``win``: fields of
    :class:`Win`."""

    hand: Hand | None
    win: Changes

    @classmethod
    def of(cls, opened: OpenRecord, option: Option) -> _Effect:
        changes = option.changes
        hand = None if changes.keys().isdisjoint(_OF_HAND) else opened.put(changes).hand_tiles.hand
        return cls(hand, {name: value for name, value in changes.items() if name in _OF_WIN})
