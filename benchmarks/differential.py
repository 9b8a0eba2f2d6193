"""Score random wins with other scorers and explain every difference: ``python -m benchmarks.differential``.

Each peer runs in an environment of its own and is asked over a pipe (``benchmarks/peers.py``)::

    python -m venv peers && peers/bin/pip install mahjong==2.1.0 jansou==0.14.0
    python -m benchmarks.differential --python peers/bin/python --hands 240000

Hands and peers take turns through :data:`TABLES`, rule sets that both sides can play. A difference that
``differences.toml`` does not explain is printed in full, and the exit code is 1. ``--save FILE`` keeps the
hands with the peers' answers, ``--saved FILE`` compares with those and needs no peer.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.wins import random_win
from scorer import HandError, RuleSet, load_rules, score
from scorer.record import parse_record
from scorer.yaku import YAKUMAN

FOLDER: Final = Path(__file__).parent
EXPLAINED: Final = FOLDER / "differences.toml"
CHUNK: Final = 500

Record = dict[str, Any]
Answer = Mapping[str, Any]
Case = tuple[str, Record, Answer]
"""A peer's name, the hand with its table as ``rules``, and what the peer says of it."""


def _house() -> RuleSet:
    """EMA's rules as far as the peer can play them: it always adds yakuman up."""
    ema = load_rules("ema2008")
    limits = {limit: han for limit, han in ema.limits.items() if limit != "counted_yakuman"}
    yaku = {**ema.yaku, "daisharin": (13, 0)}
    return replace(ema, yaku=yaku, limits=limits, yakuman_add_up=True, kiriage_mangan=True, open_pinfu_fu=0)


def _closed() -> RuleSet:
    """Mahjong Soul's rules with closed tanyao, one yakuman a hand, and rounding up to mangan."""
    majsoul = load_rules("majsoul")
    yaku = {**majsoul.yaku, "tanyao": (1, 0)}
    return replace(majsoul, yaku=yaku, yakuman_add_up=False, kiriage_mangan=True)


TABLES: Final[Mapping[str, RuleSet]] = {
    "tenhou": load_rules("tenhou"),
    "majsoul": load_rules("majsoul"),
    "mleague": load_rules("mleague"),
    "house": _house(),
    "closed": _closed(),
    "tenhou3": load_rules("tenhou3"),
    "majsoul3": load_rules("majsoul3"),
}
"""Our side of the rules; the peers' options are in ``peers.py`` under the same names."""

PLAYS: Final[Mapping[str, Sequence[str]]] = {
    "mahjong": ("tenhou", "majsoul", "house", "tenhou3", "majsoul3"),
    "jansou": ("tenhou", "majsoul", "mleague", "closed"),
}
"""The tables that each peer has options for."""

_NO_SPECIAL_WAITS: Final = {"kokushi_13": "kokushi", "chuuren_9": "chuuren", "suuankou_tanki": "suuankou"}
"""``jansou`` pays special waits double where they are, under one name."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the answers differ: by field, theirs and ours."""

    peer: str
    record: Record
    fields: Mapping[str, tuple[Any, Any]]


def our_answer(peer: str, record: Record) -> Answer:
    """Our score in the terms of ``peers.py``."""
    parsed = parse_record({**record, "rules": "tenhou"})
    try:
        won = score(parsed.hand, parsed.win, TABLES[record["rules"]])
    except HandError as error:
        return {"error": error.faults[0].id}
    names = _NO_SPECIAL_WAITS if peer == "jansou" else {}
    yaku = [(names.get(id_, id_), han) for id_, han in won.yaku]
    if peer == "mahjong":
        yaku = _with_norths(yaku)
    return {
        "han": won.han,
        # of a yakuman minipoints are no part of its score
        "fu": None if won.yakuman else won.fu,
        "yaku": sorted(map(list, yaku)),
        "deltas": list(won.deltas or ()),
    }


def _with_norths(yaku: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """With norths set aside among the dora, as ``mahjong`` has them."""
    dora = sum(han for id_, han in yaku if id_ in ("dora", "nukidora"))
    return [one for one in yaku if one[0] not in ("dora", "nukidora")] + [("dora", dora)] * (dora > 0)


def difference(case: Case) -> Difference | None:
    """What the peer says otherwise, if anything."""
    peer, record, theirs = case
    ours = our_answer(peer, record)
    if ours.get("fu", 0) is None:
        theirs = {**theirs, "fu": None}
    fields = {
        field: (theirs.get(field), ours.get(field))
        for field in ("error", "han", "fu", "yaku", "deltas")
        if theirs.get(field) != ours.get(field)
    }
    return Difference(peer, record, fields) if fields else None


def explanations() -> list[dict[str, Any]]:
    """The entries of ``differences.toml``."""
    entries: list[dict[str, Any]] = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["difference"]
    return entries


def explains(entry: Mapping[str, Any], found: Difference) -> bool:
    """Whether the entry's pattern fits the difference; what it leaves out may be anything."""
    every_yaku = [han for answer in found.fields.get("yaku", ()) for _, han in answer or ()]
    return (
        found.peer in entry["peers"]
        and found.record["rules"] in entry["tables"]
        and set(found.fields) <= set(entry["fields"])
        and all(found.record[field] == value for field, value in entry.get("hand", {}).items())
        and all(found.fields.get(field) == tuple(pair) for field, pair in entry.get("values", {}).items())
        and (not entry.get("yakuman") or min(every_yaku, default=0) >= YAKUMAN)
    )


class Peer:
    """Another scorer, asked over a pipe."""

    def __init__(self, python: str, name: str) -> None:
        self.name = name
        command = [python, str(FOLDER / "peers.py"), name]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, records: Sequence[Record]) -> None:
        """Hand the records over; the answers are fetched with :meth:`answers`."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(records) + "\n")
        self._process.stdin.flush()

    def answers(self) -> list[Answer]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} stopped; its environment needs the package {self.name}.")
        found: list[Answer] = json.loads(line)
        return found

    def close(self) -> None:
        """Let the process end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def asked(
    python: str, peers: Sequence[str], hands: int, seed: int, tables: Collection[str] = TABLES
) -> Iterator[Case]:
    """Random wins at some of the tables with what each peer says of them."""
    random = Random(seed)
    plays = {name: [table for table in PLAYS[name] if table in tables] for name in peers}
    seated = sorted({TABLES[table].players for name in peers for table in plays[name]})
    doors = [Peer(python, name) for name in peers]
    for first in range(0, hands, CHUNK):
        chunk = range(first, min(first + CHUNK, hands))
        wins = {players: [random_win(random, players=players) for _ in chunk] for players in seated}
        chunks = [
            [
                {**wins[TABLES[table].players][at - first].to_record(TABLES[table]), "rules": table}
                for at, table in zip(chunk, islice(cycle(plays[door.name]), first, None), strict=False)
            ]
            for door in doors
        ]
        for door, records in zip(doors, chunks, strict=True):
            door.ask(records)
        for door, records in zip(doors, chunks, strict=True):
            for record, answer in zip(records, door.answers(), strict=True):
                yield door.name, record, answer
    for door in doors:
        door.close()


def saved(file: Path) -> Iterator[Case]:
    """The cases that ``--save`` kept."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            peer, record, answer = json.loads(line)
            yield peer, record, answer


def save(file: Path, cases: Iterator[Case]) -> Iterator[Case]:
    """The cases, each kept in the file as it passes."""
    with file.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as packed:
        for case in cases:
            packed.write(json.dumps(case, separators=(",", ":")).encode() + b"\n")
            yield case


def main() -> int:
    """Compare, print what differs by explanation; 0 where every difference has one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", help="interpreter of the environment that has the peers")
    parser.add_argument("--peers", default=",".join(PLAYS), help="which of them, separated by commas")
    parser.add_argument("--tables", default=",".join(TABLES), help="which of them, separated by commas")
    parser.add_argument("--hands", type=int, default=240_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="keep hands and answers in this .jsonl.gz file")
    parser.add_argument("--saved", type=Path, help="compare with the answers that this file keeps")
    options = parser.parse_args()
    if (options.python is None) == (options.saved is None):
        parser.error("name the peers' interpreter with --python, or a file of their answers with --saved")
    if options.saved:
        cases = saved(options.saved)
    else:
        peers, tables = options.peers.split(","), options.tables.split(",")
        cases = asked(options.python, peers, options.hands, options.seed, tables)
    if options.save:
        cases = save(options.save, cases)
    entries = explanations()
    compared: Counter[tuple[str, str]] = Counter()
    wins: Counter[str] = Counter()
    explained: Counter[tuple[str, str]] = Counter()
    unexplained = 0
    for case in cases:
        peer, record, answer = case
        compared[peer, record["rules"]] += 1
        wins[peer] += "error" not in answer
        found = difference(case)
        if found is None:
            continue
        entry = next((entry for entry in entries if explains(entry, found)), None)
        if entry:
            explained[peer, entry["id"]] += 1
            continue
        unexplained += 1
        if unexplained <= 20:
            print(f"{peer}: {json.dumps(record)}\n  theirs, ours: {json.dumps(found.fields)}")
    for (peer, table), count in sorted(compared.items()):
        print(f"{peer:<8} {table:<8} {count:7} hands")
    for peer, count in sorted(wins.items()):
        print(f"{peer:<8} {count:7} of them wins, the others without yaku")
    for (peer, id_), count in sorted(explained.items()):
        print(f"{peer:<8} {count:7} differ as differences.toml explains: {id_}")
    print(f"{unexplained} differences without an explanation")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
