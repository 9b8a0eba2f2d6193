"""The panel beside the picture: the tiles, the value of the hand, the question, and the keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from scorer.asking.plan import Choice, QuestionKind
from scorer.hand_tiles import HandTiles
from scorer.open_record import OpenRecord
from scorer.words import Words
from tehai.hand.hand_groups import hand_groups
from tehai.output.drawing import COLOURS, MELD_COLOURS, Colour
from tehai.webcam.live_hand import LiveHand, doubt_sentences, inferred, notes
from tehai.webcam.steady import State, View
from vision.arrays import Pixels
from vision.labels import REDS

WIDTH: Final = 380
"""Pixels."""

_GROUND: Final[Colour] = (24, 26, 30)
_INK: Final[Colour] = (236, 238, 240)
_DIM: Final[Colour] = (160, 166, 174)
_GOOD: Final[Colour] = (110, 220, 140)
_WARM: Final[Colour] = (255, 205, 90)
_IVORY: Final[Colour] = (250, 246, 236)
_SUITS: Final[dict[str, Colour]] = {
    "m": (160, 16, 32),
    "p": (16, 64, 160),
    "s": (16, 96, 48),
    "z": (28, 28, 28),
}
_RED: Final[Colour] = (192, 16, 32)
_BACK: Final[Colour] = (176, 112, 32)

_PAD: Final = 16
_TILE: Final = (30, 38)
_SMALL, _PLAIN, _LARGE, _HUGE = 13, 16, 20, 34
_LEADING: Final = 1.35

_STATES: Final[dict[State, tuple[str, Colour]]] = {
    State.WAITING: ("Waiting until nothing moves", _WARM),
    State.VOTING: ("Reading: keep it still", _WARM),
    State.STEADY: ("Steady", _GOOD),
    State.COVERED: ("Something is over the tiles", _WARM),
    State.MOVED: ("The camera moved", _WARM),
}

_WITHOUT: Final = str.maketrans({"→": ">", "–": "-", "×": "x", "“": '"', "”": '"'})
"""Replacements for characters that the font lacks."""

_KEYS: Final = "Backspace: back    C: snapshot    N: next hand    Q: quit"
_OTHER_HAND: Final = "H: the other hand is meant"


def paint(view: View, live: LiveHand, height: int, note: str = "") -> Pixels:
    """The panel, (height, WIDTH, 3) RGB. ``note``: the effect of the last key, above the keys."""
    image = Image.new("RGB", (WIDTH, height), _GROUND)
    page = _Page(ImageDraw.Draw(image), _PAD)
    text, colour = _STATES[view.state]
    page.dot(colour)
    page.write(text, colour, _LARGE, indent=22)
    page.write(count(view), _DIM, _PLAIN)
    if live.hand_input is not None and live.hand_input.hand_tiles.concealed:
        page.tiles(_groups(live.hand_input.hand_tiles))
    foot = [(live.note or note, _WARM)] if live.note or note else []
    if live.other_hand is not None:
        foot.append((_OTHER_HAND, _WARM))
    foot.append((_KEYS, _DIM))
    end = height - _PAD // 2 - sum(page.height_of(text, _SMALL) for text, _ in foot)
    for paragraph, ink, size in paragraphs(view, live):
        if page.at + page.height_of(paragraph, size) > end:
            break
        page.write(paragraph, ink, size)
    page.at = end
    for text, ink in foot:
        page.write(text, ink, _SMALL)
    return np.asarray(image, np.uint8)


def paragraphs(view: View, live: LiveHand) -> Iterator[tuple[str, Colour, int]]:
    """The paragraphs under the hand, most important first.

    Doubts; an error or the value; the question; assumptions and other rules; inferred facts.
    """
    for sentence in doubt_sentences(live):
        yield sentence, _WARM, _SMALL
    reading = view.reading
    outcome = live.outcome
    if outcome is None or outcome.result is None:
        if reading is not None and reading.message:
            yield reading.message, _WARM, _PLAIN
        elif outcome is not None and outcome.problem:
            yield outcome.problem, _WARM, _PLAIN
    elif outcome.problem:
        yield outcome.problem, _WARM, _PLAIN
    else:
        yield from _worth(outcome.hand_input.opened, outcome.result, outcome.plan.reach)
    yield from _asked(live)
    yield "", _DIM, _SMALL
    for sentence in (*notes(live), *inferred(live)):
        yield sentence, _DIM, _SMALL


def _worth(opened: OpenRecord, result: Mapping[str, Any], reach: Any) -> Iterator[tuple[str, Colour, int]]:
    words = opened.rules.vocabulary
    yield f"{result['points']:,}", _GOOD, _HUGE
    yield str(result["in_words"]), _INK, _PLAIN
    if reach is not None and reach.low < reach.high:
        yield f"so far; it can still be {reach.low:,} to {reach.high:,}", _DIM, _SMALL
    yaku = " · ".join(f"{words.yaku(id_)} {_han(result, han, words)}" for id_, han in result["yaku"])
    yield yaku, _INK, _SMALL
    yield _payment(opened, result), _INK, _SMALL


def _han(result: Mapping[str, Any], han: int, words: Words) -> str:
    return words.limits["yakuman"] if result["yakuman"] else str(han)


def _payment(opened: OpenRecord, result: Mapping[str, Any]) -> str:
    """Who pays what, in one sentence."""
    deltas = result.get("deltas")
    if deltas is None:
        return f"The discarder pays {result['points']:,}."
    if opened.win.tsumo and opened.dealer is False and opened.win.pao is None:
        other, *others, dealer = sorted(-delta for delta in deltas[1:] if delta)
        rest = f"the two others {other:,} each" if others else f"the other {other:,}"
        return f"The dealer pays {dealer:,}, {rest}."
    paid = [
        f"{name} pays {-delta:,}"
        for delta, name in zip(deltas[1:], ("right", "across", "left"), strict=True)
        if delta < 0
    ]
    return f"You get {deltas[0]:,}: {', '.join(paid)}."


def _asked(live: LiveHand) -> Iterator[tuple[str, Colour, int]]:
    question = live.question
    if question is None:
        return
    yield "", _DIM, _SMALL
    yield question.text, _INK, _LARGE
    values = _values(live.choices)
    if live.by_digit:
        for number, (choice, value) in enumerate(zip(live.choices, values, strict=True), 1):
            mark = "[x] " if choice.id in live.chosen else ""
            usual = "   (Enter)" if choice.id == question.default and not live.chosen else ""
            yield f"{number}   {mark}{choice.label}   {value}{usual}", _INK if usual else _DIM, _PLAIN
        if question.kind is QuestionKind.SEVERAL:
            done = "Enter: these" if live.chosen else "Enter: none of these"
            yield done, _DIM, _SMALL
    else:
        # Answers in tiles show the ids to type; indicators show only the number of dora.
        names = [one.label if question.kind is QuestionKind.TILES else one.id for one in live.choices]
        effects = [f"{name} {value}" for name, value in zip(names, values, strict=True)]
        yield " · ".join(effects), _DIM, _SMALL
        yield f"Type the answer: {live.typed}_", _INK, _PLAIN
        if question.kind is QuestionKind.TILES or live.typed or question.default:
            yield f"Enter: {live.typed or question.default or 'none'}", _DIM, _SMALL


def _values(choices: tuple[Choice, ...]) -> list[str]:
    """The points of each answer; the range if answers differ only in it."""
    plain = [
        f"{one.points:,}" if one.points else "too few han" if one.too_few else "no yaku" for one in choices
    ]
    if len(set(plain)) > 1:
        return plain
    return [f"{one.low:,}" if one.low == one.high else f"{one.low:,}-{one.high:,}" for one in choices]


def count(view: View) -> str:
    """The number of tiles of the hand, and of doubts."""
    if view.reading is None:
        return "no reading"
    hand = [tile for tile in view.reading.tiles if tile.role not in ("other", "dora", "ura")]
    doubtful = len(view.reading.doubts)
    melds = (view.reading.hand or {}).get("melds", ())
    kans = sum(meld["type"] in ("minkan", "kakan", "ankan") for meld in melds)
    parts = [f"{len(hand)} of {14 + kans} tiles"]
    if doubtful:
        parts.append(f"{doubtful} to check")
    return ", ".join(parts) if hand else "no hand"


def _groups(hand_tiles: HandTiles) -> list[tuple[Colour, Sequence[str]]]:
    """The groups of the hand and the dora indicators, with their colours in the picture."""
    melds = iter(MELD_COLOURS * 2)
    colours = {"closed": COLOURS["hand"], "in_hand": COLOURS["hand"], "wins_on": COLOURS["win"]}
    groups: list[tuple[Colour, Sequence[str]]] = [
        (colours[name] if name in colours else next(melds), tiles) for name, tiles in hand_groups(hand_tiles)
    ]
    dora = [str(tile) for tile in hand_tiles.dora_indicators]
    return [*groups, (COLOURS["dora"], dora)] if dora else groups


class _Page:
    """A column of text from top to bottom. ``at``: the position of the next line."""

    def __init__(self, pen: ImageDraw.ImageDraw, at: int) -> None:
        self._pen = pen
        self.at = at

    def write(self, text: str, colour: Colour, size: int, indent: int = 0) -> None:
        """Write a paragraph, wrapped at the width of the panel."""
        for line in _lines(text, size, indent):
            self._pen.text((_PAD + indent, self.at), line, colour, _font(size))
            self.at += round(size * _LEADING)
        self.at += size // 4

    def height_of(self, text: str, size: int) -> int:
        """The height of a paragraph in pixels."""
        return len(_lines(text, size)) * round(size * _LEADING) + size // 4

    def dot(self, colour: Colour) -> None:
        """Draw a status dot before the next line."""
        self._pen.ellipse((_PAD, self.at + 6, _PAD + 13, self.at + 19), colour)

    def tiles(self, groups: Sequence[tuple[Colour, Sequence[str]]]) -> None:
        """Draw groups of tiles, each underlined in its colour."""
        wide, high = _TILE
        x = _PAD
        for colour, group in groups:
            if x + len(group) * (wide + 2) > WIDTH - _PAD and x > _PAD:
                x, self.at = _PAD, self.at + high + 12
            for tile in group:
                if x + wide > WIDTH - _PAD:
                    x, self.at = _PAD, self.at + high + 12
                self._tile(tile, x)
                self._pen.rectangle((x, self.at + high + 3, x + wide + 1, self.at + high + 5), colour)
                x += wide + 2
            x += 12
        self.at += high + 16

    def _tile(self, tile: str, x: int) -> None:
        wide, high = _TILE
        box = (x, self.at, x + wide, self.at + high)
        if len(tile) != 2:
            self._pen.rounded_rectangle(box, 4, _BACK)
            return
        red = tile in REDS
        self._pen.rounded_rectangle(box, 4, _RED if red else _IVORY)
        middle = (x + wide // 2, self.at + high // 2)
        self._pen.text(middle, tile, _IVORY if red else _SUITS[tile[1]], _font(_PLAIN), anchor="mm")


def _lines(text: str, size: int, indent: int = 0) -> list[str]:
    """The text wrapped between words to the width of the panel."""
    width, length = WIDTH - 2 * _PAD - indent, _font(size).getlength
    lines = [""]
    for word in text.translate(_WITHOUT).split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and length(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
