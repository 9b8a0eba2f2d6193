"""The page without a server in WebKit, which is the nearest thing to Safari on Linux.

Needs Debian's ``webkit2gtk-driver`` and ``xvfb``.
"""

from __future__ import annotations

from pathlib import Path

from tests.end_to_end.site import Host
from tests.end_to_end.webkit import WebKit

ASK = """
const { send } = await import("./transport.js");
const body = new FormData();
body.append("photo", new File([await (await fetch("sample.jpg")).blob()], "sample.jpg"));
const read = await (await send("api/read", { method: "POST", body })).json();
const record = { concealed: "234m340567p2267s", win_tile: "8s", tsumo: false, seat_wind: "S",
    riichi: true };
const headers = { "Content-Type": "application/json" };
const asked = { method: "POST", headers, body: JSON.stringify({ record }) };
const typed = await (await send("api/score", asked)).json();
return [read.error ?? read.result.points, typed.error ?? typed.result.points];
"""


def test_a_photo_and_a_typed_hand_in_webkit_and_again_without_a_network(safari: WebKit, built: Path) -> None:
    host = Host(built)
    for _ in range(2):
        safari.open(host.url)
        safari.until("document.body.dataset.reading")
        assert safari.ask(ASK) == [7700, 7700]
        safari.until("navigator.serviceWorker.controller")
        if host.asked:
            host.stop()
            host.asked.clear()
    assert not host.asked
