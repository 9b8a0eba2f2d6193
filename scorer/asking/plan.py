"""The questions about an incomplete hand record that can still change its score.

A photo shows the tiles but not how they were won. :func:`plan` works in these steps:

1. Score every combination of answers (:mod:`scorer.asking.branches`) to all topics
   (:mod:`scorer.asking.topics`).
2. Drop answers that the rules refuse, and questions whose answers all pay the same.
3. Infer a fact that has only one answer left.
4. Put the questions that settle most first.

No table lists which answers exclude each other: the scores decide.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from reprlib import repr as shown
from typing import Any, Final, TypeVar

from scorer.asking.branches import Branches, Reach
from scorer.asking.phrases import Phrases
from scorer.asking.topics import (
    MINIMUM_FIELDS,
    TILE,
    Doubt,
    Option,
    QuestionKind,
    Topic,
    doubt_topic,
    minimum,
    minimum_field,
    topics,
)
from scorer.hand import Hand
from scorer.hand_tiles import FactSource
from scorer.open_record import Changes, OpenRecord
from scorer.record import DEFAULTS, MOST_DORA, RecordError, as_json, parse_open, record_of
from scorer.score import score
from scorer.status import HandError
from scorer.tiles import TileError, format_tiles, parse_tiles
from scorer.yaku import DORA

__all__ = [
    "COUNTS",
    "TILE",
    "Choice",
    "Doubt",
    "Plan",
    "Question",
    "QuestionKind",
    "Reach",
    "apply_defaults",
    "dora_number",
    "open_questions",
    "plan",
    "plan_of",
]


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: ``id`` to type or click, ``label`` to show, ``changes`` to the record.

    ``points``: the value of the hand with this answer. The other open facts have their defaults, or the
    nearest values that the answer allows. ``low``, ``high``: over all other answers. 0 means a hand without
    yaku. ``payments``: of each payer at ``points``, the smallest first. ``too_few``: whether 0 means too few
    han instead. ``marks``: the rare circumstances that the answer includes. ``finer``: more precise answers
    that are accepted too.
    """

    id: str
    label: str
    changes: Changes
    points: int
    low: int
    high: int
    marks: frozenset[str] = frozenset()
    finer: tuple[Option, ...] = ()
    payments: tuple[int, ...] = ()
    too_few: bool = False

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of the record that it sets, as JSON values."""
        return as_json(self.changes)


@dataclass(frozen=True, slots=True, repr=False)
class Question:
    """An open question. ``field``: its record field. ``why``: the reason for the question.

    ``choices``: the possible answers that matter, the default first; for ``tiles``, one example of each
    effect.
    ``default``: the id of the default choice; for ``tiles`` the text, usually empty.
    ``error``: the average error in points if the question stays open.
    ``takes_ura``: whether the answer may have indicators of ura dora after a slash.
    """

    field: str
    text: str
    kind: QuestionKind
    choices: tuple[Choice, ...]
    default: str
    why: str
    error: float = 0.0
    takes_ura: bool = False

    def __repr__(self) -> str:
        choices = " ".join(f"{one.id or 'none'}={one.points}" for one in self.choices)
        return f"Question({self.field!r}: {shown(choices)})"

    def answer(self, text: str) -> dict[str, Any]:
        """The record fields of an answer as JSON values; see :meth:`changes`."""
        return as_json(self.changes(text))

    def changes(self, text: str) -> Changes:
        """The changes to the record of a typed answer; empty text is the default. Raises
        :class:`RecordError`.

        The text may be an id, a label or the beginning of one. Several choices or marks stand in a row.
        """
        text = text.strip() or self.default
        if self.kind is QuestionKind.TILES:
            return _indicators_in(
                ("dora_indicators", "ura_indicators") if self.takes_ura else (self.field,), text
            )
        if self.kind is QuestionKind.SEVERAL:
            none = self.choices[0]
            several = dict(none.changes)
            for word in self._words(text):
                changes = self._named(word).changes
                several |= {name: value for name, value in changes.items() if value != none.changes[name]}
            return several
        return self._named(text).changes

    def _words(self, text: str) -> list[str]:
        """The words of a text. The name of a mark counts as one word."""
        text = text.casefold().replace(",", " ").replace("+", " ")
        for mark in sorted({mark for choice in self.choices for mark in choice.marks}):
            text = text.replace(mark.replace("_", " "), mark)
        return text.split()

    def _named(self, text: str) -> Choice | Option:
        """The one choice that a text names: a common one, or one with marks, or a more precise answer."""
        common = [choice for choice in self.choices if not choice.marks]
        for options in (common, self.choices):
            if found := _only(options, text):
                return found
        if found := self._marked(text):
            return found
        if finer := _only([one for choice in self.choices for one in choice.finer], text):
            return finer
        known = ", ".join(choice.id.replace("_", " ") for choice in self.choices if len(choice.marks) <= 1)
        raise RecordError("bad_field", self.field, f"{shown(text)} is no answer here: choose one of {known}.")

    def _marked(self, text: str) -> Choice | None:
        """The choice with exactly the marks that the words name. The words may also name the common fact."""
        single = [choice for choice in self.choices if len(choice.marks) == 1]
        common = [choice for choice in self.choices if not choice.marks]
        marks, beside = frozenset[str](), list[Choice]()
        for word in self._words(text):
            if mark := _only(single, word):
                marks |= mark.marks
            elif common_choice := _only(common, word):
                beside.append(common_choice)
            else:
                return None
        found = next((choice for choice in self.choices if marks and choice.marks == marks), None)
        values = [one.changes.get(self.field) for one in (found, *beside) if one is not None]
        return found if len(set(values)) == 1 else None

    def to_record(self) -> dict[str, Any]:
        """The question as JSON values."""
        return {
            "field": self.field,
            "text": self.text,
            "kind": self.kind.value,
            "choices": [
                {
                    "id": one.id,
                    "label": one.label,
                    "fields": one.fields,
                    "points": one.points,
                    "low": one.low,
                    "high": one.high,
                    "too_few": one.too_few,
                    "marks": sorted(one.marks),
                }
                for one in self.choices
            ],
            "default": self.default,
            "why": self.why,
            "error": round(self.error),
        }


_Named = TypeVar("_Named", Choice, Option)


def _only(options: Iterable[_Named], text: str) -> _Named | None:
    """The option whose id or label is the text or begins with it; None unless there is exactly one."""
    typed = _in_words(text)
    exact, begun = list[_Named](), list[_Named]()
    for option in options:
        names = (_in_words(option.id), _in_words(option.label))
        exact += [option] * (typed in names)
        begun += [option] * any(name.startswith(typed) for name in names)
    return (exact or begun)[0] if len(exact) == 1 or len(begun) == 1 else None


def _in_words(name: str) -> str:
    return name.strip().replace("_", " ").casefold()


_NUMBER: Final = re.compile(r"\s*(?:ドラ)?\s*(\d{1,2})\s*(?:dora|ドラ|枚)?\s*", re.IGNORECASE)


def dora_number(text: str) -> int | None:
    """The number of dora of a text such as ``2``, ``2 dora`` or ``ドラ2``; None for other texts.

    >>> dora_number("2 dora"), dora_number("3m")
    (2, None)
    """
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found else None


COUNTS: Final[Mapping[str, str]] = {"dora_indicators": "dora_count", "ura_indicators": "ura_count"}
"""The field of the number of dora by the field of indicators."""


def _indicators_in(names: Sequence[str], text: str) -> Changes:
    """The changes of an answer in indicators (``3m5p``, with ura ``3m/5p``) or in numbers (``2``, ``2/1``).
    A missing part means none."""
    parts = text.split("/")
    if len(parts) > len(names):
        raise RecordError(
            "bad_field", names[0], f"{shown(text)} has too many slashes: write indicators such as 3m5p."
        )
    parts += [""] * (len(names) - len(parts))
    texts = dict(zip(names, parts, strict=True))
    numbers = {name: number for name, part in texts.items() if (number := dora_number(part)) is not None}
    if too_many := [number for number in numbers.values() if number > MOST_DORA]:
        raise RecordError(
            "bad_field", names[0], f"{too_many[0]} dora are too many: there are at most {MOST_DORA}."
        )
    counted = {COUNTS[name]: number for name, number in numbers.items()}
    try:
        return {name: () if name in numbers else parse_tiles(part) for name, part in texts.items()} | counted
    except TileError as error:
        raise RecordError("bad_tile", names[0], str(error)) from None


_AT_THE_TABLE: Final = (
    TILE, "win_tile", "tsumo", "riichi", "dealer", "seat_wind", "round_wind", "nukidora", "dora_indicators",
    "ura_indicators", "special", "pao", "loser_offset", "honba", "dealer_wins",
)  # fmt: skip
"""The order in which players ask: the tiles, how, who, dora, rare circumstances."""


@dataclass(frozen=True, slots=True, repr=False)
class Plan:
    """The best guess about a win, and the open questions.

    ``guess``: the record with every open fact at its default or inferred, with the source of each.
    ``questions``: the most decisive first. ``later``: the fields of questions that wait for another answer,
    as ura dora wait for riichi. ``reach``: the possible points, and those of the best guess; None if the
    record is no valid hand.
    """

    guess: OpenRecord
    questions: tuple[Question, ...] = ()
    later: tuple[str, ...] = ()
    reach: Reach | None = None

    def __repr__(self) -> str:
        fields = ", ".join(question.field for question in self.questions)
        points = "no hand" if self.reach is None else f"{self.reach.points} points"
        return f"Plan({points}; open: {fields or 'nothing'})"

    @property
    def next_question(self) -> Question | None:
        """The question to ask next in the fixed order of players; None at the end.

        The most decisive question is the first of ``questions``.
        """
        return min(self.questions, key=lambda one: _AT_THE_TABLE.index(one.field), default=None)

    @property
    def last(self) -> tuple[str, ...]:
        """The fields of ``later`` that Tehai will ask in any case: the number of counters, if it can require
        two han."""
        return tuple(field for field in self.later if field in MINIMUM_FIELDS)

    @property
    def record(self) -> dict[str, Any]:
        """The best guess as JSON values."""
        return record_of(self.guess)

    @property
    def known(self) -> dict[str, str]:
        """The source of each field: ``seen``, ``inferred``, ``asked`` or ``default``."""
        return {name: str(source) for name, source in self.guess.known.items()}


def open_questions(
    record: Mapping[str, Any], known: Collection[str] | Mapping[str, str] = ()
) -> tuple[Question, ...]:
    """The questions of :func:`plan`; none for an invalid record.

    >>> questions = open_questions({"concealed": "234m340567p2267s", "win_tile": "8s"})
    >>> [question.field for question in questions]
    ['riichi', 'dora_indicators', 'dealer', 'tsumo']
    """
    try:
        return plan(record, known).questions
    except RecordError:
        return ()


def plan(
    record: Mapping[str, Any], known: Collection[str] | Mapping[str, str] = (), doubts: Sequence[Doubt] = ()
) -> Plan:
    """:func:`plan_of` a record as JSON values (:func:`scorer.record.parse_open`).

    ``record``: the fields of ``docs/hand.md`` so far. ``known``: the fields that need no question, or the
    source of each field. Raises :class:`RecordError` for an invalid record.
    """
    return plan_of(parse_open(record, known), doubts)


def plan_of(opened: OpenRecord, doubts: Sequence[Doubt] = (), language: str = "en") -> Plan:
    """The questions that can still change the score of an incomplete record.

    Ask the first question, put :meth:`Question.changes` into the record, and call this again.

    If the winning tile is unknown, a full hand has it among ``concealed``, and a tenpai hand has 13 tiles. A
    fact with the source ``default`` counts as unknown. ``doubts``: uncertain tiles, the likeliest first; the
    first one that gives a legal hand of another value becomes a question. ``language``: of the questions
    (``en``, ``ja``). Tiles that are no hand, and contradicting facts, give no questions.
    """
    phrases = Phrases(language)
    doubted: list[Plan] = []
    for doubt in doubts:
        doubted.append(_plan(opened, doubt, phrases))
        if any(question.field == TILE for question in doubted[-1].questions):
            return doubted[-1]
    found = _plan(opened, None, phrases)
    if found.reach is None:
        # the hand is a win only with the other reading of an uncertain tile
        return next((one for one in doubted if one.reach is not None), found)
    if doubts and any(question.kind is QuestionKind.TILES for question in found.questions):
        return replace(found, later=(*found.later, TILE))  # once known, dora may include it
    return found


def _plan(opened: OpenRecord, doubt: Doubt | None, phrases: Phrases) -> Plan:
    """The plan with at most one uncertain tile."""
    settled = opened.settled
    if opened.hand_tiles.win_tile is not None:
        settled |= {"win_tile", "concealed"}
    else:
        settled.discard("concealed")  # the answer takes the winning tile from among them
    filled = opened.filled()
    asked = [_open_part(topic, opened, settled) for topic in topics(opened, settled, phrases)]
    asked = [topic for topic in asked if topic.options]
    guess = _with_first_options(filled, asked)
    hand = guess.hand_tiles.hand
    if hand is None:
        return Plan(guess)
    doubted = [doubt_topic(guess.hand_tiles, doubt, phrases)] if doubt else []
    branches = _branches(guess, hand, [*doubted, *asked])
    if branches is None:
        return Plan(_guess_without_furiten(opened, phrases) or filled)
    if follows := _implied(branches):
        return _plan(opened.with_facts(follows, FactSource.INFERRED), doubt, phrases)
    guess = _with_first_options(guess, branches.topics)
    inferred = {
        name
        for at, topic in enumerate(branches.topics)
        if len(branches.options(at)) == 1
        for name in topic.options[0].changes.keys() - settled
    }
    questions, later = _questions(branches)
    if minimum_field(guess.rules) not in questions and _minimum_may_decide(guess, settled):
        if questions:
            later.append(minimum(guess.rules, phrases).field)
        else:  # every other question is settled or makes no difference
            branches = Branches(guess, hand, [*doubted, minimum(guess.rules, phrases), *branches.topics])
            questions, later = _questions(branches)
    folded = any(question.field == "dealer" for question in questions.values())
    is_non_dealer = guess.dealer is False and ("dealer" in opened.sources or folded)
    if not is_non_dealer or "seat_wind" in settled:
        guess = guess.without_dealer()  # the seat wind has this information
        inferred.discard("dealer")
    guess = guess.known_as(dict.fromkeys(inferred, FactSource.INFERRED))
    return Plan(guess, _in_order(questions), tuple(later), branches.reach)


def _guess_without_furiten(opened: OpenRecord, phrases: Phrases) -> OpenRecord | None:
    """The best guess if only furiten forbids the win; otherwise None.

    A furiten ron has no score, but its lesson gives the value of a self-draw with the usual defaults.
    """
    discards = opened.win.discards
    if not discards:
        return None
    found = _plan(opened.put({"discards": ()}), None, phrases)
    return found.guess.put({"discards": discards}) if found.reach is not None else None


def _minimum_may_decide(guess: OpenRecord, settled: Collection[str]) -> bool:
    """Whether the hand has one han without dora, which is too little with many counters in some rules."""
    rules = guess.rules
    if not rules.two_han_from_honba or minimum_field(rules) in settled:
        return False
    hand, win = guess.hand_tiles.hand, guess.whole_win
    if hand is None or (rules.two_han_counts == "dealer_wins" and not win.is_dealer):
        return False
    try:
        won = score(hand, win, rules)
    except HandError:
        return False
    return sum(han for id_, han in won.yaku if id_ not in DORA) < 2


def _with_first_options(guess: OpenRecord, topics: Iterable[Topic]) -> OpenRecord:
    """The record with the first option of each topic. New fields have the source ``default``."""
    for topic in topics:
        changes = topic.options[0].changes
        known = guess.known
        fresh = {name: FactSource.DEFAULT for name in changes if name not in known}
        guess = guess.put(changes).known_as(fresh)
    return guess


def _implied(branches: Branches) -> Changes:
    """The value of each topic's field if all its possible answers agree on it. For example, ura dora imply
    riichi, but not which kind of riichi."""
    agreed: dict[str, Any] = {}
    for at, topic in enumerate(branches.topics):
        values = [topic.options[option].changes.get(topic.field) for option in branches.options(at)]
        if len(values) > 1 and values[0] is not None and values.count(values[0]) == len(values):
            agreed[topic.field] = values[0]
    return agreed


def apply_defaults(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with every missing field at its default: a ron, won on the last tile of a full row.

    >>> apply_defaults({"concealed": "234m340567p22678s"})["win_tile"]
    '8s'
    """
    filled = {name: list(value) if isinstance(value, list) else value for name, value in DEFAULTS.items()}
    filled |= {"tsumo": False, **record}
    if filled.get("win_tile") is None and isinstance(record.get("concealed"), str):
        try:
            tiles = parse_tiles(record["concealed"])
        except TileError:
            return filled
        if len(tiles) % 3 == 2:
            filled |= {"win_tile": str(tiles[-1]), "concealed": format_tiles(tiles[:-1])}
    return filled


def _open_part(topic: Topic, opened: OpenRecord, settled: Collection[str]) -> Topic:
    """The topic with the options that agree with the settled fields. Options that agree with the defaults of
    the record come first. Without options there is nothing to ask."""
    options = [
        option
        for option in topic.options
        if all(opened.value(name) == value for name, value in option.changes.items() if name in settled)
    ]
    known = opened.known
    options.sort(
        key=lambda one: any(
            name in known and opened.value(name) != value for name, value in one.changes.items()
        )
    )
    if topic.field in settled or all(name in settled for option in options for name in option.changes):
        options = []
    if len(topic.options) == 1 and all(
        opened.value(name) == value for name, value in topic.options[0].changes.items()
    ):
        options = []
    return replace(topic, options=tuple(options))


def _branches(guess: OpenRecord, hand: Hand, asked: Sequence[Topic]) -> Branches | None:
    """The branches of the topics with only possible options and compatible defaults.

    None if no combination is possible: the tiles are no hand, or the known facts contradict each other.
    """
    branches = Branches(guess, hand, asked)
    first = branches.first
    if first is None:
        return None
    if not any(first):
        return branches
    rest = []
    for at, (topic, default) in enumerate(zip(branches.topics, first, strict=True)):
        order = [default, *(option for option in branches.options(at) if option != default)]
        rest.append(replace(topic, options=tuple(topic.options[option] for option in order)))
    return Branches(guess, hand, rest)


# --- from topics to questions -------------------------------------------------------------------------------


def _questions(branches: Branches) -> tuple[dict[str, Question], list[str]]:
    """Two results: the questions about topics that matter, by field, and the fields of topics that must wait.

    A topic waits for another answer if the defaults of the other topics exclude all its answers.
    """
    questions: dict[str, Question] = {}
    later: list[str] = []
    for at, topic in enumerate(branches.topics):
        default, *others = branches.options(at)
        others = [option for option in others if _is_offered(branches, at, option)]
        if topic.kind is not QuestionKind.SEVERAL and all(
            branches.score_alike(at, default, other) for other in others
        ):
            continue
        allowed = [option for option in others if branches.is_allowed(at, option)]
        if allowed:
            questions[topic.field] = _question(branches, at, (default, *others))
        answered = {name for option in (default, *allowed) for name in topic.options[option].changes}
        if allowed:
            waiting = {name for option in others for name in topic.options[option].changes}
            later += waiting - answered
            later += [topic.opens] if topic.opens else []
        elif others:
            later.append(topic.field)
    return questions, later


def _is_offered(branches: Branches, at: int, option: int) -> bool:
    """Whether all marks that an option adds to the default can change the score. A ``several`` topic offers
    only single marks."""
    topic = branches.topics[at]
    added = topic.options[option].marks - topic.options[0].marks
    if topic.kind is QuestionKind.SEVERAL and len(added) != 1:
        return False
    return all(_counts(branches, at, mark) for mark in added)


def _counts(branches: Branches, at: int, mark: str) -> bool:
    """Whether a mark can change the score, alone or together with others."""
    topic = branches.topics[at]
    index_of = {(one.changes.get(topic.field), one.marks): index for index, one in enumerate(topic.options)}
    return any(
        without in index_of and not branches.score_alike(at, index, index_of[without])
        for (value, marks), index in index_of.items()
        if mark in marks and (without := (value, marks - {mark}))
    )


def _option_reach(branches: Branches, at: int, option: int) -> Reach:
    """The points that an option leads to. For single marks: over all combinations with that mark."""
    topic = branches.topics[at]
    marks = topic.options[option].marks
    together: tuple[int, ...] = (option,)
    if topic.kind is QuestionKind.SEVERAL and marks - topic.options[0].marks:
        together = tuple(other for other in branches.options(at) if marks <= topic.options[other].marks)
    return branches.reach_of(at, together)


def _question(branches: Branches, at: int, options: Sequence[int]) -> Question:
    """The topic as a question with these options, in the folded form if that loses nothing."""
    topic = branches.topics[at]
    shown = [(topic.options[option], _option_reach(branches, at, option)) for option in options]
    if topic.folded is not None:
        alone, others = topic.folded.options
        apart = [one for one in options if topic.options[one].id == alone.finer[0].id]
        rest = [one for one in options if one not in apart]
        if apart and all(branches.score_alike(at, rest[0], other) for other in rest):
            topic = topic.folded
            shown = [(alone, branches.reach_of(at, apart)), (others, branches.reach_of(at, rest))]
            shown.sort(key=lambda one: (one[0] is alone) is not (options[0] == apart[0]))
    takes_ura = bool(topic.with_ura) and any(
        "ura_indicators" in topic.options[option].changes and branches.is_allowed(at, option)
        for option in options
    )
    return Question(
        topic.field,
        topic.with_ura if takes_ura else topic.text,
        topic.kind,
        tuple(
            Choice(
                one.id,
                one.label,
                one.changes,
                reach.points,
                reach.low,
                reach.high,
                one.marks,
                one.finer,
                reach.payments,
                reach.too_few,
            )
            for one, reach in shown
        ),
        shown[0][0].id,
        topic.why,
        branches.error_of(at),
        takes_ura,
    )


def _in_order(questions: Mapping[str, Question]) -> tuple[Question, ...]:
    """The questions, the most decisive first; but indicators come after riichi, because it opens ura dora."""
    order = sorted(questions.values(), key=lambda question: -question.error)
    fields = [question.field for question in order]
    for name in COUNTS:
        if "riichi" in fields and name in fields[: fields.index("riichi")]:
            order.insert(fields.index("riichi"), order.pop(fields.index(name)))
            fields = [question.field for question in order]
    return tuple(order)
