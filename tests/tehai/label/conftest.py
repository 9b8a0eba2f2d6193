"""What the tests of labels share."""

from __future__ import annotations

import pytest

from tehai.label import points


@pytest.fixture
def without_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Photos by whose points nobody is to know them again: to look for them is most of an import."""
    monkeypatch.setattr(points, "found", lambda rgb: "")
