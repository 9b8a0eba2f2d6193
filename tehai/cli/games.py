"""Commands about a game and its rules: ``game``, ``rules``."""

from __future__ import annotations

from typing import Annotated

import typer

from tehai.cli.options import Language, Terms
from tehai.cli.program import app, in_one_sentence, print_json
from tehai.errors import Mistake


@app.command()
@in_one_sentence
def game(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A game record, or a log of Tenhou, Mahjong Soul or mjai. “-” reads stdin."
        ),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print sheet and ranking as one JSON object.")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the sheet as CSV, one row per event.")] = False,
    explain: Annotated[
        int | None,
        typer.Option("--explain", metavar="N", help="The lesson of the hand in row N of the sheet."),
    ] = None,
    export: Annotated[
        str | None, typer.Option("--export", help="Write the game as: record, tenhou6 or mjai.")
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules", help="Rule preset or house rules. Default: those of the record, or of rules --use."
        ),
    ] = None,
    terms: Terms = None,
    language: Language = "en",
) -> None:
    """Print a whole game: every hand, the running totals, and the ranking."""
    from rich.console import Console

    from tehai.game.file import exported, opened
    from tehai.game.sheet import sheet
    from tehai.settings.options import known_language, vocabulary
    from tehai.terminal.game import print_game, print_lessons

    if sum((as_json, as_csv, explain is not None, export is not None)) > 1:
        raise Mistake("--json, --csv, --explain and --export each print the game in a way: say one of them.")
    words, language, one = vocabulary(terms), known_language(language), opened(file, rules)
    console = Console(highlight=False)
    if as_json:
        print_json(one.to_record())
    elif as_csv:
        typer.echo(sheet(one.played), nl=False)
    elif explain is not None:
        print_lessons(console, one.winners(explain), terms, language)
    elif export is not None:
        typer.echo(exported(one, export), nl=False)
    else:
        print_game(console, one.played, words, language, one.logged)


@app.command()
@in_one_sentence
def rules(
    preset: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A preset, or a house-rules file.")
    ] = None,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option("--diff", metavar="ID ID", help="Print only what differs between two rule sets."),
    ] = None,
    use: Annotated[
        str | None,
        typer.Option("--use", metavar="ID", help="Choose the rule set that you play. --rules overrides it."),
    ] = None,
    terms: Terms = None,
) -> None:
    """List the rule sets, explain one in words, compare two, or choose the one that you play."""
    from rich.console import Console

    from tehai.terminal.rulebook import keep_rules, print_difference, print_preset, print_presets

    console = Console(highlight=False)
    if use is not None:
        keep_rules(console, use)
    elif diff is not None:
        print_difference(console, *diff, terms)
    elif preset is None:
        print_presets(console)
    else:
        print_preset(console, preset, terms)
