"""The live view in a real browser: what makes the shutter go by itself, and what does not hold it."""

from __future__ import annotations

import urllib.error
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.end_to_end.page import Server, open_page, tap
from tests.end_to_end.test_page import DOUBTING, SAMPLE, labels, shows


def frame_answer(*others: tuple[str, str], turn: int = 0, win: bool = True) -> dict[str, Any]:
    """What ``/api/find`` says of the sample's hand, with its winning tile or without, and of other tiles,
    each a role and a label. ``turn``: in which order tiles and indicators were found."""
    hand = [("hand", label) for label in labels("234m067p3488s")] + [("win", "5s")] * win
    hand += [("meld:0", "7z")] * 3
    seen = []
    for place, (role, label) in enumerate([*hand, *others]):
        x, y = (20 + 50 * place, 300) if place < len(hand) else (20 + 50 * (place - len(hand)), 20)
        seen.append(
            {"quad": [[x, y], [x + 40, y], [x + 40, y + 56], [x, y + 56]], "role": role, "label": label}
        )
    dora = [label for role, label in others if role == "dora"]
    record = {
        "concealed": "3488s234m067p" if turn else "234m067p3488s",
        "melds": [{"type": "pon", "tiles": "777z", "from": turn or None}],
        "dora_indicators": dora[::-1] if turn else dora,
        **({"win_tile": "5s"} if win else {}),
    }
    return {
        "width": 960, "height": 720, "tiles": [*seen[turn:], *seen[:turn]], "hand": record, "message": "",
        "status": "ok" if win else "incomplete", "waits": [] if win else ["2s", "5s"], "advice": [],
        "confidence": 0.99, "doubts": [],
    }  # fmt: skip


def film_of(page: Page, *answers: dict[str, Any]) -> list[int]:
    """From now on the live view gets these answers over and over; returns a list that grows with each."""
    sent: list[int] = []

    def tell(route: Route) -> None:
        sent.append(len(sent) % len(answers))
        route.fulfill(json=answers[sent[-1]])

    page.unroute("**/api/find")
    page.route("**/api/find", tell)
    return sent


def without_the_winning_tile(route: Route) -> None:
    """What the server answers to the sample, as if its winning tile lay elsewhere, without doubts."""
    answer = route.fetch().json()
    del answer["reading"]["hand"]["win_tile"]
    answer["reading"]["tiles"] = [one for one in answer["reading"]["tiles"] if one["role"] != "win"]
    answer["reading"]["doubts"] = []
    answer |= {"result": None, "range": None, "questions": []}
    answer["tiles"] = {"count": 13, "wanted": 14, "waits": ["2s", "5s"]}
    route.fulfill(json=answer)


ALIKE = {
    "other tiles are read otherwise": [frame_answer(("other", label)) for label in ("1m", "9s", "back")],
    "tiles are found in another order": [
        frame_answer(("dora", "1z"), ("dora", "9m"), turn=turn) for turn in range(4)
    ],
    "a river tile's role flickers": [frame_answer((role, "1m")) for role in ("other", "dora")],
}
"""Frames that show the same hand."""

OTHERWISE = [frame_answer(("dora", f"{rank}m")) for rank in range(1, 7)]
"""Frames of which no two in a row show the same."""

DASHED = """() => {
    const { setLineDash } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.setLineDash = function (dashes) {
        if (dashes.length) document.documentElement.dataset.dashed = "yes";
        setLineDash.call(this, dashes);
    };
}"""

NEXT = """async () => {
    const { fresh } = await import("./app/actions.js");
    await fresh({ screen: "take" });
}"""
"""No hand is at work: the live view starts by itself."""


def test_live_view_takes_the_photo_by_itself_over_https(
    filming_phone: BrowserContext, secure_server: Server
) -> None:
    filming_phone.grant_permissions(["camera"])  # then the live view starts by itself
    page = open_page(filming_phone, secure_server.url)
    assert secure_server.url.startswith("https://")
    expect(page.locator("#check")).to_be_visible()
    expect(page.locator("#found")).to_have_text("14 of 14 tiles")
    shows(page, SAMPLE)
    assert page.evaluate("document.querySelector('#video').srcObject") is None  # the camera is off again
    tap(page, "camera")
    page.locator("#shutter").tap()
    expect(page.locator("#check")).to_be_visible()
    shows(page, SAMPLE)
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(secure_server.url, timeout=5)
    page.evaluate(DOUBTING, [[], 0.99])  # the server reads one more photo, and says the same of the next
    for why, frames in ALIKE.items():
        sent = film_of(page, *frames)
        page.evaluate(NEXT)
        expect(page.locator("#check")).to_be_visible()
        assert 3 <= len(sent) <= 8, why
    read_otherwise(page)
    in_doubt(page)
    one_tile_short(page)


def read_otherwise(page: Page) -> None:
    """A hand that is read otherwise in every frame holds the shutter."""
    sent = film_of(page, *OTHERWISE)
    page.evaluate(NEXT)
    expect(page.locator("#advice")).to_have_text("All there. Hold still…")
    while len(sent) <= 2 * len(OTHERWISE):
        page.wait_for_timeout(100)
    expect(page.locator("#check")).to_be_hidden()


def in_doubt(page: Page) -> None:
    """What is in doubt is dashed."""
    page.evaluate(DASHED)
    doubt = {"kind": "face", "tiles": [3], "text": "", "instead": {"label": "5p"}}
    frame = frame_answer() | {"advice": [{"id": "still", "text": ""}]}  # holds the shutter
    sent = film_of(page, frame, frame | {"doubts": [doubt]})
    expect(page.locator("html[data-dashed]")).to_have_count(1)
    assert len(sent) >= 2


def one_tile_short(page: Page) -> None:
    """Thirteen tiles in the live view, and of a photo, offer what they wait on."""
    film_of(page, frame_answer(win=False))
    page.evaluate("window.whole = null")
    page.route("**/api/read", without_the_winning_tile)
    expect(page.locator("#waits [data-key]")).to_have_count(2)
    expect(page.locator("#advice")).to_have_text("One tile short: tap the one that won")
    tap(page, "won-5s")
    expect(page.locator("#check")).to_be_visible()
    shows(page, SAMPLE)
    expect(page.locator("#bar")).to_contain_text("7,700")
    expect(page.locator("#sheet")).to_be_hidden()
    tap(page, "undo")
    expect(page.locator("#bar")).to_contain_text("13 of 14 tiles")
    page.evaluate(NEXT)
    page.locator("#try-sample").tap()
    expect(page.locator("#sheet h2")).to_have_text("Add a tile: Winning tile")
    tap(page, "wait-5s")
    shows(page, SAMPLE)
    expect(page.locator("#bar")).to_contain_text("7,700")
    expect(page.locator("#sheet")).to_be_hidden()
