"""A yaku is one row of the table; what else belongs to it, and what happens as long as that is missing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import scorer
from scorer.telling.catalogue import DOMAIN, LANGUAGES
from scorer.telling.near import held_yaku
from scorer.yaku import BY_ID, DORA, TABLE
from tehai.learn.hands import WRITTEN, written
from tests.scorer.short_hands import TENHOU, playing_all
from tests.test_imports import imported_modules

ROOT = Path(__file__).resolve().parent.parent
SCORER = Path(scorer.__file__).resolve().parent
TELLING = SCORER / "telling"
CASES = ROOT / "tests" / "scorer" / "yaku_cases.txt"
RECORD = ROOT / "docs" / "hand.md"


def missing(id_: str) -> list[str]:
    """What a yaku of the table still lacks, as sentences that name the file it belongs into."""
    entry = tomllib.loads((TELLING / "glossary.toml").read_text("utf-8"))["yaku"].get(id_, {})
    found = [
        f"{id_}: scorer/telling/glossary.toml has no {word} of it under [yaku]"
        for word in ("japanese", "kana", "pronunciation")
        if not entry.get(word)
    ]
    for language in LANGUAGES:
        messages = Path("locale", language, "LC_MESSAGES", f"{DOMAIN}.po")
        if f'msgid "rule.{id_}"' not in (TELLING / messages).read_text("utf-8"):
            found.append(f"{id_}: scorer/telling/{messages.as_posix()} has no rule.{id_}")
    if not any(line.split("|")[0].strip() == id_ for line in CASES.read_text("utf-8").splitlines()):
        found.append(f"{id_}: tests/scorer/{CASES.name} has no hand that has it beside one that nearly has")
    if id_ not in drilled():
        found.append(f"{id_}: tehai/learn/{WRITTEN.name} has no hand to drill it")
    if id_ not in RECORD.read_text("utf-8").replace("`", " ").split():
        found.append(f"{id_}: docs/{RECORD.name} does not list its id")
    return found


@cache
def drilled() -> set[str]:
    """The yaku that hands of the drills have, where all yaku are played."""
    rules = playing_all(TENHOU)
    return {id_ for deal in written() for id_ in held_yaku(deal.hand, deal.win, rules)}


def test_nothing_of_a_yaku_is_missing() -> None:
    """Scored, told, listed and drilled it is without; whoever adds a yaku finds here what to write."""
    lacks = [sentence for yaku in TABLE for sentence in missing(yaku.id)]
    assert not lacks, "\n".join(lacks)


def test_what_is_written_is_of_yaku_that_there_are() -> None:
    entries = tomllib.loads((TELLING / "glossary.toml").read_text("utf-8"))["yaku"]
    assert entries.keys() <= {*BY_ID, *DORA}


def test_the_table_knows_no_rule_set() -> None:
    """Rules say what a yaku is worth; the table stands beneath them, for types too."""
    beneath = {"scorer", "scorer.tiles", "scorer.hand", "scorer.readings", "scorer.shapes"}
    imported = {module for module in imported_modules(SCORER / "yaku.py") if module.startswith("scorer")}
    assert imported <= beneath


# --- a row more ---------------------------------------------------------------------------------------------

ROW = """
    Yaku("goshoku", "Five Colours", "五色", 0, 0, _LOCAL, Prefilter.ALWAYS,
         lambda c: c.suits == 3 and bool(c.tally & _WIND_TILES and c.tally & _DRAGON_TILES)),
"""

HOUSE = 'base = "ema2008"\n\n[yaku]\ngoshoku = [2, 1]\n'

LOOK = """
import json
from scorer import load_rules, score
from scorer.telling.lesson import explain
from scorer.telling.sentence import StepKind
from tehai.learn.answers import YakuAnswer
from tests.scorer.short_hands import hand, win
from tests.test_adding_a_yaku import missing

house = load_rules("house.toml")

def of(text):
    return score(hand(text), win("ron houtei"), house).yaku

def lines(language):
    lesson = explain(hand("123m456p78s22z555z 9s"), win("ron"), house, language=language)
    step = lesson.step(StepKind.YAKU)
    return [[lesson.text(line.label), lesson.text(line.sentence), len(line.groups)] for line in step.lines]

print(json.dumps({
    "closed": of("123m456p78s22z555z 9s"),
    "open": of("456p78s22z555z 9s chi:123m"),
    "short": of("123m456p78s22z444z 9s"),
    "lessons": {language: lines(language) for language in ("en", "ja")},
    "named": YakuAnswer(("goshoku",)).credit("five colours"),
    "missing": missing("goshoku"),
}))
"""


def test_a_row_of_the_table_is_all_that_a_yaku_needs(tmp_path: Path) -> None:
    """A row more in a copy of the table, and house rules that play it: scored, told, listed without text."""
    shutil.copytree(SCORER, tmp_path / "scorer", ignore=shutil.ignore_patterns("__pycache__"))
    table = tmp_path / "scorer" / "yaku.py"
    before, end, after = table.read_text("utf-8").rpartition("\n)\n# fmt: on\n")
    table.write_text(f"{before}{ROW.rstrip()}{end}{after}", "utf-8")
    (tmp_path / "house.toml").write_text(HOUSE, "utf-8")

    found = json.loads(run(tmp_path, "-c", LOOK))
    assert dict(found["closed"]) == {"goshoku": 2, "yakuhai_haku": 1, "houtei": 1}
    assert dict(found["open"]) == {"goshoku": 1, "yakuhai_haku": 1, "houtei": 1}
    assert dict(found["short"]) == {"houtei": 1}
    english, japanese = found["lessons"]["en"][-1], found["lessons"]["ja"][-1]
    rule = "A yaku of these rules: their source says what it asks for."
    assert english == ["Five Colours", f"{rule} 2 han in a concealed hand, 1 in an open one.", 5]
    assert japanese == ["五色", "このルールの役。何を求めるかは出典にある。門前で2翻、鳴くと1翻。", 5]
    assert found["named"] == 1
    assert [line.split(":")[1].split()[0] for line in found["missing"]] == [
        *["scorer/telling/glossary.toml"] * 3,
        "scorer/telling/locale/en/LC_MESSAGES/lesson.po",
        "scorer/telling/locale/ja/LC_MESSAGES/lesson.po",
        "tests/scorer/yaku_cases.txt",
        "docs/hand.md",
    ]

    listed = run(tmp_path, "-m", "tehai", "rules", "house.toml")
    assert "Five Colours" in listed and "goshoku" in listed
    assert listed.index("Five Colours") < listed.index("not played")


def run(folder: Path, *arguments: str) -> str:
    """What Python prints in that folder, whose packages come before ours."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
