"""Advice as a lesson: the shanten of an unfinished hand, what to discard, which draws help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from scorer.advice import COMPARED_DRAWS, MAX_YAKU_SHANTEN, Advice, Option, advise
from scorer.efficiency import Ukeire
from scorer.expected import DRAWS
from scorer.hand import Meld, Win
from scorer.readings import Form
from scorer.rules import RuleSet
from scorer.safety import Reason, Risk, River
from scorer.telling.lesson import Lesson, spoken, with_explanations
from scorer.telling.next_time import next_time
from scorer.telling.sentence import Grid, Line, Name, Sentence, Step, StepKind, Tiles, Value, say
from scorer.telling.waits import waits_steps
from scorer.tiles import NORTH, TILES, Tile
from scorer.wait_values import Bar, Price

_SHOWN = 4
"""How many discards get a line of their own. Hands of high shanten often have many equal ones."""


def explain_unfinished(
    concealed: Tiles,
    melds: tuple[Meld, ...],
    win: Win,
    rules: RuleSet,
    *,
    seen: Sequence[Tile] = (),
    rivers: Sequence[River] = (),
    language: str = "en",
) -> Lesson:
    """The advice for an unfinished hand as a lesson. Raises as :func:`scorer.advice.advise` does."""
    advice = advise(concealed, melds, win, rules, seen=seen, rivers=rivers)
    seen = (*seen, *(tile for river in rivers for tile in river.tiles))
    return explain_advice(advice, win, rules, seen=seen, language=language)


def explain_advice(
    advice: Advice, win: Win, rules: RuleSet, *, seen: Sequence[Tile] = (), language: str = "en"
) -> Lesson:
    """The advice as a lesson. ``win``, ``rules``: those of the advice. ``seen``: visible tiles with
    rivers."""
    catalogue, rules = spoken(language, rules)
    steps = tuple(step for step in _steps(advice, win, rules, seen) if step.lines)
    steps = (*steps, next_time("waits" if advice.outlook and not advice.outlook.shanten else "discard"))
    return with_explanations(
        Lesson(catalogue, rules, advice.concealed, None, advice.melds, headline(advice), steps)
    )


def headline(advice: Advice) -> Sentence:
    """The advice in one sentence, with the risk of the best discard if known."""
    worth = _worth_of(advice)
    risks = advice.options[0].risks if advice.options else ()
    return say("headline.risk", worth=worth, risk=risk_sentence(risks[0])) if risks else worth


def _worth_of(advice: Advice) -> Sentence:
    """The advice in one sentence without risks."""
    outlook = advice.outlook
    if outlook is None:
        return say("headline.finished")
    if price := advice.price:
        return _ready(price, outlook, advice)
    if not advice.options:
        return say("headline.draw", away=_away(outlook.shanten), **_tiles(outlook))
    tiles = _tiles_of(advice.equals)
    if advice.is_north:
        return say("headline.north", away=_away(outlook.shanten), tile=tiles[:1], **_tiles(outlook))
    kind = "headline.discard" if len(tiles) == 1 else "headline.discard_equal"
    return say(kind, away=_away(outlook.shanten), tile=tiles, **_tiles(outlook))


def _ready(price: Price, outlook: Ukeire, advice: Advice) -> Sentence:
    """The value of a tenpai hand, after its best discard if it has 14 tiles, or why no ron can win."""
    tile = advice.options[0].discard.tile if advice.options else None
    ready = say("ready.now")
    if tile is not None:
        ready = say("ready.north" if advice.is_north else "ready.discard", tile=(tile,))
    if not outlook.left:
        return say("headline.ready_dead", ready=ready)
    if price.bar is Bar.FURITEN:
        return say("headline.ready_furiten", ready=ready)
    if price.bar is Bar.NO_YAKU:
        few = "too_few" if advice.least_han > 1 else "no_yaku"
        return say(f"headline.ready_{few}", ready=ready, way=_way_to_win(price, advice))
    if price.left < outlook.left:
        some = {"many": price.left, "left": _tiles(outlook)["left"]}
        return say("headline.ready_some", ready=ready, points=price.points, **some)
    if tile is None:
        return say("headline.ready_waits", tiles=tuple(outlook.tiles), points=price.points)
    return say("headline.ready", ready=ready, points=price.points, **_tiles(outlook))


def _way_to_win(price: Price, advice: Advice) -> Sentence:
    """What lets a hand win that has too few yaku for a ron."""
    if advice.missing:
        return say("ready.by_yaku", yaku=tuple(map(Name, advice.missing)))
    return say("ready.by_tsumo" if price.points else "ready.by_luck")


def _away(shanten: int) -> Sentence:
    """The shanten in words."""
    return say(f"away.{shanten}") if shanten <= 3 else say("away.many", away=shanten)


def _tiles(found: Ukeire) -> dict[str, Value]:
    """The values for the number of tiles and of kinds, in singular or plural."""
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
        yield Step(StepKind.SAFETY, tuple(_safety(advice)))
    yield _expected(advice, outlook)
    yield Step(StepKind.CHOICE, tuple(_choice(advice)))
    if outlook.shanten == 0:
        concealed = advice.after(advice.options[0]) if advice.options else advice.concealed
        if advice.is_north:
            win = replace(win, nukidora=win.nukidora + 1)
        yield from waits_steps(concealed, advice.melds, win, rules, seen)


def _safety(advice: Advice) -> Iterator[Line]:
    """The danger of each discard against each player, the safest first. Equal ones share a line."""
    alike: dict[tuple[tuple[str, bool, object, Reason, Tiles, int], ...], list[Option]] = {}
    for one in sorted(advice.options, key=lambda one: (one.danger, one.discard.tile)):
        if one.risks:
            alike.setdefault(tuple(map(_risk_key, one.risks)), []).append(one)
    for same in alike.values():
        sentence, *more = map(risk_sentence, same[0].risks)
        for other in more:
            sentence = say("risk.and", first=sentence, then=other)
        yield Line(say("risk.line", risk=sentence), (_tiles_of(same),))
    if alike:
        yield Line(say("risk.order"))


def _risk_key(risk: Risk) -> tuple[str, bool, object, Reason, Tiles, int]:
    """The content of the sentence about a risk, as a key. The visible number matters only for honours."""
    seen = risk.seen if risk.reason is Reason.HONOUR else 0
    return risk.who, risk.riichi, risk.danger, risk.reason, risk.tiles, seen


def risk_sentence(risk: Risk) -> Sentence:
    """The danger of a discard against one player, with its reason."""
    who = say(f"risk.riichi_{risk.who}" if risk.riichi else f"risk.{risk.who}")
    danger = say(f"risk.{risk.danger.name.lower()}")
    match risk.reason:
        case Reason.HONOUR:
            return say("risk.honour", who=who, danger=danger, seen=risk.seen)
        case Reason.SUJI | Reason.WALL:
            return say(f"risk.{risk.reason}", who=who, danger=danger, tiles=risk.tiles)
        case Reason.OPEN:
            return say("risk.open", who=who, danger=danger)
    return say(f"risk.{risk.reason}", who=who)


_AFTER: Final = (3, 6, 9, 12, 15, 18)
"""The numbers of draws in the table of expected results."""


def _expected(advice: Advice, outlook: Ukeire) -> Step:
    """The expected results by turns, and the share of tiles that lead to a two-sided wait."""
    found = advice.prospect
    if found is None or not found.after(DRAWS).won:
        return Step(StepKind.TURNS, ())
    lines = []
    if found.good_shape is not None:
        lines.append(Line(say("turns.good_shape", percent=round(100 * found.good_shape))))
    near = [one for one in advice.options if one.expected and one.discard.ukeire.shanten == outlook.shanten]
    if outlook.shanten and len({one.points for one in near}) > 1:
        for one in sorted(near, key=lambda one: -one.points):
            assert one.expected is not None
            turn = one.expected.after(COMPARED_DRAWS)
            tile, won = (one.discard.tile,), _percent(turn.won)
            lines.append(
                Line(
                    say(
                        f"turns.{_way(advice, one)}",
                        tile=tile,
                        draws=COMPARED_DRAWS,
                        won=won,
                        points=one.points,
                    )
                )
            )
    lines.append(Line(say("turns.model")))
    kinds = ("draws", *(["tenpai"] if outlook.shanten else []), "won", "points")
    head: tuple[Value, ...] = tuple(say(f"turns.{what}") for what in kinds)
    rows = []
    for turn in map(found.after, _AFTER):
        ready: tuple[Value, ...] = (f"{_percent(turn.tenpai)} %",) if outlook.shanten else ()
        rows.append((turn.draws, *ready, f"{_percent(turn.won)} %", round(turn.points)))
    return Step(StepKind.TURNS, tuple(lines), Grid(head, tuple(rows)))


def _percent(share: float) -> str:
    """A probability in whole percent. The model is not accurate to more digits."""
    return f"{100 * share:.0f}"


def _choice(advice: Advice) -> Iterator[Line]:
    """Riichi or not, with both values; and the draws that would widen the wait."""
    price = advice.price
    if price is None:
        return
    if price.riichi is not None and price.bar is None:
        label = Name("riichi")
        if price.silent is None:
            yield Line(say("choice.needed", riichi=price.riichi), label=label)
        elif price.silent_left < price.left:
            some = say("choice.some", riichi=price.riichi, silent=price.silent, many=price.silent_left)
            yield Line(some, label=label)
        elif more := price.riichi - price.silent:
            both = say("choice.both", riichi=price.riichi, silent=price.silent, more=more)
            yield Line(both, label=label)
        else:
            yield Line(say("choice.same", riichi=price.riichi), label=label)
    if wider := tuple(advice.widening):
        most = max(advice.widening.values())
        yield Line(say("choice.widening", left=most), (wider,))


def _distance(advice: Advice, outlook: Ukeire) -> Iterator[Line]:
    """The shanten, the nearest forms, and the useful draws."""
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
    if advice.sets_aside:
        yield Line(say("distance.north"), ((TILES[NORTH],),), label=Name("nukidora"))


def _discards(advice: Advice) -> Iterator[Line]:
    """The best discards with the tiles that help then, the next best, and those that raise the shanten."""
    best, nearest = advice.best, advice.options[0].discard.ukeire.shanten
    if len(advice.equals) > 1:
        yield Line(say("discard.equals"), (_tiles_of(advice.equals),))
    shown = _SHOWN if nearest <= MAX_YAKU_SHANTEN else 1
    alike = len({one.yaku for one in best[:shown]}) == 1
    for one in best[:shown]:
        yield _joined(_keeps(advice, one), *_worth(one, best, tell_yaku=not alike))
    if more := best[shown:]:
        yield Line(say("discard.as_good"), (_tiles_of(more),))
    if alike and best[0].yaku:
        yield _yaku(best[0])
    near = [one for one in advice.options[len(best) :] if one.discard.ukeire.shanten == nearest]
    next_best = max(0, shown - len(best))
    for one in near[:next_best]:
        yield _joined(_keeps(advice, one), *_warned(one))
    if fewer := near[next_best:]:
        yield Line(say("discard.fewer" if nearest else "discard.worth_less"), (_tiles_of(fewer),))
    if back := advice.options[len(best) + len(near) :]:
        yield Line(say("discard.back"), (tuple(sorted(_tiles_of(back))),))


def _joined(line: Line, *more: Line) -> Line:
    """Several lines joined into one."""
    for other in more:
        line = replace(line, sentence=say("discard.and", first=line.sentence, then=other.sentence))
    return line


def _tiles_of(options: Sequence[Option]) -> Tiles:
    return tuple(one.discard.tile for one in options)


def _worth(one: Option, best: Sequence[Option], *, tell_yaku: bool) -> Iterator[Line]:
    """The drawbacks of a discard, and its dora and yaku if equal discards differ in them."""
    yield from _warned(one)
    if one.dora > min(other.dora for other in best):
        yield Line(say("discard.dora", dora=one.dora))
    if tell_yaku and one.yaku:
        yield _yaku(one)


def _warned(one: Option) -> Iterator[Line]:
    """The drawbacks of a discard."""
    if one.discard.furiten:
        yield Line(say("discard.furiten", tiles=one.discard.furiten))
    if not one.discard.ukeire.left:
        yield Line(say("discard.dead"))
    elif one.price and one.price.bar is Bar.NO_YAKU:
        yield Line(say("discard.no_yaku"))
    elif one.price and one.price.bar is None and one.price.left < one.discard.ukeire.left:
        yield Line(say("discard.some", many=one.price.left))


def _yaku(one: Option) -> Line:
    return Line(say("discard.yaku", yaku=tuple(map(Name, one.yaku))))


def _keeps(advice: Advice, one: Option) -> Line:
    """The tiles that help after a discard, or after a north is set aside."""
    found, way = one.discard.ukeire, _way(advice, one)
    values: dict[str, Value] = {"tile": (one.discard.tile,), **_tiles(found)}
    if one.price is not None and one.price.bar is None and one.price.left:
        sentence = say(f"{way}.priced", points=one.price.points, **values)
    else:
        sentence = say(f"{way}.{'keeps' if found.shanten else 'waits'}", **values)
    return Line(sentence, (found.kinds,))


def _way(advice: Advice, one: Option) -> str:
    """The message group of the catalogue for the tile: a discard, or a north set aside."""
    return "north" if advice.sets_aside and one.discard.tile.kind == NORTH else "discard"
