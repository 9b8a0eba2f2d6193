"""The evening in WebKit, which is the nearest thing to Safari on Linux: the same script as in Chromium.

Needs Debian's ``webkit2gtk-driver`` and ``xvfb``.
"""

from __future__ import annotations

from tests.end_to_end.hanchan import hanchan
from tests.end_to_end.looks import OUTSIDE, SMALL
from tests.end_to_end.page import Server
from tests.end_to_end.safari import Safari
from tests.end_to_end.webkit import WebKit


def fits(page: Safari) -> None:
    """All targets can be hit, and nothing sticks out: sizes of fields and fonts are the browser's own."""
    assert not page.evaluate(SMALL)
    assert not page.evaluate(OUTSIDE)


def test_a_hanchan_in_webkit(safari: WebKit, server: Server) -> None:
    page = Safari(safari)
    page.narrow()
    page.goto(server.url)
    page.wait_for_selector("body[data-ready]")
    hanchan(page, fits)
