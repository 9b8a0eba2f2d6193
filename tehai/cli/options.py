"""Options that several commands have, and an option for each fact that a photo cannot show."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Concatenate, Final, ParamSpec

import typer

from tehai.errors import Mistake
from tehai.flags.command import trouble
from tehai.flags.table import Flag

P = ParamSpec("P")

Facts = Mapping[str, bool | int | str | list[str] | tuple[str, ...] | None]

PRESETS: Final = ", ".join(
    sorted(file.stem for file in (Path(__file__).parents[2] / "scorer" / "presets").glob("*.toml"))
)
"""Every rule id, from the names of the files: who only wants help needs no rules."""


def with_facts(
    flags: Iterable[Flag],
) -> Callable[[Callable[Concatenate[Facts, P], None]], Callable[P, None]]:
    """The command with an option for each of the flags that state a fact; what was typed is its first
    argument."""
    taken = tuple(flags)

    def taking(command: Callable[Concatenate[Facts, P], None]) -> Callable[P, None]:
        own = inspect.signature(command, eval_str=True)

        @functools.wraps(command)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            facts: dict[str, Any] = {flag.field: kwargs.pop(flag.field) for flag in taken}
            if contradiction := trouble(kwargs.pop("ctx")):
                raise Mistake(contradiction)
            command(facts, *args, **kwargs)

        options = [
            inspect.Parameter(
                flag.field, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_option(flag)
            )
            for flag in taken
        ]
        _, *others = own.parameters.values()
        line = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
        run.__signature__ = own.replace(parameters=[*others, *options, line])  # type: ignore[attr-defined]
        return run

    return taking


def _option(flag: Flag) -> Any:
    shown = typer.Option(
        flag.names, help=flag.help, show_default=False, rich_help_panel="Facts that a photo cannot show"
    )
    if flag.adds_up:
        return Annotated[list[str] | None, shown]
    return Annotated[flag.kind | None, shown]


Terms = Annotated[
    str | None,
    typer.Option(
        "--terms",
        help="The names of yaku and fu: english, ema, japanese or kanji. Default: those of the rules.",
    ),
]

Region = Annotated[
    str | None, typer.Option("--region", help="Where the hand is: x0,y0,x1,y1 in fractions of the photo.")
]

Strict = Annotated[
    bool,
    typer.Option("--strict", help="Print no score and exit with code 3 if the reading is in doubt."),
]

Labelled = Annotated[
    Path, typer.Argument(metavar="DIR|JOURNAL", help="A labelled folder, or its file of labels.")
]

Elsewhere = Annotated[Path | None, typer.Option("--to", help="Where the journal is, if not in DIR.")]

Rules = Annotated[
    str | None, typer.Option("--rules", help="Rule preset. Default: that of tehai rules --use.")
]

Tiles = Annotated[str | None, typer.Option("--tiles", help="Use this line of tiles instead of those read.")]

Language = Annotated[str, typer.Option("--lang", help="Language: en or ja.")]

JsonPerPhoto = Annotated[bool, typer.Option("--json", help="Print one JSON object per photo.")]

Port = Annotated[
    int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 picks a free one.")
]
