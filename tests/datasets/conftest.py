"""What renders are drawn from; without it they skip."""

from __future__ import annotations

import pytest

from datasets.render.tilesets import Source, sources


@pytest.fixture(scope="session")
def fonts() -> tuple[Source, ...]:
    """The fonts installed, with which a set is complete though there are no drawings of tiles."""
    found = sources(None)
    if all(font.held_out for font in found):
        pytest.skip("no font with the characters of the tiles is installed; datasets/sources.toml has some")
    return found
