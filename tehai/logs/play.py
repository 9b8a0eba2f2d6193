"""A game tile by tile, whatever file it comes from: the deals, what everybody does, how each of them ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from scorer.hand import Meld, Wind, seats_of
from scorer.tiles import Tile, TileError

Points = tuple[int, ...]
"""Points by player."""

_DEALT = 13


class HandCutShort(Exception):
    """A hand of a log that has no end."""


class LogError(ValueError):
    """A file that is no log, or a log of what cannot have been; the message is a sentence."""


def whole_deals(read: Iterable[Callable[[], Deal]]) -> tuple[tuple[Deal, ...], bool]:
    """The hands that have an end, and whether the log breaks off in one after them.

    Raises :class:`LogError` where there is none.
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
    """Whatever goes wrong while a log is taken apart is a :class:`LogError`: it is a stranger's file."""
    try:
        yield
    except LogError:
        raise
    except TileError as error:
        raise LogError(f"{what} cannot be read: {error}") from None
    except (KeyError, IndexError, TypeError, AttributeError, ValueError):
        raise LogError(f"{what} is damaged or not whole.") from None


def total(paid: Iterable[Points], players: int) -> Points:
    """What several payments come to by player; nothing where there are none."""
    return tuple(map(sum, zip((0,) * players, *paid, strict=True)))


def source_of(player: int, giver: int, players: int) -> int:
    """Who gave a tile, counted from the player who took it: 1 next, 2 across, 3 previous, as of a meld."""
    offset = (giver - player) % players
    return 3 if offset == players - 1 else offset


def giver_of(player: int, source: int | None, players: int) -> int:
    """The inverse of :func:`source_of`; the player himself where nobody gave the tile."""
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
    """A set declared. ``tile``: the one that was called, or added to a pung; of a concealed kong any."""

    player: int
    meld: Meld
    tile: Tile


@dataclass(frozen=True, slots=True)
class NukidoraMove:
    """A north laid beside the hand as a dora, where three play."""

    player: int


@dataclass(frozen=True, slots=True)
class Dora:
    """Another indicator is turned over."""

    tile: Tile


Move = Draw | Discard | Call | NukidoraMove | Dora


@dataclass(frozen=True, slots=True)
class LoggedWin:
    """Who won on whose tile, his own for a self-draw. ``ura``: the ura indicators, where they were opened."""

    player: int
    source: int
    ura: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class LoggedDraw:
    """A deal that nobody won. ``kind``: ``draw``, ``nagashi``, or an abortive draw; None where the log does
    not say, ``tenpai`` likewise."""

    kind: str | None = None
    tenpai: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand of the game.

    ``number``: how often the deal has passed on. ``points``: what the players have before it; ``hands``:
    their 13 tiles. ``end``: the winners, or how it was drawn. ``paid``: by player what the log says that all
    get and pay at its end, bets on the table included, None where it does not say.
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
        """Raises :class:`LogError` for what speaks of players or rounds that there are none of."""
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
    text. ``final``: the points at its end, None where the log does not say. ``cut``: whether it breaks off in
    a hand after these."""

    format: str
    names: tuple[str, ...]
    rules: str
    deals: tuple[Deal, ...]
    final: Points | None = None
    cut: bool = False
