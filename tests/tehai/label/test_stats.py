"""``tehai stats`` and ``tehai check``: what is counted, what is found, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tehai.cli import app
from tehai.label import journal
from tehai.label.check import check
from tehai.label.faults import bad_tiles, rule_violations
from tehai.label.geometry import pairs
from tehai.label.run import digest
from tehai.label.stats import stats
from tests.tehai.label.lines import photo, tile, write


def test_what_people_corrected_is_the_models_confusion(tmp_path: Path) -> None:
    read = photo("north/a.jpg", tile("5p"), tile("2m", 200), tile("3m", 300))
    corrected = photo(
        "north/a.jpg", tile("0p", 102), tile("2m", 200), tile("9s", 400), revision=2, state="corrected"
    )
    file = write(tmp_path, read, corrected, photo("south/b.jpg", *[tile("7z", 50.0 * at) for at in range(5)]))
    with journal.reading(file) as opened:
        facts = stats(opened)
    assert facts["states"] == {"corrected": 1, "unreviewed": 1}
    assert (facts["labels"]["7z"], facts["labels"]["0p"], facts["labels"]["5p"]) == (5, 1, 0)
    assert facts["reds"] == {"0m": 0, "0p": 1, "0s": 0}
    assert facts["folders"]["north"] == {
        "photos": 1, "tiles": 3, "reviewed": 1, "compared": 2, "agreed": 1, "missed": 1, "extra": 1,
        "confusions": [["5p→0p", 1]],
    }  # fmt: skip
    assert facts["folders"]["south"]["compared"] == 0, "nobody has looked there yet"
    assert facts["violations"] == [
        {"path": "south/b.jpg", "message": "5 tiles are labelled 7z, but there are only 4"}
    ]


def test_how_far_two_people_and_the_models_agree(tmp_path: Path) -> None:
    read = photo("a.jpg", tile("5p"), tile("2m", 200), tile("3m", 300))
    by = {"at": "2026-01-01T00:00:00+00:00", "state": "corrected"}
    anna = photo("a.jpg", tile("0p"), tile("2m", 200), tile("3m", 300), revision=2, state="corrected")
    ben = photo("a.jpg", tile("5p"), tile("2m", 200), revision=3, review={**by, "by": "ben"})
    glance = photo("a.jpg", tile("9s"), revision=4, review={**by, "by": "cleo", "part": True})
    file = write(tmp_path, read, anna, ben, glance, photo("b.jpg", tile("1z"), state="accepted"))
    with journal.reading(file) as opened:
        facts = stats(opened)
    (people,) = [pair for pair in facts["agreement"] if pair["one"] == "anna"]
    assert (people["other"], people["photos"], people["tiles"], people["agreed"]) == ("ben", 1, 3, 1)
    assert people["kappa"] == pytest.approx(0.25) and people["faces"]["2m"] == 1
    assert people["faces"]["0p"] == 0 and people["faces"]["3m"] == 0
    shown = CliRunner().invoke(app, ["stats", str(file)]).output
    assert "anna and ben agree on 1 of 3 tiles in 1 photo, kappa 0.250; least of" in shown


@pytest.mark.parametrize(
    ("tiles", "complaints"),
    [
        ([tile("5s")] * 4, []),
        ([tile("5s")] * 4 + [tile("0s")], ["5 tiles are labelled 5s"]),
        ([tile("0m"), tile("0m")], ["2 tiles are labelled 0m"]),
        ([tile(t, role="meld:0") for t in ("4m", "0m", "6m")], []),
        ([tile(t, role="meld:0") for t in ("4m", "0m", "7m")], ["4m 0m 7m (meld:0) is no meld"]),
        ([tile(t, role="meld:1") for t in ("1z", "2z", "3z")], ["1z 2z 3z (meld:1) is no meld"]),
        ([tile(t, role="meld:1") for t in ("back", "3p", "3p", "back")], []),
    ],
)
def test_rules_that_no_set_of_tiles_breaks(tiles: list[dict[str, Any]], complaints: list[str]) -> None:
    named = list(rule_violations(photo("a.jpg", *tiles)))
    assert len(named) == len(complaints)
    assert all(sentence.startswith(start) for sentence, start in zip(named, complaints, strict=True))


@pytest.mark.parametrize(
    ("tiles", "complaint"),
    [
        ([tile("5x")], "tile 1 is labelled '5x', which is no tile"),
        ([tile("5s", quad=[[0, 0], [0, 40], [30, 40], [30, 0]])], "do not run clockwise"),
        ([tile("5s", 5000)], "lies half outside the photo"),
        ([tile("5s", 300), tile("6s", 303)], "tiles 1 and 2 (5s, 6s) lie in one place"),
        ([tile("5s", -10)], None),
    ],
)
def test_tiles_that_cannot_be(tiles: list[dict[str, Any]], complaint: str | None) -> None:
    named = list(bad_tiles(photo("a.jpg", *tiles)))
    assert [complaint in sentence for sentence in named if complaint] == [True] * (complaint is not None)


def test_tiles_in_one_place_are_the_same() -> None:
    one = [tile("1m"), tile("2m", 200), tile("3m", 300)]
    other = [tile("9m", 302), tile("8m", 104), tile("7m", 500)]
    assert sorted(pairs(one, other)) == [(0, 1), (2, 0)]
    assert pairs([], other) == pairs(one, []) == []


def labelled(folder: Path, **files: bytes) -> Path:
    """A folder of files that are labelled, whatever they hold."""
    lines = []
    for name, data in files.items():
        (folder / f"{name}.jpg").write_bytes(data)
        lines.append(photo(f"{name}.jpg", tile("1m"), sha256=digest(folder / f"{name}.jpg")))
    return write(folder, *lines)


def test_a_folder_that_fits_its_journal_has_no_findings(tmp_path: Path) -> None:
    file = labelled(tmp_path, a=b"one", b=b"two")
    runner = CliRunner()
    fine = runner.invoke(app, ["check", str(file)])
    assert (fine.exit_code, fine.stdout) == (0, "2 photos, nothing wrong found.\n")
    (tmp_path / "a.jpg").write_bytes(b"another")
    (tmp_path / "b.jpg").unlink()
    (tmp_path / "c.jpg").write_bytes(b"new")
    with journal.writing(file) as opened:
        opened.append({"kind": "unreadable", "path": "d.jpg", "sha256": None, "message": "is empty."})
    (tmp_path / "d.jpg").touch()
    with journal.reading(file) as opened:
        assert [(one["kind"], one["path"]) for one in check(opened)] == [
            ("changed", "a.jpg"), ("missing", "b.jpg"), ("new", "c.jpg"), ("unreadable", "d.jpg"),
        ]  # fmt: skip
    found = runner.invoke(app, ["check", str(tmp_path), "--json"])
    with journal.writing(file) as opened:
        opened.append({"kind": "gone", "path": "b.jpg"})
    with journal.reading(file) as opened:
        assert ("missing", "b.jpg") in [(one["kind"], one["path"]) for one in check(opened)], (
            "said all the same"
        )
    assert found.exit_code == 3
    assert [json.loads(line)["kind"] for line in found.stdout.splitlines()] == [
        "changed", "missing", "new", "unreadable",
    ]  # fmt: skip
    assert "not labelled yet (1):" in runner.invoke(app, ["check", str(tmp_path)]).stdout


def test_numbers_for_people_and_for_scripts(tmp_path: Path) -> None:
    file = labelled(tmp_path, a=b"one")
    runner = CliRunner()
    shown = runner.invoke(app, ["stats", str(tmp_path)])
    assert shown.exit_code == 0 and "1 photo (1 unreviewed), 1 tile" in shown.stdout
    assert "   1m       1 ████" in shown.stdout
    facts = json.loads(runner.invoke(app, ["stats", str(file), "--json"]).stdout)
    assert facts["photos"] == 1 and facts["labels"]["1m"] == 1
    file.write_bytes(file.read_bytes() + b"{torn")
    torn = runner.invoke(app, ["check", str(tmp_path)])
    assert torn.exit_code == 3 and "torn" in torn.stderr
    none = runner.invoke(app, ["stats", str(tmp_path / "none")])
    assert none.exit_code == 2 and "There are no labels at" in none.stderr
