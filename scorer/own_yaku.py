"""Yaku that a table adds in its house rules: a condition and han (``docs/rules.md``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from reprlib import repr as shown
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from scorer.readings import Form, Wait
from scorer.shapes import KIND, RUNS
from scorer.tiles import KIND_OF, TILES, TileError, count_kinds, format_tiles, parse_tiles
from scorer.yaku import BY_ID, DORA, Prefilter, Yaku, YakuContext

if TYPE_CHECKING:
    from scorer.records import OwnYakuRecord

Condition: TypeAlias = tuple[tuple[str, Any], ...]
"""(word of :data:`WORDS`, value) pairs that must all hold."""


class BadCondition(ValueError):
    """An invalid condition. The message says what to write."""


@dataclass(frozen=True, slots=True)
class OwnYaku:
    """``closed``, ``open``: han, as in the yaku table. ``when``: alternative conditions; one must hold.
    ``replaces``: ids of yaku that do not count together with it."""

    id: str
    name: str
    name_ja: str
    closed: int
    open: int
    when: tuple[Condition, ...]
    replaces: tuple[str, ...] = ()

    @property
    def row(self) -> Yaku:
        """The yaku as a row of the table."""
        return _row(self)

    def holds(self, facts: YakuContext) -> bool:
        """Whether the reading has it."""
        return any(all(WORDS[word].test(facts, value) for word, value in one) for one in self.when)

    def to_record(self) -> OwnYakuRecord:
        """The table that a file of house rules has for it; :func:`parse_own_yaku` reads it back."""
        written: OwnYakuRecord = {
            "name": self.name,
            "name_ja": self.name_ja,
            "han": [self.closed, self.open],
            "when": [{word: WORDS[word].write(value) for word, value in one} for one in self.when],
        }
        if self.replaces:
            written["replaces"] = list(self.replaces)
        return written


@cache
def _row(own: OwnYaku) -> Yaku:
    return Yaku(
        own.id,
        own.name,
        own.name_ja,
        own.closed,
        own.open,
        "",
        Prefilter.ALWAYS,
        own.holds,
        own.replaces,
        whole=True,
    )


# --- the words of a condition -------------------------------------------------------------------------------


def _kinds(value: object) -> tuple[int, ...]:
    try:
        kinds = tuple(KIND_OF[tile] for tile in parse_tiles(value)) if isinstance(value, str) else ()
    except TileError as error:
        raise BadCondition(str(error)) from None
    if not kinds:
        raise BadCondition('must be tiles, such as "19m19p"')
    return kinds


def _runs(value: object) -> tuple[int, ...]:
    kinds = _kinds(value)
    starts = kinds[::3]
    if kinds != tuple(kind for start in starts for kind in range(start, start + 3)) or any(
        start >= 27 or start % 9 > 6 for start in starts
    ):
        raise BadCondition('must be runs, such as "123m789m"')
    return starts


def _number(value: object) -> int:
    if type(value) is not int or not 1 <= value <= 4:
        raise BadCondition("must be a whole number from 1 to 4")
    return value


def _triplets_among(value: object) -> tuple[int, tuple[int, ...]]:
    if not isinstance(value, list) or len(value) != 2:
        raise BadCondition('must be a number and tiles, such as [3, "1234z"]')
    return _number(value[0]), _kinds(value[1])


def _names(*valid: str) -> Callable[[object], tuple[str, ...]]:
    def parse(value: object) -> tuple[str, ...]:
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not names or any(name not in valid for name in names):
            raise BadCondition(f"must be one or more of {', '.join(valid)}")
        return tuple(names)

    return parse


def _held(c: YakuContext, kind: int) -> int:
    """How many tiles of a kind the hand has, kans and red fives included."""
    return c.tally >> 8 * kind & 0xFF


def _has(c: YakuContext, kinds: tuple[int, ...]) -> bool:
    return all(_held(c, kind) >= wanted for kind, wanted in enumerate(count_kinds(kinds)) if wanted)


def _has_runs(c: YakuContext, starts: tuple[int, ...]) -> bool:
    return all(c.runs >> KIND * start & RUNS >= starts.count(start) for start in starts)


def _text(kinds: tuple[int, ...]) -> str:
    """Kinds of tiles as a file writes them."""
    return format_tiles([TILES[kind] for kind in kinds])


def _runs_text(starts: tuple[int, ...]) -> str:
    return _text(tuple(kind for start in starts for kind in range(start, start + 3)))


def _as_it_is(number: int) -> int:
    return number


_WAYS: Final = (
    "riichi", "double_riichi", "open_riichi", "ippatsu", "tsumo", "rinshan", "chankan", "haitei", "houtei",
    "tsubame_gaeshi", "kanburi", "ron", "dealer",
)  # fmt: skip


def _way(c: YakuContext, way: str) -> bool:
    by_name = {"riichi": c.win.has_riichi, "ron": not c.win.tsumo, "dealer": c.win.is_dealer}
    return by_name[way] if way in by_name else bool(getattr(c.win, way))


@dataclass(frozen=True, slots=True)
class Word:
    """``parse``: turns the value of the file into that of the test. ``test``: whether a reading meets it.
    ``write``: the inverse of ``parse``."""

    parse: Callable[[object], Any]
    test: Callable[[YakuContext, Any], bool]
    write: Callable[[Any], Any] = _text


WORDS: Final[Mapping[str, Word]] = {
    "only": Word(_kinds, lambda c, kinds: all(kind in kinds for kind in range(34) if _held(c, kind))),
    "without": Word(_kinds, lambda c, kinds: not any(_held(c, kind) for kind in kinds)),
    "tiles": Word(_kinds, _has),
    "runs": Word(_runs, _has_runs, _runs_text),
    "triplets": Word(_kinds, lambda c, kinds: all(map(c.triplet, kinds))),
    "triplets_among": Word(
        _triplets_among,
        lambda c, least: sum(map(c.triplet, {*least[1]})) >= least[0],
        lambda least: [least[0], _text(least[1])],
    ),
    "concealed_triplets": Word(_number, lambda c, least: c.concealed_triplets >= least, _as_it_is),
    "kongs": Word(_number, lambda c, least: c.kans >= least, _as_it_is),
    "calls": Word(_number, lambda c, least: sum(meld.is_open for meld in c.hand.melds) >= least, _as_it_is),
    "pair": Word(_kinds, lambda c, kinds: c.pair in kinds),
    "win_tile": Word(_kinds, lambda c, kinds: c.hand.win_tile.kind in kinds),
    "suits": Word(_number, lambda c, many: c.suits == many, _as_it_is),
    "form": Word(_names(*map(str, Form)), lambda c, forms: c.form in forms, list),
    "wait": Word(_names(*map(str, Wait)), lambda c, waits: c.wait in waits, list),
    "won": Word(_names(*_WAYS), lambda c, ways: all(_way(c, way) for way in ways), list),
    "yaku": Word(_names(*BY_ID), lambda c, ids: all(BY_ID[id_].test(c) for id_ in ids), list),
}
"""What a condition can ask of a hand: its tiles, its groups, how it waited, how it was won, its yaku."""


def parse_own_yaku(id_: str, written: object, han: Callable[[str, object], tuple[int, int]]) -> OwnYaku:
    """The yaku of a rules file. ``han``: parses (id, value) as in the table ``[yaku]``.

    Raises :class:`BadCondition` with what to write.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", id_) or id_ in BY_ID or id_ in DORA:
        raise BadCondition("must have a new name of small letters, figures and _")
    if not isinstance(written, dict):
        raise BadCondition("must be a table with name, han and when")
    for key in written:
        if key not in _KEYS:
            raise BadCondition(f"has no {shown(key)}; it can have {', '.join(_KEYS)}")
    name = _name(written.get("name", id_.replace("_", " ").capitalize()))
    name_ja = _name(written.get("name_ja", name))
    if "han" not in written:
        raise BadCondition("must say its han: [concealed, open], or one number for concealed hands alone")
    closed, open_ = han(id_, written["han"])
    when = written.get("when")
    conditions = tuple(map(_condition, when if isinstance(when, list) else [when]))
    if not conditions:
        raise BadCondition("must say when a hand has it")
    replaces = _names(*BY_ID)(written["replaces"]) if "replaces" in written else ()
    return OwnYaku(id_, name, name_ja, closed, open_, conditions, replaces)


def _name(text: object) -> str:
    if not isinstance(text, str) or not text.strip() or len(text) > 80 or not text.isprintable():
        raise BadCondition("must have a name of one line")
    return text


_KEYS: Final = ("name", "name_ja", "han", "when", "replaces")


def _condition(written: object) -> Condition:
    if not isinstance(written, dict) or not written:
        raise BadCondition('must say when a hand has it: when = { triplets = "5z" }')
    found = []
    for word, value in written.items():
        if word not in WORDS:
            raise BadCondition(f"when has no {shown(word)}; it can have {', '.join(WORDS)}")
        try:
            found.append((word, WORDS[word].parse(value)))
        except BadCondition as bad:
            raise BadCondition(f"when.{word} {bad}") from None
    return tuple(found)
