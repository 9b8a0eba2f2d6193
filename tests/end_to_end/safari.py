"""WebKit in those words of Playwright that the script of an evening is written in, so that one script is
played in both browsers: what is found, waited for and touched. Nothing here knows of the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import playwright.sync_api as chromium
from playwright.sync_api import Locator, Page

from tests.end_to_end.webkit import DriverError, WebKit, patiently

FOUND: Final = """
const box = (one) => one.getBoundingClientRect();
const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && box(one).width > 0;
const parts = %s.split(", ").map((part) => part.split(":visible"));
const found = [...document.querySelectorAll(parts.map(([css]) => css).join(", "))]
    .filter((one) => parts.some(([css, only]) => one.matches(css) && (only === undefined || shown(one))));
"""
"""The elements of a selector, in which a part that ends with ``:visible`` is of what is shown."""

STILL: Final = """
const [one] = found;
if (!one || !shown(one) || one.matches(":disabled")) return null;
one.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
const frame = () => new Promise(requestAnimationFrame);
const before = JSON.stringify(box(one));
await frame();
await frame();
return one.isConnected && before === JSON.stringify(box(one)) ? one : null;
"""
"""The first of them, once it can be touched and stands still."""

AGAIN: Final = ("stale element reference", "element click intercepted", "element not interactable")
"""What a driver says of an element that went, or was covered, before it was touched."""

ESCAPE: Final = {"Escape": "\ue00c"}
"""Keys as the protocol writes them."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a selector finds whenever it is asked."""

    safari: Safari
    css: str

    @property
    def first(self) -> Found:
        return self

    def tap(self) -> None:
        """Touches the first one, once it stands still."""
        self.safari.touch(self.css)

    click = tap

    def is_visible(self) -> bool:
        return self.state()[1]

    def is_hidden(self) -> bool:
        return not self.is_visible()

    def count(self) -> int:
        number: int = self._ask("return found.length;")
        return number

    def all_inner_texts(self) -> list[str]:
        texts: list[str] = self._ask("return found.map((one) => one.innerText);")
        return texts

    def select_option(self, value: str) -> None:
        self._ask(
            f"found[0].value = {json.dumps(value)};"
            'found[0].dispatchEvent(new Event("change", { bubbles: true }));'
        )

    def state(self) -> tuple[list[str], bool]:
        """The texts as they are compared, and whether any is shown."""
        texts, shown = self._ask(
            'return [found.map((one) => one.textContent.replace(/\\s+/g, " ").trim()), found.some(shown)];'
        )
        return texts, shown

    def _ask(self, script: str) -> Any:
        return self.safari.driver.ask(FOUND % json.dumps(self.css) + script)


@dataclass(frozen=True, slots=True)
class Expected:
    """What is waited for; a state, never a time."""

    found: Found

    def to_be_visible(self) -> None:
        self._until("visible", lambda _, shown: shown)

    def to_be_hidden(self) -> None:
        self._until("hidden", lambda _, shown: not shown)

    def to_have_count(self, count: int) -> None:
        self._until(f"{count} of them", lambda texts, _: len(texts) == count)

    def not_to_have_count(self, count: int) -> None:
        self._until(f"not {count} of them", lambda texts, _: len(texts) != count)

    def to_have_text(self, text: str) -> None:
        self._until(repr(text), lambda texts, _: texts == [text])

    def to_contain_text(self, text: str) -> None:
        self._until(f"…{text}…", lambda texts, _: len(texts) == 1 and text in texts[0])

    def _until(self, what: str, holds: Callable[[list[str], bool], bool]) -> None:
        patiently(
            lambda: holds(*self.found.state()),
            lambda: (self.found.css, what, self.found.state(), self.found.safari.text()),
        )


def expect(found: Locator | Found) -> Any:
    """What is waited for, in either browser."""
    return Expected(found) if isinstance(found, Found) else chromium.expect(found)


@dataclass(slots=True)
class Download:
    """A file that the page gave."""

    file: Path | None = None

    @property
    def value(self) -> Download:
        return self

    def path(self) -> Path:
        assert self.file is not None
        return self.file


class Safari:
    """A page; ``driver``: the browser it is open in."""

    def __init__(self, driver: WebKit) -> None:
        self.driver = driver

    def narrow(self) -> None:
        """As narrow as the browser's window gets, 447 pixels, and as high as a phone."""
        self.driver.tell("window/rect", width=1, height=740)

    def goto(self, url: str) -> None:
        self.driver.open(url)

    def reload(self) -> None:
        self.driver.tell("refresh")

    def go_back(self) -> None:
        self.driver.tell("back")

    def go_forward(self) -> None:
        self.driver.tell("forward")

    def locator(self, css: str) -> Found:
        return Found(self, css)

    def wait_for_selector(self, css: str) -> None:
        expect(self.locator(css)).to_be_visible()

    def evaluate(self, script: str) -> Any:
        """The value of an expression, or what a function returns."""
        return self.driver.ask(
            f"const made = {script}; return typeof made === 'function' ? await made() : made;"
        )

    def fill(self, css: str, text: str) -> None:
        """Writes into a field, as by the keyboard."""
        element = self._still(css)
        self.driver.tell(f"element/{element}/clear")
        self.driver.tell(f"element/{element}/value", text=text)

    def set_input_files(self, css: str, file: str | Path) -> None:
        """Chooses a file, as in the dialog that the input opens."""
        element = self.driver.element(f"return document.querySelector({json.dumps(css)});")
        assert element is not None
        self.driver.tell(f"element/{element}/value", text=str(Path(file).resolve()))

    @property
    def keyboard(self) -> Safari:
        return self

    def press(self, key: str) -> None:
        presses = [{"type": kind, "value": ESCAPE[key]} for kind in ("keyDown", "keyUp")]
        self.driver.tell("actions", actions=[{"type": "key", "id": "keyboard", "actions": presses}])

    def touch(self, css: str) -> None:
        """A click of the driver's own, which misses what is covered; tried again where the page drew the
        element anew meanwhile."""

        def hit() -> bool:
            try:
                self.driver.tell(f"element/{self._still(css)}/click")
            except DriverError as error:
                if error.code in AGAIN:
                    return False
                raise
            return True

        patiently(hit, lambda: (css, self.text()))

    def text(self) -> str:
        said: str = self.driver.ask("return document.body.innerText;")
        return said

    @contextmanager
    def expect_download(self) -> Iterator[Download]:
        """What comes into the folder of downloads meanwhile."""
        before = set(self.driver.downloads())
        download = Download()
        yield download
        patiently(
            lambda: set(self.driver.downloads()) - before, lambda: ("no download", *self.driver.downloads())
        )
        (download.file,) = set(self.driver.downloads()) - before

    def _still(self, css: str) -> str:
        script = FOUND % json.dumps(css) + STILL
        element: str | None = None

        def stands() -> bool:
            nonlocal element
            element = self.driver.element(script)
            return element is not None

        patiently(stands, lambda: (css, "cannot be touched", self.text()))
        assert element is not None
        return element


Window = Page | Safari
"""A page in either browser."""
