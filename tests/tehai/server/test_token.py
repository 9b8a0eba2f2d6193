"""The token of an evening: kept for its owner alone, made anew when it is old, damaged or wanted so."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tehai.server.security import EVENING
from tehai.server.token import token_for

pytestmark = pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")


def age(token: Path, seconds: float) -> None:
    """As if it had been made so long ago."""
    then = token.stat().st_mtime - seconds
    os.utime(token, (then, then))


def test_a_token_is_kept_for_its_owner_alone_and_taken_again(tmp_path: Path) -> None:
    file = tmp_path / "tehai" / "token"
    token = token_for(file)
    assert len(token) == 32 and token_for(file) == token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [one.name for one in file.parent.iterdir()] == ["token"]


def test_a_new_one_is_made_where_it_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "token"
    token = token_for(file)
    other = token_for(file, new=True)
    assert other != token and token_for(file) == other


def test_it_lasts_an_evening(tmp_path: Path) -> None:
    file = tmp_path / "token"
    token = token_for(file)
    age(file, EVENING - 60)
    assert token_for(file) == token
    age(file, 120)
    assert token_for(file) != token


def test_one_of_the_future_is_none(tmp_path: Path) -> None:
    file = tmp_path / "token"
    token = token_for(file)
    age(file, -EVENING)
    assert token_for(file) != token


@pytest.mark.parametrize("text", ["", "short", "x" * 31, "x" * 33, "x" * 31 + "\n", "é" * 32, " " * 32])
def test_a_damaged_one_is_made_anew(tmp_path: Path, text: str) -> None:
    file = tmp_path / "token"
    token_for(file)
    file.write_text(text)
    assert token_for(file) != text and len(token_for(file)) == 32


def test_one_that_others_could_read_is_made_anew(tmp_path: Path) -> None:
    file = tmp_path / "token"
    token = token_for(file)
    file.chmod(0o640)
    assert token_for(file) != token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_link_to_elsewhere_is_replaced_and_not_followed(tmp_path: Path) -> None:
    mine, file = tmp_path / "mine", tmp_path / "token"
    mine.write_text("x" * 32)
    mine.chmod(0o600)
    file.symlink_to(mine)
    assert token_for(file) != "x" * 32
    assert mine.read_text() == "x" * 32 and not file.is_symlink()


def test_where_nothing_can_be_kept_it_is_of_this_start_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    file = tmp_path / "file" / "token"
    assert len(token_for(file)) == 32 and token_for(file) != token_for(file)
