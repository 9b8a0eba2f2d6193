"""What becomes of each test over several runs of pytest, and how long it takes.

As a plugin (``-p outcomes``) it adds a line a phase of a test to the file that ``OUTCOMES`` names. By itself
it reads that file: ``skipped`` prints the tests that no run has run yet, ``sum`` how many passed, failed and
were skipped in all, why these were, and how long each room took; it exits with 1 where one failed.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

FILE = Path(os.environ["OUTCOMES"])

Outcome = tuple[str, str]
"""``passed``, ``failed`` or ``skipped``, and why."""


def pytest_runtest_logreport(report: Any) -> None:
    _keep(report)


def pytest_collectreport(report: Any) -> None:
    if not report.passed:
        _keep(report)


def _keep(report: Any) -> None:
    if "PYTEST_XDIST_WORKER" in os.environ:
        return  # who shares out the tests hears of each
    why = report.longrepr[2].removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else ""
    when, took = getattr(report, "when", "call"), getattr(report, "duration", 0)
    with FILE.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps([report.nodeid, when, report.outcome, why, took]) + "\n")


def outcomes() -> tuple[dict[str, Outcome], Counter[str]]:
    """Each test or module with its worst outcome, where one that passed counts as run; and seconds a room."""
    rank = {"failed": 2, "passed": 1, "skipped": 0}
    found: dict[str, Outcome] = {}
    seconds: Counter[str] = Counter()
    for line in FILE.read_text("utf-8").splitlines():
        test, when, outcome, why, took = json.loads(line)
        seconds["/".join(test.partition("::")[0].split("/")[:2])] += took
        if outcome == "passed" and when != "call":
            continue
        if test not in found or rank[outcome] >= rank[found[test][0]]:
            found[test] = (outcome, why)
    entered = {test.partition("::")[0] for test in found if "::" in test}
    return {test: found[test] for test in found if found[test][0] == "failed" or test not in entered}, seconds


def main(wanted: str) -> int:
    found, seconds = outcomes()
    skipped = {test: why for test, (outcome, why) in found.items() if outcome == "skipped"}
    if wanted == "skipped":
        sys.stdout.writelines(f"{test}\n" for test in skipped)
        return 0
    reasons = Counter((test.partition("::")[0], why) for test, why in skipped.items())
    for (file, why), times in sorted(reasons.items()):
        print(f"skipped {times}: {file}: {why}")
    failed = [test for test, (outcome, _) in found.items() if outcome == "failed"]
    for test in failed:
        print(f"failed: {test}")
    rooms = ", ".join(f"{room} {took:.0f}" for room, took in sorted(seconds.items()))
    print(f"seconds of one process: {rooms}")
    passed = len(found) - len(failed) - len(skipped)
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
