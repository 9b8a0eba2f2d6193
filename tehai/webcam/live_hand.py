"""The current hand: the tiles of the camera and the answers of the keys, with its score and next question."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer.asking.phrases import Phrases
from scorer.asking.plan import Choice, Question, QuestionKind
from scorer.hand_tiles import HandTiles
from scorer.open_record import Changes
from scorer.record import RecordError
from tehai.errors import Mistake
from tehai.hand.doubts import other_hands
from tehai.hand.inputs import HandInput, from_reading, inferred_facts
from tehai.hand.scoring import Outcome, settle
from vision.reading import Reading, Region

ENTER: Final = (10, 13)
BACKSPACE: Final = (8, 127)

_TYPED: Final = frozenset("0123456789mpsz/-")
"""The characters of answers in tiles."""
_BY_DIGIT: Final = 9
"""The most answers of a question that one digit key answers."""
_ALIKE: Final = 0.7
"""The least share of common tiles for which a new reading is the same hand."""
_WAITING: Final = 13
"""The tiles of a hand one tile short, each kan counted as three."""
_TILE_FIELDS: Final = ("concealed", "win_tile", "melds")


@dataclass(frozen=True, slots=True)
class _Step:
    """The hand before an answer, and the changes of all earlier answers."""

    hand_input: HandInput
    changes: Changes


class LiveHand:
    """The latest hand of the camera with its answers.

    ``facts``: record fields that hold for every hand, such as the rules.
    """

    def __init__(self, facts: dict[str, Any] | None = None) -> None:
        self._facts = dict(facts or {})
        self._before: list[_Step] = []
        self._answers: Changes = {}
        self.hand_input: HandInput | None = None
        self.outcome: Outcome | None = None
        self._read = HandTiles()
        self._waits: Question | None = None
        self.typed = ""
        self.chosen: tuple[str, ...] = ()
        self.note = ""

    @property
    def question(self) -> Question | None:
        """The current question. For 13 tiles in tenpai it is first which tile won."""
        if self._waits is not None:
            return self._waits
        questions = self.outcome.plan.questions if self.outcome else ()
        return questions[0] if questions else None

    @property
    def by_digit(self) -> bool:
        """Whether a digit key answers the question. Otherwise the player types the answer."""
        question = self.question
        return (
            question is not None
            and question.kind is not QuestionKind.TILES
            and len(self.choices) <= _BY_DIGIT
        )

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The numbered answers. Questions with several answers leave out "none"."""
        if self.question is None:
            return ()
        return self.question.choices[self.question.kind is QuestionKind.SEVERAL :]

    @property
    def other_hand(self) -> Region | None:
        """The region of another hand that the player may mean."""
        hands = other_hands(self.hand_input.doubts) if self.hand_input else []
        return hands[0][1] if hands else None

    def see(self, reading: Reading) -> None:
        """Take a steady reading. A new hand starts over; the same hand keeps its answers."""
        before = self.hand_input.hand_tiles if self.hand_input else HandTiles()
        hand_input = hand_input_of(reading, self._facts)
        if not _is_alike(before, hand_input.hand_tiles):
            self._answers = {}
        same_tiles = _hand(self._read) == _hand(hand_input.hand_tiles)
        kept = {
            name: value for name, value in self._answers.items() if same_tiles or name not in _TILE_FIELDS
        }
        past = self.hand_input
        if past is not None and past.reading is not None and past.reading.doubts == reading.doubts:
            hand_input = replace(hand_input, checked=past.checked if same_tiles else frozenset())
        self._answers, self._before, self._read = kept, [], hand_input.hand_tiles
        self._set(hand_input.asked(kept))

    def forget(self) -> None:
        """Wait for another hand."""
        self.hand_input = self.outcome = self._waits = None
        self._answers, self._before, self._read = {}, [], HandTiles()
        self._clear()

    def key(self, key: int) -> bool:
        """Handle a key. Returns whether it had a meaning."""
        question = self.question
        letter = chr(key) if 32 <= key < 127 else ""
        if key in BACKSPACE:
            return self._back()
        if question is None:
            return False
        if key in ENTER:
            self._answer(question, " ".join(self.chosen) if self.chosen else self.typed)
            return True
        if self.by_digit and letter.isdecimal() and 1 <= int(letter) <= len(self.choices):
            choice = self.choices[int(letter) - 1].id
            if question.kind is QuestionKind.SEVERAL:
                kept = tuple(one for one in self.chosen if one != choice)
                self.chosen = kept if choice in self.chosen else (*kept, choice)
            else:
                self._answer(question, choice)
            return True
        if not self.by_digit and letter in _TYPED and letter:
            self.typed += letter
            return True
        return False

    def _back(self) -> bool:
        if self.typed or self.chosen:
            self.typed, self.chosen = self.typed[:-1], ()
            return True
        if not self._before:
            return False
        step = self._before.pop()
        self._answers = step.changes
        self._set(step.hand_input)
        return True

    def _answer(self, question: Question, text: str) -> None:
        assert self.hand_input is not None
        try:
            answered = self.hand_input.answered(question, "" if text == "-" else text)
            changes = question.changes("" if text == "-" else text)
        except (Mistake, RecordError) as mistake:
            self.note, self.typed = str(mistake), ""
            return
        self._before.append(_Step(self.hand_input, self._answers))
        self._answers = {**self._answers, **changes}
        self._set(answered)

    def _set(self, hand_input: HandInput) -> None:
        self._clear()
        self.hand_input = hand_input
        self.outcome = settle(hand_input) if hand_input.hand_tiles.concealed else None
        self._waits = _waits(hand_input)

    def _clear(self) -> None:
        self.typed, self.chosen, self.note = "", (), ""


def hand_input_of(reading: Reading, facts: dict[str, Any]) -> HandInput:
    """The facts of a reading and of the options. With 13 tiles there is no winning tile, wherever one
    lies."""
    hand_input = from_reading(reading).with_facts(facts).as_played()
    if hand_input.hand_tiles.size != _WAITING:
        return hand_input
    return replace(
        hand_input, opened=replace(hand_input.opened, hand_tiles=hand_input.hand_tiles.with_open_win())
    )


def is_whole(reading: Reading) -> bool:
    """Whether the reading has the tiles of a hand: 13 in tenpai, 14, or more with kans."""
    return reading.hand is not None and HandTiles.from_record(reading.hand, {}).size >= 13


def inferred(live: LiveHand) -> list[str]:
    """The inferred facts of the hand, in sentences."""
    if live.outcome is None or live.outcome.problem:
        return []
    return inferred_facts(live.outcome.hand_input, live.outcome.plan)


def notes(live: LiveHand) -> list[str]:
    """The assumptions of the score, and its value under other common rules, in sentences. In tenpai, the
    assumptions for the values of the waits."""
    outcome = live.outcome
    if outcome is None:
        return []
    return (
        [outcome.summary]
        if outcome.hand_input.hand_tiles.is_waiting and live.question
        else [*outcome.shown_notes]
    )


def doubt_sentences(live: LiveHand) -> list[str]:
    """The doubts about the hand, in sentences."""
    if live.hand_input is None:
        return []
    phrases = Phrases(live.hand_input.language)
    return [phrases.of("doubt", "said", what=sentence) for sentence in live.hand_input.doubt_sentences]


def _waits(hand_input: HandInput) -> Question | None:
    """The question which wait of 13 tiles has won; None for any other hand. It has no default."""
    choices = []
    for tile in hand_input.hand_tiles.waits:
        won = settle(hand_input.won_on(tile))
        points = won.result["points"] if won.result and won.result["status"] == "ok" else 0
        low, high = (won.plan.reach.low, won.plan.reach.high) if won.plan.reach else (points, points)
        choices.append(Choice(str(tile), tile.name, {"win_tile": tile}, points, low, high))
    text, why = (Phrases("en").of("win_tile", part) for part in ("text", "why"))
    return Question("win_tile", text, QuestionKind.CHOICE, tuple(choices), "", why) if choices else None


def _hand(hand_tiles: HandTiles) -> HandTiles:
    """The tiles of the hand in sorted order, without sources."""
    return replace(hand_tiles.unordered, dora_indicators=(), ura_indicators=())


def _is_alike(one: HandTiles, other: HandTiles) -> bool:
    """Whether two readings are the same hand: most of their tiles are equal."""
    if not one.concealed or not other.concealed:
        return False
    first, second = Counter(one.line), Counter(other.line)
    return (first & second).total() >= _ALIKE * max(first.total(), second.total())
