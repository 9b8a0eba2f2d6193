"""WebKit on a screen that nobody sees, driven by the W3C's WebDriver protocol
(https://www.w3.org/TR/webdriver2/)."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx

DRIVER: Final = shutil.which("WebKitWebDriver")
SCREEN: Final = shutil.which("Xvfb")
BROWSER: Final = next(Path("/usr/lib").glob("*/webkit*gtk-*/MiniBrowser"), None)

PATIENCE: Final = 180
"""Seconds for a start, on a machine that is busy with other things."""


ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"
"""What the protocol calls the name of an element."""


class DriverError(AssertionError):
    """A command that failed; ``code``: why, in the protocol's words."""

    def __init__(self, command: str, code: str, message: str) -> None:
        super().__init__(f"{command}: {message or code}")
        self.code = code


def patiently(holds: Callable[[], object], about: Callable[[], object]) -> None:
    """Waits for something to hold; ``about``: what is told where it never does."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, about()
        time.sleep(0.05)


class WebKit:
    """A browser that is driven. ``driver``: what hears commands for it; ``home``: where it saves files."""

    def __init__(self, driver: httpx.Client, browser: Path, home: Path) -> None:
        self._driver = driver
        self._home = home
        self._session = ""
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"webkitgtk:browserOptions": options, "timeouts": {"script": 1000 * PATIENCE}}
        made = self.tell("session", capabilities={"alwaysMatch": wanted})
        self._session = f"session/{made['sessionId']}/"

    def tell(self, command: str, method: str = "POST", **values: Any) -> Any:
        """A command of the protocol. Raises :class:`DriverError`."""
        body = values if method == "POST" else None
        answer = self._driver.request(method, f"{self._session}{command}", json=body)
        value = answer.json()["value"]
        if not answer.is_success:
            raise DriverError(command, value["error"], value["message"])
        return value

    def open(self, url: str) -> None:
        self.tell("url", url=url)

    def ask(self, script: str) -> Any:
        """What the body of an async function in the page returns."""
        done = "const done = arguments[0]; (async () => {%s})().then(done, (error) => done(`${error}`));"
        return self.tell("execute/async", script=done % script, args=[])

    def element(self, script: str) -> str | None:
        """The name of the element that such a body returns."""
        found = self.ask(script)
        assert found is None or isinstance(found, dict), found
        return None if found is None else str(found[ELEMENT])

    def until(self, condition: str) -> None:
        """Waits for an expression in the page to be true."""
        patiently(
            lambda: self.tell("execute/sync", script=f"return Boolean({condition})", args=[]),
            lambda: (condition, self.ask("return document.body.innerText")),
        )

    def downloads(self) -> list[Path]:
        """The files that pages gave, once nobody writes to them any more: they are there, empty, before."""
        files = [file for file in self._home.glob("**/tehai-*") if file.is_file() and file.stat().st_size]
        return [file for file in files if not _is_open(file)]

    def close(self) -> None:
        self.tell("", "DELETE")


@contextmanager
def webkit(driver: str, screen: str, browser: Path) -> Iterator[WebKit]:
    """The browser with a home, a screen and a driver of its own."""
    with ExitStack() as over:
        home = over.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        shown = subprocess.Popen(
            [screen, "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "800x1000x24"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        over.callback(_end, shown)
        assert shown.stdout is not None
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        display = f":{shown.stdout.readline().strip()}"
        own = inherited | {"DISPLAY": display, "HOME": home, "GSETTINGS_BACKEND": "memory"}
        port = _free_port()
        nowhere = subprocess.DEVNULL
        driving = subprocess.Popen([driver, f"--port={port}"], env=own, stdout=nowhere, stderr=nowhere)
        over.callback(_end, driving)
        client = over.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}/", timeout=2 * PATIENCE))
        _listens(client, driving)
        running = WebKit(client, browser, Path(home))
        over.callback(running.close)
        yield running


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _listens(client: httpx.Client, driving: subprocess.Popen[Any]) -> None:
    """Waits for the driver."""
    end = time.monotonic() + PATIENCE
    while driving.poll() is None and time.monotonic() < end:
        try:
            client.get("status")
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("WebKit's driver does not listen")


def _is_open(file: Path) -> bool:
    """Whether a process that can be looked into has the file open."""
    for held in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):  # closed meanwhile, or somebody else's
            if held.samefile(file):
                return True
    return False


def _end(process: subprocess.Popen[Any]) -> None:
    process.terminate()
    process.wait()
