"""What another model gets wrong on reviewed photos, the hardest first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tehai.errors import Mistake
from tehai.label import journal, mistakes
from tehai.label.compare import compare, reader_with
from tehai.label.run import digest
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.label.test_formats import picture
from vision.network import FACES
from vision.reading import SeenTile, quad_of


@dataclass
class FakeReader:
    """Says of every photo the same."""

    tiles: tuple[SeenTile, ...]

    def read(self, photo: Any) -> Any:
        return self


def seen(label: str, x: float, probability: float) -> SeenTile:
    return SeenTile(quad_of(tile(label, x)["quad"]), label, probability, ("back", 0.05))


def test_the_hardest_photo_comes_first(tmp_path: Path) -> None:
    """In the list, and on the page of pictures."""
    names = ("easy.jpg", "hard.jpg", "unseen.jpg", "changed.jpg")
    truth = {
        "easy.jpg": [tile("1m", 100), tile("5p", 200), tile("1s", 400)],
        "hard.jpg": [tile("1m", 100), tile("0p", 200), tile("9s", 300), tile("?", 400)],
        "unseen.jpg": [tile("7z")],
        "changed.jpg": [tile("7z")],
    }
    lines = []
    for seed, name in enumerate(names):
        sha256 = digest(picture(tmp_path / name, seed))
        read = photo(name, tile("1m", 100), sha256=sha256)
        lines.append(read)
        if name != "unseen.jpg":
            review = {"state": "corrected", "by": "anna", "at": journal.now()}
            lines.append({**read, "revision": 2, "tiles": truth[name], "review": review})
    write(tmp_path, *lines)
    picture(tmp_path / "changed.jpg", 9)
    reader = FakeReader(
        (seen("1m", 100, 0.9), seen("5p", 200, 0.7), seen("1s", 400, 0.5), seen("foreign", 500, 0.8))
    )
    said: list[str] = []
    with journal.reading(tmp_path / journal.NAME) as opened:
        hard, easy = found = compare(opened, reader, said.append)  # type: ignore[arg-type]
        picture(tmp_path / "easy.jpg", 8)
        page = mistakes.page(opened, found, most=2)
        assert "1 photo more with mistakes: see --most." in mistakes.page(opened, found, most=1)
    assert [fault.words() for fault in hard.faults] == [
        "0p read as 5p (0.70)",
        "9s not found",
        "? where no tile is (0.80)",
    ], "nobody can read the last tile"
    assert (hard.path, hard.tiles, hard.before) == ("hard.jpg", 4, 2)
    assert (easy.path, easy.before) == ("easy.jpg", 2) and len(easy.faults) == 1
    assert "2 reviewed photos with 7 tiles: 4 mistakes." in page
    assert 0 < page.index("hard.jpg: 3 mistakes") < page.index("easy.jpg: 1 mistake")
    assert page.count('<img src="data:image/jpeg;base64,') == 4, "the photo, and its three mistakes"
    assert "The photo has changed since it was labelled." in page, "and no picture of what is no more"
    assert 'alt="0p read as 5p (0.70)"' in page and "<script" not in page
    assert said == ["changed.jpg stayed out: has changed since it was labelled."]


def test_where_the_page_cannot_be_written_is_said_first(tmp_path: Path) -> None:
    for file in (tmp_path, tmp_path / "none" / "mistakes.html"):
        with pytest.raises(Mistake, match="cannot be written; name a file"):
            mistakes.writable(file)


def test_what_is_no_network_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(b"nothing")
    for file in (tmp_path / "x.onnx", tmp_path / "none.onnx"):
        with pytest.raises(Mistake, match="cannot be loaded as a network"):
            reader_with(file)


@pytest.mark.skipif(not FACES.is_file(), reason="models/faces.onnx is missing")
def test_a_network_takes_the_place_of_the_shipped_one() -> None:
    assert reader_with(FACES)
