"""Print rule sets: the list, one in words with its sources, the differences of two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scorer.rules import RuleSet, load_rules, preset_ids
from scorer.words import Words
from scorer.yaku import YAKUMAN
from tehai.settings.options import rule_set, vocabulary
from tehai.settings.preferences import path, rules_or_default, use_rules
from tehai.terminal.phrases import PHRASES


def print_presets(console: Console) -> None:
    """Print each preset by id and name, with its source below."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for identity in preset_ids():
        preset = load_rules(identity)
        table.add_row(preset.id, _over(_names(preset), preset.source))
    console.print(table)
    console.print()
    console.print(
        Text("Read one with tehai rules ID. Compare two with tehai rules --diff ID ID.", "dim"),
    )
    console.print(Text(f"Your rules: {rules_or_default()}. Choose others with tehai rules --use ID.", "dim"))


def keep_rules(console: Console, name: str) -> None:
    """Save a preset or house-rules file as the default rules, and print where."""
    rules = use_rules(name)
    console.print(
        f"Your rules: {rules.name}. They are saved in {path()}; --rules overrides them.", markup=False
    )


def print_preset(console: Console, name: str, terms: str | None = None) -> None:
    """Print a rule set in words: each rule with its key and source, and all its yaku.

    ``terms``: the vocabulary; by default that of the rules.
    """
    preset = rule_set(name)
    words = _words(terms, preset)
    console.print(Text.assemble((preset.id, "bold"), "  ", _names(preset)))
    console.print(Text(preset.source, "dim"))
    if preset.base:
        console.print(Text(f"extends {preset.base}: rules that it does not change are equal", "dim"))
    for heading, keys in PHRASES.items():
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column(heading, ratio=1)
        table.add_column("source", style="dim", ratio=1)
        for key, phrase in keys.items():
            table.add_row(_over(phrase(getattr(preset, key), words), key), Text(source_of(preset, key)))
        console.print(table)
    console.print(_yaku_table(preset, words))
    if preset.notes:
        console.print(Text("Where the source is damaged or silent", "bold"))
        for note in preset.notes:
            console.print(Padding(Text(f"· {note}"), (0, 0, 0, 2)))


def _words(terms: str | None, *rules: RuleSet) -> Words:
    """The vocabulary of that name, or of the first rules, with the names of the own yaku of all."""
    own = {id_: name for one in rules for id_, name in one.vocabulary.own.items()}
    return replace(vocabulary(terms) or rules[0].vocabulary, own=own)


def _names(preset: RuleSet) -> str:
    """The English name, and the Japanese one if it differs."""
    return "  ".join(dict.fromkeys((preset.name, preset.name_ja)))


def _over(text: str, small: str) -> Text:
    """A line of text with a dimmer one below."""
    return Text.assemble(text, "\n", (small, "dim"))


def source_of(preset: RuleSet, key: str) -> str:
    """The source of a key or yaku. An inherited one names the base."""
    cite = preset.cite[key]
    inherited = preset.base and rule_set(preset.base).cite.get(key) == cite
    return f"as {preset.base}: {cite}" if inherited else cite


def print_difference(console: Console, first: str, second: str, terms: str | None = None) -> None:
    """Print the rules and yaku that differ between two rule sets. ``terms``: by default the first one's."""
    one, other = rule_set(first), rule_set(second)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(one.id, ratio=1)
    table.add_column(other.id, ratio=1)
    words = _words(terms, one, other)
    rows = list(differences(one, other, words))
    for key, here, there in rows:
        named = f"{words.yaku(key)}: " if key in one.yaku or key in other.yaku else ""
        table.add_row(_over(named + here, key), Text(named + there))
    if rows:
        console.print(table)
    else:
        console.print(f"{one.id} and {other.id} have the same rules.")


def differences(one: RuleSet, other: RuleSet, words: Words) -> Iterator[tuple[str, str, str]]:
    """(key or yaku id, value in ``one``, value in ``other``) where they differ, rules first."""
    for keys in PHRASES.values():
        for key, phrase in keys.items():
            here, there = getattr(one, key), getattr(other, key)
            if here != there:
                yield key, phrase(here, words), phrase(there, words)
    for yaku in dict.fromkeys((*one.table, *other.table)):
        mine, theirs = worth(one, yaku.id, words), worth(other, yaku.id, words)
        if mine != theirs:
            yield yaku.id, mine, theirs


def worth(rules: RuleSet, yaku_id: str, words: Words) -> str:
    """The han of a yaku: ``2, open 1``, ``yakuman, concealed``, ``mangan by itself``, or ``not played``."""
    if yaku_id in rules.limit_hands:
        return f"{words.limits[rules.limit_hands[yaku_id]]} by itself"
    closed, opened = rules.han(yaku_id, closed=True), rules.han(yaku_id, closed=False)
    if not closed and not opened:
        return _NOT_PLAYED
    if closed == opened:
        return _han(closed, words)
    if opened:
        return f"{_han(closed, words)}, open {_han(opened, words)}"
    return f"{_han(closed, words)}, concealed"


_NOT_PLAYED: Final = "not played"


def _han(han: int, words: Words) -> str:
    if han < YAKUMAN:
        return str(han)
    return words.limits["yakuman"] if han == YAKUMAN else words.yakuman.format(han // YAKUMAN)


def _yaku_table(preset: RuleSet, words: Words) -> Table:
    """The yaku of the rules with their ids, values and sources; then those that are not played."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(words.terms["yaku"], ratio=3)
    table.add_column(words.terms["han"], style="bold", ratio=2)
    table.add_column("source", style="dim", ratio=4)
    missing = []
    for yaku in preset.table:
        value, name = worth(preset, yaku.id, words), words.yaku(yaku.id)
        if value == _NOT_PLAYED:
            missing.append(name)
        else:
            same = name.lower() == yaku.id.replace("_", " ")
            named = Text(name) if same else _over(name, yaku.id)
            table.add_row(named, value, Text(source_of(preset, yaku.id)))
    if missing:
        table.add_row(", ".join(missing), _NOT_PLAYED)
    return table
