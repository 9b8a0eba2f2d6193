"""How fast hands are scored beside other scorers: ``python -m benchmarks.speed --python PEERS``.

2,000 random wins and the hands of real games, the same for all, under Tenhou's rules. Each scorer gets them
in its own types, made before the clock runs, and scores every hand twice, in a process of its own and one
thread: for the first time, and warm. The clock is the processor time of that process, so that other work on
the machine does not count.
The inputs are frozen (``gc.freeze``) for all alike: a scorer's own garbage is collected while the clock runs,
but no walk over thousands of inputs, which are the benchmark's and fall into one scorer's pass by chance.
The peers' environment::

    python -m venv peers && peers/bin/pip install mahjong==2.1.0 jansou==0.14.0 riichienv==0.4.11
    python -m benchmarks.speed --python peers/bin/python
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.differential import FOLDER
from benchmarks.oracle import FILES, HANDS, read_hands
from benchmarks.wins import random_win
from scorer import load_rules, score_record
from scorer.record import DEFAULTS

PEERS: Final = ("mahjong", "jansou", "riichienv")

OURS: Final = """
import gc, json, sys, time
from scorer import parse_record, score
hands = [parse_record(record) for line in sys.stdin for record in json.loads(line)]
gc.collect()
gc.freeze()
passes = []
for _ in range(2):
    started = time.process_time()
    for one in hands:
        score(one.hand, one.win, one.rules)
    passes.append(time.process_time() - started)
print(json.dumps({"seconds": passes, "hands": len(hands)}))
"""


def random_records(count: int, seed: int) -> list[dict[str, Any]]:
    """So many random wins that have a yaku."""
    random, tenhou = Random(seed), load_rules("tenhou")
    found: list[dict[str, Any]] = []
    while len(found) < count:
        record = random_win(random).to_record(tenhou)
        if score_record(record)["status"] == "ok":
            found.append(record)
    return found


def real_records(folder: Path) -> list[dict[str, Any]]:
    """The hands of the oracle that come from games, with every field of a record."""
    fields = {**DEFAULTS, "rules": "tenhou"}
    known = [hand for hand in read_hands(folder / FILES[0]) if hand["source"].startswith("tenhou")]
    records = [
        {**fields, **{name: value for name, value in hand.items() if name in _FIELDS}} for hand in known
    ]
    for record in records:
        record["melds"] = [{"from": None, **meld} for meld in record["melds"]]
    return records


_FIELDS: Final = frozenset({*DEFAULTS, "concealed", "win_tile", "tsumo"}) - {"rules"}


def timed(command: Sequence[str], records: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """Microseconds a hand that the process reports: of the first pass, and of the second."""
    done = subprocess.run(
        command,
        input=json.dumps(records) + "\n",
        cwd=FOLDER.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:1])} failed: {done.stderr.strip().splitlines()[-1:]}")
    answer = json.loads(done.stdout)
    first, warm = (float(seconds) / int(answer["hands"]) * 1e6 for seconds in answer["seconds"])
    return first, warm


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", help="interpreter of the environment that has the peers")
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=PEERS, help="which of them")
    parser.add_argument("--hands", type=Path, default=HANDS, help=f"folder of {FILES[0]}")
    parser.add_argument("--random", type=int, default=2000, help="how many random wins")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=9, help="processes for each; the median counts")
    options = parser.parse_args()
    sets = {"random": random_records(options.random, options.seed), "real": real_records(options.hands)}
    sets["both"] = [*sets["random"], *sets["real"]]
    commands = {"tehai": [sys.executable, "-c", OURS]}
    if options.python:
        commands |= {
            peer: [options.python, str(FOLDER / "peers.py"), peer, "--time"] for peer in options.peers
        }
    else:
        print("peers: not measured; --python names an environment that has them")
    print("microseconds a hand, one thread; in brackets how many times ours")
    for name, records in sets.items():
        # taking turns, so that what slows the machine for a while slows all of them
        rounds = [
            {scorer: timed(command, records) for scorer, command in commands.items()}
            for _ in range(options.rounds)
        ]
        for at, called in enumerate(("first pass", "warm")):
            median = {scorer: statistics.median(one[scorer][at] for one in rounds) for scorer in commands}
            figures = "  ".join(
                f"{scorer} {value:7.1f}" + ("" if scorer == "tehai" else f" ({value / median['tehai']:5.2f})")
                for scorer, value in median.items()
            )
            print(f"{name:<7}{len(records):6} hands  {called:<10}  {figures}")


if __name__ == "__main__":
    main()
