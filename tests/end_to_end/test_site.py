"""The page without a server, in a real browser: built, read, answered, kept, without a network, updated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PIL import ExifTags, Image
from playwright.sync_api import BrowserContext, Page, Route, expect

from benchmarks.site_alike import misread, natively, real, steady, unlike
from benchmarks.site_alike import typed as typed_hands
from scorer.rules import preset_ids
from tehai.hand.sample import sample_path
from tehai.site import build
from tests.end_to_end.evening import agrees, booked, draw, start
from tests.end_to_end.links import HAND, go, link, stored
from tests.end_to_end.page import USUAL, answer, open_page, press, tap, to_score, upload
from tests.end_to_end.site import Host
from tests.end_to_end.test_learn import begun, known
from tests.folders import DATA

START = 120_000
"""Milliseconds for a first start, on a machine that is busy with other things."""


PROGRESS = """
globalThis.progress = [];
new MutationObserver(() => {
    const text = document.querySelector("#site")?.textContent ?? "";
    if (text.includes("Getting ready to read photos") && progress.at(-1) !== text) progress.push(text);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""Keeps how far the page says that it is with what reads photos."""


@pytest.fixture
def host(built: Path) -> Iterator[Host]:
    running = Host(built)
    yield running
    running.stop()


def ready(page: Page) -> Page:
    """Once photos can be read."""
    page.wait_for_selector("body[data-reading]", timeout=START)
    return page


def kept(page: Page) -> None:
    """Once the service worker has everything."""
    page.wait_for_function("() => navigator.serviceWorker.controller", timeout=START)


def typed(page: Page) -> None:
    """A hand typed and answered, to its score."""
    page.locator("#type-hand").tap()
    tap(page, "add-closed")
    press(page, ("2m", "3m", "4m", "3m", "4m", "5m", "6p", "7p", "8p", "2s", "2s", "6s", "7s"))
    tap(page, "close")
    tap(page, "way")
    tap(page, "wait-8s")
    answer(page, *USUAL, "riichi-yes", "ura_indicators-none")
    expect(page.locator("#points")).to_have_text("2,000points")


def lessons(page: Page) -> None:
    """What is posed and judged is known, after a reload, too."""
    page.locator("#go-home").tap()
    tap(page, "learn")
    expect(page.locator(".learn-list li")).to_have_count(46, timeout=START)
    begun(page, "level-tiles")
    expect(page.locator(".to-name")).to_be_visible()
    tap(page, "unknown")
    expect(page.locator(".verdict")).to_be_visible()
    known(page, 1)
    tap(page, "learn-back")
    begun(page, "lesson-discard")
    tap(page, "unknown")
    tap(page, "why")
    expect(page.locator(".why-so .row").first).to_be_visible()
    known(page, 2)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator(".learn-list li")).to_have_count(46, timeout=START)
    known(page, 2)


def strangers_link(page: Page) -> None:
    """It is shown, also to who opens it first of all, and changes nothing."""
    before = stored(page)
    go(page, link(HAND))
    expect(page.locator("#points")).to_have_text("2,000points")
    expect(page.locator("#pays")).to_contain_text("600")  # with the counters of the link
    assert stored(page) == before
    page.reload()
    expect(page.locator("#points")).to_have_text("2,000points", timeout=START)
    assert stored(page) == before
    go(page, link({**HAND, "answers": [None]}))
    expect(page.locator("#notice")).to_contain_text("This link is damaged")
    assert stored(page) == before


def evening(page: Page, count: int) -> None:
    """The evening's list has so many hands."""
    page.locator("#open-history").tap()
    expect(page.locator("#history-tools button").first).to_be_visible()
    expect(page.locator("#history-list .past")).to_have_count(count)
    page.keyboard.press("Escape")
    expect(page.locator("#history")).to_be_hidden()


def test_a_photo_to_its_score_and_all_of_it_again_without_a_network_then_a_link_and_lessons(
    keeping_phone: BrowserContext, host: Host
) -> None:
    page = ready(open_page(keeping_phone, host.url))
    upload(page)
    to_score(page)
    expect(page.locator("#points")).to_have_text("7,700points")
    page.locator("#why > summary").tap()
    expect(page.locator("#lesson")).to_contain_text("double 30 fu twice")
    kept(page)
    came = [path for path, status in host.asked if status == 200 and path.endswith((".bin", ".zip"))]
    assert len(came) == len(set(came)) == 5, came  # what is kept was not fetched a second time
    assert not [path for path, status in host.asked if status not in (200, 304)]
    page.close()
    host.stop()

    said: list[str] = []
    keeping_phone.on("console", lambda message: said.append(message.text))
    keeping_phone.add_init_script(PROGRESS)
    page = ready(open_page(keeping_phone, host.url))
    shares = [int(text.partition("photos: ")[2].partition(" %")[0]) for text in page.evaluate("progress")]
    assert shares and shares == sorted(shares) and shares[0] < shares[-1] <= 100, shares
    assert not [text for text in said if "no snapshot" in text]  # which starts it
    expect(page.locator("#points")).to_have_text("7,700points")  # as it was left
    evening(page, 1)
    page.locator("#open-settings").tap()
    expect(page.locator("#offline")).to_contain_text("works without a network")
    page.keyboard.press("Escape")
    tap(page, "way")
    typed(page)
    tap(page, "way")
    page.locator("#try-sample").tap()
    expect(page.locator("#check")).to_be_visible()
    to_score(page)
    expect(page.locator("#points")).to_have_text("7,700points")
    evening(page, 3)
    strangers_link(page)
    lessons(page)
    host.start()


def test_typed_hands_need_no_more_than_their_part(keeping_phone: BrowserContext, host: Host) -> None:
    held: list[Route] = []
    keeping_phone.route("**/reading.tar.bin", lambda route: held.append(route))
    page = open_page(keeping_phone, host.url)
    page.wait_for_selector("body[data-core]", timeout=START)
    expect(page.locator("#take")).to_be_visible()
    expect(page.locator("#site")).to_contain_text(re.compile(r"visit loads \d+\.\d MB, \d+\.\d MB so far"))
    held[0].abort()
    keeping_phone.unroute("**/reading.tar.bin")
    keeping_phone.route("**/reading.tar.bin", lambda route: route.abort())
    expect(page.locator("#site")).to_contain_text("did not start here", timeout=START)  # tried twice
    keeping_phone.unroute("**/reading.tar.bin")
    typed(page)  # by a new worker


PHOTOS = DATA / "photos"


def breaking_once(phone: BrowserContext, built: Path) -> list[str]:
    """The first worker breaks half-way, as WebKit's compiler does now and then; what is left to be sent."""
    whole = (built / "site" / "networks.js").read_text()
    run = "function run(number, bytes, shape) {"
    assert whole.count(run) == 1
    bodies = [whole.replace(run, f'{run} throw new WebAssembly.RuntimeError("Out of bounds");'), whole]
    phone.route(
        "**/networks.js", lambda route: route.fulfill(body=bodies.pop(0), content_type="text/javascript")
    )
    return bodies


def test_typed_hands_and_photos_have_the_answers_of_the_server_though_a_worker_breaks(
    phone: BrowserContext, host: Host, built: Path, tmp_path: Path
) -> None:
    """The sample as it is, and as a phone stores it: 12 megapixels, turned. A worker that breaks is replaced
    and asked again. What is no photo is said. Real photos where they are there, all but one: the two backends
    decode and warp by arithmetic of their own."""
    asked, photos = list(typed_hands(len(preset_ids()))), [sample_path(), tmp_path / "turned.jpg"]
    turned = Image.Exif()
    turned[ExifTags.Base.Orientation] = 6
    with Image.open(sample_path()) as sample:
        large = sample.convert("RGB").resize((4000, 3000)).transpose(Image.Transpose.ROTATE_90)
    large.save(photos[-1], quality=90, exif=turned)
    told, seen = natively(asked, photos)
    bodies = breaking_once(phone, built)
    page = ready(open_page(phone, host.url))
    assert not [*unlike(page, asked, told), *misread(page, photos, seen)]
    assert not bodies
    if PHOTOS.is_dir():
        photos, seen = steady(real(PHOTOS, 4))
        assert len(photos) > 1
        other = list(misread(page, photos, seen))
        assert len(other) <= 1, other
    (tmp_path / "text.jpg").write_bytes(b"no photo at all" * 100)
    page.set_input_files("#from-camera", tmp_path / "text.jpg")
    expect(page.locator("#notice")).to_contain_text("cannot be decoded by this browser")
    upload(page)  # the next one is read without it


def version(built: Path, out: Path, changes: dict[str, bytes]) -> Path:
    """Another version of the site, in which these files say something else."""
    left = {"sw.js", build.VERSION_FILE}
    files = {
        path.relative_to(built).as_posix(): path.read_bytes() for path in built.rglob("*") if path.is_file()
    }
    files["./"] = files.pop("index.html")
    sealed, _ = build.sealed({name: data for name, data in files.items() if name not in left} | changes)
    build.write(sealed, out)
    return out


def test_a_new_version_comes_whole_and_at_the_next_start(
    keeping_phone: BrowserContext, host: Host, built: Path, tmp_path: Path
) -> None:
    page = ready(open_page(keeping_phone, host.url))
    page.locator("#go-home").tap()
    start(page)
    draw(page, 0)
    booked(page, 1)
    tap(page, "one")  # beside the game
    typed(page)
    tap(page, "way")
    upload(page)
    kept(page)
    words = (built / "lang" / "en.json").read_text()
    assert "Are these the tiles?" in words
    newer = words.replace("Are these the tiles?", "Is this your hand?").encode()
    title = page.locator("#check h1")
    update = "navigator.serviceWorker.getRegistration().then((one) => one.update()).catch(() => {})"

    torn = version(built, tmp_path / "torn", {"lang/en.json": newer})
    (torn / "lang" / "en.json").write_bytes(newer + b" ")  # half of it has reached the host
    host.folder = torn
    page.evaluate(update)
    page.reload()
    expect(title).to_have_text("Are these the tiles?")

    host.folder = version(built, tmp_path / "new", {"lang/en.json": newer, "new.txt": b"new"})
    host.asked.clear()
    page.evaluate(update)
    expect(page.locator("#site")).to_contain_text("A new version is here", timeout=START)
    assert not [path for path, _ in host.asked if path.endswith(".bin")]  # what is the same is not fetched
    expect(title).to_have_text("Are these the tiles?")
    ready(page)
    expect(page.locator("#site")).to_be_visible()
    to_score(page)  # the hand goes on where it was
    page.go_back()
    tap(page, "step-check")
    page.reload()
    expect(title).to_have_text("Is this your hand?")
    tap(page, "step-score")
    expect(page.locator("#points")).to_have_text("7,700points")
    page.locator("#go-home").tap()
    booked(page, 1)
    assert agrees(page).game.points == (33000, 29000, 29000, 29000)
    evening(page, 2)
    names = page.evaluate("caches.keys()")
    assert len([name for name in names if ":files:" in name]) == 1
    assert urlsplit(host.url).path == "/table/"
