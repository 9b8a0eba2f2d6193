"""Score a hand: its tiles, how it was won and the rules give its :class:`Score`.

Scoring is fast because of caches. A rule set is compiled once (:class:`_CompiledRules`), and each set of yaku
is counted once. A :class:`Score` computes most properties only when a caller reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from scorer.fu import FuItem, fu_items, minipoints
from scorer.hand import Hand, MeldType, Win, require_type
from scorer.liability import liable_for
from scorer.memo import Memo
from scorer.payment import YAKUMAN_BASE, base_points, deltas, hand_points
from scorer.readings import DECLARED, Form, Reading, arrangements, reading_of
from scorer.rules import LIMIT_HANDS, LIMITS, RuleSet, load_rules, preset_ids
from scorer.shapes import (
    COUNT,
    FACES,
    KANS_AT,
    OTHER_AT,
    OVERFLOW,
    OVERFLOW_FIVES,
    RUN_COUNT_AT,
    TALLIES,
    fives_headroom,
    form_of,
    headroom,
    tally,
    unmarked_reds,
)
from scorer.status import Fault, HandError, HandStatus, can_be_won, faults, names_fourth_player
from scorer.tiles import KIND_OF, KINDS, LEFT_OUT, NORTH, dora_of
from scorer.words import value_in_words
from scorer.yaku import BY_ID, NATURAL_WINS, TABLE, YAKUMAN, Prefilter, ReadingContext, Test, YakuContext

if TYPE_CHECKING:
    from scorer.records import ScoredResult, ScoreRecord

_YakuHan = tuple[tuple[str, int], ...]


class _ReadingValue(NamedTuple):
    """What a reading is worth. The fields are in the order of comparison: the greatest tuple is the best.

    ``base``: base points. A yakuman ranks above the same points counted from han (EMA 2008 §4.2, §3.3.6).
    ``place``: 0 for the first of the readings, -1 for the second and so on. ``liable_base``: the part of
    ``base`` that falls under liability (pao). ``number``: the reading as a composition.
    """

    base: int
    yakuman: int
    han: int
    fu: int
    place: int
    limit: str | None
    yaku: _YakuHan
    liable_base: int
    number: int


# Three times as fast as calling the class with keyword arguments.
_make_value: Final[Callable[[tuple[object, ...]], _ReadingValue]] = partial(tuple.__new__, _ReadingValue)


class _Scored(NamedTuple):
    """The input of a score, and the value of every reading."""

    hand: Hand
    win: Win
    rules: RuleSet
    worths: Sequence[_ReadingValue]


_make_scored: Final[Callable[[tuple[object, ...]], _Scored]] = partial(tuple.__new__, _Scored)


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """What a hand is worth in one reading.

    >>> from scorer import Hand, Win, load_rules, score
    >>> won = score(Hand("111222333m78s99p", "9s"), Win(tsumo=True), load_rules("ema2008"))
    >>> won.yaku, won.points
    ((('menzen_tsumo', 1), ('pinfu', 1), ('iipeikou', 1), ('junchan', 3)), 12000)
    >>> [other.points for other in won.other_readings]
    [5200]
    """

    _value: _ReadingValue
    _scored: _Scored = field(compare=False)

    def _repr_html_(self) -> str:
        """The hand, its yaku and what it is worth, for a notebook."""
        from html import escape

        words = self.rules.vocabulary
        rows = "".join(f"<tr><td>{escape(words.yaku(id_))}</td><td>{han}</td></tr>" for id_, han in self.yaku)
        return f"{self._scored.hand._repr_svg_()}<table>{rows}</table><p><b>{self.in_words}</b></p>"

    def __repr__(self) -> str:
        return f"Score(han={self.han}, fu={self.fu}, points={self.points}, yaku={self.yaku})"

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Score:
        """The score that :meth:`to_record` wrote, computed again. For other records use
        :func:`scorer.score_record`.

        Raises ``ValueError`` if the result differs from the one in the record, :class:`scorer.HandError` if
        the hand does not win, and :class:`scorer.RulesError` for invalid rules.

        >>> from scorer import Hand, Win, load_rules, score
        >>> won = score(Hand("234m340567p2267s", "8s"), Win(tsumo=True), load_rules("ema2008"))
        >>> Score.from_record(won.to_record()) == won
        True
        """
        written, result = record["record"], record["result"]
        rule_set = record.get("rule_set")
        rules = load_rules(written["rules"]) if rule_set is None else RuleSet.from_record(rule_set)
        best = score(Hand.from_record(written), Win.from_record(written), rules)
        for one in (best, *best.other_readings):
            if one.result() == result:
                return one
        raise ValueError(
            f"The result in the record is not what its hand is worth by {rules.name}: {best.in_words}."
        )

    def to_record(self) -> ScoreRecord:
        """The hand record and its result as JSON values, with the whole rule set unless it is a preset."""
        hand, win, rules, _ = self._scored
        record: ScoreRecord = {
            "record": {**hand.to_record(), **win.to_record(), "rules": rules.id},
            "result": self.result(),
        }
        if rules.id not in preset_ids() or load_rules(rules.id) != rules:
            record["rule_set"] = rules.to_record()
        return record

    def result(self) -> ScoredResult:
        """The result of a hand record as JSON values (``docs/hand.md``)."""
        reading, paid = self.reading, self.deltas
        result: ScoredResult = {
            "status": "ok",
            "han": self.han,
            "fu": self.fu,
            "points": self.points,
            "limit": self.limit,
            "yakuman": self.yakuman,
            "yaku": [[id_, han] for id_, han in self.yaku],
            "fu_items": [item.to_record() for item in self.items_of(reading)],
            "deltas": None if paid is None else list(paid),
            "rules": self.rules.id,
            "assumed": list(self.assumed),
            "reading": reading.to_record(),
            "other_readings": [
                {"han": one.han, "fu": one.fu, "points": one.points, "reading": one.reading.to_record()}
                for one in self.other_readings
            ],
            "in_words": self.in_words,
        }
        if self.rules.chips:
            result["chips"] = self.chips
        return result

    @property
    def in_words(self) -> str:
        """What the hand is worth as players of its rules say it.

        >>> from scorer import Hand, Win, load_rules, score
        >>> score(Hand("234m340567p2267s", "8s"), Win(tsumo=True), load_rules("ema2008")).in_words
        '4 han 20 fu, 5,200 points'
        """
        words = self.rules.vocabulary
        return value_in_words(self.han, self.fu, self.points, self.limit, self.yakuman, words)

    @property
    def han(self) -> int:
        """Yaku and dora as counted, 13 for each yakuman."""
        return self._value.han

    @property
    def fu(self) -> int | None:
        """Minipoints, rounded; None where the form has none."""
        return self._value.fu or None

    @property
    def points(self) -> int:
        """The hand's own value without counters and bets."""
        win = self._scored.win
        return hand_points(self._value.base, win.tsumo, win.is_dealer, self._scored.rules)

    @property
    def limit(self) -> str | None:
        """``mangan`` … ``yakuman``, or None."""
        return self._value.limit

    @property
    def yakuman(self) -> int:
        """The number of yakuman paid."""
        return self._value.yakuman

    @property
    def yaku(self) -> tuple[tuple[str, int], ...]:
        """(id, han) in the order of the table, dora kinds last."""
        return self._value.yaku

    @property
    def reading(self) -> Reading:
        """The groups, the wait, and which group the winning tile finishes."""
        return reading_of(self._value.number, self._scored.hand, self._scored.win.tsumo)

    @property
    def fu_items(self) -> tuple[FuItem, ...]:
        """What earns the minipoints; their sum is ``fu``."""
        return self.items_of(self.reading)

    def items_of(self, reading: Reading) -> tuple[FuItem, ...]:
        """:attr:`fu_items`, for callers that already have :attr:`reading`."""
        if form_of(self._value.number) is Form.THIRTEEN_BROKEN:
            return ()
        hand, win, rules, _ = self._scored
        pinfu = any(id_ == "pinfu" for id_, _ in self.yaku)
        return fu_items(ReadingContext(hand, win, reading, rules), pinfu, rules)

    @property
    def deltas(self) -> tuple[int, int, int, int] | None:
        """(winner, next player, across, previous) with honba and riichi sticks.

        None for a ron whose discarder is unknown.
        """
        worth, won = self._value, self._scored
        fed_draw = not worth.yakuman  # below yakuman, only rinshan makes a player liable
        return deltas(won.win, worth.base, worth.liable_base, won.rules, fed_draw=fed_draw)

    @property
    def chips(self) -> int:
        """Chips that the winner gets from each payer: the discarder, or everybody else after a self-draw."""
        won, each = self._scored, self._scored.rules.chips
        if not each:
            return 0
        compiled = _compile(won.rules, won.hand.is_closed)
        found, _ = _DORA[compiled.dora(won.win, tally(won.hand.tiles))]
        many = {**dict(found), "ippatsu": int(won.win.ippatsu)}
        return sum(each[name] * many.get(name, 0) for name in each)

    @property
    def assumed(self) -> tuple[str, ...]:
        """The fields of the hand record that the caller left out, so that the score uses their defaults.

        >>> from scorer import Hand, Win, load_rules, score
        >>> hand, rules = Hand("234m340567p2267s", "8s"), load_rules("ema2008")
        >>> score(hand, Win(tsumo=True, seat_wind="E", riichi=True), rules).assumed
        ('round_wind', 'dora_indicators')
        """
        facts = self._scored.win.assumed
        return facts if self._scored.hand.is_closed else tuple(name for name in facts if name != "riichi")

    @property
    def win(self) -> Win:
        """How the hand was won."""
        return self._scored.win

    @property
    def rules(self) -> RuleSet:
        """The rule set of this score."""
        return self._scored.rules

    @property
    def other_readings(self) -> tuple[Score, ...]:
        """The scores of the readings that were not chosen, best first. Empty on such a score itself."""
        best, *others = sorted(self._scored.worths, reverse=True)
        if best is not self._value:
            return ()
        return tuple(Score(worth, self._scored) for worth in others if worth.number != best.number)


def score(hand: Hand, win: Win, rules: RuleSet) -> Score:
    """The best score of the hand over all its readings.

    Readings compare by base points, then a yakuman before counted han, then han, then fu.

    Raises :class:`scorer.status.HandError` with every fault if the hand cannot be scored, and ``TypeError``
    for an argument of the wrong type.

    >>> from scorer import Hand, Win, load_rules
    >>> hand = Hand("234m340567p2267s", "8s")
    >>> won = score(hand, Win(tsumo=False, riichi=True), load_rules("ema2008"))
    >>> won.han, won.fu, won.points, won.yaku
    (4, 30, 7700, (('riichi', 1), ('pinfu', 1), ('tanyao', 1), ('aka', 1)))
    """
    if not (type(hand) is Hand and type(win) is Win and type(rules) is RuleSet):
        require_type("hand", hand, Hand, 'Hand("234m340567p2267s", "8s")')
        require_type("win", win, Win, "Win(tsumo=True)")
        require_type("rules", rules, RuleSet, 'load_rules("ema2008")')
    melds = hand.melds
    concealed = tiles = _CONCEALED[hand.concealed] + TALLIES[hand.win_tile]
    melded = 0
    closed = melds_are_sets = True
    for meld in melds:
        meld_tiles, composition = DECLARED[meld.type][meld.tiles]
        tiles += meld_tiles
        melded += composition
        if not composition:
            melds_are_sets = False
        if meld.type is not _ANKAN:
            closed = False
    compiled = _compile(rules, closed)
    if compiled.three and melded & _RUNS:
        melds_are_sets = False  # three players call no runs
    visible = dora_among = tiles + win.nukidora * compiled.north if win.nukidora else tiles
    for indicator in win.dora_indicators + win.ura_indicators:
        visible += TALLIES[indicator]
    if win.discards:
        visible += tally(win.discards)
    known: _HandValues | None = None
    if (
        melds_are_sets
        and len(hand.concealed) + 3 * len(melds) == 13
        and not visible + compiled.headroom & OVERFLOW
    ):
        kind = KIND_OF[hand.win_tile]
        alone = not win.chankan or visible >> 8 * kind & 0xFF == 1
        possible, way, way_id = compiled.way(hand, win, bool(melded >> KANS_AT & COUNT), alone)
        dora = compiled.dora(win, dora_among)
        if compiled.two_han and least_han_needed(win, rules) > 1:
            dora = -1 - dora
        # the value of a hand depends only on its tiles, the way of winning and the number of dora
        key = concealed, melded, kind, way_id, dora
        known = compiled.score_cache.get(key)
        if known is None:
            known = compiled.score(hand, win, key, tiles, way)
    if known is None or not known[2]:
        raise HandError(*faults(hand, win, rules))
    worth, worths, _, best_yaku = known
    if worth is not None and possible:
        one = _new(Score)
        _set_value(one, worth)
        _set_scored(one, _make_scored((hand, win, rules, worths)))
        return one
    # ``faults`` does not know the finished hands of local yaku (thirteen broken); here the hand is finished
    wrong = [fault for fault in faults(hand, win, rules) if fault.status is not HandStatus.NOT_A_WIN]
    if not worths:
        wrong.append(_yaku_fault(hand, win, rules, best_yaku))
    raise HandError(*wrong)


# Twice as fast as the __init__ of a frozen dataclass.
_new: Final[Callable[[type[Score]], Score]] = object.__new__
_set_value: Final = Score.__dict__["_value"].__set__
_set_scored: Final = Score.__dict__["_scored"].__set__


def check(hand: Hand, win: Win, rules: RuleSet) -> HandStatus:
    """Every fault of the hand as flags; ``VALID`` if it scores.

    Yaku are not checked for tiles that are no finished hand. For an impossible way of winning,
    ``NO_YAKU`` means that the hand has no yaku even if every claim holds.

    >>> from scorer import Hand, Meld, Win, load_rules
    >>> hand = Hand("340567p2267s", "8s", [Meld("chi", "234m")])
    >>> for flag in check(hand, Win(tsumo=False, riichi=True), load_rules("ema2008")):
    ...     print(flag.name)
    RIICHI_ON_OPEN_HAND
    NO_YAKU
    """
    try:
        score(hand, win, rules)
    except HandError as error:
        return error.status
    return HandStatus.VALID


# --- compiled rules -----------------------------------------------------------------------------------------

_K = TypeVar("_K")
_V = TypeVar("_V")

_Tests = tuple[tuple[int, Test], ...]
"""Tests of yaku, each with the bit of its row in the table."""

# a module constant is faster than a look-up in the enum
_ANKAN: Final = MeldType.ANKAN

_OTHER: Final = 1 << OTHER_AT
_REDS_AT: Final = 8 * KINDS

_CONCEALED: Final = Memo(tally, 1 << 14)
"""A cache of the tallies of concealed tiles. Callers score one hand for many ways of winning."""

_ROW_OF: Final = {yaku.id: row for row, yaku in enumerate(TABLE, 1)}


def _bit_of(yaku_id: str) -> int:
    return 1 << _ROW_OF[yaku_id]


_PINFU: Final = _bit_of("pinfu")
_IN_SETS: Final = 1
"""The bit below those of the yaku: set for the standard form (four sets and a pair)."""

_DORA_AT: Final = {players: tuple(8 * dora_of(face, players) for face in range(FACES)) for players in (3, 4)}
"""By players and indicator: the position in a tally (in bits) of the tile that is dora."""
_RUNS: Final = COUNT << RUN_COUNT_AT


class _CountedYaku(NamedTuple):
    """The yaku that count, after superseded ones are dropped. ``base``: the base points of the yakuman."""

    yaku: _YakuHan
    han: int
    yakuman: int
    base: int
    pinfu: bool


_make_counted: Final[Callable[[tuple[object, ...]], _CountedYaku]] = partial(tuple.__new__, _CountedYaku)


class _CountedReading(NamedTuple):
    """A reading with its yaku. ``number``: its composition.

    ``limit_hands``: (yaku, limit, minipoints) for each yaku that the rules pay as a fixed limit.
    """

    number: int
    counted: _CountedYaku
    fu: int
    limit_hands: tuple[tuple[str, str, int], ...]


_HandValues: TypeAlias = tuple[_ReadingValue | None, Sequence[_ReadingValue], Sequence[_CountedReading], int]
"""The best value of a hand, the values of all readings, the readings, and the most yaku han of any
reading."""


class _CompiledRules:
    """A rule set compiled for concealed or for open hands, with its caches."""

    __slots__ = (
        "_bases",
        "_counted",
        "_fives_headroom",
        "_limit_hands",
        "_never_alone",
        "_of_fields",
        "_of_way",
        "_rows",
        "_supersedes",
        "_superseding",
        "_ways",
        "_yakuman",
        "broken",
        "closed",
        "dora_at",
        "headroom",
        "north",
        "reading_cache",
        "rules",
        "score_cache",
        "three",
        "two_han",
    )  # fmt: skip

    def __init__(self, rules: RuleSet, closed: bool) -> None:
        self.rules = rules
        self.closed = closed
        self.three = rules.players == 3
        self.headroom = headroom(rules.red_fives, LEFT_OUT if self.three else ())
        # norths set aside count as tiles in sight and may also be dora of an indicator
        self.north = TALLIES[NORTH] if self.three else 0
        self.dora_at = _DORA_AT[rules.players]
        self._fives_headroom = fives_headroom(rules.red_fives)
        self.broken = bool(rules.han("shiisan_budou", closed=True))
        played = [(1 << row, yaku) for row, yaku in enumerate(rules.table, 1) if rules.han(yaku.id, closed)]
        self._rows = {bit: (yaku.id, rules.han(yaku.id, closed)) for bit, yaku in played}
        # without limits (aotenjou) a yakuman is 13 ordinary han
        of_yakuman = (bit for bit, yaku in played if rules.han(yaku.id, closed) >= YAKUMAN)
        self._yakuman = 0 if rules.aotenjou else sum(of_yakuman)
        self._supersedes = [
            (bit, sum(map(_bit_of, yaku.supersedes))) for bit, yaku in played if yaku.supersedes
        ]
        self._superseding = sum(bit for bit, _ in self._supersedes)
        # whether a yaku of the moment, such as haitei, may be the only yaku (Toudai §7.12)
        alone = rules.natural_wins_alone in (("always", "concealed") if closed else ("always",))
        self._never_alone = 0 if alone else sum(map(_bit_of, NATURAL_WINS))
        tests: dict[Prefilter, _Tests] = {}
        for bit, yaku in played:
            tests[yaku.prefilter] = (*tests.get(yaku.prefilter, ()), (bit, yaku.test))
        self._of_way = tests.pop(Prefilter.WAY, ())
        kinds: dict[int, list[tuple[Callable[[int], bool], _Tests]]] = {}
        for prefilter, of_a_kind in tests.items():
            kinds.setdefault(prefilter.fields, []).append((prefilter.may_hold, of_a_kind))
        # by the bit fields of a composition and their value: the tests that such a reading can pass
        self._of_fields = tuple((fields, Memo(partial(_possible_tests, kinds[fields]))) for fields in kinds)
        self._ways: dict[tuple[object, ...], tuple[bool, int, int | None]] = {}
        self.reading_cache: dict[tuple[int, int, int, int | None], tuple[_CountedReading, ...]] = {}
        self.score_cache: dict[tuple[int, int, int, int | None, int], _HandValues] = {}
        self.two_han = bool(rules.two_han_from_honba)
        self._counted = Memo(self._count)
        self._limit_hands = tuple(
            (id_, limit) for id_, limit in rules.limit_hands.items() if closed or _open_too(id_, rules)
        )
        self._bases = Memo(self._base)

    def way(self, hand: Hand, win: Win, kan: bool, alone: bool) -> tuple[bool, int, int | None]:
        """(whether the rules allow this way of winning, the bits of its yaku, an id of the way).

        Ways with the same id score alike. The id is None for a way that depends on the tiles: the caller must
        not cache its result. ``kan``: whether the hand has a declared kan. ``alone``: whether no other copy
        of a robbed winning tile is visible.
        """
        key = (
            win.tsumo, win.riichi, win.double_riichi, win.open_riichi, win.ippatsu, win.rinshan, win.chankan,
            win.haitei, win.houtei, win.tenhou, win.chiihou, win.renhou, win.tsubame_gaeshi,
            win.kanburi, win.dealer_wins,
            win.seat_wind,
            win.round_wind,
            not win.nukidora,
            self.three and names_fourth_player(win),
            win.tsumo and (win.loser_offset is not None or win.ron_index > 0),
            not (win.ura_indicators or win.ura_count),
            not hand.melds,
            kan,
            alone,
        )  # fmt: skip
        found = self._ways.get(key)
        # these depend on the tiles, so the result cannot be cached by the key
        by_tiles = win.robbed_ankan or win.pao or win.discards
        if found is None or by_tiles:
            facts = YakuContext(hand, win, self.rules, self.closed, 0, 0)
            possible, earned = can_be_won(hand, win, self.rules), _passed_tests(self._of_way, facts)
            if by_tiles:
                return possible, earned, None
            found = possible, earned, next(_WAY_IDS)
            _store(self._ways, key, found)
        return found

    def score(
        self, hand: Hand, win: Win, key: tuple[int, int, int, int | None, int], tiles: int, way: int
    ) -> _HandValues:
        """The values of a hand. Results are cached unless the id of the way is None.

        ``key``: (tally of the concealed tiles, composition of the melds, kind of the winning tile, id of the
        way, dora as :meth:`dora` counts them; -1 - dora if the win needs two han). ``tiles``, ``way``: as for
        :meth:`read`.
        """
        concealed, melded, kind, way_id, dora = key
        found = self.reading_cache.get(key[:4])
        if found is None:
            found = self.read(hand, win, concealed, melded, tiles, way)
            if way_id is not None:
                _store(self.reading_cache, (concealed, melded, kind, way_id), found)
        worths, most = self.worths(hand, win, -1 - dora if dora < 0 else dora, 2 if dora < 0 else 1, found)
        scored = (max(worths) if worths else None), worths, found, most
        if way_id is not None:
            _store(self.score_cache, key, scored)
        return scored

    def read(
        self, hand: Hand, win: Win, concealed: int, melded: int, tiles: int, way: int
    ) -> tuple[_CountedReading, ...]:
        """Every reading of the hand with its yaku.

        ``concealed``, ``tiles``: the tallies of the concealed tiles and of all tiles. ``melded``: the
        composition of the melds. ``way``: the bits of the yaku that the way of winning gives.
        """
        rules, closed = self.rules, self.closed
        numbers = arrangements(
            concealed,
            KIND_OF[hand.win_tile],
            len(hand.melds),
            melded,
            win.tsumo,
            rules.four_alike_are_pairs,
            self.broken and (win.tenhou or win.chiihou),
        )
        found = []
        for number in numbers:
            yaku = way if number & _OTHER else way | _IN_SETS
            tests: _Tests = ()
            for fields, asked in self._of_fields:
                tests += asked[number & fields]
            facts = YakuContext(hand, win, rules, closed, tiles, number)
            for bit, test in tests:
                if test(facts):
                    yaku |= bit
            counted = self._counted[yaku]
            fu = minipoints(number, closed, counted.pinfu, win, rules)
            limit_hands = tuple(
                (id_, name, minipoints(number, closed, False, win, rules))
                for id_, name in self._limit_hands
                if BY_ID[id_].test(facts)
            )
            found.append(_CountedReading(number, counted, fu, limit_hands))
        return tuple(found)

    def worths(
        self, hand: Hand, win: Win, counted_dora: int, least: int, found: Sequence[_CountedReading]
    ) -> tuple[list[_ReadingValue], int]:
        """The values of the readings with enough yaku, and the most yaku han of any reading.

        ``counted_dora``: as :meth:`dora` returns it. ``least``: the han without dora that a win needs.
        """
        rules = self.rules
        dora, dora_han = _DORA[counted_dora]
        liable_yaku = liable_for(hand, win, rules) if win.pao else ()
        worths: list[_ReadingValue] = []
        most = 0
        for number, (counted, han, yakuman, base, _), fu, limit_hands in found:
            if han > most:
                most = han
            if han >= least:
                limit: str | None = "yakuman"
                if not yakuman:
                    counted += dora
                    han += dora_han
                    base, limit = self._bases[han, fu]
                liable = self._liable_base(liable_yaku, base, counted) if liable_yaku else 0
                worths.append(
                    _make_value((base, yakuman, han, fu, -len(worths), limit, counted, liable, number))
                )
            for id_, name, fu in limit_hands:
                worths.append(self._limit_hand(id_, name, fu, -len(worths), bool(liable_yaku), number))
                most = max(most, worths[-1].han)
        return worths, most

    def _liable_base(self, liable_yaku: Collection[str], base: int, counted: _YakuHan) -> int:
        """The base points that fall under liability. Some rules exclude other yakuman of the same hand."""
        rules = self.rules
        whole = rules.liability_whole_hand or not rules.yakuman_add_up or rules.aotenjou
        if whole or "rinshan" in liable_yaku:
            return base
        return sum(YAKUMAN_BASE * (han // YAKUMAN) for id_, han in counted if id_ in liable_yaku)

    def _limit_hand(
        self, id_: str, name: str, fu: int, place: int, liable: bool, number: int
    ) -> _ReadingValue:
        """The value of a reading whose yaku the rules pay as a fixed limit; nothing else counts then."""
        base = LIMIT_HANDS[name]
        yakuman = int(name not in LIMITS)
        han = YAKUMAN if yakuman else self.rules.limits.get(name, YAKUMAN)
        limit = "yakuman" if yakuman else name
        return _ReadingValue(base, yakuman, han, fu, place, limit, ((id_, han),), base * liable, number)

    def _base(self, worth: tuple[int, int]) -> tuple[int, str | None]:
        return base_points(*worth, self.rules)

    def _count(self, found: int) -> _CountedYaku:
        """The yaku that count: not the superseded ones, and only yakuman if there is one."""
        rules = self.rules
        in_sets = found & _IN_SETS
        found -= in_sets
        if found & self._superseding:
            superseded = 0
            for bit, lower in self._supersedes:
                if found & bit:
                    superseded |= lower
            found &= ~superseded
        yakuman = found & self._yakuman
        if yakuman:
            counted = [self._rows[bit] for bit in _bits(yakuman)]
            if not rules.yakuman_add_up:
                # of equal yakuman, prefer the one with liability: its feeder pays the full value
                counted = [max(counted, key=lambda one: (one[1], one[0] in rules.liability))]
            han = sum(han for _, han in counted)
            return _make_counted(
                (tuple(counted), han, han // YAKUMAN, YAKUMAN_BASE * (han // YAKUMAN), False)
            )
        if not found & ~self._never_alone:
            found = 0
        counted = [self._rows[bit] for bit in _bits(found)]
        if rules.honroutou_with_chanta and in_sets and found & _bit_of("honroutou"):
            counted.append(("chanta", rules.han("chanta", closed=False)))
        han = sum([han for _, han in counted])
        return _make_counted((tuple(counted), han, 0, 0, bool(found & _PINFU)))

    def dora(self, win: Win, tiles: int) -> int:
        """The counts of ``dora``, ``aka``, ``ura`` and ``nukidora`` packed into one number, which
        :func:`_dora_yaku` unpacks.

        ``tiles``: the tally of all tiles that can be dora. Source: EMA 2008 §4.1, Toudai §3.3.
        """
        rules = self.rules
        if not (self.closed or rules.dora_open_hands):
            return 0
        at = self.dora_at
        dora, ura = win.dora_count, win.ura_count if rules.ura_dora else 0
        for indicator in win.dora_indicators if rules.kan_dora else win.dora_indicators[:1]:
            dora += tiles >> at[indicator] & 0xFF
        if win.ura_indicators and rules.ura_dora:
            for indicator in win.ura_indicators if rules.kan_dora else win.ura_indicators[:1]:
                ura += tiles >> at[indicator] & 0xFF
        aka = (tiles >> _REDS_AT) % 255  # the sum of the bytes
        if tiles + self._fives_headroom & OVERFLOW_FIVES:
            aka += sum(unmarked_reds(tiles, rules.red_fives))
        return dora | aka << _DORA_BITS | ura << 2 * _DORA_BITS | win.nukidora << 3 * _DORA_BITS


_DORA_BITS: Final = 16
"""Bits for each kind of dora."""


def _dora_yaku(number: int) -> tuple[_YakuHan, int]:
    """(id, han) of each kind of dora with at least one han, and the sum of the han."""
    many = [number >> at * _DORA_BITS & (1 << _DORA_BITS) - 1 for at in range(4)]
    named = zip(("dora", "aka", "ura", "nukidora"), many, strict=True)
    return tuple((id_, han) for id_, han in named if han), sum(many)


_DORA: Final = Memo(_dora_yaku, 1 << 12)


def _bits(number: int) -> list[int]:
    """Each bit that is set, lowest first."""
    found = []
    while number:
        lowest = number & -number
        found.append(lowest)
        number -= lowest
    return found


def _store(known: dict[_K, _V], key: _K, value: _V) -> None:
    """Cache the value; a full cache is emptied first."""
    if len(known) >= _MOST:
        known.clear()
    known[key] = value


def _possible_tests(tests: Sequence[tuple[Callable[[int], bool], _Tests]], fields: int) -> _Tests:
    """The tests that a reading can pass whose composition has these bit fields."""
    found: _Tests = ()
    for may_hold, of_a_kind in tests:
        if may_hold(fields):
            found += of_a_kind
    return found


def _passed_tests(tests: _Tests, facts: YakuContext) -> int:
    """The bits of the yaku that the reading has."""
    found = 0
    for bit, test in tests:
        if test(facts):
            found |= bit
    return found


_WAY_IDS: Final = count()
"""Ids for ways of winning. Ids are never reused, because caches may drop ways."""

_COMPILED: Final[dict[tuple[int, bool], _CompiledRules]] = {}
_MOST_COMPILED: Final = 64
_MOST: Final = 1 << 14
"""The sizes of the cache of compiled rules and of each cache within them."""


def _compile(rules: RuleSet, closed: bool) -> _CompiledRules:
    """The compiled rules, cached by identity: hashing a rule set is slow. The cache keeps it alive."""
    found = _COMPILED.get((id(rules), closed))
    if found is None:
        if len(_COMPILED) >= _MOST_COMPILED:
            _COMPILED.clear()
        found = _COMPILED[id(rules), closed] = _CompiledRules(rules, closed)
    return found


def _open_too(id_: str, rules: RuleSet) -> bool:
    """Whether an open hand can have a yaku that is paid as a limit: as the rules value it, or the table."""
    row = BY_ID[id_]
    closed, open_ = rules.yaku[id_] if any(rules.yaku[id_]) else (row.closed, row.open)
    return not row.concealed and (bool(open_) or not closed)


def least_han_needed(win: Win, rules: RuleSet) -> int:
    """The han without dora that a win needs (EMA 2008 §3.4.11, Toudai §7.5)."""
    wins = win.dealer_wins if win.is_dealer else 0
    counted = win.honba if rules.two_han_counts == "counters" else wins
    return 2 if 0 < rules.two_han_from_honba <= counted else 1


def below_minimum(win: Win, rules: RuleSet, han: int) -> Fault:
    """What is wrong where a win has fewer than :func:`least_han_needed`."""
    many = {"counters": "With this many {honba}", "dealer_wins": "After so many wins in a row"}
    needed = "a win needs {least} {han} besides {dora}, and this hand has {best}."
    sentence = rules.vocabulary.say(
        f"{many[rules.two_han_counts]} {needed}", least=least_han_needed(win, rules), best=han
    )
    return Fault(HandStatus.BELOW_MINIMUM, sentence)


def _yaku_fault(hand: Hand, win: Win, rules: RuleSet, best: int) -> Fault:
    if best:
        return below_minimum(win, rules, best)
    if rules.natural_wins_alone != "always" and any(getattr(win, name) for name in NATURAL_WINS):
        sentence = "The moment of the win cannot be the only {yaku} in {rules}: this hand needs another."
    else:
        hint = "" if hand.is_closed else "; with open melds {riichi} and {menzen_tsumo} cannot help"
        sentence = (
            f"This hand has no {{yaku}}, and {{dora}} alone do not win{hint}:"
            " check the winds and how it was won."
        )
    return Fault(HandStatus.NO_YAKU, rules.vocabulary.say(sentence, rules=rules.name))
