"""The payments of a whole hand, seat by seat: one or more winners, a draw, nagashi mangan, a chombo.

Seats are the winds of *this* hand. A hand record counts players from its winner (``docs/hand.md``: 1 next, 2
across, 3 previous). Several winners would count from several seats, so payments are by seat;
:meth:`Settlement.seen_from` converts them.

With three players nobody sits North or across, and those values are 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer.declared_win import DeclaredScore, DeclaredWin
from scorer.hand import OTHERS, Win, Wind, WindText, require_type, seat_at, seats_of, wind_of, winds_of
from scorer.payment import STICK, deltas
from scorer.record import Record, parse_record
from scorer.rules import ABORTIVE_DRAWS, LIMITS, RuleSet
from scorer.score import Score, score
from scorer.status import Fault, HandError, HandStatus, no_such_player

Changes = tuple[int, int, int, int]
"""Points of East, South, West, North."""

SEATS: Final = tuple(Wind)


class SettleError(ValueError):
    """Records that are not of one and the same hand; the message is a sentence that says what differs."""


@dataclass(frozen=True, slots=True)
class Winner:
    """Who won and the score that is paid, its ``deltas`` with the counters and bets that he gets."""

    seat: Wind
    score: Score | DeclaredScore


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a hand changes. ``changes``: points of East, South, West, North; their sum is the bets taken.

    ``winners``: those who are paid, in turn after the discarder. ``unpaid``: seats whose win the rules pass
    over (head bump), or which made the hand a draw (three winners in some rules). ``sticks_left``: riichi
    bets that stay on the table. ``penalties``: points by seat that come off the final score, not off those
    on the table, and go to nobody (chombo in some rules). ``players``: how many sit at the table.
    ``aborted``: whether the hand was broken off, by an abortive draw or by three winners. ``chips``: by seat.
    """

    changes: Changes
    winners: tuple[Winner, ...] = ()
    unpaid: tuple[Wind, ...] = ()
    sticks_left: int = 0
    penalties: Changes = (0, 0, 0, 0)
    players: int = 4
    aborted: bool = False
    chips: Changes = (0, 0, 0, 0)

    def seen_from(self, seat: Wind) -> Changes:
        """The changes as a hand record counts them: (the player on ``seat``, next, across, previous)."""
        seen = [self.changes[SEATS.index(seat)], 0, 0, 0]
        for offset in OTHERS[self.players]:
            seen[offset] = self.changes[SEATS.index(seat_at(seat, offset, self.players))]
        return _four(seen)

    def to_record(self) -> dict[str, Any]:
        """The settlement as JSON values: changes, points and penalties by the letter of the seat."""
        return {
            "changes": _by_letter(self.changes, self.players),
            "winners": {str(winner.seat): winner.score.points for winner in self.winners},
            "unpaid": [str(seat) for seat in self.unpaid],
            "sticks_left": self.sticks_left,
            "penalties": {
                str(seat): points for seat, points in zip(SEATS, self.penalties, strict=True) if points
            },
            **({"chips": _by_letter(self.chips, self.players)} if any(self.chips) else {}),
        }


def _by_letter(changes: Changes, players: int) -> dict[str, int]:
    return {str(seat): change for seat, change in zip(seats_of(players), changes, strict=False)}


def settle(records: Iterable[Mapping[str, Any]]) -> Settlement:
    """What every seat gets and pays for a self-draw or for one discard with one, two or three winners.

    ``records``: a hand record for each winner, in any order, each counting from its own seat, with
    ``seat_wind`` and on a discard ``loser_offset``. All name the same rules, round, winning tile and
    ``honba``. ``riichi_sticks``: every stick on the table in one of the records, no matter in which; the
    rules say who takes it. ``ron_index`` is found from the seats.

    Raises :class:`SettleError` where the records are not of one hand, :class:`scorer.RecordError` and
    :class:`scorer.HandError` where one of them is wrong by itself.

    >>> hand = {"concealed": "123m456p78s22z444z", "win_tile": "9s", "tsumo": False, "riichi": True}
    >>> first = {**hand, "seat_wind": "W", "loser_offset": 3, "riichi_sticks": 3}
    >>> second = {**hand, "concealed": "234m567p78s33z345m", "seat_wind": "N", "loser_offset": 2}
    >>> settle([first, second]).changes
    (0, -3300, 3300, 3000)
    """
    if isinstance(records, str | Mapping) or not isinstance(records, Iterable):
        raise SettleError("records must be hand records, one for each winner: settle([first, second]).")
    return settle_wins([parse_record(record) for record in records])


def settle_wins(records: Sequence[Record | DeclaredWin]) -> Settlement:
    """The same of records that are understood."""
    wins = _in_turn(records)
    rules = wins[0].rules
    sticks = sum(one.win.riichi_sticks for one in wins)
    seats = tuple(map(_seat, wins))
    is_draw = len(wins) == 3 and rules.triple_ron_draw
    paid = wins[: 0 if is_draw else rules.winners_per_discard]
    for one in wins[len(paid) :]:  # whoever is not paid must be able to win, too
        _scored(one, one.win)
    if is_draw:
        return Settlement((0, 0, 0, 0), (), seats, sticks, aborted=True)
    winners = tuple(
        Winner(
            _seat(one),
            _scored(one, replace(one.win, ron_index=at, riichi_sticks=taken)),
        )
        for at, (one, taken) in enumerate(zip(paid, _sticks_taken(paid, sticks, rules), strict=True))
    )
    changes, chips = [0, 0, 0, 0], [0, 0, 0, 0]
    for one, winner in zip(paid, winners, strict=True):
        _add(changes, winner.seat, winner.score.deltas, rules)
        _add(chips, winner.seat, _chips_paid(one.win, winner.score.chips, rules), rules)
    return Settlement(_four(changes), winners, seats[len(paid) :], players=rules.players, chips=_four(chips))


def _chips_paid(win: Win, each: int, rules: RuleSet) -> list[int]:
    """(winner, next, across, previous) where each who pays gives so many chips."""
    payers = OTHERS[rules.players] if win.tsumo else (win.loser_offset,)
    paid = [-each if offset in payers else 0 for offset in range(4)]
    return [-sum(paid), *paid[1:]]


def settle_nagashi(
    seats: Collection[WindText], rules: RuleSet, *, honba: int = 0, riichi_sticks: int = 0
) -> Settlement:
    """What every seat gets and pays where one or more have nagashi mangan at an exhaustive draw.

    Each is paid a drawn mangan (EMA 2008 §4.2.4) in place of the noten payment. Where the rules give counters
    and bets for it too, the bets go to the first in turn from East. Raises :class:`SettleError` where the
    rules do not play it.

    >>> from scorer import Wind, load_rules
    >>> settle_nagashi([Wind.WEST], load_rules("tenhou")).changes
    (-4000, -2000, 8000, -2000)
    """
    _need_rules(rules)
    seats = _at_the_table("seats", seats, rules)
    if not rules.nagashi_mangan:
        sentence = "{rules} does not play {nagashi_mangan}: settle the hand as a draw."
        raise SettleError(rules.vocabulary.say(sentence, rules=rules.name))
    if not rules.nagashi_collects:
        honba, left, taken = 0, riichi_sticks, 0
    else:
        left, taken = 0, riichi_sticks
    changes = [0, 0, 0, 0]
    for at, seat in enumerate(sorted(seats, key=SEATS.index)):
        win = Win(True, seat, honba=honba, riichi_sticks=0 if at else taken)
        _add(changes, seat, deltas(win, LIMITS["mangan"], 0, rules), rules)
    return Settlement(_four(changes), sticks_left=left, players=rules.players)


def settle_draw(tenpai: Collection[WindText], rules: RuleSet, *, riichi_sticks: int = 0) -> Settlement:
    """What the seats that are not tenpai pay to those that are after an exhaustive draw (EMA 2008 §3.4.2).

    The bets stay on the table. Nobody pays where all or none are tenpai.

    >>> from scorer import Wind, load_rules
    >>> settle_draw([Wind.EAST], load_rules("ema2008")).changes
    (3000, -1000, -1000, -1000)
    """
    _need_rules(rules)
    tenpai = _at_the_table("tenpai", tenpai, rules)
    ready, noten = len(tenpai), rules.players - len(tenpai)
    changes = [0, 0, 0, 0]
    if ready and noten:
        for at, seat in enumerate(seats_of(rules.players)):
            changes[at] = rules.noten_points // ready if seat in tenpai else -(rules.noten_points // noten)
    return Settlement(_four(changes), sticks_left=riichi_sticks, players=rules.players)


def settle_abort(kind: str, rules: RuleSet, *, riichi_sticks: int = 0) -> Settlement:
    """A hand that was broken off: nobody pays, the bets stay (EMA 2008 §3.4.3, Toudai §3.5.1).

    ``kind``: one of :data:`scorer.rules.ABORTIVE_DRAWS`. Raises :class:`SettleError` where the rules do not
    play it.

    >>> from scorer import load_rules
    >>> settle_abort("four_riichi", load_rules("ema2008"), riichi_sticks=4).sticks_left
    4
    """
    _need_rules(rules)
    words = rules.vocabulary
    if kind not in rules.abortive_draws:
        known = ", ".join(words.terms[name] for name in rules.abortive_draws) or "none"
        named = words.terms[kind] if kind in ABORTIVE_DRAWS else f"“{kind}”"
        sentence = "In {rules} {kind} is no {abort}; those that are: {known}."
        raise SettleError(words.say(sentence, rules=rules.name, kind=named, known=known))
    return Settlement((0, 0, 0, 0), sticks_left=riichi_sticks, players=rules.players, aborted=True)


def settle_chombo(offender: WindText, rules: RuleSet, *, declared: Collection[WindText] = ()) -> Settlement:
    """The penalty of the seat that committed a chombo, as the rules have it.

    A mangan that the offender pays instead of gets (EMA 2008 §3.4.6), or points off his final score (EMA
    2016). ``declared``: seats that bet on riichi in this hand, who get their bet back.
    Raises :class:`SettleError` where the rules name no penalty.

    >>> from scorer import Wind, load_rules
    >>> settle_chombo(Wind.SOUTH, load_rules("ema2008")).changes
    (4000, -8000, 2000, 2000)
    >>> settle_chombo(Wind.SOUTH, load_rules("ema2016")).penalties
    (0, -20000, 0, 0)
    """
    _need_rules(rules)
    (offender,) = _at_the_table("offender", [wind_of("offender", offender)], rules)
    declared = _at_the_table("declared", declared, rules)
    if rules.chombo == "none":
        raise SettleError(rules.vocabulary.say("{rules} names no penalty for a {chombo}.", rules=rules.name))
    changes = [STICK if seat in declared else 0 for seat in SEATS]
    if rules.chombo == "points":
        penalties = (-rules.chombo_points if seat == offender else 0 for seat in SEATS)
        return Settlement(_four(changes), penalties=_four(penalties), players=rules.players)
    gained = deltas(Win(True, offender), LIMITS["mangan"], 0, rules)
    _add(changes, offender, tuple(-points for points in gained or ()), rules)
    return Settlement(_four(changes), players=rules.players)


def _need_rules(rules: RuleSet) -> None:
    require_type("rules", rules, RuleSet, 'load_rules("ema2008")')


def _at_the_table(name: str, given: Collection[WindText], rules: RuleSet) -> frozenset[Wind]:
    """The seats that a caller gave. Raises :class:`SettleError` for one where nobody sits."""
    found = winds_of(name, given)
    if not found <= set(seats_of(rules.players)):
        raise SettleError(f"Three players have no North seat: correct {name}.")
    return found


def _scored(one: Record | DeclaredWin, win: Win) -> Score | DeclaredScore:
    """What one winner's hand is worth, won in this way."""
    return one.score(win) if isinstance(one, DeclaredWin) else score(one.hand, win, one.rules)


def _in_turn(wins: Sequence[Record | DeclaredWin]) -> tuple[Record | DeclaredWin, ...]:
    """The winners of one hand, the next in turn after the discarder first. Raises :class:`SettleError`."""
    if not wins:
        raise SettleError("Nobody won: give a hand record for each winner, or settle a draw.")
    if len(wins) > 1 and any(one.win.tsumo for one in wins):
        sentence = "A {tsumo} has one winner: make all of them a {ron}, or give one record."
        raise SettleError(wins[0].rules.vocabulary.say(sentence))
    seats = [_seat(one) for one in wins]
    if len(set(seats)) < len(seats):
        raise SettleError("Two winners have the same seat wind: correct seat_wind.")
    for one in wins:
        for sentence in no_such_player(one.win, one.rules):
            raise HandError(Fault(HandStatus.NO_SUCH_PLAYER, sentence))
    if len(wins) == 1 and wins[0].win.tsumo:
        return tuple(wins)
    discarders = {discarder_of(one) for one in wins}
    if None in discarders:
        sentence = "Who discarded is not known: write loser_offset for every {ron}."
        raise SettleError(wins[0].rules.vocabulary.say(sentence))
    if len(discarders) > 1:
        raise SettleError(
            "The winners name different discarders: loser_offset counts from each winner's own seat."
        )
    seen = [one for one in wins if isinstance(one, Record)]  # told ones say nothing of tiles
    ura = [sorted(one.win.ura_indicators) for one in seen if one.win.ura_indicators]
    in_common: list[tuple[str, Sequence[object]]] = [
        ("the rules", [one.rules for one in wins]),
        ("the round wind", [one.win.round_wind for one in wins]),
        ("the winning tile", [one.hand.win_tile for one in seen]),
        ("{honba}", [one.win.honba for one in wins]),
        ("the {indicators}", [sorted(one.win.dora_indicators) for one in seen]),
        ("the {ura_indicators}", ura),
        *[(f"{{{name}}}", [_holds(name, one, seen) for one in seen]) for name in _OF_THE_DISCARD],
    ]
    for name, values in in_common:
        if any(value != values[0] for value in values[1:]):
            sentence = f"Winners on one discard have {name} in common: make them the same."
            raise SettleError(wins[0].rules.vocabulary.say(sentence))
    return tuple(sorted(wins, key=lambda one: one.win.loser_offset or 0, reverse=True))


_OF_THE_DISCARD: Final = ("houtei", "chankan", "tsubame_gaeshi", "kanburi")
"""What a discard, or a tile added to a kan, is for all who win on it."""


def _holds(name: str, one: Record, winners: Iterable[Record]) -> bool:
    """Whether this holds for a winner.

    His record decides, or another winner's if the fact changes nothing for him, because then nobody asked
    him.
    """
    said: bool = getattr(one.win, name)
    if said or not any(getattr(other.win, name) for other in winners):
        return said
    has_it: dict[str, Any] = {name: True}
    try:
        with_it, without = (_scored(one, win) for win in (replace(one.win, **has_it), one.win))
    except HandError:
        return False
    return with_it.points == without.points


def discarder_of(one: Record | DeclaredWin) -> Wind | None:
    """The discarder's seat, or None where nobody is known to have discarded."""
    win = one.win
    if win.tsumo or win.loser_offset is None:
        return None
    return seat_at(_seat(one), win.loser_offset, one.rules.players)


def _seat(one: Record | DeclaredWin) -> Wind:
    """The winner's seat. Raises :class:`SettleError` where nobody named it."""
    if one.win.seat_wind is None:
        raise SettleError("Nobody named the winner's seat: write seat_wind.")
    return one.win.seat_wind


def _sticks_taken(wins: Sequence[Record | DeclaredWin], sticks: int, rules: RuleSet) -> list[int]:
    """How many of the bets each paid winner takes: his own where they go back, and his share of the rest."""
    taken = [0] * len(wins)
    if rules.bets_returned and len(wins) > 1:
        for at, one in enumerate(wins):
            taken[at] = int(one.win.has_riichi and sum(taken) < sticks)
    rest = sticks - sum(taken)
    share = rest // len(wins) if rules.bets_split else 0
    taken = [own + share for own in taken]
    taken[0] += rest - share * len(wins)
    return taken


def _add(changes: list[int], seat: Wind, gained: Sequence[int] | None, rules: RuleSet) -> None:
    """Adds what a player on ``seat`` gains and the others lose, counted from him."""
    assert gained is not None  # it is None only for a discard whose discarder is not known
    for offset in (0, *OTHERS[rules.players]):
        changes[SEATS.index(seat_at(seat, offset, rules.players))] += gained[offset]


def _four(changes: Iterable[int]) -> Changes:
    east, south, west, north = changes
    return east, south, west, north
