"""The comparison of the presets in ``docs/rules.md``, written anew by ``python docs/rules_tables.py``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from scorer import RuleSet, load_rules, preset_ids
from scorer.rule_values import ABORTIVE_DRAWS
from scorer.words import VOCABULARIES
from scorer.yaku import CONCEALED_ONLY, TABLE, YAKUMAN

PAGE = Path(__file__).with_name("rules.md")
TABLES = {
    "texts": ("ema2008", "ema_revised", "toudai", "wrc2017", "reference"),
    "played": ("ema2016", "wrc2015", "wrc2025", "tenhou", "majsoul", "mleague", "jpml"),
    "leagues": ("rrc", "rmu_a", "rmu_b", "rmu_m", "saikouisen", "saikyosen"),
    "three": ("tenhou3", "majsoul3"),
}
"""The presets of each table; the page has a pair of comments around where it stands."""

APART = frozenset(
    {"id", "base", "name", "name_ja", "source", "words", "notes", "cite", "yaku", "limits", "limit_hands"}
)
"""Fields that name and explain, and those that are tables of their own."""

_ABORTIVE = {id_: VOCABULARIES["english"].terms[id_] for id_ in ABORTIVE_DRAWS}

Row = tuple[str, str, Callable[[RuleSet], str]]
"""What a row is called, the key of its citation, and the text of its value."""


def rows() -> Iterator[Row]:
    """One for each value in which two presets differ: keys, limits, yaku."""
    every = [load_rules(id_) for id_ in preset_ids()]
    return (row for row in _values(every) if len({row[2](rules) for rules in every}) > 1)


def _values(every: Sequence[RuleSet]) -> Iterator[Row]:
    for field in fields(RuleSet):
        if field.name not in APART:
            yield field.name, field.name, partial(_key, field.name)
    for name in dict.fromkeys(name for rules in every for name in rules.limits):
        yield f"limits: {name}", "limits", partial(_limit, name)
    for yaku in TABLE:
        yield yaku.id, yaku.id, partial(_yaku, yaku.id)


def _key(name: str, rules: RuleSet) -> str:
    value: Any = getattr(rules, name)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "uma":
        return _uma(value)
    if name == "floating_uma":
        return "; ".join(map(_uma, value)) or "none"
    if isinstance(value, tuple):
        return ", ".join(_ABORTIVE.get(one, str(one).replace("_", " ")) for one in value) or "none"
    return str(value).replace("_", " ")


def _uma(value: Sequence[int]) -> str:
    return " ".join(f"{points / 1000:g}" for points in value)


def _limit(name: str, rules: RuleSet) -> str:
    return str(rules.limits.get(name, "none"))


def _yaku(id_: str, rules: RuleSet) -> str:
    """``2 / 1``: concealed and open; ``2 / –``: concealed alone, of a yaku that open hands can have."""
    if id_ in rules.limit_hands:
        return rules.limit_hands[id_]
    closed, open_ = map(_han, rules.yaku[id_])
    return closed if closed == open_ or id_ in CONCEALED_ONLY else f"{closed} / {open_}"


def _han(han: int) -> str:
    if han >= YAKUMAN:
        return f"{han // YAKUMAN} yakuman"
    return str(han) if han else "–"


def table(presets: Sequence[str]) -> str:
    """The rows as Markdown; in brackets what no text says and the preset chose."""
    loaded = [load_rules(id_) for id_ in presets]
    lines = [f"| | {' | '.join(f'`{id_}`' for id_ in presets)} |", f"|{'---|' * (len(presets) + 1)}"]
    for name, key, text in rows():
        cells = (f"[{text(one)}]" if "chosen" in one.cite[key] else text(one) for one in loaded)
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def written(page: str) -> str:
    """The page with its tables as the presets are now."""
    for name, presets in TABLES.items():
        before, rest = page.split(f"<!-- {name} -->\n")
        _, after = rest.split(f"\n<!-- end of {name} -->")
        page = f"{before}<!-- {name} -->\n\n{table(presets)}\n\n<!-- end of {name} -->{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
