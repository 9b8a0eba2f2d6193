"""The hands that travel with the program."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from scorer.record import parse_record
from tehai.learn.deal import Deal

WRITTEN: Final = Path(__file__).with_name("hands.jsonl")
"""Hand records that we wrote, a line each, with what is to be learnt from it as ``note``."""


NATURAL: Final = Path(__file__).with_name("natural.jsonl")
"""Hands as four simple players won them at a table (``python -m datasets.natural_hands``)."""


@cache
def natural() -> tuple[Deal, ...]:
    """All of them: what most evenings see."""
    lines = NATURAL.read_text(encoding="utf-8").splitlines()
    return tuple(Deal(one.hand, one.win) for one in map(parse_record, map(json.loads, lines)))


@cache
def written() -> tuple[Deal, ...]:
    """All of them; between them they have every yaku that a preset plays."""
    lines = WRITTEN.read_text(encoding="utf-8").splitlines()
    known = [parse_record(json.loads(line)) for line in lines]
    return tuple(
        Deal(one.hand, one.win if one.win.tsumo else replace(one.win, loser_offset=1)) for one in known
    )
