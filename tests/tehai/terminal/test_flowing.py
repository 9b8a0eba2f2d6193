"""Lines are broken as their language breaks them, and never lose anything."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from tehai.terminal.flowing import Flowing

TILE = " 9s "


def lines(text: str, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(Flowing(Text(text)), end="")
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_japanese_is_broken_between_characters_and_not_before_what_closes() -> None:
    assert lines(f"{TILE}を捨てているのでフリテンです。", 18) == [" 9s を捨てているの", "でフリテンです。"]
    assert lines("二枚の両側を待つ形。", 18) == ["二枚の両側を待つ", "形。"]
    assert lines("ロンできません（国士）。", 16) == ["ロンできません", "（国士）。"]
    assert lines("2-3なら1か4。", 12) == ["2-3なら1か", "4。"]


def test_other_words_stay_whole() -> None:
    assert lines("Only 2 to 8.  EMA 2008 §4.2.1", 16) == ["Only 2 to 8.", "EMA 2008 §4.2.1"]
    assert lines("出典：Tenhou Meijinsen rules: one", 13) == ["出典：Tenhou", "Meijinsen", "rules: one"]


@given(st.text("三枚。（ー a§4 」9s\n", max_size=60), st.integers(12, 40))
def test_nothing_is_lost_and_no_line_is_too_long(text: str, width: int) -> None:
    found = lines(text, width)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(cell_len(line) <= width for line in found)
