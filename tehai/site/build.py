"""``tehai site build``: write the whole site into a folder, or nothing."""

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
"""The file with the version of the site. A folder with this file may be overwritten."""

PACKED: Final = ".bin"
"""The suffix of files that we compress with gzip. Some hosts would unpack ``.gz`` on the way."""

_COMPILE: Final = Path(__file__).with_name("compile.mjs")
_NOT_PINNED: Final = ("starlette", "anyio", "idna", "python-multipart", "fsrs", "typing_extensions")
"""Packages from this installation, by their names in pip."""


@dataclass(frozen=True, slots=True)
class Built:
    """A built site. ``version``: a hash of all files. ``download``: the bytes of a first visit,
    compressed."""

    version: str
    files: int
    download: int


def build(out: Path, folders: Sequence[Path], tell: Callable[[str], None]) -> Built:
    """Write the site to ``out``, all or nothing. ``folders``: where to look for parts before a download.

    Raises :class:`Mistake` for missing or changed parts, and if ``out`` contains something else.
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
    """The files with their version, and with the service worker that caches exactly these."""
    version, table = _version(files)
    named = {VERSION_FILE: _module(version, table), "sw.js": _worker(version, table)}
    return {**files, **named}, Built(version, len(files) + len(named), _download(files))


def _download(files: Mapping[str, bytes]) -> int:
    """The bytes of a first visit, with the compression of a host for files that we do not compress."""
    return sum(len(data if name.endswith(PACKED) else packs.packed(data)) for name, data in files.items())


def _may_go(out: Path) -> bool:
    return out.is_dir() and (not any(out.iterdir()) or (out / VERSION_FILE).is_file())


def _files(parts: Parts, work: Path, tell: Callable[[str], None]) -> dict[str, bytes]:
    """Path in the site to content. Files that a host might not compress are compressed here."""
    files = page.files()
    for (package, name), data in parts.files.items():
        folder = package.removesuffix("-web")
        files[f"site/{folder}/{Path(name).name}"] = data
    for name in [name for name in files if name.endswith(".wasm")]:
        files[name + PACKED] = packs.packed(files.pop(name))
    lock = "site/pyodide/pyodide-lock.json"
    files[lock] = json.dumps(json.loads(files[lock]) | {"packages": {}}).encode()  # it loads none
    tell("Python's sources are compiled …")
    archives = {"core": packs.core(), "reading": packs.reading(parts.numpy)}
    for name, compiled in _compiled(archives, parts, work, tell).items():
        files[f"site/{name}.tar{PACKED}"] = packs.packed(packs.archive(compiled))
    files["licences.txt"] = _licences(parts)
    return files


def _compiled(
    archives: Mapping[str, packs.Files], parts: Parts, work: Path, tell: Callable[[str], None]
) -> Mapping[str, Mapping[str, bytes]]:
    """The archives with bytecode instead of sources, if there is a Python of the browser's version or a Node
    to run it."""
    sources = {name: work / "sources" / name for name in archives}
    for name, files in archives.items():
        write(files, sources[name])
    if ".".join(map(str, sys.version_info[:2])) == parts.python:
        for folder in sources.values():
            compiling.compile_all(str(folder))
    elif node := shutil.which("node"):
        runtime = work / "pyodide"
        own = {name: data for (package, name), data in parts.files.items() if package == "pyodide"}
        write(own, runtime)
        command = [node, str(_COMPILE), str(runtime), *map(str, sources.values())]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Mistake(f"Node cannot compile Python's sources ({done.stderr.strip()[-200:]}).")
    else:
        tell(f"There is neither Node nor Python {parts.python}: the site starts slower, from sources.")
        return archives
    return {name: _contents(folder) for name, folder in sources.items()}


def _contents(folder: Path) -> packs.Files:
    """The files and folders below a folder."""
    below = [(path.relative_to(folder).as_posix(), path) for path in sorted(folder.rglob("*"))]
    return {f"{name}/": b"" for name, path in below if path.is_dir()} | {
        name: path.read_bytes() for name, path in below if path.is_file()
    }


def _licences(parts: Parts) -> bytes:
    """The authors, versions and licences of all work in the site."""
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
    """A version name for exactly these files, and for each its SHA-256 in base64 and its bytes."""
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
    """The service worker. Not every browser lets it import, so its data comes before its code."""
    module = _module(version, table)
    whole = dict(table) | {VERSION_FILE: (base64.b64encode(sha256(module).digest()).decode(), len(module))}
    head = {"VERSION": version, "POLICY": page.POLICY, "FILES": whole}
    lines = [f"const {name} = {json.dumps(value, separators=(',', ':'))};\n" for name, value in head.items()]
    return "".join(lines).encode() + (page.STATIC / "sw.js").read_bytes()


def write(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files into a folder; ``./`` is the answer for the folder itself."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = folder / ("index.html" if name == "./" else name)
        if name.endswith("/") and name != "./":
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
