"""What the documentation lists is what the code knows, and its links lead somewhere."""

from __future__ import annotations

import re
import runpy
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest
import typer

import scorer
import vision
from scorer import HandStatus, RuleSet, preset_ids, score_record
from scorer.record import DEFAULTS, REQUIRED
from scorer.yaku import DORA, TABLE
from tehai.cli import app
from vision import Doubt, Reading, SeenTile
from vision.reading import DOUBTS

ROOT = Path(__file__).resolve().parent.parent
PAGES = (*sorted((ROOT / "docs").rglob("*.md")), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")))
PACKAGES = ("scorer", "vision", "tehai", "models", "datasets", "benchmarks", "tests")
HAND = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": False}


def code(page: str, heading: str = "") -> set[str]:
    """The words in code of a page of ``docs/``, or of the part under one of its headings."""
    text = re.sub(r"```.*?```", "", (ROOT / "docs" / page).read_text(encoding="utf-8"), flags=re.S)
    if heading:
        text = re.split(r"\n#+ ", text.partition(f"# {heading}\n")[2])[0]
    return {word for span in re.findall(r"`([^`]+)`", text) for word in span.split()}


def test_the_hand_record_lists_every_field() -> None:
    assert {*DEFAULTS, *REQUIRED, "words"} <= code("hand.md", "Input")
    right, wrong = score_record(HAND), score_record({**HAND, "tsumo": "yes"})
    assert {*right, *right["reading"], *wrong, *wrong["faults"][0]} <= code("hand.md")


def test_the_hand_record_lists_ids_that_there_are() -> None:
    """All of them: of yaku see ``test_adding_a_yaku``."""
    assert code("hand.md", "Yaku ids") - {"scorer.settle_nagashi"} <= {*(yaku.id for yaku in TABLE), *DORA}
    of_the_record = {"bad_tile", "bad_field", "unknown_rules"}
    assert code("hand.md", "Error ids") == {str(one.name).lower() for one in HandStatus} | of_the_record


def test_the_reading_lists_every_field() -> None:
    tile = SeenTile(((0, 0), (1, 0), (1, 1), (0, 1)), "1m", 1.0, ("2m", 0.0))
    reading = Reading("", 1, 1, (tile,), None, {}, "error", "nothing")
    assert {*reading.to_record(), "known"} <= code("reading.md")
    assert set(tile.to_record()) <= code("reading.md", "A tile")
    doubt = Doubt("face", (0,), "The 1m may be a 2m.", {"label": "2m"})
    assert {*doubt.to_record(), *DOUBTS, "label", "hand", "region"} <= code("reading.md", "A doubt")


def test_the_rules_list_every_key_and_preset() -> None:
    assert {field.name for field in fields(RuleSet)} - {"id"} <= code("rules.md", "Keys")
    assert set(preset_ids()) <= code("rules.md", "Rule sets")


def test_the_matrix_is_what_the_presets_say() -> None:
    """As ``python docs/rules_tables.py`` writes it."""
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    tables = runpy.run_path(str(ROOT / "docs" / "rules_tables.py"))
    assert tables["written"](page) == page
    assert {id_ for presets in tables["TABLES"].values() for id_ in presets} == set(preset_ids())


@pytest.mark.parametrize("package", [scorer, vision], ids=lambda package: package.__name__)
def test_the_reference_has_every_public_name(package: ModuleType) -> None:
    page = (ROOT / "docs" / "api" / f"{package.__name__}.md").read_text(encoding="utf-8")
    shown = {path.rpartition(".")[2] for path in re.findall(r"^::: (\S+)$", page, re.M)}
    assert set(package.__all__) <= shown


def test_the_page_of_examples_takes_in_every_example() -> None:
    page = (ROOT / "docs" / "examples.md").read_text(encoding="utf-8")
    taken = re.findall(r'^--8<-- "(.+)"$', page, re.M)
    assert sorted(taken) == sorted(f"examples/{file.name}" for file in (ROOT / "examples").glob("*.*"))


def test_the_site_has_every_page() -> None:
    """Beside ``mkdocs build --strict``, which needs the extra ``docs``."""
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = (ROOT / "docs").rglob("*.md")
    assert not [page for page in pages if f": {page.relative_to(ROOT / 'docs').as_posix()}\n" not in site]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for address in re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert "://" in address or (page.parent / address).exists(), address


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_and_modules_that_are_named_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    files = re.findall(
        r"\b((?:scorer|vision|tehai|models|datasets|benchmarks|tests|docs)/[\w/.]+\.\w+)\b", text
    )
    modules = re.findall(r"python -m ((?:models|datasets|benchmarks|tests|docs)[\w.]*)\b", text)
    paths = [Path(*module.split(".")) for module in modules]
    missing = [file for file in files if not (ROOT / file).exists()]
    missing += [
        f"{path}.py"
        for path in paths
        if not (ROOT / path).with_suffix(".py").exists() and not (ROOT / path / "__main__.py").exists()
    ]
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_shown_exist_with_their_options(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"(?ms)^```[^\n]*\n(.*?)^```", text))
    shown = re.findall(r"(?m)^(?:\$ )?(tehai [^#\n]*)", blocks) + re.findall(r"`(tehai [^`\n]+)`", text)
    for line in shown:
        words = re.split(r"\s{2,}|\|", line)[0].split()[1:]
        command, known = typer.main.get_command(app), {"--help"}
        while True:
            known |= {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
            below = getattr(command, "commands", {})
            if words and words[0] in below:
                command = below[words.pop(0)]
            elif command.name == "label" and "DIR" in below:  # what ``tehai label`` does by itself
                command = below["DIR"]
            else:
                break
        assert command.name != "tehai" or not words or words[0].startswith("--") or words[0].isupper(), line
        assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known, line


def test_the_code_points_to_pages_that_are_there() -> None:
    code = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    named = {
        page for file in code for page in re.findall(r"`([\w/-]+\.md)`", file.read_text(encoding="utf-8"))
    }
    assert not [page for page in named if not (ROOT / page).exists()]
