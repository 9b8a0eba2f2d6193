"""What stands beside a score."""

from __future__ import annotations

from dataclasses import replace

from tehai.hand.inputs import from_line
from tehai.hand.scoring import settle


def test_counters_and_sticks_are_named_with_what_they_add() -> None:
    given = from_line("234m340567p2267s + 8s")
    table = given.with_facts({"tsumo": True, "honba": 2, "riichi_sticks": 1})
    said = "600 of that is for counters, 300 each. Plus 1,000 of riichi sticks."
    assert settle(table).extras == said, "what the others pay"
    japanese = settle(replace(table, language="ja")).extras
    assert japanese == "うち600点は本場の分です（1本場につき300点）。供託の1,000点も受け取ります。"
    said = "600 of that is for counters, 300 each. 1,000 of that is from riichi sticks."
    assert settle(table.with_facts({"seat_wind": "S"})).extras == said, "what the winner gets"
    unknown = given.with_facts({"tsumo": False, "honba": 2, "riichi_sticks": 1})
    assert settle(unknown).extras == "Plus 300 a counter, 600 in all. Plus 1,000 of riichi sticks."
    not_paid = unknown.with_facts({"rules": "toudai", "seat_wind": "S"}).as_played()
    assert settle(not_paid).extras == "Plus 1,000 of riichi sticks.", "Toudai: the dealer alone gets counters"
    empty = given.with_facts({"tsumo": True})
    assert settle(empty).extras == "" and settle(empty).notes[0].startswith("Assumed")
