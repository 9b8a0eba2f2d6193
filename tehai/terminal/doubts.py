"""What is in doubt about a photo, on the terminal: printed, and which of several hands is meant asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from scorer.asking.phrases import Phrases
from scorer.hand_tiles import HandTiles
from scorer.rules import load_rules
from scorer.words import VOCABULARIES
from tehai.errors import Mistake
from tehai.hand.doubts import other_hands
from tehai.hand.inputs import HandInput
from tehai.terminal.ask import ask_until_right
from tehai.terminal.show import hand_text

if TYPE_CHECKING:
    from vision.reading import Region


def hands_meant(hand_input: HandInput) -> list[tuple[HandTiles, Region | None]]:
    """The possible hands: the one that was read first, then those with other tiles. Each has the region of
    the photo in which it was read."""
    others = (
        one for one in other_hands(hand_input.doubts) if one[0].unordered != hand_input.hand_tiles.unordered
    )
    return [(hand_input.hand_tiles, None), *others]


def ask_hand(
    console: Console, hands: Sequence[tuple[HandTiles, Region | None]], language: str = "en"
) -> Region | None:
    """The region of the hand that is meant, each shown with its tiles; None for the first, which Enter takes.

    Raises :class:`Mistake` at the end of the input.
    """
    words = VOCABULARIES["kanji"] if language == "ja" else load_rules().vocabulary
    numbers = [str(number) for number in range(1, len(hands) + 1)]
    for number, (hand_tiles, _) in zip(numbers, hands, strict=True):
        console.print(Text(number, "cyan"))
        console.print(hand_text(hand_tiles, words, language))

    def parse(text: str) -> Region | None:
        if text not in numbers:
            raise Mistake(f"“{text}” is none of {', '.join(numbers)}.")
        return hands[int(text) - 1][1]

    question = Phrases(language).of("doubt", "which")
    prompt = Text.assemble((question, "bold"), " ", (f"({'/'.join(numbers)})", "cyan"), (" › ", "bold"))
    return ask_until_right(console, prompt, parse)
