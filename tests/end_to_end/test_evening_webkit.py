"""The evening in WebKit, which is the nearest thing to Safari on Linux: parts of the script of Chromium.

Needs Debian's ``webkit2gtk-driver`` and ``xvfb``.
"""

from __future__ import annotations

from tests.end_to_end.evening import set_up
from tests.end_to_end.hanchan import a_draw, a_photo, files, the_end, two_winners
from tests.end_to_end.looks import OUTSIDE, SMALL
from tests.end_to_end.page import Server, tap
from tests.end_to_end.safari import Safari
from tests.end_to_end.webkit import WebKit


def fits(page: Safari) -> None:
    """All targets can be hit, and nothing sticks out: sizes of fields and fonts are the browser's own."""
    assert not page.evaluate(SMALL)
    assert not page.evaluate(OUTSIDE)


def test_an_east_round_in_webkit(safari: WebKit, server: Server) -> None:
    page = Safari(safari)
    page.narrow()
    page.goto(server.url)
    page.wait_for_selector("body[data-ready]")
    fits(page)
    set_up(page, rounds="1")
    a_draw(page, fits)
    a_photo(page, fits)
    two_winners(page, 3)
    tap(page, "book")
    fits(page)
    files(page)
    the_end(page)
