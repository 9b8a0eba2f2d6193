"""Minipoints as items that name the tiles that earn them (EMA 2008 §4.1.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorer.readings import Form, Group, GroupType, Wait
from scorer.rules import RuleSet
from scorer.tiles import DRAGONS, YAOCHUU, Tile
from scorer.yaku import Case


@dataclass(frozen=True, slots=True)
class FuItem:
    """So many minipoints, why, and for which tiles (empty for what the way of winning earns)."""

    fu: int
    reason: str
    tiles: tuple[Tile, ...] = ()


_WAIT_FU = {
    Wait.KANCHAN: "closed wait",
    Wait.PENCHAN: "edge wait",
    Wait.TANKI: "single wait",
}


def fu_items(case: Case, pinfu: bool, rules: RuleSet) -> tuple[FuItem, ...]:
    """What the reading earns, item by item, the rounding last; thirteen orphans nothing.

    The items' sum is what counts: rounded up to the next 10, while the 25 of seven pairs stays 25 (EMA 2008
    §4.1). ``pinfu``: whether it is counted.
    """
    win, reading = case.win, case.reading
    if reading.form is Form.THIRTEEN_ORPHANS:
        return ()
    if reading.form is Form.SEVEN_PAIRS:
        return (FuItem(25, "seven pairs"),)
    if case.closed and not win.tsumo:
        items = [FuItem(30, "won on a discard with a concealed hand")]
    else:
        items = [FuItem(20, "won by self-draw" if win.tsumo else "won with an open hand")]
    items.extend(_set_item(group) for group in case.sets if group.type is not GroupType.CHI)
    pair = next(group for group in reading.groups if group.type is GroupType.PAIR)
    items.extend(_pair_items(pair, case, rules))
    if reading.wait in _WAIT_FU:
        items.append(FuItem(2, _WAIT_FU[reading.wait], reading.groups[reading.win_group].tiles))
    if win.tsumo and not pinfu:
        items.append(FuItem(2, "self-draw", (case.hand.win_tile,)))
    if len(items) == 1 and not case.closed and rules.open_pinfu_fu:
        items.append(FuItem(rules.open_pinfu_fu, "open pinfu"))
    exact = total(items)
    if exact % 10:
        items.append(FuItem(-exact % 10, f"rounded up from {exact}"))
    return tuple(items)


def total(items: Iterable[FuItem]) -> int:
    """The sum of the items."""
    return sum(item.fu for item in items)


def _set_item(group: Group) -> FuItem:
    fu = 4 if group.kind in YAOCHUU else 2
    if group.concealed:
        fu *= 2
    if group.type is GroupType.KAN:
        fu *= 4
    what = "terminals or honours" if group.kind in YAOCHUU else "simples"
    name = "kong" if group.type is GroupType.KAN else "pung"
    return FuItem(fu, f"{'concealed' if group.concealed else 'open'} {name} of {what}", group.tiles)


def _pair_items(pair: Group, case: Case, rules: RuleSet) -> list[FuItem]:
    if pair.kind in DRAGONS:
        return [FuItem(2, "pair of dragons", pair.tiles)]
    seat, round_ = case.win.seat_wind.kind == pair.kind, case.win.round_wind.kind == pair.kind
    if seat and round_:
        return [FuItem(rules.double_wind_pair_fu, "pair of the seat and prevalent wind", pair.tiles)]
    if seat:
        return [FuItem(2, "pair of the seat wind", pair.tiles)]
    if round_:
        return [FuItem(2, "pair of the prevalent wind", pair.tiles)]
    return []
