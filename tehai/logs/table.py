"""The table during a hand of a log: the tiles of all players, and the hand record of a winner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from scorer.hand import Meld, MeldType
from scorer.liability import liabilities
from scorer.readings import waits
from scorer.rules import RuleSet
from scorer.tiles import KIND_OF, NORTH, TILES, WINDS, YAOCHUU, Tile, format_tiles
from tehai.logs.play import (
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    LogError,
    LoggedWin,
    Move,
    NukidoraMove,
    giver_of,
    source_of,
)

_WALL: Final = {4: 70, 3: 55}
"""By number of players: the number of tiles to draw, replacement tiles included."""

_OF_KANS: Final = ("suukantsu", "rinshan")
"""Yaku that the last kan completes; an added kan is later than its pon."""


class Table:
    """The state of the table. Raises :class:`LogError` for a move with a tile that is not there.

    ``hands``: concealed tiles by player, the drawn one last. ``melds``: by player. ``rivers``: by player,
    called tiles included. ``declared``: the players in riichi, in their order.
    """

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.hands = [list(hand) for hand in deal.hands]
        self.melds: list[list[Meld]] = [[] for _ in deal.hands]
        self.rivers: list[list[Tile]] = [[] for _ in deal.hands]
        self.aside = [0] * deal.players
        self.indicators = [deal.indicator]
        self.declared: list[int] = []
        self.drawn: Tile | None = None
        self.left = _WALL[deal.players]
        self._pending: int | None = None  # the player whose riichi counts unless somebody wins on its tile
        self._double: set[int] = set()
        self._ippatsu: set[int] = set()
        self._untouched = True  # whether nobody has called anything yet
        self._robbable: Call | NukidoraMove | None = (
            None  # a kan that can be robbed; otherwise it counts as a call
        )
        self._replacement = self._rinshan = False
        self._kan = self._after_kan = (
            False  # whether a kan was just declared; whether the last discard followed one
        )
        self._last: Move | None = None

    @classmethod
    def at_end(cls, deal: Deal) -> Table:
        """The table after the last move of the deal."""
        table = cls(deal)
        for _ in table.play():
            pass
        return table

    def play(self) -> Iterator[Move]:
        """Every move, before it is made."""
        for move in self.deal.moves:
            yield move
            self._make(move)
        end = self.deal.end
        is_won = isinstance(end, tuple) or (end.kind or self.abort()) == "triple_ron"
        if not is_won or not isinstance(self._last, Discard):
            self._accept()

    def choices(self) -> Iterator[tuple[Discard, tuple[Tile, ...], tuple[Meld, ...]]]:
        """Every free discard: the tiles of the player, the drawn tile last, and the melds.

        Discards after a riichi are not free, nor those after a call, which forbids some tiles.
        """
        for move in self.play():
            if isinstance(move, Discard) and self.drawn is not None and move.player not in self.declared:
                yield move, tuple(self.hands[move.player]), tuple(self.melds[move.player])

    def _make(self, move: Move) -> None:
        if isinstance(move, Dora):
            self.indicators.append(move.tile)
            return
        self._accept()
        if self._robbable is not None:  # nobody robbed it
            self._interrupt()
            self._robbable = None
        match move:
            case Draw(player, tile):
                self.hands[player].append(tile)
                self.drawn = tile
                self.left -= 1
                self._rinshan, self._replacement = self._replacement, False
            case Discard(player, tile):
                self._take(player, tile)
                if move.riichi:
                    self._pending = player
                    if self._untouched and not self.rivers[player]:
                        self._double.add(player)
                self.rivers[player].append(tile)
                self._after_kan, self._kan = self._kan, False
                self._ippatsu.discard(player)
                self.drawn, self._rinshan = None, False
            case Call(player, meld, tile):
                self._call(player, meld, tile)
            case NukidoraMove(player):
                self._take(player, TILES[NORTH])
                self.aside[player] += 1
                self._robbable, self._replacement, self._kan = move, True, False
        self._last = move

    def _call(self, player: int, meld: Meld, tile: Tile) -> None:
        melds = self.melds[player]
        if meld.type is MeldType.KAKAN:
            self._take(player, tile)
            at = [one.type is MeldType.PON and one.tiles[0].kind == tile.kind for one in melds]
            if True not in at:
                raise self._wrong(player, f"adds {tile} to no pon")
            pon = melds[at.index(True)]
            melds[at.index(True)] = Meld(meld.type, meld.tiles, pon.source)
        else:
            own = list(meld.tiles)
            if meld.type is not MeldType.ANKAN:
                own.remove(tile)
            for one in own:
                self._take(player, one)
            melds.append(meld)
        self._replacement = self._kan = meld.type.is_kan
        if meld.type in (MeldType.KAKAN, MeldType.ANKAN):
            self._robbable = Call(player, meld, tile)
        else:
            self._interrupt()

    def _take(self, player: int, tile: Tile) -> None:
        try:
            self.hands[player].remove(tile)
        except ValueError:
            raise self._wrong(player, f"has no {tile} ({format_tiles(sorted(self.hands[player]))})") from None

    def _wrong(self, player: int, what: str) -> LogError:
        return LogError(f"{self.deal.label}: player {player + 1} {what}; the log cannot be followed.")

    def _accept(self) -> None:
        if self._pending is not None:
            self.declared.append(self._pending)
            self._ippatsu.add(self._pending)
            self._pending = None

    def _interrupt(self) -> None:
        self._ippatsu.clear()
        self._untouched = False

    # --- the end --------------------------------------------------------------------------------------------

    def ready(self) -> tuple[int, ...]:
        """The players in tenpai among those who have not just drawn."""
        return tuple(
            player
            for player, hand in enumerate(self.hands)
            if len(hand) % 3 == 1 and waits(tuple(hand), self.melds[player])
        )

    def nagashi(self) -> tuple[int, ...]:
        """The players with nagashi mangan: only terminals and honours discarded, none called."""
        called = {
            giver_of(move.player, move.meld.source, self.deal.players)
            for move in self.deal.moves
            if isinstance(move, Call) and move.meld.source and move.meld.type is not MeldType.KAKAN
        }
        return tuple(
            player
            for player, river in enumerate(self.rivers)
            if river and player not in called and {*map(_kind, river)} <= YAOCHUU
        )

    def abort(self) -> str | None:
        """The abortive draw of these moves; None if the wall was played to its end."""
        kans = sum(meld.type.is_kan for melds in self.melds for meld in melds)
        first = [river[0] for river in self.rivers if len(river) == 1]
        if len(self.declared) == 4:
            return "four_riichi"
        if kans == 4 and self.left:
            return "four_kongs"
        if self._untouched and len(first) == 4 and len(set(first)) == 1 and first[0].kind in WINDS:
            return "four_winds"
        if self.left and self.drawn is not None and len({*map(_kind, self._on_turn())} & YAOCHUU) >= 9:
            return "nine_terminals"
        if self.left and isinstance(self._last, Discard) and self._finishes_three(self._last):
            return "triple_ron"
        return None

    def _finishes_three(self, last: Discard) -> bool:
        """Whether three players can win on this discard."""
        others = [player for player in range(self.deal.players) if player != last.player]
        waited = [waits(tuple(self.hands[player]), self.melds[player]) for player in others]
        return len(others) == 3 and all(TILES[last.tile.kind] in tiles for tiles in waited)

    def _on_turn(self) -> list[Tile]:
        return next((hand for hand in self.hands if len(hand) % 3 == 2), [])

    def win(self, win: LoggedWin, rules: RuleSet) -> dict[str, Any]:
        """The hand record of a winner (``docs/hand.md``), without facts of the game such as honba."""
        player, tsumo = win.player, win.source == win.player
        concealed = list(self.hands[player])
        if tsumo:
            if not isinstance(self._last, Draw) or self._last.player != player:
                raise self._wrong(player, "wins without a tile drawn")
            tile = self._last.tile
            concealed.remove(tile)
        else:
            tile = self._winning_tile(win)
        riichi = player in self.declared
        first = self._untouched and not self.rivers[player]
        last = not self.left
        robbed = self._robbable if not tsumo and isinstance(self._robbable, Call) else None
        fed = self._last if not tsumo and isinstance(self._last, Discard) else None
        said = {
            "riichi": riichi,
            "double_riichi": riichi and player in self._double,
            "ippatsu": player in self._ippatsu,
            "rinshan": tsumo and self._rinshan,
            "haitei": tsumo and last and not self._rinshan,
            "houtei": not tsumo and last and self._robbable is None,
            "chankan": robbed is not None,
            "robbed_ankan": robbed is not None and robbed.meld.type is MeldType.ANKAN,
            "tenhou": tsumo and first and player == self.deal.dealer,
            "chiihou": tsumo and first and player != self.deal.dealer,
            "renhou": not tsumo and first and player != self.deal.dealer and _plays("renhou", rules),
            "tsubame_gaeshi": fed is not None and fed.riichi and _plays("tsubame_gaeshi", rules),
            "kanburi": fed is not None and self._after_kan and _plays("kanburi", rules),
        }
        in_order: list[Tile] = sorted(concealed, key=_in_order)
        return {
            "concealed": format_tiles(in_order),
            "win_tile": str(tile),
            "melds": [
                {"type": meld.type.value, "tiles": format_tiles(meld.tiles), "from": meld.source}
                for meld in self.melds[player]
            ],
            "tsumo": tsumo,
            "seat_wind": str(self.deal.seat(player)),
            "dora_indicators": [str(one) for one in self.indicators],
            "ura_indicators": [str(one) for one in win.ura] if riichi else [],
            **({} if tsumo else {"loser_offset": source_of(player, win.source, self.deal.players)}),
            **({"pao": pao} if (pao := self._liable(player, concealed, tile, rules)) else {}),
            **({"nukidora": self.aside[player]} if self.aside[player] else {}),
            **said,
        }

    def _winning_tile(self, win: LoggedWin) -> Tile:
        match self._last:
            case Discard(player, tile) | Call(player, _, tile) if player == win.source:
                return tile
            case NukidoraMove(player) if player == win.source:
                return TILES[NORTH]
        raise self._wrong(win.player, f"wins on no tile of player {win.source + 1}")

    def _liable(self, player: int, concealed: list[Tile], tile: Tile, rules: RuleSet) -> int | None:
        """The liable player (pao): who fed the last set that shows the yakuman; None if nobody is liable."""
        closed, melds = (*concealed, tile), self.melds[player]
        for id_, fed in liabilities(closed, melds, rules):
            last = self._last_kan(player) if id_ in _OF_KANS else _completing(id_, closed, melds, rules)
            if last in fed:
                return last.source
        return None

    def _last_kan(self, player: int) -> Meld | None:
        calls = (
            move for move in reversed(self.deal.moves) if isinstance(move, Call) and move.player == player
        )
        return next((call.meld for call in calls if call.meld.type.is_kan), None)


def _completing(id_: str, closed: tuple[Tile, ...], melds: list[Meld], rules: RuleSet) -> Meld:
    """The meld with which the melds, in the order of their calls, first show the yakuman."""
    shown = (melds[:many] for many in range(1, len(melds) + 1))
    return next(part[-1] for part in shown if id_ in dict(liabilities(closed, part, rules)))


def _plays(yaku_id: str, rules: RuleSet) -> bool:
    return any(rules.yaku[yaku_id]) or yaku_id in rules.limit_hands


def _kind(tile: Tile) -> int:
    return KIND_OF[tile]


def _in_order(tile: Tile) -> tuple[int, bool]:
    return KIND_OF[tile], not tile.is_red
