"""A game on the terminal: its sheet, every hand with its changes and running totals, and the ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scorer.game import Game
from scorer.game_record import PlayedGame, Turn
from scorer.words import Words


def print_game(console: Console, played: PlayedGame, words: Words) -> None:
    """The sheet and the ranking, in a vocabulary."""
    console.print(Text(f"{played.rules.name}: {', '.join(played.names)}", "bold"))
    console.print(_sheet(played, words))
    console.print(Text("The ranking" if played.game.is_over else "As it stands", "bold"))
    console.print(_ranking(played))
    console.print(Text(_state(played.game), "dim"))


def _sheet(played: PlayedGame, words: Words) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("hand")
    table.add_column("", ratio=1)
    for name in played.names:
        table.add_column(Text(name), justify="right", no_wrap=True)
    table.add_row("", "start", *(f"{points:,}" for points in played.start.points))
    for turn in played.turns:
        totals = (_total(*pair) for pair in zip(turn.after.points, turn.changes, strict=True))
        table.add_row(_hand(turn.before), Text(told(turn, played.names, words)), *totals)
    return table


def _total(points: int, change: int) -> Text:
    return Text.assemble(f"{points:,}", (f"\n{change:+,}" if change else "", "dim"))


def _ranking(played: PlayedGame) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("player")
    table.add_column("points", justify="right")
    table.add_column("score", justify="right")
    scores = played.game.scores()
    for place, player in played.ranking():
        points, score = played.game.points[player], f"{scores[player]:+,}"
        table.add_row(str(place), Text(played.names[player]), f"{points:,}", score)
    return table


def _hand(game: Game) -> str:
    """``East 2``, ``East 2-1`` with a counter; nothing after the end."""
    if game.is_over:
        return ""
    name = f"{game.round_wind.name.capitalize()} {game.deal % game.rules.players + 1}"
    return f"{name}-{game.honba}" if game.honba else name


def _state(game: Game) -> str:
    bets = f" {game.sticks} × 1,000 on the table." if game.sticks else ""
    if not game.is_over:
        return f"Next: {_hand(game)}.{bets}"
    first = f" The first has the {game.sticks} × 1,000 left on the table." if game.sticks else ""
    return f"The game is over.{first}"


def told(turn: Turn, names: Sequence[str], words: Words) -> str:
    """What happened, in a sentence or two."""
    return "; ".join(_told(turn, names, words))


def _told(turn: Turn, names: Sequence[str], words: Words) -> Iterator[str]:
    def of(players: Sequence[int]) -> str:
        return ", ".join(names[player] for player in players)

    settled = turn.settled
    if turn.kind == "win" and settled is not None:
        discarder = None if turn.discarder is None else names[turn.player(turn.discarder)]
        way = words.phrase("{tsumo}") if discarder is None else f"{words.phrase('{ron}')} from {discarder}"
        for winner in settled.winners:
            yield f"{names[turn.player(winner.seat)]} {winner.score.points:,}, {way}"
        if not settled.winners:
            yield "three winners: a draw"
        elif settled.unpaid:
            yield f"not paid: {of(turn.players(settled.unpaid))}"
    elif turn.kind == "draw":
        ready = of(turn.players(turn.tenpai)) or "nobody"
        yield f"draw, {words.phrase('{tenpai}')}: {ready}"
        if turn.nagashi:
            yield f"{words.phrase('{nagashi_mangan}')}: {of(turn.players(turn.nagashi))}"
    elif turn.kind == "abort":
        yield words.terms[turn.about]
    elif turn.kind == "chombo" and turn.offender is not None:
        yield f"{words.phrase('{chombo}')}: {names[turn.player(turn.offender)]}"
    else:
        yield f"correction: {turn.about}" if turn.about else "correction"
    if turn.declared:
        yield f"{words.phrase('{riichi}')}: {of(turn.players(turn.declared))}"
    taken = [(name, points) for name, points in zip(names, turn.penalties, strict=True) if points]
    if taken:
        yield "off the final score: " + ", ".join(f"{name} {points:,}" for name, points in taken)
