"""Named versions: what they hold is frozen, changes are told, and exports say which they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tehai.cli import app
from tehai.errors import Mistake
from tehai.label import cache, journal, tags
from tehai.label.run import digest
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.label.test_formats import picture


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Two photos, then the version v1, then a correction, another photo and the version v2."""
    folder = tmp_path / "photos"
    hashes = {name: digest(picture(folder / name, at)) for at, name in enumerate(("a.jpg", "b.jpg", "c.jpg"))}
    lines = {name: photo(name, tile("1m"), tile("2m", 200), sha256=sha) for name, sha in hashes.items()}
    file = write(folder, lines["a.jpg"], lines["b.jpg"])
    with journal.writing(file) as opened:
        tags.tag(opened, "v1", "anna")
        review = {"state": "corrected", "by": "anna", "at": journal.now()}
        changed = [tile("9p"), tile("5s", 300)]
        opened.append({**lines["a.jpg"], "revision": 2, "review": review, "tiles": changed}, after=1)
        opened.append(lines["c.jpg"])
        tags.tag(opened, "v2", "ben")
    return folder


def run(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.output


def test_a_version_is_frozen(labelled: Path) -> None:
    file = labelled / journal.NAME
    with journal.reading(file, "v1") as opened:
        assert [line["path"] for line in opened.photos()] == ["a.jpg", "b.jpg"]
        assert {line["review"]["state"] for line in opened.photos()} == {"unreviewed"}
        before = opened.version
    with journal.writing(file) as opened:
        with pytest.raises(Mistake, match=r"There is a version v1 already \(by anna, .*; take another name"):
            tags.tag(opened, "v1", "anna")
        with pytest.raises(Mistake, match="'--x' is no name"):
            tags.tag(opened, "--x", "anna")
        assert len(list(opened.photos())) == 3
    with journal.reading(file, "v1") as opened:
        assert opened.version == before, "whatever comes later"
    with (
        pytest.raises(Mistake, match=r"has no version v9; there are: v1, v2\.$"),
        journal.reading(file, "v9"),
    ):
        pass


def test_what_has_changed_is_told(labelled: Path) -> None:
    named = run("label", "tag", "--by", "x", "v3", str(labelled)).splitlines()
    assert [line.split(":")[0] for line in named] == ["v1", "v2", "v3"]
    shown = run("label", "diff", "v1", "v2", str(labelled))
    assert "1 photo added:\n  c.jpg: unreviewed\n" in shown
    assert "1 photo changed:\n  a.jpg: unreviewed → corrected, 1m→9p, +5s, -2m\n" in shown
    assert run("label", "diff", "v2", "now", str(labelled)) == "Nothing has changed.\n"
    assert run("label", "diff", "v2", str(labelled)) == "Nothing has changed.\n", "now may be left out"
    assert run("label", "tag", str(labelled)).splitlines() == named, "without a name they are listed"
    removed, changed = map(
        json.loads, run("label", "diff", "v2", "v1", str(labelled), "--json").splitlines()[::-1]
    )
    assert (removed["kind"], removed["path"]) == ("removed", "c.jpg")
    assert changed["relabelled"] == [["9p", "1m"]] and changed["was"] == "corrected"


def test_an_export_says_which_version_it_is(labelled: Path, tmp_path: Path) -> None:
    run("export", "csv", str(labelled), str(tmp_path / "one"), "--tag", "v1")
    run("export", "csv", str(labelled), str(tmp_path / "now"))
    said = [json.loads((tmp_path / name / "tehai-export.json").read_text("utf-8")) for name in ("one", "now")]
    assert [one["tag"] for one in said] == ["v1", None] and said[0]["journal"] != said[1]["journal"]
    card = (tmp_path / "one" / "README.md").read_text(encoding="utf-8")
    assert f"- version: v1, journal {said[0]['journal']}\n" in card
    assert "c.jpg" not in (tmp_path / "one" / "labels.csv").read_text(encoding="utf-8")


def test_the_index_knows_the_versions(labelled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LEAST", 1)
    monkeypatch.setattr(journal, "LEAST", 1)
    for _ in range(2):
        with journal.reading(labelled / journal.NAME) as opened:
            assert list(opened.index.tags) == ["v1", "v2"]


def test_label_is_still_a_command(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["label", "--help"]).output
    assert "--workers" in shown and "label tag NAME" in shown
    missing = CliRunner().invoke(app, ["label", str(tmp_path / "none")])
    assert missing.exit_code == 2 and "is no folder" in missing.output
