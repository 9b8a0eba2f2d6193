"""Imports point one way, and the command line starts light."""

from __future__ import annotations

import ast
import posixpath
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import scorer

OUTSIDE_A_BROWSER = {
    *("cv2", "numpy", "onnxruntime", "PIL", "click", "rich", "typer"),
    *("uvicorn", "h11", "segno", "trustme", "cryptography", "platformdirs"),
    *("http.server", "multiprocessing", "socketserver", "webbrowser"),
}
"""What the page's application must do without before a photo comes. Starlette loads asyncio, and with it
``subprocess``, ``socket`` and ``ssl``."""

ROOT = Path(__file__).resolve().parent.parent
OURS = {"scorer", "vision", "models", "datasets", "tehai"}

ALLOWED = {
    "scorer": {"scorer"},
    "vision": {
        "vision",
        "scorer.tiles",
        "scorer.readings",
        "scorer.nearest",
        "scorer.hand",
        "scorer.hand_tiles",
        "scorer.notation",
        "scorer.svg",
    },
    "tehai": {"tehai", "vision", "scorer"},
    "models": {"models", "datasets", "vision", "scorer"},
    "datasets": {"datasets", "vision", "scorer"},
}
"""Package to what of ours it may import; nothing that ships imports models or datasets."""

HOUSE = (*ALLOWED, "benchmarks")
"""All packages of the house; benchmarks may import everything."""

COMMANDS = {"tehai.web", "tehai.site", "tehai.review", "tehai.label", "tehai.learn", "tehai.webcam"}
"""Rooms of one command each; review stands on label, the page on the drills, the site on both."""

BENEATH = ("hand", "flags", "game", "settings", "output")
"""Rooms that all commands stand on."""

FORBIDDEN = {
    **{f"tehai/{room}": {*COMMANDS, "tehai.terminal", "tehai.server"} for room in BENEATH},
    "tehai/server": {*COMMANDS, "tehai.terminal"},
    "tehai/web": {*COMMANDS - {"tehai.web", "tehai.learn"}, "tehai.terminal"},
    "tehai/site": {*COMMANDS - {"tehai.site", "tehai.web", "tehai.learn"}, "tehai.terminal"},
    "tehai/review": {*COMMANDS - {"tehai.review", "tehai.label"}, "tehai.terminal"},
    "tehai/label": {*COMMANDS - {"tehai.label"}, "tehai.terminal", "tehai.server"},
    "tehai/webcam": {*COMMANDS - {"tehai.webcam"}, "tehai.terminal", "tehai.server"},
    "tehai/learn": {*COMMANDS - {"tehai.learn"}, "tehai.server"},
    "tehai/terminal": {*COMMANDS, "tehai.server"},
    "tehai/lesson": {*COMMANDS, "tehai.terminal", "tehai.server"},
    "scorer/asking": {"scorer.telling"},
    "scorer/telling": {"scorer.asking"},
}
"""Room to what it does not lean on: what several rooms need stands beside or beneath them."""

PAGES = ("tehai/web/static", "tehai/review/static")
"""Folders of scripts, each a page; what they share lies on each of them under ``shared/``."""

SHARED = "tehai/server/static"

ADDRESS = re.compile(
    r"""^\s*(?:import|export)\b[^;"'`]*?\bfrom\s*["'](.+?)["']|^\s*import\s*["'](.+?)["']|\bimport\(\s*["'`](.+?)["'`]""",
    re.MULTILINE,
)
"""What a script imports: ``import … from``, ``export … from``, for what it does alone, or while it runs."""


@cache
def import_statements(file: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """All of a file, at its top or in a function."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def imported_modules(file: Path) -> set[str]:
    """Absolute names of everything imported anywhere in a file."""
    found: set[str] = set()
    for node in import_statements(file):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        else:
            assert node.level == 0, f"{file} imports relatively"
            assert node.module is not None
            if node.module in OURS:  # "from scorer import tiles": the module may be the name
                found.update(
                    f"{node.module}.{alias.name}"
                    if (ROOT / node.module / f"{alias.name}.py").exists()
                    else node.module
                    for alias in node.names
                )
            else:
                found.add(node.module)
    return found


def is_within(module: str, names: set[str]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in names)


def imports_of_the_house() -> dict[str, set[str]]:
    """Every module of ours to those that it imports, at its top or in a function, for types alone or not."""
    files = {}
    for package in HOUSE:
        for file in (ROOT / package).rglob("*.py"):
            parts = file.relative_to(ROOT).with_suffix("").parts
            files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return {
        module: {name for name in named_modules(file, files) if name != module}
        for module, file in files.items()
    }


def named_modules(file: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """The modules of ours that a file imports; ``from room import module`` means the module."""
    for node in import_statements(file):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name in known)
            case ast.ImportFrom(module=str(module), names=names):
                for alias in names:
                    inner = f"{module}.{alias.name}"
                    if inner in known:
                        yield inner
                    elif module in known:
                        yield module


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """A way through the graph that comes back to where it began; empty where there is none."""
    done: set[str] = set()

    def follow(path: list[str]) -> list[str]:
        if path[-1] in path[:-1]:
            return path[path.index(path[-1]) :]
        for name in sorted(graph[path[-1]] - done):
            if found := follow([*path, name]):
                return found
        done.add(path[-1])
        return []

    return next((found for start in sorted(graph) if start not in done and (found := follow([start]))), [])


def imports_of_a_page(page: str) -> dict[str, set[str]]:
    """Every script of a page to those that it imports, by their addresses beneath the page."""
    folders = (("", ROOT / page), ("shared/", ROOT / SHARED))
    files = {
        under + file.relative_to(folder).as_posix(): file
        for under, folder in folders
        for file in folder.rglob("*.js")
    }
    return {name: set(addresses(name, file.read_text(encoding="utf-8"))) for name, file in files.items()}


def addresses(name: str, script: str) -> Iterator[str]:
    """What a script imports. A page may lie in any folder of a host, so that addresses are relative."""
    for groups in ADDRESS.findall(script):
        address = "".join(groups)
        assert address.startswith("."), f"{name} imports {address}, which is no relative address"
        yield posixpath.normpath(posixpath.join(posixpath.dirname(name), address))


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_imports_point_one_way(package: str) -> None:
    for file in sorted((ROOT / package).rglob("*.py")):
        for module in imported_modules(file):
            if module.partition(".")[0] in OURS:
                assert is_within(module, ALLOWED[package]), f"{file.relative_to(ROOT)} imports {module}"


@pytest.mark.parametrize("room", sorted(FORBIDDEN))
def test_a_room_does_not_lean_on_its_neighbours(room: str) -> None:
    for file in sorted((ROOT / room).rglob("*.py")):
        for module in imported_modules(file):
            assert not is_within(module, FORBIDDEN[room]), f"{file.relative_to(ROOT)} imports {module}"


def test_a_circle_is_found_wherever_it_begins() -> None:
    assert circle({"a": {"b"}, "b": {"c", "d"}, "c": set(), "d": {"b"}}) == ["b", "d", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_there_is_no_circle_of_imports() -> None:
    assert not (found := circle(imports_of_the_house())), " imports ".join(found)


@pytest.mark.parametrize("page", PAGES)
def test_there_is_no_circle_of_scripts(page: str) -> None:
    graph = imports_of_a_page(page)
    for name, imported in graph.items():
        assert imported <= graph.keys(), (
            f"{page}/{name} imports {imported - graph.keys()}, which is not there"
        )
    assert not (found := circle(graph)), f"{page}: {' imports '.join(found)}"


def test_imports_of_scripts_are_found_however_they_are_written() -> None:
    script = """import { a,
    b } from "./one.js";
import * as two from './two.js';
import "../three.js"; // no import of "./none.js"
export { c } from "./shared/four.js";
const five = await import("./five.js"), six = "from './none.js'";
"""
    assert list(addresses("pages/it.js", script)) == [
        "pages/one.js", "pages/two.js", "three.js", "pages/shared/four.js", "pages/five.js"
    ]  # fmt: skip


def test_scorer_is_pure_standard_library() -> None:
    for file in (ROOT / "scorer").rglob("*.py"):
        for module in imported_modules(file):
            top = module.partition(".")[0]
            assert top == "scorer" or top in sys.stdlib_module_names, f"{file.name} imports {module}"


def test_importing_scorer_loads_nothing_that_few_need() -> None:
    """Records, whole games, and what reads a rule set or draws a tile come with their first use."""
    slow = (
        "difflib",
        "html",
        "json",
        "pathlib",
        "tomllib",
        "scorer.record",
        "scorer.settlement",
        "scorer.svg",
    )
    code = f"import sys, scorer; print([name for name in {slow} if name in sys.modules])"
    environment = {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_public_name_of_scorer_is_there() -> None:
    assert all(callable(getattr(scorer, name)) for name in scorer.__all__)
    assert dir(scorer) == scorer.__all__
    with pytest.raises(AttributeError, match="no attribute 'score_all'"):
        getattr(scorer, "score_all")  # noqa: B009


def test_the_command_line_starts_without_vision() -> None:
    """And so does a score of a typed hand, which needs numbers and pictures no more."""
    code = (
        "import sys\n"
        "from tehai.cli import main\n"
        "score = ['score', '234m340567p2267s + 8s', '--ron', '--riichi', '--json']\n"
        "for arguments in ['--help'], ['score', '--help'], ['--version'], score:\n"
        "    sys.argv = ['tehai', *arguments]\n"
        "    try:\n        main()\n    except SystemExit as exit:\n        assert not exit.code, exit.code\n"
        "    loaded = {'cv2', 'onnxruntime', 'numpy', 'PIL'} & set(sys.modules)\n"
        "    assert not loaded, (arguments, loaded)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_pages_application_reads_without_what_a_browser_cannot_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.tehai.web.browser"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_pages_application_scores_without_what_a_browser_cannot_run() -> None:
    code = """
import asyncio, json, sys, threading
from tehai.web.app import make_app
from tehai.web.worker_pool import WorkerPool

app = make_app(WorkerPool(None))
assert threading.active_count() == 1


async def post(path, body):
    sent = []
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}

    async def receive():
        return {"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    return sent[0]["status"]


record = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": False, "seat_wind": "S"}
for path in ("/api/score", "/api/lesson"):
    assert asyncio.run(post(path, {"record": record})) == 200, path
for level in ("tiles", "score", "discard", "safe"):
    assert asyncio.run(post("/api/learn/exercise", {"level": level})) == 200, level
loaded = OUTSIDE & set(sys.modules)
assert not loaded, loaded
"""
    code = code.replace("OUTSIDE", repr(OUTSIDE_A_BROWSER))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
