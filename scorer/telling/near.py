"""Near misses: the yaku that one change would have brought.

The search needs no knowledge of yaku. It changes the hand, scores it again, and compares the yaku.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from scorer.hand import Hand, Meld, MeldType, Win
from scorer.readings import GroupType, Reading, readings, waits
from scorer.rules import RuleSet
from scorer.score import Score
from scorer.tiles import COPIES, DRAGONS, KINDS, LEFT_OUT, NORTH, TILES, Tile, count_kinds
from scorer.wait_values import as_tsumo, may_declare, scored
from scorer.yaku import DORA, ReadingContext


class ChangeKind(StrEnum):
    """The kinds of changes, the smallest first among those of equally many tiles.

    ``riichi``: declared. ``tsumo``: a self-draw instead of a ron. ``win_tile``: another tile of the wait.
    ``wait``: the same tiles, but another one came last. ``closed``: no calls. ``exchange``: one tile for
    another. ``pair``: another pair instead of one of dragons or value winds.
    """

    RIICHI = "riichi"
    TSUMO = "tsumo"
    WIN_TILE = "win_tile"
    WAIT = "wait"
    CLOSED = "closed"
    EXCHANGE = "exchange"
    PAIR = "pair"


_ORDER: Final = {kind: at for at, kind in enumerate(ChangeKind)}


@dataclass(frozen=True, slots=True)
class Change:
    """A hand with one change. ``out``: the tiles removed, ``into``: those added.

    ``tiles``: how many tiles must differ: another tile, or one drawn instead of called.
    """

    kind: ChangeKind
    hand: Hand
    win: Win
    out: tuple[Tile, ...] = ()
    into: tuple[Tile, ...] = ()
    tiles: int = 1

    @property
    def size(self) -> tuple[int, int]:
        """The sort key: the smallest change first."""
        return self.tiles, _ORDER[self.kind]


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A yaku that one change would bring or raise, with the change and the new score.

    ``han``: of the yaku after the change; ``before``: without it, perhaps 0. ``cheaper``: whether the changed
    hand pays less without dora, because it loses other yaku.
    """

    yaku: str
    han: int
    before: int
    change: Change
    score: Score
    cheaper: bool = False


def all_readings(hand: Hand, win: Win, rules: RuleSet) -> tuple[Reading, ...]:
    """Every reading of the hand that the rules allow, with or without a yaku."""
    broken = bool(rules.han("shiisan_budou", closed=True)) and (win.tenhou or win.chiihou)
    return readings(hand, win.tsumo, four_alike_are_pairs=rules.four_alike_are_pairs, broken=broken)


def held_yaku(hand: Hand, win: Win, rules: RuleSet) -> dict[str, int]:
    """The yaku of all readings of the hand with their han, even if they do not count."""
    cases = [ReadingContext(hand, win, reading, rules) for reading in all_readings(hand, win, rules)]
    return {
        yaku.id: han
        for yaku in rules.table
        if (han := rules.han(yaku.id, hand.is_closed)) and any(yaku.test(case) for case in cases)
    }


def near_misses(hand: Hand, win: Win, rules: RuleSet) -> tuple[NearMiss, ...]:
    """Every yaku that one change would have brought, in the order of the yaku table.

    Each has the smallest change, and among equal ones the one that pays most. A change that makes the hand
    cheaper counts only if no other brings the yaku. The comparison ignores dora.
    """
    held = held_yaku(hand, win, rules)
    surpassed = {id_ for yaku in held for id_ in rules.row(yaku).supersedes}
    now = scored(hand, _without_dora(win), rules)
    worth = now.points if now is not None else 0
    found: dict[str, tuple[tuple[bool, tuple[int, int], int], Change]] = {}
    for change in changes(hand, win, rules):
        plain = scored(change.hand, _without_dora(change.win), rules)
        if plain is None:
            continue
        rank = (plain.points < worth, change.size, -plain.points)
        for id_, han in plain.yaku:
            if id_ not in DORA and id_ not in surpassed and han > held.get(id_, 0):
                found[id_] = min(found.get(id_, (rank, change)), (rank, change), key=lambda one: one[0])
    misses = []
    for yaku in rules.table:
        if yaku.id in found:
            (cheaper, *_), change = found[yaku.id]
            then = scored(change.hand, change.win, rules)
            if then is not None and yaku.id in (counted := dict(then.yaku)):
                before = held.get(yaku.id, 0)
                misses.append(NearMiss(yaku.id, counted[yaku.id], before, change, then, cheaper))
    return tuple(misses)


def with_riichi(hand: Hand, win: Win) -> Change | None:
    """The same hand with riichi; None if it is declared already or cannot be."""
    if not may_declare(hand.is_closed, win):
        return None
    return Change(ChangeKind.RIICHI, hand, replace(win, riichi=True), tiles=0)


def closed_with_riichi(hand: Hand, win: Win) -> Change | None:
    """An open hand without its calls and with riichi; None if riichi is impossible."""
    return None if hand.is_closed else with_riichi(as_closed(hand), win)


def changes(hand: Hand, win: Win, rules: RuleSet) -> Iterator[Change]:
    """Every finished hand that differs from this one by one change other than riichi."""
    if not win.tsumo:
        yield Change(ChangeKind.TSUMO, hand, as_tsumo(win))
    shown = _gone(hand, win, rules)
    yield from _other_last_tiles(hand, win)
    if not hand.is_closed:
        calls = sum(meld.is_open for meld in hand.melds)
        yield Change(ChangeKind.CLOSED, as_closed(hand), win, tiles=calls)
    yield from _exchanges(hand, win, shown)
    for reading in all_readings(hand, win, rules):
        yield from _other_pairs(hand, win, reading, shown)


def _gone(hand: Hand, win: Win, rules: RuleSet) -> tuple[int, ...]:
    """How many of each kind are unavailable: visible, or not in play."""
    shown = count_kinds((*hand.tiles, *win.dora_indicators, *win.ura_indicators))
    if rules.players == 4:
        return shown
    norths = win.nukidora
    return tuple(
        COPIES if kind in LEFT_OUT else count + norths * (kind == NORTH) for kind, count in enumerate(shown)
    )


def _other_last_tiles(hand: Hand, win: Win) -> Iterator[Change]:
    """The same tiles with another one as the winning tile, the nearest first."""
    by_distance = sorted(dict.fromkeys(hand.concealed), key=lambda tile: abs(tile.kind - hand.win_tile.kind))
    for tile in by_distance:
        if tile != hand.win_tile:
            rest = (*_less(hand.concealed, tile), hand.win_tile)
            yield Change(
                ChangeKind.WAIT, Hand(rest, tile, hand.melds), win, out=(hand.win_tile,), into=(tile,)
            )


def as_closed(hand: Hand) -> Hand:
    """The hand without its calls: sequences and triplets in the hand, kans concealed."""
    concealed, melds = list(hand.concealed), []
    for meld in hand.melds:
        if meld.type.is_kan:
            melds.append(Meld(MeldType.ANKAN, meld.tiles))
        else:
            concealed.extend(meld.tiles)
    concealed.sort(key=lambda tile: tile.kind)
    return Hand(tuple(concealed), hand.win_tile, tuple(melds))


def _exchanges(hand: Hand, win: Win, shown: tuple[int, ...]) -> Iterator[Change]:
    """One tile replaced by an available one: the winning tile, one in the hand, or one of a meld."""
    for last in waits(hand.concealed, hand.melds):
        if last != hand.win_tile.kind and shown[last] < COPIES:
            other = Hand(hand.concealed, last, hand.melds)
            yield Change(ChangeKind.WIN_TILE, other, win, out=(hand.win_tile,), into=(last,))
    for tile in dict.fromkeys(hand.concealed):
        rest = _less(hand.concealed, tile)
        for into in waits((*rest, hand.win_tile), hand.melds):
            if into != tile.kind and shown[into] < COPIES:
                other = Hand((*rest, into), hand.win_tile, hand.melds)
                yield Change(ChangeKind.EXCHANGE, other, win, out=(tile,), into=(into,))
    for at, meld in enumerate(hand.melds):
        for tile in dict.fromkeys(meld.tiles):
            for kind in range(KINDS):
                changed = Meld(meld.type, (*_less(meld.tiles, tile), TILES[kind]), meld.source)
                if kind != tile.kind and shown[kind] < COPIES and changed.is_set:
                    melds = (*hand.melds[:at], changed, *hand.melds[at + 1 :])
                    other = Hand(hand.concealed, hand.win_tile, melds)
                    yield Change(ChangeKind.EXCHANGE, other, win, out=(tile,), into=(TILES[kind],))


def _other_pairs(hand: Hand, win: Win, reading: Reading, shown: tuple[int, ...]) -> Iterator[Change]:
    """Another pair instead of one of dragons, the seat wind or the round wind."""
    of_value = {*DRAGONS, win.seat_kind, win.round_wind.kind}
    pairs = [group for group in reading.groups if group.type is GroupType.PAIR]
    if len(pairs) != 1 or pairs[0].kind not in of_value:
        return
    old = TILES[pairs[0].kind]
    finished = reading.groups[reading.win_group] is pairs[0]
    rest = _less(hand.concealed, old) if finished else _less(_less(hand.concealed, old), old)
    for kind in range(KINDS):
        if shown[kind] + 2 <= COPIES and kind not in of_value:
            new = TILES[kind]
            concealed, win_tile = ((*rest, new), new) if finished else ((*rest, new, new), hand.win_tile)
            other = Hand(concealed, win_tile, hand.melds)
            yield Change(ChangeKind.PAIR, other, win, (old, old), (new, new), tiles=2)


def _less(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    """The tiles without one that is equal to ``tile``."""
    at = tiles.index(tile)
    return tiles[:at] + tiles[at + 1 :]


def _without_dora(win: Win) -> Win:
    return replace(win, dora_indicators=(), ura_indicators=(), dora_count=0, ura_count=0)


def least(misses: Iterable[NearMiss]) -> NearMiss | None:
    """The miss with the smallest change, and among equal ones the one that pays most."""
    return min(misses, key=lambda one: (one.change.size, -one.score.points), default=None)
