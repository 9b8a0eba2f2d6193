"""The door: a hand, how it was won and the rules to its score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorer.fu import FuItem, fu_items, total
from scorer.hand import Hand, Win
from scorer.payment import YAKUMAN_BASE, base_points, deltas, hand_points
from scorer.readings import Form, Reading, readings
from scorer.rules import LIMIT_HANDS, LIMITS, NATURAL_WINS, RuleSet
from scorer.status import TILE_FAULTS, Fault, HandError, HandStatus, faults
from scorer.tiles import dora_of
from scorer.yaku import BY_ID, DORA, TABLE, YAKUMAN, Case


@dataclass(frozen=True, slots=True)
class Score:
    """What a hand is worth in one reading.

    ``han``: yaku and dora as counted, 13 for each yakuman; ``fu``: rounded, None where the form has none.
    ``points``: the hand's own value without counters and bets; ``limit``: ``mangan`` … ``yakuman`` or None.
    ``yakuman``: how many are paid; ``yaku``: (id, han), dora kinds last, in the order of the table.
    ``deltas``: (winner, next player, across, previous) with counters and bets; None if the discarder is open.
    ``other_readings``: the readings that were not chosen, best first.
    """

    han: int
    fu: int | None
    points: int
    limit: str | None
    yakuman: int
    yaku: tuple[tuple[str, int], ...]
    fu_items: tuple[FuItem, ...]
    deltas: tuple[int, int, int, int] | None
    reading: Reading
    other_readings: tuple[Score, ...] = ()


def score(hand: Hand, win: Win, rules: RuleSet) -> Score:
    """The best score of the hand: of all readings the best payment, then more han, then more fu.

    Raises :class:`scorer.status.HandError` with all that is wrong where the hand cannot be scored.

    >>> from scorer import Hand, Tile, Win, load_rules, parse_tiles
    >>> hand = Hand(parse_tiles("234m340567p2267s"), Tile.parse("8s"))
    >>> won = score(hand, Win(tsumo=False, riichi=True), load_rules("ema2008"))
    >>> won.han, won.fu, won.points, won.yaku
    (4, 30, 11600, (('riichi', 1), ('pinfu', 1), ('tanyao', 1), ('aka', 1)))
    """
    wrong = list(faults(hand, win, rules))
    enough: list[Score] = []
    found: tuple[Reading, ...] = ()
    if not any(fault.status & TILE_FAULTS & ~HandStatus.NOT_A_WIN for fault in wrong):
        found = _readings(hand, win, rules)
    if found:
        # what no rule set but this one takes for a finished hand
        wrong = [fault for fault in wrong if fault.status is not HandStatus.NOT_A_WIN]
        cases = [Case(hand, win, reading, rules) for reading in found]
        scored = [one for case in cases for one in (_score_reading(case), *_limit_hands(case))]
        least = _least_han(win, rules)
        enough = [one for one in scored if _yaku_han(one) >= least]
        if not enough:
            wrong.append(_too_little(hand, win, rules, max(map(_yaku_han, scored)), least))
    if wrong:
        raise HandError(*wrong)
    best, *others = sorted(enough, key=lambda one: (one.points, one.han, one.fu or 0), reverse=True)
    return replace(best, other_readings=tuple(one for one in others if one.reading is not best.reading))


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


def _yaku_han(scored: Score) -> int:
    """Han without dora."""
    return sum(han for id_, han in scored.yaku if id_ not in DORA)


def _readings(hand: Hand, win: Win, rules: RuleSet) -> tuple[Reading, ...]:
    broken = bool(rules.han("shiisan_budou", closed=True)) and (win.tenhou or win.chiihou)
    return readings(hand, win.tsumo, four_alike_are_pairs=rules.four_alike_are_pairs, broken=broken)


def _score_reading(case: Case) -> Score:
    win, rules = case.win, case.rules
    yaku = _counted_yaku(case, rules)
    items = _fu_items(case, any(id_ == "pinfu" for id_, _ in yaku))
    fu = total(items)
    limit: str | None = "yakuman"
    yakuman = sum(han for _, han in yaku if han >= YAKUMAN) // YAKUMAN
    liable_base = 0
    if yakuman:
        base = YAKUMAN_BASE * yakuman
        liable_base = sum(YAKUMAN_BASE * han // YAKUMAN for id_, han in yaku if id_ in rules.liability)
        if liable_base and rules.liability_whole_hand:
            liable_base = base
    else:
        yaku += _dora(case, rules)
        base, limit = base_points(sum(han for _, han in yaku), fu, rules)
    return Score(
        han=sum(han for _, han in yaku),
        fu=fu or None,
        points=hand_points(base, win.tsumo, win.is_dealer),
        limit=limit,
        yakuman=yakuman,
        yaku=yaku,
        fu_items=items,
        deltas=deltas(win, base, liable_base, rules),
        reading=case.reading,
    )


def _limit_hands(case: Case) -> Iterator[Score]:
    """The hand as each of the yaku that the rules pay as a limit by itself, without all else."""
    win, rules = case.win, case.rules
    for id_, limit in rules.limit_hands.items():
        if not BY_ID[id_].test(case):
            continue
        yakuman = int(limit not in LIMITS)
        han = YAKUMAN if yakuman else rules.limits.get(limit, YAKUMAN)
        base = LIMIT_HANDS[limit]
        items = _fu_items(case, False)
        yield Score(
            han=han,
            fu=total(items) or None,
            points=hand_points(base, win.tsumo, win.is_dealer),
            limit="yakuman" if yakuman else limit,
            yakuman=yakuman,
            yaku=((id_, han),),
            fu_items=items,
            deltas=deltas(win, base, base if id_ in rules.liability else 0, rules),
            reading=case.reading,
        )


def _fu_items(case: Case, pinfu: bool) -> tuple[FuItem, ...]:
    return () if case.reading.form is Form.THIRTEEN_BROKEN else fu_items(case, pinfu, case.rules)


def _counted_yaku(case: Case, rules: RuleSet) -> tuple[tuple[str, int], ...]:
    """The yaku that count with their han: those superseded left out, and only yakuman where there is one."""
    found = {}
    superseded: set[str] = set()
    for yaku in TABLE:
        han = rules.han(yaku.id, case.closed)
        if han and yaku.test(case):
            found[yaku.id] = han
            superseded.update(yaku.supersedes)
    if rules.honroutou_with_chanta and "honroutou" in found and case.reading.form is Form.STANDARD:
        found["chanta"] = rules.han("chanta", closed=False)
    counted = tuple((id_, han) for id_, han in found.items() if id_ not in superseded)
    if found.keys() <= set(NATURAL_WINS) and not _natural_win_alone(case):
        return ()
    yakuman = tuple((id_, han) for id_, han in counted if han >= YAKUMAN)
    if yakuman and not rules.yakuman_add_up:
        # of equal ones that for which somebody is liable, since its feeder pays "the full value of the hand"
        return (max(yakuman, key=lambda one: (one[1], one[0] in rules.liability)),)
    return yakuman or counted


def _natural_win_alone(case: Case) -> bool:
    """Whether the moment of the win may be the only yaku (Toudai §7.12)."""
    return case.rules.natural_wins_alone in (("always", "concealed") if case.closed else ("always",))


def _dora(case: Case, rules: RuleSet) -> tuple[tuple[str, int], ...]:
    """``dora``, ``aka``, ``ura`` with their han, those of none left out (EMA 2008 §4.1, Toudai §3.3)."""
    win = case.win
    if not (case.closed or rules.dora_open_hands):
        return ()
    opened = None if rules.kan_dora else 1
    found = (
        ("dora", sum(case.counts[dora_of(indicator)] for indicator in win.dora_indicators[:opened])),
        ("aka", sum(tile.is_red for tile in case.hand.tiles)),
        ("ura", sum(case.counts[dora_of(indicator)] for indicator in win.ura_indicators[:opened])),
    )
    return tuple((id_, han) for id_, han in found if han and (id_ != "ura" or rules.ura_dora))


def _least_han(win: Win, rules: RuleSet) -> int:
    """Han besides dora that a win needs (EMA 2008 §3.4.11, Toudai §7.5)."""
    wins = win.dealer_wins if win.is_dealer else 0
    counted = win.honba if rules.two_han_counts == "counters" else wins
    return 2 if 0 < rules.two_han_from_honba <= counted else 1


def _too_little(hand: Hand, win: Win, rules: RuleSet, best: int, least: int) -> Fault:
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
    return Fault(status, rules.vocabulary.say(sentence, least=least, best=best, rules=rules.name))
