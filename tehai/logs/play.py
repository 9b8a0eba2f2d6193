"""A game tile by tile, independent of the log format: the deals, the moves, and the end of each hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain

from scorer.hand import Meld, Wind, seats_of
from scorer.tiles import Tile, TileError

Points = tuple[int, ...]
"""Points by player."""

_DEALT = 13


class HandCutShort(Exception):
    """A hand of a log that has no end."""


class LogError(ValueError):
    """A file that is no log, or a log of an impossible game. The message is a sentence."""


def whole_deals(read: Iterable[Callable[[], Deal]]) -> tuple[tuple[Deal, ...], bool]:
    """The complete hands, and whether the log breaks off in a further one.

    Raises :class:`LogError` if there is no complete hand.
    """
    deals: list[Deal] = []
    for one in read:
        try:
            deal = one()
            deal.check()
            deals.append(deal)
        except HandCutShort:
            if not deals:
                break
            return tuple(deals), True
    if not deals:
        raise LogError("This log has no hand that was played to its end.")
    return tuple(deals), False


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Within this context every parsing error becomes a :class:`LogError`: the file comes from outside."""
    try:
        yield
    except LogError:
        raise
    except TileError as error:
        raise LogError(f"{what} cannot be read: {error}") from None
    except (KeyError, IndexError, TypeError, AttributeError, ValueError):
        raise LogError(f"{what} is damaged or not whole.") from None


def total(paid: Iterable[Points], players: int) -> Points:
    """The sum of several payments by player; empty without any."""
    return tuple(map(sum, zip((0,) * players, *paid, strict=True)))


def source_of(player: int, giver: int, players: int) -> int:
    """The offset of the player who gave a tile, as for a meld: 1 next, 2 across, 3 previous."""
    offset = (giver - player) % players
    return 3 if offset == players - 1 else offset


def giver_of(player: int, source: int | None, players: int) -> int:
    """The inverse of :func:`source_of`; the player himself for a tile that nobody gave."""
    return (player + (-1 if source == 3 else source or 0)) % players


@dataclass(frozen=True, slots=True)
class Draw:
    player: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class Discard:
    """``drawn``: whether it is the tile that was just drawn. ``riichi``: whether it declares riichi."""

    player: int
    tile: Tile
    drawn: bool = False
    riichi: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A declared set. ``tile``: the called or the added tile; any tile of a concealed kan."""

    player: int
    meld: Meld
    tile: Tile


@dataclass(frozen=True, slots=True)
class NukidoraMove:
    """A north set aside as a dora, with three players."""

    player: int


@dataclass(frozen=True, slots=True)
class Dora:
    """A new dora indicator."""

    tile: Tile


Move = Draw | Discard | Call | NukidoraMove | Dora


@dataclass(frozen=True, slots=True)
class LoggedWin:
    """The winner, and the player whose tile won (the winner for a self-draw). ``ura``: the ura indicators."""

    player: int
    source: int
    ura: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class LoggedDraw:
    """A hand without a winner. ``kind``: ``draw``, ``nagashi``, or an abortive draw. ``kind`` and ``tenpai``
    are None if the log does not have them."""

    kind: str | None = None
    tenpai: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand of the game.

    ``number``: how often the deal has passed on. ``points``: of the players before it. ``hands``: their 13
    tiles.
    ``end``: the winners or the draw. ``paid``: the gains and losses by player in the log, riichi sticks
    included; None if the log does not have them.
    """

    number: int
    honba: int
    sticks: int
    points: Points
    hands: tuple[tuple[Tile, ...], ...]
    indicator: Tile
    moves: tuple[Move, ...]
    end: tuple[LoggedWin, ...] | LoggedDraw
    paid: Points | None = None

    @property
    def players(self) -> int:
        return len(self.hands)

    def check(self) -> None:
        """Raise :class:`LogError` for players or rounds that do not exist."""
        players = range(self.players)
        wins = self.end if isinstance(self.end, tuple) else ()
        ready = () if isinstance(self.end, tuple) else self.end.tenpai or ()
        acting = [one.player for one in (*self.moves, *wins) if not isinstance(one, Dora)]
        named = [*acting, *(win.source for win in wins), *ready]
        counted = [self.points, *([self.paid] if self.paid is not None else [])]
        if (
            self.players not in (3, 4)
            or self.number not in range(4 * self.players)
            or any(len(hand) != _DEALT for hand in self.hands)
            or any(len(points) != self.players for points in counted)
            or not all(player in players for player in named)
        ):
            raise LogError("A hand of this log has other players, rounds or tiles than a game has.")

    @property
    def dealer(self) -> int:
        return self.number % self.players

    def seat(self, player: int) -> Wind:
        return seats_of(self.players)[(player - self.number) % self.players]

    @property
    def label(self) -> str:
        """``East 1``, with its counters ``East 1-2``."""
        round_, deal = divmod(self.number, self.players)
        wind = ("East", "South", "West", "North")[round_]
        return f"{wind} {deal + 1}" + (f"-{self.honba}" if self.honba else "")


@dataclass(frozen=True, slots=True)
class Log:
    """A whole game. ``format``: which kind of file it comes from. ``rules``: a preset's id, or house rules as
    text. ``final``: the points at its end, or None if unknown. ``cut``: whether the log breaks off in a
    further hand."""

    format: str
    names: tuple[str, ...]
    rules: str
    deals: tuple[Deal, ...]
    final: Points | None = None
    cut: bool = False


def has_red_fives(deals: Iterable[Deal]) -> bool:
    """Whether a red five lies in any hand, is drawn, or indicates a dora."""
    return any(
        tile.is_red
        for deal in deals
        for tile in (
            deal.indicator,
            *chain(*deal.hands),
            *(move.tile for move in deal.moves if isinstance(move, Draw | Dora)),
            *chain(*(win.ura for win in (deal.end if isinstance(deal.end, tuple) else ()))),
        )
    )
