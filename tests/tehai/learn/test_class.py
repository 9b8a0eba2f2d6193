"""What a club needs: the handout of its rules, a class as a table, progress as a file."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scorer import load_rules
from scorer.yaku import TABLE
from tehai.cli import app
from tehai.learn.answers import YakuAnswer
from tehai.learn.handout import handout
from tehai.learn.progress import Progress
from tests.tehai.learn.learning import setting, texts
from tests.tehai.learn.test_terminal_drill import NOON

OWN_YAKU = """
[own_yaku.plain]
name = "Plain Shape"
han = [1, 1]
when = { suits = 3 }
"""


def run(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "120"}).invoke(app, ["learn", *arguments])


def words_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "\n", html.partition("</style>")[2]))


@pytest.mark.parametrize("preset", ["ema2016", "tenhou", "toudai"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_handout_has_all_yaku_and_the_points_of_the_rules(preset: str, language: str) -> None:
    how = setting(preset, language=language)
    said, words = words_of(handout(texts(how), how.rules)).split("\n"), texts(how)
    for yaku in TABLE:
        played = any(how.rules.yaku[yaku.id]) or yaku.id in how.rules.limit_hands
        assert (words.name(yaku.id) in said) == played, yaku.id
    table = " ".join(said)
    adds = {"en": "to a win of the dealer alone", "ja": "親が和了したときだけ"}[language]
    assert (adds in table) == (preset == "toudai")
    for pays in ("1,000", "7,700", "11,600", "8,000", "32,000", "48,000"):
        assert pays in table
    assert all(pays in table for pays in ("1,300 / 2,600", "400 / 800", "16,000"))


def test_a_handout_has_what_only_its_rules_have(tmp_path: Path) -> None:
    """A yaku of the house, and the 20 fu of an open hand by ron (Toudai §3.2.4)."""
    house, out = tmp_path / "house.toml", tmp_path / "rules.html"
    house.write_text(f'base = "toudai"\n{OWN_YAKU}', encoding="utf-8")
    assert run("--handout", str(out), "--rules", str(house)).exit_code == 0
    said = words_of(out.read_text(encoding="utf-8"))
    assert "Plain Shape" in said and re.search(r"\n20\n+700\n", said)


def test_drills_play_a_yaku_of_the_house(tmp_path: Path) -> None:
    house, sheet = tmp_path / "house.toml", tmp_path / "sheet.html"
    house.write_text(f'base = "tenhou"\n{OWN_YAKU}', encoding="utf-8")
    assert run("--sheet", str(sheet), "--rules", str(house), "--level", "han", "--seed", "1").exit_code == 0
    assert "Plain Shape" in words_of((tmp_path / "sheet-key.html").read_text(encoding="utf-8"))
    own = tuple(load_rules(house).own_yaku.values())
    assert YakuAnswer(("plain", "riichi"), own=own).credit("riichi, plain shape") == 1


def test_a_handout_is_written_or_says_why_not(tmp_path: Path) -> None:
    out = tmp_path / "rules.html"
    assert run("--handout", str(out), "--rules", "ema2016").exit_code == 0
    assert load_rules("ema2016").name in out.read_text(encoding="utf-8")
    refused = run("--handout", str(tmp_path / "none" / "rules.html"))
    assert refused.exit_code == 2 and refused.stderr.count("\n") == 1


def test_one_thing_is_done_at_a_time(tmp_path: Path) -> None:
    refused = run("--handout", str(tmp_path / "a.html"), "--sheet", str(tmp_path / "b.html"))
    assert refused.exit_code == 2 and "--sheet and --handout are two things" in refused.stderr


def test_progress_travels_as_a_file_and_a_class_is_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "here"))
    here = Progress(tmp_path / "here" / "tehai" / "learn.json")
    here.record("course.tiles", 1.0, NOON)
    here.record("fu.wait", 0.0, NOON)
    folder = tmp_path / "class"
    folder.mkdir()
    assert run("--export", str(folder / "Anna.json")).exit_code == 0
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "there"))
    other = Progress(tmp_path / "there" / "tehai" / "learn.json")
    for _ in range(2):
        other.record("fu.wait", 1.0, NOON)
    taken = run("--import", str(folder / "Anna.json"))
    assert taken.exit_code == 0 and "1 topics taken in" in taken.stdout
    known = Progress.load(other.path).topics
    assert known["fu.wait"].answers == 2 and "course.tiles" in known, "what was answered more often stays"
    table = run("--class", str(folder))
    (row,) = [line for line in table.stdout.splitlines() if "Anna" in line]
    assert row.count("✓") == 1 and row.count("·") == 11 and "wait" in row.lower()


def test_what_is_no_progress_is_refused_and_nothing_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.json").write_text("[]", encoding="utf-8")
    for arguments in (("--import", "bad.json"), ("--import", str(tmp_path / "none.json")),
                      ("--class", str(tmp_path / "none")), ("--class", str(tmp_path))):  # fmt: skip
        refused = run(*arguments)
        assert refused.exit_code == 2 and refused.stderr.count("\n") == 1, arguments
        assert "learn --export" in refused.stderr and "--reset" not in refused.stderr, arguments
        assert "Bad.json" not in refused.stderr, "a file is called as it is"
    assert not (tmp_path / "tehai").exists()


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for option in ("--export", "--handout", "--sheet"):
        refused = run(option, str(tmp_path))
        assert refused.exit_code == 2 and f"The file {tmp_path} cannot be written" in refused.stderr
        assert "name another file" in refused.stderr and refused.stderr.count("--") == 0, option
