"""Waits with many sides, and whether one of their tiles means furiten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Final

from scorer.hand import Hand, Meld
from scorer.readings import readings
from scorer.telling.sentence import Line, Name, Sentence, Tiles, say
from scorer.telling.steps import WAIT_TERMS
from scorer.tenpai import FuritenKind, furiten
from scorer.tiles import COPIES, KINDS, TILES, count_kinds
from tehai.learn.answers import WaitAnswer
from tehai.learn.deal import Deal, in_order, of_one_suit
from tehai.learn.exercise import Exercise, Part, Passage, Setting
from tehai.learn.pose.common import waiting, waits_plainly, winds

_SOURCE: Final = "EMA 2008 §3.4.5"

_SETS: Final = {"seven": 2, "ten": 3, "thirteen": 4}
"""The number of sets among the concealed tiles of one suit, by topic."""

_LEAST: Final = 3
"""The least number of kinds in such a wait."""


def take_apart(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """All tiles that finish a hand whose concealed tiles are of one suit."""
    made = of_one_suit(random, _SETS[what])
    concealed = made.concealed
    kinds = waits_plainly(replace(deal, hand=made), concealed)
    if kinds is None or len(kinds) < _LEAST:
        return None
    lines = tuple(read_with_each(concealed, made.melds, kinds))
    shown = waiting(replace(deal, hand=made), concealed)
    parts = (Part(WaitAnswer(kinds)),)
    return Exercise(f"blocks.{what}", say("ask.blocks"), shown, parts, (Passage(lines),))


def read_with_each(concealed: Tiles, melds: tuple[Meld, ...], kinds: tuple[int, ...]) -> Iterator[Line]:
    """Every reading of the hand with each tile that finishes it, which is shown apart."""
    for kind in kinds:
        tile = TILES[kind]
        ways: dict[tuple[Tiles, ...], Name] = {}
        for reading in readings(Hand(concealed, tile, melds), tsumo=True):
            last = reading.groups[reading.win_group]
            at = next(at for at, one in enumerate(last.tiles) if one.kind == kind)
            rest = last.tiles[:at] + last.tiles[at + 1 :]
            others = sorted(
                in_order(one.tiles)
                for nth, one in enumerate(reading.groups)
                if nth != reading.win_group and not one.melded
            )
            ways.setdefault((*others, rest, (tile,)), Name(WAIT_TERMS[reading.wait]))
        for groups, wait in ways.items():
            yield Line(say("explain.wait", wait=wait), groups, won=True)


# --- furiten ------------------------------------------------------------------------------------------------

_DISCARDS: Final = (7, 12)
_BARRED_SHARE: Final = 0.55
_SIDES: Final[Mapping[str, tuple[int, int]]] = {"own": (1, 2), "many": (3, 9), "passed": (1, 4)}
"""The number of kinds that the hands of a topic wait for."""


def is_it_furiten(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """The tiles that forbid the hand a ron (furiten), if any."""
    waited = waits_plainly(deal, deal.hand.concealed)
    least, most = _SIDES[what]
    if waited is None or not least <= len(waited) <= most:
        return None
    hand, riichi = deal.hand, deal.win.riichi
    pond = _pond(deal, waited, random, barred=what != "passed" and random.random() < _BARRED_SHARE)
    facts = [winds(deal.win), say("fact.discards", tiles=pond)]
    passed: Tiles = ()
    if what == "passed":
        tile = _passed(deal, waited, pond, random)
        if tile is None:
            return None
        passed = tile
        facts.append(say("fact.passed_riichi" if riichi else "fact.passed_now", tile=tile))
    found = furiten(hand.concealed, hand.melds, discards=pond, passed=passed, riichi=riichi)
    right = tuple(tile.kind for tile in found.tiles) if found else ()
    barring = {"tiles": found.tiles} if found else {}
    lines = (
        *read_with_each(hand.concealed, hand.melds, waited),
        Line(say("explain.waits_for", tiles=tuple(TILES[kind] for kind in waited))),
        Line(Sentence(_WHY[found.kind if found else None], barring), source=_SOURCE),
    )
    parts = (Part(WaitAnswer(right, "how.furiten")),)
    shown = waiting(deal, hand.concealed, *facts)
    return Exercise(f"furiten.{what}", say("ask.barred"), shown, parts, (Passage(lines),), deal.origin)


_WHY: Final = {
    None: "explain.free",
    FuritenKind.OWN_DISCARD: "explain.barred",
    FuritenKind.TEMPORARY: "explain.passed_now",
    FuritenKind.RIICHI: "explain.passed_riichi",
}


def _pond(deal: Deal, waited: tuple[int, ...], random: Random, *, barred: bool) -> Tiles:
    """The player's own discards, with one tile of the wait (``barred``) or none."""
    held = count_kinds(deal.hand.tiles)
    others = [kind for kind in range(KINDS) for _ in range(COPIES - held[kind]) if kind not in waited]
    kinds = random.sample(others, random.randint(*_DISCARDS))
    left = [kind for kind in waited if held[kind] < COPIES]
    if barred and left:
        kinds[random.randrange(len(kinds))] = random.choice(left)
    return tuple(TILES[kind] for kind in kinds)


def _passed(deal: Deal, waited: tuple[int, ...], pond: Tiles, random: Random) -> Tiles | None:
    """A tile that another player has discarded: one of the wait, or a tile near it."""
    gone = count_kinds((*deal.hand.tiles, *pond))
    near = {kind + step for kind in waited for step in (-3, -1, 1, 3) if (kind + step) // 9 == kind // 9}
    among = set(waited) if random.random() < _BARRED_SHARE else near - set(waited)
    free = [kind for kind in sorted(among) if 0 <= kind < KINDS and gone[kind] < COPIES]
    return (TILES[random.choice(free)],) if free else None
