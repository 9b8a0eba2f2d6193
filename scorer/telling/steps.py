"""The steps of the lesson about a finished hand: what counts, and what nearly did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from scorer.fu import FuItem
from scorer.hand import OTHERS, Hand, Win, seat_at
from scorer.payment import NO_FU, STICK, YAKUMAN_BASE, base_points, hand_points, shares
from scorer.readings import Form, Group, GroupType, Reading, Wait, waits
from scorer.rules import LIMIT_HANDS, LIMITS, RuleSet
from scorer.score import Score
from scorer.shapes import tally, unmarked_reds
from scorer.status import HandStatus
from scorer.telling.catalogue import SEVERAL
from scorer.telling.evidence import NEVER_OPEN, groups_of
from scorer.telling.near import (
    Change,
    ChangeKind,
    NearMiss,
    all_readings,
    as_closed,
    closed_with_riichi,
    held_yaku,
    least,
    with_riichi,
)
from scorer.telling.sentence import Grid, Line, Name, Sentence, Step, StepKind, Tiles, Unit, Value, say
from scorer.tiles import DRAGONS, KINDS, NORTH, TILES, WINDS, YAOCHUU, Tile, dora_of
from scorer.wait_values import scored
from scorer.words import VOCABULARIES, value_in_words
from scorer.yaku import DORA, NATURAL_WINS


def worth(won: Score, rules: RuleSet) -> str:
    """The value of a score, as players of the rules say it."""
    words = VOCABULARIES[rules.words]
    return value_in_words(won.han, won.fu, won.points, won.limit, won.yakuman, words)


WAIT_TERMS: Final = {
    Wait.RYANMEN: "ryanmen",
    Wait.KANCHAN: "kanchan",
    Wait.PENCHAN: "penchan",
    Wait.SHANPON: "shanpon",
    Wait.TANKI: "tanki",
    Wait.KOKUSHI: "tanki",
    Wait.KOKUSHI_13: "thirteen_sided",
}
_GROUP_TERMS: Final = {
    GroupType.CHI: "chow",
    GroupType.PON: "pung",
    GroupType.KAN: "kong",
    GroupType.PAIR: "pair",
}


def group_name(type_: GroupType, form: Form) -> Value:
    """The name of a group. In Japanese the pair of a standard hand has a name of its own."""
    return say("set.toitsu") if form is Form.SEVEN_PAIRS else Name(_GROUP_TERMS[type_])


Deltas = tuple[int, int, int, int]
_NATURAL: Final = (
    Wait.RYANMEN, Wait.KOKUSHI_13, Wait.KOKUSHI, Wait.SHANPON, Wait.KANCHAN, Wait.PENCHAN, Wait.TANKI,
)  # fmt: skip
"""The waits in the order in which players notice them."""

_PLAYERS: Final = {1: "next_player", 2: "across", 3: "previous_player"}
_RIICHI: Final = ("open_riichi", "double_riichi", "riichi")
_COLUMNS: Final = (1, 2, 3, 4)
_SCORED_FU: Final = (20, 25, *range(30, 120, 10))
"""The minipoints that hands can have."""


@dataclass(frozen=True, slots=True)
class HandSteps:
    """The steps about one finished hand."""

    hand: Hand
    win: Win
    rules: RuleSet
    misses: tuple[NearMiss, ...]

    def of(self, won: Score) -> tuple[Step, ...]:
        """All steps about a score, without empty ones."""
        steps = (
            Step(StepKind.HAND, tuple(self._groups(won.reading))),
            Step(StepKind.WAIT, tuple(self._wait(won.reading))),
            Step(StepKind.YAKU, tuple(self._yaku(won))),
            Step(StepKind.DORA, tuple(self._dora(won))),
            Step(StepKind.FU, tuple(self._fu(won))),
            Step(StepKind.LOOKUP, tuple(self._lookup(won)), self._table(won)),
            Step(StepKind.PAYMENT, (*self._payment(won), *self._chips(won))),
            Step(StepKind.READINGS, tuple(self._readings(won))),
            Step(StepKind.CHOICE, (*self._riichi(won), *self._missed(self.misses, choice=True))),
            Step(StepKind.LUCK, tuple(self._missed(self.misses, choice=False))),
        )
        return tuple(step for step in steps if step.lines)

    def without_yaku(self, status: HandStatus) -> tuple[Step, ...]:
        """The steps about a finished hand without enough yaku: what is missing, and how to get it."""
        reading = all_readings(self.hand, self.win, self.rules)[0]
        cheapest = self._cheapest()
        shown = cheapest.change if isinstance(cheapest, NearMiss) else None
        rest = tuple(miss for miss in self.misses if shown is None or miss.change != shown)
        steps = (
            Step(StepKind.HAND, tuple(self._groups(reading))),
            Step(StepKind.WAIT, tuple(self._wait(reading))),
            Step(StepKind.NO_YAKU, tuple(self._no_yaku(status, cheapest))),
            Step(StepKind.CHOICE, tuple(self._missed(rest, choice=True))),
            Step(StepKind.LUCK, tuple(self._missed(rest, choice=False))),
        )
        return tuple(step for step in steps if step.lines)

    # --- the tiles ------------------------------------------------------------------------------------------

    def _groups(self, reading: Reading) -> Iterator[Line]:
        yield Line(say(f"form.{reading.form}"))
        for at, group in enumerate(reading.groups):
            sentence = self._group(group, reading.form, at == reading.win_group)
            yield Line(sentence, groups=(group.tiles,), turned=self._turned(group))

    def _turned(self, group: Group) -> tuple[int, ...]:
        """The tiles that lie sideways in a called set."""
        sideways = (meld.turned for meld in self.hand.melds if sorted(meld.tiles) == sorted(group.tiles))
        return next(sideways, ()) if group.melded else ()

    def _group(self, group: Group, form: Form, finished: bool) -> Sentence:
        if group.type is GroupType.ORPHANS:
            return say("group.orphans", tile=(self.hand.win_tile,))
        set_ = group_name(group.type, form)
        if group.melded:
            return say("group.declared" if group.concealed else "group.called", set=set_)
        if not finished:
            return say("group.plain", set=set_)
        kind = "group.finished" if group.concealed else "group.finished_open"
        return say(kind, set=set_, tile=(self.hand.win_tile,))

    def _wait(self, reading: Reading) -> Iterator[Line]:
        waited = waits(self.hand.concealed, self.hand.melds)
        if reading.form is Form.THIRTEEN_BROKEN:
            return
        yield Line(say("wait.tiles", tiles=waited))
        before = list(reading.groups[reading.win_group].tiles)
        before.remove(self.hand.win_tile)
        yield Line(say(f"wait.{reading.wait}", tile=(self.hand.win_tile,)), groups=(tuple(before),))

    # --- han ------------------------------------------------------------------------------------------------

    def _yaku(self, won: Score) -> Iterator[Line]:
        for id_, han in won.yaku:
            if id_ not in DORA:
                yield Line(
                    self._rule(id_),
                    groups_of(id_, self.hand, self.win, won.reading, self.rules),
                    han,
                    Unit.HAN,
                    self._source(id_),
                    Name(id_),
                )
        yield from self._no_value(won.reading)
        yield from self._lost()

    def _no_value(self, reading: Reading) -> Iterator[Line]:
        """Why a triplet of winds earns nothing: it is neither the seat wind nor the round wind."""
        win = self.win
        for group in reading.groups:
            if group.type not in (GroupType.PON, GroupType.KAN) or group.kind not in WINDS:
                continue
            if group.kind in (win.seat_kind, win.round_wind.kind):
                continue
            wind, round_ = _wind("ESWN"[group.kind % 9]), _wind(win.round_wind)
            if win.seat_wind is None:
                sentence = say("wind.not_round", wind=wind, round=round_)
            else:
                sentence = say("wind.no_value", wind=wind, seat=_wind(win.seat_wind), round=round_)
            yield Line(sentence, (group.tiles,))

    def _lost(self) -> Iterator[Line]:
        """The yaku that the calls cost, because they need a closed hand."""
        if self.hand.is_closed:
            return
        hand, win, rules = self._held
        closed = scored(as_closed(hand), replace(win, pao=None), rules)
        here = (*held_yaku(hand, win, rules), *DORA)
        names = [id_ for id_, _ in closed.yaku if id_ not in here] if closed else []
        if lost := tuple(Name(id_) for id_ in names if not rules.han(id_, closed=False)):
            yield Line(say("calls.lost_one" if len(lost) == 1 else "calls.lost", yaku=lost))

    @property
    def _held(self) -> tuple[Hand, Win, RuleSet]:
        return self.hand, self.win, self.rules

    def _rule(self, id_: str) -> Sentence:
        """The rule of a yaku, with the han of open hands under the rule set."""
        rule = Sentence(f"rule.{id_}")
        closed, opened = self.rules.han(id_, closed=True), self.rules.han(id_, closed=False)
        if id_ in self.rules.limit_hands or (not opened and id_ in NEVER_OPEN):
            return rule
        if not opened:
            return say("yaku.only_concealed", rule=rule)
        return say("yaku.less_open", rule=rule, closed=closed, open=opened) if opened < closed else rule

    def _source(self, id_: str) -> str:
        return self.rules.cite.get(id_) or self.rules.row(id_).source

    def _dora(self, won: Score) -> Iterator[Line]:
        """A line for each indicator and for the red fives. A line without han has the reason."""
        rules, no_dora = self.rules, self._why_no_dora(won)
        no_ura = None if rules.ura_dora else "dora.no_ura"
        for id_, indicators, count, not_played in (
            ("dora", self.win.dora_indicators, self.win.dora_count, None),
            ("ura", self.win.ura_indicators, self.win.ura_count, no_ura),
        ):
            why = [
                no_dora or not_played or ("dora.first_only" if at and not rules.kan_dora else None)
                for at in range(len(indicators))
            ]
            reasons = zip(indicators, why, strict=True)
            shown = [(one, reason if self._dora_of(one) else None) for one, reason in reasons]
            for (indicator, reason), times in Counter(shown).items():
                yield self._indicator(id_, indicator, reason, times)
            if count:
                sentence, han = _with_reason(no_dora or not_played, say("dora.told"), count)
                yield Line(sentence, (), han, Unit.HAN, self._source_of_dora(id_), Name(id_))
        reds = tuple(tile for tile in self.hand.tiles if tile.is_red)
        if reds:
            sentence, han = _with_reason(no_dora, say("dora.red"), len(reds))
            groups = tuple((tile,) for tile in reds)
            yield Line(sentence, groups, han, Unit.HAN, _source_of_reds(rules), Name("aka"))
        hidden = unmarked_reds(tally(self.hand.tiles), rules.red_fives)
        for suit, many in enumerate(hidden):
            if many:
                red = TILES[KINDS + suit]
                tiles = tuple(tile for tile in self.hand.tiles if tile.kind == red.kind)
                sentence, han = _with_reason(no_dora, say("dora.hidden_red", tiles=tiles), many)
                yield Line(sentence, ((red,),) * many, han, Unit.HAN, _source_of_reds(rules), Name("aka"))
        if self.win.nukidora:
            sentence, han = _with_reason(no_dora, say("dora.set_aside"), self.win.nukidora)
            norths = (self._norths,) if self._norths else ()
            yield Line(sentence, norths, han, Unit.HAN, rules.cite.get("nukidora", ""), Name("nukidora"))

    @property
    def _norths(self) -> Tiles:
        """The norths that three players set aside. They can also be dora of an indicator."""
        return (TILES[NORTH],) * self.win.nukidora if self.rules.players == 3 else ()

    def _dora_of(self, indicator: Tile) -> Tiles:
        """The tiles of the hand that are dora of an indicator."""
        kind = dora_of(indicator, self.rules.players)
        return tuple(tile for tile in (*self.hand.tiles, *self._norths) if tile.kind == kind)

    def _indicator(self, id_: str, indicator: Tile, reason: str | None, times: int) -> Line:
        """A line about the dora of an indicator. ``reason``: why they do not count, or None.

        ``times``: how many equal indicators there are.
        """
        kind = dora_of(indicator, self.rules.players)
        tiles = self._dora_of(indicator)
        source = self._source_of_dora(id_)
        if not tiles:
            sentence = say("dora.absent", indicator=(indicator,), dora=(TILES[kind],))
            return Line(sentence, (), 0, Unit.HAN, source, Name(id_))
        sentence = say("dora.indicator", indicator=(indicator,), dora=(TILES[kind],))
        if times > 1:
            sentence = say("dora.again", sentence=sentence, times=times)
        sentence, han = _with_reason(reason, sentence, len(tiles) * times)
        return Line(sentence, (tiles,), han, Unit.HAN, source, Name(id_))

    def _source_of_dora(self, id_: str) -> str:
        return self.rules.cite.get("ura_dora" if id_ == "ura" else "kan_dora", "")

    def _why_no_dora(self, won: Score) -> str | None:
        """The id of the message why no dora counts; None if they do."""
        if won.yakuman or self._limit_hand(won):
            return "dora.beside_yakuman"
        return None if self.hand.is_closed or self.rules.dora_open_hands else "dora.open_hand"

    # --- minipoints and the table ---------------------------------------------------------------------------

    def _fu(self, won: Score) -> Iterator[Line]:
        if won.yakuman or self._limit_hand(won) or not won.fu_items:
            return
        lines = tuple(self._earned(won))
        yield from lines
        if len(lines) > 1:
            yield Line(say("fu.sum"), (), won.fu, Unit.FU, self.rules.cite.get("fu", ""), total=True)
        if won.limit and base_points(won.han, 20, self.rules) == base_points(won.han, 110, self.rules):
            yield Line(say("fu.no_matter", han=won.han))

    def _earned(self, won: Score) -> Iterator[Line]:
        """The minipoints of each part of the hand, in the order of the tiles, including parts without any."""
        reading, items = won.reading, list(won.fu_items)
        if reading.form is not Form.STANDARD:
            yield from map(_item, items)
            return

        def next_items(many: int) -> Iterator[Line]:
            yield from map(_item, items[:many])
            del items[:many]

        runs = tuple(group.tiles for group in reading.groups if group.type is GroupType.CHI)
        pair = next(group for group in reading.groups if group.type is GroupType.PAIR)
        yield from next_items(2 if self.hand.is_closed and not self.win.tsumo else 1)
        if runs:
            yield _nothing(say("fu.chow" if len(runs) == 1 else "fu.chows"), *runs)
        yield from next_items(4 - len(runs))
        if pair.kind in (*DRAGONS, self.win.seat_kind, self.win.round_wind.kind):
            yield from next_items(1)
        else:
            wind = TILES[pair.kind].suit == "z"
            kind = "wind" if wind else "terminals" if pair.kind in YAOCHUU else "simples"
            yield _nothing(say(f"fu.pair_{kind}"), pair.tiles)
        if reading.wait in VOCABULARIES[self.rules.words].waits:
            yield from next_items(1)
        else:
            yield _nothing(say("fu.wait", wait=Name(WAIT_TERMS[reading.wait])))
        if self.win.tsumo and any(id_ == "pinfu" for id_, _ in won.yaku):
            yield _nothing(say("fu.waived"), (self.hand.win_tile,))
        yield from next_items(len(items))

    def _limit_hand(self, won: Score) -> str | None:
        """The fixed limit that the rules pay for the only yaku; None if the hand pays by han."""
        (id_, _), *others = won.yaku
        limit = None if others else self.rules.limit_hands.get(id_)
        win = self.win
        paid = limit and hand_points(LIMIT_HANDS[limit], win.tsumo, win.is_dealer, self.rules)
        return limit if paid == won.points else None

    def _base(self, won: Score) -> int:
        if limit := self._limit_hand(won):
            return LIMIT_HANDS[limit]
        if won.yakuman:
            return YAKUMAN_BASE * won.yakuman
        return base_points(won.han, won.fu or 0, self.rules)[0]

    def _lookup(self, won: Score) -> Iterator[Line]:
        base = self._base(won)
        fu = won.fu or NO_FU
        doubled = fu << (won.han + 2)
        limit, cite = self._limit_hand(won), self.rules.cite
        if limit:
            ((id_, _),) = won.yaku
            sentence = say("lookup.limit_hand", yaku=Name(id_), limit=Name(limit), base=base)
            yield Line(sentence, source=cite.get("limit_hands", ""))
        elif won.yakuman:
            yield Line(say("lookup.yakuman", times=won.yakuman, base=base))
        elif won.limit and won.han >= self.rules.limits.get(won.limit, won.han + 1):
            sentence = say("lookup.limit", han=won.han, limit=Name(won.limit), base=base)
            yield Line(sentence, source=cite.get("limits", ""))
        else:
            yield Line(say("lookup.base", fu=fu, han=won.han, times=won.han + 2, base=doubled))
            if won.limit:
                kind, why = ("capped", "limits") if doubled > base else ("kiriage", "kiriage_mangan")
                sentence = say(f"lookup.{kind}", limit=Name(won.limit), base=base)
                yield Line(sentence, source=cite.get(why, ""))
        yield self._shares(won, base)

    def _shares(self, won: Score, base: int) -> Line:
        """The line from base points to payments, with rounding."""
        times = 6 if self.win.is_dealer else 4
        if not self.win.tsumo:
            kind = "lookup.ron_dealer" if self.win.is_dealer else "lookup.ron"
            sentence = say(kind, times=times, exact=_rounded(base * times))
        else:
            dealer, rules = self.win.is_dealer, self.rules
            double = shares(base, dealer, replace(rules, fourth_share="lost"))[0]
            of = "_three" if rules.players == 3 else ""
            if dealer:
                sentence = say(f"lookup.tsumo_dealer{of}", each=_rounded(base * 2))
            else:
                sentence = say(f"lookup.tsumo{of}", double=_rounded(base * 2), single=_rounded(base))
            if half := shares(base, dealer, rules)[0] - double:
                sentence = say("lookup.split", sentence=sentence, half=half)
            if self._liable(won):
                sentence = say("lookup.liable", sentence=sentence)
        return Line(sentence, amount=won.points, unit=Unit.POINTS)

    def _table(self, won: Score) -> Grid:
        """The part of the score table around the hand; from mangan on, the table of limits."""
        by_itself = self._limit_hand(won)
        if won.limit is None and by_itself is None:
            return self._fu_table(won.han, won.fu or NO_FU)
        bases = {Name(id_): LIMITS[id_] for id_ in self.rules.limits} | {Name("yakuman"): YAKUMAN_BASE}
        here = Name(by_itself or won.limit or "")
        if by_itself:
            bases.setdefault(Name(by_itself), LIMIT_HANDS[by_itself])
        rows: list[tuple[Value, ...]] = [
            (name, self._from_han(name.id), self._cell(base)) for name, base in bases.items()
        ]
        at = list(bases).index(here)
        if won.yakuman > 1 and not by_itself:
            many = say("amount.yakumans", times=won.yakuman)
            rows.append((many, "–", self._cell(YAKUMAN_BASE * won.yakuman)))
            at = len(rows) - 1
        head = (say("table.limit"), say("table.from_han"), say("table.pays"))
        return Grid(head, tuple(rows), (at, 2))

    def _from_han(self, limit: str) -> Value:
        """The least han of a limit. Mangan also lists fewer han with many fu."""
        if limit not in self.rules.limits:
            return "–"
        from_han = self.rules.limits[limit]
        cell: Value = str(from_han)
        for han in range(from_han - 1, 0, -1):
            enough = (fu for fu in _SCORED_FU if base_points(han, fu, self.rules)[1] == limit)
            if not (least := next(enough, 0)):
                break
            cell = say("table.or_fu", first=cell, han=han, fu=least)
        return cell

    def _fu_table(self, han: int, fu: int) -> Grid:
        """The rows around ``fu`` for 1 to 4 han. The 25 of seven pairs have a table of one row."""
        rounded = (25,) if fu == 25 else tuple(row for row in range(20, 180, 10) if self._can_be(row, 4))
        at = rounded.index(fu)
        near = rounded[max(0, at - 1) : at + 2]
        columns = _COLUMNS if han in _COLUMNS else (han - 1, han, han + 1)  # more where there are no limits
        rows = tuple(
            (
                row,
                *(
                    self._cell(base_points(column, row, self.rules)[0]) if self._can_be(row, column) else "–"
                    for column in columns
                ),
            )
            for row in near
        )
        head = (say("table.corner"), *(say("table.han", han=column) for column in columns))
        return Grid(head, rows, (near.index(fu), 1 + columns.index(han)))

    def _can_be(self, fu: int, han: int) -> bool:
        """Whether a hand can have this fu and han. 25 fu are seven pairs, with two han. 20 fu are pinfu by
        tsumo, with two han, or an open hand under rules without extra minipoints for it."""
        if fu == 25:
            return han >= 2
        return fu > 20 or not self.rules.open_pinfu_fu or (self.win.tsumo and han >= 2)

    def _cell(self, base: int) -> Value:
        """The payments for a base in the table: by ron, or of each player for a self-draw."""
        if not self.win.tsumo:
            return hand_points(base, False, self.win.is_dealer, self.rules)
        double, single = shares(base, self.win.is_dealer, self.rules)[:2]
        return say("table.all", points=double) if self.win.is_dealer else f"{single:,}/{double:,}"

    # --- who pays -------------------------------------------------------------------------------------------

    def _payment(self, won: Score) -> Iterator[Line]:
        """A line for each payer, one for the riichi sticks, and the total of the winner."""
        win = self.win
        known = self._deltas(won, win)
        plain = self._deltas(won, replace(win, honba=0, riichi_sticks=0))
        liable = self._liable(won)
        if win.tsumo and win.seat_wind is None and not liable:
            yield from self._by_role(known, plain)
            yield from self._taken(known)
            return
        for offset in OTHERS[self.rules.players]:
            if known[offset]:
                known_by_seat = won.deltas or offset == liable
                who = self._payer(offset, offset == liable) if known_by_seat else say("payment.discarder")
                yield self._pays(who, -known[offset], plain[offset] - known[offset])
        yield from self._taken(known)

    def _chips(self, won: Score) -> Iterator[Line]:
        """The chips that each payer gives, if the rules have chips."""
        if won.chips:
            source = self.rules.cite.get("chips", "")
            yield Line(say("payment.chips"), amount=won.chips, unit=Unit.CHIPS, source=source)

    def _by_role(self, known: Deltas, plain: Deltas) -> Iterator[Line]:
        """The payments of dealer and non-dealers for a self-draw by a winner of unknown seat."""
        dealer, *others = sorted(OTHERS[self.rules.players], key=lambda offset: known[offset])
        each, counters = -known[others[0]], plain[others[0]] - known[others[0]]
        yield self._pays(say("payment.dealer"), -known[dealer], plain[dealer] - known[dealer])
        if len(others) == 1:
            yield self._pays(say("payment.other"), each, counters)
            return
        sentence = say("payment.others", each=each)
        if counters:
            sentence = say("payment.others_counters", each=each, counters=self._counters, points=counters)
        yield Line(sentence, amount=each * len(others), unit=Unit.POINTS)

    @property
    def _counters(self) -> Sentence:
        many = self.win.honba
        return say("count.counter") if many == 1 else say("count.counters", many=many)

    def _pays(self, who: Sentence, points: int, counters: int) -> Line:
        sentence = say("payment.pays", who=who)
        if counters:
            sentence = say("payment.pays_counters", who=who, counters=self._counters, points=counters)
        return Line(sentence, amount=points, unit=Unit.POINTS)

    def _taken(self, known: Deltas) -> Iterator[Line]:
        """The riichi sticks from the table, and the total of the winner."""
        win = self.win
        if win.riichi_sticks:
            one = say("payment.bets")
            sentence = one if win.riichi_sticks == 1 else say("payment.many_bets", sticks=win.riichi_sticks)
            yield Line(sentence, amount=STICK * win.riichi_sticks, unit=Unit.POINTS)
        yield Line(say("payment.total", points=known[0]))

    def _deltas(self, won: Score, win: Win) -> Deltas:
        """Gains and losses of all players. An unknown discarder counts as a player who is not liable."""
        if won.deltas is None:
            win = replace(win, loser_offset=3 if self.win.pao == 1 else 1)
        alone = scored(self.hand, win, self.rules)
        assert alone is not None and alone.deltas is not None  # fewer counters ask for no more yaku
        return alone.deltas

    def _liable(self, won: Score) -> int | None:
        """The player whose liability changes who pays."""
        other = self._deltas(won, self.win) != self._deltas(won, replace(self.win, pao=None))
        return self.win.pao if other else None

    def _payer(self, offset: int, liable: bool) -> Sentence:
        mine, player = self.win.seat_wind, Name(_PLAYERS[offset])
        if mine is None:
            who = say("payment.side", player=player)
        else:
            seat = say(f"seat.{seat_at(mine, offset, self.rules.players)}")
            who = say("payment.player", player=player, seat=seat)
        return say("payment.liable", who=who) if liable else who

    # --- other readings and near misses ---------------------------------------------------------------------

    def _readings(self, won: Score) -> Iterator[Line]:
        """The other readings of the hand with their values; those without a yaku last."""
        others = {other.reading: other for other in won.other_readings}
        known = all_readings(self.hand, self.win, self.rules)
        unscored = [one for one in known if one != won.reading and one not in others]
        if not others and not unscored:
            return
        yield Line(say("readings.best", ways=1 + len(others) + len(unscored)))
        for reading, other in others.items():
            values: dict[str, Value] = {
                "wait": Name(WAIT_TERMS[reading.wait]),
                "worth": worth(other, self.rules),
            }
            kind = "readings.less" if other.points < won.points else "readings.same"
            yield Line(Sentence(kind, values), groups=reading_apart(reading, self.hand.win_tile), won=True)
        alike = [reading for reading, other in others.items() if other.points == won.points]
        if alike:
            natural = min((won.reading, *alike), key=lambda one: _NATURAL.index(one.wait))
            sentence = say("readings.natural", wait=Name(WAIT_TERMS[natural.wait]))
            yield Line(sentence, groups=reading_apart(natural, self.hand.win_tile), won=True)
        for reading in unscored:
            sentence = say("readings.no_yaku", wait=Name(WAIT_TERMS[reading.wait]))
            yield Line(sentence, reading_apart(reading, self.hand.win_tile), won=True)

    def _missed(self, misses: Iterable[NearMiss], *, choice: bool) -> Iterator[Line]:
        """A line for each change with all its yaku: the choices of the player, or those of luck."""
        by_change: dict[Change, list[NearMiss]] = {}
        for miss in misses:
            if _is_choice(miss.change, self.win) is choice:
                by_change.setdefault(miss.change, []).append(miss)
        for same_change in by_change.values():
            first, *others = same_change
            line = self._near(first, alone=not others)
            if others:
                cited = dict.fromkeys(self._source(one.yaku) for one in same_change)
                names = tuple(Name(one.yaku) for one in same_change)
                line = replace(line, label=names, source=SEVERAL.join(filter(None, cited)))
            yield line

    def _near(self, miss: NearMiss, *, alone: bool) -> Line:
        values: dict[str, Value] = {"worth": worth(miss.score, self.rules)}
        change = miss.change
        if change.out:
            values |= {"out": change.out, "into": change.into}
        sentence = Sentence(f"near.{change.kind}", values)
        if miss.before and alone:
            sentence = say("near.closed_more", **values, han=miss.han, before=miss.before)
        return Line(sentence, source=self._source(miss.yaku), label=Name(miss.yaku))

    def _riichi(self, won: Score) -> Iterator[Line]:
        """What riichi would have added, or what it has added."""
        win = self.win
        if change := with_riichi(self.hand, win):
            then = scored(self.hand, change.win, self.rules)
            if then is None or won.yakuman:
                return
            if more := then.points - won.points:
                sentence = say("riichi.more", worth=worth(then, self.rules), more=more, bet=STICK)
                if extras := self._goes_with_riichi():
                    sentence = say("riichi.luck", sentence=sentence, extras=extras)
                yield Line(sentence, source=self._source("riichi"), label=Name("riichi"))
        elif win.has_riichi:
            before = scored(self.hand, win.without_riichi(), self.rules)
            had = dict(won.yaku)
            gone = tuple(name for name in self._goes_with_riichi() if had.get(name.id))
            if before is None:
                few = held_yaku(self.hand, win.without_riichi(), self.rules)
                sentence = say("riichi.was_enough" if few else "riichi.was_needed")
            elif less := won.points - before.points:
                sentence = say("riichi.was", worth=worth(before, self.rules), less=less)
            else:
                return  # a choice that changed nothing
            if gone:
                sentence = say("riichi.gone", sentence=sentence, extras=gone)
            yield Line(sentence, label=next(Name(id_) for id_ in _RIICHI if getattr(win, id_)))
        elif not self.hand.is_closed:
            yield Line(say("riichi.open_hand"), source=self._source("riichi"), label=Name("riichi"))

    def _goes_with_riichi(self) -> tuple[Name, ...]:
        """The further han that only riichi allows under these rules: ippatsu and ura dora."""
        ippatsu = (Name("ippatsu"),) if self.rules.han("ippatsu", closed=True) else ()
        return (*ippatsu, Name("ura")) if self.rules.ura_dora else ippatsu

    def _cheapest(self) -> NearMiss | Score | None:
        """The smallest change with which the hand would have won. A score means riichi."""
        change = with_riichi(self.hand, self.win)
        declared = scored(self.hand, change.win, self.rules) if change else None
        return declared or least(self.misses)

    def _no_yaku(self, status: HandStatus, cheapest: NearMiss | Score | None) -> Iterator[Line]:
        """What is missing, and the smallest change that would have helped."""
        moment = any(getattr(self.win, id_) for id_ in NATURAL_WINS)
        if status & HandStatus.BELOW_MINIMUM:
            source = self.rules.cite.get("two_han_from_honba", "")
            counts = self.rules.two_han_counts
            many = self.win.honba if counts == "counters" else self.win.dealer_wins
            yield Line(say(f"no_yaku.{counts}", many=many), source=source)
        elif moment and self.rules.natural_wins_alone != "always":
            source = self.rules.cite.get("natural_wins_alone", "")
            yield Line(say("no_yaku.moment"), source=source)
        else:
            yield Line(say("no_yaku.finished"))
        yield from self._no_value(all_readings(*self._held)[0])
        if isinstance(cheapest, Score):
            yield Line(say("no_yaku.riichi", worth=worth(cheapest, self.rules)), label=Name("riichi"))
        elif cheapest is not None:
            alike = [one for one in self.misses if one.change == cheapest.change]
            for line in self._missed(alike, choice=_is_choice(cheapest.change, self.win)):
                yield replace(line, sentence=say("no_yaku.cheapest", way=line.sentence))
        elif (uncalled := closed_with_riichi(self.hand, self.win)) is not None:
            declared = scored(uncalled.hand, uncalled.win, self.rules)
            if declared is not None:
                sentence = say("no_yaku.closed_riichi", worth=worth(declared, self.rules))
                yield Line(sentence, label=Name("riichi"))
        if not self.hand.is_closed:
            yield from self._lost()
            yield Line(say("no_yaku.open_hand"))


def _wind(wind: str) -> Sentence:
    return say(f"wind_name.{wind}")


def _item(item: FuItem) -> Line:
    return Line(say("fu.item", reason=item.reason), (item.tiles,) if item.tiles else (), item.fu, Unit.FU)


def _nothing(sentence: Sentence, *groups: Tiles) -> Line:
    """A line for a part without minipoints."""
    return Line(sentence, groups, 0, Unit.FU)


def _rounded(exact: int) -> Sentence:
    """A payment, with the rounded number if it differs."""
    paid = -(-exact // 100) * 100
    if paid == exact:
        return say("amount.points", amount=exact)
    return say("amount.rounded", exact=exact, paid=paid)


def _is_choice(change: Change, win: Win) -> bool:
    """Whether the player could have chosen the change; a tile that never came is luck.

    Choices are riichi, not to call, another wait, or to keep a tile that the player discarded.
    """
    if change.kind in (ChangeKind.RIICHI, ChangeKind.CLOSED, ChangeKind.WAIT):
        return True
    exchanged = change.kind in (ChangeKind.EXCHANGE, ChangeKind.PAIR)
    return exchanged and all(win.discards.count(tile) >= change.into.count(tile) for tile in change.into)


def _source_of_reds(rules: RuleSet) -> str:
    return rules.cite.get("red_fives", "")


def _with_reason(reason: str | None, sentence: Sentence, han: int) -> tuple[Sentence, int]:
    """The sentence and its han; with a ``reason``, that message and no han."""
    return (say(reason, sentence=sentence), 0) if reason else (sentence, han)


def reading_apart(reading: Reading, tile: Tile, *, melds: bool = True) -> tuple[Tiles, ...]:
    """The tiles of a reading: the other groups, the group that the winning tile finishes, and that tile.

    ``melds``: whether to include the melds.
    """
    last = reading.groups[reading.win_group]
    at = next(at for at, one in enumerate(last.tiles) if one.kind == tile.kind)
    rest = last.tiles[:at] + last.tiles[at + 1 :]
    others = (one for n, one in enumerate(reading.groups) if n != reading.win_group)
    return (*(one.tiles for one in others if melds or not one.melded), rest, (tile,))
