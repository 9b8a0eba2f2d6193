"""Rules chosen once: kept, shown, overruled, asked for on the first run; never in the folder of who tests."""

from __future__ import annotations

import json
from pathlib import Path

import platformdirs
import pytest
from typer.testing import CliRunner, Result

from scorer import preset_ids
from tehai import doctor
from tehai.cli import app
from tehai.errors import Mistake
from tehai.learn.drill import Wanted
from tehai.settings import preferences
from tehai.webcam.session import Options as WebcamOptions

TANYAO = "456p78s22p345s + 6s [234m]"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which nothing was chosen yet."""
    monkeypatch.setenv(preferences.FOLDER, str(tmp_path / "fresh"))
    return tmp_path / "fresh"


def run(*args: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, args, env={"COLUMNS": "300"}, input=typed)


def rules_of(*flags: str) -> str:
    found = json.loads(run("score", TANYAO, "--ron", "--json", *flags).stdout)
    return str(found["record"]["rules"])


def test_tests_stay_out_of_the_users_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    users = platformdirs.user_config_path("tehai")
    assert users not in preferences.path().parents
    monkeypatch.delenv(preferences.FOLDER)
    assert preferences.path() == users / "config.toml"


def test_rules_are_kept_shown_and_overruled(home: Path, tmp_path: Path) -> None:
    assert preferences.chosen_rules() is None and rules_of() == "ema2008"
    assert "choose yours with tehai rules --use" in doctor.rules()
    kept = run("rules", "--use", "tenhou")
    assert kept.exit_code == 0 and "Tenhou" in kept.stdout and str(home / "config.toml") in kept.stdout
    assert rules_of() == "tenhou" and rules_of("--rules", "mleague") == "mleague"
    assert doctor.rules() == f"tenhou  {home / 'config.toml'}"
    assert "Your rules: tenhou" in run("rules").stdout
    assert Wanted().setting().rules.id == "tenhou" and WebcamOptions().facts() == {"rules": "tenhou"}
    run("rules", "--use", "ema2008")
    assert rules_of() == "ema2008"


def test_house_rules_are_kept_by_their_whole_path(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "友.toml").write_text('base = "tenhou"\nname = "Friends"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "Friends" in run("rules", "--use", "友.toml").stdout
    monkeypatch.chdir(home)
    assert rules_of() == str(tmp_path / "友.toml")
    (tmp_path / "友.toml").unlink()
    lost = run("score", TANYAO, "--ron", "--defaults")
    assert lost.exit_code == 2 and "tehai rules --use ID chooses others" in lost.stderr
    assert run("score", TANYAO, "--ron", "--defaults", "--rules", "tenhou").exit_code == 0
    assert "tehai rules --use ID" in doctor.rules()


@pytest.mark.parametrize("text", ["rules = ", "\x00", "rules = 3"])
def test_a_file_that_says_nothing_is_no_trap(home: Path, text: str) -> None:
    home.mkdir()
    (home / "config.toml").write_text(text, encoding="utf-8")
    if text == "rules = 3":
        assert preferences.chosen_rules() is None
    else:
        with pytest.raises(Mistake, match="tehai rules --use ID writes it anew"):
            preferences.chosen_rules()
    assert run("rules", "--use", "tenhou").exit_code == 0 and rules_of() == "tenhou"


def test_unknown_rules_are_not_kept(home: Path) -> None:
    assert "tenhou" in run("rules", "--use", "tenho").stderr and preferences.chosen_rules() is None


def test_where_nothing_can_be_written_it_is_said(home: Path) -> None:
    home.write_text("a file where the folder should be", encoding="utf-8")
    assert "cannot be written" in run("rules", "--use", "tenhou").stderr


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        ("\n", "ema2008"),
        ("tenhou\n", "tenhou"),
        ("m.l\n", "mleague"),
        ("天鳳\n", "tenhou"),
        ("x\nmaj\nmle\n", "mleague"),
    ],
)
def test_the_first_talk_asks_once(
    home: Path, monkeypatch: pytest.MonkeyPatch, typed: str, chosen: str
) -> None:
    monkeypatch.setattr("tehai.hand.scoring.is_terminal", lambda: True)
    flags = ("--ron", "--no-dealer", "--dora", "-", "--nothing-special")
    first = run("score", TANYAO, *flags, typed=typed + "\n\n")
    assert "Which rules do you play?" in first.stdout and preferences.chosen_rules() == chosen
    assert all(id_ in first.stdout for id_ in preset_ids())
    assert "Which rules" not in run("score", TANYAO, *flags, typed="\n\n").stdout


def test_who_names_the_rules_or_is_not_there_is_not_asked(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Which rules" not in run("score", TANYAO, "--ron", "--defaults").stdout
    monkeypatch.setattr("tehai.hand.scoring.is_terminal", lambda: True)
    flags = ("--ron", "--no-dealer", "--dora", "-", "--nothing-special", "--rules", "tenhou")
    assert "Which rules" not in run("score", TANYAO, *flags, typed="\n\n").stdout
    assert preferences.chosen_rules() is None


def test_a_choice_that_cannot_be_kept_does_not_stop_the_talk(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write_text("a file where the folder should be", encoding="utf-8")
    monkeypatch.setattr("tehai.hand.scoring.is_terminal", lambda: True)
    flags = ("--ron", "--no-dealer", "--dora", "-", "--nothing-special")
    first = run("score", TANYAO, *flags, typed="tenhou\n\n\n")
    assert "cannot be written" in first.stdout and "1,000 points" in first.stdout
