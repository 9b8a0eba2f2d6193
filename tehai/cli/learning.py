"""The command ``learn``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tehai.cli.options import Language, Terms
from tehai.cli.program import app, in_one_sentence


@app.command()
@in_one_sentence
def learn(
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            help="Practise one level: tiles, groups, tenpai, yaku, han, fu, table, score, ask, shanten,"
            " discard, blocks, furiten, safe; or 1–14.",
        ),
    ] = None,
    lesson: Annotated[
        str | None,
        typer.Option("--lesson", help="A short lesson and its drill: its name or number, see --lessons."),
    ] = None,
    lessons: Annotated[bool, typer.Option("--lessons", help="List the short lessons.")] = False,
    count: Annotated[int, typer.Option("--count", min=1, max=500, help="How many exercises.")] = 10,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Everybody with the same number gets the same exercises.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", help="Your own hands: photos, hand records, labels, or the log of a game."),
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option("--sheet", help="Write exercises to print, and a page with the answers (HTML)."),
    ] = None,
    handout: Annotated[
        Path | None,
        typer.Option("--handout", help="Write two pages to print: yaku and points of the rules."),
    ] = None,
    pupils: Annotated[
        Path | None, typer.Option("--class", help="Show the progress of a class: a folder of exported files.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write your progress to a file, to go on elsewhere.")
    ] = None,
    take_in: Annotated[
        Path | None, typer.Option("--import", help="Add the progress in a file to yours.")
    ] = None,
    stats: Annotated[bool, typer.Option("--stats", help="Print what you know, topic by topic.")] = False,
    reset: Annotated[bool, typer.Option("--reset", help="Start over. Old progress is kept aside.")] = False,
    fu_for_limits: Annotated[
        bool,
        typer.Option(
            "--fu-for-limits/--no-fu-for-limits", help="Ask for fu even if they do not change the points."
        ),
    ] = False,
    counters: Annotated[
        bool,
        typer.Option("--counters/--no-counters", help="Put counters (honba) and riichi sticks on the table."),
    ] = False,
    rules: Annotated[
        str | None, typer.Option("--rules", help="Rule preset or house rules. Default: that of rules --use.")
    ] = None,
    terms: Terms = None,
    language: Language = "en",
) -> None:
    """Learn with lessons and drills, from the names of the tiles to the whole score."""
    from rich.console import Console

    from tehai.errors import Mistake
    from tehai.learn import drill

    wishes = {
        "--reset": reset, "--lessons": lessons, "--stats": stats, "--sheet": sheet, "--handout": handout,
        "--class": pupils, "--export": export, "--import": take_in,
    }  # fmt: skip
    if len(said := [name for name, wish in wishes.items() if wish]) > 1:
        raise Mistake(f"{said[0]} and {said[1]} are two things to do: say one of them.")
    console = Console(highlight=False)
    wanted = drill.Wanted(level, lesson, count, seed, source, rules, terms, language, fu_for_limits, counters)
    if reset:
        drill.begin_anew(console, wanted)
    elif lessons:
        drill.lessons(console, wanted)
    elif stats:
        drill.statistics(console, wanted)
    elif sheet is not None:
        drill.sheet(console, wanted, sheet)
    elif handout is not None:
        drill.print_handout(console, wanted, handout)
    elif pupils is not None:
        drill.class_table(console, wanted, pupils)
    elif export is not None:
        drill.export_progress(console, wanted, export)
    elif take_in is not None:
        drill.import_progress(console, wanted, take_in)
    else:
        drill.drills(console, wanted)
