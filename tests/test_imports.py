"""Imports point one way, and the command line starts light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = {"scorer", "vision", "models", "datasets", "tehai"}

ALLOWED = {
    "scorer": {"scorer"},
    "vision": {"vision", "scorer.tiles", "scorer.readings", "scorer.hand"},
    "tehai": {"tehai", "vision", "scorer"},
    "models": {"models", "datasets", "vision", "scorer"},
    "datasets": {"datasets", "vision", "scorer"},
}
"""Package to what of ours it may import; nothing that ships imports models or datasets."""


def imported_modules(file: Path) -> set[str]:
    """Absolute names of everything imported anywhere in a file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
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


def is_allowed(module: str, allowed: set[str]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in allowed)


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_imports_point_one_way(package: str) -> None:
    for file in sorted((ROOT / package).rglob("*.py")):
        for module in imported_modules(file):
            if module.partition(".")[0] in OURS:
                assert is_allowed(module, ALLOWED[package]), f"{file.relative_to(ROOT)} imports {module}"


def test_scorer_is_pure_standard_library() -> None:
    for file in (ROOT / "scorer").rglob("*.py"):
        for module in imported_modules(file):
            top = module.partition(".")[0]
            assert top == "scorer" or top in sys.stdlib_module_names, f"{file.name} imports {module}"


@pytest.mark.parametrize("arguments", [["--help"], ["score", "--help"], ["--version"]])
def test_the_command_line_starts_without_vision(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "from tehai.cli import main\n"
        f"sys.argv = ['tehai', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit as exit:\n    assert not exit.code, exit.code\n"
        "loaded = {'cv2', 'onnxruntime', 'numpy', 'PIL'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_scoring_a_typed_hand_loads_no_vision() -> None:
    code = (
        "import sys\n"
        "from tehai.cli import main\n"
        "sys.argv = ['tehai', 'score', '234m340567p2267s + 8s', '--ron', '--riichi', '--json']\n"
        "try:\n    main()\nexcept SystemExit as exit:\n    assert not exit.code, exit.code\n"
        "assert not {'cv2', 'onnxruntime'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
