"""Convert a log to a game record, and compare its payments with those of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from scorer.game import Game
from scorer.game_record import GameRecordError, PlayedGame, Turn, replay
from scorer.rules import RuleSet
from scorer.settlement import SEATS
from tehai.logs.play import Deal, Discard, Log, LogError, LoggedWin, Points
from tehai.logs.table import Table

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between log and rules. ``hand``: its number in the log from 1; 0 for the end of the game.
    ``what``: ``paid`` or ``points``. ``ours``, ``log``: the numbers by player."""

    hand: int
    label: str
    what: str
    ours: Points
    log: Points

    def to_record(self) -> dict[str, Any]:
        """The difference as JSON values."""
        return {
            "hand": self.hand,
            "label": self.label,
            "what": self.what,
            "ours": list(self.ours),
            "log": list(self.log),
        }


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """A replayed log. ``events``: its game record. ``turns``: the number of the turn of each hand of the
    log."""

    log: Log
    events: tuple[Event, ...]
    played: PlayedGame
    turns: tuple[int, ...]
    differences: tuple[Difference, ...]

    @property
    def with_payments(self) -> Log:
        """The log, with the payments of the rules in hands where it has none."""
        turns = (self.played.turns[turn] for turn in self.turns)
        deals = tuple(
            deal if deal.paid is not None else replace(deal, paid=_paid(turn, deal))
            for deal, turn in zip(self.log.deals, turns, strict=True)
        )
        return replace(self.log, deals=deals)


def play_log(log: Log, rules: str | None = None) -> LoggedGame:
    """The game of a log, by its own rules or by others.

    If payments of the log differ, the result lists the difference, and a correction sets the points to those
    of the log. Raises :class:`LogError` for a game that is impossible under these rules.
    """
    events = [_start(log, rules)]
    differences: list[Difference] = []
    turns: list[int] = []
    played = begun(log, rules)
    for hand, deal in enumerate(log.deals, 1):
        _check_header(played.game, deal)
        if correction := _correction(played.game, deal.points, deal.label):
            events.append(correction)
            with _explained("The game"):
                played = played.after(correction)
        turns.append(len(played.turns))
        events.append(event_of(deal, played.rules))
        with _explained(deal.label):
            played = played.after(events[-1])
        paid = _paid(played.turns[-1], deal)
        if deal.paid is not None and paid != deal.paid:
            differences.append(Difference(hand, deal.label, "paid", paid, deal.paid))
    if differences and differences[-1].hand == len(log.deals):  # no later hand has the points of the log
        ours, paid = differences[-1].ours, differences[-1].log
        if sum(paid) == sum(ours):
            events.append(_correcting(_less(paid, ours), "the end"))
            with _explained("The end"):
                played = played.after(events[-1])
    points = played.game.points_at_end() if played.game.is_over else played.game.points
    if log.final is not None and points != log.final:
        differences.append(Difference(0, "the end", "points", points, log.final))
    return LoggedGame(log, tuple(events), played, tuple(turns), tuple(differences))


def begun(log: Log, rules: str | None = None) -> PlayedGame:
    """The game of a log before its first hand, by its own rules or by others."""
    with _explained("The game"):
        return replay([_start(log, rules)])


def _start(log: Log, rules: str | None) -> Event:
    return {"event": "start", "rules": rules or log.rules, "players": _names(log)}


def event_of(deal: Deal, rules: RuleSet) -> Event:
    """The event of the game record (``docs/game.md``) for one hand of a log."""
    table = Table.at_end(deal)
    declared = [str(deal.seat(player)) for player in table.declared]
    if isinstance(deal.end, tuple):
        return {
            "event": "win",
            "hands": [table.win(win, rules) for win in deal.end],
            "declared": declared,
            "tenpai": _seats(deal, table.ready()),
        }
    kind = deal.end.kind or table.abort() or _drawn_out(table, rules)
    if kind == "triple_ron":
        return _triple_ron(deal, table, rules, declared)
    ready = deal.end.tenpai if kind == "draw" and deal.end.tenpai is not None else table.ready()
    event: Event = {"event": "draw", "declared": declared, "tenpai": _seats(deal, ready)}
    if kind == "nagashi":
        return event | {"nagashi": _seats(deal, table.nagashi())}
    return event if kind == "draw" else event | {"event": "abort", "kind": kind}


def _drawn_out(table: Table, rules: RuleSet) -> str:
    """The kind of an exhaustive draw that the log does not name. Programs see nagashi mangan themselves."""
    return "nagashi" if rules.nagashi_mangan and not table.left and table.nagashi() else "draw"


def _triple_ron(deal: Deal, table: Table, rules: RuleSet, declared: list[str]) -> Event:
    """The three winners on the last discard, whom the log does not name: all hands that this tile
    finishes."""
    last = deal.moves[-1]
    if not isinstance(last, Discard):
        raise LogError(f"{deal.label}: three win on one discard, and the last move is none.")
    others = [player for player in range(deal.players) if player != last.player]
    wins = [LoggedWin(player, last.player) for player in others]
    return {
        "event": "win",
        "hands": [table.win(win, rules) for win in wins],
        "declared": declared,
        "tenpai": _seats(deal, table.ready()),
    }


def _seats(deal: Deal, players: tuple[int, ...]) -> list[str]:
    return [str(deal.seat(player)) for player in players]


def _names(log: Log) -> list[str]:
    """The names of the players, made unique."""
    names: list[str] = []
    for number, name in enumerate(log.names, 1):
        shown = name.strip() or f"Player {number}"
        names.append(shown if shown not in names else f"{shown} ({number})")
    return names


@contextmanager
def _explained(label: str) -> Iterator[None]:
    """Say for which hand, and what to do, where the rules refuse an event."""
    try:
        yield
    except GameRecordError as error:
        what = str(error).partition(": ")[2] or str(error)
        raise LogError(f"{label}: {what} If the log has other rules, name them with --rules.") from None


def _check_header(game: Game, deal: Deal) -> None:
    ours = (game.deal, game.honba, game.sticks)
    if ours == (deal.number, deal.honba, deal.sticks):
        return
    if ours == (0, 0, 0):
        raise LogError(f"This log begins with {deal.label}: only a game from its first hand on can be read.")
    raise LogError(
        f"The log goes on with {deal.label} and {deal.sticks} bets. By {game.rules.name} the deal has"
        f" passed on {game.deal} times, with {game.honba} counters and {game.sticks} bets:"
        " name its rules with --rules."
    )


def _correction(game: Game, points: Points, label: str) -> Event | None:
    """The correction to the points of the log; None if they are the same."""
    changes = list(_less(points, game.points))
    if not any(changes):
        return None
    if sum(changes):
        raise LogError(
            f"In {label} the players of the log have {sum(points):,} points together, and by"
            f" {game.rules.name} {sum(game.points):,}: name its rules with --rules."
        )
    return _correcting(changes, label)


def _correcting(changes: Sequence[int], label: str) -> Event:
    return {"event": "correction", "changes": list(changes), "note": f"{label}: as the log has it"}


def _paid(turn: Turn, deal: Deal) -> Points:
    """The gains and losses of a hand by player under the rules, riichi sticks included."""
    settled = turn.settled
    assert settled is not None  # a hand was played
    return tuple(settled.changes[SEATS.index(deal.seat(player))] for player in range(deal.players))


def _less(some: Points, others: Points) -> Points:
    return tuple(one - other for one, other in zip(some, others, strict=True))
