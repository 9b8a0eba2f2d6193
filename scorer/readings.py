"""Every way to read a finished hand, and what an unfinished one waits for.

All works on counts of the 34 kinds (``scorer.tiles``). A suit's nine counts are split once and remembered:
hands share suits, so a hand costs four look-ups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import product
from typing import Final

from scorer.hand import Hand, Meld
from scorer.tiles import COPIES, KINDS, TILES, YAOCHUU, Tile, count_kinds

_SUITS: Final = ((0, 9, True), (9, 18, True), (18, 27, True), (27, 34, False))
"""First kind, end, and whether runs exist there."""


class Form(StrEnum):
    STANDARD = "standard"
    SEVEN_PAIRS = "chiitoitsu"
    THIRTEEN_ORPHANS = "kokushi"
    THIRTEEN_BROKEN = "shiisan_budou"


class GroupType(StrEnum):
    CHI = "chi"
    PON = "pon"
    KAN = "kan"
    PAIR = "pair"
    ORPHANS = "orphans"


class Wait(StrEnum):
    """Which kind of wait the winning tile ended (EMA 2008 §4.1.1)."""

    RYANMEN = "ryanmen"
    KANCHAN = "kanchan"
    PENCHAN = "penchan"
    SHANPON = "shanpon"
    TANKI = "tanki"
    KOKUSHI = "kokushi"
    KOKUSHI_13 = "kokushi_13"


@dataclass(frozen=True, slots=True)
class Group:
    """A set or the pair. ``kind``: its lowest tile. ``tiles``: those of the hand, red fives where they lie.

    ``concealed``: counts as concealed for minipoints; false for a triplet that a discard finished.
    ``melded``: declared on the table (a concealed kong is melded and concealed).
    """

    type: GroupType
    kind: int
    tiles: tuple[Tile, ...]
    concealed: bool = True
    melded: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the hand: its groups, which of them (index) the winning tile finishes, and the wait."""

    form: Form
    groups: tuple[Group, ...]
    win_group: int
    wait: Wait


# --- the shapes of counts -----------------------------------------------------------------------------------

_Shape = tuple[tuple[GroupType, int], ...]


def _split_sets(counts: tuple[int, ...], start: int, runs: bool) -> Iterator[_Shape]:
    """All ways to split the counts into runs and triplets, groups in order of their lowest tile."""
    while start < len(counts) and not counts[start]:
        start += 1
    if start == len(counts):
        yield ()
        return
    if counts[start] >= 3:
        rest = (*counts[:start], counts[start] - 3, *counts[start + 1 :])
        for others in _split_sets(rest, start, runs):
            yield ((GroupType.PON, start), *others)
    if runs and start + 2 < len(counts) and counts[start + 1] and counts[start + 2]:
        taken = (counts[start] - 1, counts[start + 1] - 1, counts[start + 2] - 1)
        for others in _split_sets((*counts[:start], *taken, *counts[start + 3 :]), start, runs):
            yield ((GroupType.CHI, start), *others)


@lru_cache(maxsize=1 << 17)
def _split_suit(counts: tuple[int, ...], runs: bool) -> tuple[_Shape, ...]:
    """All ways to split one suit's counts into sets and, where the number of tiles asks for it, one pair."""
    match sum(counts) % 3:
        case 0:
            return tuple(dict.fromkeys(_split_sets(counts, 0, runs)))
        case 2:
            found: list[_Shape] = []
            for pair, count in enumerate(counts):
                if count >= 2:
                    rest = (*counts[:pair], count - 2, *counts[pair + 1 :])
                    found.extend(((GroupType.PAIR, pair), *sets) for sets in _split_sets(rest, 0, runs))
            return tuple(dict.fromkeys(found))
    return ()


def _standard_shapes(counts: tuple[int, ...]) -> Iterator[_Shape]:
    """All ways to split concealed counts into sets and one pair; kinds count through all suits."""
    if sum(counts) % 3 != 2:
        return
    per_suit = []
    for first, end, runs in _SUITS:
        splits = _split_suit(counts[first:end], runs)
        if not splits:
            return
        per_suit.append(
            [tuple((type_, first + kind) for type_, kind in split) for split in splits] if first else splits
        )
    for parts in product(*per_suit):
        shape = tuple(group for part in parts for group in part)
        if sum(type_ is GroupType.PAIR for type_, _ in shape) == 1:
            yield shape


def _is_seven_pairs(counts: Sequence[int]) -> bool:
    """Seven *different* pairs (EMA 2008 §4.2.2)."""
    return sum(count == 2 for count in counts) == 7


def _is_pairs(counts: Sequence[int]) -> bool:
    """Seven pairs of which two may be alike (Toudai §4.1.3, "some variants")."""
    return sum(counts) == 14 and not any(count % 2 for count in counts)


def _is_thirteen_broken(counts: Sequence[int]) -> bool:
    """Thirteen kinds, one of them twice, and no two of a suit near enough to be in a run (Toudai §4.1.7)."""
    return sorted(count for count in counts if count) == [1] * 12 + [2] and not any(
        counts[kind] and counts[other]
        for kind in range(27)
        for other in (kind + 1, kind + 2)
        if other // 9 == kind // 9
    )


def _is_thirteen_orphans(counts: Sequence[int]) -> bool:
    return (
        sum(counts) == 14 and all(counts[kind] for kind in YAOCHUU) and sum(counts[k] for k in YAOCHUU) == 14
    )


def is_complete(counts: Sequence[int], n_melds: int = 0) -> bool:
    """Whether concealed counts (34, winning tile included) and ``n_melds`` declared sets finish a hand.

    Says nothing about yaku. Wrong numbers of tiles are simply not complete.

    >>> from scorer.tiles import count_kinds, parse_tiles
    >>> is_complete(count_kinds(parse_tiles("123m055p77z")), n_melds=2)
    True
    """
    counts = tuple(counts)
    if sum(counts) != 14 - 3 * n_melds:
        return False
    if n_melds == 0 and (_is_seven_pairs(counts) or _is_thirteen_orphans(counts)):
        return True
    return all(_split_suit(counts[first:end], runs) for first, end, runs in _SUITS)


def waits(counts: Sequence[int], melds: Iterable[Meld] = ()) -> tuple[int, ...]:
    """The kinds that finish a hand one tile short (34 concealed counts and the declared sets), lowest first.

    A kind of which the hand itself holds all four is no wait (EMA 2008 §3.4.2).

    >>> from scorer.tiles import TILES, count_kinds, format_tiles, parse_tiles
    >>> format_tiles(TILES[kind] for kind in waits(count_kinds(parse_tiles("1112345678999m"))))
    '123456789m'
    """
    melds = tuple(melds)
    held = list(counts)
    for meld in melds:
        for tile in meld.tiles:
            held[tile.kind] += 1
    found = []
    for kind in range(KINDS):
        if held[kind] < COPIES:
            full = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
            if is_complete(full, len(melds)):
                found.append(kind)
    return tuple(found)


def is_win(hand: Hand) -> bool:
    """Whether the tiles make four sets and a pair, seven pairs, or thirteen orphans (EMA 2008 §3.2)."""
    return is_complete(count_kinds((*hand.concealed, hand.win_tile)), len(hand.melds))


# --- the readings of a hand ---------------------------------------------------------------------------------


def readings(
    hand: Hand, tsumo: bool, *, four_alike_are_pairs: bool = False, broken: bool = False
) -> tuple[Reading, ...]:
    """Every reading of the hand with every place of the winning tile; empty where the hand is not finished.

    The winner decides which set the winning tile finishes (EMA 2008 §4.1.1, §3.4.9).
    ``four_alike_are_pairs``: whether four alike are two of seven pairs. ``broken``: whether thirteen broken
    tiles (Toudai §4.1.7) are a finished hand; they have no wait of their own, their pair stands for it.
    """
    counts = count_kinds((*hand.concealed, hand.win_tile))
    if sum(counts) + 3 * len(hand.melds) != 14:
        return ()
    found: list[Reading] = []
    melds = tuple(map(_declared, hand.melds))
    for shape in _standard_shapes(counts):
        found.extend(_placed(shape, hand, tsumo, melds))
    if not hand.melds:
        if _is_seven_pairs(counts) or (four_alike_are_pairs and _is_pairs(counts)):
            pairs = tuple(
                (GroupType.PAIR, kind) for kind, count in enumerate(counts) for _ in range(count // 2)
            )
            at = pairs.index((GroupType.PAIR, hand.win_tile.kind))
            found.append(Reading(Form.SEVEN_PAIRS, _dressed(pairs, at, hand), at, Wait.TANKI))
        if _is_thirteen_orphans(counts):
            wait = Wait.KOKUSHI_13 if counts[hand.win_tile.kind] == 2 else Wait.KOKUSHI
            tiles = tuple(sorted((*hand.concealed, hand.win_tile)))
            found.append(
                Reading(Form.THIRTEEN_ORPHANS, (Group(GroupType.ORPHANS, tiles[0].kind, tiles),), 0, wait)
            )
        if broken and _is_thirteen_broken(counts):
            tiles = tuple(sorted((*hand.concealed, hand.win_tile)))
            group = Group(GroupType.ORPHANS, tiles[0].kind, tiles)
            found.append(Reading(Form.THIRTEEN_BROKEN, (group,), 0, Wait.TANKI))
    return tuple(found)


def _declared(meld: Meld) -> Group:
    type_ = GroupType.KAN if meld.type.is_kan else GroupType(meld.type.value)
    return Group(type_, min(tile.kind for tile in meld.tiles), meld.tiles, not meld.is_open, melded=True)


def _placed(shape: _Shape, hand: Hand, tsumo: bool, melds: tuple[Group, ...]) -> Iterator[Reading]:
    """The readings of one shape, one for each different group that the winning tile can finish."""
    win = hand.win_tile.kind
    for at, (type_, kind) in enumerate(shape):
        if shape.index((type_, kind)) != at:
            continue
        if not (kind <= win <= kind + 2 if type_ is GroupType.CHI else kind == win):
            continue
        groups = _dressed(shape, at, hand)
        if type_ is GroupType.PON and not tsumo:
            finished = groups[at]
            opened = Group(finished.type, finished.kind, finished.tiles, concealed=False)
            groups = (*groups[:at], opened, *groups[at + 1 :])
        yield Reading(Form.STANDARD, groups + melds, at, _wait(type_, kind, win))


def _wait(type_: GroupType, kind: int, win: int) -> Wait:
    if type_ is GroupType.PAIR:
        return Wait.TANKI
    if type_ is GroupType.PON:
        return Wait.SHANPON
    if win == kind + 1:
        return Wait.KANCHAN
    edge = kind % 9 == 0 if win == kind + 2 else kind % 9 == 6
    return Wait.PENCHAN if edge else Wait.RYANMEN


_SIZES: Final = {GroupType.CHI: 3, GroupType.PON: 3, GroupType.PAIR: 2}


@cache
def _plain(type_: GroupType, kind: int) -> Group:
    if type_ is GroupType.CHI:
        return Group(type_, kind, TILES[kind : kind + 3])
    return Group(type_, kind, (TILES[kind],) * _SIZES[type_])


def _dressed(shape: _Shape, win_group: int, hand: Hand) -> tuple[Group, ...]:
    """The shape's groups with the hand's own tiles: red fives placed, the winning tile in its own."""
    groups = [_plain(type_, kind) for type_, kind in shape]
    if hand.win_tile.is_red:
        groups[win_group] = _with_red(groups[win_group], hand.win_tile)
    for red in hand.concealed:
        if not red.is_red:
            continue
        plain = TILES[red.kind]
        for at, group in enumerate(groups):
            wanted = 2 if at == win_group and plain == hand.win_tile else 1
            if group.tiles.count(plain) >= wanted:
                groups[at] = _with_red(group, red)
                break
    return tuple(groups)


def _with_red(group: Group, red: Tile) -> Group:
    at = group.tiles.index(TILES[red.kind])
    return Group(group.type, group.kind, (*group.tiles[:at], red, *group.tiles[at + 1 :]))
