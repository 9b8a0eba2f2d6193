"""Advice in words: how far an unfinished hand is, what to discard, what would bring it nearer."""

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
"""How many discards are told one by one; of far hands there are often many that are as good."""


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
    """What to do with a hand that is not finished. Raises as :func:`scorer.advice.advise` does."""
    advice = advise(concealed, melds, win, rules, seen=seen, rivers=rivers)
    seen = (*seen, *(tile for river in rivers for tile in river.tiles))
    return explain_advice(advice, win, rules, seen=seen, language=language)


def explain_advice(
    advice: Advice, win: Win, rules: RuleSet, *, seen: Sequence[Tile] = (), language: str = "en"
) -> Lesson:
    """The advice told. ``win``, ``rules``: those that it was asked for with; ``seen``: rivers, too."""
    catalogue, rules = spoken(language, rules)
    steps = tuple(step for step in _steps(advice, win, rules, seen) if step.lines)
    steps = (*steps, next_time("waits" if advice.outlook and not advice.outlook.shanten else "discard"))
    return with_explanations(
        Lesson(catalogue, rules, advice.concealed, None, advice.melds, headline(advice), steps)
    )


def headline(advice: Advice) -> Sentence:
    """The advice in one sentence, with what the best discard risks where that is known."""
    worth = _worth_of(advice)
    risks = advice.options[0].risks if advice.options else ()
    return say("headline.risk", worth=worth, risk=risk_sentence(risks[0])) if risks else worth


def _worth_of(advice: Advice) -> Sentence:
    """What to do, by what it is worth alone."""
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
    """What a hand that waits is worth, after its best discard where one is due, or why no ron can win."""
    tile = advice.options[0].discard.tile if advice.options else None
    ready = say("ready.now")
    if tile is not None:
        ready = say("ready.north" if advice.is_north else "ready.discard", tile=(tile,))
    if not outlook.left:
        return say("headline.ready_dead", ready=ready)
    if price.bar is Bar.FURITEN:
        return say("headline.ready_furiten", ready=ready)
    if price.bar is Bar.NO_YAKU:
        names = tuple(map(Name, advice.missing))
        way = say("ready.by_yaku", yaku=names) if names else say("ready.by_luck")
        return say("headline.ready_no_yaku", ready=ready, way=way)
    if tile is None:
        return say("headline.ready_waits", tiles=tuple(outlook.tiles), points=price.points)
    return say("headline.ready", ready=ready, points=price.points, **_tiles(outlook))


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
        yield Step(StepKind.SAFETY, tuple(_safety(advice)))
    yield _expected(advice, outlook)
    yield Step(StepKind.CHOICE, tuple(_choice(advice)))
    if outlook.shanten == 0:
        concealed = advice.after(advice.options[0]) if advice.options else advice.concealed
        if advice.is_north:
            win, seen = replace(win, nukidora=win.nukidora + 1), (*seen, TILES[NORTH])
        yield from waits_steps(concealed, advice.melds, win, rules, seen)


def _safety(advice: Advice) -> Iterator[Line]:
    """Each discard's danger against each of the others, the safest first; what is alike in one line."""
    alike: dict[tuple[tuple[str, bool, object, Reason, Tiles, int], ...], list[Option]] = {}
    for one in sorted(advice.options, key=lambda one: (one.danger, one.discard.tile)):
        if one.risks:
            alike.setdefault(tuple(map(_risk_key, one.risks)), []).append(one)
    for same in alike.values():
        told, *more = map(risk_sentence, same[0].risks)
        for other in more:
            told = say("risk.and", first=told, then=other)
        yield Line(say("risk.line", risk=told), (_tiles_of(same),))
    if alike:
        yield Line(say("risk.order"))


def _risk_key(risk: Risk) -> tuple[str, bool, object, Reason, Tiles, int]:
    """What the sentence about a risk says; the number in sight only of honours."""
    seen = risk.seen if risk.reason is Reason.HONOUR else 0
    return risk.who, risk.riichi, risk.danger, risk.reason, risk.tiles, seen


def risk_sentence(risk: Risk) -> Sentence:
    """A discard's danger against one player, with its reason."""
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
"""Draws after which the table says what became of the hand."""


def _expected(advice: Advice, outlook: Ukeire) -> Step:
    """What the hand comes to by turns, and how many of the tiles that make it tenpai wait on two sides."""
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
    """A probability in whole percent, as far as the model is worth more digits."""
    return f"{100 * share:.0f}"


def _choice(advice: Advice) -> Iterator[Line]:
    """Riichi or not, with both prices; and the draws that would widen the wait."""
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
    if advice.sets_aside:
        yield Line(say("distance.north"), ((TILES[NORTH],),), label=Name("nukidora"))


def _discards(advice: Advice) -> Iterator[Line]:
    """The best discards with what each keeps, the next best, and those that lead back."""
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
    """One line that says it all."""
    for other in more:
        line = replace(line, sentence=say("discard.and", first=line.sentence, then=other.sentence))
    return line


def _tiles_of(options: Sequence[Option]) -> Tiles:
    return tuple(one.discard.tile for one in options)


def _worth(one: Option, best: Sequence[Option], *, tell_yaku: bool) -> Iterator[Line]:
    """What speaks against a discard, and what it is worth, where that tells it from its equals."""
    yield from _warned(one)
    if one.dora > min(other.dora for other in best):
        yield Line(say("discard.dora", dora=one.dora))
    if tell_yaku and one.yaku:
        yield _yaku(one)


def _warned(one: Option) -> Iterator[Line]:
    """What speaks against a discard."""
    if one.discard.furiten:
        yield Line(say("discard.furiten", tiles=one.discard.furiten))
    if not one.discard.ukeire.left:
        yield Line(say("discard.dead"))
    elif one.price and one.price.bar is Bar.NO_YAKU:
        yield Line(say("discard.no_yaku"))


def _yaku(one: Option) -> Line:
    return Line(say("discard.yaku", yaku=tuple(map(Name, one.yaku))))


def _keeps(advice: Advice, one: Option) -> Line:
    """What is left after a discard, or after a north is set aside."""
    found, way = one.discard.ukeire, _way(advice, one)
    told: dict[str, Value] = {"tile": (one.discard.tile,), **_tiles(found)}
    if one.price is not None and one.price.bar is None and one.price.left:
        sentence = say(f"{way}.priced", points=one.price.points, **told)
    else:
        sentence = say(f"{way}.{'keeps' if found.shanten else 'waits'}", **told)
    return Line(sentence, (found.kinds,))


def _way(advice: Advice, one: Option) -> str:
    """How the tile leaves the hand: the group of the catalogue that says so."""
    return "north" if advice.sets_aside and one.discard.tile.kind == NORTH else "discard"
