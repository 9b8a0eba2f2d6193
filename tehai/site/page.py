"""The page's files on the host: its own, the answers to its GET requests, and the replacement of a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from scorer import svg
from scorer.telling.catalogue import LANGUAGES
from scorer.tiles import TILES
from tehai.hand.sample import sample_path
from tehai.learn.pictures import ATLAS
from tehai.server.page import SHARED
from tehai.site.application import app
from tehai.site.asgi import ask
from tehai.web.app import STATIC as PAGE

STATIC: Final = Path(__file__).with_name("static")
"""The site's own files."""

_INSTEAD: Final = ("transport.js", "sw.js")
"""Files of the page that the site replaces."""

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self';"
    " style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; manifest-src 'self';"
    " base-uri 'none'; form-action 'self'"
)
"""What the page may load and run: its own files, WebAssembly included, and nothing from other hosts."""

_FIRST: Final = '<meta charset="utf-8">\n'
_CHANGES: Final = {
    _FIRST: f'{_FIRST}<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n',
    ' href="certificate.pem" download data-t="settings.trust"': "",
}
"""Changes to the page's HTML: a static host sends no headers of ours, and has no certificate to offer."""


def files() -> dict[str, bytes]:
    """Path in the site to content, without the service worker."""
    found = {
        **_folder(PAGE),
        **{f"shared/{name}": data for name, data in _folder(SHARED).items()},
        **dict(_answers()),
        "sample.jpg": sample_path().read_bytes(),
        "faces.jpg": ATLAS.read_bytes(),
    }
    for name in _INSTEAD:
        del found[name]
    own = _folder(STATIC)
    for name, data in own.items():
        if name.startswith("lang/"):
            found[name] = _merged(found[name], data)
        elif name in _INSTEAD:
            found[name] = data
        else:
            found[f"site/{name}"] = data
    del found["sw.js"]
    html = found.pop("index.html").decode()
    for text, instead in _CHANGES.items():
        assert html.count(text) == 1, text
        html = html.replace(text, instead)
    found["./"] = html.encode()
    return found


def _folder(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _answers() -> Iterator[tuple[str, bytes]]:
    """The application's answer to each GET request of the page."""
    labels = [svg.BACK, *map(str, TILES)]
    for path in (
        "lesson.css",
        *(f"tiles/{label}.svg" for label in labels),
        *(f"lang/questions.{language}.json" for language in LANGUAGES),
    ):
        yield path, _asked(path)
    yield "api/health.json", _asked("api/health")
    for language in LANGUAGES:
        yield f"api/rules.{language}.json", _asked("api/rules", f"lang={language}")


def _asked(path: str, query: str = "") -> bytes:
    with ThreadPoolExecutor(1) as thread:  # whoever builds may have a loop of its own
        answer = thread.submit(asyncio.run, ask(app, f"/{path}", query=query)).result()
    assert answer.status == 200, path
    return answer.body


def _merged(page: bytes, site: bytes) -> bytes:
    """The page's texts with the site's: a group of the site adds to that of the page, or replaces its
    texts."""
    words: dict[str, Any] = json.loads(page)
    for group, more in json.loads(site).items():
        words[group] = {**words.get(group, {}), **more}
    return json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()
