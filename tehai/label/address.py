"""Photos that lie where fsspec reaches (https://filesystem-spec.readthedocs.io): ``s3://bucket/folder``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final

from tehai.errors import Mistake
from tehai.label.photo_files import Passed, is_photo, photos

INSTALL: Final = 'pip install "tehai[ray]"'
"""What brings Ray and fsspec."""


@dataclass(frozen=True, slots=True)
class Address:
    """A folder at ``url``, or what lies at ``path`` in it; like a :class:`pathlib.Path` as far as labelling
    needs one."""

    url: str
    path: str = ""

    def __str__(self) -> str:
        return self.url

    def __truediv__(self, path: str) -> Address:
        return Address(self.url, path)

    def read_bytes(self) -> bytes:
        """The file's content. Raises OSError."""
        system, root = _opened(self.url)
        try:
            data: bytes = system.cat_file(f"{root}/{self.path}" if root else self.path)
        except OSError:
            raise
        except Exception as reason:  # every store has errors of its own
            raise OSError(f"{type(reason).__name__}: {reason}") from reason
        return data

    def photos(self) -> Iterator[str]:
        """Paths of all photos below, as :func:`tehai.label.photo_files.photos` gives those of a folder.

        Raises :class:`Mistake` where the address cannot be understood, reached or listed.
        """
        system, root = _opened(self.url)
        try:
            if not system.isdir(root):
                raise Mistake(f"{self.url} is no folder; check the address.")
            found = sorted(system.find(root))
        except Mistake:
            raise
        except Exception as reason:  # as above
            raise Mistake(
                f"{self.url} cannot be listed ({reason}); check the address and your rights to it."
            ) from None
        for name in found:
            path = PurePosixPath(name.removeprefix(root).lstrip("/"))
            if is_photo(path.name) and not any(part.startswith(".") for part in path.parts):
                yield str(path)


def listed(folder: Path | Address, passed: Passed) -> list[str]:
    """Paths of all photos of a folder or at an address. Raises :class:`Mistake`."""
    return list(folder.photos() if isinstance(folder, Address) else photos(folder, passed))


def where(text: str) -> Path | Address:
    """A folder of this machine, or an address: what has ``://`` in it."""
    return Address(text) if is_address(text) else Path(text)


def is_address(text: str) -> bool:
    return "://" in text


def _opened(url: str) -> tuple[Any, str]:
    """The file system of an address, and the folder's path in it. fsspec keeps what it has opened."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise Mistake(f"Addresses need fsspec, which is not installed: {INSTALL}") from None
    try:
        system, root = url_to_fs(url)
    except (ImportError, ValueError) as reason:  # an unknown protocol, or one whose package is missing
        raise Mistake(f"{url} cannot be opened ({reason}).") from None
    return system, str(root)
