"""A refusal's sentence in the language that a request asks for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

_FILE: Final = Path(__file__).with_name("refusals.ja.toml")


@cache
def japanese() -> Mapping[str, str | Mapping[str, str]]:
    """Sentences by code, those of a code with several reasons by reason."""
    with _FILE.open("rb") as file:
        return tomllib.load(file)


def sentence(scope: Scope, code: str, why: str, english: str) -> str:
    """In Japanese where that is the first language of ``Accept-Language`` (RFC 9110 §12.5.4) and there is a
    sentence; else ``english``, which has all particulars."""
    if not Headers(scope=scope).get("accept-language", "").lower().startswith("ja"):
        return english
    found = japanese().get(code, english)
    return found if isinstance(found, str) else found.get(why, english)
