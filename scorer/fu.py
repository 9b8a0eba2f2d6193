"""Minipoints (fu) of a reading, as a sum or item by item with the tiles that earn them (EMA 2008 §4.1.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorer.hand import Win
from scorer.readings import Form, Group, GroupType
from scorer.rules import RuleSet
from scorer.shapes import FU, HONOUR_GROUPS, OTHER_AT, SMALL, form_of, pair_of, set_fu, wait_fu
from scorer.tiles import DRAGONS, YAOCHUU, Tile, format_tiles
from scorer.words import VOCABULARIES, Words
from scorer.yaku import ReadingContext

if TYPE_CHECKING:
    from scorer.records import FuItemRecord


@dataclass(frozen=True, slots=True)
class FuItem:
    """Minipoints with their reason and tiles. ``tiles`` is empty if the way of winning earns them."""

    fu: int
    reason: str
    tiles: tuple[Tile, ...] = ()

    def to_record(self) -> FuItemRecord:
        """The item as JSON values."""
        return {"fu": self.fu, "reason": self.reason, "tiles": format_tiles(self.tiles)}


def minipoints(number: int, closed: bool, pinfu: bool, win: Win, rules: RuleSet) -> int:
    """The rounded minipoints of a reading: the sum of :func:`fu_items`. 0 for a form without minipoints.

    ``number``: the composition of the reading. ``closed``: whether the hand is closed. ``pinfu``: whether
    pinfu counts.
    """
    small = number & SMALL
    if small >> OTHER_AT:
        return 25 if form_of(number) is Form.SEVEN_PAIRS else 0
    fu = small & FU
    pair = pair_of(number) if small & HONOUR_GROUPS else -1
    if pair >= 27:
        fu += pair_fu(pair, win, rules)
    if win.tsumo:
        if not pinfu:
            fu += 2
    elif closed:
        fu += 10
    # a wind pair is no open pinfu, even if the rules give it no minipoints
    if not fu and not closed and pair not in (win.seat_kind, win.round_wind.kind):
        fu = rules.open_pinfu_fu
    return 20 + fu + -fu % 10


def pair_fu(kind: int, win: Win, rules: RuleSet) -> int:
    """Minipoints of a pair of that kind."""
    if kind < 27:
        return 0
    seat, round_ = kind == win.seat_kind, kind == win.round_wind.kind
    if seat and round_:
        return rules.double_wind_pair_fu
    return 2 if seat or round_ or kind in DRAGONS else 0


def fu_items(case: ReadingContext, pinfu: bool, rules: RuleSet) -> tuple[FuItem, ...]:
    """The minipoints of a reading item by item, the rounding last. Thirteen orphans have none.

    The sum is rounded up to the next 10; the 25 of seven pairs stays 25 (EMA 2008 §4.1). ``pinfu``: whether
    pinfu counts.
    """
    win, reading = case.win, case.reading
    if reading.form is Form.THIRTEEN_ORPHANS:
        return ()
    words = VOCABULARIES[rules.words]
    if reading.form is Form.SEVEN_PAIRS:
        return (FuItem(25, words.seven_pairs),)
    items = [FuItem(20, words.base)]
    if case.closed and not win.tsumo:
        items.append(FuItem(10, words.ron_closed))
    items.extend(_set_item(group, words) for group in case.sets if group.type is not GroupType.CHI)
    pair = next(group for group in reading.groups if group.type is GroupType.PAIR)
    items.extend(_pair_items(pair, case, rules, words))
    if reading.wait in words.waits:
        items.append(
            FuItem(wait_fu(reading.wait), words.waits[reading.wait], reading.groups[reading.win_group].tiles)
        )
    if win.tsumo and not pinfu:
        items.append(FuItem(2, words.self_draw, (case.hand.win_tile,)))
    if len(items) == 1 and not case.closed and rules.open_pinfu_fu:
        items.append(FuItem(rules.open_pinfu_fu, words.open_pinfu))
    exact = total(items)
    if exact % 10:
        items.append(FuItem(-exact % 10, words.rounded.format(exact)))
    return tuple(items)


def total(items: Iterable[FuItem]) -> int:
    """The sum of the items."""
    return sum(item.fu for item in items)


def _set_item(group: Group, words: Words) -> FuItem:
    fu = set_fu(group.type, group.kind, group.concealed)
    what = words.terminals if group.kind in YAOCHUU else words.simples
    way = "concealed" if group.concealed else "open" if group.melded else "finished"
    return FuItem(fu, words.sets[group.type, way].format(what), group.tiles)


def _pair_items(pair: Group, case: ReadingContext, rules: RuleSet, words: Words) -> list[FuItem]:
    seat, round_ = case.win.seat_kind == pair.kind, case.win.round_wind.kind == pair.kind
    if pair.kind in DRAGONS:
        reason = words.dragons
    elif seat:
        reason = words.both if round_ else words.seat
    elif round_:
        reason = words.round
    else:
        return []
    return [FuItem(pair_fu(pair.kind, case.win, rules), reason, pair.tiles)]
