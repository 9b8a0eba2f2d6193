"""The page of ``tehai review`` in a real browser: corrections by keys and mouse, none of them ever lost."""

from __future__ import annotations

import io
import json
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
import uvicorn
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tehai.hand.sample import sample_path
from tehai.label import journal
from tehai.label.labeller import Labeller
from tehai.review.app import STATIC, make_app
from tehai.review.serve import opened
from tehai.review.store import Store
from tehai.server.network import listen
from tehai.server.serving import configured
from tests.end_to_end.looks import COLOURS, faults
from tests.end_to_end.page import PATIENCE, open_page
from vision.reader import Engine, Reader

WRONG: Final = "hard/wrong.jpg"
"""Its winning tile, a 5s, is labelled 6s."""

MISSING: Final = "hard/missing.jpg"
"""Its last tile was not found."""

EASY: Final = ("easy/1.jpg", "easy/2.jpg")
"""As they were read, all right."""


class Reviewed:
    """A labelled folder and the address at which it is reviewed."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url
        with journal.reading(folder / journal.NAME) as labels:
            self.keys = {photo["path"]: str(photo["sha256"]) for photo in labels.photos()}

    def photo(self, path: str) -> str:
        """The address of a photo's page."""
        return f"{self.url}#/photo/{self.keys[path]}"

    def revisions(self, path: str) -> list[dict[str, Any]]:
        """What the journal holds of a photo."""
        with journal.reading(self.folder / journal.NAME) as labels:
            return [line for line in labels.lines() if line.get("sha256") == self.keys[path]]

    def latest(self, path: str) -> dict[str, Any]:
        return self.revisions(path)[-1]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(Engine())


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose photos all show the sample hand, in files that differ."""
    folder = tmp_path_factory.mktemp("photos")
    facts: dict[str, Any] | None = None
    with Image.open(sample_path()) as sample, journal.writing(folder / journal.NAME, folder) as labels:
        for quality, path in enumerate((WRONG, MISSING, *EASY), 80):
            file = io.BytesIO()
            sample.convert("RGB").save(file, "JPEG", quality=quality)
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_bytes(file.getvalue())
            if facts is None:
                facts = Labeller(Engine())(folder / path).facts
                assert facts is not None
                # Doubts count the tiles in the order in which they were read.
                facts = {**facts, "tiles": sure(facts["tiles"]), "doubts": []}
            labels.append(
                {
                    **{"kind": "photo", "sha256": journal_key(folder / path), "path": path, "revision": 1},
                    **{**facts, "tiles": doctored(path, facts["tiles"])},
                    "models": {"faces": {"name": "faces", "sha256": "0" * 64}},
                    "review": {"state": "unreviewed", "by": "models", "at": journal.now()},
                }
            )
    return folder


def journal_key(path: Path) -> str:
    from tehai.label.run import digest

    return str(digest(path))


def sure(tiles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what is in doubt, from the left: the same tiles in one order, whichever networks read them."""
    return sorted((tile for tile in tiles if tile["margin"] > 0.75), key=lambda tile: tile["quad"][0][0])


def doctored(path: str, tiles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if path == MISSING:
        return tiles[:-1]
    if path != WRONG:
        return tiles
    doubt = {
        "label": "6s",
        "probability": 0.5,
        "margin": 0.1,
        "top3": [["6s", 0.5], ["5s", 0.4], ["8s", 0.02]],
    }
    return [{**tile, **doubt} if tile["role"] == "win" else tile for tile in tiles]


@pytest.fixture
def reviewed(labelled: Path, reader: Reader, tmp_path: Path) -> Iterator[Reviewed]:
    """A copy of the folder, with a server of its own; its reviewer is anna."""
    folder = tmp_path / "photos"
    shutil.copytree(labelled, folder)
    with serving(folder, reader) as url:
        yield Reviewed(folder, url)


@contextmanager
def serving(folder: Path, reader: Reader) -> Iterator[str]:
    with opened(folder, None) as labels, listen("127.0.0.1", 0) as listening:
        server = uvicorn.Server(configured(make_app(Store(labels), reader, "anna")))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        server.should_exit = True
        thread.join(PATIENCE / 1000)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def save(page: Page) -> None:
    """Enter, and wait until the photo is saved."""
    with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.ok):
        press(page, "Enter")


def states(page: Page, reviewed: Reviewed, path: str, *expected: str) -> None:
    """Waits until the photo's revisions have these states."""
    for _ in range(PATIENCE // 50):
        if [line["review"]["state"] for line in reviewed.revisions(path)] == [*expected]:
            return
        page.wait_for_timeout(50)
    raise AssertionError(reviewed.revisions(path))


def open_photo(context: BrowserContext, address: str) -> Page:
    page = open_page(context, address)
    expect(page.locator("#photo")).to_be_visible()
    return page


def chosen(page: Page) -> Locator:
    """The tile in hand, in words."""
    return page.locator("#chosen h2 strong")


def on_screen(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of the photo is on the screen."""
    to_screen = (
        "([x, y]) => { const p = new DOMPoint(x, y).matrixTransform("
        "document.querySelector('#canvas').getScreenCTM()); return [p.x, p.y]; }"
    )
    left, top = page.evaluate(to_screen, [x, y])
    return left, top


def laid_out(page: Page) -> None:
    """Waits until the photo has the place that is left for it."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*on_screen(page, *start))
    page.mouse.down()
    page.mouse.move(*on_screen(page, *end), steps=4)
    page.mouse.up()


def middle(quad: list[list[float]]) -> tuple[float, float]:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def found(tiles: list[dict[str, Any]], label: str) -> int:
    return sum(tile["label"] == label for tile in tiles)


def everywhere(reviewed: Reviewed, label: str) -> int:
    return sum(found(reviewed.latest(path)["tiles"], label) for path in reviewed.keys)


def test_a_tile_is_corrected_by_keys_alone(desktop: BrowserContext, reviewed: Reviewed) -> None:
    page = open_page(desktop, reviewed.url)
    expect(page.locator(".photo-row").first).to_be_focused()
    expect(page.locator(".photo-row").first).to_contain_text("Small margin")
    expect(page.locator(".photo-row").first).to_contain_text("tile")
    before = [page.locator(".photo-row strong").nth(n).inner_text() for n in range(4)]
    assert sorted(before) == sorted((WRONG, MISSING, *EASY))
    press(page, *["ArrowDown"] * before.index(WRONG), "Enter")
    expect(page.locator("#photo-path")).to_have_text(WRONG)
    expect(chosen(page)).to_have_text("6 bamboos")  # the tile in doubt comes first
    expect(page.locator(".likely .choice").nth(1)).to_contain_text("5s")
    press(page, "5")
    expect(page.locator("#hud")).to_have_text("5 … m p s z")
    press(page, "s")
    expect(chosen(page)).to_have_text("5 bamboos")
    expect(page.locator("#photo-state")).to_have_text("not saved")
    press(page, "9", "z")
    expect(page.locator("#notice")).to_have_text("There is no tile 9z.")
    press(page, "0", "p")
    expect(chosen(page)).to_have_text("red 5 circles")
    press(page, "b")
    expect(chosen(page)).to_have_text("face down")
    press(page, "u", "u")
    expect(chosen(page)).to_have_text("5 bamboos")
    press(page, "ArrowRight")
    expect(chosen(page)).not_to_have_text("5 bamboos")
    press(page, "ArrowLeft", "Enter")
    expect(page.locator("#photo-path")).not_to_have_text(WRONG)
    last = reviewed.latest(WRONG)
    assert (last["revision"], last["review"]["state"], last["review"]["by"]) == (2, "corrected", "anna")
    assert [tile["label"] for tile in last["tiles"] if tile["role"] == "win"] == ["5s"]
    first = page.locator("#photo-path").inner_text()
    press(page, "r")  # with the keys that follow at once: none is lost, none meets the wrong photo
    press(page, "u", "PageDown", "PageUp", "ArrowDown", "ArrowUp")
    states(page, reviewed, first, "unreviewed", "rejected", "unreviewed")
    press(page, "u")  # and the one before
    expect(page.locator("#photo-path")).to_have_text(WRONG)
    expect(chosen(page)).to_have_text("6 bamboos")
    states(page, reviewed, WRONG, "unreviewed", "corrected", "unreviewed")
    press(page, "Escape")
    expect(page.locator("#queue")).to_be_visible()


def test_tiles_are_added_and_moved_by_mouse(
    desktop: BrowserContext, reviewed: Reviewed, labelled: Path
) -> None:
    lost = reviewed.latest(EASY[0])["tiles"][-1]
    count = len(reviewed.latest(MISSING)["tiles"])
    page = open_photo(desktop, reviewed.photo(MISSING))
    xs, ys = [x for x, _ in lost["quad"]], [y for _, y in lost["quad"]]
    page.locator('#stage-tools [data-key="add"]').click()
    drag(page, (min(xs), min(ys)), (max(xs), max(ys)))
    expect(page.locator("#tiles-title")).to_have_text(f"{count + 1} tiles")
    names = {"back": "b"}
    expect(page.locator(".read-as .label")).to_have_text(names.get(lost["label"], lost["label"]))
    press(page, "g")  # near it, its corners are far enough apart to be told apart
    laid_out(page)
    x, y = middle(lost["quad"])
    drag(page, (x, y), (x + 6, y + 4))
    # at once: the page draws its marks anew with every change, and no locator holds one of them for long
    handle = page.evaluate("document.querySelector('[data-corner=\"0\"]').getBoundingClientRect().toJSON()")
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    page.mouse.move(handle["x"] - 10, handle["y"] - 10, steps=4)
    page.mouse.up()
    zoomed = page.locator("#canvas").get_attribute("viewBox")
    page.mouse.wheel(0, -400)
    expect(page.locator("#canvas")).not_to_have_attribute("viewBox", zoomed or "")
    press(page, "f")
    save(page)
    tiles = reviewed.latest(MISSING)["tiles"]
    assert len(tiles) == count + 1
    near = [
        tile for tile in tiles if abs(middle(tile["quad"])[0] - x) + abs(middle(tile["quad"])[1] - y) < 30
    ]
    assert [tile["source"] for tile in near] == ["person"]
    assert near[0]["probability"] > 0  # the network's, at the new corners
    press(page, "u")
    expect(page.locator("#tiles-title")).to_have_text(f"{count} tiles")
    page.mouse.click(*on_screen(page, *middle(tiles[0]["quad"])))
    expect(page.locator("#chosen h2")).to_contain_text("Tile 1:")
    page.locator('[data-key="delete"]').click()
    expect(page.locator("#tiles-title")).to_have_text(f"{count - 1} tiles")
    press(page, "u")
    box = page.locator("#canvas").get_attribute("viewBox")
    press(page, "+", "+")
    page.keyboard.down("Space")
    drag(page, middle(tiles[0]["quad"]), (middle(tiles[0]["quad"])[0] + 60, middle(tiles[0]["quad"])[1]))
    page.keyboard.up("Space")
    expect(page.locator("#photo-state")).to_have_text("unreviewed")  # the photo was moved, not the tile
    expect(page.locator("#canvas")).not_to_have_attribute("viewBox", box or "")


def test_many_tiles_are_deleted_at_once(desktop: BrowserContext, reviewed: Reviewed) -> None:
    tiles = reviewed.latest(WRONG)["tiles"]
    halves = sorted(middle(tile["quad"]) for tile in tiles)
    cut = (halves[4][0] + halves[5][0]) / 2
    page = open_photo(desktop, reviewed.photo(WRONG))
    press(page, "v")
    expect(page.locator("#several")).to_contain_text("0 tiles")
    expect(page.locator('[data-key="several-delete"]')).to_be_disabled()
    laid_out(page)
    drag(page, (2, 2), (cut, reviewed.latest(WRONG)["height"] - 2))
    expect(page.locator("#several b")).to_have_text("5 tiles")
    expect(page.locator(".tile-mark.picked")).to_have_count(5)
    press(page, "x")
    expect(page.locator("#tiles-title")).to_have_text(f"{len(tiles) - 5} tiles")
    expect(page.locator("#notice")).to_have_text("5 tiles deleted. Press u to bring them back.")
    expect(page.locator("#several")).to_be_hidden()
    press(page, "u")
    expect(page.locator("#tiles-title")).to_have_text(f"{len(tiles)} tiles")
    expect(page.locator("#photo-state")).to_have_text("unreviewed")
    page.locator('#stage-tools [data-key="several"]').click()
    page.locator('[data-key="below"]').focus()
    press(page, "PageDown", "PageDown", "PageDown", "PageDown")  # less sure than 60 %: the one tile in doubt
    expect(page.locator("#several output")).to_have_text("60 %")
    expect(page.locator("#several b")).to_have_text("1 tile")
    page.locator('[data-key="several-delete"]').click()
    expect(page.locator("#tiles-title")).to_have_text(f"{len(tiles) - 1} tiles")
    save(page)
    left = reviewed.latest(WRONG)["tiles"]
    assert len(left) == len(tiles) - 1 and all(tile["probability"] >= 0.6 for tile in left)


def test_tiles_are_deleted_added_and_moved_by_keys_alone(desktop: BrowserContext, reviewed: Reviewed) -> None:
    count = len(reviewed.latest(MISSING)["tiles"])
    page = open_photo(desktop, reviewed.photo(MISSING))
    chosen_for_deletion(page, count)
    added_and_moved(page, reviewed, count)


def chosen_for_deletion(page: Page, count: int) -> None:
    press(page, "v", "Enter")  # a corner in the middle, the other one up and to the right
    expect(page.locator("#several b")).to_have_text("and the other corner")
    press(page, *["ArrowRight"] * 60, *["ArrowUp"] * 60, "Enter")
    expect(page.locator("#several b")).not_to_have_text("and the other corner")
    expect(page.locator(".tile-mark.picked")).not_to_have_count(0)  # marks are drawn a frame later
    picked = page.locator(".tile-mark.picked").count()
    assert 0 < picked < count, picked
    press(page, "Delete")
    expect(page.locator("#tiles-title")).to_have_text(f"{count - picked} tiles")
    press(page, "u", "v", "Escape")
    expect(page.locator("#several")).to_be_hidden()
    expect(page.locator("#tiles-title")).to_have_text(f"{count} tiles")


def added_and_moved(page: Page, reviewed: Reviewed, count: int) -> None:
    press(page, "a", "ArrowUp", "ArrowUp", "ArrowRight", "Shift+ArrowDown", "Enter")
    expect(page.locator("#tiles-title")).to_have_text(f"{count + 1} tiles")
    press(page, "4", "m")  # whatever the network takes the table cloth for
    expect(chosen(page)).to_have_text("4 characters")
    corners = page.evaluate(
        "[...document.querySelectorAll('.handle')].map(c => [+c.getAttribute('cx'), +c.getAttribute('cy')])"
    )
    press(page, "Shift+ArrowLeft", "c", "Shift+ArrowUp", "Escape", "t")
    save(page)
    added = reviewed.latest(MISSING)["tiles"][-1]
    assert (added["label"], added["source"]) == ("4m", "person")
    # a quarter turn: what was the last corner is the first but one, and was only shifted to the left
    (left, top), (was_left, was_top) = added["quad"][2], corners[3]
    assert left < was_left and abs(top - was_top) < 0.11


def test_tiles_are_chosen_for_deletion_by_touch(browser: Browser, reviewed: Reviewed) -> None:
    count = len(reviewed.latest(MISSING)["tiles"])
    context = browser.new_context(
        viewport={"width": 360, "height": 780}, has_touch=True, locale="ja-JP", color_scheme="dark"
    )
    context.set_default_timeout(PATIENCE)
    page = open_photo(context, reviewed.photo(MISSING))
    page.locator('#stage-tools [data-key="several"]').tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.evaluate("scrollTo(0, 0)")
    laid_out(page)
    width, height = reviewed.latest(MISSING)["width"], reviewed.latest(MISSING)["height"]
    for x, y in ((1, 1), (width / 2, 0.8 * height)):
        page.touchscreen.tap(*on_screen(page, x, y))
    expect(page.locator(".tile-mark.picked")).not_to_have_count(0)
    picked = page.locator(".tile-mark.picked").count()
    page.locator('[data-key="several-delete"]').tap()
    expect(page.locator("#tiles-title")).to_have_text(f"{count - picked} 枚の牌")
    page.locator('[data-key="undo"]').tap()
    expect(page.locator("#tiles-title")).to_have_text(f"{count} 枚の牌")
    context.close()


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_what_is_not_saved_outlives_the_tab(desktop: BrowserContext, reviewed: Reviewed, scheme: str) -> None:
    if scheme == "http":  # as in a network: what only a secure page has
        desktop.add_init_script("delete Navigator.prototype.locks; delete Crypto.prototype.randomUUID;")
    page = open_photo(desktop, reviewed.photo(WRONG))
    press(page, "5", "s")
    expect(page.locator("#photo-state")).to_have_text("not saved")
    other = open_photo(desktop, reviewed.photo(WRONG))  # another tab has work of its own
    expect(chosen(other)).to_have_text("6 bamboos")
    other.close()
    page.reload()
    expect(chosen(page)).to_have_text("5 bamboos")
    expect(page.locator("#notice")).to_contain_text("Your earlier corrections are back")
    page.close()
    page = open_page(desktop, reviewed.url)
    expect(page.locator(".photo-row", has_text=WRONG)).to_contain_text("not saved")
    page.locator(".photo-row", has_text=WRONG).click()
    expect(chosen(page)).to_have_text("5 bamboos")
    press(page, "u")
    expect(chosen(page)).to_have_text("6 bamboos")
    expect(page.locator("#photo-state")).to_have_text("unreviewed")
    kept_of_another_journal(page, reviewed)


def kept_of_another_journal(page: Page, reviewed: Reviewed) -> None:
    """It is in nobody's way: another folder may have been reviewed at the same address, and a journal be made
    anew."""
    key, tiles = reviewed.keys[WRONG], reviewed.latest(WRONG)["tiles"]
    anew = {"after": 7, "at": 0, "tiles": [{**tile, "label": "1p"} for tile in tiles]}
    elsewhere = [{"key": "0" * 64, "after": 1, "tile": 0, "label": "1p", "from": "2p"}]
    other = [{"key": key, "after": 1, "tile": 0, "label": "1p", "from": "9s", "quad": tiles[0]["quad"]}]
    for what, draft in ((key, anew), (f"faces-{'0' * 64}", elsewhere), (f"faces-{key}", other)):
        page.evaluate(
            "([what, draft]) => localStorage.setItem(`tehai-review:draft:closed:${what}`, draft)",
            [what, json.dumps(draft)],
        )
    page.goto(f"{reviewed.url}#/faces/1p")
    expect(page.locator("#crops")).to_be_visible()
    expect(page.locator("#faces-bar")).to_be_hidden()
    page.goto(reviewed.photo(WRONG))
    expect(chosen(page)).to_have_text("1 circle")
    press(page, "u")
    expect(page.locator("#photo-state")).to_have_text("unreviewed")


def test_two_tabs_do_not_lose_each_others_work(desktop: BrowserContext, reviewed: Reviewed) -> None:
    mine, theirs = (open_photo(desktop, reviewed.photo(WRONG)) for _ in range(2))
    theirs.locator("#open-settings").click()
    theirs.locator("#name").fill("beno")
    theirs.locator("#name-form button").click()
    expect(theirs.locator("#who")).to_have_text("beno")
    mine.bring_to_front()
    press(mine, "5", "s", "ArrowRight", "1", "m")
    expect(chosen(mine)).to_have_text("1 character")
    theirs.bring_to_front()
    press(theirs, "4", "s", "ArrowLeft", "2", "m")
    save(theirs)
    mine.bring_to_front()
    press(mine, "Enter")
    dialog = mine.locator("#compare")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("3 differences")
    expect(dialog.locator("#compare-sides")).to_contain_text("beno")
    expect(dialog.locator(".undecided")).to_have_count(1)  # only one tile was changed by both
    done = dialog.locator('[data-key="save"]')
    expect(done).to_be_disabled()
    assert not faults(mine, {})
    press(mine, "Escape")
    expect(mine.locator("#notice")).to_contain_text("keeps your work")
    press(mine, "Enter")
    dialog.locator(".undecided").get_by_label("Mine").click()
    done.click()
    expect(mine.locator("#photo-path")).not_to_have_text(WRONG)
    last = reviewed.latest(WRONG)
    assert [line["review"]["by"] for line in reviewed.revisions(WRONG)] == ["models", "beno", "anna"]
    labels = [tile["label"] for tile in last["tiles"]]
    assert [tile["label"] for tile in last["tiles"] if tile["role"] == "win"] == ["5s"] or "5s" in labels
    before = [tile["label"] for tile in reviewed.revisions(WRONG)[0]["tiles"]]
    assert sum(a != b for a, b in zip(before, labels, strict=True)) == 3  # mine twice, theirs once
    mine.goto(reviewed.photo(WRONG))
    expect(mine.locator("#photo-path")).to_have_text(WRONG)
    mine.locator("#revisions summary").click()
    mine.locator('[data-key="revision-1"]').click()
    expect(dialog).to_contain_text("3 differences")
    dialog.get_by_text("Restore this revision").click()
    expect(mine.locator("#photo-state")).to_have_text("not saved")


def test_a_check_counts_for_the_photo_that_was_seen(desktop: BrowserContext, reviewed: Reviewed) -> None:
    page = open_photo(desktop, reviewed.photo(EASY[0]))
    page.evaluate(  # somebody else accepts it by its margins: nobody has looked at it
        """async () => {
            const headers = { "Content-Type": "application/json" };
            await fetch("api/auto", { method: "POST", headers, body: JSON.stringify({ margin: 0.5 }) });
        }"""
    )
    states(page, reviewed, EASY[0], "unreviewed", "auto")
    save(page)
    expect(page.locator("#photo-path")).not_to_have_text(EASY[0])
    states(page, reviewed, EASY[0], "unreviewed", "auto", "accepted")
    # a second click of the mouse does not accept the photo that follows
    page.goto(reviewed.photo(WRONG))
    expect(page.locator("#photo-path")).to_have_text(WRONG)
    page.locator('#ways [data-key="accept"]').dblclick()
    expect(page.locator("#photo-path")).not_to_have_text(WRONG)
    shown = page.locator("#photo-path").inner_text()
    press(page, "ArrowRight")
    states(page, reviewed, WRONG, "unreviewed", "accepted")
    assert len(reviewed.revisions(shown)) == 1 + (shown == EASY[1])
    # nor does a key that is held down
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.locator("#photo-path")).not_to_have_text(shown)
    unseen = page.locator("#photo-path").inner_text()
    press(page, "ArrowRight", "ArrowLeft")
    page.wait_for_timeout(300)
    assert len(reviewed.revisions(unseen)) == 1 + (unseen == EASY[1])


def test_all_crops_of_a_face_are_corrected_together(desktop: BrowserContext, reviewed: Reviewed) -> None:
    page = open_page(desktop, f"{reviewed.url}#/faces/6s")
    expect(page.locator("#faces-title")).to_contain_text("6 bamboos")
    expect(page.locator(".card-crop").first).to_be_focused()  # the least sure one
    expect(page.locator(".card-crop img").first).to_have_js_property("naturalWidth", 96)
    press(page, "Space", "5", "s")
    expect(page.locator(".card-crop").first).to_have_class(re.compile("changed"))
    page.goto(f"{reviewed.url}#/faces/7z")
    crops = page.locator(".card-crop")
    before = {label: everywhere(reviewed, label) for label in ("7z", "5z", "2m")}
    expect(crops).to_have_count(before["7z"])
    crops.nth(1).click()
    crops.nth(3).click(modifiers=["Shift"])
    expect(page.locator("#faces-bar")).to_contain_text("3 marked")
    press(page, "6", "z", "u", "x", "5", "z")  # undone, and then only for the one in hand
    expect(page.locator("#faces-bar")).to_contain_text("2 changed, not saved yet")
    page.reload()
    expect(page.locator("#faces-bar")).to_contain_text("2 changed, not saved yet 1 of them on other faces")
    press(page, "Enter")
    expect(page.locator("#notice")).to_have_text("Saved: 2.")
    assert found(reviewed.latest(WRONG)["tiles"], "6s") == found(reviewed.latest(EASY[0])["tiles"], "6s")
    assert everywhere(reviewed, "5z") == before["5z"] + 1
    # somebody else is faster
    crops.first.click()
    press(page, "2", "m")
    with page.expect_response("**/api/faces/*"):
        page.evaluate(
            """async () => {
                const { crops } = await (await fetch("api/faces/7z")).json();
                const [{ key, revision, tile }] = crops;
                const changes = [{ key, after: revision, tile, label: "3m" }];
                const headers = { "Content-Type": "application/json" };
                const body = JSON.stringify({ by: "beno", changes });
                await fetch("api/faces", { method: "POST", headers, body });
            }"""
        )
    press(page, "Enter")
    expect(page.locator("#compare")).to_contain_text("Somebody else changed 1 of your tiles")
    press(page, "1", "Enter")
    expect(page.locator("#notice")).to_have_text("Saved: 1.")
    assert everywhere(reviewed, "2m") == before["2m"] + 1
    press(page, "u")
    expect(page.locator("#notice")).to_contain_text("Undone")
    assert everywhere(reviewed, "2m") == before["2m"]


def test_the_queue_is_filtered_and_sure_photos_are_accepted(
    desktop: BrowserContext, reviewed: Reviewed
) -> None:
    page = open_page(desktop, reviewed.url)
    seen_side_by_side(page)
    rows = page.locator(".photo-row")
    page.locator('[data-key="filter-folder"]').select_option("easy")
    expect(rows).to_have_count(2)
    page.locator('[data-key="clear"]').click()
    page.locator('[data-key="filter-face"]').select_option("6s")
    expect(rows).to_have_count(sum(found(reviewed.latest(path)["tiles"], "6s") > 0 for path in reviewed.keys))
    page.locator('[data-key="filter-state"]').select_option("all")
    page.locator('[data-key="filter-kind"]').select_option("margin")
    expect(rows).to_have_count(1)
    press(page, "Alt+3")
    expect(page.locator("#auto-measured")).to_contain_text("error rate is unknown")
    page.locator("#margin").fill("1")
    expect(page.locator("#auto-eligible")).to_contain_text("0 photos qualify")
    page.locator("#margin").fill("0.5")
    expect(page.locator("#auto-eligible .primary")).to_be_enabled()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.evaluate(  # the slider moves, and the button still has the number of before
        """() => {
            const slider = document.querySelector("#margin");
            slider.value = 1;
            slider.dispatchEvent(new Event("input"));
            document.querySelector("#auto-eligible .primary").click();
        }"""
    )
    expect(page.locator("#auto-eligible")).to_contain_text("0 photos qualify")
    assert "POST" not in sent
    page.locator("#margin").fill("0.5")
    expect(page.locator("#auto-eligible .primary")).to_be_enabled()
    caption = page.locator("#auto-eligible .primary").inner_text()
    page.locator("#auto-eligible .primary").click()
    expect(page.locator("#notice")).to_contain_text("Accepted: ")
    accepted = [reviewed.latest(path)["review"]["state"] for path in reviewed.keys].count("auto")
    assert 0 < accepted == int(re.findall(r"\d+", caption)[0])
    measured = {"accepted": 400, "drawn": 20, "checked": 12, "wrong_photos": 2, "wrong_tiles": 3}
    rate = {
        "tiles_checked": 408,
        "error_rate": 3 / 408,
        "interval": [0.0025, 0.0214],
        "margin": 0.9,
        "eligible": 0,
    }
    page.route("**/api/auto*", lambda route: route.fulfill(json={**measured, **rate}))
    press(page, "Alt+1", "Alt+3")
    expect(page.locator("#auto-measured")).to_contain_text("0.74 % of tiles were wrong")
    expect(page.locator("#auto-measured")).to_contain_text("3 of 408 tiles in the checked photos")
    expect(page.locator("#auto-measured")).to_contain_text("between 0.25 % and 2.14 %")
    page.get_by_text("Check the 8 that are left").click()
    expect(page.locator('[data-key="filter-kind"]')).to_have_value("check")


def seen_side_by_side(page: Page) -> None:
    """Photos that show the same."""
    press(page, "Alt+4")
    expect(page.locator("#alike-count")).to_have_text("1 group")  # all are one picture, saved anew
    expect(page.locator("#alike-groups strong")).to_have_count(4)
    page.get_by_role("link", name=WRONG).click()
    expect(page.locator("#photo-path")).to_have_text(WRONG)
    press(page, "Escape")
    expect(page.locator("#queue")).to_be_visible()


def test_a_server_that_is_gone_loses_nothing(
    desktop: BrowserContext, labelled: Path, reader: Reader, tmp_path: Path
) -> None:
    folder = tmp_path / "photos"
    shutil.copytree(labelled, folder)
    with serving(folder, reader) as url:
        page = open_photo(desktop, Reviewed(folder, url).photo(WRONG))
    press(page, "5", "s", "Enter")
    expect(page.locator("#notice")).to_contain_text("The server does not answer")
    expect(chosen(page)).to_have_text("5 bamboos")
    expect(page.locator("#photo-state")).to_have_text("not saved")


def looked_at(page: Page, name: str) -> None:
    """By day on a wide screen, by night on a narrow one."""
    page.emulate_media(color_scheme="light")
    fits(page, name, 1280, {})
    page.emulate_media(color_scheme="dark")
    fits(page, name, 800, COLOURS)


def fits(page: Page, name: str, wide: int, rules: dict[str, Any]) -> None:
    page.set_viewport_size({"width": wide, "height": 800})
    assert not faults(page, rules), (name, wide)
    assert page.evaluate("document.documentElement.scrollWidth") <= wide, name


def test_every_screen_is_accessible_and_speaks_japanese(desktop: BrowserContext, reviewed: Reviewed) -> None:
    page = open_page(desktop, reviewed.url)
    expect(page.locator(".photo-row")).to_have_count(4)
    looked_at(page, "queue")
    press(page, "Enter")
    expect(page.locator("#photo")).to_be_visible()
    page.locator(".all-faces summary").click()
    press(page, "a")
    looked_at(page, "photo")
    press(page, "Escape", "?")
    expect(page.locator("#help")).to_be_visible()
    looked_at(page, "help")
    press(page, "Escape", "Alt+2")
    expect(page.locator("#faces")).to_be_visible()
    press(page, "Space", "Shift+Tab")
    looked_at(page, "faces")
    press(page, "Alt+3")
    expect(page.locator("#auto")).to_be_visible()
    looked_at(page, "auto")
    press(page, "Alt+4")
    expect(page.locator("#alike")).to_be_visible()
    looked_at(page, "alike")
    page.locator("#open-settings").click()
    looked_at(page, "settings")
    page.get_by_label("日本語").check()
    press(page, "Escape", "Alt+1")
    expect(page.locator("#queue h1")).to_have_text("確認する写真")
    press(page, "?")
    expect(page.locator("#help")).to_contain_text("赤五にする")
    unknown = page.evaluate(
        "document.body.innerText.match(/\\b(key|keys|state|why|photo|tile|queue)\\.[a-z.]+/g)"
    )
    assert unknown is None


def test_languages_have_the_same_words() -> None:
    words = {code: json.loads((STATIC / "lang" / f"{code}.json").read_text()) for code in ("en", "ja")}
    assert words["en"].keys() == words["ja"].keys()
    for key, text in words["en"].items():
        # a sentence about one thing may say so without its number
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", words["ja"][key])), key
