"""Questions about a hand that a player won: what it paid, and what it could have paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from scorer.hand import Hand, Win
from scorer.rules import RuleSet
from scorer.score import Score
from scorer.telling.near import ChangeKind, near_misses
from scorer.telling.sentence import Name, Sentence, StepKind, say
from scorer.tiles import COPIES, KINDS, TILES, Tile, count_kinds
from scorer.wait_values import scored
from tehai.learn.answers import NumberAnswer, WaitAnswer
from tehai.learn.deal import Deal
from tehai.learn.exercise import Exercise, Part, Setting
from tehai.learn.pose.common import finished, fitted, lesson


def look_back(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """A question about the hand; None if it has no answer."""
    deal = fitted(deal, setting)
    won = scored(deal.hand, deal.win, setting.rules)
    if won is None:
        return None
    if what == "paid":
        question, part = say("ask.own_paid"), Part(NumberAnswer(won.points, "points"))
    elif what == "dama":
        if not deal.win.has_riichi:
            return None
        silent = scored(deal.hand, deal.win.without_riichi(), setting.rules)
        points = 0 if silent is None else silent.points
        question, part = say("ask.own_dama", riichi=Name("riichi")), Part(NumberAnswer(points, "points"))
    else:
        found = _pinfu_by_one(deal, won, setting.rules)
        if found is None:
            return None
        question, part = found
    passages = lesson(deal, setting, StepKind.YAKU, StepKind.DORA, StepKind.FU, StepKind.LOOKUP,
                      StepKind.CHOICE, StepKind.LUCK)  # fmt: skip
    return Exercise(f"own.{what}", question, finished(deal, setting), (part,), passages, deal.origin)


def _pinfu_by_one(deal: Deal, won: Score, rules: RuleSet) -> tuple[Sentence, Part] | None:
    """Ask which tile would make it pinfu: another in place of one, or another of the sequence as the last."""
    hand, win = deal.hand, deal.win
    for miss in near_misses(hand, win, rules):
        if miss.yaku != "pinfu":
            continue
        if miss.change.kind is ChangeKind.WAIT:
            sequence = won.reading.groups[won.reading.win_group].tiles
            hands = {tile.kind: _with_last(hand, tile) for tile in sequence if tile in hand.concealed}
            return say("ask.own_last", tiles=sequence), _tiles_of_pinfu(hands, win, rules)
        if miss.change.kind not in (ChangeKind.WIN_TILE, ChangeKind.EXCHANGE):
            continue
        out, held, last = miss.change.out[0], count_kinds(hand.tiles), miss.change.kind is ChangeKind.WIN_TILE
        others = [TILES[kind] for kind in range(KINDS) if held[kind] < COPIES and kind != out.kind]
        hands = {
            tile.kind: replace(hand, win_tile=tile) if last else _instead(hand, out, tile) for tile in others
        }
        return say("ask.own_pinfu", tile=(out,)), _tiles_of_pinfu(hands, win, rules)
    return None


def _tiles_of_pinfu(hands: Mapping[int, Hand], win: Win, rules: RuleSet) -> Part:
    """The tiles with which the hand is pinfu."""
    won = {kind: scored(hand, win, rules) for kind, hand in hands.items()}
    return Part(WaitAnswer(tuple(sorted(k for k, one in won.items() if one and "pinfu" in dict(one.yaku)))))


def _instead(hand: Hand, out: Tile, into: Tile) -> Hand:
    if out not in hand.concealed:
        return replace(hand, win_tile=into)
    at = hand.concealed.index(out)
    return replace(hand, concealed=(*hand.concealed[:at], into, *hand.concealed[at + 1 :]))


def _with_last(hand: Hand, tile: Tile) -> Hand:
    """The same tiles with that one last."""
    return replace(_instead(hand, tile, hand.win_tile), win_tile=tile)
