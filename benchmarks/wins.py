"""Random legal wins, for tests and for commands that compare scorers: :func:`random_win`.

The hands are those that the drills deal; a scorer is to stand more that may come with them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from scorer import Hand, RuleSet, Tile, Win, Wind, load_rules
from scorer.tiles import COPIES, KINDS, TILES, format_tiles
from tehai.learn.deal import dealt, record_of

_DEALT_UNDER: Final = {True: load_rules("tenhou"), False: load_rules("reference")}
"""Rules with a red five of each suit, and with none."""


@dataclass(frozen=True, slots=True)
class RandomWin:
    """A hand that is one, won in a way that can be; it may have no yaku."""

    hand: Hand
    win: Win

    def to_record(self, rules: RuleSet) -> dict[str, Any]:
        """The same as a hand record."""
        win = self.win
        fields = {name: getattr(win, name) for name in Win.__dataclass_fields__}
        return {
            **fields,
            **record_of(self.hand),
            "rules": rules.id,
            "seat_wind": str(win.seat_wind),
            "round_wind": str(win.round_wind),
            "dora_indicators": [str(tile) for tile in win.dora_indicators],
            "ura_indicators": [str(tile) for tile in win.ura_indicators],
            "discards": format_tiles(win.discards),
        }


def random_win(random: Random, reds: bool = True) -> RandomWin:
    """A win with all that may come with one: melds of every kind, red fives, flags, dora, counters, bets.

    ``reds``: whether one five of each suit is red. Nobody is liable, and the win is the first on its discard.
    """
    rules = _DEALT_UNDER[reds]
    drawn = dealt(random, rules)
    hand, win = drawn.hand, drawn.win
    # a kong that was robbed had the other three of the tile
    wall = [tile for tile in _left(hand, rules) if not (win.chankan and tile.kind == hand.win_tile.kind)]
    opened = random.randint(1, 5)
    indicators = tuple(random.sample(wall, 2 * opened))
    win = replace(
        win,
        round_wind=random.choice(tuple(Wind)),
        dora_indicators=indicators[:opened],
        ura_indicators=indicators[opened:] if win.has_riichi else (),
        riichi_sticks=random.randint(0, 3),
    )
    concealed = tuple(random.sample(hand.concealed, len(hand.concealed)))
    return RandomWin(replace(hand, concealed=concealed), win)


def _left(hand: Hand, rules: RuleSet) -> list[Tile]:
    """The tiles that nobody has yet."""
    wall = Counter(dict.fromkeys(TILES[:KINDS], COPIES))
    for red, many in zip(TILES[KINDS:], rules.red_fives, strict=True):
        wall[TILES[red.kind]] -= many
        wall[red] = many
    wall.subtract(hand.tiles)
    return list(wall.elements())
