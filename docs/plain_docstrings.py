"""What the API reference makes of docstrings: doctests as code, roles as the names that they name."""

from __future__ import annotations

import re
from typing import Any

import griffe

_ROLE = re.compile(r":\w+:`~?([^`]+)`")
_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.M)


def readable(text: str) -> str:
    """A docstring as Markdown.

    >>> print(readable("A :class:`Score`."))
    A `Score`.
    """
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", _ROLE.sub(r"`\1`", text))


class PlainDocstrings(griffe.Extension):
    """Rewrites the docstrings of a package once it is loaded."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Everything in the package, from its own docstring down."""
        _rewrite(pkg)


def _rewrite(thing: griffe.Object) -> None:
    if thing.docstring:
        thing.docstring.value = readable(thing.docstring.value)
    for member in thing.members.values():
        if isinstance(member, griffe.Object):  # what is imported from elsewhere has its turn there
            _rewrite(member)
