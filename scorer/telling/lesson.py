"""A score told step by step, so that a beginner follows it: what counts, what does not, and what nearly did.

Two doors: :func:`explain` for a finished hand, :func:`explain_waits` for one that waits. Both give a
:class:`Lesson`: steps of lines in the language asked for, with the terms of the rule set. Whatever a line
adds is in its ``amount``; the amounts of a step sum to what the scorer says, which the tests hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer.hand import Hand, Meld, Win
from scorer.readings import waits
from scorer.rules import RuleSet
from scorer.score import Score, score
from scorer.status import TOO_LITTLE, HandError, HandStatus
from scorer.telling.catalogue import SEVERAL, Catalogue, Term, glossary
from scorer.telling.near import NearMiss, near_misses
from scorer.telling.next_time import after_a_win, next_time, without_a_win
from scorer.telling.sentence import Line, Name, Sentence, Step, StepKind, Tiles, Value, say
from scorer.telling.steps import HandSteps, worth
from scorer.telling.waits import furiten_steps, waits_steps
from scorer.tiles import Tile, format_tiles


@dataclass(frozen=True, slots=True)
class Entry:
    """A term of a lesson. ``name``: as the lesson says it; ``others``: English, EMA's, Japanese, kanji, as
    far as they differ from it. ``kana``, ``pronunciation``: how the Japanese is read and sounds, empty where
    nobody wrote it; in Japanese only ``kana`` is there. ``means``: what it is.
    """

    id: str
    name: str
    others: tuple[str, ...]
    kanji: str
    kana: str
    pronunciation: str
    means: str

    def to_record(self) -> dict[str, Any]:
        """The entry as JSON values."""
        return {
            "id": self.id,
            "name": self.name,
            "others": list(self.others),
            "kanji": self.kanji,
            "kana": self.kana,
            "said": self.pronunciation,
            "means": self.means,
        }


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is told, in one language. ``score`` is None where the hand has no yaku or still waits.

    ``concealed``, ``win_tile``, ``melds``: the tiles as they lie. ``misses``: what the hand nearly had.
    ``notes``: sentences for under the headline: what was taken for granted, what other rules make of it.
    ``words``: the terms that the headline says; each is explained where it is said first, but those that
    the reader knows (``known``). ``tells_fu``: whether fu are told (:mod:`scorer.telling.taught`).
    """

    catalogue: Catalogue
    rules: RuleSet
    concealed: Tiles
    win_tile: Tile | None
    melds: tuple[Meld, ...]
    headline: Sentence
    steps: tuple[Step, ...]
    score: Score | None = None
    misses: tuple[NearMiss, ...] = ()
    notes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    tells_fu: bool = True

    def text(self, value: Value) -> str:
        """The sentence, name or row of tiles as plain text in the lesson's language."""
        return self.catalogue.text(value)

    def step(self, kind: StepKind) -> Step | None:
        """The step of that kind, where the lesson has it."""
        return next((step for step in self.steps if step.kind is kind), None)

    @property
    def last(self) -> Tiles:
        """The winning tile as a row, empty where there is none yet."""
        return () if self.win_tile is None else (self.win_tile,)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms and yaku that the lesson speaks of, in the order in which they come."""
        ids = [*self.words]
        for step in self.steps:
            ids += step.words
            for line in step.lines:
                ids += line.yaku_explained
                ids += line.words
        return tuple(glossary()[id_] for id_ in dict.fromkeys(ids) if id_ in glossary())

    @property
    def glossary_title(self) -> Sentence:
        return Sentence("heading.glossary")

    @property
    def glossary(self) -> tuple[Entry, ...]:
        """An entry for each term that the lesson speaks of."""
        return tuple(map(self._entry, self.terms))

    def explained(self, words: Iterable[str]) -> tuple[Entry, ...]:
        """What terms mean, by their ids."""
        return tuple(self._entry(glossary()[id_]) for id_ in words)

    def _entry(self, term: Term) -> Entry:
        name, means = self.catalogue.name(term.id), self.text(Sentence(term.message))
        if self.catalogue.language == "ja":
            return Entry(term.id, name, (), term.kanji, term.kana, "", means)
        others = term.others(self.catalogue.vocabulary)
        return Entry(term.id, name, others, term.kanji, term.kana, term.pronunciation, means)

    def values(self) -> Iterator[Value]:
        """All that the lesson says, in order, but the glossary."""
        yield self.headline
        for step in self.steps:
            yield step.title
            for line in step.lines:
                if line.label is not None:
                    yield line.label
                yield line.sentence
            if step.grid is not None:
                yield from (cell for row in (step.grid.head, *step.grid.rows) for cell in row)

    def to_record(self) -> dict[str, Any]:
        """The lesson as JSON values; ``score`` is the result of ``docs/hand.md``."""
        return {
            "language": self.catalogue.language,
            "rules": self.rules.id,
            "headline": self.text(self.headline),
            "words": list(self.words),
            "tells_fu": self.tells_fu,
            "notes": list(self.notes),
            "steps": [self._step(step) for step in self.steps],
            "glossary": [entry.to_record() for entry in self.glossary],
            "score": None if self.score is None else self.score.result(),
        }

    def _step(self, step: Step) -> dict[str, Any]:
        grid = step.grid
        return {
            "kind": str(step.kind),
            "title": self.text(step.title),
            "words": list(step.words),
            "lines": [
                {
                    "kind": line.sentence.kind,
                    "label": None if line.label is None else self.text(line.label),
                    "text": self.text(line.sentence),
                    "tiles": [format_tiles(group) for group in line.groups],
                    "won": line.won,
                    "amount": line.amount,
                    "unit": line.unit,
                    "total": line.total,
                    "words": list(line.words),
                    "drill": line.drill,
                    "turned": list(line.turned),
                    "source": line.source,
                    "cited": None if line.cited is None else self.text(line.cited),
                }
                for line in step.lines
            ],
            "grid": None
            if grid is None
            else {
                "head": [self.text(cell) for cell in grid.head],
                "rows": [[self.text(cell) for cell in row] for row in grid.rows],
                "marked": list(grid.marked),
            },
        }


def explain(
    hand: Hand,
    win: Win,
    rules: RuleSet,
    *,
    language: str = "en",
    beside: Sequence[RuleSet] = (),
) -> Lesson:
    """The score of a finished hand told in steps; one without a yaku is told how it could have had one, one
    that is furiten what it would be worth by self-draw.

    ``language``: of :data:`scorer.telling.catalogue.LANGUAGES`. ``beside``: rule sets to compare with.
    Where nobody named the seat, the payers are told without winds.
    Raises :class:`scorer.HandError` for what is no finished hand or contradicts itself.

    >>> from scorer import Wind, load_rules, parse_tiles
    >>> hand = Hand(parse_tiles("234m340567p2267s"), Tile.parse("8s"))
    >>> lesson = explain(hand, Win(tsumo=False, seat_wind=Wind.SOUTH), load_rules("ema2008"))
    >>> for line in lesson.step(StepKind.YAKU).lines:  # doctest: +ELLIPSIS
    ...     print(lesson.text(line.label), "-", lesson.text(line.sentence))
    Pinfu - Four sets that are each a chow, a pair that is no value tile, and a win on a two-sided wait. ...
    All Simples - No terminal and no honour: only 2 to 8. Only in a concealed hand.
    """
    catalogue, rules = spoken(language, rules)
    won, status = None, HandStatus.VALID
    try:
        won = score(hand, win, rules)
    except HandError as error:
        status = error.status
        if status & HandStatus.FURITEN and not status & ~(HandStatus.FURITEN | TOO_LITTLE):
            steps: tuple[Step, ...] = tuple(furiten_steps(hand.concealed, hand.melds, win, hand, rules))
            headline = say("headline.furiten")
            steps = (*steps, without_a_win(hand, furiten=True))
            return with_explanations(
                Lesson(catalogue, rules, hand.concealed, hand.win_tile, hand.melds, headline, steps)
            )
        if status & ~TOO_LITTLE:
            raise
    now = won.points if won is not None else 0
    misses = tuple(miss for miss in near_misses(hand, win, rules) if miss.score.points > now)
    about = HandSteps(hand, win, rules, misses)
    if won is None:
        headline, steps, last = say("headline.no_yaku"), about.without_yaku(status), without_a_win(hand)
    else:
        headline, steps = say("headline.win", worth=worth(won, rules)), about.of(won)
        choices = next((step.lines for step in steps if step.kind is StepKind.CHOICE), ())
        last = after_a_win(won, misses, choices, rules)
    steps = (*steps, *furiten_steps(hand.concealed, hand.melds, win))
    if beside:
        steps = (*steps, Step(StepKind.RULES, tuple(_compared(hand, win, rules, beside, won, language))))
    tiles = hand.concealed, hand.win_tile, hand.melds
    return with_explanations(Lesson(catalogue, rules, *tiles, headline, (*steps, last), won, misses))


def explain_waits(
    concealed: Tiles,
    melds: tuple[Meld, ...],
    win: Win,
    rules: RuleSet,
    *,
    seen: Sequence[Tile] = (),
    language: str = "en",
) -> Lesson:
    """What a hand one tile short waits for: the tiles, how many are left, what each pays and why, furiten.

    ``win``: what is known of it; whether it is a self-draw is not asked. ``seen``: tiles that lie elsewhere.
    """
    catalogue, rules = spoken(language, rules)
    steps = (*waits_steps(concealed, melds, win, rules, seen), next_time("waits"))
    tiles = waits(concealed, melds)
    headline = say("headline.waits", tiles=tiles) if tiles else say("headline.no_wait")
    return with_explanations(Lesson(catalogue, rules, concealed, None, melds, headline, steps))


def with_explanations(lesson: Lesson) -> Lesson:
    """The lesson with its rules in the headline, and every word explained where it is said first.

    A word that an explanation needs is explained with it; a yaku of which the line tells the rule, by that.
    """
    catalogue = lesson.catalogue
    known = {term.id for term in glossary().values() if catalogue.language in term.plain} | lesson.known

    def new(*values: Value | None) -> tuple[str, ...]:
        found: list[str] = []
        texts = [catalogue.text(value) for value in values if value is not None]
        for text in texts:
            for id_ in catalogue.terms(text):
                if id_ not in known:
                    known.add(id_)
                    found.append(id_)
                    texts.append(catalogue.text(Sentence(glossary()[id_].message)))
        return tuple(found)

    headline = lesson.headline
    if headline.kind != _UNDER:
        headline = say(_UNDER, what=headline, rules=lesson.rules.named(catalogue.language))
    words, steps = new(headline.values["what"]), []
    for step in lesson.steps:
        cells = (cell for row in (step.grid.head, *step.grid.rows) for cell in row) if step.grid else ()
        heard, lines = new(step.title, *cells), []
        for line in step.lines:
            known.update(line.yaku_explained)
            # a proper name is none of the terms, even where it is spelt like one (Tenhou)
            label = None if isinstance(line.label, str) else line.label
            lines.append(replace(line, words=new(label, line.sentence, line.worth)))
        steps.append(replace(step, words=heard, lines=tuple(lines)))
    return replace(lesson, headline=headline, words=words, steps=tuple(steps))


_UNDER: Final = "headline.under"


def spoken(language: str, rules: RuleSet) -> tuple[Catalogue, RuleSet]:
    """The catalogue, and the rules with the words in which it speaks, kanji in Japanese, and with their own
    sources alone."""
    rules = replace(rules, words="kanji") if language == "ja" else rules
    return Catalogue(language, rules.words, rules.own_yaku), _own_sources(rules)


_PLATFORM: Final = re.compile(r"(as )?Tenhou\b")


def _own_sources(rules: RuleSet) -> RuleSet:
    """The rules without the citations that they took over from a platform where nobody read their own: what
    Tenhou does is no source for M.League."""
    if _PLATFORM.match(rules.name):
        return rules
    own = {key: "" if _PLATFORM.match(cited) else cited for key, cited in rules.cite.items()}
    return replace(rules, cite=own)


def _compared(
    hand: Hand, win: Win, rules: RuleSet, beside: Sequence[RuleSet], won: Score | None, language: str
) -> Iterator[Line]:
    """The same hand under other rules: what it is worth there, and which yaku count otherwise."""
    here = dict(won.yaku) if won else {}
    for other in beside:
        other = _own_sources(replace(other, words=rules.words))
        played = with_reds_of(hand, other)
        try:
            then = score(played, win, other)
        except HandError as error:
            refused = "value.no_yaku" if error.status & TOO_LITTLE else "value.refused"
            yield Line(say("rules.worth", worth=say(refused)), label=other.named(language))
            continue
        yield Line(say("rules.worth", worth=worth(then, other)), label=other.named(language))
        if played != hand:
            yield Line(say("rules.plain_fives"), source=other.cite.get("red_fives", ""))
        there = dict(then.yaku)
        if more := tuple(Name(id_) for id_ in there if id_ not in here):
            yield Line(say("rules.more", yaku=more), source=_cited(other, more))
        if fewer := tuple(Name(id_) for id_ in here if id_ not in there):
            yield Line(say("rules.fewer", yaku=fewer), source=_cited(other, fewer))
        for id_ in here:
            if id_ in there and here[id_] != there[id_]:
                sentence = say("rules.han", yaku=Name(id_), there=there[id_], here=here[id_])
                yield Line(sentence, source=_cited(other, (Name(id_),)))
        if won and (then.han, then.fu) == (won.han, won.fu) and then.limit and then.limit != won.limit:
            cited = "kiriage_mangan" if other.kiriage_mangan != rules.kiriage_mangan else "limits"
            yield Line(say("rules.limit", limit=Name(then.limit)), source=other.cite.get(cited, ""))
        if won and not won.limit and not then.limit and won.fu != then.fu:
            yield Line(say("rules.fu", there=then.fu or 0, here=won.fu or 0))


def with_reds_of(hand: Hand, rules: RuleSet) -> Hand:
    """The hand with plain fives for the red ones that the rules do not play."""

    plain = rules.as_played
    melds = tuple(replace(meld, tiles=plain(meld.tiles)) for meld in hand.melds)
    return Hand(plain(hand.concealed), plain((hand.win_tile,))[0], melds)


def _cited(rules: RuleSet, names: Iterable[Name]) -> str:
    """What the rules say about these yaku."""
    return SEVERAL.join(filter(None, dict.fromkeys(rules.cite.get(name.id, "") for name in names)))
