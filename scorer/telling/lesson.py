"""Explain a score step by step to a beginner: what counts, what does not, and what nearly did.

:func:`explain` is for a finished hand, :func:`explain_waits` for a hand in tenpai. Both return a
:class:`Lesson`: steps of lines in one language, with the terms of the rule set. The amounts of the lines of a
step sum to the number of the scorer.
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
    """A glossary entry of a lesson. ``name``: in the vocabulary of the lesson. ``others``: different names in
    other vocabularies. ``kana``, ``pronunciation``: of the Japanese name, or empty; a Japanese lesson has
    only ``kana``. ``means``: the meaning.
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
    """An explanation in one language. ``score``: None if the hand has no yaku or is not finished.

    ``concealed``, ``win_tile``, ``melds``: the tiles. ``misses``: near misses. ``notes``: sentences under the
    headline: assumptions, and the result under other rules. ``words``: the terms that the headline uses
    first. A lesson explains each term at its first use, except those that the reader knows (``known``).
    ``tells_fu``: whether the lesson has fu (:mod:`scorer.telling.for_learners`).
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
        """The step of that kind, or None."""
        return next((step for step in self.steps if step.kind is kind), None)

    @property
    def last(self) -> Tiles:
        """The winning tile as a row; empty if there is none yet."""
        return () if self.win_tile is None else (self.win_tile,)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms and yaku of the lesson, in the order of their first use."""
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
        """An entry for each term of the lesson."""
        return tuple(map(self._entry, self.terms))

    def explained(self, words: Iterable[str]) -> tuple[Entry, ...]:
        """The entries of terms by id."""
        return tuple(self._entry(glossary()[id_]) for id_ in words)

    def _entry(self, term: Term) -> Entry:
        name, means = self.catalogue.name(term.id), self.text(Sentence(term.message))
        if self.catalogue.language == "ja":
            return Entry(term.id, name, (), term.kanji, term.kana, "", means)
        others = term.others(self.catalogue.vocabulary)
        return Entry(term.id, name, others, term.kanji, term.kana, term.pronunciation, means)

    def values(self) -> Iterator[Value]:
        """All values of the lesson in order, without the glossary."""
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
    """Explain the score of a finished hand.

    If it has no yaku, the lesson shows how it could have had one. If it is furiten, the lesson gives the
    value of a self-draw.

    ``language``: of :data:`scorer.telling.catalogue.LANGUAGES`. ``beside``: rule sets to compare with.
    If the seat is unknown, payers have no winds. Raises :class:`scorer.HandError` for an invalid hand.

    >>> from scorer import Wind, load_rules, parse_tiles
    >>> hand = Hand(parse_tiles("234m340567p2267s"), Tile.parse("8s"))
    >>> lesson = explain(hand, Win(tsumo=False, seat_wind=Wind.SOUTH), load_rules("ema2008"))
    >>> for line in lesson.step(StepKind.YAKU).lines:  # doctest: +ELLIPSIS
    ...     print(lesson.text(line.label), "-", lesson.text(line.sentence))
    Pinfu - Four sets that are each a sequence, a pair that is no value tile, and a win ...
    All Simples - No terminal and no honour: only 2 to 8. Only in a concealed hand.
    """
    catalogue, rules = spoken(language, rules, beside)
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
    """Explain the waits of a hand one tile short: the tiles, how many are left, what each pays, and furiten.

    ``win``: the known facts; whether it is a self-draw does not matter. ``seen``: other visible tiles.
    """
    catalogue, rules = spoken(language, rules)
    steps = (*waits_steps(concealed, melds, win, rules, seen), next_time("waits"))
    tiles = waits(concealed, melds)
    headline = say("headline.waits", tiles=tiles) if tiles else say("headline.no_wait")
    return with_explanations(Lesson(catalogue, rules, concealed, None, melds, headline, steps))


def with_explanations(lesson: Lesson) -> Lesson:
    """The lesson with its rules in the headline, and with an explanation of each term at its first use.

    This includes terms within explanations. A yaku needs none if its line has the rule.
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
            # a proper name is no term, even if it is spelt like one (Tenhou)
            label = None if isinstance(line.label, str) else line.label
            lines.append(replace(line, words=new(label, line.sentence, line.worth)))
        steps.append(replace(step, words=heard, lines=tuple(lines)))
    return replace(lesson, headline=headline, words=words, steps=tuple(steps))


_UNDER: Final = "headline.under"


def spoken(language: str, rules: RuleSet, beside: Iterable[RuleSet] = ()) -> tuple[Catalogue, RuleSet]:
    """The catalogue of a language, and the rules with its vocabulary (kanji in Japanese) and only their own
    sources. ``beside``: rules whose own yaku it names, too."""
    rules = replace(rules, words="kanji") if language == "ja" else rules
    own = {id_: one for other in (*beside, rules) for id_, one in other.own_yaku.items()}
    return Catalogue(language, rules.words, own), _own_sources(rules)


_PLATFORM: Final = re.compile(r"(as )?Tenhou\b")


def _own_sources(rules: RuleSet) -> RuleSet:
    """The rules without citations inherited from a platform: Tenhou is no source for the rules of
    M.League."""
    if _PLATFORM.match(rules.name):
        return rules
    own = {key: "" if _PLATFORM.match(cited) else cited for key, cited in rules.cite.items()}
    return replace(rules, cite=own)


def _compared(
    hand: Hand, win: Win, rules: RuleSet, beside: Sequence[RuleSet], won: Score | None, language: str
) -> Iterator[Line]:
    """The hand under other rules: its value there, and the yaku that differ."""
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
    """The hand with plain fives for red ones that the rules do not play."""
    plain = rules.as_played
    melds = tuple(replace(meld, tiles=plain(meld.tiles)) for meld in hand.melds)
    return Hand(plain(hand.concealed), plain((hand.win_tile,))[0], melds)


def _cited(rules: RuleSet, names: Iterable[Name]) -> str:
    """The citations of the rules for these yaku."""
    return SEVERAL.join(filter(None, dict.fromkeys(rules.cite.get(name.id, "") for name in names)))
