"""A game on the terminal: its sheet, every hand with its changes and running totals, and the ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scorer.game_record import PlayedGame
from scorer.hand_tiles import FactSource
from scorer.open_record import OpenRecord
from scorer.record import with_fields
from scorer.words import Words
from tehai.game.game_text import GameText, words_of
from tehai.logs.game import LoggedGame
from tehai.terminal.explain import Explanation


def print_game(
    console: Console,
    played: PlayedGame,
    words: Words | None = None,
    language: str = "en",
    logged: LoggedGame | None = None,
) -> None:
    """The sheet and the ranking, in a language. ``words``: the vocabulary, else that of the rules, of
    Japanese its own. ``logged``: the log that the game is of, with which it is compared."""
    text = GameText(played, words or words_of(played, language), language)
    rules = played.rules.named(language)
    console.print(Text(text.say("head", rules=rules, players=text.listed(played.names)), "bold"))
    console.print(_sheet(text))
    console.print(Text(text.say("ranking" if played.game.is_over else "going_on"), "bold"))
    console.print(_ranking(text))
    console.print(Text(text.state(), "dim"))
    if logged is not None:
        for line in _compared(logged, text):
            console.print(Text(line))


def print_lessons(console: Console, winners: Sequence[OpenRecord], terms: str | None, language: str) -> None:
    """The lesson of each winner's hand."""
    for opened in winners:
        told = opened if terms is None else with_fields(opened, {"words": terms}, FactSource.ASKED)
        Explanation("text", language).tell(console, told)


def _compared(logged: LoggedGame, text: GameText) -> Iterator[str]:
    """What the log says that was paid, beside what the rules make of it."""
    log, paid = logged.log, [one for one in logged.differences if one.hand]
    values = {"hands": len(log.deals), "n": len(paid)}
    yield text.say("log_differs" if paid else "log_agrees", **values)
    for one in logged.differences:
        hand = text.hand(logged.played.turns[logged.turns[one.hand - 1]].before) if one.hand else ""
        ours, theirs = (text.listed(f"{points:+,}" for points in each) for each in (one.ours, one.log))
        yield text.say("log_paid" if one.hand else "log_final", hand=hand, ours=ours, log=theirs)
    if log.cut:
        yield text.say("log_cut")


def _sheet(text: GameText) -> Table:
    played = text.played
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(text.say("hand"))
    table.add_column("", ratio=1)
    for name in played.names:
        table.add_column(Text(name), justify="right", no_wrap=True)
    table.add_row("", text.say("start"), *(f"{points:,}" for points in played.start.points))
    for turn in played.turns:
        totals = (_total(*pair) for pair in zip(turn.after.points, turn.changes, strict=True))
        table.add_row(text.hand(turn.before), Text(text.describe(turn)), *totals)
    return table


def _ranking(text: GameText) -> Table:
    game, names = text.played.game, text.played.names
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column(text.say("player"))
    table.add_column(text.say("points"), justify="right")
    if game.chips:
        table.add_column(text.say("chips_head"), justify="right")
    table.add_column(text.say("score"), justify="right")
    points, scores = game.points_at_end(), game.scores()
    for place, player in text.played.ranking():
        chips = [f"{game.chips[player]:+}"] if game.chips else []
        table.add_row(str(place), Text(names[player]), f"{points[player]:,}", *chips, f"{scores[player]:+,}")
    return table


def _total(points: int, change: int) -> Text:
    return Text.assemble(f"{points:,}", (f"\n{change:+,}" if change else "", "dim"))
