"""Several people label the same photos without seeing each other's labels; then statistics compare them."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tehai.cli import app
from tehai.errors import Mistake
from tehai.label import double_assignment, journal
from tehai.label.stats import stats
from tehai.review.edit import Review, Reviewed, quad_of, revised
from tehai.review.reader_protocol import PhotoInspector
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.review.conftest import FakeReader


def labelled(tmp_path: Path) -> Path:
    """Three photos that models read, the first of which cleo has corrected, and one of which none has."""
    read = [photo(f"{name}.jpg", tile("5p"), tile("2m", 200)) for name in "abc"]
    cleo = photo("a.jpg", tile("0p"), revision=2, state="corrected", review={
        "state": "corrected", "by": "cleo", "at": "2026-01-01T00:00:00+00:00"
    })  # fmt: skip
    return write(tmp_path, *read, cleo, photo("d.jpg", tile("9s"), state="imported", models={}))


def say(file: Path, path: str, *labels: str) -> None:
    """A review of a photo as the page saves it."""
    with journal.writing(file) as own:
        (line,) = (line for line in own.photos() if line["path"] == path)
        tiles = [Reviewed(quad_of(one), label) for one, label in zip(line["tiles"], labels, strict=True)]
        review = Review(line["revision"], "accepted", "somebody", tuple(tiles))
        own.append(
            revised([line], review, path, PhotoInspector(FakeReader(), lambda: None)), after=line["revision"]
        )


def test_nobody_sees_what_another_has_said(tmp_path: Path) -> None:
    file = labelled(tmp_path)
    run = CliRunner().invoke
    for name in ("anna", "ben"):
        result = run(app, ["label", "blind", name, str(tmp_path)])
        assert (
            result.exit_code == 0 and "3 photos" in result.output and f"--to {file.parent}" in result.output
        )
    own = double_assignment.place(file, "anna")
    with journal.reading(own) as opened:
        lines = list(opened.photos())
        assert opened.folder == tmp_path.resolve()
    assert [line["path"] for line in lines] == ["a.jpg", "b.jpg", "c.jpg"]
    assert all(line["review"]["state"] == "unreviewed" and line["revision"] == 1 for line in lines)
    assert [one["label"] for one in lines[0]["tiles"]] == ["5p", "2m"], "not as cleo left it"
    assert "cleo" not in own.read_text()
    say(own, "b.jpg", "5p", "2m")
    assert "0 photos more" in run(app, ["label", "blind", "anna", str(tmp_path)]).output, "again: nothing new"
    with journal.reading(own) as opened:
        assert [line["revision"] for line in opened.photos()] == [1, 2, 1]


def test_statistics_compare_those_who_labelled_blindly(tmp_path: Path) -> None:
    file = labelled(tmp_path)
    with journal.reading(file) as opened:
        anna, ben = (double_assignment.assign(opened, name, 1)[0] for name in ("anna", "ben"))
    say(anna, "a.jpg", "5p", "2m")
    say(anna, "b.jpg", "5p", "2m")
    say(ben, "b.jpg", "0p", "2m")
    say(ben, "c.jpg", "5p", "2m")
    with journal.reading(file) as opened:
        found = {(pair["one"], pair["other"]): pair for pair in stats(opened)["agreement"]}
    assert found.keys() == {("models", "people"), ("anna", "ben"), ("anna", "cleo")}
    both = found["anna", "ben"]
    assert (both["photos"], both["tiles"], both["agreed"]) == (1, 2, 1)
    assert both["faces"] == {"0p": 0, "2m": 1, "5p": 0}
    assert (found["anna", "cleo"]["tiles"], found["anna", "cleo"]["agreed"]) == (2, 0)


def test_a_share_is_the_same_photos_for_all(tmp_path: Path) -> None:
    file = write(tmp_path, *(photo(f"{n}.jpg", tile("1m")) for n in range(200)))
    with journal.reading(file) as opened:
        assigned = []
        for name in ("anna", "ben"):
            own, count = double_assignment.assign(opened, name, 0.2)
            with journal.reading(own) as theirs:
                assigned.append(list(theirs.index.photos))
            assert count == len(assigned[-1]) and 20 < count < 60
    assert assigned[0] == assigned[1]


@pytest.mark.parametrize("name", ["", "../anna", "a/b", "anna.jsonl", "-x", "a" * 41])
def test_what_is_no_name_of_a_file_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(Mistake, match="is no name for a person's labels"):
        double_assignment.place(tmp_path / journal.NAME, name)
