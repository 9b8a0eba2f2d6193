"""The value of a tenpai hand: on each tile of its wait, for each way of winning, and as one average."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from scorer.hand import Hand, Meld, Win
from scorer.readings import Wait
from scorer.rules import RuleSet
from scorer.score import Score, score
from scorer.status import HandError, norths_aside
from scorer.tenpai import furiten, wait_kinds
from scorer.tiles import COPIES, LEFT_OUT, Tile, count_kinds

Tiles = tuple[Tile, ...]


def scored(hand: Hand, win: Win, rules: RuleSet) -> Score | None:
    """The score, or None if the hand has none."""
    try:
        return score(hand, win, rules)
    except HandError:
        return None


def as_tsumo(win: Win) -> Win:
    """The same win by self-draw, without the fields that need a discard."""
    return replace(
        win,
        tsumo=True,
        loser_offset=None,
        ron_index=0,
        chankan=False,
        houtei=False,
        renhou=False,
        tsubame_gaeshi=False,
        kanburi=False,
    )


def as_ron(win: Win) -> Win:
    """The same win on a discard, without the fields that need a self-draw."""
    return replace(win, tsumo=False, rinshan=False, haitei=False, tenhou=False, chiihou=False)


def may_declare(closed: bool, win: Win) -> bool:
    """Whether a tenpai hand can declare riichi, or could have declared it before this win."""
    return closed and not (win.has_riichi or win.tenhou or win.chiihou or win.renhou)


@dataclass(frozen=True, slots=True)
class WaitValue:
    """A tile that would finish a hand. ``left``: how many are unseen.

    ``kinds``: the kinds of wait. ``ron``, ``tsumo``: the score, None without a yaku or if furiten forbids it.
    ``riichi_ron``, ``riichi_tsumo``: the score with riichi, None if it is declared already or cannot be.
    """

    tile: Tile
    left: int
    kinds: frozenset[Wait]
    ron: Score | None
    tsumo: Score | None
    riichi_ron: Score | None
    riichi_tsumo: Score | None

    @property
    def scores(self) -> tuple[Score | None, ...]:
        """The four scores in the order above."""
        return self.ron, self.tsumo, self.riichi_ron, self.riichi_tsumo


def wait_values(
    concealed: Tiles, melds: tuple[Meld, ...], win: Win, rules: RuleSet, *, seen: Iterable[Tile] = ()
) -> tuple[WaitValue, ...]:
    """The value of each tile that the hand waits for, lowest first.

    ``win``: the known facts; whether it is a self-draw does not matter. ``seen``: other visible tiles, such
    as discards.
    """
    gone = count_kinds(
        (
            *(*concealed, *(tile for meld in melds for tile in meld.tiles)),
            *(*win.dora_indicators, *win.discards, *norths_aside(win, rules), *seen),
        )
    )
    drawn, claimed = as_tsumo(win), as_ron(win)
    riichi = may_declare(not any(meld.is_open for meld in melds), win)
    found = []
    for tile, ways in wait_kinds(concealed, melds).items():
        if rules.players == 3 and tile in LEFT_OUT:
            continue
        hand = Hand(concealed, tile, melds)
        found.append(
            WaitValue(
                tile,
                max(0, COPIES - gone[tile]),
                ways,
                scored(hand, claimed, rules),
                scored(hand, drawn, rules),
                scored(hand, replace(claimed, riichi=True), rules) if riichi else None,
                scored(hand, replace(drawn, riichi=True), rules) if riichi else None,
            )
        )
    return tuple(found)


class Bar(StrEnum):
    """Why a tenpai hand cannot win by ron: furiten, or no tile that gives it a yaku."""

    FURITEN = "furiten"
    NO_YAKU = "no_yaku"


@dataclass(frozen=True, slots=True)
class Price:
    """The value of a wait. ``left``: unseen tiles that can win. ``points``: the average points of a win.

    The win is a ron, with riichi if possible; if a ``bar`` forbids every ron, it is a self-draw.
    ``riichi``, ``silent``: the points of a ron with and without riichi, None if that cannot win.
    ``silent_left``: the tiles that can win without riichi.
    """

    left: int
    points: int
    bar: Bar | None = None
    riichi: int | None = None
    silent: int | None = None
    silent_left: int = 0

    @property
    def total(self) -> int:
        """Tiles times points, for the comparison of waits."""
        return self.left * self.points

    def to_record(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "left": self.left,
            "points": self.points,
            "bar": None if self.bar is None else str(self.bar),
            "riichi": self.riichi,
            "silent": self.silent,
            "silent_left": self.silent_left,
        }


def price(values: Sequence[WaitValue], barred: bool) -> Price:
    """The value of the whole wait. ``barred``: whether the hand is furiten."""
    riichi, silent = (_mean(values, way) for way in ("riichi_ron", "ron"))
    ron = riichi or silent
    if ron is not None and not barred:
        return Price(*ron, None, riichi and riichi[1], silent and silent[1], silent[0] if silent else 0)
    bar = Bar.FURITEN if barred else Bar.NO_YAKU if any(one.left for one in values) else None
    return Price(*(_mean(values, "riichi_tsumo") or _mean(values, "tsumo") or (0, 0)), bar)


def _mean(values: Sequence[WaitValue], way: str) -> tuple[int, int] | None:
    """(tiles that can win this way, average points of such a win); None if no tile can."""
    won = [(one.left, score.points) for one in values if one.left and (score := getattr(one, way))]
    left = sum(many for many, _ in won)
    return (left, round(sum(many * points for many, points in won) / left)) if left else None


def priced(
    concealed: Tiles, melds: tuple[Meld, ...], win: Win, rules: RuleSet, *, seen: Iterable[Tile] = ()
) -> Price:
    """The value of a tenpai hand of 13 tiles, less three for each meld.

    ``win.discards``: the player's own, which may make it furiten. ``seen``: other visible tiles.

    >>> from scorer import Wind, load_rules, parse_tiles
    >>> rules, win = load_rules(), Win(False, Wind.SOUTH, dora_indicators=parse_tiles("5s"))
    >>> for hand in ("2234m345p345s567s", "2234m345p45s5667s"):
    ...     print(priced(parse_tiles(hand), (), win, rules).points)
    10567
    8000
    """
    values = wait_values(concealed, melds, replace(win, discards=()), rules, seen=(*seen, *win.discards))
    barred = bool(win.discards) and furiten(concealed, melds, discards=win.discards) is not None
    return price(values, barred)
