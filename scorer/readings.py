"""Every way to read a finished hand, and what an unfinished one waits for.

Hands are split suit by suit (:mod:`scorer.shapes`), and a suit's splits are remembered: hands share suits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple

from scorer.hand import Hand, Meld, MeldType
from scorer.shapes import FACES, HONOURS, SUIT, GroupType, Part, Shape, Wait, composition, parts, tally
from scorer.tiles import COPIES, KIND_OF, KINDS, TILES, YAOCHUU, Tile, count_kinds

__all__ = [
    "Arrangement", "Declared", "Form", "Group", "GroupType", "Reading", "Wait", "arrangements", "declared",
    "is_complete", "is_win", "reading_of", "readings", "waits",
]  # fmt: skip


class Form(StrEnum):
    STANDARD = "standard"
    SEVEN_PAIRS = "chiitoitsu"
    THIRTEEN_ORPHANS = "kokushi"
    THIRTEEN_BROKEN = "shiisan_budou"


_STANDARD: Final = Form.STANDARD


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


# --- finished or not ----------------------------------------------------------------------------------------


def _splits(concealed: int) -> Iterable[tuple[Part, ...]]:
    """All ways to split a tally into sets and one pair: a part for each suit, then the honours."""
    m, p, s, z = concealed & SUIT, concealed >> 72 & SUIT, concealed >> 144 & SUIT, concealed >> 216 & HONOURS
    # a suit's number of tiles modulo 3 is that of its tally, as 256 is; only one of them may ask for a pair
    if m % 3 + p % 3 + s % 3 + z % 3 != 2:
        return ()
    return product(parts(m, 0), parts(p, 9), parts(s, 18), parts(z, 27))


def _is_seven_pairs(counts: Sequence[int]) -> bool:
    """Seven *different* pairs (EMA 2008 §4.2.2)."""
    return counts.count(2) == 7


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
    return counts.count(1) == 12 and counts.count(2) == 1 and all(counts[kind] for kind in YAOCHUU)


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
    return any(True for _ in _splits(int.from_bytes(counts, "little")))


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


class Arrangement(NamedTuple):
    """A reading before it is written out: what is needed to score it.

    ``parts``: of each suit how it is split, empty but for sets and a pair. ``suit``: in which of them the
    winning tile lies, ``at``: which of its groups it finishes. ``composition``: of all sets, the pair and
    the wait.
    """

    form: Form
    parts: tuple[Part, ...]
    suit: int
    at: int
    wait: Wait
    composition: int


def arrangements(
    concealed: int, win: int, n_melds: int, melded: int, tsumo: bool, four_alike_are_pairs: bool, broken: bool
) -> list[Arrangement]:
    """Every reading of a hand, with every place of the winning tile; see :func:`readings`.

    ``concealed``: the tally of the concealed tiles, ``win`` among them, 14 less three for each declared set.
    ``win``: the winning tile's kind. ``melded``: the composition of the declared sets.
    """
    found: list[Arrangement] = []
    suit = win // 9
    for split in _splits(concealed):
        m, p, s, z = split
        whole = m.composition + p.composition + s.composition + z.composition + melded
        for at, wait, drawn, claimed in split[suit].places(win):
            number = whole + (drawn if tsumo else claimed)
            found.append(Arrangement(_STANDARD, split, suit, at, wait, number))
    if n_melds == 0:
        counts = concealed.to_bytes(FACES, "little")[:KINDS]
        if _is_seven_pairs(counts) or (four_alike_are_pairs and _is_pairs(counts)):
            found.append(Arrangement(Form.SEVEN_PAIRS, (), 0, 0, Wait.TANKI, 0))
        elif _is_thirteen_orphans(counts):
            wait = Wait.KOKUSHI_13 if counts[win] == 2 else Wait.KOKUSHI
            found.append(Arrangement(Form.THIRTEEN_ORPHANS, (), 0, 0, wait, 0))
        if broken and _is_thirteen_broken(counts):
            found.append(Arrangement(Form.THIRTEEN_BROKEN, (), 0, 0, Wait.TANKI, 0))
    return found


def readings(
    hand: Hand, tsumo: bool, *, four_alike_are_pairs: bool = False, broken: bool = False
) -> tuple[Reading, ...]:
    """Every reading of the hand with every place of the winning tile; empty where the hand is not finished.

    The winner decides which set the winning tile finishes (EMA 2008 §4.1.1, §3.4.9).
    ``four_alike_are_pairs``: whether four alike are two of seven pairs. ``broken``: whether thirteen broken
    tiles (Toudai §4.1.7) are a finished hand; they have no wait of their own, their pair stands for it.
    """
    if len(hand.concealed) + 3 * len(hand.melds) != 13:
        return ()
    found = arrangements(
        tally((*hand.concealed, hand.win_tile)),
        hand.win_tile.kind,
        len(hand.melds),
        sum(declared(meld).composition for meld in hand.melds),
        tsumo,
        four_alike_are_pairs,
        broken,
    )
    return tuple(reading_of(one, hand, tsumo) for one in found)


def reading_of(arrangement: Arrangement, hand: Hand, tsumo: bool) -> Reading:
    """The arrangement written out with the hand's own tiles."""
    form, split, suit, at, wait, _ = arrangement
    if form is Form.SEVEN_PAIRS:
        counts = count_kinds((*hand.concealed, hand.win_tile))
        pairs = tuple((GroupType.PAIR, kind) for kind, count in enumerate(counts) for _ in range(count // 2))
        at = pairs.index((GroupType.PAIR, hand.win_tile.kind))
        return Reading(form, _dressed(pairs, at, hand), at, wait)
    if form is not Form.STANDARD:
        tiles = tuple(sorted((*hand.concealed, hand.win_tile)))
        return Reading(form, (Group(GroupType.ORPHANS, tiles[0].kind, tiles),), 0, wait)
    shape = tuple(group for part in split for group in part.groups)
    at += sum(len(part.groups) for part in split[:suit])
    groups = _dressed(shape, at, hand)
    finished = groups[at]
    if finished.type is GroupType.PON and not tsumo:
        opened = Group(finished.type, finished.kind, finished.tiles, concealed=False)
        groups = (*groups[:at], opened, *groups[at + 1 :])
    return Reading(form, groups + tuple(declared(meld).group for meld in hand.melds), at, wait)


class Declared(NamedTuple):
    """A meld as a group of the reading; ``is_set``: whether its tiles are what its type says."""

    group: Group
    tally: int
    composition: int
    is_set: bool
    is_open: bool


@lru_cache(maxsize=1 << 14)
def declared(meld: Meld) -> Declared:
    """The meld as the readings have it."""
    type_ = _DECLARED_AS[meld.type]
    kind = min(map(KIND_OF.__getitem__, meld.tiles), default=0)
    concealed = not meld.is_open
    is_set = meld.is_set
    number = composition(type_, kind, concealed) if is_set else 0
    return Declared(
        Group(type_, kind, meld.tiles, concealed, True), tally(meld.tiles), number, is_set, not concealed
    )


_DECLARED_AS: Final = {type_: GroupType.KAN if type_.is_kan else GroupType(type_.value) for type_ in MeldType}


@cache
def _plain(type_: GroupType, kind: int) -> Group:
    if type_ is GroupType.CHI:
        return Group(type_, kind, TILES[kind : kind + 3])
    return Group(type_, kind, (TILES[kind],) * (2 if type_ is GroupType.PAIR else 3))


def _dressed(shape: Shape, win_group: int, hand: Hand) -> tuple[Group, ...]:
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
