"""The page without a server, in a real browser: built, read, answered, kept, without a network, updated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PIL import ExifTags, Image
from playwright.sync_api import BrowserContext, Page, Route, expect

from benchmarks.site_alike import misread, natively, unlike
from benchmarks.site_alike import typed as typed_hands
from tehai.hand.sample import sample_path
from tehai.site import build
from tests.end_to_end.evening import agrees, booked, draw, start
from tests.end_to_end.links import HAND, go, link, stored
from tests.end_to_end.page import USUAL, answer, give, open_page, press, tap, to_score
from tests.end_to_end.site import Host
from tests.end_to_end.test_learn import begun, known

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


def photographed(page: Page) -> None:
    """The sample as a photo: a slow machine is still busy with what it keeps of Python."""
    give(page, sample_path())
    expect(page.locator("#check")).to_be_visible(timeout=START)


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
    """What is posed and judged is known."""
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


def strangers_link(page: Page) -> None:
    """It is shown, also to who opens it first of all, and changes nothing; then back to the own hand."""
    before = stored(page)
    go(page, link(HAND))
    expect(page.locator("#points")).to_have_text("2,000points")
    expect(page.locator("#pays")).to_contain_text("600")  # with the counters of the link
    page.reload()
    expect(page.locator("#points")).to_have_text("2,000points", timeout=START)
    assert stored(page) == before
    tap(page, "way")


def evening(page: Page, count: int) -> None:
    """The evening's list has so many hands."""
    page.locator("#open-history").tap()
    expect(page.locator("#history-tools button").first).to_be_visible()
    expect(page.locator("#history-list .past")).to_have_count(count)
    page.keyboard.press("Escape")
    expect(page.locator("#history")).to_be_hidden()


def breaking(phone: BrowserContext, built: Path, workers: int) -> list[str]:
    """The first workers break half-way, as WebKit's compiler does now and then; what is left to be sent."""
    whole = (built / "site" / "networks.js").read_text()
    run = "function run(number, bytes, shape) {"
    assert whole.count(run) == 1
    breaks = whole.replace(run, f'{run} throw new WebAssembly.RuntimeError("Out of bounds");')
    bodies = [*[breaks] * workers, whole]
    phone.route(
        "**/networks.js", lambda route: route.fulfill(body=bodies.pop(0), content_type="text/javascript")
    )
    return bodies


def turned(folder: Path) -> Path:
    """The sample as a phone stores it: 12 megapixels, turned."""
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    with Image.open(sample_path()) as sample:
        large = sample.convert("RGB").resize((4000, 3000)).transpose(Image.Transpose.ROTATE_90)
    large.save(folder / "turned.jpg", quality=90, exif=exif)
    return folder / "turned.jpg"


def test_typed_hands_and_photos_have_the_answers_of_the_server_whatever_does_not_come_or_breaks(
    phone: BrowserContext, host: Host, built: Path, tmp_path: Path
) -> None:
    """The first worker gets no Python. The second scores typed hands, though it cannot read photos yet, and
    breaks at its first photo. The third is asked again. ``benchmarks.site_alike`` compares more."""
    asked, photos = list(typed_hands(6)), [sample_path(), turned(tmp_path)]
    told, seen = natively(asked, photos)
    bodies = breaking(phone, built, 2)
    held: list[Route] = []
    phone.route("**/core.tar.bin", lambda route: route.abort(), times=1)
    phone.route("**/reading.tar.bin", lambda route: held.append(route))
    page = open_page(phone, host.url)
    page.wait_for_selector("body[data-core]", timeout=START)
    expect(page.locator("#take")).to_be_visible()
    expect(page.locator("#site")).to_contain_text(re.compile(r"visit loads \d+\.\d MB, \d+\.\d MB so far"))
    typed(page)
    (only,) = held
    only.abort()
    expect(page.locator("#site")).to_contain_text("did not start here", timeout=START)
    assert not [*unlike(page, asked, told)]
    assert len(bodies) == 1

    phone.unroute("**/reading.tar.bin")
    tap(page, "way")
    (tmp_path / "text.jpg").write_bytes(b"no photo at all" * 100)
    give(page, tmp_path / "text.jpg")
    expect(page.locator("#notice")).to_contain_text("cannot be decoded by this browser", timeout=START)
    assert not [*misread(page, photos, seen)]
    assert not bodies


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


OLD, NEW = "Are these the tiles?", "Is this your hand?"
UPDATE = "navigator.serviceWorker.getRegistration().then((one) => one.update()).catch(() => {})"


def first_visit(page: Page, host: Host) -> None:
    """A photo to its score; by then the service worker has everything, and nothing came twice."""
    photographed(page)
    to_score(page)
    expect(page.locator("#points")).to_have_text("7,700points")
    page.locator("#why > summary").tap()
    expect(page.locator("#lesson")).to_contain_text("double 30 fu twice")
    page.wait_for_function("() => navigator.serviceWorker.controller", timeout=START)
    came = [path for path, status in host.asked if status == 200 and path.endswith((".bin", ".zip"))]
    assert len(came) == len(set(came)) == 5, came  # what is kept was not fetched a second time
    assert not [path for path, status in host.asked if status not in (200, 304)]


def hard_reload(page: Page) -> None:
    """The page is without the service worker then, but not its worker."""
    page.evaluate("delete document.body.dataset.reading")
    page.context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
    ready(page)
    assert page.evaluate("navigator.serviceWorker.controller") is None


def without_network(phone: BrowserContext, host: Host) -> Page:
    """As it was left, and all of it works; the sample waits to be answered."""
    said: list[str] = []
    phone.on("console", lambda message: said.append(message.text))
    phone.add_init_script(PROGRESS)
    page = ready(open_page(phone, host.url))
    shares = [int(text.partition("photos: ")[2].partition(" %")[0]) for text in page.evaluate("progress")]
    assert shares and shares == sorted(shares) and shares[0] < shares[-1] <= 100, shares
    assert not [text for text in said if "no snapshot" in text]  # which starts it
    expect(page.locator("#points")).to_have_text("7,700points")
    evening(page, 1)
    page.locator("#open-settings").tap()
    expect(page.locator("#offline")).to_contain_text("works without a network")
    page.keyboard.press("Escape")
    tap(page, "way")
    typed(page)
    lessons(page)
    page.locator("#go-home").tap()
    start(page)
    draw(page, 0)
    booked(page, 1)
    tap(page, "one")  # beside the game
    page.locator("#try-sample").tap()
    expect(page.locator("#check")).to_be_visible(timeout=START)
    return page


def new_version(page: Page, host: Host) -> None:
    """It is fetched beside the old one, which goes on until the page is opened again."""
    title = page.locator("#check h1")
    expect(title).to_have_text(OLD)
    host.asked.clear()
    page.evaluate(UPDATE)
    expect(page.locator("#site")).to_contain_text("A new version is here", timeout=START)
    assert not [path for path, _ in host.asked if path.endswith(".bin")]  # what is the same is not fetched
    expect(title).to_have_text(OLD)
    ready(page)
    expect(page.locator("#site")).to_be_visible()
    to_score(page)  # the hand goes on where it was
    page.go_back()
    tap(page, "step-check")
    other = page.context.new_page()
    other.goto(f"{host.url}new.txt")
    page.reload()
    page.wait_for_timeout(1500)
    other.close()  # the new version has waited for that
    expect(title).to_have_text(NEW)
    tap(page, "step-score")
    expect(page.locator("#points")).to_have_text("7,700points", timeout=START)
    names = page.evaluate("caches.keys()")
    assert len([name for name in names if ":files:" in name]) == 1


def test_a_photo_to_its_score_then_all_of_it_without_a_network_and_by_a_new_version(
    keeping_phone: BrowserContext, host: Host, built: Path, tmp_path: Path
) -> None:
    """A new version, of which half has reached the host, is none; a whole one comes at the next start."""
    page = ready(open_page(keeping_phone, host.url))
    first_visit(page, host)
    hard_reload(page)
    page.close()
    host.stop()
    page = without_network(keeping_phone, host)

    words = (built / "lang" / "en.json").read_text()
    assert OLD in words
    newer = words.replace(OLD, NEW).encode()
    host.folder = version(built, tmp_path / "torn", {"lang/en.json": newer})
    (host.folder / "lang" / "en.json").write_bytes(newer + b" ")
    host.start()
    page.evaluate(UPDATE)
    strangers_link(page)

    host.folder = version(built, tmp_path / "new", {"lang/en.json": newer, "new.txt": b"new"})
    new_version(page, host)
    page.locator("#go-home").tap()
    booked(page, 1)
    assert agrees(page).game.points == (33000, 29000, 29000, 29000)
    evening(page, 3)
    known(page, 2)
    assert urlsplit(host.url).path == "/table/"
