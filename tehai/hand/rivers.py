"""The rivers of the other players, typed or from a photo of the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from scorer.hand_tiles import FactSource, HandTiles
from scorer.record import with_fields
from scorer.safety import River
from scorer.status import norths_aside
from scorer.tiles import COPIES, TILES, Tile, count_kinds, format_tiles
from tehai.errors import Mistake
from tehai.hand.notation import typed_tiles
from tehai.hand.nukidora import ROLE
from tehai.hand.table_facts import is_surely_turned
from vision.labels import FACES
from vision.players import Seat
from vision.reading import Reading, SeenTile

if TYPE_CHECKING:
    from tehai.hand.inputs import HandInput

PLAYERS: Final[Mapping[int, tuple[Seat, ...]]] = {4: ("right", "across", "left"), 3: ("right", "left")}
"""The other players in turn, by number of players."""

OWN: Final[Seat] = "near"
"""The seat of the player with the hand."""

LIKELY_RIVER: Final = 0.5
"""The least probability of a usable river. Below it a discard is probably another player's or out of order,
and advice would call an unsafe tile safe."""


def rivers_of(
    rivers: str | None, riichi_by: str | None, since: str | None, hand_tiles: HandTiles, players: int
) -> tuple[River, ...]:
    """The rivers that a line names, of the player on the right first: ``9s1z/2p/4m6s``; empty ones, too.

    ``riichi_by``: who has declared riichi, with commas between. ``since``: what the others have discarded
    from then on, which lies in their rivers as well. ``hand_tiles``: one's own tiles. Raises :class:`Mistake`
    for what cannot be understood, and for more of a tile than there are.
    """
    names = PLAYERS[players]
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
    melds = (tile for meld in hand_tiles.melds for tile in meld.tiles)
    check_copies((*hand_tiles.closed, *melds, *(tile for line in thrown for tile in line)), "hand and rivers")
    return tuple(
        River(name, tiles, name in declared, passed if name in declared else ())
        for name, tiles in zip(names, thrown, strict=True)
    )


def check_copies(tiles: Iterable[Tile], where: str) -> None:
    """Raises :class:`Mistake` for more of a tile than there are. ``where`` they are, for its sentence."""
    for kind, many in enumerate(count_kinds(tiles)):
        if many > COPIES:
            raise Mistake(f"There are {many} of {TILES[kind]} in {where}: correct one of them.")


@dataclass(frozen=True, slots=True)
class TableRiver:
    """A river of a reading. ``tiles``: those whose face was read, in order, with their places among the
    reading's; some may be doubtful. ``turned``: the place of the tile turned for riichi, None without it."""

    who: str
    tiles: tuple[tuple[int, SeenTile], ...]
    turned: int | None = None

    @property
    def places(self) -> frozenset[int]:
        """Where its tiles are among the reading's."""
        return frozenset(place for place, _ in self.tiles)

    @property
    def river(self) -> River:
        """As advice takes it: a doubtful discard would make a tile safe that may not be."""
        return River(self.who, self.without_doubtful().faces, self.turned is not None)

    @property
    def faces(self) -> tuple[Tile, ...]:
        return tuple(_face(tile) for _, tile in self.tiles)

    def without_doubtful(self) -> TableRiver:
        return replace(self, tiles=tuple(each for each in self.tiles if not each[1].is_doubtful))


def table_rivers(
    reading: Reading | None, players: int, least: float = LIKELY_RIVER
) -> tuple[TableRiver, ...]:
    """The rivers with a probability of at least ``least``: the player's own first, then from the right. None
    without a table in the photo."""
    if reading is None:
        return ()
    found = (_river(reading, who, least) for who in (OWN, *PLAYERS[players]))
    return tuple(each for each in found if each is not None)


def _river(reading: Reading, who: Seat, least: float) -> TableRiver | None:
    seen = None if reading.table is None else reading.table.river(who)
    if seen is None or seen.probability < least:
        return None
    tiles = tuple((at, reading.tiles[at]) for at in seen.tiles if reading.tiles[at].label in FACES)
    turned = seen.tiles[seen.riichi] if is_surely_turned(seen) else None
    return TableRiver(who, tiles, turned) if tiles else None


def with_own_discards(hand_input: HandInput, rivers: Iterable[TableRiver]) -> HandInput:
    """An unfinished hand with the discards of its own river.

    Unchanged if a person has given them, or if none was read with certainty.
    """
    own = next((one for one in rivers if one.who == OWN and one.river.tiles), None)
    if own is None or not hand_input.hand_tiles.is_unfinished or "discards" in hand_input.opened.known:
        return hand_input
    discards = format_tiles(own.river.tiles)
    return replace(hand_input, opened=with_fields(hand_input.opened, {"discards": discards}, FactSource.SEEN))


def others_seen(hand_input: HandInput, rivers: Iterable[TableRiver] = ()) -> tuple[Tile, ...]:
    """The faces in the photo that are no part of the hand: nobody draws them any more. Those of ``rivers``
    are left out.

    A label that is no face (face down, unreadable, of another game) says nothing. Norths set aside count by
    their number, so as many are left out.
    """
    if hand_input.reading is None:
        return ()
    read, opened = hand_input.reading.tiles, hand_input.opened
    discarded = frozenset[int]().union(*(river.places for river in rivers))
    seen = [
        _face(one)
        for at, one in enumerate(read)
        if one.role == "other" and one.label in FACES and at not in discarded
    ]
    aside = norths_aside(opened.whole_win, opened.rules)[sum(one.role == ROLE for one in read) :]
    for north in aside:
        if north in seen:
            seen.remove(north)
    return tuple(seen)


def without_fifths(rivers: Sequence[TableRiver], beside: Iterable[Tile]) -> tuple[TableRiver, ...]:
    """The rivers without tiles that would be a fifth of their kind: one is misread, and the least probable
    are left out, the later first. ``beside``: all else that lies in sight."""
    counts = list(count_kinds((*beside, *(tile for one in rivers for tile in one.faces))))
    later_first = [each for one in rivers for each in one.tiles][::-1]
    gone = set()
    for place, tile in sorted(later_first, key=lambda each: each[1].probability):
        if counts[_face(tile).kind] > COPIES:
            counts[_face(tile).kind] -= 1
            gone.add(place)
    return tuple(
        replace(one, tiles=tuple(each for each in one.tiles if each[0] not in gone)) for one in rivers
    )


def typed(rivers: Iterable[TableRiver], players: int) -> str:
    """As ``--rivers`` takes them (:func:`rivers_of`): a place for every player, empty without a river."""
    read = {one.who: format_tiles(one.faces) for one in rivers}
    return "/".join(read.get(who, "") for who in PLAYERS[players])


def riichi_by(rivers: Iterable[TableRiver]) -> str:
    """Who of the others declared riichi, as ``--riichi-by`` takes it."""
    return ",".join(one.who for one in rivers if one.turned is not None and one.who != OWN)


def _face(tile: SeenTile) -> Tile:
    return Tile.parse(tile.label)
