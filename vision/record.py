"""The hand record (``docs/hand.md``) of a layout whose labels are decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scorer.tiles import format_tiles, parse_tiles
from vision.labels import FACES, plain
from vision.table import Layout, MeldSeen


def mpsz(labels: Sequence[str]) -> str:
    """Labels in their order as mpsz text: ``["1m", "2m", "5z"]`` is ``12m5z``."""
    return format_tiles(parse_tiles("".join(labels)))


def hand_record(
    layout: Layout, labels: Sequence[str], overruled: Sequence[int]
) -> tuple[dict[str, Any] | None, dict[str, str]]:
    """The record's fields that the photo shows, and how each is known; None where there is no hand.

    Where nothing sets the winning tile apart, ``concealed`` holds it too (14 tiles less three a meld) and
    ``win_tile`` is left out: the record is open until somebody says which tile it was.
    ``dora_indicators`` is there only when indicators were seen. A field is ``inferred`` when a tile of it
    is face down or was overruled by the rules, else ``seen``.
    """
    if not layout.size:
        return None, {}
    record: dict[str, Any] = {"concealed": mpsz([labels[i] for i in layout.closed])}
    sources: dict[str, tuple[int, ...]] = {"concealed": layout.closed}
    if layout.win is not None:
        record["win_tile"] = labels[layout.win]
        sources["win_tile"] = (layout.win,)
    record["melds"] = [_meld(meld, labels) for meld in layout.melds]
    sources["melds"] = tuple(i for meld in layout.melds for i in meld.tiles)
    if layout.dora:
        record["dora_indicators"] = [labels[i] for i in layout.dora]
        sources["dora_indicators"] = layout.dora
    changed = set(overruled)
    known = {
        name: "inferred" if any(i in changed or labels[i] not in FACES for i in tiles) else "seen"
        for name, tiles in sources.items()
    }
    return record, known


def _meld(meld: MeldSeen, labels: Sequence[str]) -> dict[str, Any]:
    tiles = [labels[i] for i in meld.tiles]
    shown = [tile for tile in tiles if tile in FACES]
    if meld.kind == "chi":
        shown.sort(key=plain)
    else:
        # What lies face down in an ankan are plain tiles of the same kind: a red five is never hidden.
        shown += [plain(shown[0])] * (len(tiles) - len(shown))
    return {"type": meld.kind, "tiles": mpsz(shown), "from": meld.source}
