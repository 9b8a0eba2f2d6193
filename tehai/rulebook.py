"""Rule presets on the terminal."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scorer.rules import RulesError, RuleSet, load_rules, preset_ids
from scorer.yaku import TABLE, YAKUMAN
from tehai.errors import Mistake

_HEADINGS = frozenset({"id", "name", "source", "yaku", "cite"})


def print_presets(console: Console) -> None:
    """One line a preset."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("id", style="bold", no_wrap=True)
    table.add_column("name", no_wrap=True)
    table.add_column("source", style="dim")
    for identity in preset_ids():
        preset = load_rules(identity)
        table.add_row(preset.id, preset.name, preset.source)
    console.print(table)
    console.print(Text("tehai rules ID shows everything that a preset says.", "dim"))


def print_preset(console: Console, name: str) -> None:
    """All fields and all yaku of a preset or house-rules file, with what the source says."""
    try:
        preset = load_rules(name)
    except (RulesError, OSError) as error:
        raise Mistake(str(error)) from None
    console.print(Text.assemble((preset.id, "bold"), "  ", preset.name))
    console.print(Text(preset.source, "dim"))
    console.print(_field_table(preset))
    console.print(_yaku_table(preset))


def _field_table(preset: RuleSet) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rule", no_wrap=True)
    table.add_column("value", style="bold")
    table.add_column("source", style="dim")
    for field in fields(preset):
        if field.name not in _HEADINGS:
            table.add_row(
                field.name.replace("_", " "),
                _words(getattr(preset, field.name)),
                preset.cite.get(field.name, ""),
            )
    return table


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if hasattr(value, "items"):
        return ", ".join(f"{key} {amount}" for key, amount in value.items())
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value)


def _yaku_table(preset: RuleSet) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("yaku", no_wrap=True)
    table.add_column("closed", justify="right", style="bold", no_wrap=True)
    table.add_column("open", justify="right", style="bold", no_wrap=True)
    table.add_column("")
    table.add_column("source", style="dim")
    for yaku in TABLE:
        closed, opened = preset.han(yaku.id, True), preset.han(yaku.id, False)
        if closed or opened:
            cite = preset.cite.get(yaku.id, yaku.source)
            name = f"{yaku.english} {yaku.japanese}"
            table.add_row(yaku.id, _han(closed), _han(opened), name, cite)
    return table


def _han(han: int) -> str:
    if han < YAKUMAN:
        return str(han) if han else "–"
    return "yakuman" if han == YAKUMAN else f"yakuman ×{han // YAKUMAN}"
