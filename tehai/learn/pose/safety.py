"""Which tile is safe against whom, by discards and by walls (kabe)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from scorer.readings import Wait, is_complete
from scorer.safety import Danger, WaitOnTile, danger, ways_to_win
from scorer.telling.sentence import Line, Sentence, Tiles, say
from scorer.tiles import COPIES, HONOURS, KINDS, TILES, YAOCHUU, Tile, count_kinds
from tehai.learn.answers import ChosenAnswer, WaitAnswer
from tehai.learn.deal import Deal, in_order
from tehai.learn.exercise import Exercise, Part, Passage, Setting, Shown
from tehai.learn.pose.common import unfinished

_PLAYERS: Final = ("right", "across", "left")
_CHANGED: Final = (1, 4)
"""How many tiles of a finished hand to exchange, so that there is one to discard."""

_RIVER: Final = (7, 11)
_MOST_SINCE: Final = 3
"""How many discards of each of the others may have come after the riichi."""

_WALL: Final = 3
"""How many copies of a tile the others have discarded to make a wall."""

_MOST_SAFE: Final = 4


@dataclass(frozen=True, slots=True)
class _Table:
    """``rivers``: the discards of the three others, from the right. ``since``: the others' discards since the
    riichi."""

    hand: Tiles
    melded: Tiles
    rivers: tuple[Tiles, Tiles, Tiles]
    declared: int
    since: Tiles

    @property
    def seen(self) -> Tiles:
        return (*self.hand, *self.melded, *(tile for river in self.rivers for tile in river))

    def passed(self, player: int) -> Tiles:
        """The tiles on which this player cannot win any more."""
        return (*self.rivers[player], *(self.since if player == self.declared else ()))

    def ways(self, tile: Tile, player: int) -> tuple[WaitOnTile, ...]:
        return ways_to_win(tile, self.passed(player), self.seen)


def who_is_safe(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """Which tile to discard against a riichi, or whom a tile is safe against."""
    table = _laid(deal, random, wall=what == "walls")
    if table is None:
        return None
    if what == "whom":
        return _whom(table, deal, random)
    return _all_safe(table, deal) if what == "genbutsu" else _safest(what, table, deal, random)


def _laid(deal: Deal, random: Random, *, wall: bool) -> _Table | None:
    """A table in the middle of a hand, with tiles that can be there."""
    hand = unfinished(deal, (*deal.hand.concealed, deal.hand.win_tile), random.randint(*_CHANGED), random)
    if hand is None or is_complete(hand, deal.hand.melds):
        return None
    melded = tuple(tile for meld in deal.hand.melds for tile in meld.tiles)
    held = count_kinds((*hand, *melded))
    stock = [TILES[kind] for kind in range(KINDS) for _ in range(COPIES - held[kind])]
    random.shuffle(stock)
    lengths = [random.randint(*_RIVER) for _ in _PLAYERS]
    thrown = stock[: sum(lengths)]
    if wall:
        kinds = [kind for kind in range(27) if 1 <= held[kind] < COPIES]
        if not kinds:
            return None
        tile = TILES[random.choice(kinds)]
        missing = stock.count(tile) - thrown.count(tile)
        for at in random.sample([at for at, one in enumerate(thrown) if one != tile], missing):
            thrown[at] = tile
    rivers = []
    for length in lengths:
        mine, thrown = thrown[:length], thrown[length:]
        rivers.append(tuple(sorted(mine, key=lambda tile: (tile.kind not in YAOCHUU, random.random()))))
    declared = random.randrange(len(_PLAYERS))
    # those who sit between the player with riichi and the learner have discarded at least once since
    counts = [random.randint(int(at > declared), _MOST_SINCE) for at in range(len(_PLAYERS))]
    since = tuple(
        tile
        for at, (river, count) in enumerate(zip(rivers, counts, strict=True))
        if at != declared
        for tile in river[len(river) - count :]
    )
    right, across, left = rivers
    return _Table(hand, melded, (right, across, left), declared, since)


def _facts(table: _Table) -> Iterator[Sentence]:
    for at, (name, river) in enumerate(zip(_PLAYERS, table.rivers, strict=True)):
        kind = "fact.river_riichi" if at == table.declared else "fact.river"
        yield say(kind, who=Sentence(f"player.{name}"), tiles=river)
    if table.since:
        yield say("fact.since", tiles=table.since)


def _shown(table: _Table, deal: Deal, *more: Sentence) -> Shown:
    return Shown(concealed=table.hand, melds=deal.hand.melds, facts=(*_facts(table), *more))


def _all_safe(table: _Table, deal: Deal) -> Exercise | None:
    """All tiles of the hand on which the player with riichi cannot win."""
    kinds = sorted({tile.kind for tile in table.hand})
    ranks = {kind: danger(table.ways(TILES[kind], table.declared)) for kind in kinds}
    safe = tuple(kind for kind, rank in ranks.items() if rank is Danger.NOTHING)
    if not 1 <= len(safe) <= _MOST_SAFE:
        return None
    who = _who(table.declared)
    passage = Passage(tuple(_reasons(table, [TILES[kind] for kind in safe], table.declared)))
    parts = (Part(WaitAnswer(safe, "how.tiles_any", tuple(kinds))),)
    question = say("ask.genbutsu", who=who)
    return Exercise("safe.genbutsu", question, _shown(table, deal), parts, (passage,), deal.origin)


def _who(player: int) -> Sentence:
    return Sentence(f"player.{_PLAYERS[player]}")


def _safest(what: str, table: _Table, deal: Deal, random: Random) -> Exercise | None:
    """The safest of a few tiles of the hand, where the topic makes the difference."""
    kinds = sorted({tile.kind for tile in table.hand if what == "rank" or tile.kind not in HONOURS})
    ranks = {kind: danger(table.ways(TILES[kind], table.declared)) for kind in kinds}
    fitting = [kind for kind in kinds if _is_about(what, table, kind, ranks[kind])]
    if not fitting:
        return None
    best = random.choice(fitting)
    worse = [kind for kind in kinds if ranks[kind] > ranks[best] and ranks[kind] >= Danger.ONE_SIDE]
    if len(worse) < 2:
        return None
    chosen = [best, *random.sample(worse, min(3, len(worse)))]
    chosen.sort(key=lambda kind: (ranks[kind], kind))
    tiles = [TILES[kind] for kind in chosen]
    question = say("ask.safest", who=_who(table.declared), tiles=in_order(tiles))
    passage = Passage(tuple(_reasons(table, tiles, table.declared)))
    parts = (Part(WaitAnswer((best,), "how.one_tile", tuple(chosen))),)
    return Exercise(f"safe.{what}", question, _shown(table, deal), parts, (passage,), deal.origin)


def _is_about(what: str, table: _Table, kind: int, rank: Danger) -> bool:
    """Whether the tile is safer because of discards (suji), of walls, or by itself."""
    tile = TILES[kind]
    if what == "rank":
        return rank <= Danger.ONE_TILE
    if not Danger.NOTHING < rank < Danger.ONE_SIDE:
        return False
    if what == "suji":
        return danger(ways_to_win(tile, (), table.seen)) >= Danger.ONE_SIDE
    return danger(ways_to_win(tile, table.passed(table.declared), (tile,))) >= Danger.ONE_SIDE


def _whom(table: _Table, deal: Deal, random: Random) -> Exercise | None:
    """Against which of the three a tile is safe.

    Not the tiles that were just discarded: whoever let them pass has not discarded since (EMA 2008 §3.4.5).
    """
    just = {river[-1].kind for river in table.rivers[1:]}
    found = []
    for kind in sorted({tile.kind for tile in table.hand} - just):
        safe = [danger(table.ways(TILES[kind], player)) is Danger.NOTHING for player in range(len(_PLAYERS))]
        if 1 <= sum(safe) <= 2:
            found.append((TILES[kind], safe))
    if not found:
        return None
    tile, safe = random.choice(found)
    options = dict(enumerate(safe, 1))
    facts = tuple(
        say("fact.option", number=number, what=_who(player))
        for number, player in enumerate(range(len(_PLAYERS)), 1)
    )
    lines = [
        Line(say("explain.against", who=_who(player), why=_reason(table, tile, player)))
        for player in range(len(_PLAYERS))
    ]
    shown = _shown(table, deal, *facts)
    question = say("ask.whom", tile=(tile,))
    parts = (Part(ChosenAnswer(options)),)
    return Exercise("safe.whom", question, shown, parts, (Passage(tuple(lines)),), deal.origin)


# --- why ----------------------------------------------------------------------------------------------------


def _reasons(table: _Table, tiles: Sequence[Tile], player: int) -> Iterator[Line]:
    """A line for each tile, with what excludes two-sided waits on it."""
    for tile in tiles:
        yield Line(_reason(table, tile, player), ((tile,),))
        ways = table.ways(tile, player)
        if danger(ways) is not Danger.NOTHING:
            yield from (
                Line(_barred(way)) for way in ways if way.wait is Wait.RYANMEN and not way.is_possible
            )


def _reason(table: _Table, tile: Tile, player: int) -> Sentence:
    """The danger rank in words."""
    rank = danger(table.ways(tile, player))
    if rank is not Danger.NOTHING:
        return Sentence(f"danger.{rank.name.lower()}")
    kinds = {one.kind for one in table.rivers[player]}
    if tile.kind in kinds:
        return say("danger.genbutsu")
    passed = {one.kind for one in table.passed(player)}
    return say("danger.passed" if tile.kind in passed else "danger.nothing")


def _barred(way: WaitOnTile) -> Sentence:
    if way.barred is not None:
        return say("explain.suji", held=way.held, tile=(way.barred,))
    assert way.gone is not None
    return say("explain.wall", held=way.held, tile=(way.gone,))
