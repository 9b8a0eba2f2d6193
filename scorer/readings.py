"""Every way to read a finished hand as sets and a pair, and the waits of a hand one tile short.

Hands are split suit by suit, and :mod:`scorer.shapes` caches the splits of each suit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING, Final

from scorer.hand import Hand, Meld, MeldType, melds_of, require_type
from scorer.memo import Memo
from scorer.shapes import (
    AROUND_WIN,
    BELOW,
    FACES,
    KIND,
    KIND_AT,
    SUIT_SPLITS,
    SUITS,
    WIN_ENDINGS,
    Form,
    GroupType,
    Shape,
    Wait,
    composition,
    ending,
    finished,
    form_of,
    shape,
    tally,
    tally_mask,
    wait_of,
)
from scorer.tiles import (
    COPIES,
    KIND_OF,
    KINDS,
    TILES,
    YAOCHUU,
    Tile,
    Tiles,
    count_kinds,
    format_tiles,
    tiles_of,
)

if TYPE_CHECKING:
    from scorer.records import GroupRecord, ReadingOfTiles

__all__ = [
    "DECLARED", "Form", "Group", "GroupType", "Reading", "Wait", "arrangements", "counts_are_complete",
    "is_complete", "is_win", "kinds_waited", "reading_of", "readings", "waits",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Group:
    """A set or the pair. ``kind``: its lowest tile. ``tiles``: those of the hand, red fives where they lie.

    ``concealed``: counts as concealed for minipoints; false for a triplet that a discard finished.
    ``melded``: declared on the table (a concealed kan is melded and concealed).
    """

    type: GroupType
    kind: int
    tiles: tuple[Tile, ...]
    concealed: bool = True
    melded: bool = False

    def to_record(self) -> GroupRecord:
        """The group as JSON values."""
        return {"type": self.type.value, "tiles": format_tiles(self.tiles), "concealed": self.concealed}


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the hand. ``win_group``: the index of the group that the winning tile finishes."""

    form: Form
    groups: tuple[Group, ...]
    win_group: int
    wait: Wait

    def to_record(self) -> ReadingOfTiles:
        """The reading as JSON values. :meth:`scorer.Score.from_record` reads them."""
        return {
            "form": self.form.value,
            "groups": [group.to_record() for group in self.groups],
            "win_group": self.win_group,
            "wait": self.wait.value,
        }


# --- finished or not ----------------------------------------------------------------------------------------


_M, _P, _S, _Z = SUITS


def _splits(concealed: int) -> list[int]:
    """The compositions of all ways to split a tally of 14 tiles, less three for each meld, into sets and one
    pair."""
    m, p, s, z = concealed & _M, concealed & _P, concealed & _S, concealed & _Z
    # 256 % 3 == 1, so a tally modulo 3 is its number of tiles modulo 3. Both suits with a remainder: either
    # one of them cannot be split, or the hand has more than one pair
    if m % 3 and p % 3:
        return []
    return [
        a + b + c + d
        for a in SUIT_SPLITS[m]
        for b in SUIT_SPLITS[p]
        for c in SUIT_SPLITS[s]
        for d in SUIT_SPLITS[z]
    ]


def _is_seven_pairs(counts: Sequence[int]) -> bool:
    """Seven *different* pairs (EMA 2008 §4.2.2)."""
    return counts.count(2) == 7


def _is_pairs(counts: Sequence[int]) -> bool:
    """Seven pairs, where four tiles alike count as two of them (Toudai §4.1.3, "some variants")."""
    return sum(counts) == 14 and not any(count % 2 for count in counts)


def _is_thirteen_broken(counts: Sequence[int]) -> bool:
    """Thirteen kinds, one of them twice, and no two tiles that could be in one run (Toudai §4.1.7)."""
    return sorted(count for count in counts if count) == [1] * 12 + [2] and not any(
        counts[kind] and counts[other]
        for kind in range(27)
        for other in (kind + 1, kind + 2)
        if other // 9 == kind // 9
    )


def _is_thirteen_orphans(counts: Sequence[int]) -> bool:
    return counts.count(1) == 12 and counts.count(2) == 1 and all(counts[kind] for kind in YAOCHUU)


def is_complete(tiles: Tiles, melds: Iterable[Meld] = ()) -> bool:
    """Whether the concealed tiles, winning tile included, and the melds are a finished hand.

    It may still have no yaku. A wrong number of tiles gives False. Raises :class:`scorer.TileError` for
    invalid tiles and ``ValueError`` for invalid melds.

    >>> is_complete("123m055p77z", [Meld("pon", "111z"), Meld("chi", "789s")])
    True
    """
    return counts_are_complete(count_kinds(tiles_of("tiles", tiles)), len(melds_of(melds)))


def counts_are_complete(counts: Sequence[int], n_melds: int = 0) -> bool:
    """:func:`is_complete` of concealed counts (34, winning tile included) and ``n_melds`` declared sets."""
    counts = tuple(counts)
    if sum(counts) != 14 - 3 * n_melds:
        return False
    if n_melds == 0 and (_is_seven_pairs(counts) or _is_thirteen_orphans(counts)):
        return True
    return bool(_splits(int.from_bytes(counts, "little")))


def waits(concealed: Tiles, melds: Iterable[Meld] = ()) -> tuple[Tile, ...]:
    """The tiles that finish a hand one tile short, lowest first.

    A tile is no wait if the hand itself holds all four (EMA 2008 §3.4.2). A plain five stands for the red one
    too. Raises :class:`scorer.TileError` for invalid tiles and ``ValueError`` for invalid melds.

    >>> from scorer import format_tiles
    >>> format_tiles(waits("1112345678999m"))
    '123456789m'
    """
    counts = count_kinds(tiles_of("concealed", concealed))
    return tuple(TILES[kind] for kind in kinds_waited(counts, melds_of(melds)))


def kinds_waited(counts: Sequence[int], melds: Sequence[Meld] = ()) -> tuple[int, ...]:
    """:func:`waits` of 34 concealed counts, as kinds."""
    held = list(counts)
    for meld in melds:
        for tile in meld.tiles:
            held[tile.kind] += 1
    found = []
    for kind in range(KINDS):
        if held[kind] < COPIES:
            full = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
            if counts_are_complete(full, len(melds)):
                found.append(kind)
    return tuple(found)


def is_win(hand: Hand) -> bool:
    """Whether the tiles make four sets and a pair, seven pairs, or thirteen orphans (EMA 2008 §3.2)."""
    return counts_are_complete(count_kinds((*hand.concealed, hand.win_tile)), len(hand.melds))


# --- the readings of a hand ---------------------------------------------------------------------------------


_ODD: Final = tally_mask(range(KINDS)) & int.from_bytes([1] * KINDS)
_SIMPLES: Final = tally_mask(kind for kind in range(KINDS) if kind not in YAOCHUU)


def arrangements(
    concealed: int, win: int, n_melds: int, melded: int, tsumo: bool, four_alike_are_pairs: bool, broken: bool
) -> list[int]:
    """Every reading of a hand, with every place of the winning tile, as a composition; see :func:`readings`.

    ``concealed``: the tally of the concealed tiles, ``win`` among them, 14 less three for each declared set.
    ``win``: the winning tile's kind. ``melded``: the composition of the declared sets.
    """
    at, endings = KIND_AT - BELOW + KIND * win, WIN_ENDINGS[tsumo][win]
    found: list[int] = []
    for groups in _splits(concealed):
        for last in endings[groups >> at & AROUND_WIN]:
            found.append(groups + melded + last)
    # a hand with an odd number of a kind is not seven pairs, a hand with a simple is not thirteen orphans
    if not n_melds and (broken or not concealed & _ODD or not concealed & _SIMPLES):
        counts = concealed.to_bytes(FACES, "little")[:KINDS]
        if _is_seven_pairs(counts) or (four_alike_are_pairs and _is_pairs(counts)):
            found.append(ending(Wait.TANKI, Form.SEVEN_PAIRS))
        elif _is_thirteen_orphans(counts):
            wait = Wait.KOKUSHI_13 if counts[win] == 2 else Wait.KOKUSHI
            found.append(ending(wait, Form.THIRTEEN_ORPHANS))
        if broken and _is_thirteen_broken(counts):
            found.append(ending(Wait.TANKI, Form.THIRTEEN_BROKEN))
    return found


def readings(
    hand: Hand, tsumo: bool, *, four_alike_are_pairs: bool = False, broken: bool = False
) -> tuple[Reading, ...]:
    """Every reading of the hand with every place of the winning tile; empty where the hand is not finished.

    The winner decides which set the winning tile finishes (EMA 2008 §4.1.1, §3.4.9).
    ``four_alike_are_pairs``: whether four alike are two of seven pairs. ``broken``: whether thirteen broken
    tiles (Toudai §4.1.7) are a finished hand; their wait counts as a tanki. Raises ``TypeError`` unless
    ``hand`` is a :class:`scorer.Hand`.

    >>> for reading in readings(Hand("56789m333888p44z", "7m"), tsumo=True):
    ...     print(reading.wait, reading.groups[reading.win_group].type)
    ryanmen chi
    penchan chi
    """
    require_type("hand", hand, Hand, 'Hand("234m340567p2267s", "8s")')
    if len(hand.concealed) + 3 * len(hand.melds) != 13:
        return ()
    found = arrangements(
        tally((*hand.concealed, hand.win_tile)),
        hand.win_tile.kind,
        len(hand.melds),
        _melded(hand),
        tsumo,
        four_alike_are_pairs,
        broken,
    )
    return tuple(reading_of(one, hand, tsumo) for one in found)


def reading_of(number: int, hand: Hand, tsumo: bool) -> Reading:
    """The reading of a composition, with the tiles of the hand."""
    form, wait, win = form_of(number), wait_of(number), hand.win_tile.kind
    if form is Form.SEVEN_PAIRS:
        counts = count_kinds((*hand.concealed, hand.win_tile))
        pairs = tuple((GroupType.PAIR, kind) for kind, count in enumerate(counts) for _ in range(count // 2))
        at = pairs.index((GroupType.PAIR, win))
        return Reading(form, _with_own_tiles(pairs, at, hand), at, wait)
    if form is not Form.STANDARD:
        tiles = tuple(sorted((*hand.concealed, hand.win_tile)))
        return Reading(form, (Group(GroupType.ORPHANS, tiles[0].kind, tiles),), 0, wait)
    concealed = shape(number - _melded(hand))
    at = concealed.index(finished(number, win))
    groups = _with_own_tiles(concealed, at, hand)
    last = groups[at]
    if last.type is GroupType.PON and not tsumo:
        groups = (*groups[:at], Group(last.type, last.kind, last.tiles, concealed=False), *groups[at + 1 :])
    return Reading(form, groups + tuple(map(_declared_group, hand.melds)), at, wait)


# --- the declared sets --------------------------------------------------------------------------------------

_TYPE_OF: Final = {type_: GroupType.KAN if type_.is_kan else GroupType(type_.value) for type_ in MeldType}


def _compositions(type_: MeldType) -> dict[int, int]:
    """The composition of each valid meld of this type by its tally, with every combination of red fives."""
    faces = [[face for face, of in enumerate(KIND_OF) if of == kind] for kind in range(KINDS)]
    size = 4 if type_.is_kan else 3
    return {
        tally(tiles): composition(_TYPE_OF[type_], kind, type_ is MeldType.ANKAN)
        for kind in range(KINDS)
        if type_ is not MeldType.CHI or (kind < 27 and kind % 9 <= 6)
        for tiles in product(*(faces[kind : kind + 3] if type_ is MeldType.CHI else [faces[kind]] * size))
    }


_SETS: Final = Memo(_compositions)


def _declared(type_: MeldType, tiles: tuple[Tile, ...]) -> tuple[int, int]:
    shown = tally(tiles)
    return shown, _SETS[type_].get(shown, 0)


DECLARED: Final = {type_: Memo(partial(_declared, type_)) for type_ in MeldType}
"""By [type][tiles] of a meld: its tally and its composition; 0 if the tiles are no such set."""


def _melded(hand: Hand) -> int:
    return sum([DECLARED[meld.type][meld.tiles][1] for meld in hand.melds])


def _declared_group(meld: Meld) -> Group:
    kind = min(map(KIND_OF.__getitem__, meld.tiles), default=0)
    return Group(_TYPE_OF[meld.type], kind, meld.tiles, not meld.is_open, melded=True)


# --- the tiles of the groups --------------------------------------------------------------------------------


@cache
def _plain(type_: GroupType, kind: int) -> Group:
    if type_ is GroupType.CHI:
        return Group(type_, kind, TILES[kind : kind + 3])
    return Group(type_, kind, (TILES[kind],) * (2 if type_ is GroupType.PAIR else 3))


def _with_own_tiles(shape: Shape, win_group: int, hand: Hand) -> tuple[Group, ...]:
    """The groups of a shape with the tiles of the hand: red fives placed, the winning tile in its own
    group."""
    groups = [_plain(type_, kind) for type_, kind in shape]
    if hand.win_tile.is_red:
        groups[win_group] = _with_red(groups[win_group], hand.win_tile)
    for red in hand.concealed:
        if not red.is_red:
            continue
        plain = TILES[red.kind]
        for at, group in enumerate(groups):
            needed = 2 if at == win_group and plain == hand.win_tile else 1
            if group.tiles.count(plain) >= needed:
                groups[at] = _with_red(group, red)
                break
    return tuple(groups)


def _with_red(group: Group, red: Tile) -> Group:
    at = group.tiles.index(TILES[red.kind])
    return Group(group.type, group.kind, (*group.tiles[:at], red, *group.tiles[at + 1 :]))
