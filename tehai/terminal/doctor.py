"""``tehai doctor``: what is installed, and whether it reads."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tehai import doctor
from tehai.doctor import ModelFacts, SelfTest
from tehai.terminal import volume


def report(console: Console) -> bool:
    """Print versions, networks, cameras and the self-test; whether that went well."""
    test = doctor.self_test()
    _print_self_test(console, test)
    _print_versions(console, {"pictures": doctor.pictures(), "rules": doctor.rules()})
    for camera in doctor.cameras():
        console.print(camera)
    said = ", ".join(f"{option} {value}" for option, value in doctor.limits().items())
    console.print(f"tehai serve allows {said}", markup=False)
    models = doctor.models()
    if volume.verbose:
        console.print()
        _print_versions(console, doctor.versions())
        for model in models:
            _print_model(console, model)
    else:
        console.print(f"{len(models)} networks found. tehai -v doctor prints versions and networks.")
    return not test.problem


def _print_versions(console: Console, versions: Mapping[str, str]) -> None:
    """What is installed and set; what is missing in red."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for name, version in versions.items():
        table.add_row(name, Text(version, "bold red" if version == "missing" else "bold"))
    console.print(table)


def _print_model(console: Console, model: ModelFacts) -> None:
    """A network: its file, hash and what its metadata says."""
    console.print()
    console.print(
        Text.assemble((model.path.name, "bold"), f"  {model.size / 1e6:.2f} MB  ", (str(model.path), "dim"))
    )
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("sha256", model.sha256)
    for key, value in sorted(model.facts.items()):
        table.add_row(key, Text(_plain_metadata(value)))
    table.add_row("card", str(model.card) if model.card else "none")
    console.print(table)


def _plain_metadata(text: str) -> str:
    """A metadata value, which may be JSON, in words: of a list of records their names."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return text
    if isinstance(value, dict):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(
            str(one["name"] if isinstance(one, dict) and "name" in one else one) for one in value
        )
    return text


def _print_self_test(console: Console, test: SelfTest) -> None:
    """Whether the sample was read."""
    console.print()
    if test.problem:
        console.print(Text.assemble(("self-test failed  ", "bold red"), test.problem))
    else:
        line = Text.assemble(("self-test passed  ", "bold green"), "the sample reads ", (test.line, "bold"))
        console.print(line.append(f"  in {test.elapsed_ms:.0f} ms", "dim"))
