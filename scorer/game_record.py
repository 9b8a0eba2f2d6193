"""The game record of ``docs/game.md``: a list of events, replayed hand by hand by :class:`scorer.Game`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape
from reprlib import repr as shown
from typing import Any, Final

from scorer.declared_win import DeclaredWin, parse_declared_win
from scorer.game import Game, Points
from scorer.hand import Wind, seats_of, winds_of
from scorer.record import DEFAULTS, Record, parse_record
from scorer.rules import CHOMBO, RuleSet, load_rules, parse_rules
from scorer.score import Score
from scorer.settlement import (
    SEATS,
    SettleError,
    Settlement,
    discarder_of,
    settle_abort,
    settle_chombo,
    settle_draw,
    settle_nagashi,
    settle_wins,
)

Event = Mapping[str, Any]

ROUNDS: Final = (1, 2)
"""How many rounds a game can be made of, whatever its rules play: East alone, or East and South."""


class GameRecordError(ValueError):
    """A game record that cannot be replayed; the message is a sentence that names the event, from 1.

    ``event``: its number, 0 where the record as a whole is none.
    """

    def __init__(self, sentence: str, event: int = 0) -> None:
        super().__init__(f"Event {event}: {sentence}" if event else sentence)
        self.event = event


@dataclass(frozen=True, slots=True, repr=False)
class Turn:
    """One event after the start, and the game around it.

    ``kind``: ``win``, ``draw``, ``abort``, ``chombo``, ``correction``, ``end``. ``settled``: what the hand
    changed, None where none was played. ``declared``: the seats that bet on riichi; ``tenpai``: those that
    were. ``dead``: those with a dead hand. ``discarder``: the seat whose discard won. ``about``: the kind of
    an abortive draw, or the note of a correction or an end.
    """

    kind: str
    before: Game
    after: Game
    settled: Settlement | None = None
    declared: frozenset[Wind] = frozenset()
    tenpai: frozenset[Wind] = frozenset()
    nagashi: frozenset[Wind] = frozenset()
    dead: frozenset[Wind] = frozenset()
    discarder: Wind | None = None
    offender: Wind | None = None
    about: str = ""

    def __repr__(self) -> str:
        return f"Turn({self.kind!r}, changes={self.changes}, points={self.after.points})"

    @property
    def changes(self) -> Points:
        """What every player has more or less on the table, the bets that he laid down included."""
        return _less(self.after.points, self.before.points)

    @property
    def penalties(self) -> Points:
        """What comes off the final score of every player."""
        none = (0,) * self.before.rules.players
        return _less(self.after.penalties or none, self.before.penalties or none)

    @property
    def chips(self) -> Points:
        """The chips that every player won or lost."""
        none = (0,) * self.before.rules.players
        return _less(self.after.chips or none, self.before.chips or none)

    def players(self, seats: Iterable[Wind]) -> list[int]:
        """The players on these seats of the hand, by number."""
        return sorted(self.player(seat) for seat in seats)

    def player(self, seat: Wind) -> int:
        """The player on a seat of the hand."""
        players = self.before.rules.players
        return (SEATS.index(seat) + self.before.deal) % players

    def won_with_tiles(self) -> list[tuple[int, Score]]:
        """The player and the score of each winner who was paid and whose tiles are known."""
        winners = self.settled.winners if self.settled else ()
        return [(self.player(one.seat), one.score) for one in winners if isinstance(one.score, Score)]

    def to_record(self) -> dict[str, Any]:
        """The event as JSON values, players by number: which hand it was, what it changed, points then."""
        about = {
            "winners": [
                {
                    "player": self.player(winner.seat),
                    "points": winner.score.points,
                    "han": winner.score.han,
                    "fu": winner.score.fu,
                    "limit": winner.score.limit,
                }
                for winner in (self.settled.winners if self.settled else ())
            ],
            "discarder": None if self.discarder is None else self.player(self.discarder),
            "unpaid": self.players(self.settled.unpaid if self.settled else ()),
            "declared": self.players(self.declared),
            "tenpai": self.players(self.tenpai),
            "nagashi": self.players(self.nagashi),
            "dead": self.players(self.dead),
            "offender": None if self.offender is None else self.player(self.offender),
            "about": self.about,
        }
        return {
            "event": self.kind,
            **(hand_of(self.before) or {}),
            **{name: value for name, value in about.items() if value not in (None, [], "")},
            "changes": list(self.changes),
            **({"penalties": list(self.penalties)} if any(self.penalties) else {}),
            **({"chips": list(self.chips)} if any(self.chips) else {}),
            "points": list(self.after.points),
        }


@dataclass(frozen=True, slots=True, repr=False)
class PlayedGame:
    """A game replayed. ``names``: of the players, the first dealer first."""

    names: tuple[str, ...]
    start: Game
    turns: tuple[Turn, ...]

    @property
    def rules(self) -> RuleSet:
        return self.start.rules

    @property
    def game(self) -> Game:
        """As it stands after the last event."""
        return self.turns[-1].after if self.turns else self.start

    def after(self, event: Event) -> PlayedGame:
        """The game with one more event. Raises :class:`GameRecordError`."""
        try:
            turn = _TURNS[_kind(event, first=False)](event, self.game)
        except ValueError as error:
            raise GameRecordError(str(error), len(self.turns) + 2) from None
        return replace(self, turns=(*self.turns, turn))

    def __repr__(self) -> str:
        return f"PlayedGame({', '.join(self.names)}: {len(self.turns)} events, points={self.game.points})"

    def _repr_html_(self) -> str:
        """The sheet, for a notebook: what every event changed, and the points after it."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.names)
        rows = "".join(
            f"<tr><td>{turn.kind}</td>"
            + "".join(
                f"<td>{change:+,} → {now:,}</td>"
                for change, now in zip(turn.changes, turn.after.points, strict=True)
            )
            + "</tr>"
            for turn in self.turns
        )
        return f"<table><tr><th></th>{head}</tr>{rows}</table>"

    def ranking(self) -> list[tuple[int, int]]:
        """(place, player), the first in front."""
        return sorted((place, player) for player, place in enumerate(self.game.places()))

    def to_record(self) -> dict[str, Any]:
        """The sheet and the ranking as JSON values (``docs/game.md``)."""
        game, points, scores = self.game, self.game.points_at_end(), self.game.scores()
        return {
            "rules": self.rules.id,
            "players": list(self.names),
            "start": list(self.start.points),
            "hands": [turn.to_record() for turn in self.turns],
            "over": game.is_over,
            "next": hand_of(game),
            "sticks": game.sticks,
            "ranking": [
                {
                    "place": place,
                    "player": player,
                    "name": self.names[player],
                    "points": points[player],
                    "score": scores[player],
                    **({"chips": game.chips[player]} if game.chips else {}),
                }
                for place, player in self.ranking()
            ],
        }


def hand_of(game: Game) -> dict[str, Any] | None:
    """Which hand is played: round wind, its how many-th deal, counters, bets; None where the game is over."""
    if game.is_over:
        return None
    deal = game.deal % game.rules.players + 1
    return {"round": str(game.round_wind), "deal": deal, "honba": game.honba, "riichi_sticks": game.sticks}


def replay(events: Iterable[Event], rules: RuleSet | None = None) -> PlayedGame:
    """The game of a list of events (``docs/game.md``). Raises :class:`GameRecordError`.

    ``rules``: those that are played, whatever the record calls them.

    >>> played = replay([
    ...     {"event": "start", "rules": "tenhou", "players": ["Aki", "Ben", "Chie", "Dan"]},
    ...     {"event": "draw", "tenpai": ["E", "S"], "declared": ["S"]},
    ...     {"event": "win", "hands": [{"concealed": "123m456p78s22z444z", "win_tile": "9s", "tsumo": False,
    ...                                 "riichi": True, "seat_wind": "W", "loser_offset": 2}]},
    ... ])
    >>> played.game.points, played.game.sticks, played.turns[-1].changes
    ((24900, 25500, 26100, 23500), 0, (-1600, 0, 2600, 0))
    """
    if isinstance(events, str | bytes | Mapping) or not isinstance(events, Iterable):
        raise GameRecordError('A game record is a list of events, such as [{"event": "start"}].')
    played: PlayedGame | None = None
    for event in events:
        played = _started(event, rules) if played is None else played.after(event)
    if played is None:
        raise GameRecordError('A game record has no event: begin with {"event": "start"}.')
    return played


def _kind(event: object, *, first: bool) -> str:
    if not isinstance(event, Mapping):
        raise ValueError(f'an event must be an object, such as {{"event": "draw"}}, not {shown(event)}.')
    kind = event.get("event")
    wrong = "and this names no event" if kind is None else f"not {shown(kind)}"
    if first and kind != "start":
        raise ValueError(f'a game begins with {{"event": "start"}}, {wrong}.')
    if not first and kind not in tuple(_TURNS):
        raise ValueError(f"after the start event must be one of {', '.join(_TURNS)}, {wrong}.")
    return str(kind)


def _started(event: Event, rules: RuleSet | None) -> PlayedGame:
    """The game before its first hand."""
    try:
        _kind(event, first=True)
        start, names = _start(event, rules)
    except ValueError as error:
        raise GameRecordError(str(error), 1) from None
    return PlayedGame(names, start, ())


def _start(event: Event, rules: RuleSet | None) -> tuple[Game, tuple[str, ...]]:
    called = event.get("rules", DEFAULTS["rules"])
    if not isinstance(called, str):
        raise ValueError(f"rules must be the name of rules or the path of a .toml file, not {shown(called)}.")
    rules = _rules(called) if rules is None else rules
    if (rounds := event.get("rounds")) is not None:
        if rounds not in ROUNDS or type(rounds) is not int:
            raise ValueError(f"rounds must be 1 (East alone) or 2 (East and South), not {shown(rounds)}.")
        rules = replace(rules, rounds=rounds)
    names = event.get("players", [f"Player {number}" for number in range(1, rules.players + 1)])
    if (
        not isinstance(names, list | tuple)
        or len(names) != rules.players
        or not all(isinstance(name, str) and name.strip() for name in names)
        or len(set(names)) < len(names)
    ):
        raise ValueError(f"players must be {rules.players} names, the first dealer first, each another.")
    return Game.start(rules), tuple(names)


def _rules(called: str) -> RuleSet:
    """A preset, the file of house rules, or those rules themselves as text, which have a ``=``."""
    return parse_rules(called) if "=" in called else load_rules(called)


def _win(event: Event, game: Game) -> Turn:
    _need_hand(game)
    hands = event.get("hands")
    if not isinstance(hands, list | tuple) or not hands:
        raise ValueError("hands must be a list of hand records, one for each winner.")
    read = [_understood(hand, game.rules) for hand in hands]
    declared = _seats(event, "declared", game) | {
        one.win.seat_wind for one in read if one.win.has_riichi and one.win.seat_wind is not None
    }
    _no_four_riichi(declared, game)
    sticks = game.sticks + len(declared)
    records = [
        _at_the_table(_with_riichi(one, declared), game, riichi_sticks=0 if at else sticks, on_table=sticks)
        for at, one in enumerate(read)
    ]
    settled = settle_wins(records)
    tenpai = _seats(event, "tenpai", game)
    if settled.aborted:  # three winners were ready, as is who declared riichi
        tenpai |= declared.union(settled.unpaid)
    after = game.after(settled, declared=declared, tenpai=tenpai)
    return Turn("win", game, after, settled, declared, tenpai, discarder=discarder_of(records[0]))


def _understood(hand: object, rules: RuleSet) -> Record | DeclaredWin:
    """A winner's hand record, or what his hand is worth; its rules are those of the game."""
    if not isinstance(hand, Mapping):
        raise ValueError(f"hands must be hand records, not {shown(hand)}.")
    if hand.get("value") is not None:
        return parse_declared_win(hand, rules)
    return parse_record({field: value for field, value in hand.items() if field not in ("rules", "words")})


def _with_riichi(one: Record | DeclaredWin, declared: Collection[Wind]) -> Record | DeclaredWin:
    """A winner's record with his riichi, where he is one who declared it; ``ValueError`` where the hand says
    that he had none."""
    win = one.win
    if win.seat_wind not in declared or win.has_riichi:
        return one
    if "riichi" not in win.unnamed:
        raise ValueError(
            f"{win.seat_wind} declared riichi, and the hand says that it has none: correct one of them."
        )
    return replace(one, win=replace(win, riichi=True))


def _at_the_table(
    one: Record | DeclaredWin, game: Game, *, riichi_sticks: int, on_table: int
) -> Record | DeclaredWin:
    """A winner's record with what the game knows; ``ValueError`` where the hand says otherwise."""
    known: dict[str, Any] = {
        "round_wind": game.round_wind,
        "honba": game.honba,
        "riichi_sticks": riichi_sticks,
        "dealer_wins": game.dealer_wins if one.win.is_dealer else 0,
    }
    for field, value in {**known, "riichi_sticks": on_table}.items():
        said = getattr(one.win, field)
        if said not in (value, DEFAULTS[field]):
            correct = f"the hand says {said}: correct it, or leave it out"
            raise ValueError(f"{field} is {value} in this hand of the game, and {correct}.")
    unnamed = tuple(field for field in one.win.unnamed if field not in known)
    return replace(one, win=replace(one.win, **known, unnamed=unnamed), rules=game.rules)


def _draw(event: Event, game: Game) -> Turn:
    _need_hand(game)
    tenpai, declared = _seats(event, "tenpai", game), _seats(event, "declared", game)
    nagashi, dead = _seats(event, "nagashi", game), _seats(event, "dead", game)
    if both := sorted(dead & (tenpai | nagashi), key=SEATS.index):  # EMA 2008 §3.4.7
        field = "tenpai" if both[0] in tenpai else "nagashi"
        raise ValueError(
            f"{both[0]} has a dead hand, which neither wins nor is tenpai: take it out of dead or {field}."
        )
    if noten := sorted(declared - tenpai - dead, key=SEATS.index):
        raise ValueError(
            f"{noten[0]} declared riichi and is not tenpai: add it to tenpai, or to dead, or write a chombo."
        )
    sticks = game.sticks + len(declared)
    if nagashi:
        settled = settle_nagashi(nagashi, game.rules, honba=game.honba, riichi_sticks=sticks)
    else:
        settled = settle_draw(tenpai, game.rules, riichi_sticks=sticks)
    after = game.after(settled, declared=declared, tenpai=tenpai)
    return Turn("draw", game, after, settled, declared, tenpai, nagashi, dead)


def _no_four_riichi(declared: Collection[Wind], game: Game) -> None:
    """Raises ``ValueError`` for a win after four riichi, which end the hand (EMA 2008 §3.4.3). A win on the
    tile of the fourth riichi makes it none (§3.3.12)."""
    if "four_riichi" in game.rules.abortive_draws and len(declared) == len(seats_of(game.rules.players)):
        raise ValueError(
            f"All have declared riichi, which ends the hand in {game.rules.name}: record an abort,"
            " four_riichi. If somebody won on the tile of the fourth riichi, take that one out of declared."
        )


def _abort(event: Event, game: Game) -> Turn:
    _need_hand(game)
    tenpai, declared = _seats(event, "tenpai", game), _seats(event, "declared", game)
    kind = event.get("kind")
    if not isinstance(kind, str):
        raise ValueError(f"kind must be one of {', '.join(game.rules.abortive_draws) or 'none here'}.")
    everyone = frozenset(seats_of(game.rules.players))
    if kind == "four_riichi":  # all have bet, and all show it (EMA 2008 §3.4.3)
        tenpai = declared = everyone
    if kind == "nine_terminals" and declared == everyone:  # EMA 2008 §3.4.3, Toudai §3.5.1
        raise ValueError(
            "Whoever has nine terminals has not discarded yet, and so has no riichi: correct declared."
        )
    settled = settle_abort(kind, game.rules, riichi_sticks=game.sticks + len(declared))
    after = game.after(settled, declared=declared, tenpai=tenpai)
    return Turn("abort", game, after, settled, declared, tenpai, about=kind)


def _chombo(event: Event, game: Game) -> Turn:
    _need_hand(game)
    declared = _seats(event, "declared", game)
    offenders = _seats(event, "seat", game)
    if len(offenders) != 1:
        raise ValueError('seat must be the wind of who committed the chombo, such as "W".')
    (offender,) = offenders
    settled = settle_chombo(offender, _with_penalty(event, game.rules), declared=declared)
    after = game.after_chombo(settled, declared=declared)
    return Turn("chombo", game, after, settled, declared, offender=offender)


def _with_penalty(event: Event, rules: RuleSet) -> RuleSet:
    """The rules, with the penalty that the table agreed on where they name none."""
    penalty, points = event.get("penalty"), event.get("points", 0)
    if penalty is None:
        return rules
    if rules.chombo != "none":
        raise ValueError(f"penalty is for rules that name none; {rules.name} does: leave it out.")
    if penalty not in CHOMBO or penalty == "none":
        raise ValueError(f"penalty must be reverse_mangan, or points with how many, not {shown(penalty)}.")
    if type(points) is not int or points % 100 or not (penalty == "points") <= points <= _MOST_POINTS:
        raise ValueError(f"points must be hundreds above 0, which come off the score, not {shown(points)}.")
    return replace(rules, chombo=penalty, chombo_points=points)


def _correction(event: Event, game: Game) -> Turn:
    changes, penalties = _numbers(event, "changes"), _numbers(event, "penalties")
    if not changes and not penalties:
        raise ValueError("changes or penalties must say what is corrected, a number for each player.")
    return Turn("correction", game, game.corrected(changes, penalties), about=_note(event))


def _end(event: Event, game: Game) -> Turn:
    return Turn("end", game, game.ended(), about=_note(event))


def _note(event: Event) -> str:
    note = event.get("note", "")
    if not isinstance(note, str):
        raise ValueError(f"note must be a text, not {shown(note)}.")
    return note


_TURNS: Final[Mapping[str, Callable[[Event, Game], Turn]]] = {
    "win": _win,
    "draw": _draw,
    "abort": _abort,
    "chombo": _chombo,
    "correction": _correction,
    "end": _end,
}
"""How each event after the start is understood."""


def _need_hand(game: Game) -> None:
    if game.is_over:
        raise SettleError("The game is over: no hand follows.")


def _seats(event: Event, field: str, game: Game) -> frozenset[Wind]:
    seats = winds_of(field, event.get(field, ()))
    if not seats <= set(seats_of(game.rules.players)):
        raise ValueError(f"Three players have no North seat: correct {field}.")
    return seats


def _numbers(event: Event, field: str) -> tuple[int, ...]:
    given = event.get(field, ())
    if not isinstance(given, list | tuple) or any(
        type(points) is not int or points % 100 or abs(points) > _MOST_POINTS for points in given
    ):
        raise ValueError(f"{field} must be a list of hundreds, one for each player, not {shown(given)}.")
    return tuple(given)


_MOST_POINTS: Final = 1_000_000


def _less(some: Points, others: Points) -> Points:
    return tuple(one - other for one, other in zip(some, others, strict=True))
