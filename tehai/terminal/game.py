"""A game on the terminal: its sheet, every hand with its changes and running totals, and the ranking."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scorer.game_record import PlayedGame
from scorer.words import Words
from tehai.telling import Telling, words_of


def print_game(
    console: Console, played: PlayedGame, words: Words | None = None, language: str = "en"
) -> None:
    """The sheet and the ranking, in a language. ``words``: the vocabulary, else that of the rules, of
    Japanese its own."""
    telling = Telling(played, words or words_of(played, language), language)
    rules = played.rules.named(language)
    console.print(Text(telling.say("head", rules=rules, players=telling.listed(played.names)), "bold"))
    console.print(_sheet(telling))
    console.print(Text(telling.say("ranking" if played.game.is_over else "going_on"), "bold"))
    console.print(_ranking(telling))
    console.print(Text(telling.state(), "dim"))


def _sheet(telling: Telling) -> Table:
    played = telling.played
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(telling.say("hand"))
    table.add_column("", ratio=1)
    for name in played.names:
        table.add_column(Text(name), justify="right", no_wrap=True)
    table.add_row("", telling.say("start"), *(f"{points:,}" for points in played.start.points))
    for turn in played.turns:
        totals = (_total(*pair) for pair in zip(turn.after.points, turn.changes, strict=True))
        table.add_row(telling.hand(turn.before), Text(telling.told(turn)), *totals)
    return table


def _ranking(telling: Telling) -> Table:
    game, names = telling.played.game, telling.played.names
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column(telling.say("player"))
    table.add_column(telling.say("points"), justify="right")
    table.add_column(telling.say("score"), justify="right")
    points, scores = game.points_at_end(), game.scores()
    for place, player in telling.played.ranking():
        table.add_row(str(place), Text(names[player]), f"{points[player]:,}", f"{scores[player]:+,}")
    return table


def _total(points: int, change: int) -> Text:
    return Text.assemble(f"{points:,}", (f"\n{change:+,}" if change else "", "dim"))
