"""The sample photo that the package carries: one finished hand, laid as players lay it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from datasets.render import layouts, scene, tilesets
from datasets.render.layouts import Layout, Pool

CLOSED = ("2m", "3m", "4m", "0p", "6p", "7p", "3s", "4s", "8s", "8s")
WINNING = "5s"
MELD = ("7z", "7z", "7z")
INDICATOR = "7s"
_SEED = 23


def sample(art: Path | None) -> scene.Scene:
    """A closed row, the winning tile set apart, a pon of red dragons, and the dora indicator on its wall."""
    rng = np.random.default_rng(_SEED)
    layout = Layout("hand", (20.0, 27.0, 16.5))
    width = layout.tile[0]
    x = layouts.row_of_tiles(layout, CLOSED, 0, 0, rng, role="hand", loose=0.1)
    layout.put(WINNING, x + 14 + width / 2, 1.0, 0.03, role="win", subject=True)
    _, meld = layouts.meld(layout, "pon", list(MELD), x + width + 42, 0, rng, 0)
    layouts.wall(layout, x / 2 - 60, 75, 0.02, 9, rng, INDICATOR)
    layouts.river(layout, Pool(rng, reds=0), x / 2 - 70, 190, 0.0, 11, rng)
    layout.put(None, x - 20, 150, 1.2, size=(7.0, 86.0, 3.0), material="stick")
    layout.hand = {
        "concealed": "".join(CLOSED), "win_tile": WINNING, "melds": [meld], "dora_indicators": [INDICATOR]
    }  # fmt: skip
    tileset = tilesets.draw_set(rng, tilesets.sources(art))
    return scene.make(rng, tileset, layout, 1600, 1200)
