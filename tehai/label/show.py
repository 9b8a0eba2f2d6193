"""Numbers and findings on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tehai.label.check import KINDS
from tehai.label.compare import Compared, summary
from tehai.output.join import plural, printable

_BAR = 40
"""Columns of the longest bar."""
_NAMED = 10
"""Findings of one kind that are named; --json has them all."""


def print_stats(console: Console, facts: dict[str, Any]) -> None:
    """What :func:`tehai.label.stats.stats` has counted."""
    states = ", ".join(f"{count:,} {state}" for state, count in facts["states"].items())
    console.print(
        f"{plural(facts['photos'], 'photo')} ({states or 'none'}), {plural(facts['tiles'], 'tile')}"
    )
    _print_bars(console, {label: n for label, n in facts["labels"].items() if n or label != "?"})
    reds = ", ".join(f"{count} {red}" for red, count in facts["reds"].items())
    console.print(f"red fives: {reds}\n")
    _print_folders(console, facts["folders"])
    for pair in facts["agreement"]:
        _print_agreement(console, pair)
    for name, groups in facts["duplicates"].items():
        words = "holding the same bytes" if name == "exact" else "nearly alike"
        lines = [", ".join(map(printable, group)) for group in groups]
        _print_list(console, f"{plural(len(groups), 'group')} of files {words}", lines)
    for name, words in (("violations", "rule violation"), ("unreadable", "file that cannot be read")):
        lines = [f"{printable(one['path'])}: {one['message']}" for one in facts[name]]
        several = "files that cannot be read" if name == "unreadable" else ""
        _print_list(console, plural(len(lines), words, several), lines)


def _print_agreement(console: Console, pair: dict[str, Any]) -> None:
    least = sorted((kappa, face) for face, kappa in pair["faces"].items() if kappa is not None and kappa < 1)
    apart = f"; least of {', '.join(f'{face} {kappa:.2f}' for kappa, face in least[:5])}" if least else ""
    kappa = "" if pair["kappa"] is None else f", kappa {pair['kappa']:.3f}{apart}"
    console.print(
        f"{escape(printable(pair['one']))} and {escape(printable(pair['other']))} agree on "
        f"{pair['agreed']:,} of {plural(pair['tiles'], 'tile')} in {plural(pair['photos'], 'photo')}{kappa}"
    )


def _print_bars(console: Console, counts: dict[str, int]) -> None:
    most = max(counts.values(), default=0) or 1
    for label, count in counts.items():
        console.print(f"{label:>5} {count:>7,} {'█' * round(_BAR * count / most)}", highlight=False)


def _print_folders(console: Console, folders: dict[str, dict[str, Any]]) -> None:
    table = Table("folder", "photos", "tiles", "reviewed", "models right", "model→person", box=None)
    for name, folder in folders.items():
        checked = folder["compared"] + folder["missed"]
        share = f"{folder['agreed'] / checked:.2%} of {checked:,}" if checked else ""
        apart = [f"{pair} {count}" for pair, count in folder["confusions"][:5]]
        apart += [f"{folder[what]} {what}" for what in ("missed", "extra") if folder[what]]
        table.add_row(
            escape(printable(name)),
            f"{folder['photos']:,}",
            f"{folder['tiles']:,}",
            f"{folder['reviewed']:,}",
            share,
            ", ".join(apart),
        )
    console.print(table)


def print_difference(console: Console, changes: Sequence[dict[str, Any]]) -> None:
    """What :func:`tehai.label.tags.difference` has found."""
    for kind in ("added", "removed", "changed"):
        lines = [_difference(one) for one in changes if one["kind"] == kind]
        if lines:
            _print_list(console, f"{plural(len(lines), 'photo')} {kind}", lines)
    if not changes:
        console.print("Nothing has changed.")


def _difference(change: dict[str, Any]) -> str:
    was, state = change.get("was", change["state"]), change["state"]
    said = [state if was == state else f"{was} → {state}"]
    said += [f"{one}→{other}" for one, other in change.get("relabelled", [])]
    said += [f"+{label}" for label in change.get("new", [])] + [
        f"-{label}" for label in change.get("gone", [])
    ]
    return f"{printable(change['path'])}: {', '.join(said)}"


def print_findings(console: Console, findings: Sequence[dict[str, Any]], photos: int) -> None:
    """What :func:`tehai.label.check.check` has found."""
    for kind, words in KINDS.items():
        lines = [f"{printable(one['path'])}: {one['message']}" for one in findings if one["kind"] == kind]
        if lines:
            _print_list(console, f"{words} ({len(lines):,})", lines)
    if not findings:
        console.print(f"{plural(photos, 'photo')}, nothing wrong found.")


def _print_list(console: Console, heading: str, lines: Sequence[str]) -> None:
    if not lines:
        return
    console.print(f"\n{heading}:")
    for line in lines[:_NAMED]:
        console.print(f"  {line}", markup=False, soft_wrap=True)
    if len(lines) > _NAMED:
        console.print(f"  and {len(lines) - _NAMED:,} more; --json lists them all.")


def print_compared(console: Console, photos: Sequence[Compared], most: int) -> None:
    """What another model gets wrong, the hardest photos first."""
    for sentence in summary(photos):
        console.print(sentence)
    wrong = [one for one in photos if one.faults]
    for one in wrong[:most]:
        console.print(f"{printable(one.path)}: {plural(len(one.faults), 'mistake')}", markup=False)
        for fault in one.faults:
            console.print(f"  {fault.words()}", markup=False)
    if len(wrong) > most:
        console.print(f"and {plural(len(wrong) - most, 'photo')} more with mistakes: see --most.")
