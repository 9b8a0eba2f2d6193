"""What holds for every test."""

import os
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer.testing
from hypothesis import HealthCheck, settings

# A busy machine is no fault of ours; every run tries the same examples, benchmarks/fuzz.py looks further.
settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("steady")

# Nothing of whoever runs the tests is read or written: commands in processes inherit this, too.
_CONFIG = Path(tempfile.mkdtemp(prefix="tehai-tests-"))
os.environ["TEHAI_CONFIG"] = str(_CONFIG)

# Commands are put together once, not anew for each that a test gives: that takes a tenth of a second.
setattr(typer.testing, "_get_command", cache(typer.testing._get_command))  # noqa: B010


def pytest_configure(config: pytest.Config) -> None:
    """Where several processes share the files, each begins in its place: by default the one with the fewest
    tests begins last, which may be the longest."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.fixture(autouse=True)
def _chosen_once() -> Iterator[None]:
    """Every test begins as one who has chosen the common rules, so that nothing asks for them."""
    (_CONFIG / "config.toml").write_text('rules = "ema2008"\n', encoding="utf-8")
    yield
