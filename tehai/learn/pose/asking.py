"""Questions before a win: furiten, riichi, robbing a kan, and what can still change the score."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

from scorer.asking.plan import apply_defaults, plan
from scorer.hand import Hand, Win
from scorer.score import check
from scorer.status import HandStatus
from scorer.telling.near import with_riichi
from scorer.telling.sentence import Line, Name, Sentence, Tiles, say
from scorer.tenpai import FuritenKind, furiten
from scorer.tiles import COPIES, KINDS, TILES, count_kinds
from scorer.wait_values import wait_values
from tehai.learn.answers import ChosenAnswer, WaitAnswer, YesNoAnswer
from tehai.learn.deal import Deal, record_of
from tehai.learn.exercise import Exercise, Part, Passage, Setting
from tehai.learn.pose.common import finished, fitted, waiting, waits_plainly, winds
from tehai.learn.pose.shape import spoilt, wait_lines

_SOURCE: Final = "EMA 2008 §3.4.5"


def ask(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """A question that players ask at the table."""
    return _ASK[what](fitted(deal, setting), setting, random)


# --- furiten ------------------------------------------------------------------------------------------------


def _winnable(deal: Deal, setting: Setting) -> tuple[int, ...]:
    """The kinds that the hand waits for, if a ron on each has a yaku; else none."""
    waited = waits_plainly(deal, deal.hand.concealed)
    if not waited:
        return ()
    values = wait_values(deal.hand.concealed, deal.hand.melds, _bare(deal), setting.rules)
    return waited if all(one.ron is not None and one.left for one in values) else ()


def _bare(deal: Deal) -> Win:
    """A ron in the player's seat, with riichi if it was declared, and nothing else."""
    win = deal.win
    return Win(tsumo=False, seat_wind=win.seat_wind, round_wind=win.round_wind, riichi=win.riichi)


def _declared(win: Win) -> tuple[Sentence, ...]:
    return (winds(win), say("fact.declared", riichi=Name("riichi"))) if win.riichi else (winds(win),)


def _own_discards(deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    waited = _winnable(deal, setting)
    if not waited:
        return None
    discards = _discards(deal, waited, random)
    found = furiten(deal.hand.concealed, deal.hand.melds, discards=discards)
    if found is None:
        why = Line(say("explain.not_discarded"), source=_SOURCE)
    else:
        tiles = tuple(TILES[kind] for kind in found.tiles)
        why = Line(say("furiten.own_discard", tiles=tiles), source=_SOURCE)
    facts = (*_declared(deal.win), say("fact.discards", tiles=discards))
    return _ron("ask.furiten", deal, facts, () if found else waited, why)


_DISCARDS: Final = (6, 10)
_FURITEN_SHARE: Final = 0.5


def _discards(deal: Deal, waited: tuple[int, ...], random: Random) -> Tiles:
    """A row of discards. In about half of the cases it has a tile of the wait."""
    held = count_kinds(deal.hand.tiles)
    others = [kind for kind in range(KINDS) for _ in range(COPIES - held[kind]) if kind not in waited]
    discards = random.sample(others, random.randint(*_DISCARDS))
    left = [kind for kind in waited if count_kinds(deal.hand.concealed)[kind] < COPIES]
    if left and random.random() < _FURITEN_SHARE:
        discards[random.randrange(len(discards))] = random.choice(left)
    return tuple(TILES[kind] for kind in discards)


_PASSED: Final = {
    "passed_now": (False, True),
    "passed_before": (False, False),
    "passed_riichi": (True, True),
}
"""When a winning tile was let pass, by the message that tells it: whether riichi was declared, whether it
counts still (EMA 2008 §3.4.5)."""


def _passed(deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    waited = _winnable(deal, setting)
    when = random.choice([name for name, (riichi, _) in _PASSED.items() if riichi == deal.win.riichi])
    riichi, counts = _PASSED[when]
    if not waited:
        return None
    tile = TILES[random.choice(waited)]
    passed = (tile,) if counts else ()
    found = furiten(deal.hand.concealed, deal.hand.melds, discards=(), passed=passed, riichi=riichi)
    reasons = {None: "explain.passed_before", FuritenKind.TEMPORARY: "explain.passed_now",
               FuritenKind.RIICHI: "explain.passed_riichi"}  # fmt: skip
    why = Line(Sentence(reasons[found.kind if found else None]), source=_SOURCE)
    facts = (*_declared(deal.win), say("fact.none_discarded"), say(f"fact.{when}", tile=(tile,)))
    return _ron("ask.passed", deal, facts, () if found else waited, why)


def _ron(topic: str, deal: Deal, facts: tuple[Sentence, ...], right: tuple[int, ...], why: Line) -> Exercise:
    concealed = deal.hand.concealed
    explanation = Passage((*wait_lines(concealed, deal), why))
    parts = (Part(WaitAnswer(right, "how.tiles")),)
    return Exercise(
        topic, say("ask.ron"), waiting(deal, concealed, *facts), parts, (explanation,), deal.origin
    )


# --- riichi -------------------------------------------------------------------------------------------------

_OPEN_SHARE: Final = 0.35
_SHORT_SHARE: Final = 0.3
_WALL: Final = (12, 50)
"""Tiles left in the wall where there are enough."""


def _riichi(deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    hand, rules = deal.hand, setting.rules
    if not hand.is_closed and random.random() > _OPEN_SHARE:
        return None
    concealed = hand.concealed
    if random.random() < _SHORT_SHARE:
        concealed = spoilt(deal, random) or concealed
    waited = waits_plainly(deal, concealed)
    if waited is None:
        return None
    short = rules.riichi_wall > 0 and random.random() < _SHORT_SHARE
    wall = random.randrange(rules.riichi_wall) if short else random.randint(*_WALL)
    closed = with_riichi(replace(hand, concealed=concealed), Win(tsumo=False)) is not None
    reasons = [
        (not closed, say("explain.riichi_open")),
        (not waited, say("explain.riichi_noten")),
        (wall < rules.riichi_wall, say("explain.riichi_wall", least=rules.riichi_wall)),
    ]
    wrong = [Line(sentence) for holds, sentence in reasons if holds]
    if len(wrong) > 1:
        return None
    lines = (*wait_lines(concealed, deal), *(wrong or [Line(say("explain.riichi_allowed"))]))
    shown = waiting(deal, concealed, say("fact.wall", left=wall), say("fact.points_enough"))
    parts = (Part(YesNoAnswer(not wrong)),)
    return Exercise("ask.riichi", say("ask.riichi"), shown, parts, (Passage(lines),), deal.origin)


# --- robbing a kan -----------------------------------------------------------------------------------------

_CONCEALED_SHARE: Final = 0.3
_WAIT_SHARE: Final = 0.6


def _chankan(deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    hand = deal.hand
    waited = waits_plainly(deal, hand.concealed)
    held = count_kinds((*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)))
    free = [kind for kind in range(KINDS) if not held[kind]]
    on_wait = random.random() < _WAIT_SHARE
    candidates = [kind for kind in free if waited and (kind in waited) == on_wait]
    if not waited or not candidates:
        return None
    tile = TILES[random.choice(candidates)]
    ankan = random.random() < _CONCEALED_SHARE
    win = replace(_bare(deal), chankan=True, robbed_ankan=ankan, loser_offset=1)
    status = check(replace(hand, win_tile=tile), win, setting.rules)
    facts = (*_declared(deal.win), say("fact.not_furiten"))
    shown = waiting(deal, hand.concealed, *facts, say("fact.ankan" if ankan else "fact.kakan", tile=(tile,)))
    lines = (*wait_lines(hand.concealed, deal), Line(_why_not(status, ankan), source="EMA 2008 §4.2.1"))
    parts = (Part(YesNoAnswer(status is HandStatus.VALID)),)
    return Exercise("ask.chankan", say("ask.chankan"), shown, parts, (Passage(lines),), deal.origin)


def _why_not(status: HandStatus, ankan: bool) -> Sentence:
    """Why a kan may be robbed or not, by what the rules say of the win."""
    if status is HandStatus.VALID:
        return say("explain.chankan_ankan" if ankan else "explain.chankan")
    if HandStatus.NOT_A_WIN in status:
        return say("explain.chankan_no_wait")
    return say("explain.chankan_no_ankan" if ankan else "explain.chankan_no_yaku")


# --- what can still change the score ------------------------------------------------------------------------

_ASKED: Final = (("tsumo", ("tsumo",)), ("dealer", ("dealer", "seat_wind")), ("round", ("round_wind",)),
                 ("riichi", ("riichi",)))  # fmt: skip
"""Things to ask for: the message that names each, and the fields of the questions that ask for it."""


def _facts(deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    record = _open(deal.hand, setting)
    open_ = plan(record, dict.fromkeys(record, "asked"))
    if open_.reach is None:
        return None
    fields = {question.field for question in open_.questions}
    matter = {name: any(field in fields for field in asked) for name, asked in _ASKED}
    if not any(matter.values()):
        return None
    options = {number: matter[name] for number, (name, _) in enumerate(_ASKED, 1)}
    facts = tuple(
        say("fact.option", number=number, what=Sentence(f"option.{name}"))
        for number, (name, _) in enumerate(_ASKED, 1)
    )
    shown = replace(finished(deal, setting), facts=(say("fact.nothing_else"), *facts))
    lines = tuple(
        Line(Sentence(f"explain.{name}_{'matters' if matter[name] else 'same'}")) for name, _ in _ASKED
    )
    parts = (Part(ChosenAnswer(options)),)
    return Exercise("ask.facts", say("ask.facts"), shown, parts, (Passage(lines),), deal.origin)


def _open(hand: Hand, setting: Setting) -> dict[str, Any]:
    """The record of the tiles with everything told but what may be asked for."""
    rest = {"rules": setting.preset, **record_of(hand)}
    asked = {field for _, fields in _ASKED for field in fields}
    return {name: value for name, value in apply_defaults(rest).items() if name not in asked}


_ASK: Final = {
    "furiten": _own_discards,
    "passed": _passed,
    "riichi": _riichi,
    "chankan": _chankan,
    "facts": _facts,
}
