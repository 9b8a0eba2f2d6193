"""The kinds of answers. Each parses what the learner typed, leniently, and grades it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from scorer.own_yaku import OwnYaku
from scorer.telling.sentence import Line, Name, Sentence, Tiles, Value, say
from scorer.tiles import TILES, Tile, TileError, count_kinds, format_tiles, parse_tiles
from tehai.learn.errors import UnclearAnswer
from tehai.learn.names import fold, is_none, numbers, tiles_in, yaku_in
from tehai.learn.pose.counted import left_over

_YES: Final = frozenset(map(fold, ("y", "yes", "はい", "可", "できる", "ある", "true")))
_NO: Final = frozenset(map(fold, ("n", "no", "いいえ", "不可", "できない", "ない", "false")))
_NOT_TENPAI: Final = frozenset(map(fold, ("n", "no", "noten", "not tenpai", "いいえ", "ノーテン", "不聴")))
_TENPAI: Final = _YES | frozenset(map(fold, ("tenpai", "聴牌", "テンパイ")))
_UNROUNDED: Final = 0.5


@dataclass(frozen=True, slots=True)
class TileAnswer:
    """The name of a tile. Suit, number and red five earn a share each. An honour is right or wrong."""

    tile: Tile

    @property
    def right(self) -> Value:
        return (self.tile,)

    @property
    def how(self) -> Sentence:
        return say("how.tile")

    def credit(self, text: str) -> float:
        named = tiles_in(text)
        if len(named) != 1:
            raise UnclearAnswer(say("unclear.one_tile", many=len(named)))
        given = named[0]
        if given == self.tile:
            return 1
        if "z" in (given.suit, self.tile.suit):
            return 0
        same = [given.suit == self.tile.suit, given.rank == self.tile.rank]
        if given.is_red or self.tile.is_red:
            same.append(given.is_red == self.tile.is_red)
        return sum(same) / len(same)

    def apart(self, text: str) -> tuple[Line, ...]:
        given = tiles_in(text)[0]
        if "z" in (given.suit, self.tile.suit):
            return (Line(say("apart.wrong", what=(given,))),)
        suit, rank = given.suit == self.tile.suit, given.rank == self.tile.rank
        which = "both" if suit and rank else "suit" if suit else "rank" if rank else "none"
        lines = [Line(Sentence(f"apart.tile_{which}"))]
        if given.is_red != self.tile.is_red:
            lines.append(Line(say("apart.red" if self.tile.is_red else "apart.not_red")))
        return tuple(lines)


def _held(named: Tiles, among: Collection[int]) -> Tiles:
    """The named tiles. Raises :class:`UnclearAnswer` for a tile that is not among those to choose from."""
    if among and (strange := tuple(TILES[tile.kind] for tile in named if tile.kind not in among)):
        raise UnclearAnswer(say("unclear.not_held", tile=strange))
    return named


@dataclass(frozen=True, slots=True)
class WaitAnswer:
    """The kinds of tiles (0–33, lowest first) that a hand waits for or may win on; possibly none.

    ``hint``: the message that says how to write the answer. ``among``: the kinds that can be named, empty for
    all; another kind is an unclear answer, not a mistake. ``concealed``: the tiles that wait, to explain a
    wrong tile by the tiles left over; empty for other questions.
    """

    kinds: tuple[int, ...]
    hint: str = "how.wait"
    among: tuple[int, ...] = ()
    concealed: Tiles = ()

    @property
    def right(self) -> Value:
        return tuple(TILES[kind] for kind in self.kinds) if self.kinds else say("right.none")

    @property
    def how(self) -> Sentence:
        return Sentence(self.hint)

    def credit(self, text: str) -> float:
        return _overlap(self._given(text), set(self.kinds))

    def _given(self, text: str) -> set[int]:
        if is_none(text) or fold(text) in _NOT_TENPAI:
            return set()
        if fold(text) in _TENPAI:
            raise UnclearAnswer(say("unclear.wait"))
        return {tile.kind for tile in _held(tiles_in(text), self.among)}

    def apart(self, text: str) -> tuple[Line, ...]:
        given = self._given(text)
        found = _apart(given, set(self.kinds), lambda kinds: tuple(TILES[kind] for kind in kinds))
        wrong = sorted(given - set(self.kinds))[:_REASONS] if self.concealed else ()
        return (*found, *map(self._why_not, wrong))

    def _why_not(self, kind: int) -> Line:
        """The tiles that stay left over with a wrong tile."""
        tile = TILES[kind]
        over = left_over((*self.concealed, tile))
        return Line(say("apart.left_over", tile=(tile,), tiles=over))


_REASONS: Final = 3
"""The most wrong tiles to explain."""


_IMPLIES: Final = {"open_riichi": "riichi"}
"""Yaku whose name implies another yaku."""


@dataclass(frozen=True, slots=True)
class YakuAnswer:
    """The ids of the yaku that count; possibly none. ``broken``: for other yaku, the tiles of the hand that
    break them. ``own``: the yaku that only the rules have."""

    ids: tuple[str, ...]
    broken: Mapping[str, Sentence] = field(default_factory=dict)
    own: tuple[OwnYaku, ...] = ()

    @property
    def right(self) -> Value:
        return tuple(map(Name, self.ids)) if self.ids else say("right.none")

    @property
    def how(self) -> Sentence:
        return say("how.yaku")

    def credit(self, text: str) -> float:
        return _overlap(self._given(text), set(self.ids))

    def apart(self, text: str) -> tuple[Line, ...]:
        """The result, with the reason for each wrong yaku: the tiles that break it, or else its rule."""
        given = self._given(text)
        wrong = sorted(given - set(self.ids))
        rules = (Line(self.broken.get(id_, Sentence(f"rule.{id_}")), label=Name(id_)) for id_ in wrong)
        return (*_apart(given, set(self.ids), lambda ids: tuple(map(Name, ids))), *rules)

    def _given(self, text: str) -> set[str]:
        named = set() if is_none(text) else set(yaku_in(text, self.own))
        return named | {_IMPLIES[id_] for id_ in named & _IMPLIES.keys()} & set(self.ids)


K = TypeVar("K", int, str)


def _overlap(given: set[K], right: set[K]) -> float:
    """The share of the right items that were found, minus the same for each wrong one."""
    if not right:
        return float(not given)
    return max(0.0, (len(given & right) - len(given - right)) / len(right))


def _apart(given: set[K], right: set[K], list_text: Callable[[Sequence[K]], Value]) -> Iterator[Line]:
    """The items that were found, missed and wrong."""
    for kind, some in (("right", given & right), ("missed", right - given), ("wrong", given - right)):
        if some:
            yield Line(Sentence(f"apart.{kind}", {"what": list_text(sorted(some))}))


@dataclass(frozen=True, slots=True)
class GroupsAnswer:
    """Tiles divided into their sets and the pair. Each group that was found earns its share."""

    groups: tuple[Tiles, ...]

    @property
    def right(self) -> Value:
        """The groups in one row, with blanks between them in text."""
        return " ".join(map(format_tiles, self._sorted()))

    def _sorted(self) -> list[Tiles]:
        return sorted(self.groups, key=lambda group: (len(group) == 2, group[0].kind))

    @property
    def how(self) -> Sentence:
        return say("how.groups")

    def credit(self, text: str) -> float:
        return (_kinds_of(self.groups) & _kinds_of(self._given(text))).total() / len(self.groups)

    def apart(self, text: str) -> tuple[Line, ...]:
        """The result, with the kind of each wrong group."""
        want, have = _kinds_of(self.groups), _kinds_of(self._given(text))
        lines = []
        for kind, some in (("right", want & have), ("missed", want - have)):
            if some:
                lines.append(Line(Sentence(f"apart.{kind}_groups"), tuple(map(_tiles, some.elements()))))
        for group in (have - want).elements():
            lines.append(
                Line(say("apart.other_group" if _is_group(group) else "apart.no_group"), (_tiles(group),))
            )
        return tuple(lines)

    def _given(self, text: str) -> list[Tiles]:
        chunks = re.findall(r"[^\s,;、/|+]+", unicodedata.normalize("NFKC", text).casefold())
        try:
            given = [parse_tiles(chunk) for chunk in chunks]
        except TileError:
            raise UnclearAnswer(say("unclear.groups")) from None
        self._check(given)
        return given

    def _check(self, given: list[Tiles]) -> None:
        """Raises unless the tiles are those of the hand, in groups."""
        held = count_kinds(tile for group in self.groups for tile in group)
        typed = count_kinds(tile for group in given for tile in group)
        for message, more, less in (("unclear.missing", held, typed), ("unclear.too_many", typed, held)):
            if tiles := tuple(TILES[kind] for kind in range(len(held)) if more[kind] > less[kind]):
                raise UnclearAnswer(say(message, tiles=tiles))
        if len(given) == 1 and len(self.groups) > 1:
            raise UnclearAnswer(say("unclear.uncut"))


def _kinds_of(groups: Iterable[Tiles]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(tile.kind for tile in group)) for group in groups)


def _tiles(kinds: tuple[int, ...]) -> Tiles:
    return tuple(TILES[kind] for kind in kinds)


def _is_group(kinds: tuple[int, ...]) -> bool:
    """Whether these are a pair, a triplet or a run."""
    first = kinds[0]
    same = len(set(kinds)) == 1 and len(kinds) in (2, 3)
    return same or (kinds == (first, first + 1, first + 2) and first < 27 and first % 9 <= 6)


@dataclass(frozen=True, slots=True)
class NumberAnswer:
    """One number of ``unit``, an id of the catalogue's amounts. ``nearly``: numbers that earn half."""

    number: int
    unit: str
    nearly: frozenset[int] = frozenset()

    @property
    def right(self) -> Value:
        return say(f"amount.{self.unit}", amount=self.number)

    @property
    def how(self) -> Sentence:
        return say("how.number")

    def credit(self, text: str) -> float:
        found = numbers(text)
        if len(found) != 1:
            raise UnclearAnswer(say("unclear.number"))
        (given,) = found
        return 1 if given == self.number else _UNROUNDED if given in self.nearly else 0

    def apart(self, text: str) -> tuple[Line, ...]:
        (given,) = numbers(text)
        if given in self.nearly:
            return (Line(say("apart.unrounded", given=given)),)
        more = given > self.number
        return (Line(say("apart.more" if more else "apart.less", given=given, by=abs(given - self.number))),)


@dataclass(frozen=True, slots=True)
class DiscardAnswer:
    """A tile to discard.

    ``best``: the best kinds. ``kept``: by kind, how many tiles improve the hand after a discard that does not
    increase the shanten. ``held``: the kinds to choose from. A discard earns its share of the best number,
    and nothing if it increases the shanten. If the learner names several, the worst counts.
    """

    best: tuple[int, ...]
    kept: Mapping[int, int]
    held: tuple[int, ...]

    @property
    def right(self) -> Value:
        return tuple(TILES[kind] for kind in self.best)

    @property
    def how(self) -> Sentence:
        return say("how.one_tile")

    def credit(self, text: str) -> float:
        named = tiles_in(text)
        if not named:
            raise UnclearAnswer(say("unclear.one_tile", many=0))
        return min(self._worth(tile.kind) for tile in _held(named, self.held))

    def _worth(self, kind: int) -> float:
        return 1 if kind in self.best else self.kept.get(kind, 0) / self.kept[self.best[0]]

    def apart(self, text: str) -> tuple[Line, ...]:
        named = dict.fromkeys(tile.kind for tile in tiles_in(text))
        most = self.kept[self.best[0]]
        return tuple(
            Line(say("apart.keeps", tile=(TILES[kind],), left=self.kept[kind], most=most))
            if kind in self.kept
            else Line(say("apart.back", tile=(TILES[kind],)))
            for kind in named
            if kind not in self.best
        )


@dataclass(frozen=True, slots=True)
class PaymentAnswer:
    """The payment: one amount, or for a non-dealer's tsumo two, in any order."""

    payments: tuple[int, ...]
    each: bool = False
    """Whether all three players pay the one amount."""

    @property
    def right(self) -> Value:
        if len(self.payments) == 1:
            return say("right.all" if self.each else "amount.points", **{self._word: self.payments[0]})
        low, high = sorted(self.payments)
        return say("right.two", low=low, high=high)

    @property
    def _word(self) -> str:
        return "points" if self.each else "amount"

    @property
    def how(self) -> Sentence:
        return say(
            "how.two_payments" if len(self.payments) == 2 else "how.all" if self.each else "how.number"
        )

    def credit(self, text: str) -> float:
        same = Counter(self._given(text)) & Counter(self.payments)
        return same.total() / len(self.payments)

    def apart(self, text: str) -> tuple[Line, ...]:
        given = self._given(text)
        if len(given) == 1:
            return NumberAnswer(self.payments[0], "points").apart(text)
        return tuple(
            _apart(set(given), set(self.payments), lambda paid: ", ".join(f"{one:,}" for one in paid))
        )

    def _given(self, text: str) -> list[int]:
        found = numbers(text)
        if len(found) != len(self.payments):
            # a comma may stand between payments as well as between thousands
            found = numbers(text, thousands=False)
        if len(found) != len(self.payments):
            raise UnclearAnswer(say("unclear.two_payments" if len(self.payments) == 2 else "unclear.number"))
        return found


@dataclass(frozen=True, slots=True)
class YesNoAnswer:
    """Yes or no. ``of_rule``: whether the question is what a player may do, which Japanese answers with other
    words."""

    yes: bool
    of_rule: bool = True

    @property
    def right(self) -> Value:
        if self.of_rule:
            return say("right.yes" if self.yes else "right.no")
        return say("right.so" if self.yes else "right.not_so")

    @property
    def how(self) -> Sentence:
        return say("how.yes_no")

    def credit(self, text: str) -> float:
        typed = fold(text)
        if typed not in _YES | _NO:
            raise UnclearAnswer(say("unclear.yes_no"))
        return float((typed in _YES) == self.yes)

    def apart(self, text: str) -> tuple[Line, ...]:
        """Nothing: the right answer is the other one."""
        return ()


@dataclass(frozen=True, slots=True)
class ChosenAnswer:
    """Numbered statements to choose from; possibly none.

    ``options``: for each number, whether it is right.
    """

    options: Mapping[int, bool]

    @property
    def right(self) -> Value:
        return ", ".join(str(number) for number, right in self.options.items() if right) or say("right.none")

    @property
    def how(self) -> Sentence:
        return say("how.chosen")

    def credit(self, text: str) -> float:
        return _overlap(self._given(text), self._numbers)

    def apart(self, text: str) -> tuple[Line, ...]:
        return tuple(_apart(self._given(text), self._numbers, lambda some: ", ".join(map(str, some))))

    @property
    def _numbers(self) -> set[int]:
        return {number for number, right in self.options.items() if right}

    def _given(self, text: str) -> set[int]:
        if is_none(text):
            return set()
        plain = unicodedata.normalize("NFKC", text).casefold()
        given = {int(digit) for digit in re.findall(r"\d", plain)}
        if not given or not given <= set(self.options) or not _LISTED.fullmatch(plain):
            raise UnclearAnswer(say("unclear.chosen", last=max(self.options)))
        return given


_LISTED: Final = re.compile(r"(?:\d|and|[と番\s,;、。・/+&.()])+")
"""Numbers and what stands between them: neither "all but 2" nor "1-3"."""
