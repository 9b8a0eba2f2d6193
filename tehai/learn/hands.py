"""The hands that are part of the package."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from scorer.record import parse_record
from tehai.learn.deal import Deal

WRITTEN: Final = Path(__file__).with_name("hands.jsonl")
"""Written hand records, a line each; ``note`` says what each teaches."""


NATURAL: Final = Path(__file__).with_name("natural.jsonl")
"""Hands that four simple simulated players won (``python -m datasets.natural_hands``)."""


@cache
def natural() -> tuple[Deal, ...]:
    """All natural hands, with the frequencies of real games."""
    lines = NATURAL.read_text(encoding="utf-8").splitlines()
    return tuple(Deal(one.hand, one.win) for one in map(parse_record, map(json.loads, lines)))


@cache
def written() -> tuple[Deal, ...]:
    """All written hands. Together they have every yaku of every preset."""
    lines = WRITTEN.read_text(encoding="utf-8").splitlines()
    known = [parse_record(json.loads(line)) for line in lines]
    return tuple(
        Deal(one.hand, one.win if one.win.tsumo else replace(one.win, loser_offset=1)) for one in known
    )
