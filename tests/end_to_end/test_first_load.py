"""What a phone has to fetch before the page can be used."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, expect

from tests.end_to_end.page import Server, open_home, tap

MOST, PACKED = 200_000, 100_000
"""Bytes without pictures: as they are, from a host that packs nothing, and as they come from us."""

FETCHED = """() => performance.getEntries()
    .filter((one) => one.decodedBodySize && !/\\.(svg|png|jpg)(#|$)/.test(one.name))
    .map((one) => [new URL(one.name).pathname, [one.decodedBodySize, one.transferSize]])"""


def test_the_first_screen_takes_less_than_200_kilobytes(phone: BrowserContext, server: Server) -> None:
    page = open_home(phone, server.url)
    page.wait_for_load_state("networkidle")
    fetched = dict(page.evaluate(FETCHED))
    assert {"/", "/app.js", "/style.css", "/lang/en.json"} <= fetched.keys()
    whole, packed = (sum(sizes) for sizes in zip(*fetched.values(), strict=True))
    print(f"\nfirst load: {whole:,} bytes, packed {packed:,}")
    assert whole < MOST and packed < PACKED, fetched


def test_a_screen_comes_when_it_is_wanted_also_after_the_server_was_gone(
    phone: BrowserContext, server: Server
) -> None:
    page = open_home(phone, server.url)
    phone.route("**/check.js", lambda route: route.abort())
    tap(page, "one")
    page.locator("#type-hand").tap()
    expect(page.locator("#notice")).to_be_visible()
    expect(page.locator("#check")).to_be_hidden()
    phone.unroute("**/check.js")
    expect(page.locator("#check")).to_be_visible()
    expect(page.locator("#notice")).to_be_hidden()
