"""The command ``doctor``."""

from __future__ import annotations

import typer

from tehai.cli.program import app, in_one_sentence


@app.command()
@in_one_sentence
def doctor() -> None:
    """Check the installation: read the sample, print versions, models and cameras."""
    from rich.console import Console

    from tehai.terminal.doctor import report

    if not report(Console(highlight=False)):
        raise typer.Exit(2)
