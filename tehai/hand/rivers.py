"""What the other players have discarded, as it is typed."""

from __future__ import annotations

from typing import Final

from scorer.laid import Laid
from scorer.safety import River
from scorer.tiles import COPIES, TILES, count_kinds
from tehai.errors import Mistake
from tehai.hand.notation import typed_tiles

_PLAYERS: Final = {4: ("right", "across", "left"), 3: ("right", "left")}


def rivers_of(
    rivers: str | None, riichi_by: str | None, since: str | None, laid: Laid, players: int
) -> tuple[River, ...]:
    """The rivers that a line names, of the player on the right first: ``9s1z/2p/4m6s``; empty ones, too.

    ``riichi_by``: who has declared riichi, with commas between. ``since``: what the others have discarded
    from then on, which lies in their rivers as well. ``laid``: one's own tiles. Raises :class:`Mistake` for
    what cannot be understood, and for more of a tile than there are.
    """
    names = _PLAYERS[players]
    if rivers is None:
        if riichi_by or since:
            raise Mistake("Name the discards with --rivers, from the right: 9s1z/2p/4m6s.")
        return ()
    lines = rivers.split("/")
    if len(lines) != len(names):
        raise Mistake(
            f"--rivers takes the discards of {len(names)} players with / between:"
            f" {', '.join(names)}; an empty place for nothing."
        )
    declared = {name.strip().lower() for name in (riichi_by or "").split(",") if name.strip()}
    if unknown := sorted(declared - set(names)):
        raise Mistake(f"“{unknown[0]}” is none of the players: --riichi-by takes {', '.join(names)}.")
    if since and not declared:
        raise Mistake("--since needs to know whose riichi it was: name it with --riichi-by.")
    passed, thrown = typed_tiles(since or ""), [typed_tiles(line) for line in lines]
    melds = (tile for meld in laid.melds for tile in meld.tiles)
    counts = count_kinds((*laid.closed, *melds, *(tile for line in thrown for tile in line)))
    for kind, many in enumerate(counts):
        if many > COPIES:
            raise Mistake(f"There are {many} of {TILES[kind]} in hand and rivers: correct one of them.")
    return tuple(
        River(name, tiles, name in declared, passed if name in declared else ())
        for name, tiles in zip(names, thrown, strict=True)
    )
