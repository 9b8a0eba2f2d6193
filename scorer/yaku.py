"""The yaku: one table of ids, names, values, sources, and the test of each as a small function.

A test looks at one reading of the hand (:class:`Facts`) and knows nothing of values: what a yaku is worth,
and whether it is played at all, is the rule set's (``scorer/presets/*.toml`` over the values here). Of the
rules it asks only what the yaku itself is, where sources differ: in which suits, from which win on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from scorer import tiles
from scorer.hand import Hand, Win
from scorer.readings import Form, GroupType, Reading, Wait
from scorer.shapes import (
    CONCEALED_AT,
    COUNT,
    FU,
    INNER_AT,
    INSIDE_AT,
    KANS_AT,
    KIND,
    KIND_AT,
    ONE_EACH,
    RUN_COUNT_AT,
    RUNS,
    SUITS,
    TRIPLET,
    WAIT_AT,
    at_each,
    composition,
    ending,
    every,
    form_of,
    pair_of,
    tally,
    wait_of,
)

if TYPE_CHECKING:
    from scorer.rules import RuleSet

YAKUMAN: Final = 13
"""Han of one yakuman; a yaku worth that or more counts yakuman, not han (``HAND.md``, "Result")."""


class Facts:
    """One reading of a hand as the tests see it. ``tally``: of all tiles, kongs included.

    ``number``: the composition of the reading (:mod:`scorer.shapes`). What a test needs is taken from there
    only when it asks.
    """

    __slots__ = ("closed", "hand", "number", "rules", "tally", "win")

    def __init__(self, hand: Hand, win: Win, rules: RuleSet, closed: bool, tally: int, number: int) -> None:
        self.hand = hand
        self.win = win
        self.rules = rules
        self.closed = closed
        self.tally = tally
        self.number = number

    @property
    def suits(self) -> int:
        """How many of the three occur."""
        return (self.tally & _M > 0) + (self.tally & _P > 0) + (self.tally & _S > 0)

    @property
    def form(self) -> Form:
        return form_of(self.number)

    @property
    def wait(self) -> Wait:
        return wait_of(self.number)

    @property
    def runs(self) -> int:
        """In each kind's field how many runs begin there."""
        return self.number >> KIND_AT & _EVERY_RUN

    @property
    def starts(self) -> int:
        """In each kind's field whether any run begins there."""
        runs = self.number >> KIND_AT
        return (runs | runs >> 1 | runs >> 2) & _ANY_RUN

    @property
    def triplets(self) -> int:
        """In each kind's field whether there is a triplet or kong."""
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
    def fu(self) -> int:
        """Minipoints of the sets and the wait."""
        return self.number & FU

    @property
    def value_pair(self) -> bool:
        """Whether the pair is dragons, the seat wind or the round wind."""
        pair = pair_of(self.number)
        return pair >= 31 or pair in (self.win.seat_wind.kind, self.win.round_wind.kind)


class Case(Facts):
    """The facts of a reading that is written out; its groups may be any of the hand's."""

    __slots__ = ("reading", "sets")

    def __init__(self, hand: Hand, win: Win, reading: Reading, rules: RuleSet) -> None:
        groups = reading.groups if reading.form is Form.STANDARD else ()
        number = sum(composition(group.type, group.kind, group.concealed) for group in groups)
        number += ending(reading.wait, reading.form)
        super().__init__(hand, win, rules, hand.is_closed, tally(hand.tiles), number)
        self.reading = reading
        self.sets = tuple(group for group in groups if group.type is not GroupType.PAIR)


Test = Callable[[Facts], bool]


class Of(Enum):
    """What a test looks at, so that it is asked only where that is there (``_Plan._tests`` in ``score.py``).

    Forms other than sets and a pair are asked ``FORM`` and what looks at the tiles: ``SIMPLES``, ``TILES``,
    else asked where no group, or every group and no run, has a terminal or honour; ``SUIT``, where there is
    one suit at most, and with it ``HONOURS`` or ``FLUSH``, with honours or without. The rest look at the
    groups: ``OUTSIDE``, all with a terminal or honour, and runs; ``RUNS_ACROSS``, ``TRIPLETS_ACROSS``, of all
    three suits, with three runs or two triplets; ``RUNS_ALONG``, ``TRIPLETS_ALONG``, likewise three of one
    suit; ``TWINS``, two runs alike; ``DRAGONS``, ``WINDS``, triplets of them; ``TWO_DRAGONS``,
    ``THREE_WINDS``, so many; ``TRIPLETS``, no run; ``CONCEALED``, three concealed triplets; ``KANS``, three
    kongs; ``WAIT``, four runs, and which the winning tile finished. ``WAY``: how the hand was won.
    """

    WAY = auto()
    FORM = auto()
    SUIT = auto()
    HONOURS = auto()
    FLUSH = auto()
    SIMPLES = auto()
    TILES = auto()
    OUTSIDE = auto()
    RUNS_ACROSS = auto()
    RUNS_ALONG = auto()
    TRIPLETS_ACROSS = auto()
    TRIPLETS_ALONG = auto()
    TWINS = auto()
    DRAGONS = auto()
    TWO_DRAGONS = auto()
    WINDS = auto()
    THREE_WINDS = auto()
    TRIPLETS = auto()
    CONCEALED = auto()
    KANS = auto()
    WAIT = auto()


@dataclass(frozen=True, slots=True)
class Yaku:
    """A row of the table.

    ``closed``, ``open``: han of a concealed and an open hand in the common rules, 0 = not for such a hand, or
    not played unless a rule set says so; 13 and more is yakuman. ``of``: what the test looks at.
    ``supersedes``: ids that it replaces.
    """

    id: str
    english: str
    japanese: str
    closed: int
    open: int
    source: str
    of: Of
    test: Test
    supersedes: tuple[str, ...] = ()


# Masks of tallies.
_M, _P, _S, _HONOURS = SUITS
_YAOCHUU: Final = every(tiles.YAOCHUU)
_KINDS: Final = every(range(tiles.KINDS))
_NO_TERMINALS: Final = ~every(tiles.TERMINALS)
_NO_HONOURS: Final = ~every(tiles.HONOURS)
_NO_GREENS: Final = ~every(tiles.GREENS)
_NO_YAOCHUU: Final = ~_YAOCHUU

# Of compositions, and masks of runs and triplets.
_TRIPLET_AT: Final = KIND_AT + TRIPLET.bit_length() - 1
_ANY_RUN: Final = at_each(1, range(27))
_EVERY_RUN: Final = at_each(RUNS, range(27))
_SUIT_WIDTH: Final = 9 * KIND
_DRAGON_TRIPLETS: Final = at_each(TRIPLET, tiles.DRAGONS) << KIND_AT
_WIND_TRIPLETS: Final = at_each(TRIPLET, tiles.WINDS) << KIND_AT
_FIRST_SUIT: Final = at_each(1, range(9))
_RUN_STARTS: Final = at_each(1, [kind for kind in range(27) if kind % 9 <= 6])
_STRAIGHT_STARTS: Final = at_each(1, (0, 9, 18))
_RUNS_AND_WAIT: Final = COUNT << RUN_COUNT_AT | COUNT << WAIT_AT
_FOUR_RUNS_AND_RYANMEN: Final = (4 << RUN_COUNT_AT) + ending(Wait.RYANMEN)

_TANKI: Final = Wait.TANKI


def _pung_of(kind: int) -> Test:
    triplet = TRIPLET << KIND_AT + KIND * kind
    return lambda c: bool(c.number & triplet)


def _pinfu(c: Facts) -> bool:
    return c.number & _RUNS_AND_WAIT == _FOUR_RUNS_AND_RYANMEN and not c.value_pair


def _double_runs(c: Facts) -> int:
    """How many pairs of identical runs: one of two or three, two of four."""
    return (c.runs >> 1 & ONE_EACH).bit_count() + 2 * (c.runs >> 2 & ONE_EACH).bit_count()


def _sanshoku_doujun(c: Facts) -> bool:
    runs = c.starts
    return bool(runs & runs >> _SUIT_WIDTH & runs >> 2 * _SUIT_WIDTH)


def _ittsu(c: Facts) -> bool:
    runs = c.starts
    return bool(runs & runs >> 3 * KIND & runs >> 6 * KIND & _STRAIGHT_STARTS)


def _outside(c: Facts) -> bool:
    """Whether each set and the pair hold a terminal or honour, with at least one run."""
    return bool(c.runs) and c.pair >= 0 and not c.inside


def _all_terminals(c: Facts) -> bool:
    return bool(c.runs) and c.pair >= 0 and not c.inner


def _sanshoku_doukou(c: Facts) -> bool:
    triplets = c.triplets
    return bool(triplets & triplets >> _SUIT_WIDTH & triplets >> 2 * _SUIT_WIDTH & _FIRST_SUIT)


_NINE_GATES: Final = sum(count << 8 * rank for rank, count in enumerate((3, 1, 1, 1, 1, 1, 1, 1, 3)))


def _chuuren_extra(c: Facts) -> int | None:
    """The kind beyond 1112345678999 of one suit, where the hand is that and one more tile."""
    kinds = c.tally & _KINDS
    suit = ((kinds & -kinds).bit_length() - 1) // 72
    extra = kinds - (_NINE_GATES << 72 * suit)
    # what is left must be one tile: a single bit, the lowest of its byte
    if extra <= 0 or extra & extra - 1 or extra.bit_length() % 8 != 1:
        return None
    return extra.bit_length() // 8


_DAISHARIN: Final = sum(2 << 8 * rank for rank in range(1, 8))


def _daisharin(c: Facts) -> bool:
    """22334455667788 of one of the suits that count, which reads as runs and as seven pairs."""
    suits = map("mps".index, c.rules.daisharin_suits)
    return any(c.tally & SUITS[suit] == _DAISHARIN << 72 * suit for suit in suits)


def _paarenchan(c: Facts) -> bool:
    return c.win.is_dealer and c.win.dealer_wins + 1 >= c.rules.paarenchan_wins


def _sanrenkou(c: Facts) -> bool:
    """Three consecutive triplets of a suit."""
    triplets = c.triplets
    return bool(triplets & triplets >> KIND & triplets >> 2 * KIND & _RUN_STARTS)


def _sanshoku_shoudoukou(c: Facts) -> bool:
    """One number as triplets of two suits and as the pair of the third."""
    number = c.pair % 9
    return 0 <= c.pair < 27 and all(
        c.triplet(kind) for kind in (number, number + 9, number + 18) if kind != c.pair
    )


def _same_run_thrice(c: Facts) -> bool:
    return bool((c.runs & c.runs >> 1 | c.runs >> 2) & ONE_EACH)


def _same_run_four_times(c: Facts) -> bool:
    return bool(c.runs >> 2 & ONE_EACH)


def _shiisan_budou(c: Facts) -> bool:
    return c.form is Form.THIRTEEN_BROKEN and (c.win.tenhou or c.win.chiihou)


def _special(c: Facts, waited: bool) -> bool:
    """Whether the wait is a special one, ``waited`` where the winning tile is known as such.

    A blessing of heaven has no last tile (EMA 2008 §4.2.5), so that it has none, or any, or what one names.
    """
    said = c.rules.tenhou_special_waits if c.win.tenhou else "last_tile"
    return waited if said == "last_tile" else said == "always"


def _kokushi_13(c: Facts) -> bool:
    return c.form is Form.THIRTEEN_ORPHANS and _special(c, c.wait is Wait.KOKUSHI_13)


def _chuuren_9(c: Facts) -> bool:
    extra = _chuuren_extra(c)
    return extra is not None and _special(c, extra == c.hand.win_tile.kind)


def _suuankou_tanki(c: Facts) -> bool:
    return c.concealed_triplets == 4 and _special(c, c.wait is _TANKI)


_EMA1: Final = "EMA 2008 §4.2.1"
_EMA2: Final = "EMA 2008 §4.2.2"
_EMA3: Final = "EMA 2008 §4.2.3"
_EMA5: Final = "EMA 2008 §4.2.4"
_EMAY: Final = "EMA 2008 §4.2.5"
_LOCAL: Final = "Toudai §4.1.7"

# fmt: off
TABLE: Final = (
    Yaku("riichi", "Riichi", "立直", 1, 0, _EMA1, Of.WAY, lambda c: c.win.has_riichi),
    Yaku("double_riichi", "Double Riichi", "ダブル立直", 2, 0, _EMA1,
         Of.WAY, lambda c: c.win.double_riichi, ("riichi",)),
    Yaku("open_riichi", "Open Riichi", "オープン立直", 0, 0, _LOCAL, Of.WAY, lambda c: c.win.open_riichi),
    Yaku("ippatsu", "Ippatsu", "一発", 1, 0, _EMA1, Of.WAY, lambda c: c.win.ippatsu),
    Yaku("menzen_tsumo", "Fully Concealed Hand", "門前清自摸和", 1, 0, _EMA1, Of.WAY, lambda c: c.win.tsumo),
    Yaku("pinfu", "Pinfu", "平和", 1, 0, _EMA1, Of.WAIT, _pinfu),
    Yaku("iipeikou", "Pure Double Chow", "一盃口", 1, 0, _EMA1, Of.TWINS, lambda c: _double_runs(c) == 1),
    Yaku("tanyao", "All Simples", "断幺九", 1, 1, _EMA1, Of.SIMPLES, lambda c: not c.tally & _YAOCHUU),
    Yaku("sanshoku_doujun", "Mixed Triple Chow", "三色同順", 2, 1, _EMA1, Of.RUNS_ACROSS, _sanshoku_doujun),
    Yaku("ittsu", "Pure Straight", "一気通貫", 2, 1, _EMA1, Of.RUNS_ALONG, _ittsu),
    Yaku("yakuhai_haku", "Dragon Pung, white", "役牌 白", 1, 1, _EMA1, Of.DRAGONS, _pung_of(31)),
    Yaku("yakuhai_hatsu", "Dragon Pung, green", "役牌 發", 1, 1, _EMA1, Of.DRAGONS, _pung_of(32)),
    Yaku("yakuhai_chun", "Dragon Pung, red", "役牌 中", 1, 1, _EMA1, Of.DRAGONS, _pung_of(33)),
    Yaku("yakuhai_seat", "Seat Wind", "役牌 自風牌", 1, 1, _EMA1,
         Of.WINDS, lambda c: c.triplet(c.win.seat_wind.kind)),
    Yaku("yakuhai_round", "Prevalent Wind", "役牌 場風牌", 1, 1, _EMA1,
         Of.WINDS, lambda c: c.triplet(c.win.round_wind.kind)),
    Yaku("chanta", "Outside Hand", "混全帯幺九", 2, 1, _EMA1, Of.OUTSIDE, _outside),
    Yaku("rinshan", "After a Kong", "嶺上開花", 1, 1, _EMA1, Of.WAY, lambda c: c.win.rinshan),
    Yaku("chankan", "Robbing the Kong", "搶槓", 1, 1, _EMA1, Of.WAY, lambda c: c.win.chankan),
    Yaku("haitei", "Under the Sea, self-draw", "海底摸月", 1, 1, _EMA1, Of.WAY, lambda c: c.win.haitei),
    Yaku("houtei", "Under the Sea, discard", "河底撈魚", 1, 1, _EMA1, Of.WAY, lambda c: c.win.houtei),
    Yaku("sanshoku_shoudoukou", "Little Three Suit Same Triple", "三色小同刻", 0, 0, _LOCAL,
         Of.TRIPLETS_ACROSS, _sanshoku_shoudoukou),
    Yaku("chiitoitsu", "Seven Pairs", "七対子", 2, 0, _EMA2, Of.FORM, lambda c: c.form is Form.SEVEN_PAIRS),
    Yaku("sanshoku_doukou", "Triple Pung", "三色同刻", 2, 2, _EMA2, Of.TRIPLETS_ACROSS, _sanshoku_doukou),
    Yaku("sanankou", "Three Concealed Pungs", "三暗刻", 2, 2, _EMA2,
         Of.CONCEALED, lambda c: c.concealed_triplets == 3),
    Yaku("sankantsu", "Three Kongs", "三槓子", 2, 2, _EMA2, Of.KANS, lambda c: c.kans == 3),
    Yaku("toitoi", "All Pungs", "対々和", 2, 2, _EMA2,
         Of.TRIPLETS, lambda c: c.triplets.bit_count() == 4),
    Yaku("sanrenkou", "Three Consecutive Pungs", "三連刻", 0, 0, _LOCAL, Of.TRIPLETS_ALONG, _sanrenkou),
    Yaku("isshoku_sanjun", "Pure Triple Chow", "一色三順", 0, 0, _LOCAL, Of.TWINS, _same_run_thrice,
         ("iipeikou",)),
    Yaku("honitsu", "Half Flush", "混一色", 3, 2, _EMA2,
         Of.HONOURS, lambda c: bool(c.tally & _HONOURS) and c.suits == 1),
    Yaku("shousangen", "Little Three Dragons", "小三元", 2, 2, _EMA2,
         Of.TWO_DRAGONS, lambda c: (c.number & _DRAGON_TRIPLETS).bit_count() == 2 and c.pair >= 31),
    Yaku("honroutou", "All Terminals and Honours", "混老頭", 2, 2, _EMA2,
         Of.TILES, lambda c: not c.tally & _NO_YAOCHUU),
    Yaku("junchan", "Terminals in All Sets", "純全帯幺九", 3, 2, _EMA2,
         Of.OUTSIDE, _all_terminals, ("chanta",)),
    Yaku("ryanpeikou", "Twice Pure Double Chow", "二盃口", 3, 0, _EMA3,
         Of.TWINS, lambda c: _double_runs(c) == 2, ("iipeikou",)),
    Yaku("chinitsu", "Full Flush", "清一色", 6, 5, _EMA5,
         Of.FLUSH, lambda c: not c.tally & _HONOURS and c.suits == 1),
    Yaku("kokushi", "Thirteen Orphans", "国士無双", 13, 0, _EMAY,
         Of.FORM, lambda c: c.form is Form.THIRTEEN_ORPHANS),
    Yaku("kokushi_13", "Thirteen Orphans, thirteen-sided wait", "国士無双十三面", 13, 0, _EMAY,
         Of.FORM, _kokushi_13, ("kokushi",)),
    Yaku("chuuren", "Nine Gates", "九蓮宝燈", 13, 0, _EMAY,
         Of.FLUSH, lambda c: _chuuren_extra(c) is not None),
    Yaku("chuuren_9", "Nine Gates, nine-sided wait", "純正九蓮宝燈", 13, 0, _EMAY,
         Of.FLUSH, _chuuren_9, ("chuuren",)),
    Yaku("tenhou", "Blessing of Heaven", "天和", 13, 0, _EMAY, Of.WAY, lambda c: c.win.tenhou),
    Yaku("chiihou", "Blessing of Earth", "地和", 13, 0, _EMAY, Of.WAY, lambda c: c.win.chiihou),
    Yaku("renhou", "Blessing of Man", "人和", 0, 0, _EMAY, Of.WAY, lambda c: c.win.renhou),
    Yaku("shiisan_budou", "Thirteen Broken", "十三不塔", 0, 0, _LOCAL,
         Of.FORM, _shiisan_budou, ("tenhou", "chiihou")),
    Yaku("paarenchan", "Eight Dealer Wins in a Row", "八連荘", 0, 0, _LOCAL, Of.WAY, _paarenchan),
    Yaku("isshoku_yonjun", "Pure Quadruple Chow", "一色四順", 0, 0, _LOCAL, Of.TWINS, _same_run_four_times),
    Yaku("daisharin", "Big Wheel", "大車輪", 0, 0, "Scoring Reference, Yakuman", Of.FLUSH, _daisharin),
    Yaku("suuankou", "Four Concealed Pungs", "四暗刻", 13, 0, _EMAY,
         Of.CONCEALED, lambda c: c.concealed_triplets == 4),
    Yaku("suuankou_tanki", "Four Concealed Pungs, single wait", "四暗刻単騎", 13, 0, _EMAY,
         Of.CONCEALED, _suuankou_tanki, ("suuankou",)),
    Yaku("suukantsu", "Four Kongs", "四槓子", 13, 13, _EMAY, Of.KANS, lambda c: c.kans == 4),
    Yaku("ryuuiisou", "All Green", "緑一色", 13, 13, _EMAY, Of.SUIT, lambda c: not c.tally & _NO_GREENS),
    Yaku("chinroutou", "All Terminals", "清老頭", 13, 13, _EMAY,
         Of.TILES, lambda c: not c.tally & _NO_TERMINALS),
    Yaku("tsuuiisou", "All Honours", "字一色", 13, 13, _EMAY,
         Of.HONOURS, lambda c: not c.tally & _NO_HONOURS),
    Yaku("daisangen", "Big Three Dragons", "大三元", 13, 13, _EMAY,
         Of.TWO_DRAGONS, lambda c: c.number & _DRAGON_TRIPLETS == _DRAGON_TRIPLETS),
    Yaku("shousuushii", "Little Four Winds", "小四喜", 13, 13, _EMAY,
         Of.THREE_WINDS, lambda c: (c.number & _WIND_TRIPLETS).bit_count() == 3 and 27 <= c.pair < 31),
    Yaku("daisuushii", "Big Four Winds", "大四喜", 13, 13, _EMAY,
         Of.THREE_WINDS, lambda c: c.number & _WIND_TRIPLETS == _WIND_TRIPLETS),
)
# fmt: on

BY_ID: Final = {yaku.id: yaku for yaku in TABLE}

DORA: Final = {"dora": ("Dora", "ドラ"), "aka": ("Red five", "赤ドラ"), "ura": ("Ura dora", "裏ドラ")}
"""English and Japanese names of the han that are no yaku (EMA 2008 §4.1)."""
