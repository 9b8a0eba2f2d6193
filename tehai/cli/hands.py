"""Commands about one hand: ``score``, ``advise``, ``read``, ``batch``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tehai.cli.options import (
    PRESETS,
    Facts,
    JsonPerPhoto,
    Language,
    Region,
    Rules,
    Strict,
    Terms,
    Tiles,
    with_facts,
)
from tehai.cli.program import app, complain, in_one_sentence, print_json_line
from tehai.errors import InDoubt
from tehai.flags.command import FactsCommand
from tehai.flags.table import FLAGS, OF_A_TABLE


@app.command("score", cls=FactsCommand)
@in_one_sentence
@with_facts(FLAGS)
def score_hand(
    facts: Facts,
    hand: Annotated[
        str,
        typer.Argument(
            metavar="PHOTO|NOTATION",
            help="A photo; “sample”; or a hand as text, such as “123m789s1z + 1z \\[p777z]”.",
        ),
    ],
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            help=f"Rule preset ({PRESETS}) or house-rules file. Default: that of tehai rules --use."
            " Compare several: a,b,c.",
        ),
    ] = None,
    terms: Terms = None,
    region: Region = None,
    tiles: Tiles = None,
    corrections: Annotated[
        list[str] | None,
        typer.Option("--set", help="Correct tiles by position, such as 3=5p. The others stay as read."),
    ] = None,
    defaults: Annotated[
        bool, typer.Option("--defaults", "-y", help="Ask nothing and take every default.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Ask nothing; print record, result and open questions.")
    ] = False,
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain",
            help="Explain the score: short, text, full, markdown, html or json. Of 13 tiles: what each wait"
            " is worth.",
        ),
    ] = None,
    language: Language = "en",
    strict: Strict = False,
) -> None:
    """Score a finished hand: read it, ask what the photo cannot show, print what it is worth and who pays."""
    from rich.console import Console

    from tehai.learn.reader import for_this_user
    from tehai.terminal.score import Options, score

    options = Options(
        facts,
        rules,
        terms,
        region,
        tiles,
        defaults,
        as_json,
        explain,
        language,
        strict,
        corrections or (),
        for_this_user,
    )
    score(hand, options, Console(highlight=False), print_json_line)


@app.command(cls=FactsCommand)
@in_one_sentence
@with_facts(OF_A_TABLE)
def advise(
    facts: Facts,
    hand: Annotated[
        str,
        typer.Argument(
            metavar="PHOTO|NOTATION",
            help="A photo; or 13 or 14 tiles as text, such as “123m456p78s1122z5z \\[p777z]”.",
        ),
    ],
    rules: Rules = None,
    terms: Terms = None,
    region: Region = None,
    tiles: Tiles = None,
    seen: Annotated[
        str | None,
        typer.Option("--seen", help="Other visible tiles, such as the other players' sets: 3m5z."),
    ] = None,
    rivers: Annotated[
        str | None,
        typer.Option(
            "--rivers",
            help="What the others discarded: right, across, left, as 9s1z/2p/4m6s. Overrides the photo.",
        ),
    ] = None,
    riichi_by: Annotated[
        str | None, typer.Option("--riichi-by", help="Who declared riichi: right, across, left.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="What the others have discarded since the last riichi.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print record and advice as JSON.")] = False,
    explain: Annotated[
        str | None,
        typer.Option("--explain", help="Explain the advice: short, text, full, markdown, html or json."),
    ] = None,
    language: Language = "en",
) -> None:
    """Show how far an unfinished hand is from tenpai, and what to discard."""
    from rich.console import Console

    from tehai.learn.reader import for_this_user
    from tehai.terminal.advise import Options, advise

    options = Options(
        facts,
        rules,
        terms,
        region,
        tiles,
        seen,
        rivers,
        riichi_by,
        since,
        as_json,
        explain,
        language,
        for_this_user,
    )
    advise(hand, options, Console(highlight=False), print_json_line)


@app.command()
@in_one_sentence
def read(
    photos: Annotated[list[str], typer.Argument(metavar="PHOTO...", help="Photos, or “sample”.")],
    draw: Annotated[
        Path | None, typer.Option("--draw", help="Save the photo with its tiles drawn; a folder for several.")
    ] = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", help="Write a picture of every stage into a folder.")
    ] = None,
    region: Region = None,
    as_json: JsonPerPhoto = False,
) -> None:
    """Show every tile of a photo: label, role, probability. An unreadable photo does not stop the others."""
    from rich.console import Console

    from tehai.terminal.read import read_all

    write = print_json_line if as_json else None
    if not read_all(photos, region, draw, trace, Console(highlight=False), write, complain):
        raise typer.Exit(2)


@app.command()
@in_one_sentence
def batch(
    file: Annotated[
        str, typer.Argument(metavar="FILE.jsonl", help="Hand records, a line each; “-” reads stdin.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Write results to this file instead of stdout.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue after the last result in --out.")
    ] = False,
    start: Annotated[int, typer.Option("--start", min=1, help="The first line to score.")] = 1,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Give no score to a doubtful reading, and exit with code 3."),
    ] = False,
) -> None:
    """Score hand records, one JSON object per line. A bad line gives an error; the rest is scored."""
    from tehai.hand.batch import run_batch

    tally = run_batch(file, out, start, resume, strict=strict)
    if summary := tally.summary():
        complain(summary)
    if tally.doubted:
        raise typer.Exit(InDoubt.code)
