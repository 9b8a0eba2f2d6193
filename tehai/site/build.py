"""``tehai site build``: the whole site as a folder, or nothing."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Final

from tehai.errors import Mistake
from tehai.site import compiling, packs, page
from tehai.site.parts import Parts

VERSION_FILE: Final = "site/version.js"
"""What is built says here what it is; a folder with it may be built over."""

PACKED: Final = ".bin"
"""After a file's name: packed with gzip, whatever the host does. ``.gz`` would be unpacked on the way by
some."""

_COMPILE: Final = Path(__file__).with_name("compile.mjs")
_NOT_PINNED: Final = ("starlette", "anyio", "idna", "python-multipart", "fsrs", "typing_extensions")
"""Packages that come from this installation, as pip calls them."""


@dataclass(frozen=True, slots=True)
class Built:
    """``version``: of all the files; ``download``: bytes that a first visit brings, packed as hosts pack
    them."""

    version: str
    files: int
    download: int


def build(out: Path, folders: Sequence[Path], tell: Callable[[str], None]) -> Built:
    """Writes the site to ``out``, whole or not at all; ``folders``: where parts are looked for before they
    are fetched.

    Raises :class:`Mistake` for parts that are missing or altered, and where ``out`` holds something else.
    """
    out = out.resolve()
    if out.exists() and not _may_go(out):
        raise Mistake(f"{out} holds something that tehai has not built; name another folder.")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        work = tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent)
    except OSError as reason:
        raise Mistake(f"{out} cannot be written ({reason.strerror}).") from None
    with work as folder:
        place = Path(folder)
        parts = Parts.found(folders, place, tell)
        files, built = sealed(_files(parts, place, tell))
        write(files, place / "site")
        if out.exists():
            out.rename(place / "old")
        (place / "site").rename(out)
    return built


def sealed(files: Mapping[str, bytes]) -> tuple[dict[str, bytes], Built]:
    """The files with what says which version they are, and with the service worker that keeps these alone."""
    version, table = _version(files)
    named = {VERSION_FILE: _module(version, table), "sw.js": _worker(version, table)}
    return {**files, **named}, Built(version, len(files) + len(named), _download(files))


def _download(files: Mapping[str, bytes]) -> int:
    """Bytes of a first visit; of what is not packed here as a host packs it."""
    return sum(len(data if name.endswith(PACKED) else packs.packed(data)) for name, data in files.items())


def _may_go(out: Path) -> bool:
    return out.is_dir() and (not any(out.iterdir()) or (out / VERSION_FILE).is_file())


def _files(parts: Parts, work: Path, tell: Callable[[str], None]) -> dict[str, bytes]:
    """Path in the site to content. What hosts may not pack is packed here."""
    files = page.files()
    for (package, name), data in parts.files.items():
        folder = package.removesuffix("-web")
        files[f"site/{folder}/{Path(name).name}"] = data
    for name in [name for name in files if name.endswith(".wasm")]:
        files[name + PACKED] = packs.packed(files.pop(name))
    lock = "site/pyodide/pyodide-lock.json"
    files[lock] = json.dumps(json.loads(files[lock]) | {"packages": {}}).encode()  # it loads none
    tell("Python's sources are compiled …")
    for name, pack in (("core", packs.core()), ("reading", packs.reading(parts.numpy))):
        compiled = _compiled(pack, parts, work / name, tell)
        files[f"site/{name}.tar{PACKED}"] = packs.packed(packs.archive(compiled))
    files["licences.txt"] = _licences(parts)
    return files


def _compiled(
    files: Mapping[str, bytes], parts: Parts, work: Path, tell: Callable[[str], None]
) -> Mapping[str, bytes]:
    """The files with bytecode in place of sources, where there is a Python of the browser's version or a
    Node to run it."""
    sources = work / "sources"
    write(files, sources)
    if ".".join(map(str, sys.version_info[:2])) == parts.python:
        compiling.compile_all(str(sources))
    elif node := shutil.which("node"):
        runtime = work / "pyodide"
        own = {name: data for (package, name), data in parts.files.items() if package == "pyodide"}
        write(own, runtime)
        command = [node, str(_COMPILE), str(runtime), str(sources)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Mistake(f"Node cannot compile Python's sources ({done.stderr.strip()[-200:]}).")
    else:
        tell(f"There is neither Node nor Python {parts.python}: the site starts slower, from sources.")
        return files
    folders = {name: b"" for name in files if name.endswith("/")}
    return folders | {
        path.relative_to(sources).as_posix(): path.read_bytes()
        for path in sorted(sources.rglob("*"))
        if path.is_file()
    }


def _licences(parts: Parts) -> bytes:
    """Whose work the site carries, in which version and by which licence."""
    of = parts.versions
    lines = [
        "tehai: MIT",
        f"Pyodide {of['pyodide']} (https://pyodide.org): MPL-2.0",
        f"CPython {parts.python} with its standard library, in Pyodide: PSF-2.0",
        f"ONNX Runtime {of['onnxruntime-web']} (https://onnxruntime.ai): MIT",
        f"NumPy {of['numpy']} (https://numpy.org): BSD-3-Clause",
    ]
    for name in _NOT_PINNED:
        about = metadata.metadata(name)
        licence = about.json.get("license_expression") or about.json.get("license") or "see its own page"
        lines.append(f"{name} {about['Version']}: {licence}")
    return ("\n".join(lines) + "\n").encode()


def _version(files: Mapping[str, bytes]) -> tuple[str, dict[str, tuple[str, int]]]:
    """A name for these very files, and of each its SHA-256 in base64 and its bytes."""
    table = {
        name: (base64.b64encode(sha256(data).digest()).decode(), len(data))
        for name, data in sorted(files.items())
    }
    return sha256(json.dumps(table).encode()).hexdigest()[:16], table


def _module(version: str, table: Mapping[str, tuple[str, int]]) -> bytes:
    return (
        f"// What this site is; written when it was built.\nexport const VERSION = {json.dumps(version)};\n"
        f"export const FILES = {json.dumps(table, separators=(',', ':'))};\n"
    ).encode()


def _worker(version: str, table: Mapping[str, tuple[str, int]]) -> bytes:
    """The service worker. It cannot import where it has to run everywhere, so that what it needs stands
    before it."""
    module = _module(version, table)
    whole = dict(table) | {VERSION_FILE: (base64.b64encode(sha256(module).digest()).decode(), len(module))}
    head = {"VERSION": version, "POLICY": page.POLICY, "FILES": whole}
    lines = [f"const {name} = {json.dumps(value, separators=(',', ':'))};\n" for name, value in head.items()]
    return "".join(lines).encode() + (page.STATIC / "sw.js").read_bytes()


def write(files: Mapping[str, bytes], folder: Path) -> None:
    """The files in a folder; ``./`` is what a host answers for the folder itself."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = folder / ("index.html" if name == "./" else name)
        if name.endswith("/") and name != "./":
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
