"""Score every hand of the oracle files and count what differs: ``python -m benchmarks.oracle [--hands DIR]``.

Prints the differences by field, the first few in full, and the hands a second; exit code 1 if any differs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from scorer import RuleSet, load_rules, score
from scorer.record import parse_record

HANDS = Path(os.environ.get("TEHAI_DATA", "../shared/data")) / "hands"
"""Where the scored hands lie: seen from the repository's root, or in the folder that ``TEHAI_DATA`` names."""

FILES = ("agari.jsonl.gz", "agari_special.jsonl")

FIELDS = ("han", "fu", "points", "limit", "yakuman", "yaku", "deltas")

_LIMITS = (None, "mangan", "haneman", "baiman", "sanbaiman", "yakuman")
_WINDS = ("east", "south", "west", "north")
_COUNTERS_1500 = 1024
_NAMES = {"iipeiko": "iipeikou", "aka_dora": "aka", "ura_dora": "ura", "haku": "yakuhai_haku"} | {
    name: f"yakuhai_{name}" for name in ("hatsu", "chun")
}


def read_hands(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a ``.jsonl`` or ``.jsonl.gz`` file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _yaku(named: list[list[Any]]) -> list[tuple[str, int]]:
    """Yaku of the oracle under our ids, sorted."""
    ids = []
    for name, han in named:
        kind, _, wind = name.rpartition("_wind_")
        ids.append((f"yakuhai_{kind}" if wind in _WINDS else _NAMES.get(name, name), han))
    return sorted(ids)


def rules_of(record: Mapping[str, Any]) -> RuleSet:
    """Tenhou's rules as the lobby varies them: kiriage mangan, and counters of 1500 where a bit says so."""
    tenhou = load_rules("tenhou")
    lobby = record["ruleset"]
    if not lobby["special"]:
        return tenhou
    counters = 1500 if lobby["go_type"] & _COUNTERS_1500 else tenhou.honba_points
    return replace(tenhou, kiriage_mangan=True, honba_points=counters)


def differences(record: Mapping[str, Any], rules: RuleSet) -> dict[str, tuple[Any, Any]]:
    """By field, what the oracle says and what we say, where the two differ."""
    parsed = parse_record(record)
    ours: dict[str, Any] = {**score(parsed.hand, parsed.win, rules).result()}
    wanted = dict(record["expected"])
    wanted["yaku"] = _yaku(wanted["yaku"])
    ours["yaku"] = sorted(map(tuple, ours["yaku"]))
    if ours["limit"] == "counted_yakuman":
        ours["limit"] = "yakuman"
    if wanted["limit"] is None or (rules.kiriage_mangan and ours["han"] < 5):
        # one of the sources names no limits, and the other none for a mangan by rounding up
        del wanted["limit"]
    else:
        wanted["limit"] = _LIMITS[wanted["limit"]]
    if wanted["yakuman"] and not (
        wanted["fu"] and ours["fu"]
    ):  # minipoints of a yakuman are no part of its score
        del wanted["fu"]
    return {
        field: (wanted[field], ours[field])
        for field in FIELDS
        if field in wanted and wanted[field] != ours[field]
    }


def main() -> int:
    """Compare both files, print what differs; 0 where nothing does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=Path, default=HANDS, help=f"folder of {' and '.join(FILES)}")
    folder: Path = parser.parse_args().hands
    differ = False
    for name in FILES:
        records = list(read_hands(folder / name))
        started = time.perf_counter()
        found = [differences(record, rules_of(record)) for record in records]
        seconds = time.perf_counter() - started
        fields = Counter(field for one in found for field in one)
        wrong = [(record, one) for record, one in zip(records, found, strict=True) if one]
        counted = ", ".join(f"{field} {fields[field]}" for field in FIELDS)
        print(
            f"{name}: {len(records)} hands, {len(wrong)} differ ({counted});"
            f" {seconds:.1f} s, {len(records) / seconds:.0f} hands/s"
        )
        for record, one in wrong[:10]:
            print(f"  {record['ref']}: {one}")
        differ = differ or bool(wrong)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
