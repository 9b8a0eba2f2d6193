"""Advice in words: how far an unfinished hand is, what to discard, what would bring it nearer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorer.advice import NEAR, Advice, Option, advise
from scorer.efficiency import Ukeire
from scorer.hand import Meld, Win
from scorer.readings import Form
from scorer.rules import RuleSet
from scorer.telling.lesson import Lesson, spoken, taught
from scorer.telling.next_time import next_time
from scorer.telling.sentence import Line, Name, Sentence, Step, StepKind, Tiles, Value, say
from scorer.telling.waits import waits_steps
from scorer.tiles import Tile

_SHOWN = 4
"""How many discards are told one by one; of far hands there are often many that are as good."""


def explain_unfinished(
    concealed: Tiles,
    melds: tuple[Meld, ...],
    win: Win,
    rules: RuleSet,
    *,
    seen: Sequence[Tile] = (),
    language: str = "en",
) -> Lesson:
    """What to do with a hand that is not finished. Raises as :func:`scorer.advice.advise` does."""
    catalogue, rules = spoken(language, rules)
    advice = advise(concealed, melds, win, rules, seen=seen)
    steps = tuple(step for step in _steps(advice, win, rules, seen) if step.lines)
    steps = (*steps, next_time("waits" if advice.outlook and not advice.outlook.shanten else "discard"))
    return taught(Lesson(catalogue, rules, tuple(concealed), None, melds, headline(advice), steps))


def headline(advice: Advice) -> Sentence:
    """The advice in one sentence."""
    outlook = advice.outlook
    if outlook is None:
        return say("headline.finished")
    if not advice.options and outlook.shanten == 0:
        return say("headline.waits", tiles=tuple(outlook.tiles))
    if not advice.options:
        return say("headline.draw", away=_away(outlook.shanten), **_tiles(outlook))
    tile = (advice.options[0].discard.tile,)
    if outlook.shanten == 0:
        return say("headline.discard_ready", tile=tile, **_tiles(outlook))
    return say("headline.discard", away=_away(outlook.shanten), tile=tile, **_tiles(outlook))


def _away(shanten: int) -> Sentence:
    """How far, in words: one away has its own name in Japanese as in English."""
    return say(f"away.{shanten}") if shanten <= 3 else say("away.many", away=shanten)


def _tiles(found: Ukeire) -> dict[str, Value]:
    """How many tiles of how many kinds, each in its number of a language that has one."""
    left, kinds = found.left, len(found.kinds)
    return {
        "left": say("count.tile") if left == 1 else say("count.tiles", many=left),
        "kinds": say("count.kind") if kinds == 1 else say("count.kinds", many=kinds),
    }


def _steps(advice: Advice, win: Win, rules: RuleSet, seen: Sequence[Tile]) -> Iterator[Step]:
    outlook = advice.outlook
    if outlook is None:
        return
    yield Step(StepKind.DISTANCE, tuple(_distance(advice, outlook)))
    if advice.options:
        yield Step(StepKind.DISCARD, tuple(_discards(advice)))
    if outlook.shanten == 0:
        concealed = advice.after(advice.options[0]) if advice.options else advice.concealed
        yield from waits_steps(concealed, advice.melds, win, rules, seen)


def _distance(advice: Advice, outlook: Ukeire) -> Iterator[Line]:
    """How far, by which form, and what draw would help."""
    if outlook.shanten:
        far = say("distance.one") if outlook.shanten == 1 else say("distance.away", away=outlook.shanten)
        yield Line(far, label=Name("shanten"))
    else:
        yield Line(say("distance.ready"), label=Name("tenpai"))
    for form in outlook.forms:
        if form is not Form.STANDARD or len(outlook.forms) > 1:
            yield Line(say("distance.form", form=say(f"form.{form}")))
    if not advice.options and outlook.shanten:
        yield Line(say("discard.draws", **_tiles(outlook)), (outlook.kinds,), label=Name("ukeire"))
    if outlook.gone:
        yield Line(say("discard.gone"), (outlook.gone,))


def _discards(advice: Advice) -> Iterator[Line]:
    """The best discards with what each keeps, the next best, and those that lead back."""
    best, nearest = advice.best, advice.options[0].discard.ukeire.shanten
    shown = _SHOWN if nearest <= NEAR else 1
    alike = len({one.yaku for one in best[:shown]}) == 1
    for one in best[:shown]:
        yield _joined(_keeps(one), *_worth(one, best, tell_yaku=not alike))
    if more := best[shown:]:
        yield Line(say("discard.as_good"), (_tiles_of(more),))
    if alike and best[0].yaku:
        yield _yaku(best[0])
    near = [one for one in advice.options[len(best) :] if one.discard.ukeire.shanten == nearest]
    next_best = max(0, shown - len(best))
    yield from map(_keeps, near[:next_best])
    if fewer := near[next_best:]:
        yield Line(say("discard.fewer"), (_tiles_of(fewer),))
    if back := advice.options[len(best) + len(near) :]:
        yield Line(say("discard.back"), (tuple(sorted(_tiles_of(back))),))


def _joined(line: Line, *more: Line) -> Line:
    """One line that says it all."""
    for other in more:
        line = replace(line, sentence=say("discard.and", first=line.sentence, then=other.sentence))
    return line


def _tiles_of(options: Sequence[Option]) -> Tiles:
    return tuple(one.discard.tile for one in options)


def _worth(one: Option, best: Sequence[Option], *, tell_yaku: bool) -> Iterator[Line]:
    """What speaks against a discard, and what it is worth, where that tells it from its equals."""
    if one.discard.furiten:
        yield Line(say("discard.furiten", tiles=one.discard.furiten))
    if not one.discard.ukeire.left:
        yield Line(say("discard.dead"))
    if one.dora > min(other.dora for other in best):
        yield Line(say("discard.dora", dora=one.dora))
    if tell_yaku and one.yaku:
        yield _yaku(one)


def _yaku(one: Option) -> Line:
    return Line(say("discard.yaku", yaku=tuple(map(Name, one.yaku))))


def _keeps(one: Option) -> Line:
    """What is left after a discard."""
    found = one.discard.ukeire
    kind = "discard.keeps" if found.shanten else "discard.waits"
    return Line(say(kind, tile=(one.discard.tile,), **_tiles(found)), (found.kinds,))
