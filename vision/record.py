"""The tiles as they lie in a layout whose labels are decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scorer.hand import Meld
from scorer.laid import Known, Laid
from scorer.tiles import Tile, parse_tiles
from vision.labels import FACES, plain
from vision.table import Layout, MeldSeen


def laid_of(layout: Layout, labels: Sequence[str], overruled: Sequence[int]) -> Laid | None:
    """The tiles that the photo shows, and how each field is known; None where there is no hand.

    Where nothing sets the winning tile apart, ``concealed`` holds it too (14 tiles less three a meld): the
    winning tile is open until somebody says which it was. Indicators are there only where some were seen.
    A field is ``inferred`` when a tile of it is face down or was overruled by the rules, else ``seen``.
    """
    if not layout.size:
        return None
    changed = set(overruled)

    def tiles(at: Sequence[int]) -> tuple[Tile, ...]:
        return parse_tiles("".join(labels[i] for i in at))

    def known(at: Sequence[int]) -> Known:
        return Known.INFERRED if any(i in changed or labels[i] not in FACES for i in at) else Known.SEEN

    win = () if layout.win is None else (layout.win,)
    places = {
        "concealed": layout.closed,
        **({"win_tile": win} if win else {}),
        "melds": tuple(i for meld in layout.melds for i in meld.tiles),
        **({"dora_indicators": layout.dora} if layout.dora else {}),
    }
    return Laid(
        tiles(layout.closed),
        tuple(_meld(meld, labels) for meld in layout.melds),
        tiles(win)[0] if win else None,
        tiles(layout.dora),
        known={name: known(at) for name, at in places.items()},
    )


def hand_record(
    layout: Layout, labels: Sequence[str], overruled: Sequence[int]
) -> tuple[dict[str, Any] | None, dict[str, str]]:
    """The same as fields of the hand record and how each is known: JSON values."""
    laid = laid_of(layout, labels, overruled)
    if laid is None:
        return None, {}
    return laid.to_record(), {name: str(source) for name, source in laid.known.items()}


def _meld(meld: MeldSeen, labels: Sequence[str]) -> Meld:
    tiles = [labels[i] for i in meld.tiles]
    shown = [tile for tile in tiles if tile in FACES]
    if meld.kind == "chi":
        shown.sort(key=plain)
    else:
        # What lies face down in an ankan are plain tiles of the same kind: a red five is never hidden.
        shown += [plain(shown[0])] * (len(tiles) - len(shown))
    return Meld(meld.kind, shown, meld.source)
