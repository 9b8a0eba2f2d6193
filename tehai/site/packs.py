"""Python packages for the browser as two archives: ``core`` scores typed hands, ``reading`` reads photos."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Final
from zipfile import ZipFile

from tehai.errors import Mistake
from vision.network import FACES, FINDER, SCENE

PACKAGES: Final = Path(__file__).resolve().parent.parent.parent
"""The folder of our packages."""

FOLDERS: Final = ("hand", "flags", "game", "settings", "output", "server", "web", "lesson", "learn", "site")
"""Folders of ``tehai`` that the page's application needs. The others need a computer."""

FOREIGN: Final = ("starlette", "anyio", "idna", "python_multipart", "fsrs")
"""Packages that the application depends on, all pure Python."""

FOREIGN_MODULES: Final = ("typing_extensions",)
"""Dependencies of one file each."""

EMPTY: Final = ("tehai/web/static/", "tehai/server/static/")
"""Folders that the application looks for. Their files are on the host."""

_LEFT: Final = {".py", ".toml", ".json", ".jsonl", ".npz", ".mo", ".typed"}
"""The suffixes of our files to include: not drawings, photos or sources of translations."""

_NUMPY_UNUSED: Final = (
    "tests", "_tests", "testing", "f2py", "random", "fft", "polynomial", "distutils", "include",
    "ctypeslib", "doc", "_pyinstaller", "lib/libnpyrandom.a",
)  # fmt: skip
"""Parts of ``numpy/`` that reading a photo does not import."""

Files = dict[str, bytes]
"""Path below Python's packages to content; a folder's name ends with ``/``."""


def core() -> Files:
    """The rules, the page's application and its dependencies, and the reading modules that do not need
    numpy."""
    files: Files = dict.fromkeys(EMPTY, b"")
    for package in ("scorer", "vision"):
        files |= _below(PACKAGES, PACKAGES / package)
    tehai = PACKAGES / "tehai"
    files |= _below(PACKAGES, tehai, deep=False)
    for part in FOLDERS:
        files |= _below(PACKAGES, tehai / part)
    for name in FOREIGN:
        found = find_spec(name)
        if found is None or found.origin is None:
            raise Mistake(f"The Python package {name} is missing; install tehai again.")
        folder = Path(found.origin).parent
        files |= _below(folder.parent, folder)
    for name in FOREIGN_MODULES:
        alone = find_spec(name)
        if alone is None or alone.origin is None:
            raise Mistake(f"The Python package {name} is missing; install tehai again.")
        files[f"{name}.py"] = Path(alone.origin).read_bytes()
    return files


def reading(numpy: bytes) -> Files:
    """numpy from its wheel, and the networks where :mod:`vision.network` looks for them."""
    files = {f"vision/networks/{network.name}": network.read_bytes() for network in (FINDER, FACES, SCENE)}
    with ZipFile(io.BytesIO(numpy)) as wheel:
        for name in wheel.namelist():
            if name.startswith("numpy/") and name.endswith((".py", ".so")) and not _unused(name):
                files[name] = wheel.read(name)
    return files


def _unused(name: str) -> bool:
    inside_numpy = PurePosixPath(name).relative_to("numpy")
    return bool({"tests", "_tests"} & set(inside_numpy.parts)) or inside_numpy.parts[0] in _NUMPY_UNUSED


def _below(root: Path, folder: Path, *, deep: bool = True) -> Files:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*") if deep else folder.glob("*"))
        if path.is_file()
        and path.suffix in _LEFT
        and not {"static", "__pycache__", "networks"} & set(path.parts)
    }


def archive(files: Mapping[str, bytes]) -> bytes:
    """A reproducible tar of the files, with folders before their files."""
    folders = {f"{parent}/" for name in files for parent in PurePosixPath(name).parents if parent.name}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted({*files, *folders}):
            entry = tarfile.TarInfo(name.removesuffix("/"))
            if name.endswith("/"):
                entry.type = tarfile.DIRTYPE
                tar.addfile(entry)
            else:
                entry.size = len(files[name])
                tar.addfile(entry, io.BytesIO(files[name]))
    return packed.getvalue()


def packed(data: bytes) -> bytes:
    """The data compressed with gzip, reproducibly."""
    return gzip.compress(data, 9, mtime=0)
