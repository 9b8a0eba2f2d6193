"""The page without a server beside the server: ``python -m benchmarks.site_alike OUT``.

``--records``, ``--photos`` say how many. Asks both for the same: random wins, by rules in turn, for score,
questions and lesson, which must be equal in every field; and photos from ``--folder``, which the browser
decodes in one and OpenCV in the other, for hand, score and questions. A photo that the server itself answers
otherwise once its pixels are off by one at most is left out: what lies on such an edge no arithmetic settles.
Prints each difference, and how many. Ends with 1 where a hand that was typed differs, or more than one photo
in twenty, as does the test of the site (``tests/end_to_end/test_site.py``).
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from PIL import Image, ImageOps
from playwright.sync_api import Page, sync_playwright

from benchmarks.wins import random_win
from scorer.rules import load_rules, preset_ids
from tehai.site.application import InPlace
from tehai.site.asgi import ask
from tehai.web.app import make_app
from tehai.web.hands import FIELDS
from tests.end_to_end.page import PHONE, launch
from tests.end_to_end.site import Host
from tests.folders import DATA
from vision.reader import Engine, Reader

JSON: Final = [("Content-Type", "application/json")]
WAIT: Final = 240_000
"""Milliseconds."""

Asked = tuple[str, dict[str, Any]]
"""A path and the body posted to it."""


def typed(count: int) -> Iterator[Asked]:
    """Hands by rules in turn: their score with its questions, and their lesson, in both languages."""
    chance, ids = random.Random(19), preset_ids()
    for at in range(count):
        rules = load_rules(ids[at % len(ids)])
        hand = random_win(chance, reds=bool(chance.randrange(2)), players=rules.players).to_record(rules)
        record = {name: hand[name] for name in FIELDS if hand.get(name) is not None and name != "rules"}
        if at % 2:  # as a photo shows it: the rest is asked
            seen = ("concealed", "win_tile", "melds", "dora_indicators")
            record = {name: record[name] for name in seen if name in record}
            record["known"] = dict.fromkeys(record, "seen")
        body = {"record": record, "rules": rules.id, "lang": ("en", "ja")[at // 2 % 2]}
        yield "api/score", body
        yield "api/lesson", body


def real(folder: Path, count: int) -> list[Path]:
    """So many real photos: those of hands first, then any."""
    hands = sorted((folder / "hands").glob("*.jpg"))
    others = sorted(set(folder.rglob("*.jpg")) - set(hands))
    return [*hands, *random.Random(19).sample(others, max(0, min(count - len(hands), len(others))))][:count]


def steady(photos: Sequence[Path]) -> tuple[list[Path], list[Any]]:
    """Those that are answered here alike as they are and with each value of each pixel off by one at most,
    and their answers."""
    noise = np.random.default_rng(19)
    with TemporaryDirectory() as name:
        rough = []
        for at, photo in enumerate(photos):
            with Image.open(photo) as opened:
                values = np.array(ImageOps.exif_transpose(opened).convert("RGB"), np.int16)
            values += noise.integers(-1, 2, values.shape, np.int16)
            rough.append(Path(name) / f"{at}.png")
            Image.fromarray(values.clip(0, 255).astype(np.uint8)).save(rough[-1], compress_level=1)
        (_, seen), (_, again) = (natively([], each) for each in (photos, rough))
    both = zip(photos, seen, again, strict=True)
    kept = [(photo, one) for photo, one, other in both if of_photo(one) == of_photo(other)]
    return [photo for photo, _ in kept], [one for _, one in kept]


def natively(asked: Sequence[Asked], photos: Sequence[Path]) -> tuple[list[Any], list[Any]]:
    """What the same application answers here."""
    app = make_app(InPlace(Reader(Engine())))  # type: ignore[arg-type]

    async def work() -> tuple[list[Any], list[Any]]:
        told = [
            json.loads((await ask(app, f"/{path}", "POST", JSON, json.dumps(body).encode())).body)
            for path, body in asked
        ]
        read = [
            json.loads((await ask(app, "/api/read", "POST", FORM, form(photo.read_bytes()))).body)
            for photo in photos
        ]
        return told, read

    with ThreadPoolExecutor(1) as thread:  # whoever drives a browser has a loop already
        return thread.submit(asyncio.run, work()).result()


FORM: Final = [("Content-Type", "multipart/form-data; boundary=x")]


def form(photo: bytes) -> bytes:
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    return head + photo + b"\r\n--x--\r\n"


def post(page: Page, path: str, body: dict[str, Any]) -> Any:
    return page.evaluate(
        """async ([path, body]) => {
            const { send } = await import("./transport.js");
            const headers = { "Content-Type": "application/json" };
            return (await send(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
        }""",
        [path, body],
    )


def read(page: Page, photo: Path) -> Any:
    return page.evaluate(
        """async (text) => {
            const { send } = await import("./transport.js");
            const body = new FormData();
            const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
            body.append("photo", new File([bytes], "a.jpg"));
            return (await send("api/read", { method: "POST", body })).json();
        }""",
        base64.b64encode(photo.read_bytes()).decode(),
    )


def differences(one: Any, other: Any, at: str = "") -> Iterator[str]:
    """Where two JSON values differ, ids of requests aside."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            if not (name == "id" and "error" in one):  # a refusal has the id of its request
                yield from differences(one.get(name), other.get(name), f"{at}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for nth, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, f"{at}[{nth}]")
    elif one != other:
        yield f"{at}: {str(one)[:60]} / {str(other)[:60]}"


def of_photo(answer: dict[str, Any]) -> dict[str, Any]:
    """What a player sees of a photo's answer: the hand, its score, what is asked."""
    reading = answer.get("reading") or {}
    return {
        "status": reading.get("status"),
        "hand": reading.get("hand"),
        "result": answer.get("result"),
        "questions": [
            (one["field"], [each["label"] for each in one.get("choices", [])])
            for one in answer.get("questions", [])
        ],
        "code": answer.get("code"),
    }


def unlike(page: Page, asked: Sequence[Asked], told: Sequence[Any]) -> Iterator[str]:
    """The typed hands that the page answers otherwise, and where."""
    for (path, body), native in zip(asked, told, strict=True):
        if found := list(differences(native, post(page, path, body))):
            yield f"{path} {json.dumps(body)[:200]}: {'; '.join(found[:3])}"


def misread(page: Page, photos: Sequence[Path], seen: Sequence[Any]) -> Iterator[str]:
    """The photos of which the page says something else, and what."""
    for photo, native in zip(photos, seen, strict=True):
        if found := list(differences(of_photo(native), of_photo(read(page, photo)))):
            yield f"{photo.name}: {'; '.join(found[:3])}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--records", type=int, default=300)
    parser.add_argument("--photos", type=int, default=20)
    parser.add_argument("--folder", type=Path, default=DATA / "photos")
    options = parser.parse_args()
    asked = list(typed(options.records))
    photos, seen = steady(real(options.folder, options.photos))
    told, _ = natively(asked, [])
    host = Host(options.out)
    with sync_playwright() as playwright, launch(playwright) as browser:
        page = browser.new_context(**PHONE).new_page()
        page.set_default_timeout(WAIT)
        page.goto(host.url)
        page.wait_for_selector("body[data-reading]")
        wrong = list(unlike(page, asked, told))
        print(*wrong, sep="\n")
        print(f"typed: {len(asked) - len(wrong)} of {len(asked)} answers equal in every field", flush=True)
        other = list(misread(page, photos, seen))
        print(*other, sep="\n")
        print(f"photos: {len(photos) - len(other)} of {len(photos)} with the same hand, score and questions")
    host.stop()
    raise SystemExit(bool(wrong) or len(other) > len(photos) / 20)


if __name__ == "__main__":
    main()
