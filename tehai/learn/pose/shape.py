"""The shape of a hand: its sets and pair, and what it waits for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from scorer.hand import Hand
from scorer.readings import Form, GroupType, Reading, Wait, readings
from scorer.telling.sentence import Line, Name, Sentence, Tiles, say
from scorer.telling.steps import WAIT_TERMS, group_name
from scorer.tenpai import wait_kinds
from scorer.tiles import KINDS, TILES, count_kinds
from tehai.learn.answers import GroupsAnswer, WaitAnswer
from tehai.learn.deal import Deal, in_order
from tehai.learn.exercise import Exercise, Part, Passage, Setting, Shown
from tehai.learn.pose.common import waiting, waits_plainly


def _is_flush(hand: Hand) -> bool:
    return len({tile.suit for tile in hand.tiles}) == 1


_HANDS: Final[Mapping[str, Callable[[Hand, Form], bool]]] = {
    "sets": lambda hand, form: form is Form.STANDARD and not hand.melds and not _is_flush(hand),
    "called": lambda hand, form: 1 <= len(hand.melds) <= 2 and not _is_flush(hand),
    "pairs": lambda hand, form: form is Form.SEVEN_PAIRS,
    "flush": lambda hand, form: form is Form.STANDARD and not hand.melds and _is_flush(hand),
}
"""The finished hands of a topic."""


def find_the_groups(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """Divide the concealed tiles into sets and pair, if there is only one way."""
    hand = deal.hand
    found = readings(hand, tsumo=True, four_alike_are_pairs=setting.rules.four_alike_are_pairs)
    ways = {_cut(reading) for reading in found}
    if len(ways) != 1 or not _HANDS[what](hand, found[0].form) or found[0].form is Form.THIRTEEN_ORPHANS:
        return None
    groups = tuple(group for group in found[0].groups if not group.melded)
    shown = Shown(concealed=in_order((*hand.concealed, hand.win_tile)), melds=hand.melds)
    lines = (
        Line(say(f"form.{found[0].form}")),
        *(
            Line(say("group.plain", set=group_name(group.type, found[0].form)), groups=(group.tiles,))
            for group in groups
        ),
    )
    answer = GroupsAnswer(tuple(in_order(group.tiles) for group in groups))
    question = say("ask.groups_called" if hand.melds else "ask.groups")
    return Exercise(f"groups.{what}", question, shown, (Part(answer),), (Passage(lines),), deal.origin)


def _cut(reading: Reading) -> tuple[tuple[GroupType, int], ...]:
    """The concealed groups, whichever tile was the winning one."""
    return tuple(sorted((group.type, group.kind) for group in reading.groups if not group.melded))


_MANY: Final = 3


def find_the_wait(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """The tiles that thirteen tiles wait for, if any."""
    concealed = deal.hand.concealed if what != "noten" else spoilt(deal, random)
    if concealed is None:
        return None
    kinds = waits_plainly(deal, concealed)
    if kinds is None or not _is_about(what, concealed, deal):
        return None
    return Exercise(
        f"tenpai.{what}",
        say("ask.wait"),
        waiting(deal, concealed),
        (Part(WaitAnswer(kinds, concealed=concealed)),),
        (Passage(wait_lines(concealed, deal)),),
        deal.origin,
    )


def _is_about(what: str, concealed: Tiles, deal: Deal) -> bool:
    found = wait_kinds(concealed, deal.hand.melds)
    if what == "noten":
        return not found
    if what == "many":
        return len(found) >= _MANY
    return bool(found) and set(found.values()) == {frozenset({Wait(what)})} and len(found) < _MANY


def wait_lines(concealed: Tiles, deal: Deal) -> tuple[Line, ...]:
    """A line for each tile that finishes the hand, with its kinds of wait."""
    lines = []
    for kind, ways in wait_kinds(concealed, deal.hand.melds).items():
        names = tuple(dict.fromkeys(Name(WAIT_TERMS[way]) for way in sorted(ways)))
        lines.append(Line(say("explain.wait", wait=names), groups=((TILES[kind],),)))
    return tuple(lines) or (Line(Sentence("waits.none")),)


def spoilt(deal: Deal, random: Random) -> Tiles | None:
    """The tiles with one exchanged for a neighbour, so that they look like tenpai."""
    concealed = list(deal.hand.concealed)
    at = random.randrange(len(concealed))
    old = concealed[at].kind
    near = [
        kind for kind in (old - 2, old - 1, old + 1, old + 2) if 0 <= kind < KINDS and kind // 9 == old // 9
    ]
    new = random.choice(near)
    held = count_kinds(deal.hand.tiles)
    if held[new] >= 4:
        return None
    concealed[at] = TILES[new]
    return in_order(concealed)
