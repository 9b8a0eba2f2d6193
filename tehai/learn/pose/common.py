"""Shared parts of exercises about hands: the shown hand, the facts of its win, steps of its lesson."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from scorer.hand import Win
from scorer.readings import Reading, counts_are_complete, kinds_waited
from scorer.score import Score
from scorer.telling.lesson import explain
from scorer.telling.near import all_readings
from scorer.telling.sentence import Name, Sentence, StepKind, Tiles, say
from scorer.tiles import COPIES, KINDS, TILES, count_kinds
from tehai.learn.deal import Deal, in_order
from tehai.learn.exercise import Passage, Setting, Shown

_MOMENTS: Final = (
    "ippatsu", "rinshan", "chankan", "haitei", "houtei", "tenhou", "chiihou", "renhou",
    "tsubame_gaeshi", "kanburi",
)  # fmt: skip
"""Facts that are described by what happened, because their names are the yaku to find."""

_RIICHI: Final = ("double_riichi", "open_riichi", "riichi")
_NEAR: Final = 3
"""The most near misses in an explanation."""

_NEAR_TITLES: Final = tuple(Sentence(f"step.{kind}") for kind in (StepKind.CHOICE, StepKind.LUCK))


def facts(deal: Deal, setting: Setting) -> Iterator[Sentence]:
    """The known facts of the win besides the tiles."""
    win = deal.win
    how = "fact.tsumo" if win.tsumo else "fact.ron"
    yield say(how, tile=(deal.hand.win_tile,))
    yield winds(win)
    for riichi in _RIICHI:
        if getattr(win, riichi):
            yield say("fact.declared", riichi=Name(riichi))
            break
    else:
        if deal.hand.is_closed:
            yield say("fact.no_riichi")
    for moment in _MOMENTS:
        if getattr(win, moment):
            yield say("fact.moment", what=Sentence(f"rule.{moment}"))
    if win.dealer_wins:
        yield say("fact.dealer_wins", many=win.dealer_wins)
    if win.dora_indicators:
        yield say("fact.dora", tiles=win.dora_indicators)
    if win.ura_indicators:
        yield say("fact.ura", tiles=win.ura_indicators)
    if win.dora_count:
        yield say("fact.dora_told", many=win.dora_count)
    if win.ura_count:
        yield say("fact.ura_told", many=win.ura_count)
    if setting.counters:
        yield say("fact.counters", counters=win.honba, bets=win.riichi_sticks)


def winds(win: Win) -> Sentence:
    """The seat and the round."""
    kind = "fact.winds_dealer" if win.is_dealer else "fact.winds"
    return say(kind, seat=say(f"wind.{win.seat_wind}"), round=say(f"wind.{win.round_wind}"))


def finished(deal: Deal, setting: Setting) -> Shown:
    """A finished hand with all its known facts."""
    hand = deal.hand
    return Shown(
        concealed=in_order(hand.concealed),
        last=(hand.win_tile,),
        melds=hand.melds,
        facts=tuple(facts(deal, setting)),
    )


def waiting(deal: Deal, concealed: Tiles, *facts: Sentence) -> Shown:
    """Thirteen tiles with known facts."""
    return Shown(concealed=in_order(concealed), melds=deal.hand.melds, facts=facts)


def unfinished(deal: Deal, tiles: Tiles, changed: int, random: Random) -> Tiles | None:
    """The tiles with so many exchanged for others, none of them red.

    None for four of a kind: books differ on the shanten of such a hand.
    """
    melded = count_kinds(tile for meld in deal.hand.melds for tile in meld.tiles)
    kinds = [tile.kind for tile in tiles]
    for at in random.sample(range(len(kinds)), min(len(kinds), changed)):
        held = count_kinds(TILES[kind] for kind in kinds)
        kinds[at] = random.choice(
            [kind for kind in range(KINDS) if held[kind] + melded[kind] < COPIES - 1 and kind != kinds[at]]
        )
    held = count_kinds(TILES[kind] for kind in kinds)
    if any(one + two >= COPIES for one, two in zip(held, melded, strict=True)):
        return None
    return in_order(TILES[kind] for kind in kinds)


def fitted(deal: Deal, setting: Setting) -> Deal:
    """The deal with counters and riichi sticks only if the setting has them."""
    if setting.counters:
        return deal
    return replace(deal, win=replace(deal.win, honba=0, riichi_sticks=0))


def readings_of(deal: Deal, setting: Setting) -> tuple[Reading, ...]:
    """Every way to read the hand."""
    return all_readings(deal.hand, deal.win, setting.rules)


def is_settled(won: Score) -> bool:
    """Whether no other reading has the same points with other yaku, han or (below yakuman) fu."""
    return all(
        other.points < won.points
        or (other.yaku == won.yaku and other.han == won.han and (won.yakuman or other.fu == won.fu))
        for other in won.other_readings
    )


def waits_plainly(deal: Deal, concealed: Tiles) -> tuple[int, ...] | None:
    """The kinds that finish the hand; None if a fifth tile of a kind would, which beginners dispute."""
    counts = count_kinds(concealed)
    held = count_kinds((*concealed, *(tile for meld in deal.hand.melds for tile in meld.tiles)))
    for kind in range(KINDS):
        if held[kind] == COPIES:
            full = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
            if counts_are_complete(full, len(deal.hand.melds)):
                return None
    return kinds_waited(counts, deal.hand.melds)


def lesson(deal: Deal, setting: Setting, *kinds: StepKind) -> tuple[Passage, ...]:
    """Those steps of the lesson about the hand, with the nearest of the near misses."""
    steps = explain(deal.hand, deal.win, setting.rules, language=setting.language).steps
    passages = [Passage.of(step) for step in steps if step.kind in kinds]
    return tuple(
        replace(one, lines=one.lines[:_NEAR]) if one.title in _NEAR_TITLES else one for one in passages
    )
