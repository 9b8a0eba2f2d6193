"""WebKit on a screen that nobody sees, driven by the W3C's WebDriver protocol
(https://www.w3.org/TR/webdriver2/), of which a test of the page needs four commands."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import httpx

DRIVER: Final = shutil.which("WebKitWebDriver")
SCREEN: Final = shutil.which("Xvfb")
BROWSER: Final = next(Path("/usr/lib").glob("*/webkit*gtk-*/MiniBrowser"), None)

PATIENCE: Final = 180
"""Seconds for a start, on a machine that is busy with other things."""


class WebKit:
    """A browser that is driven; ``driver``: what listens to commands for it."""

    def __init__(self, driver: httpx.Client, browser: Path) -> None:
        self._driver = driver
        self._session = ""
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"webkitgtk:browserOptions": options, "timeouts": {"script": 1000 * PATIENCE}}
        made = self._tell("POST", "session", capabilities={"alwaysMatch": wanted})
        self._session = f"session/{made['sessionId']}/"

    def _tell(self, method: str, command: str, **values: Any) -> Any:
        body = values if method == "POST" else None
        answer = self._driver.request(method, f"{self._session}{command}", json=body)
        value = answer.json()["value"]
        assert answer.is_success, f"{command}: {value['message']}"
        return value

    def open(self, url: str) -> None:
        self._tell("POST", "url", url=url)

    def ask(self, script: str) -> Any:
        """What the body of an async function in the page returns."""
        done = "const done = arguments[0]; (async () => {%s})().then(done, (error) => done(`${error}`));"
        return self._tell("POST", "execute/async", script=done % script, args=[])

    def until(self, condition: str) -> None:
        """Waits for an expression in the page to be true."""
        end = time.monotonic() + PATIENCE
        while not self._tell("POST", "execute/sync", script=f"return Boolean({condition})", args=[]):
            assert time.monotonic() < end, (condition, self.ask("return document.body.innerText"))
            time.sleep(0.2)

    def close(self) -> None:
        self._tell("DELETE", "")


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
        running = WebKit(client, browser)
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


def _end(process: subprocess.Popen[Any]) -> None:
    process.terminate()
    process.wait()
