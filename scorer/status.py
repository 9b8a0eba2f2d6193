"""Everything that can be wrong with a hand, found all at once, in sentences that a player understands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Flag, auto
from typing import Final

from scorer.hand import Hand, Win
from scorer.readings import is_win, waits
from scorer.rules import RuleSet
from scorer.tiles import COPIES, KINDS, TILES, Tile, count_kinds, format_tiles


class HandStatus(Flag):
    """The faults, the most basic first; each flag is an error id of ``HAND.md`` in capitals."""

    VALID = 0
    BAD_MELD = auto()
    WRONG_TILE_COUNT = auto()
    TOO_MANY_OF_A_TILE = auto()
    TOO_MANY_RED_FIVES = auto()
    NOT_A_WIN = auto()
    RIICHI_ON_OPEN_HAND = auto()
    IPPATSU_WITHOUT_RIICHI = auto()
    URA_WITHOUT_RIICHI = auto()
    RINSHAN_ON_RON = auto()
    RINSHAN_WITHOUT_KAN = auto()
    CHANKAN_ON_TSUMO = auto()
    CHANKAN_TILE_HELD = auto()
    HAITEI_ON_RON = auto()
    HOUTEI_ON_TSUMO = auto()
    FIRST_TURN_WITH_CALL = auto()
    DEALER_ONLY = auto()
    NOT_DEALER = auto()
    CONFLICTING_WINS = auto()
    NO_YAKU = auto()
    BELOW_MINIMUM = auto()


TILE_FAULTS: Final = (
    HandStatus.BAD_MELD
    | HandStatus.WRONG_TILE_COUNT
    | HandStatus.TOO_MANY_OF_A_TILE
    | HandStatus.TOO_MANY_RED_FIVES
    | HandStatus.NOT_A_WIN
)
"""What is wrong with the tiles themselves, however they were won."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong, and a sentence that says what to do about it."""

    status: HandStatus
    message: str

    @property
    def id(self) -> str:
        """The error id of ``HAND.md``."""
        return str(self.status.name).lower()


class HandError(ValueError):
    """A hand that cannot be scored. ``faults`` lists all that is wrong, the most basic first."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults[0].message)
        self.faults = faults

    @property
    def status(self) -> HandStatus:
        status = HandStatus.VALID
        for fault in self.faults:
            status |= fault.status
        return status


_Check = Callable[[Hand, Win, RuleSet], Iterable[str]]
"""Looks for one fault and says a sentence for each place where it is found."""


def _bad_meld(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    for meld in hand.melds:
        if not meld.is_set:
            yield f"{format_tiles(meld.tiles)} is no {meld.type}: correct the tiles or the type of the meld."


def _wrong_tile_count(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    wanted = 13 - 3 * len(hand.melds)
    have = len(hand.concealed)
    if have == wanted:
        return
    kans = sum(meld.type.is_kan for meld in hand.melds)
    undeclared = have > wanted and max(count_kinds(hand.concealed)) == COPIES
    yield (
        f"A finished hand with {kans} declared kong{'s' * (kans != 1)} has {14 + kans} tiles, this one has"
        f" {14 + kans + have - wanted}: {'take away' if have > wanted else 'add'} {abs(have - wanted)}."
        f"{' Four alike are a kong only if declared.' if undeclared else ''}"
    )


def _shown(hand: Hand, win: Win) -> tuple[Tile, ...]:
    """All tiles that the record names; every one of them is a tile of the same set."""
    return (*hand.tiles, *win.dora_indicators, *win.ura_indicators)


def _too_many_of_a_tile(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    counts = count_kinds(_shown(hand, win))
    if max(counts) > COPIES:
        for kind, count in enumerate(counts):
            if count > COPIES:
                name = f"{TILES[kind]} ({TILES[kind].name})"
                yield f"There are {count} of {name}, a set has {COPIES}: correct one."


def _too_many_red_fives(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    for red, count in Counter(tile for tile in _shown(hand, win) if tile.is_red).items():
        if count > (most := rules.red_fives[red - KINDS]):
            yield (
                f"There are {count} of {red} ({red.name}) and {rules.name} plays with {most}:"
                f" write 5{red.suit} for the rest."
            )


def _not_a_win(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    if is_win(hand):
        return
    waiting = waits(count_kinds(hand.concealed), hand.melds)
    if waiting:
        tiles = ", ".join(str(TILES[kind]) for kind in waiting)
        yield f"{hand.win_tile} does not finish this hand, which waits for {tiles}: correct a tile."
    else:
        yield "These tiles are not four sets and a pair, seven pairs or thirteen orphans: correct a tile."


def _when(condition: Callable[[Hand, Win], bool], message: str) -> _Check:
    messages = (message,)
    return lambda hand, win, rules: messages if condition(hand, win) else ()


def _first_turn(win: Win) -> bool:
    return win.tenhou or win.chiihou or win.renhou


_MOMENTS: Final = ("rinshan", "haitei", "chankan", "houtei", "tenhou", "chiihou", "renhou")
"""Each says at which moment the winning tile came, so that no two of them go together."""


def _conflicting(hand: Hand, win: Win, rules: RuleSet) -> Iterator[str]:
    """Ways of winning that cannot both be: each win ends on one tile, drawn or discarded at one moment."""
    named = [name for name in _MOMENTS if getattr(win, name)]
    if len(named) > 1:
        yield f"A win cannot be {' and '.join(named)} at once: keep one."
    if _first_turn(win) and win.has_riichi:
        yield "A win on the first turn comes before any riichi: take one of them away."
    if win.tsumo and win.renhou:
        yield "Renhou is a win on a discard: take away renhou, or make it a ron."
    if not win.tsumo and (win.tenhou or win.chiihou):
        yield "A win on the first draw (tenhou, chiihou) is a self-draw: take it away, or make it a tsumo."
    if win.ippatsu and win.rinshan:
        yield "A kong ends ippatsu, so a win after a kong (rinshan) has none: take away one of them."
    if win.tsumo and (win.loser_offset is not None or win.ron_index):
        yield "A self-draw has no discarder: take away loser_offset and ron_index, or make it a ron."


_CHECKS: Final[tuple[tuple[HandStatus, _Check], ...]] = (
    (HandStatus.BAD_MELD, _bad_meld),
    (HandStatus.WRONG_TILE_COUNT, _wrong_tile_count),
    (HandStatus.TOO_MANY_OF_A_TILE, _too_many_of_a_tile),
    (HandStatus.TOO_MANY_RED_FIVES, _too_many_red_fives),
    (HandStatus.NOT_A_WIN, _not_a_win),
    (
        HandStatus.RIICHI_ON_OPEN_HAND,
        _when(
            lambda h, w: w.has_riichi and not h.is_closed,
            "Riichi needs a concealed hand: take away riichi or the open melds.",
        ),
    ),
    (
        HandStatus.IPPATSU_WITHOUT_RIICHI,
        _when(
            lambda h, w: w.ippatsu and not w.has_riichi,
            "Ippatsu needs riichi: add riichi or take away ippatsu.",
        ),
    ),
    (
        HandStatus.URA_WITHOUT_RIICHI,
        _when(
            lambda h, w: bool(w.ura_indicators) and not w.has_riichi,
            "Only riichi opens the ura dora: add riichi or take away the ura indicators.",
        ),
    ),
    (
        HandStatus.RINSHAN_ON_RON,
        _when(
            lambda h, w: w.rinshan and not w.tsumo,
            "Rinshan is a self-draw: make it a tsumo or take away rinshan.",
        ),
    ),
    (
        HandStatus.RINSHAN_WITHOUT_KAN,
        _when(
            lambda h, w: w.rinshan and not h.has_kan,
            "Rinshan needs a kong: declare the kong or take away rinshan.",
        ),
    ),
    (
        HandStatus.CHANKAN_ON_TSUMO,
        _when(
            lambda h, w: w.chankan and w.tsumo,
            "Robbing a kong (chankan) is a ron: make it a ron or take away chankan.",
        ),
    ),
    (
        HandStatus.CHANKAN_TILE_HELD,
        _when(
            lambda h, w: w.chankan and count_kinds(_shown(h, w))[h.win_tile.kind] > 1,
            "The robbed kong holds the other three of the winning tile, so neither the hand nor an indicator"
            " can be one: take away chankan or correct a tile.",
        ),
    ),
    (
        HandStatus.HAITEI_ON_RON,
        _when(
            lambda h, w: w.haitei and not w.tsumo, "Haitei is a self-draw: make it a tsumo, or write houtei."
        ),
    ),
    (
        HandStatus.HOUTEI_ON_TSUMO,
        _when(lambda h, w: w.houtei and w.tsumo, "Houtei is a ron: make it a ron, or write haitei."),
    ),
    (
        HandStatus.FIRST_TURN_WITH_CALL,
        _when(
            lambda h, w: _first_turn(w) and bool(h.melds),
            "A win on the first turn has no melds, not even a kong: take away one or the other.",
        ),
    ),
    (
        HandStatus.DEALER_ONLY,
        _when(
            lambda h, w: w.tenhou and not w.is_dealer,
            "Tenhou is the dealer's: set the seat wind to E, or write chiihou.",
        ),
    ),
    (
        HandStatus.NOT_DEALER,
        _when(
            lambda h, w: (w.chiihou or w.renhou) and w.is_dealer,
            "Chiihou and renhou are not the dealer's: correct the seat wind, or write tenhou.",
        ),
    ),
    (HandStatus.CONFLICTING_WINS, _conflicting),
)


def faults(hand: Hand, win: Win, rules: RuleSet) -> tuple[Fault, ...]:
    """All that is wrong with the hand before yaku are looked for, the most basic first."""
    return tuple(Fault(status, message) for status, look in _CHECKS for message in look(hand, win, rules))
