"""The door: a hand, how it was won and the rules to its score.

What one hand needs is worked out once for the next: a rule set is made ready (:class:`_Plan`), a set of yaku
is counted once, and of a score what nobody asks for is not worked out at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, NamedTuple, TypeVar

from scorer.fu import FuItem, fu_items, minipoints
from scorer.hand import Hand, Win, Wind
from scorer.payment import YAKUMAN_BASE, base_points, deltas, hand_points
from scorer.readings import Arrangement, Form, Reading, arrangements, declared, reading_of
from scorer.rules import LIMIT_HANDS, LIMITS, NATURAL_WINS, RuleSet
from scorer.shapes import FACES, KANS_AT, ONE_EACH, TALLIES, Wait, room, tally, too_many
from scorer.status import TILE_FAULTS, Fault, HandError, HandStatus, faults
from scorer.tiles import KINDS, dora_of
from scorer.yaku import BY_ID, TABLE, YAKUMAN, Case, Facts, Of, Test

_YakuHan = tuple[tuple[str, int], ...]


class _Worth(NamedTuple):
    """What a reading is worth; the greatest is chosen.

    ``base``: base points. A yakuman comes before the same points counted from han: "no more than thirteen
    fan can be obtained" of those (EMA 2008 §4.2), and one can be liable for a yakuman alone (§3.3.6).
    ``place``: 0 for the first of the readings, less for later ones. ``liable_base``: the part of ``base`` to
    be liable for.
    """

    base: int
    yakuman: int
    han: int
    fu: int
    place: int
    limit: str | None
    yaku: _YakuHan
    liable_base: int
    arrangement: Arrangement


class _Won(NamedTuple):
    """What was scored, and all that it can be worth."""

    hand: Hand
    win: Win
    rules: RuleSet
    worths: Sequence[_Worth]


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """What a hand is worth in one reading; what choosing it does not need is worked out when asked for."""

    _worth: _Worth
    _won: _Won = field(compare=False)

    def __repr__(self) -> str:
        return f"Score(han={self.han}, fu={self.fu}, points={self.points}, yaku={self.yaku})"

    @property
    def han(self) -> int:
        """Yaku and dora as counted, 13 for each yakuman."""
        return self._worth.han

    @property
    def fu(self) -> int | None:
        """Minipoints, rounded; None where the form has none."""
        return self._worth.fu or None

    @property
    def points(self) -> int:
        """The hand's own value without counters and bets."""
        return hand_points(self._worth.base, self._won.win.tsumo, self._won.win.is_dealer)

    @property
    def limit(self) -> str | None:
        """``mangan`` … ``yakuman``, or None."""
        return self._worth.limit

    @property
    def yakuman(self) -> int:
        """How many are paid."""
        return self._worth.yakuman

    @property
    def yaku(self) -> tuple[tuple[str, int], ...]:
        """(id, han) in the order of the table, dora kinds last."""
        return self._worth.yaku

    @property
    def reading(self) -> Reading:
        """The groups, the wait, and which group the winning tile finishes."""
        return reading_of(self._worth.arrangement, self._won.hand, self._won.win.tsumo)

    @property
    def fu_items(self) -> tuple[FuItem, ...]:
        """What earns the minipoints; their sum is ``fu``."""
        if self._worth.arrangement.form is Form.THIRTEEN_BROKEN:
            return ()
        hand, win, rules, _ = self._won
        pinfu = any(id_ == "pinfu" for id_, _ in self.yaku)
        return fu_items(Case(hand, win, self.reading, rules), pinfu, rules)

    @property
    def deltas(self) -> tuple[int, int, int, int] | None:
        """(winner, next player, across, previous) with counters and bets; None if the discarder is open."""
        return deltas(self._won.win, self._worth.base, self._worth.liable_base, self._won.rules)

    @property
    def other_readings(self) -> tuple[Score, ...]:
        """The readings that were not chosen, best first; none for one of those."""
        best, *others = sorted(self._won.worths, reverse=True)
        if best is not self._worth:
            return ()
        return tuple(Score(worth, self._won) for worth in others if worth.arrangement is not best.arrangement)


def score(hand: Hand, win: Win, rules: RuleSet) -> Score:
    """The best score of the hand: the best payment, a yakuman before a counted one, more han, more fu.

    Raises :class:`scorer.status.HandError` with all that is wrong where the hand cannot be scored.

    >>> from scorer import Hand, Tile, Win, load_rules, parse_tiles
    >>> hand = Hand(parse_tiles("234m340567p2267s"), Tile.parse("8s"))
    >>> won = score(hand, Win(tsumo=False, riichi=True), load_rules("ema2008"))
    >>> won.han, won.fu, won.points, won.yaku
    (4, 30, 11600, (('riichi', 1), ('pinfu', 1), ('tanyao', 1), ('aka', 1)))
    """
    tiles = concealed = tally(hand.concealed) + TALLIES[hand.win_tile]
    melded = 0
    closed = sets = True
    for meld in hand.melds:
        _, meld_tiles, composition, is_set, is_open = declared(meld)
        tiles += meld_tiles
        melded += composition
        closed = closed and not is_open
        sets = sets and is_set
    plan = _plan(rules, closed)
    shown = tiles + tally(win.dora_indicators) + tally(win.ura_indicators)
    sound = sets and len(hand.concealed) == 13 - 3 * len(hand.melds) and not too_many(shown, plan.room)
    found = (
        arrangements(
            concealed,
            hand.win_tile.kind,
            len(hand.melds),
            melded,
            win.tsumo,
            rules.four_alike_are_pairs,
            plan.broken and (win.tenhou or win.chiihou),
        )
        if sound
        else ()
    )
    if not found:
        raise HandError(*faults(hand, win, rules))
    alone = shown >> 8 * hand.win_tile.kind & 0xFF == 1
    possible, way = plan.way(hand, win, bool(melded >> KANS_AT & 7), alone)
    worths, best_yaku = plan.worths(hand, win, tiles, way, found)
    if worths and possible:
        return Score(max(worths) if len(worths) > 1 else worths[0], _Won(hand, win, rules, worths))
    # what no rule set but this one takes for a finished hand is none of the faults
    wrong = [fault for fault in faults(hand, win, rules) if fault.status is not HandStatus.NOT_A_WIN]
    if not worths:
        wrong.append(_too_little(hand, win, rules, best_yaku))
    raise HandError(*wrong)


def check(hand: Hand, win: Win, rules: RuleSet) -> HandStatus:
    """All that is wrong with the hand as flags, ``VALID`` where it scores.

    A hand whose tiles are no hand is not asked for yaku; one that was won in a way that cannot be has none
    only if it has none with all that is claimed.
    """
    try:
        score(hand, win, rules)
    except HandError as error:
        return error.status
    return HandStatus.VALID


# --- a rule set made ready ----------------------------------------------------------------------------------

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_Tests = tuple[tuple[int, Test], ...]
"""Tests of yaku, each with the bit of its row in the table."""

# an enum's member costs a look-up in its class each time
_STANDARD: Final = Form.STANDARD
_EAST: Final = Wind.EAST

_FIRST_HONOUR: Final = 1 << 27
_REDS_AT: Final = 8 * KINDS

_ROW_OF: Final = {yaku.id: row for row, yaku in enumerate(TABLE)}


def _bit_of(yaku_id: str) -> int:
    return 1 << _ROW_OF[yaku_id]


_PINFU: Final = _bit_of("pinfu")

_DORA_OF: Final = tuple(map(dora_of, range(FACES)))

_way_of: Final = attrgetter(
    "tsumo", "riichi", "double_riichi", "open_riichi", "ippatsu", "rinshan", "chankan", "haitei", "houtei",
    "tenhou", "chiihou", "renhou", "dealer_wins",
)  # fmt: skip


class _Counted(NamedTuple):
    """The yaku that count, of a set that was found; ``yakuman``: how many, ``base``: for them."""

    yaku: _YakuHan
    han: int
    yakuman: int
    base: int
    liable_base: int
    pinfu: bool


class _Plan:
    """A rule set made ready for concealed or for open hands, and what it has found out so far."""

    __slots__ = (
        "_bases", "_counted", "_never_alone", "_of_concealed", "_of_form", "_of_honours", "_of_kans",
        "_of_outside", "_of_runs", "_of_suit", "_of_tiles", "_of_triplets", "_of_twins", "_of_wait",
        "_of_way", "_rows", "_supersedes", "_ways", "_yakuman", "broken", "closed", "room", "rules",
    )  # fmt: skip

    def __init__(self, rules: RuleSet, closed: bool) -> None:
        self.rules = rules
        self.closed = closed
        self.room = room(rules.red_fives)
        self.broken = bool(rules.han("shiisan_budou", closed=True))
        played = [(1 << row, yaku) for row, yaku in enumerate(TABLE) if rules.han(yaku.id, closed)]
        self._rows = [(yaku.id, rules.han(yaku.id, closed)) for yaku in TABLE]
        self._yakuman = sum(bit for bit, yaku in played if rules.han(yaku.id, closed) >= YAKUMAN)
        self._supersedes = [
            (bit, sum(map(_bit_of, yaku.supersedes))) for bit, yaku in played if yaku.supersedes
        ]
        # whether the moment of the win may be the only yaku (Toudai §7.12)
        alone = rules.natural_wins_alone in (("always", "concealed") if closed else ("always",))
        self._never_alone = 0 if alone else sum(map(_bit_of, NATURAL_WINS))
        (
            self._of_way,
            self._of_tiles,
            self._of_suit,
            self._of_runs,
            self._of_twins,
            self._of_outside,
            self._of_triplets,
            self._of_honours,
            self._of_kans,
            self._of_form,
            self._of_wait,
            self._of_concealed,
        ) = (tuple((bit, yaku.test) for bit, yaku in played if yaku.of is of) for of in Of)
        self._ways: dict[tuple[object, ...], tuple[bool, int]] = {}
        self._counted: dict[tuple[int, bool], _Counted] = {}
        self._bases: dict[tuple[int, int], tuple[int, str | None]] = {}

    def way(self, hand: Hand, win: Win, kan: bool, alone: bool) -> tuple[bool, int]:
        """Whether a hand can be won in this way, and the yaku that it earns.

        ``kan``: whether one is declared; ``alone``: whether the winning tile is the only one to be seen.
        """
        key = (
            *_way_of(win),
            win.seat_wind is _EAST,
            win.tsumo and (win.loser_offset is not None or win.ron_index > 0),
            not win.ura_indicators,
            not hand.melds,
            kan,
            alone or not win.chankan,
        )
        found = self._ways.get(key)
        # who may rob a concealed kong is told by the tiles, so that nothing can be remembered of it
        if found is None or win.robbed_ankan:
            wrong = faults(hand, win, self.rules)
            facts = Facts(hand, win, self.rules, self.closed, 0, Form.STANDARD, Wait.TANKI, 0)
            found = all(fault.status in TILE_FAULTS for fault in wrong), _ask(self._of_way, facts)
            if not win.robbed_ankan:
                _remember(self._ways, key, found)
        return found

    def worths(
        self, hand: Hand, win: Win, tiles: int, way: int, found: Sequence[Arrangement]
    ) -> tuple[list[_Worth], int]:
        """What the readings with enough yaku are worth, and the most han of yaku that any has.

        ``tiles``: the tally of all tiles. ``way``: the yaku of the way of winning.
        """
        rules, closed = self.rules, self.closed
        least = _least(win, rules)
        worths: list[_Worth] = []
        most = 0
        split: object = None
        of_tiles, of_groups = -1, 0
        dora: _YakuHan | None = None
        dora_han = 0
        for one in found:
            facts = Facts(hand, win, rules, closed, tiles, one.form, one.wait, one.composition)
            if of_tiles < 0:
                of_tiles = way | _ask(self._of_tiles, facts)
                if facts.suits <= 1:
                    of_tiles |= _ask(self._of_suit, facts)
            if one.form is not _STANDARD:
                yaku = of_tiles | _ask(self._of_form, facts)
            else:
                if one.parts is not split:
                    split, of_groups = one.parts, of_tiles
                    if facts.run_count >= 3:
                        of_groups |= _ask(self._of_runs, facts)
                    if facts.runs & ~ONE_EACH:
                        of_groups |= _ask(self._of_twins, facts)
                    if not facts.inside:
                        of_groups |= _ask(self._of_outside, facts)
                    if facts.triplets:
                        of_groups |= _ask(self._of_triplets, facts)
                        if facts.triplets >= _FIRST_HONOUR:
                            of_groups |= _ask(self._of_honours, facts)
                        if facts.kans:
                            of_groups |= _ask(self._of_kans, facts)
                yaku = of_groups
                if facts.run_count == 4:
                    yaku |= _ask(self._of_wait, facts)
                elif facts.concealed_triplets >= 3:
                    yaku |= _ask(self._of_concealed, facts)
            counted = self._count(yaku, one.form is _STANDARD)
            fu = minipoints(facts, counted.pinfu)
            if counted.han > most:
                most = counted.han
            if counted.han < least:
                pass
            elif counted.yakuman:
                named, han, yakuman, base, liable, _ = counted
                worths.append(_Worth(base, yakuman, han, fu, -len(worths), "yakuman", named, liable, one))
            else:
                if dora is None:
                    dora, dora_han = self._dora(win, tiles)
                han = counted.han + dora_han
                base, limit = self._base(han, fu)
                worths.append(_Worth(base, 0, han, fu, -len(worths), limit, counted.yaku + dora, 0, one))
            for id_, name in rules.limit_hands.items():
                if BY_ID[id_].test(facts):
                    worths.append(self._limit_hand(id_, name, minipoints(facts, False), -len(worths), one))
                    most = max(most, worths[-1].han)
        return worths, most

    def _limit_hand(self, id_: str, name: str, fu: int, place: int, one: Arrangement) -> _Worth:
        """The reading as the yaku that the rules pay as that limit by itself, without all else."""
        base = LIMIT_HANDS[name]
        yakuman = int(name not in LIMITS)
        han = YAKUMAN if yakuman else self.rules.limits.get(name, YAKUMAN)
        liable = base if id_ in self.rules.liability else 0
        limit = "yakuman" if yakuman else name
        return _Worth(base, yakuman, han, fu, place, limit, ((id_, han),), liable, one)

    def _base(self, han: int, fu: int) -> tuple[int, str | None]:
        found = self._bases.get((han, fu))
        if found is None:
            found = base_points(han, fu, self.rules)
            _remember(self._bases, (han, fu), found)
        return found

    def _count(self, found: int, standard: bool) -> _Counted:
        counted = self._counted.get((found, standard))
        if counted is None:
            counted = self._count_anew(found, standard)
            _remember(self._counted, (found, standard), counted)
        return counted

    def _count_anew(self, found: int, standard: bool) -> _Counted:
        """What counts of the yaku found: those superseded do not, nor any beside a yakuman."""
        rules = self.rules
        superseded = 0
        for bit, lower in self._supersedes:
            if found & bit:
                superseded |= lower
        found &= ~superseded
        yakuman = found & self._yakuman
        if yakuman:
            counted = [self._rows[at] for at in _bits(yakuman)]
            if not rules.yakuman_add_up:
                # of equal ones that for which somebody is liable, who pays "the full value of the hand"
                counted = [max(counted, key=lambda one: (one[1], one[0] in rules.liability))]
            han = sum(han for _, han in counted)
            base = YAKUMAN_BASE * (han // YAKUMAN)
            liable = sum(YAKUMAN_BASE * han // YAKUMAN for id_, han in counted if id_ in rules.liability)
            if liable and rules.liability_whole_hand:
                liable = base
            return _Counted(tuple(counted), han, han // YAKUMAN, base, liable, False)
        if not found & ~self._never_alone:
            found = 0
        counted = [self._rows[at] for at in _bits(found)]
        if rules.honroutou_with_chanta and standard and found & _bit_of("honroutou"):
            counted.append(("chanta", rules.han("chanta", closed=False)))
        han = sum([han for _, han in counted])
        return _Counted(tuple(counted), han, 0, 0, 0, bool(found & _PINFU))

    def _dora(self, win: Win, tiles: int) -> tuple[_YakuHan, int]:
        """``dora``, ``aka``, ``ura`` with their han, those of none left out, and all their han.

        Source: EMA 2008 §4.1, Toudai §3.3.
        """
        rules = self.rules
        if not (self.closed or rules.dora_open_hands):
            return (), 0
        counts = tiles.to_bytes(FACES, "little")
        dora = ura = 0
        for indicator in win.dora_indicators if rules.kan_dora else win.dora_indicators[:1]:
            dora += counts[_DORA_OF[indicator]]
        if win.ura_indicators and rules.ura_dora:
            for indicator in win.ura_indicators if rules.kan_dora else win.ura_indicators[:1]:
                ura += counts[_DORA_OF[indicator]]
        aka = (tiles >> _REDS_AT) % 255  # the sum of the bytes
        found: _YakuHan = (("dora", dora),) if dora else ()
        if aka:
            found += (("aka", aka),)
        if ura:
            found += (("ura", ura),)
        return found, dora + aka + ura


def _bits(number: int) -> Iterator[int]:
    """Which bits are set, lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number -= lowest


def _remember(known: dict[_Key, _Value], key: _Key, value: _Value) -> None:
    """Keep the value; where there are very many, forget the others."""
    if len(known) >= _MOST:
        known.clear()
    known[key] = value


def _ask(tests: _Tests, facts: Facts) -> int:
    """The bits of the yaku that the reading has."""
    found = 0
    for bit, test in tests:
        if test(facts):
            found |= bit
    return found


_PLANS: Final[dict[tuple[int, bool], _Plan]] = {}
_MOST_PLANS: Final = 64
_MOST: Final = 1 << 14
"""How many plans are kept, and how many answers to each of their questions."""


def _plan(rules: RuleSet, closed: bool) -> _Plan:
    """The rule set made ready; by identity, since its tables cannot be hashed and a plan keeps its rules."""
    found = _PLANS.get((id(rules), closed))
    if found is None:
        if len(_PLANS) >= _MOST_PLANS:
            _PLANS.clear()
        found = _PLANS[id(rules), closed] = _Plan(rules, closed)
    return found


def _least(win: Win, rules: RuleSet) -> int:
    """Han besides dora that a win needs (EMA 2008 §3.4.11, Toudai §7.5)."""
    wins = win.dealer_wins if win.is_dealer else 0
    counted = win.honba if rules.two_han_counts == "counters" else wins
    return 2 if 0 < rules.two_han_from_honba <= counted else 1


def _too_little(hand: Hand, win: Win, rules: RuleSet, best: int) -> Fault:
    status = HandStatus.BELOW_MINIMUM if best else HandStatus.NO_YAKU
    if best:
        many = {"counters": "With this many {honba}", "dealer_wins": "After so many wins in a row"}
        needed = "a win needs {least} {han} besides {dora}, and this hand has {best}."
        sentence = f"{many[rules.two_han_counts]} {needed}"
    elif rules.natural_wins_alone != "always" and any(getattr(win, name) for name in NATURAL_WINS):
        sentence = "The moment of the win cannot be the only {yaku} in {rules}: this hand needs another."
    else:
        hint = "" if hand.is_closed else "; with open melds {riichi} and {menzen_tsumo} cannot help"
        sentence = (
            f"This hand has no {{yaku}}, and {{dora}} alone do not win{hint}:"
            " check the winds and how it was won."
        )
    return Fault(
        status, rules.vocabulary.say(sentence, least=_least(win, rules), best=best, rules=rules.name)
    )
