"""The folder that is built: whole or not at all, relative, and with what it needs and no more."""

from __future__ import annotations

import base64
import gzip
import io
import json
import posixpath
import re
import tarfile
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

from scorer.telling.catalogue import LANGUAGES
from tehai.errors import Mistake
from tehai.site import application, build, packs, page
from tehai.site.parts import Parts
from tests.test_imports import addresses


def numpy() -> bytes:
    """A wheel with what is taken and what is left."""
    made = io.BytesIO()
    with ZipFile(made, "w") as wheel:
        for name in ("__init__.py", "_core/it.so", "_core/tests/test_it.py", "random/big.so", "__init__.pyi"):
            wheel.writestr(f"numpy/{name}", "it = 1")
    return made.getvalue()


PARTS = Parts(
    {
        ("pyodide", "pyodide.mjs"): b"export const loadPyodide = 1;",
        ("pyodide", "pyodide.asm.wasm"): b"\0asm" * 99,
        ("pyodide", "pyodide-lock.json"): b'{"info": {}, "packages": {"a": {}}}',
        ("onnxruntime-web", "dist/ort-wasm-simd-threaded.mjs"): b"export default 1;",
        ("onnxruntime-web", "dist/ort-wasm-simd-threaded.wasm"): b"\0asm" * 99,
    },
    numpy(),
    "3.99",
    {"pyodide": "1.2.3", "onnxruntime-web": "4.5.6", "numpy": "7.8.9"},
)  # fmt: skip


@pytest.fixture
def some_parts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Small parts that are found, and no Node; what is told meanwhile."""
    monkeypatch.setattr(Parts, "found", lambda *_: PARTS)
    monkeypatch.setenv("PATH", "")
    return []


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_a_site_is_built_and_built_over(tmp_path: Path, some_parts: list[str]) -> None:
    out = tmp_path / "deep" / "site"
    first = build.build(out, [], some_parts.append)
    assert "neither Node nor Python 3.99" in some_parts[-1]
    files = contents(out)
    assert len(files) == first.files
    (out / "of-an-older-version.js").write_text("")
    second = build.build(out, [], some_parts.append)
    assert second == first and contents(out) == files  # the same from the same, and nothing left over
    assert [path.name for path in out.parent.iterdir()] == ["site"]


def test_the_site_says_what_it_is_made_of(tmp_path: Path, some_parts: list[str]) -> None:
    build.build(tmp_path / "site", [], some_parts.append)
    told = (tmp_path / "site" / "licences.txt").read_text()
    ours = [f"{name} {version(name)}" for name in ("starlette", "anyio", "idna", "python-multipart")]
    for part in ("Pyodide 1.2.3", "CPython 3.99", "ONNX Runtime 4.5.6", "NumPy 7.8.9", *ours):
        assert part in told


def test_what_is_not_ours_is_left_alone(tmp_path: Path, some_parts: list[str]) -> None:
    (tmp_path / "photo.jpg").write_text("mine")
    with pytest.raises(Mistake, match="holds something that tehai has not built"):
        build.build(tmp_path, [], some_parts.append)
    assert contents(tmp_path) == {"photo.jpg": b"mine"}


def test_a_build_that_fails_leaves_nothing(
    tmp_path: Path, some_parts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "site"
    build.build(out, [], some_parts.append)
    before = contents(out)

    def fails(*_: object) -> None:
        raise OSError("full")

    monkeypatch.setattr(build, "write", fails)
    with pytest.raises(OSError, match="full"):
        build.build(out, [], some_parts.append)
    assert contents(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_the_service_worker_knows_every_file(tmp_path: Path, some_parts: list[str]) -> None:
    out = tmp_path / "site"
    build.build(out, [], some_parts.append)
    worker = (out / "sw.js").read_text()
    table = json.loads(re.search(r"^const FILES = (.*);$", worker, re.MULTILINE)[1])  # type: ignore[index]
    files = contents(out)
    files["./"] = files.pop("index.html")
    assert table.keys() == files.keys() - {"sw.js"}
    for name, (hash, size) in table.items():
        assert base64.b64decode(hash) == sha256(files[name]).digest() and size == len(files[name]), name


def test_one_changed_file_is_another_version() -> None:
    _, one = build.sealed({"a.js": b"1"})
    _, other = build.sealed({"a.js": b"2"})
    assert one.version != other.version


def test_the_page_is_the_servers_own() -> None:
    files = page.files()
    own = {name.removeprefix("site/") for name in page._folder(page.STATIC)}
    for name, data in page._folder(page.PAGE).items():
        if name not in own | {"index.html"}:
            assert files[name] == data, name
    assert json.loads(files["api/rules.en.json"])[0]["default"]
    html = files["./"].decode()
    assert html.index("Content-Security-Policy") < html.index("<link")
    assert "unsafe-eval" not in page.POLICY.replace("wasm-unsafe-eval", "") and "http" not in page.POLICY


def test_words_of_the_site_stand_beside_those_of_the_page() -> None:
    files = page.files()
    keys = []
    for language in LANGUAGES:
        words = json.loads(files[f"lang/{language}.json"])
        own = json.loads((page.STATIC / "lang" / f"{language}.json").read_text())
        keys.append({group: set(texts) for group, texts in own.items()})
        assert words["title"] and words["trouble"]["camera_none"]  # the page's own
        flat = {
            f"{group}.{key}": text
            for group, texts in words.items()
            if isinstance(texts, dict)
            for key, text in texts.items()
        }
        told = {key for key, text in flat.items() if re.search(r"laptop|server|パソコン|serve", str(text))}
        never = {"trouble.access", "settings.trust", "share.here"}  # on a host that others reach
        # without a server that keeps games
        never |= {"shared.going", "shared.lost", "noted.why", "trouble.unkept"}
        assert told <= never | {"share.copied"}, told
    assert keys[0] == keys[1]


def test_every_address_is_relative_and_leads_somewhere() -> None:
    files = page.files()
    pyodide = {"site/pyodide/pyodide.mjs", "site/pyodide/pyodide.asm.mjs"}
    foreign = {*pyodide, "site/onnxruntime/ort-wasm-simd-threaded.mjs", "site/version.js"}
    for name, data in files.items():
        if name.endswith(".js"):
            assert set(addresses(name, data.decode())) <= files.keys() | foreign, name
    for text in (files["./"].decode(), files["manifest.webmanifest"].decode()):
        for address in re.findall(r"(?:href|src)=\"([^\"]+)\"|\"(?:src|start_url)\": ?\"([^\"]+)\"", text):
            path = posixpath.normpath("".join(address).partition("#")[0])
            assert path in files.keys() | {"."}, address


def test_core_holds_what_scores_and_nothing_for_a_computer() -> None:
    core = packs.core()
    assert {
        "scorer/presets/ema2008.toml",
        "tehai/web/api.py",
        "tehai/site/application.py",
        "vision/image.py",
    } <= core.keys()
    rooms = {name.split("/")[1] for name in core if name.startswith("tehai/") and name.count("/") > 1}
    assert rooms == set(packs.FOLDERS)
    assert not [name for name in core if name.endswith((".po", ".js", ".jpg", ".onnx"))]


def test_reading_holds_numpy_without_its_tests_and_the_networks() -> None:
    reading = packs.reading(numpy())
    assert {*reading} == {
        "numpy/__init__.py", "numpy/_core/it.so", "vision/networks/finder.onnx", "vision/networks/faces.onnx",
        "vision/networks/scene.onnx",
    }  # fmt: skip


def test_an_archive_has_folders_first_and_is_the_same_each_time() -> None:
    files = {"b/c/d.py": b"1", "a/": b"", "b/e.toml": b"2"}
    one = packs.packed(packs.archive(files))
    assert one == packs.packed(packs.archive(dict(reversed(files.items()))))
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(one))) as tar:
        names = [entry.name + "/" * entry.isdir() for entry in tar]
        assert names == ["a/", "b/", "b/c/", "b/c/d.py", "b/e.toml"]


def test_a_frame_may_be_as_large_as_the_browser_hands_it_over() -> None:
    """Three bytes a pixel: a frame of a table is larger than the JPEG that a server gets."""
    most = re.search(r"const MOST = ([\d_]+);", (page.STATIC / "photos.js").read_text())
    assert most is not None and 3 * int(most[1]) < application.LIMITS.frame
