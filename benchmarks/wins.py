"""Random legal wins, for tests and for commands that compare scorers: :func:`random_win`.

The hands are those that the drills deal; a scorer is to stand more that may come with them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from scorer import Hand, RuleSet, Tile, Win, load_rules
from scorer.hand import seats_of
from scorer.tiles import COPIES, KINDS, LEFT_OUT, NORTH, TILES
from tehai.learn.deal import Deal, dealt, record_of

_THREE: Final = load_rules("tenhou3")
_DEALT_UNDER: Final = {True: load_rules("tenhou"), False: load_rules("reference")}
"""Rules with a red five of each suit, and with none."""


@dataclass(frozen=True, slots=True)
class RandomWin:
    """A hand that is one, won in a way that can be; it may have no yaku."""

    hand: Hand
    win: Win

    def to_record(self, rules: RuleSet) -> dict[str, Any]:
        """The same as a hand record."""
        return {**self.win.to_record(), **record_of(self.hand), "rules": rules.id}


def random_win(random: Random, reds: bool = True, players: int = 4) -> RandomWin:
    """A win with all that may come with one: melds of every kind, red fives, flags, dora, counters, bets.

    ``reds``: whether one five of each suit is red; of three ``players`` it always is. Nobody is liable, and
    the win is the first on its discard.
    """
    rules = _THREE if players == 3 else _DEALT_UNDER[reds]
    drawn = dealt(random, rules)
    hand, win = drawn.hand, _with_norths(drawn, random) if players == 3 else drawn.win
    # a kan that was robbed had the other three of the tile
    left = _left(hand, rules, win.nukidora)
    wall = [tile for tile in left if not (win.chankan and tile.kind == hand.win_tile.kind)]
    opened = random.randint(1, 5)
    indicators = tuple(random.sample(wall, 2 * opened))
    win = replace(
        win,
        round_wind=random.choice(seats_of(players)),
        dora_indicators=indicators[:opened],
        ura_indicators=indicators[opened:] if win.has_riichi else (),
        riichi_sticks=random.randint(0, 3),
        unnamed=(),  # all of it is known, and other scorers assume otherwise
    )
    concealed = tuple(random.sample(hand.concealed, len(hand.concealed)))
    return RandomWin(replace(hand, concealed=concealed), win)


def _with_norths(drawn: Deal, random: Random) -> Win:
    """How it was won, with norths set aside: none where that would be a call before the first turn."""
    win = drawn.win
    held = sum(tile.kind == NORTH for tile in drawn.hand.tiles)
    first_turn = win.tenhou or win.chiihou or win.renhou
    robbed = win.chankan and drawn.hand.win_tile.kind == NORTH
    norths = 0 if first_turn or robbed else min(COPIES - held, random.choice((0, 1, 1, 2, 3, 4)))
    # the tile drawn for a north may win
    rinshan = norths > 0 and win.tsumo and not (win.ippatsu or win.haitei) and random.random() < 0.1
    return replace(
        win,
        nukidora=norths,
        rinshan=win.rinshan or rinshan,
        dora_indicators=(),
        ura_indicators=(),
    )


def _left(hand: Hand, rules: RuleSet, norths: int) -> list[Tile]:
    """The tiles that nobody has yet. ``norths``: how many were set aside."""
    wall = Counter(dict.fromkeys(TILES[:KINDS], COPIES))
    for red, many in zip(TILES[KINDS:], rules.red_fives, strict=True):
        wall[TILES[red.kind]] -= many
        wall[red] = many
    if rules.players == 3:
        wall.subtract({TILES[kind]: COPIES for kind in LEFT_OUT} | {TILES[NORTH]: norths})
    wall.subtract(hand.tiles)
    return list(wall.elements())
