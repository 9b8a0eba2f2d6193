"""What stands beside a score."""

from __future__ import annotations

from dataclasses import replace

from tehai.hand.inputs import from_line
from tehai.hand.scoring import settle


def test_counters_and_sticks_are_named_with_what_they_add() -> None:
    given = from_line("234m340567p2267s + 8s")
    table = given.with_facts({"tsumo": True, "honba": 2, "riichi_sticks": 1})
    assert settle(table).extras == "Plus 300 a counter, 600 in all. Plus 1,000 of riichi sticks."
    japanese = settle(replace(table, language="ja")).extras
    assert japanese == "1本場につき300点、合わせて600点を加えます。供託の1,000点も受け取ります。"
    empty = given.with_facts({"tsumo": True})
    assert settle(empty).extras == "" and settle(empty).notes[0].startswith("Assumed")
