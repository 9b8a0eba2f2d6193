"""The yaku: one table of ids, names, values, sources, and the test of each as a small function.

A test looks at one reading of the hand (:class:`Case`) and knows nothing of values: what a yaku is worth, and
whether it is played at all, is the rule set's (``scorer/rules/*.toml`` over the values here). Of the rules it
asks only what the yaku itself is, where sources differ: in which suits, from which win on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorer.hand import Hand, Win
from scorer.readings import Form, GroupType, Reading, Wait
from scorer.tiles import DRAGONS, GREENS, HONOURS, TERMINALS, WINDS, YAOCHUU, count_kinds

if TYPE_CHECKING:
    from scorer.rules import RuleSet

YAKUMAN: Final = 13
"""Han of one yakuman; a yaku worth that or more counts yakuman, not han (``HAND.md``, "Result")."""


class Case:
    """One reading of a hand, and what the tests ask of it.

    ``counts``: of all tiles, kongs included; ``kinds``: which occur; ``suits``: 0 m, 1 p, 2 s.
    ``chis``: lowest kinds of the runs, sorted; ``triplets``: kinds of triplets and kongs; ``pair``: or -1.
    """

    __slots__ = (
        "chis", "closed", "concealed_triplets", "counts", "hand", "kans", "kinds", "pair", "reading", "rules",
        "sets", "suits", "triplets", "win",
    )  # fmt: skip

    def __init__(self, hand: Hand, win: Win, reading: Reading, rules: RuleSet) -> None:
        self.hand = hand
        self.win = win
        self.reading = reading
        self.rules = rules
        self.closed = hand.is_closed
        self.counts = count_kinds(hand.tiles)
        self.kinds = frozenset(kind for kind, count in enumerate(self.counts) if count)
        self.suits = frozenset(kind // 9 for kind in self.kinds if kind < 27)
        standard = reading.groups if reading.form is Form.STANDARD else ()
        self.pair = next((group.kind for group in standard if group.type is GroupType.PAIR), -1)
        self.sets = tuple(group for group in standard if group.type is not GroupType.PAIR)
        self.chis = sorted(group.kind for group in standard if group.type is GroupType.CHI)
        triplets = [group for group in self.sets if group.type is not GroupType.CHI]
        self.triplets = frozenset(group.kind for group in triplets)
        self.concealed_triplets = sum(group.concealed for group in triplets)
        self.kans = sum(group.type is GroupType.KAN for group in triplets)

    @property
    def value_pair(self) -> bool:
        """Whether the pair is dragons, the seat wind or the round wind."""
        return self.pair in DRAGONS or self.pair in (self.win.seat_wind.kind, self.win.round_wind.kind)

    def every_group_touches(self, kinds: frozenset[int]) -> bool:
        """Whether each set and the pair hold one of the kinds, with at least one run (chanta, junchan)."""
        return (
            bool(self.chis)
            and self.pair in kinds
            and all(chi in kinds or chi + 2 in kinds for chi in self.chis)
            and self.triplets <= kinds
        )


Test = Callable[[Case], bool]


@dataclass(frozen=True, slots=True)
class Yaku:
    """A row of the table.

    ``closed``, ``open``: han of a concealed and an open hand in the common rules, 0 = not for such a hand, or
    not played unless a rule set says so; 13 and more is yakuman. ``supersedes``: ids that it replaces.
    """

    id: str
    english: str
    japanese: str
    closed: int
    open: int
    source: str
    test: Test
    supersedes: tuple[str, ...] = ()


def _pung_of(kind: int) -> Test:
    return lambda case: kind in case.triplets


def _pinfu(case: Case) -> bool:
    return len(case.chis) == 4 and not case.value_pair and case.reading.wait is Wait.RYANMEN


def _double_runs(case: Case) -> int:
    """How many pairs of identical runs."""
    return sum(case.chis.count(chi) // 2 for chi in set(case.chis))


def _sanshoku_doujun(case: Case) -> bool:
    return any({chi, chi + 9, chi + 18} <= set(case.chis) for chi in case.chis if chi < 9)


def _sanshoku_doukou(case: Case) -> bool:
    return any({kind, kind + 9, kind + 18} <= case.triplets for kind in case.triplets if kind < 9)


def _ittsu(case: Case) -> bool:
    return any({chi, chi + 3, chi + 6} <= set(case.chis) for chi in (0, 9, 18))


def _chuuren_extra(case: Case) -> int | None:
    """The kind beyond 1112345678999 of one suit, where the hand is that and one more tile."""
    if len(case.suits) != 1 or len(case.kinds) != 9 or sum(case.counts) != 14:
        return None
    first = 9 * next(iter(case.suits))
    surplus = [
        count - wanted
        for count, wanted in zip(case.counts[first : first + 9], (3, 1, 1, 1, 1, 1, 1, 1, 3), strict=True)
    ]
    return first + surplus.index(1) if sorted(surplus) == [0] * 8 + [1] else None


def _daisharin(case: Case) -> bool:
    """22334455667788 of one of the suits that count, which reads as runs and as seven pairs."""
    twos = (0, 2, 2, 2, 2, 2, 2, 2, 0)
    return any(case.counts[9 * s : 9 * s + 9] == twos for s in map("mps".index, case.rules.daisharin_suits))


def _paarenchan(case: Case) -> bool:
    return case.win.is_dealer and case.win.dealer_wins + 1 >= case.rules.paarenchan_wins


def _sanrenkou(case: Case) -> bool:
    """Three consecutive triplets of a suit."""
    return any({kind, kind + 1, kind + 2} <= case.triplets for kind in range(27) if kind % 9 <= 6)


def _sanshoku_shoudoukou(case: Case) -> bool:
    """One number as triplets of two suits and as the pair of the third."""
    number = case.pair % 9
    alike = {number, number + 9, number + 18} - {case.pair}
    return 0 <= case.pair < 27 and alike <= case.triplets


def _same_run(case: Case, times: int) -> bool:
    return any(case.chis.count(chi) >= times for chi in case.chis)


def _shiisan_budou(case: Case) -> bool:
    return case.reading.form is Form.THIRTEEN_BROKEN and (case.win.tenhou or case.win.chiihou)


def _suuankou(case: Case) -> bool:
    return case.concealed_triplets == 4


# A blessing of heaven has no last tile that could make a special wait (EMA 2008 §4.2.5).
def _kokushi_13(case: Case) -> bool:
    return case.reading.wait is Wait.KOKUSHI_13 and not case.win.tenhou


def _chuuren_9(case: Case) -> bool:
    return _chuuren_extra(case) == case.hand.win_tile.kind and not case.win.tenhou


def _suuankou_tanki(case: Case) -> bool:
    return _suuankou(case) and case.reading.wait is Wait.TANKI and not case.win.tenhou


_EMA1: Final = "EMA 2008 §4.2.1"
_EMA2: Final = "EMA 2008 §4.2.2"
_EMA3: Final = "EMA 2008 §4.2.3"
_EMA5: Final = "EMA 2008 §4.2.4"
_EMAY: Final = "EMA 2008 §4.2.5"
_LOCAL: Final = "Toudai §4.1.7"

# fmt: off
TABLE: Final = (
    Yaku("riichi", "Riichi", "立直", 1, 0, _EMA1, lambda c: c.win.has_riichi),
    Yaku("double_riichi", "Double Riichi", "ダブル立直", 2, 0, _EMA1,
         lambda c: c.win.double_riichi, ("riichi",)),
    Yaku("open_riichi", "Open Riichi", "オープン立直", 0, 0, _LOCAL, lambda c: c.win.open_riichi),
    Yaku("ippatsu", "Ippatsu", "一発", 1, 0, _EMA1, lambda c: c.win.ippatsu),
    Yaku("menzen_tsumo", "Fully Concealed Hand", "門前清自摸和", 1, 0, _EMA1, lambda c: c.win.tsumo),
    Yaku("pinfu", "Pinfu", "平和", 1, 0, _EMA1, _pinfu),
    Yaku("iipeikou", "Pure Double Chow", "一盃口", 1, 0, _EMA1, lambda c: _double_runs(c) == 1),
    Yaku("tanyao", "All Simples", "断幺九", 1, 1, _EMA1, lambda c: not c.kinds & YAOCHUU),
    Yaku("sanshoku_doujun", "Mixed Triple Chow", "三色同順", 2, 1, _EMA1, _sanshoku_doujun),
    Yaku("ittsu", "Pure Straight", "一気通貫", 2, 1, _EMA1, _ittsu),
    Yaku("yakuhai_haku", "Dragon Pung, white", "役牌 白", 1, 1, _EMA1, _pung_of(31)),
    Yaku("yakuhai_hatsu", "Dragon Pung, green", "役牌 發", 1, 1, _EMA1, _pung_of(32)),
    Yaku("yakuhai_chun", "Dragon Pung, red", "役牌 中", 1, 1, _EMA1, _pung_of(33)),
    Yaku("yakuhai_seat", "Seat Wind", "役牌 自風牌", 1, 1, _EMA1,
         lambda c: c.win.seat_wind.kind in c.triplets),
    Yaku("yakuhai_round", "Prevalent Wind", "役牌 場風牌", 1, 1, _EMA1,
         lambda c: c.win.round_wind.kind in c.triplets),
    Yaku("chanta", "Outside Hand", "混全帯幺九", 2, 1, _EMA1, lambda c: c.every_group_touches(YAOCHUU)),
    Yaku("rinshan", "After a Kong", "嶺上開花", 1, 1, _EMA1, lambda c: c.win.rinshan),
    Yaku("chankan", "Robbing the Kong", "搶槓", 1, 1, _EMA1, lambda c: c.win.chankan),
    Yaku("haitei", "Under the Sea, self-draw", "海底摸月", 1, 1, _EMA1, lambda c: c.win.haitei),
    Yaku("houtei", "Under the Sea, discard", "河底撈魚", 1, 1, _EMA1, lambda c: c.win.houtei),
    Yaku("sanshoku_shoudoukou", "Little Three Suit Same Triple", "三色小同刻", 0, 0, _LOCAL,
         _sanshoku_shoudoukou),
    Yaku("chiitoitsu", "Seven Pairs", "七対子", 2, 0, _EMA2, lambda c: c.reading.form is Form.SEVEN_PAIRS),
    Yaku("sanshoku_doukou", "Triple Pung", "三色同刻", 2, 2, _EMA2, _sanshoku_doukou),
    Yaku("sanankou", "Three Concealed Pungs", "三暗刻", 2, 2, _EMA2, lambda c: c.concealed_triplets == 3),
    Yaku("sankantsu", "Three Kongs", "三槓子", 2, 2, _EMA2, lambda c: c.kans == 3),
    Yaku("toitoi", "All Pungs", "対々和", 2, 2, _EMA2, lambda c: len(c.triplets) == 4),
    Yaku("sanrenkou", "Three Consecutive Pungs", "三連刻", 0, 0, _LOCAL, _sanrenkou),
    Yaku("isshoku_sanjun", "Pure Triple Chow", "一色三順", 0, 0, _LOCAL, lambda c: _same_run(c, 3),
         ("iipeikou",)),
    Yaku("honitsu", "Half Flush", "混一色", 3, 2, _EMA2,
         lambda c: len(c.suits) == 1 and bool(c.kinds & HONOURS)),
    Yaku("shousangen", "Little Three Dragons", "小三元", 2, 2, _EMA2,
         lambda c: len(c.triplets & DRAGONS) == 2 and c.pair in DRAGONS),
    Yaku("honroutou", "All Terminals and Honours", "混老頭", 2, 2, _EMA2, lambda c: c.kinds <= YAOCHUU),
    Yaku("junchan", "Terminals in All Sets", "純全帯幺九", 3, 2, _EMA2,
         lambda c: c.every_group_touches(TERMINALS), ("chanta",)),
    Yaku("ryanpeikou", "Twice Pure Double Chow", "二盃口", 3, 0, _EMA3, lambda c: _double_runs(c) == 2,
         ("iipeikou",)),
    Yaku("chinitsu", "Full Flush", "清一色", 6, 5, _EMA5,
         lambda c: len(c.suits) == 1 and not c.kinds & HONOURS),
    Yaku("kokushi", "Thirteen Orphans", "国士無双", 13, 0, _EMAY,
         lambda c: c.reading.form is Form.THIRTEEN_ORPHANS),
    Yaku("kokushi_13", "Thirteen Orphans, thirteen-sided wait", "国士無双十三面", 13, 0, _EMAY, _kokushi_13,
         ("kokushi",)),
    Yaku("chuuren", "Nine Gates", "九蓮宝燈", 13, 0, _EMAY, lambda c: _chuuren_extra(c) is not None),
    Yaku("chuuren_9", "Nine Gates, nine-sided wait", "純正九蓮宝燈", 13, 0, _EMAY, _chuuren_9, ("chuuren",)),
    Yaku("tenhou", "Blessing of Heaven", "天和", 13, 0, _EMAY, lambda c: c.win.tenhou),
    Yaku("chiihou", "Blessing of Earth", "地和", 13, 0, _EMAY, lambda c: c.win.chiihou),
    Yaku("renhou", "Blessing of Man", "人和", 0, 0, _EMAY, lambda c: c.win.renhou),
    Yaku("shiisan_budou", "Thirteen Broken", "十三不塔", 0, 0, _LOCAL, _shiisan_budou, ("tenhou", "chiihou")),
    Yaku("paarenchan", "Eight Dealer Wins in a Row", "八連荘", 0, 0, _LOCAL, _paarenchan),
    Yaku("isshoku_yonjun", "Pure Quadruple Chow", "一色四順", 0, 0, _LOCAL, lambda c: _same_run(c, 4)),
    Yaku("daisharin", "Big Wheel", "大車輪", 0, 0, "Scoring Reference, Yakuman", _daisharin),
    Yaku("suuankou", "Four Concealed Pungs", "四暗刻", 13, 0, _EMAY, _suuankou),
    Yaku("suuankou_tanki", "Four Concealed Pungs, single wait", "四暗刻単騎", 13, 0, _EMAY, _suuankou_tanki,
         ("suuankou",)),
    Yaku("suukantsu", "Four Kongs", "四槓子", 13, 13, _EMAY, lambda c: c.kans == 4),
    Yaku("ryuuiisou", "All Green", "緑一色", 13, 13, _EMAY, lambda c: c.kinds <= GREENS),
    Yaku("chinroutou", "All Terminals", "清老頭", 13, 13, _EMAY, lambda c: c.kinds <= TERMINALS),
    Yaku("tsuuiisou", "All Honours", "字一色", 13, 13, _EMAY, lambda c: c.kinds <= HONOURS),
    Yaku("daisangen", "Big Three Dragons", "大三元", 13, 13, _EMAY, lambda c: c.triplets >= DRAGONS),
    Yaku("shousuushii", "Little Four Winds", "小四喜", 13, 13, _EMAY,
         lambda c: len(c.triplets & WINDS) == 3 and c.pair in WINDS),
    Yaku("daisuushii", "Big Four Winds", "大四喜", 13, 13, _EMAY, lambda c: c.triplets >= WINDS),
)
# fmt: on

BY_ID: Final = {yaku.id: yaku for yaku in TABLE}

DORA: Final = {"dora": ("Dora", "ドラ"), "aka": ("Red five", "赤ドラ"), "ura": ("Ura dora", "裏ドラ")}
"""English and Japanese names of the han that are no yaku (EMA 2008 §4.1)."""
