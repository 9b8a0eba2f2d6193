"""The yaku: one table of ids, names, values, sources, and the test of each as a small function.

A test decides whether one reading of the hand (:class:`YakuContext`) has the yaku. How much it is worth, and
whether the table plays it, belongs to the rule set (``scorer/presets/*.toml`` over the defaults here). A test
reads a rule only where sources define the yaku itself differently, such as the suits of daisharin.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from scorer import tiles
from scorer.hand import Hand, Win
from scorer.readings import Form, GroupType, Reading, Wait
from scorer.shapes import (
    CONCEALED_AT,
    COUNT,
    HONOUR_GROUPS,
    INNER_AT,
    INSIDE_AT,
    KANS_AT,
    KIND,
    KIND_AT,
    ONE_EACH,
    OTHER_AT,
    RUN_COUNT_AT,
    RUNS,
    SUITS,
    SUITS_AT,
    TRIPLET,
    WAIT_AT,
    at_each,
    composition,
    ending,
    form_of,
    pair_of,
    tally,
    tally_mask,
    wait_of,
)

YAKUMAN: Final = 13
"""Han of one yakuman; a yaku worth that or more counts yakuman, not han (``docs/hand.md``, "Result")."""


class YakuRules(Protocol):
    """The rules that tests read: those on which sources define a yaku differently."""

    @property
    def daisharin_suits(self) -> str: ...

    @property
    def paarenchan_wins(self) -> int: ...

    @property
    def suukantsu_needs_rinshan(self) -> bool: ...

    @property
    def tenhou_special_waits(self) -> str: ...


class YakuContext:
    """One reading of a hand for the tests. ``tally``: of all tiles, kans included.

    ``number``: the composition of the reading (:mod:`scorer.shapes`). Properties extract its fields.
    """

    __slots__ = ("closed", "hand", "number", "rules", "tally", "win")

    def __init__(self, hand: Hand, win: Win, rules: YakuRules, closed: bool, tally: int, number: int) -> None:
        self.hand = hand
        self.win = win
        self.rules = rules
        self.closed = closed
        self.tally = tally
        self.number = number

    @property
    def suits(self) -> int:
        """How many of the three suits the hand has."""
        return (self.tally & _M > 0) + (self.tally & _P > 0) + (self.tally & _S > 0)

    @property
    def form(self) -> Form:
        return form_of(self.number)

    @property
    def wait(self) -> Wait:
        return wait_of(self.number)

    @property
    def runs(self) -> int:
        """In the field of each kind: how many runs begin with it."""
        return self.number >> KIND_AT & _EVERY_RUN

    @property
    def starts(self) -> int:
        """In the field of each kind: 1 if any run begins with it."""
        runs = self.number >> KIND_AT
        return (runs | runs >> 1 | runs >> 2) & _ANY_RUN

    @property
    def triplets(self) -> int:
        """In the field of each kind: 1 if the hand has its triplet or kan."""
        return self.number >> _TRIPLET_AT & ONE_EACH

    def triplet(self, kind: int) -> bool:
        """Whether there is one of that kind."""
        return bool(self.number >> _TRIPLET_AT + KIND * kind & 1)

    @property
    def pair(self) -> int:
        """The pair's kind, or -1."""
        return pair_of(self.number)

    @property
    def concealed_triplets(self) -> int:
        return self.number >> CONCEALED_AT & COUNT

    @property
    def kans(self) -> int:
        return self.number >> KANS_AT & COUNT

    @property
    def inside(self) -> int:
        """How many groups have no terminal or honour."""
        return self.number >> INSIDE_AT & COUNT

    @property
    def inner(self) -> int:
        """How many groups have no terminal."""
        return self.number >> INNER_AT & COUNT

    @property
    def value_pair(self) -> bool:
        """Whether the pair is dragons, the seat wind or the round wind."""
        pair = pair_of(self.number)
        return pair >= 31 or pair in (self.win.seat_kind, self.win.round_wind.kind)


class ReadingContext(YakuContext):
    """The context of a :class:`Reading`, which may hold only some groups of the hand."""

    __slots__ = ("reading", "sets")

    def __init__(self, hand: Hand, win: Win, reading: Reading, rules: YakuRules) -> None:
        groups = reading.groups if reading.form is Form.STANDARD else ()
        number = sum(composition(group.type, group.kind, group.concealed) for group in groups)
        number += ending(reading.wait, reading.form)
        super().__init__(hand, win, rules, hand.is_closed, tally(hand.tiles), number)
        self.reading = reading
        self.sets = tuple(group for group in groups if group.type is not GroupType.PAIR)


Test = Callable[[YakuContext], bool]


# Masks of a composition for the prefilters: form and groups, ...
_OTHER: Final = 1 << OTHER_AT
_RUN_COUNT: Final = COUNT << RUN_COUNT_AT
_THREE_RUNS, _FOUR_RUNS = (count << RUN_COUNT_AT for count in (3, 4))
_INSIDE: Final = COUNT << INSIDE_AT
_ALL_INSIDE: Final = 5 << INSIDE_AT
_CONCEALED: Final = COUNT << CONCEALED_AT
_THREE_CONCEALED: Final = 3 << CONCEALED_AT
_KANS: Final = COUNT << KANS_AT
_THREE_KANS: Final = 3 << KANS_AT
_WAIT_FU: Final = 2
"""The bit of the two minipoints of a wait, the only ones that a hand of four runs can earn."""
_GROUPS: Final = _OTHER | _RUN_COUNT | _INSIDE | _WAIT_FU

# ... in which suits they are, ...
_IN_M, _IN_P, _IN_S = (COUNT << SUITS_AT + 3 * suit for suit in range(3))
_THREE_M, _THREE_P, _THREE_S = (3 << SUITS_AT + 3 * suit for suit in range(3))
_IN_SUITS: Final = _OTHER | _RUN_COUNT | _IN_M | _IN_P | _IN_S | HONOUR_GROUPS

# ... and which sets.
_TWINS: Final = at_each(6, range(27)) << KIND_AT
_DRAGON_TRIPLETS: Final = at_each(TRIPLET, tiles.DRAGONS) << KIND_AT
_WIND_TRIPLETS: Final = at_each(TRIPLET, tiles.WINDS) << KIND_AT
_HONOUR_TRIPLETS: Final = _DRAGON_TRIPLETS | _WIND_TRIPLETS


def _all_suits(number: int) -> bool:
    return bool(number & _IN_M and number & _IN_P and number & _IN_S)


def _one_suit(number: int) -> bool:
    """One at most."""
    m, p, s = number & _IN_M, number & _IN_P, number & _IN_S
    return not ((m and p) or (p and s) or (s and m))


def _three_of_a_suit(number: int) -> bool:
    return number & _IN_M >= _THREE_M or number & _IN_P >= _THREE_P or number & _IN_S >= _THREE_S


class Prefilter(Enum):
    """A cheap condition that a reading must meet before the test of a yaku runs. This makes scoring fast.

    ``fields``: the mask of a composition that decides. ``may_hold``: whether a reading with these fields may
    have the yaku. Forms other than the standard one have no field set but :data:`scorer.shapes.OTHER_AT`.
    ``ALWAYS`` is for tests without a prefilter. ``WAY`` is for tests of how the hand was won: they see no
    tiles, and ``score.py`` runs them once for each way of winning.
    """

    WAY = 0, lambda number: False
    ALWAYS = 0, lambda number: True
    # the form; all tiles, in any form: no group, every one and no run, has a terminal or honour
    FORM = _GROUPS, lambda number: bool(number & _OTHER)
    SIMPLES = _GROUPS, lambda number: bool(number & _OTHER) or number & _INSIDE == _ALL_INSIDE
    TILES = _GROUPS, lambda number: not number & (_INSIDE | _RUN_COUNT)
    # one suit at most, in any form: bamboos alone; with honours or without
    BAMBOOS = _IN_SUITS, lambda number: not number & (_IN_M | _IN_P)
    HONOURS = _IN_SUITS, lambda number: bool(number & (_OTHER | HONOUR_GROUPS)) and _one_suit(number)
    FLUSH = _IN_SUITS, lambda number: not number & HONOUR_GROUPS and _one_suit(number)
    # every group has a terminal or honour, and there are runs
    OUTSIDE = _GROUPS, lambda number: not number & _INSIDE and bool(number & _RUN_COUNT)
    # groups of all three suits, or three of one suit, with three runs or with triplets
    RUNS_ACROSS = _IN_SUITS, lambda number: number & _RUN_COUNT >= _THREE_RUNS and _all_suits(number)
    TRIPLETS_ACROSS = _IN_SUITS, lambda number: number & _RUN_COUNT < _THREE_RUNS and _all_suits(number)
    RUNS_ALONG = _IN_SUITS, lambda number: number & _RUN_COUNT >= _THREE_RUNS and _three_of_a_suit(number)
    TRIPLETS_ALONG = _IN_SUITS, lambda number: number & _RUN_COUNT < _THREE_RUNS and _three_of_a_suit(number)
    # two runs alike; triplets of honours, so many
    TWINS = _TWINS, bool
    DRAGONS = _HONOUR_TRIPLETS, lambda number: (number & _DRAGON_TRIPLETS).bit_count() >= 1
    TWO_DRAGONS = _HONOUR_TRIPLETS, lambda number: (number & _DRAGON_TRIPLETS).bit_count() >= 2
    WINDS = _HONOUR_TRIPLETS, lambda number: (number & _WIND_TRIPLETS).bit_count() >= 1
    THREE_WINDS = _HONOUR_TRIPLETS, lambda number: (number & _WIND_TRIPLETS).bit_count() >= 3
    # no run; three concealed triplets; three kans; four runs whose wait earns nothing
    TRIPLETS = _GROUPS, lambda number: not number & (_OTHER | _RUN_COUNT)
    CONCEALED = _CONCEALED | _KANS, lambda number: number & _CONCEALED >= _THREE_CONCEALED
    KANS = _CONCEALED | _KANS, lambda number: number & _KANS >= _THREE_KANS
    WAIT = _GROUPS, lambda number: number & (_RUN_COUNT | _WAIT_FU) == _FOUR_RUNS

    def __init__(self, fields: int, may_hold: Callable[[int], bool]) -> None:
        self.fields = fields
        self.may_hold = may_hold


@dataclass(frozen=True, slots=True)
class Yaku:
    """A row of the table.

    ``closed``, ``open``: han of a concealed and an open hand in the common rules. 0: such a hand cannot have
    it, or only some rule sets play it. 13 and more is yakuman. ``prefilter``: when the test runs.
    ``supersedes``: ids that it replaces. ``concealed``: whether an open hand can never have it.
    ``whole``: whether the test needs every group of the hand. ``natural``: whether it is a yaku of the moment
    of the win, such as haitei (Toudai §7.12). ``fed``: whether the player who fed its last set may be liable
    (:mod:`scorer.liability`).
    """

    id: str
    english: str
    japanese: str
    closed: int
    open: int
    source: str
    prefilter: Prefilter
    test: Test
    supersedes: tuple[str, ...] = ()
    concealed: bool = False
    whole: bool = False
    natural: bool = False
    fed: bool = False


# Masks of tallies.
_M, _P, _S, _HONOURS = SUITS
_YAOCHUU: Final = tally_mask(tiles.YAOCHUU)
_WIND_TILES: Final = tally_mask(tiles.WINDS)
_DRAGON_TILES: Final = tally_mask(tiles.DRAGONS)
_KINDS: Final = tally_mask(range(tiles.KINDS))
_NO_TERMINALS: Final = ~tally_mask(tiles.TERMINALS)
_NO_HONOURS: Final = ~tally_mask(tiles.HONOURS)
_NO_GREENS: Final = ~tally_mask(tiles.GREENS)
_NO_YAOCHUU: Final = ~_YAOCHUU

# Masks and positions of runs and triplets in compositions.
_TRIPLET_AT: Final = KIND_AT + TRIPLET.bit_length() - 1
_ANY_RUN: Final = at_each(1, range(27))
_EVERY_RUN: Final = at_each(RUNS, range(27))
_SUIT_WIDTH: Final = 9 * KIND
_FIRST_SUIT: Final = at_each(1, range(9))
_RUN_STARTS: Final = at_each(1, [kind for kind in range(27) if kind % 9 <= 6])
_STRAIGHT_STARTS: Final = at_each(1, (0, 9, 18))
_RUNS_AND_WAIT: Final = _RUN_COUNT | COUNT << WAIT_AT
_FOUR_RUNS_AND_RYANMEN: Final = _FOUR_RUNS + ending(Wait.RYANMEN)

_TANKI: Final = Wait.TANKI
_ONE_OF_CIRCLES: Final = 9
_NINE_OF_CIRCLES: Final = 17


def _triplet_of(kind: int) -> Test:
    triplet = TRIPLET << KIND_AT + KIND * kind
    return lambda c: bool(c.number & triplet)


def _pinfu(c: YakuContext) -> bool:
    return c.number & _RUNS_AND_WAIT == _FOUR_RUNS_AND_RYANMEN and not c.value_pair


def _double_runs(c: YakuContext) -> int:
    """How many pairs of identical runs: one of two or three, two of four."""
    return (c.runs >> 1 & ONE_EACH).bit_count() + 2 * (c.runs >> 2 & ONE_EACH).bit_count()


def _sanshoku_doujun(c: YakuContext) -> bool:
    runs = c.starts
    return bool(runs & runs >> _SUIT_WIDTH & runs >> 2 * _SUIT_WIDTH)


def _ittsu(c: YakuContext) -> bool:
    runs = c.starts
    return bool(runs & runs >> 3 * KIND & runs >> 6 * KIND & _STRAIGHT_STARTS)


def _outside(c: YakuContext) -> bool:
    """Whether each set and the pair hold a terminal or honour, with at least one run."""
    return bool(c.runs) and c.pair >= 0 and not c.inside


def _all_terminals(c: YakuContext) -> bool:
    return bool(c.runs) and c.pair >= 0 and not c.inner


def _sanshoku_doukou(c: YakuContext) -> bool:
    triplets = c.triplets
    return bool(triplets & triplets >> _SUIT_WIDTH & triplets >> 2 * _SUIT_WIDTH & _FIRST_SUIT)


_NINE_GATES: Final = sum(count << 8 * rank for rank, count in enumerate((3, 1, 1, 1, 1, 1, 1, 1, 3)))


def _chuuren_extra(c: YakuContext) -> int | None:
    """The kind of the tile beyond 1112345678999 of one suit; None if the hand is not nine gates."""
    kinds = c.tally & _KINDS
    suit = ((kinds & -kinds).bit_length() - 1) // 72
    extra = kinds - (_NINE_GATES << 72 * suit)
    # what is left must be one tile: a single bit, the lowest of its byte
    if extra <= 0 or extra & extra - 1 or extra.bit_length() % 8 != 1:
        return None
    return extra.bit_length() // 8


_DAISHARIN: Final = sum(2 << 8 * rank for rank in range(1, 8))


def _daisharin(c: YakuContext) -> bool:
    """22334455667788 of a suit that the rules allow. It can be read as runs or as seven pairs."""
    suits = map("mps".index, c.rules.daisharin_suits)
    return any(c.tally & SUITS[suit] == _DAISHARIN << 72 * suit for suit in suits)


def _paarenchan(c: YakuContext) -> bool:
    return c.win.is_dealer and c.win.dealer_wins + 1 >= c.rules.paarenchan_wins


def _sanrenkou(c: YakuContext) -> bool:
    """Three consecutive triplets of a suit."""
    triplets = c.triplets
    return bool(triplets & triplets >> KIND & triplets >> 2 * KIND & _RUN_STARTS)


def _sanshoku_shoudoukou(c: YakuContext) -> bool:
    """One number as triplets of two suits and as the pair of the third."""
    number = c.pair % 9
    return 0 <= c.pair < 27 and all(
        c.triplet(kind) for kind in (number, number + 9, number + 18) if kind != c.pair
    )


def _same_run_thrice(c: YakuContext) -> bool:
    return bool((c.runs & c.runs >> 1 | c.runs >> 2) & ONE_EACH)


def _same_run_four_times(c: YakuContext) -> bool:
    return bool(c.runs >> 2 & ONE_EACH)


def _shiisan_budou(c: YakuContext) -> bool:
    return c.form is Form.THIRTEEN_BROKEN and (c.win.tenhou or c.win.chiihou)


def _special(c: YakuContext, waited: bool) -> bool:
    """Whether the hand has a special wait. ``waited``: whether it has one on its winning tile.

    A blessing of heaven has no last tile (EMA 2008 §4.2.5), so a rule decides: never, always, or by the tile
    that the record names.
    """
    rule = c.rules.tenhou_special_waits if c.win.tenhou else "last_tile"
    return waited if rule == "last_tile" else rule == "always"


def _kokushi_13(c: YakuContext) -> bool:
    return c.form is Form.THIRTEEN_ORPHANS and _special(c, c.wait is Wait.KOKUSHI_13)


def _chuuren_9(c: YakuContext) -> bool:
    extra = _chuuren_extra(c)
    return extra is not None and _special(c, extra == c.hand.win_tile.kind)


def _suuankou_tanki(c: YakuContext) -> bool:
    return c.concealed_triplets == 4 and _special(c, c.wait is _TANKI)


def _suukantsu(c: YakuContext) -> bool:
    """In some rules the fourth kan ends the hand, so that only the tile drawn after it can win
    (Toudai §4.1.6)."""
    return c.kans == 4 and (c.win.rinshan or not c.rules.suukantsu_needs_rinshan)


def _shiiaru_raotai(c: YakuContext) -> bool:
    """Four sets called from others, and a single tile to wait on."""
    return len(c.hand.melds) == 4 and all(meld.is_open for meld in c.hand.melds)


def _uumensai(c: YakuContext) -> bool:
    return c.suits == 3 and bool(c.tally & _WIND_TILES and c.tally & _DRAGON_TILES)


_EMA1: Final = "EMA 2008 §4.2.1"
_EMA2: Final = "EMA 2008 §4.2.2"
_EMA3: Final = "EMA 2008 §4.2.3"
_EMA5: Final = "EMA 2008 §4.2.4"
_EMAY: Final = "EMA 2008 §4.2.5"
_LOCAL: Final = "Toudai §4.1.7"
_OLD: Final = "Mahjong Soul, ancient yaku; riichi.wiki, Local yaku"

# fmt: off
TABLE: Final = (
    Yaku("riichi", "Riichi", "立直", 1, 0, _EMA1, Prefilter.WAY, lambda c: c.win.has_riichi, concealed=True),
    Yaku("double_riichi", "Double Riichi", "ダブル立直", 2, 0, _EMA1,
         Prefilter.WAY, lambda c: c.win.double_riichi, supersedes=("riichi",), concealed=True),
    Yaku("open_riichi", "Open Riichi", "オープン立直", 0, 0, _LOCAL,
         Prefilter.WAY, lambda c: c.win.open_riichi, concealed=True),
    Yaku("ippatsu", "Ippatsu", "一発", 1, 0, _EMA1, Prefilter.WAY, lambda c: c.win.ippatsu, concealed=True),
    Yaku("menzen_tsumo", "Fully Concealed Hand", "門前清自摸和", 1, 0, _EMA1,
         Prefilter.WAY, lambda c: c.win.tsumo, concealed=True),
    Yaku("pinfu", "Pinfu", "平和", 1, 0, _EMA1, Prefilter.WAIT, _pinfu, whole=True),
    Yaku("iipeikou", "Pure Double Sequence", "一盃口", 1, 0, _EMA1,
         Prefilter.TWINS, lambda c: _double_runs(c) == 1),
    Yaku("tanyao", "All Simples", "断幺九", 1, 1, _EMA1, Prefilter.SIMPLES, lambda c: not c.tally & _YAOCHUU),
    Yaku("sanshoku_doujun", "Mixed Triple Sequence", "三色同順", 2, 1, _EMA1,
         Prefilter.RUNS_ACROSS, _sanshoku_doujun),
    Yaku("ittsu", "Pure Straight", "一気通貫", 2, 1, _EMA1, Prefilter.RUNS_ALONG, _ittsu),
    Yaku("yakuhai_haku", "Dragon Triplet, white", "役牌 白", 1, 1, _EMA1,
         Prefilter.DRAGONS, _triplet_of(31)),
    Yaku("yakuhai_hatsu", "Dragon Triplet, green", "役牌 發", 1, 1, _EMA1,
         Prefilter.DRAGONS, _triplet_of(32)),
    Yaku("yakuhai_chun", "Dragon Triplet, red", "役牌 中", 1, 1, _EMA1,
         Prefilter.DRAGONS, _triplet_of(33)),
    Yaku("yakuhai_seat", "Seat Wind", "役牌 自風牌", 1, 1, _EMA1,
         Prefilter.WINDS, lambda c: c.win.seat_wind is not None and c.triplet(c.win.seat_wind.kind)),
    Yaku("yakuhai_round", "Prevalent Wind", "役牌 場風牌", 1, 1, _EMA1,
         Prefilter.WINDS, lambda c: c.triplet(c.win.round_wind.kind)),
    Yaku("chanta", "Outside Hand", "混全帯幺九", 2, 1, _EMA1, Prefilter.OUTSIDE, _outside, whole=True),
    Yaku("rinshan", "After a Kan", "嶺上開花", 1, 1, _EMA1,
         Prefilter.WAY, lambda c: c.win.rinshan, natural=True,
         fed=True),
    Yaku("chankan", "Robbing a Kan", "搶槓", 1, 1, _EMA1,
         Prefilter.WAY, lambda c: c.win.chankan, natural=True),
    Yaku("haitei", "Under the Sea, self-draw", "海底摸月", 1, 1, _EMA1,
         Prefilter.WAY, lambda c: c.win.haitei, natural=True),
    Yaku("houtei", "Under the Sea, discard", "河底撈魚", 1, 1, _EMA1,
         Prefilter.WAY, lambda c: c.win.houtei, natural=True),
    Yaku("iipin_mouyue", "Moon from the Sea", "一筒摸月", 0, 0, _OLD, Prefilter.ALWAYS,
         lambda c: c.win.haitei and c.hand.win_tile.kind == _ONE_OF_CIRCLES, supersedes=("haitei",)),
    Yaku("chuupin_raoyui", "Fish from the River", "九筒撈魚", 0, 0, _OLD, Prefilter.ALWAYS,
         lambda c: c.win.houtei and c.hand.win_tile.kind == _NINE_OF_CIRCLES, supersedes=("houtei",)),
    Yaku("tsubame_gaeshi", "Swallow Return", "燕返し", 0, 0, _OLD,
         Prefilter.WAY, lambda c: c.win.tsubame_gaeshi,
         natural=True),
    Yaku("kanburi", "Discard after a Kan", "槓振り", 0, 0, _OLD, Prefilter.WAY, lambda c: c.win.kanburi,
         natural=True),
    Yaku("shiiaru_raotai", "Twelve Tiles Called", "十二落抬", 0, 0, _OLD, Prefilter.ALWAYS, _shiiaru_raotai),
    Yaku("uumensai", "All Types", "五門斉", 0, 0, _OLD, Prefilter.ALWAYS, _uumensai),
    Yaku("sanshoku_shoudoukou", "Little Three Suit Same Triple", "三色小同刻", 0, 0, _LOCAL,
         Prefilter.TRIPLETS_ACROSS, _sanshoku_shoudoukou),
    Yaku("chiitoitsu", "Seven Pairs", "七対子", 2, 0, _EMA2,
         Prefilter.FORM, lambda c: c.form is Form.SEVEN_PAIRS, concealed=True),
    Yaku("sanshoku_doukou", "Triple Triplets", "三色同刻", 2, 2, _EMA2,
         Prefilter.TRIPLETS_ACROSS, _sanshoku_doukou),
    Yaku("sanankou", "Three Concealed Triplets", "三暗刻", 2, 2, _EMA2,
         Prefilter.CONCEALED, lambda c: c.concealed_triplets == 3),
    Yaku("sankantsu", "Three Kans", "三槓子", 2, 2, _EMA2, Prefilter.KANS, lambda c: c.kans == 3),
    Yaku("toitoi", "All Triplets", "対々和", 2, 2, _EMA2,
         Prefilter.TRIPLETS, lambda c: c.triplets.bit_count() == 4),
    Yaku("sanrenkou", "Three Consecutive Triplets", "三連刻", 0, 0, _LOCAL,
         Prefilter.TRIPLETS_ALONG, _sanrenkou),
    Yaku("isshoku_sanjun", "Pure Triple Sequence", "一色三順", 0, 0, _LOCAL,
         Prefilter.TWINS, _same_run_thrice, supersedes=("iipeikou",)),
    Yaku("honitsu", "Half Flush", "混一色", 3, 2, _EMA2,
         Prefilter.HONOURS, lambda c: bool(c.tally & _HONOURS) and c.suits == 1),
    Yaku("shousangen", "Little Three Dragons", "小三元", 2, 2, _EMA2,
         Prefilter.TWO_DRAGONS, lambda c: (c.number & _DRAGON_TRIPLETS).bit_count() == 2 and c.pair >= 31),
    Yaku("honroutou", "All Terminals and Honours", "混老頭", 2, 2, _EMA2,
         Prefilter.TILES, lambda c: not c.tally & _NO_YAOCHUU),
    Yaku("junchan", "Terminals in All Sets", "純全帯幺九", 3, 2, _EMA2,
         Prefilter.OUTSIDE, _all_terminals, supersedes=("chanta",), whole=True),
    Yaku("ryanpeikou", "Twice Pure Double Sequence", "二盃口", 3, 0, _EMA3,
         Prefilter.TWINS, lambda c: _double_runs(c) == 2, supersedes=("iipeikou",)),
    Yaku("chinitsu", "Full Flush", "清一色", 6, 5, _EMA5,
         Prefilter.FLUSH, lambda c: not c.tally & _HONOURS and c.suits == 1),
    Yaku("kokushi", "Thirteen Orphans", "国士無双", 13, 0, _EMAY,
         Prefilter.FORM, lambda c: c.form is Form.THIRTEEN_ORPHANS, concealed=True),
    Yaku("kokushi_13", "Thirteen Orphans, thirteen-sided wait", "国士無双十三面", 13, 0, _EMAY,
         Prefilter.FORM, _kokushi_13, supersedes=("kokushi",), concealed=True),
    Yaku("chuuren", "Nine Gates", "九蓮宝燈", 13, 0, _EMAY,
         Prefilter.FLUSH, lambda c: _chuuren_extra(c) is not None),
    Yaku("chuuren_9", "Nine Gates, nine-sided wait", "純正九蓮宝燈", 13, 0, _EMAY,
         Prefilter.FLUSH, _chuuren_9, supersedes=("chuuren",), concealed=True),
    Yaku("tenhou", "Blessing of Heaven", "天和", 13, 0, _EMAY,
         Prefilter.WAY, lambda c: c.win.tenhou, concealed=True),
    Yaku("chiihou", "Blessing of Earth", "地和", 13, 0, _EMAY,
         Prefilter.WAY, lambda c: c.win.chiihou, concealed=True),
    Yaku("renhou", "Blessing of Man", "人和", 0, 0, _EMAY,
         Prefilter.WAY, lambda c: c.win.renhou, concealed=True),
    Yaku("ishi_no_ue_ni_mo_sannen", "Three Years on a Stone", "石の上にも三年", 0, 0, _OLD, Prefilter.WAY,
         lambda c: c.win.double_riichi and (c.win.haitei or c.win.houtei), concealed=True),
    Yaku("shiisan_budou", "Thirteen Broken", "十三不塔", 0, 0, _LOCAL,
         Prefilter.FORM, _shiisan_budou, supersedes=("tenhou", "chiihou"), concealed=True),
    Yaku("paarenchan", "Eight Dealer Wins in a Row", "八連荘", 0, 0, _LOCAL, Prefilter.WAY, _paarenchan),
    Yaku("isshoku_yonjun", "Pure Quadruple Sequence", "一色四順", 0, 0, _LOCAL,
         Prefilter.TWINS, _same_run_four_times),
    Yaku("daisharin", "Big Wheel", "大車輪", 0, 0, "Scoring Reference, Yakuman", Prefilter.FLUSH, _daisharin),
    Yaku("suuankou", "Four Concealed Triplets", "四暗刻", 13, 0, _EMAY,
         Prefilter.CONCEALED, lambda c: c.concealed_triplets == 4, concealed=True),
    Yaku("suuankou_tanki", "Four Concealed Triplets, single wait", "四暗刻単騎", 13, 0, _EMAY,
         Prefilter.CONCEALED, _suuankou_tanki, supersedes=("suuankou",), concealed=True, whole=True),
    Yaku("suukantsu", "Four Kans", "四槓子", 13, 13, _EMAY, Prefilter.KANS, _suukantsu, fed=True),
    Yaku("ryuuiisou", "All Green", "緑一色", 13, 13, _EMAY,
         Prefilter.BAMBOOS, lambda c: not c.tally & _NO_GREENS),
    Yaku("chinroutou", "All Terminals", "清老頭", 13, 13, _EMAY,
         Prefilter.TILES, lambda c: not c.tally & _NO_TERMINALS),
    Yaku("tsuuiisou", "All Honours", "字一色", 13, 13, _EMAY,
         Prefilter.HONOURS, lambda c: not c.tally & _NO_HONOURS),
    Yaku("daichisei", "Big Seven Stars", "大七星", 0, 0, _OLD, Prefilter.HONOURS,
         lambda c: c.form is Form.SEVEN_PAIRS and not c.tally & _NO_HONOURS, concealed=True),
    Yaku("daisangen", "Big Three Dragons", "大三元", 13, 13, _EMAY,
         Prefilter.TWO_DRAGONS, lambda c: c.number & _DRAGON_TRIPLETS == _DRAGON_TRIPLETS, fed=True),
    Yaku("shousuushii", "Little Four Winds", "小四喜", 13, 13, _EMAY,
         Prefilter.THREE_WINDS, lambda c: (c.number & _WIND_TRIPLETS).bit_count() == 3 and 27 <= c.pair < 31,
         fed=True),
    Yaku("daisuushii", "Big Four Winds", "大四喜", 13, 13, _EMAY,
         Prefilter.THREE_WINDS, lambda c: c.number & _WIND_TRIPLETS == _WIND_TRIPLETS, fed=True),
)
# fmt: on

BY_ID: Final = {yaku.id: yaku for yaku in TABLE}

CONCEALED_ONLY: Final = frozenset(yaku.id for yaku in TABLE if yaku.concealed)
FED_YAKU: Final = tuple(yaku.id for yaku in TABLE if yaku.fed)
NATURAL_WINS: Final = tuple(yaku.id for yaku in TABLE if yaku.natural)

DORA: Final = {
    "dora": ("Dora", "ドラ"),
    "aka": ("Red five", "赤ドラ"),
    "ura": ("Ura dora", "裏ドラ"),
    "nukidora": ("Nukidora", "抜きドラ"),
}
"""English and Japanese names of the kinds of dora, which are han but not yaku (EMA 2008 §4.1)."""
