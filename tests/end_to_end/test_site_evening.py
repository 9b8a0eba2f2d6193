"""The evening in the site without a network: a whole game, reckoned and kept in the browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import BrowserContext

from tests.end_to_end.hanchan import hanchan
from tests.end_to_end.safari import Window
from tests.end_to_end.test_site import unplugged


def unseen(page: Window) -> None:
    """The screens are those of the page that a server hands out: they are looked at there."""


def test_a_hanchan_without_a_network(keeping_phone: BrowserContext, built: Path) -> None:
    hanchan(unplugged(keeping_phone, built), unseen)
