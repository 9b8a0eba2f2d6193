"""Hands as they are won at a table: ``python -m datasets.natural_hands OUT --hands 200 --seed 1``.

Four simple players draw, discard what keeps them nearest and widest, declare riichi, call value tiles, and
win by ron or tsumo. So these hands look as most evenings' do, and are ours: drills and the course are made of
them (``tehai/learn/natural.jsonl``, a hand record a line).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from scorer.efficiency import discards, shanten
from scorer.hand import Hand, Meld, MeldType, Win, Wind
from scorer.rules import RuleSet, load_rules
from scorer.tenpai import furiten
from scorer.tiles import COPIES, DRAGONS, KINDS, TILES, Tile, format_tiles
from scorer.wait_values import scored

_DEAD_WALL: Final = 14


@dataclass(slots=True)
class _Player:
    seat: Wind
    tiles: list[Tile]
    melds: list[Meld] = field(default_factory=list)
    river: list[Tile] = field(default_factory=list)
    riichi: bool = False

    @property
    def closed(self) -> bool:
        return not self.melds

    def hand(self, win_tile: Tile) -> Hand:
        return Hand(tuple(sorted(self.tiles)), win_tile, tuple(self.melds))


@dataclass(slots=True)
class _Table:
    """One hand of a game. ``wall``: the tiles that are left; the last of them are never drawn."""

    rules: RuleSet
    round_wind: Wind
    wall: list[Tile]
    indicator: Tile
    players: list[_Player]

    def wins(self, player: _Player, tile: Tile, *, tsumo: bool, loser: int | None) -> dict[str, Any] | None:
        """The record of the win, None where there is none."""
        hand = player.hand(tile)
        if shanten((*hand.concealed, tile), hand.melds) != -1:
            return None
        win = Win(tsumo, player.seat, self.round_wind, player.riichi, dora_indicators=(self.indicator,))
        win = replace(win, loser_offset=loser)
        barred = furiten(hand.concealed, hand.melds, discards=tuple(player.river)) if not tsumo else None
        if barred or scored(hand, win, self.rules) is None:
            return None
        return {
            "concealed": format_tiles(hand.concealed),
            "win_tile": str(tile),
            "melds": [
                {"type": str(meld.type), "tiles": format_tiles(meld.tiles), "from": meld.source}
                for meld in hand.melds
            ],
            "tsumo": tsumo,
            "seat_wind": str(player.seat),
            "round_wind": str(self.round_wind),
            "riichi": player.riichi,
            "dora_indicators": [str(self.indicator)],
            **({} if tsumo else {"loser_offset": loser}),
        }

    def play(self) -> dict[str, Any] | None:
        """Until somebody wins, or the wall is drawn."""
        turn, drawn = 0, True
        while len(self.wall) > _DEAD_WALL:
            player = self.players[turn]
            if drawn:
                tile = self.wall.pop()
                if won := self.wins(player, tile, tsumo=True, loser=None):
                    return won
                player.tiles.append(tile)
            out = self.discard(player, player.tiles[-1] if player.riichi else None)
            for offset in (1, 2, 3):
                other = self.players[(turn + offset) % 4]
                if won := self.wins(other, out, tsumo=False, loser=4 - offset):
                    return won
            caller = self.caller(turn, out)
            drawn = caller is None
            turn = (turn + 1) % 4 if caller is None else caller
        return None

    def discard(self, player: _Player, drawn: Tile | None) -> Tile:
        """What goes, and riichi where the hand is tenpai then."""
        best = discards(player.tiles, player.melds, own=player.river)[0]
        out = drawn if drawn is not None else best.tile
        player.tiles.remove(out)
        player.river.append(out)
        if player.closed and not player.riichi and best.ukeire.shanten == 0 and best.ukeire.left:
            player.riichi = True
        return out

    def caller(self, turn: int, out: Tile) -> int | None:
        """The player who takes the discard for a triplet of value tiles, or after a call to improve."""
        for offset in (1, 2, 3):
            at = (turn + offset) % 4
            player = self.players[at]
            value = out.kind in (*DRAGONS, player.seat.kind, self.round_wind.kind)
            if player.riichi or (player.closed and not value):
                continue
            now = shanten(player.tiles, player.melds)
            for meld in self._melds(player, out, offset):
                rest = list(player.tiles)
                held = list(meld.tiles)
                held.remove(out)
                for tile in held:
                    rest.remove(tile)
                if shanten(rest, [*player.melds, meld]) < now:
                    player.tiles, player.melds = rest, [*player.melds, meld]
                    return at
        return None

    def _melds(self, player: _Player, out: Tile, offset: int) -> Iterator[Meld]:
        if player.tiles.count(out) >= 2:
            yield Meld(MeldType.PON, (out,) * 3, 4 - offset)
        if offset == 1 and out.kind < 27:
            suit = out.kind // 9 * 9
            for first in range(max(suit, out.kind - 2), min(suit + 6, out.kind) + 1):
                run = [TILES[first + at] for at in range(3)]
                if all(tile == out or tile in player.tiles for tile in run):
                    yield Meld(MeldType.CHI, tuple(run), 3)


def natural_hands(random: Random, many: int) -> Iterator[dict[str, Any]]:
    """So many hands that were won."""
    rules = load_rules("tenhou")
    while many:
        wall = [TILES[kind] for kind in range(KINDS) for _ in range(COPIES)]
        random.shuffle(wall)
        indicator = wall[0]
        players = [_Player(seat, sorted(wall.pop() for _ in range(13))) for seat in Wind]
        table = _Table(rules, random.choice((Wind.EAST, Wind.SOUTH)), wall, indicator, players)
        if won := table.play():
            yield won
            many -= 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with args.out.open("w", encoding="utf-8") as file:
        for record in natural_hands(Random(args.seed), args.hands):
            file.write(json.dumps(record) + "\n")
            file.flush()


if __name__ == "__main__":
    main()
