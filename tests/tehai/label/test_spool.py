"""Bytes that are kept in a temporary file."""

from __future__ import annotations

import pytest

from tehai.label import spool


@pytest.mark.parametrize("spooled", [4, 1 << 24])
def test_what_was_added_is_there(spooled: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "_SPOOLED", spooled)
    things = [b"first", b"", b"the third one", b"4"]
    kept = spool.Shelf()
    for thing in things:
        kept.add(thing)
    assert [kept[at] for at in (2, 0, 3, 1)] == [things[at] for at in (2, 0, 3, 1)]
