"""Commands whose flags state facts. A repeated flag is an error, unless its values add up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from typer.core import TyperCommand

_TROUBLE: Final = "tehai.trouble"


class FactsCommand(TyperCommand):
    """A command that detects repeated flags. Other commands use the last value."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[_TROUBLE] = _contradiction(self.params, args)
        return super().parse_args(ctx, args)


def trouble(ctx: Any) -> str:
    """The error of a repeated flag on the current command line; empty without one."""
    return str(ctx.meta.get(_TROUBLE, ""))


def _contradiction(params: Sequence[Any], args: Sequence[str]) -> str:
    typed = args[: args.index("--")] if "--" in args else args
    names = [word.partition("=")[0] for word in typed if word.startswith("-")]
    for param in params:
        yes = [name for name in names if name in param.opts]
        no = [name for name in names if name in param.secondary_opts]
        if yes and no:
            return f"{yes[0]} and {no[0]} contradict each other: drop one."
        if len(yes) > 1 and not (param.multiple or param.is_flag):
            return f"{yes[0]} is given twice: keep one."
    return ""
