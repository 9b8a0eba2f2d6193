"""What ships is what the manifest says, and a build makes what is stale, no more."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from models import build
from models.build import MANIFEST, Build, fingerprint, read_manifest

ROOT = Path(__file__).resolve().parents[2]
NOTED = read_manifest(ROOT / MANIFEST)

RECIPE = """
[[step]]
command = "python write.py runs/build/a {photos}"
makes = ["runs/build/a"]
needs = ["source"]
minutes = 3

[[step]]
command = "python write.py models/b runs/build/a"
makes = ["models/b"]
needs = ["runs/build/a"]
seed = 7
minutes = 4
card = "models/b.md"
"""

WRITE = """import sys; from pathlib import Path
out = Path(sys.argv[1]); out.parent.mkdir(parents=True, exist_ok=True)
out.write_text(out.exists() * "again " + " ".join(sys.argv[2:]) + Path("source").read_text())
"""

ONE_MORE = """import sys; from pathlib import Path; sys.path.insert(0, "ROOT")
from models.build import Build
try: Build(Path(), {"photos": "here"}).run()
except OSError as error: Path("said").write_text(str(error))
sys.exit(1)
"""


def learned() -> set[str]:
    """The files of the repository that training or fitting wrote."""
    kinds = ("models/*.onnx", "models/float/*", "vision/*.onnx", "vision/*.npz", "vision/*.json")
    return {str(path.relative_to(ROOT)) for kind in kinds for path in ROOT.glob(kind)}


def test_every_learned_file_is_in_the_manifest() -> None:
    assert learned() == NOTED.keys()
    shipped = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    inside = shipped["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert {path for path in inside if path.endswith(".onnx")} <= NOTED.keys()


@pytest.mark.parametrize("path", sorted(NOTED))
def test_what_lies_there_is_what_the_manifest_says(path: str) -> None:
    made = NOTED[path]
    because = f"{path}: build it, or note it with python -m models.build --adopt {path} --because ..."
    assert fingerprint(ROOT / path) == made.sha256, because
    for parent, said in made.parents.items():
        assert fingerprint(ROOT / parent) in ("", said), f"{path} was made of another {parent}"
    card = (ROOT / str(made.card)).read_text("utf-8")
    assert made.sha256 in card or path.startswith("models/float/"), "the card names the file that ships"


def test_the_recipe_makes_each_network_from_nothing_in_ten_hours() -> None:
    steps = Build(ROOT).steps
    made = {path for step in steps for path in step.makes}
    assert {path for path in NOTED if path.startswith("models/")} <= made
    assert {need for step in steps for need in step.needs} - made == {"datasets/sources.toml"}
    assert sum(step.minutes for step in steps) <= 600


@pytest.fixture
def work(tmp_path: Path) -> Build:
    (tmp_path / "models").mkdir()
    (tmp_path / build.RECIPE).write_text(RECIPE)
    (tmp_path / "write.py").write_text(WRITE)
    (tmp_path / "source").write_text("1")
    return Build(tmp_path, {"photos": "here"})


def test_a_build_runs_what_is_stale_and_notes_it(work: Build) -> None:
    assert list(work.stale()) == work.steps
    work.run()
    assert not work.stale()
    made = read_manifest(work.root / MANIFEST)["models/b"]
    assert (made.seed, made.card, made.lost) == (7, "models/b.md", "")
    assert made.parents == {"runs/build/a": fingerprint(work.root / "runs/build/a")}
    assert (work.root / "runs/build/a").read_text() == "here1"


def test_what_has_changed_is_made_again_from_nothing(work: Build) -> None:
    work.run()
    (work.root / "source").write_text("2")
    first, second = work.stale().values()
    assert first == "source has changed" and second == "runs/build/a is stale"
    work.run()
    assert (work.root / "runs/build/a").read_text() == "here2", "it went on from what was there"
    (work.root / "models/b").write_text("by hand")
    assert list(work.stale().values()) == ["models/b is not what was noted"]


def test_what_was_cut_off_goes_on(work: Build) -> None:
    cut = work.root / "runs/build/a"
    cut.parent.mkdir(parents=True)
    cut.write_text("half")
    work.run()
    assert cut.read_text() == "again here1"


def test_one_file_is_made_of_the_others_as_they_lie(work: Build) -> None:
    recipe = RECIPE + RECIPE.replace("runs/build/a", "runs/build/c").replace("models/b", "models/d").replace(
        'needs = ["source"]', 'needs = ["models/b"]'
    )
    (work.root / build.RECIPE).write_text(recipe)
    (work.root / "models/b").write_text("kept, and made otherwise")
    alone = Build(work.root, {"photos": "here"}, ["models/d"])
    alone.run()
    assert not alone.stale() and (work.root / "models/d").read_text() == "runs/build/c1"
    assert not (work.root / "runs/build/a").exists()
    with pytest.raises(ValueError, match="models/e"):
        Build(work.root, {}, ["models/e"])


def test_a_file_made_otherwise_is_noted_with_what_is_lost(work: Build) -> None:
    work.run()
    (work.root / "models/b").write_text("by hand")
    work.adopt(["models/b"], "painted")
    made = read_manifest(work.root / MANIFEST)["models/b"]
    assert made.lost == "painted" and made.sha256 == fingerprint(work.root / "models/b")
    with pytest.raises(ValueError, match="models/c"):
        work.adopt(["models/c"], "painted")


def test_a_step_that_makes_nothing_is_an_error(work: Build) -> None:
    (work.root / "write.py").write_text("")
    with pytest.raises(FileNotFoundError, match="has not made runs/build/a"):
        work.run()
    assert len(work.stale()) == 2


def test_a_build_without_its_data_stops_before_it_learns_less(
    work: Build, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(work.root)
    monkeypatch.setattr(build, "missing_families", lambda art, held_out: ["wenkai"])
    for command, why in (("{photos}", "name the folder of real photos with --photos"), ("{art}", "wenkai")):
        Path(build.RECIPE).write_text(RECIPE.replace("{photos}", command))
        build.main(["--dry-run"])
        assert why in capsys.readouterr().out
        with pytest.raises(SystemExit):
            build.main([])
        assert why in capsys.readouterr().err
    assert not Path("runs").exists()


def test_a_folder_may_have_a_space_in_its_name(work: Build) -> None:
    Build(work.root, {"photos": "my  photos"}).run()
    assert (work.root / "runs/build/a").read_text() == "my  photos1"


def test_two_builds_do_not_run_at_once(work: Build) -> None:
    (work.root / "write.py").write_text(ONE_MORE.replace("ROOT", str(ROOT)))
    with pytest.raises(subprocess.CalledProcessError):
        work.run()
    assert "still runs here" in (work.root / "said").read_text()


def interrupted(work: Build) -> None:
    """A build whose first step is cut off halfway."""
    (work.root / "write.py").write_text(WRITE + "sys.exit(1)")
    with pytest.raises(subprocess.CalledProcessError):
        work.run()
    (work.root / "write.py").write_text(WRITE)


def test_a_second_build_that_was_cut_off_goes_on_too(work: Build) -> None:
    work.run()
    (work.root / "source").write_text("2")
    interrupted(work)
    work.run()
    assert (work.root / "runs/build/a").read_text() == "again here2", "it began from nothing again"


@pytest.mark.parametrize("changed", ["source", "recipe", "here/manifest.jsonl"])
def test_what_was_cut_off_does_not_go_on_with_other_needs(work: Build, changed: str) -> None:
    (work.root / "here").mkdir()
    (work.root / "here" / "manifest.jsonl").write_text("{}")
    interrupted(work)
    if changed == "recipe":
        (work.root / build.RECIPE).write_text(RECIPE.replace("{photos}", "{photos} more"))
        work = Build(work.root, {"photos": "here"})
    else:
        (work.root / changed).write_text("2")
    work.run()
    assert not (work.root / "runs/build/a").read_text().startswith("again")


def test_a_folder_made_again_counts_as_another_even_if_all_sizes_are_the_same(work: Build) -> None:
    recipe = RECIPE.replace('makes = ["runs/build/a"]', 'makes = ["runs/build"]').replace(
        'needs = ["runs/build/a"]', 'needs = ["runs/build"]'
    )
    recipe = recipe.replace("runs/build", "runs/a").replace("models/b", "runs/b").replace("card =", "# ")
    (work.root / build.RECIPE).write_text(recipe)
    work = Build(work.root, {"photos": "here"})
    work.run()
    (work.root / "source").write_text("2")
    Build(work.root, {"photos": "here"}, ["runs/a"]).run()
    assert list(work.stale().values()) == ["runs/b is of an earlier build"]
