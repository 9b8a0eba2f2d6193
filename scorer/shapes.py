"""Tiles and sets as numbers whose fields add up, and every way to split a suit into sets.

A *tally* counts the tiles of each face in one byte: byte 0 is 1m, byte 33 is 7z. Bytes 34–36 count the red
fives, which the bytes of the fives count too. The tally of a hand is the sum of the tallies of its tiles.

A *composition* is one number for a whole reading of a hand: all that yaku and minipoints need of the sets,
the pair and the wait. It is the sum of the compositions of its groups and of :func:`ending`. The low bits
hold counts that fit into one machine word. Above them each kind has a field: how many runs begin with it, and
whether the reading has its triplet (or kan) and its pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import partial
from operator import itemgetter
from typing import Final

from scorer.memo import Memo
from scorer.tiles import COPIES, KIND_OF, KINDS, TERMINALS, YAOCHUU

FACES: Final = len(KIND_OF)

# --- tallies ------------------------------------------------------------------------------------------------


def tally_mask(kinds: Iterable[int]) -> int:
    """The mask of a tally's bytes for the kinds."""
    return sum(0xFF << 8 * kind for kind in kinds)


TALLIES: Final = tuple(
    (1 << 8 * kind) + (1 << 8 * face if face >= KINDS else 0) for face, kind in enumerate(KIND_OF)
)
"""The tally of each face."""

SUITS: Final = tuple(map(tally_mask, (range(9), range(9, 18), range(18, 27), range(27, KINDS))))
"""The masks of characters, circles, bamboos and honours."""

OVERFLOW: Final = sum(0x80 << 8 * face for face in range(FACES))
"""The mask of the overflow bits. A tally of at most 123 tiles plus :func:`headroom` sets one for each face
that has more tiles than a set of tiles."""


def tally(tiles: Iterable[int]) -> int:
    """The tally of the tiles (or face indices 0–36)."""
    # one itemgetter call is much faster than a loop; two more tiles (1m) make sure that it returns a tuple
    found: tuple[int, ...] = itemgetter(0, 0, *tiles)(TALLIES)
    return sum(found, -2)


def headroom(red_fives: Sequence[int], left_out: Iterable[int] = ()) -> int:
    """The number to add to a tally so that a byte overflows (:data:`OVERFLOW`) where it has too many tiles.

    ``left_out``: the kinds that are not in play.
    """
    most = [*[COPIES] * KINDS, *red_fives]
    for kind in left_out:
        most[kind] = 0
    return sum(0x7F - limit << 8 * face for face, limit in enumerate(most))


_FIVES: Final = KIND_OF[KINDS:]


OVERFLOW_FIVES: Final = sum(0x80 << 8 * five for five in _FIVES)
"""The mask of the overflow bits of a tally plus :func:`fives_headroom`."""


def fives_headroom(red_fives: Sequence[int]) -> int:
    """As :func:`headroom`, for plain fives: a suit with N red fives has 4 - N of them."""
    return sum(0x7F - (COPIES - red) << 8 * five for five, red in zip(_FIVES, red_fives, strict=True))


def unmarked_reds(tiles: int, red_fives: Sequence[int]) -> tuple[int, ...]:
    """How many fives of each suit must be red although the tally counts them as plain: the set of tiles has
    fewer plain fives."""
    counts = tiles.to_bytes(FACES, "little")
    fives = zip(_FIVES, counts[KINDS:], red_fives, strict=True)
    return tuple([max(0, counts[five] - seen - (COPIES - red)) for five, seen, red in fives])


# --- compositions -------------------------------------------------------------------------------------------


class GroupType(StrEnum):
    CHI = "chi"
    PON = "pon"
    KAN = "kan"
    PAIR = "pair"
    ORPHANS = "orphans"


class Form(StrEnum):
    STANDARD = "standard"
    SEVEN_PAIRS = "chiitoitsu"
    THIRTEEN_ORPHANS = "kokushi"
    THIRTEEN_BROKEN = "shiisan_budou"


class Wait(StrEnum):
    """Which kind of wait the winning tile ended (EMA 2008 §4.1.1)."""

    RYANMEN = "ryanmen"
    KANCHAN = "kanchan"
    PENCHAN = "penchan"
    SHANPON = "shanpon"
    TANKI = "tanki"
    KOKUSHI = "kokushi"
    KOKUSHI_13 = "kokushi_13"


# The small fields together fit into one 30-bit digit of a Python int. A count takes three bits.
COUNT: Final = 7
FU: Final = 255
"""Minipoints of the sets and the wait, in the lowest eight bits."""
RUN_COUNT_AT: Final = 8
CONCEALED_AT: Final = RUN_COUNT_AT + 3
"""Concealed triplets and kans."""
INSIDE_AT: Final = CONCEALED_AT + 3
"""Groups without a terminal or honour."""
SUITS_AT: Final = INSIDE_AT + 3
"""Groups of characters, circles, bamboos, honours."""
HONOUR_GROUPS: Final = COUNT << SUITS_AT + 3 * 3
OTHER_AT: Final = SUITS_AT + 4 * 3
"""1 for a form other than the standard one. Such a composition has no groups."""
SMALL: Final = (2 << OTHER_AT) - 1

# The others.
KANS_AT: Final = OTHER_AT + 1
INNER_AT: Final = KANS_AT + 3
"""Groups without a terminal."""
WAIT_AT: Final = INNER_AT + 3
"""The place in :class:`Wait`."""
FORM_AT: Final = WAIT_AT + 3
"""The place in :class:`Form`."""
STEP_AT: Final = FORM_AT + 3
"""The winning tile minus the first tile of the run that it finishes."""

# The kinds.
KIND: Final = 5
"""Bits for a kind: three count its runs, then one for a triplet and one for the pair."""
KIND_AT: Final = WAIT_AT + 2 * KIND
"""The two fields below stay empty, so that :data:`AROUND_WIN` works for the lowest kinds."""
RUNS: Final = 7
TRIPLET: Final = 8
PAIR: Final = 16
_PAIR_AT: Final = KIND_AT + PAIR.bit_length() - 1


def at_each(value: int, kinds: Iterable[int]) -> int:
    """The value in the field of each of the kinds. Kind 0 has the lowest bits."""
    return sum(value << KIND * kind for kind in kinds)


ONE_EACH: Final = at_each(1, range(KINDS))
"""The lowest bit of the field of every kind."""


def set_fu(type_: GroupType, kind: int, concealed: bool) -> int:
    """Minipoints of a set (EMA 2008 §4.1.1): 0 for a run. For a pair see :func:`scorer.fu.pair_fu`."""
    if type_ not in (GroupType.PON, GroupType.KAN):
        return 0
    fu = 4 if kind in YAOCHUU else 2
    return fu * (2 if concealed else 1) * (4 if type_ is GroupType.KAN else 1)


def wait_fu(wait: Wait) -> int:
    """Minipoints of a wait (EMA 2008 §4.1.1)."""
    return 2 if wait in (Wait.KANCHAN, Wait.PENCHAN, Wait.TANKI) else 0


def _composition(type_: GroupType, kind: int, concealed: bool) -> int:
    kinds = (kind, kind + 1, kind + 2) if type_ is GroupType.CHI else (kind,)
    number = 1 << SUITS_AT + 3 * (kind // 9)
    number += (YAOCHUU.isdisjoint(kinds) << INSIDE_AT) + (TERMINALS.isdisjoint(kinds) << INNER_AT)
    at = KIND_AT + KIND * kind
    match type_:
        case GroupType.CHI:
            return number + (1 << at) + (1 << RUN_COUNT_AT)
        case GroupType.PAIR:
            return number + (PAIR << at)
    number += (TRIPLET << at) + (concealed << CONCEALED_AT) + ((type_ is GroupType.KAN) << KANS_AT)
    return number + set_fu(type_, kind, concealed)


_COMPOSITIONS: Final = {
    (type_, concealed): tuple(_composition(type_, kind, concealed) for kind in range(KINDS))
    for type_ in (GroupType.CHI, GroupType.PON, GroupType.KAN, GroupType.PAIR)
    for concealed in (True, False)
}


def composition(type_: GroupType, kind: int, concealed: bool = True) -> int:
    """The composition of one set or pair."""
    return _COMPOSITIONS[type_, concealed][kind]


_FORMS: Final = tuple(Form)
_WAITS: Final = tuple(Wait)


def ending(wait: Wait, form: Form = Form.STANDARD, step: int = 0) -> int:
    """The part of a composition that holds the wait and the form."""
    number = (_WAITS.index(wait) << WAIT_AT) + (step << STEP_AT)
    if form is Form.STANDARD:
        return number + wait_fu(wait)
    return number + (_FORMS.index(form) << FORM_AT) + (1 << OTHER_AT)


def form_of(number: int) -> Form:
    return _FORMS[number >> FORM_AT & COUNT]


def wait_of(number: int) -> Wait:
    return _WAITS[number >> WAIT_AT & COUNT]


def pair_of(number: int) -> int:
    """The pair's kind, or -1."""
    pair = number >> _PAIR_AT & ONE_EACH
    return pair.bit_length() // KIND if pair else -1


def finished(number: int, win: int) -> tuple[GroupType, int]:
    """Type and lowest kind of the group that a winning tile of that kind finishes, in the standard form."""
    match wait_of(number):
        case Wait.TANKI:
            return GroupType.PAIR, win
        case Wait.SHANPON:
            return GroupType.PON, win
    return GroupType.CHI, win - (number >> STEP_AT & COUNT)


Shape = tuple[tuple[GroupType, int], ...]
"""Types and lowest kinds of groups."""


def shape(number: int) -> Shape:
    """The groups of a composition, suit by suit, the pair of a suit first; kans are triplets here."""
    return _SHAPES[number]


def _shape(number: int) -> Shape:
    groups: list[tuple[GroupType, int]] = []
    number >>= KIND_AT
    for suit in (range(9), range(9, 18), range(18, 27), range(27, KINDS)):
        sets: list[tuple[GroupType, int]] = []
        for kind in suit:
            here = number >> KIND * kind
            if here & PAIR:
                groups.append((GroupType.PAIR, kind))
            if here & TRIPLET:
                sets.append((GroupType.PON, kind))
            sets += [(GroupType.CHI, kind)] * (here & RUNS)
        groups += sets
    return tuple(groups)


_SHAPES: Final = Memo(_shape, 1 << 14)


# --- the ways to split a suit -------------------------------------------------------------------------------

_Step = tuple[int, int, int]
"""(how many runs begin here, in each of the two bytes above; the tally of all tiles used; the
composition)."""


def _steps(kind: int, pairs: int) -> tuple[tuple[_Step, ...], ...]:
    """By the number of tiles of a suit's lowest kind: how groups can use them all, with at most ``pairs``."""
    run = TALLIES[kind] + TALLIES[kind + 1] + TALLIES[kind + 2] if kind < 27 and kind % 9 <= 6 else 0
    found: list[list[_Step]] = [[] for _ in range(COPIES + 1)]
    for pair in range(pairs, -1, -1):
        for triplet in (1, 0):
            alike = 2 * pair + 3 * triplet
            for runs in range(COPIES + 1 - alike if run else 1):
                number = pair * composition(GroupType.PAIR, kind) + triplet * composition(GroupType.PON, kind)
                if runs:
                    number += runs * composition(GroupType.CHI, kind)
                if alike + runs <= COPIES:
                    found[alike + runs].append((runs * 0x0101, alike * TALLIES[kind] + runs * run, number))
    return tuple(map(tuple, found))


_STEPS: Final = tuple(tuple(_steps(kind, pairs) for kind in range(KINDS)) for pairs in (0, 1))


def _suit_splits(suit: int) -> tuple[int, ...]:
    if not suit:
        return (0,)
    size = suit % 3  # the number of tiles modulo 3, as 256 is one more than a multiple of 3
    kind = (suit & -suit).bit_length() - 1 >> 3
    here = suit >> 8 * kind
    count = here & 0xFF
    if size == 1 or count > COPIES:
        return ()
    found: tuple[int, ...] = ()
    # the lowest tiles form the pair, a triplet or begin runs; runs need enough tiles of the two kinds above
    above = here >> 8 & 0xFFFF | 0x8080
    for runs, tiles, number in _STEPS[size >> 1][kind][count]:
        if above - runs & 0x8080 == 0x8080:
            for others in SUIT_SPLITS[suit - tiles]:
                found += (number + others,)
    return found


SUIT_SPLITS: Final = Memo(_suit_splits)
"""By the tally of one suit: all ways to split it into sets and at most one pair, as compositions. The number
of tiles decides whether there is a pair."""


# --- the winning tile ---------------------------------------------------------------------------------------

BELOW: Final = 2 * KIND
AROUND_WIN: Final = (RUNS | TRIPLET | PAIR) << BELOW | RUNS << KIND | RUNS
"""The mask of the field of a kind, and of the runs that begin one or two kinds below."""


_RON_TRIPLET: Final = tuple(
    composition(GroupType.PON, kind, False) - composition(GroupType.PON, kind) for kind in range(KINDS)
)
"""By kind: an open triplet minus a concealed one. A ron that finishes a triplet makes it open."""

_TANKI, _SHANPON, _KANCHAN = ending(Wait.TANKI), ending(Wait.SHANPON), ending(Wait.KANCHAN, step=1)
_RYANMEN, _PENCHAN = (
    {step: ending(wait, step=step) for step in (0, 2)} for wait in (Wait.RYANMEN, Wait.PENCHAN)
)


def _win_endings(win: int, tsumo: bool, around: int) -> tuple[int, ...]:
    found: list[int] = []
    if around & PAIR << BELOW:
        found.append(_TANKI)
    if around & RUNS:
        found.append((_PENCHAN if win % 9 == 2 else _RYANMEN)[2])
    if around & RUNS << KIND:
        found.append(_KANCHAN)
    if around & TRIPLET << BELOW:
        found.append(_SHANPON if tsumo else _SHANPON + _RON_TRIPLET[win])
    if around & RUNS << BELOW:
        found.append((_PENCHAN if win % 9 == 6 else _RYANMEN)[0])
    return tuple(found)


WIN_ENDINGS: Final = tuple(
    tuple(Memo(partial(_win_endings, win, tsumo)) for win in range(KINDS)) for tsumo in (False, True)
)
"""By [tsumo][kind of the winning tile][groups :data:`AROUND_WIN`]: the number to add to the composition for
each different group that the winning tile can finish."""
