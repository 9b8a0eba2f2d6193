"""Parts of other authors: found in given folders, or downloaded by npm; each file is checked.

``parts.toml`` has their versions and SHA-256.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tomllib
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

from tehai.errors import Mistake

_TABLE: Final = Path(__file__).with_name("parts.toml")
PACKAGES: Final = ("pyodide", "onnxruntime-web")
"""Parts from npm."""

_PATIENCE: Final = 600
"""Seconds for a download."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part. ``name``: in npm or pip. ``files``: path in it to SHA-256. ``address``: another source of its
    files."""

    name: str
    version: str
    files: dict[str, str]
    address: str = ""

    def checked(self, file: str, data: bytes, where: str) -> bytes:
        """The content of a file. Raises :class:`Mistake` if its hash is not the pinned one."""
        if sha256(data).hexdigest() != self.files[file]:
            raise Mistake(
                f"{file} from {where} is not the file of {self.name} that was pinned; get it again."
            )
        return data


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts, checked.

    ``files``: by package and path. ``numpy``: its wheel. ``python``: the version of Python in Pyodide.
    ``versions``: by package, with numpy.
    """

    files: dict[tuple[str, str], bytes]
    numpy: bytes
    python: str
    versions: dict[str, str]

    @classmethod
    def found(cls, folders: Sequence[Path], work: Path, tell: Callable[[str], None]) -> Self:
        """Find the parts in the folders, and download the others into ``work``. ``tell`` reports downloads.

        A folder has a package as npm leaves it, unpacked (``pyodide/``, ``node_modules/pyodide/``) or packed
        (``pyodide-314.0.7.tgz``), and numpy as a wheel. Raises :class:`Mistake` for missing or changed parts.
        """
        for folder in folders:
            if not folder.is_dir():
                raise Mistake(f"There is no folder {folder} to take parts from.")
        with _TABLE.open("rb") as table:
            pinned = tomllib.load(table)
        files: dict[tuple[str, str], bytes] = {}
        versions = {name: pinned[name]["version"] for name in PACKAGES}
        for name in PACKAGES:
            part = Part(name, pinned[name]["version"], pinned[name]["files"])
            files |= {(name, file): data for file, data in _package(part, folders, work, tell)}
        numpy = Part("numpy", "", pinned["numpy"]["files"], pinned["numpy"]["address"])
        wheel, data = _wheel(numpy, folders, tell)
        versions["numpy"] = wheel.removesuffix(".whl").split("-")[1]  # a wheel's name says it (PEP 427)
        return cls(files, data, pinned["pyodide"]["python"], versions)


def _package(
    part: Part, folders: Sequence[Path], work: Path, tell: Callable[[str], None]
) -> Iterator[tuple[str, bytes]]:
    for folder in folders:
        for place in (folder / part.name, folder / "node_modules" / part.name):
            if place.is_dir():
                yield from _unpacked(part, place)
                return
        packed = folder / f"{part.name}-{part.version}.tgz"
        if packed.is_file():
            yield from _packed(part, packed)
            return
    yield from _packed(part, _by_npm(part, work, tell))


def _unpacked(part: Part, place: Path) -> Iterator[tuple[str, bytes]]:
    for file in part.files:
        if not (place / file).is_file():
            raise Mistake(f"{file} is missing from {place}; install {part.name} {part.version} there again.")
        yield file, part.checked(file, (place / file).read_bytes(), str(place))


def _packed(part: Part, packed: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with tarfile.open(packed) as tar:
            for file in part.files:
                member = tar.extractfile(f"package/{file}")
                if member is None:
                    raise KeyError(file)
                yield file, part.checked(file, member.read(), packed.name)
    except (KeyError, tarfile.TarError, EOFError):
        raise Mistake(f"{packed} is not {part.name} {part.version} as npm packs it; get it again.") from None


def _by_npm(part: Part, work: Path, tell: Callable[[str], None]) -> Path:
    npm = shutil.which("npm")
    wanted = f"{part.name}@{part.version}"
    if npm is None:
        raise Mistake(
            f"{wanted} is fetched by npm, which is not installed; install Node.js, or name a folder with it"
            " with --parts."
        )
    tell(f"npm fetches {wanted} …")
    command = [npm, "pack", wanted, "--silent", "--prefer-offline", "--pack-destination", str(work)]
    try:
        done = subprocess.run(
            command, cwd=work, capture_output=True, text=True, check=False, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        raise Mistake(f"npm did not bring {wanted} within {_PATIENCE // 60} minutes; try again.") from None
    packed = work / f"{part.name}-{part.version}.tgz"
    if done.returncode or not packed.is_file():
        why = (done.stderr.strip() or "it says nothing").splitlines()[0]
        raise Mistake(f"npm cannot fetch {wanted} ({why}); name a folder that has it with --parts.")
    return packed


def _wheel(part: Part, folders: Sequence[Path], tell: Callable[[str], None]) -> tuple[str, bytes]:
    """The name of a wheel and its content."""
    for file in part.files:
        for folder in folders:
            if (folder / file).is_file():
                return file, part.checked(file, (folder / file).read_bytes(), str(folder))
    file = next(iter(part.files))
    tell(f"{file} is fetched …")
    try:
        with urllib.request.urlopen(part.address + file, timeout=60) as answer:
            data: bytes = answer.read()
    except OSError as reason:
        raise Mistake(
            f"{part.address}{file} cannot be fetched ({reason});"
            " put it into a folder and name that with --parts."
        ) from None
    return file, part.checked(file, data, part.address)
