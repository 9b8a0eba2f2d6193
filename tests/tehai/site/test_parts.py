"""Parts of others are found, checked, and named where they are missing or altered."""

from __future__ import annotations

import io
import tarfile
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tehai.errors import Mistake
from tehai.site import parts
from tehai.site.parts import PACKAGES, Parts

DATA = b"what was pinned"


@pytest.fixture(autouse=True)
def pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages of one small file each."""
    from hashlib import sha256

    hash = sha256(DATA).hexdigest()
    table = "".join(
        f'["{name}"]\nversion = "1.2"\npython = "3.14"\n["{name}".files]\n"dist/it.mjs" = "{hash}"\n'
        for name in PACKAGES
    )
    table += (
        f'[numpy]\naddress = "https://pyodide.invalid/"\n[numpy.files]\n"numpy-7.8.9-any.whl" = "{hash}"\n'
    )
    (tmp_path / "parts.toml").write_text(table)
    monkeypatch.setattr(parts, "_TABLE", tmp_path / "parts.toml")
    monkeypatch.setenv("PATH", "")


def folder(at: Path, packed: bool = False, data: bytes = DATA) -> Path:
    """All parts, as npm leaves them or as it packs them."""
    at.mkdir()
    for name in PACKAGES:
        if packed:
            with tarfile.open(at / f"{name}-1.2.tgz", "w:gz") as tar:
                entry = tarfile.TarInfo("package/dist/it.mjs")
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))
        else:
            file = at / "node_modules" / name / "dist" / "it.mjs"
            file.parent.mkdir(parents=True)
            file.write_bytes(data)
    (at / "numpy-7.8.9-any.whl").write_bytes(DATA)
    return at


def found(*folders: Path) -> Parts:
    return Parts.found(folders, folders[0], lambda _: None)


@pytest.mark.parametrize("packed", [False, True])
def test_parts_of_a_folder(tmp_path: Path, packed: bool) -> None:
    all_of_them = found(folder(tmp_path / "parts", packed))
    assert all_of_them.files == {(name, "dist/it.mjs"): DATA for name in PACKAGES}
    assert all_of_them.numpy == DATA and all_of_them.python == "3.14"
    assert all_of_them.versions["numpy"] == "7.8.9"


@pytest.mark.parametrize("packed", [False, True])
def test_what_was_altered_is_named(tmp_path: Path, packed: bool) -> None:
    with pytest.raises(Mistake, match=r"dist/it\.mjs from .* is not the file of pyodide that was pinned"):
        found(folder(tmp_path / "parts", packed, b"something else"))


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match="There is no folder"):
        found(tmp_path / "none")
    place = folder(tmp_path / "parts")
    (place / "node_modules" / "pyodide" / "dist" / "it.mjs").unlink()
    with pytest.raises(Mistake, match=r"dist/it\.mjs is missing from .*; install pyodide 1\.2 there again"):
        found(place)
    (place / "node_modules" / "pyodide" / "dist").rmdir()
    (place / "node_modules" / "pyodide").rmdir()
    with pytest.raises(Mistake, match=r"pyodide@1\.2 is fetched by npm, which is not installed"):
        found(place)


def test_a_package_that_is_none(tmp_path: Path) -> None:
    place = folder(tmp_path / "parts", packed=True)
    (place / "pyodide-1.2.tgz").write_bytes(b"torn")
    with pytest.raises(Mistake, match=r"pyodide-1\.2\.tgz is not pyodide 1\.2 as npm packs it"):
        found(place)


def test_numpy_that_cannot_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise OSError("no network")

    place = folder(tmp_path / "parts")
    (place / "numpy-7.8.9-any.whl").unlink()
    monkeypatch.setattr(urllib.request, "urlopen", refused)
    with pytest.raises(
        Mistake, match=r"https://pyodide\.invalid/numpy-7\.8\.9-any\.whl cannot be fetched \(no network\)"
    ):
        found(place)


def test_what_is_pinned() -> None:
    """Every part that the table names has a hash, and the addresses are those of Pyodide's own version."""
    import tomllib

    table = tomllib.loads((Path(parts.__file__).with_name("parts.toml")).read_text())
    for name, one in table.items():
        assert one["files"], name
        assert all(len(hash) == 64 for hash in one["files"].values()), name
    assert table["pyodide"]["version"] in table["numpy"]["address"]
