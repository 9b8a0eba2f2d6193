"""The page without a server in WebKit, which is the nearest thing to Safari on Linux.

Needs Debian's ``webkit2gtk-driver`` and ``xvfb``, and Selenium.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.site import Host

DRIVER = shutil.which("WebKitWebDriver")
BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
SCREEN = shutil.which("Xvfb")
START = 180
"""Seconds for a start, on a machine that is busy with other things."""

ASK = """
const done = arguments[0];
(async () => {
    const { send } = await import("./transport.js");
    const body = new FormData();
    body.append("photo", new File([await (await fetch("sample.jpg")).blob()], "sample.jpg"));
    const read = await (await send("api/read", { method: "POST", body })).json();
    const record = { concealed: "234m340567p2267s", win_tile: "8s", tsumo: false, seat_wind: "S" };
    const headers = { "Content-Type": "application/json" };
    const asked = { method: "POST", headers, body: JSON.stringify({ record }) };
    const typed = await (await send("api/score", asked)).json();
    return JSON.stringify([read.error ?? read.result.points, typed.error ?? typed.result.points]);
})().then(done, (error) => done(JSON.stringify(String(error))));
"""


@pytest.fixture(scope="module")
def webkit() -> Iterator[Any]:
    """A browser that is driven, on a screen that nobody sees."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    if not (DRIVER and BROWSER and SCREEN):
        pytest.skip("webkit2gtk-driver and xvfb are not installed")
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service

    screen = subprocess.Popen(
        [SCREEN, "-displayfd", "1", "-screen", "0", "800x1000x24"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert screen.stdout is not None
        environment = {**os.environ, "DISPLAY": f":{screen.stdout.readline().strip()}"}
        options = Options()
        options.binary_location = str(BROWSER)
        options.add_argument("--automation")
        browser = webdriver.WebKitGTK(options=options, service=Service(DRIVER, env=environment))
        browser.set_script_timeout(START)
        try:
            yield browser
        finally:
            browser.quit()
    finally:
        screen.terminate()
        screen.wait()


def until(webkit: Any, script: str) -> None:
    """Waits for a script to say yes."""
    for _ in range(2 * START):
        if webkit.execute_script(f"return Boolean({script})"):
            return
        time.sleep(0.5)
    raise AssertionError(webkit.execute_script("return document.body.innerText"))


def test_a_photo_and_a_typed_hand_in_webkit_and_again_without_a_network(webkit: Any, built: Path) -> None:
    host = Host(built)
    for _ in range(2):
        webkit.get(host.url)
        until(webkit, "document.body.dataset.reading")
        assert json.loads(webkit.execute_async_script(ASK)) == [7700, 7700]
        until(webkit, "navigator.serviceWorker.controller")
        if host.asked:
            host.stop()
            host.asked.clear()
    assert not host.asked
