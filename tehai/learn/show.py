"""Print exercises on the terminal: tiles as coloured cells or braille dots, hands, explanations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from PIL import Image, ImageChops, ImageFilter, ImageOps
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from scorer.telling.sentence import Sentence
from scorer.tiles import Tile
from tehai.learn.exercise import Exercise, Passage, Shown, lying
from tehai.learn.pages import Page
from tehai.learn.texts import Texts
from tehai.terminal.flowing import Flowing
from tehai.terminal.lesson import INDENT, print_lines, wording
from tehai.terminal.show import tile_text

_LINES: Final = (14, 20)
"""The least and the greatest height of a picture in lines. A cell is twice as high as wide."""

_BESIDE: Final = 7
"""The lines for the rest of an exercise, so that nothing scrolls away."""

_QUARTERS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""Block characters by the quarters in the foreground colour: 1 upper left, 2 upper right, 4 and 8 below."""

_BRAILLE: Final = np.array(((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80)))
"""The bit of each braille dot."""

_INK: Final = 14
"""How much darker than its surroundings a dot of ink is, of 255."""


def has_colours(console: Console) -> bool:
    """Whether the terminal shows colours and ``NO_COLOR`` is not set."""
    return console.color_system is not None and not console.no_color


def picture_text(picture: Image.Image, colours: bool, lines: int = 20) -> Text:
    """The picture with so many lines."""
    return _in_colours(picture, lines) if colours else _in_dots(picture, lines)


def _in_colours(picture: Image.Image, lines: int) -> Text:
    """Each cell has two colours: the lighter quarters, and the others."""
    width, height = 3 * lines // 2 * 2, 2 * lines
    small = picture.resize((width, height), Image.Resampling.BOX)
    pixels = [tuple(pixel) for pixel in np.asarray(small).reshape(-1, 3).tolist()]
    rows = []
    for row in range(0, height, 2):
        starts = range(row * width, (row + 1) * width, 2)
        cells = (_cell([pixels[at + dx + width * dy] for dy in (0, 1) for dx in (0, 1)]) for at in starts)
        rows.append(Text.assemble(*cells))
    return Text("\n").join(rows)


def _cell(quarters: list[tuple[int, int, int]]) -> tuple[str, str]:
    """The character and the style nearest to four colours."""
    middle = sum(map(sum, quarters)) / len(quarters)
    light = [sum(colour) > middle for colour in quarters]
    front = [colour for colour, is_light in zip(quarters, light, strict=True) if is_light]
    back = [colour for colour, is_light in zip(quarters, light, strict=True) if not is_light]
    bits = sum(1 << at for at, is_light in enumerate(light) if is_light)
    return _QUARTERS[bits], f"{_mean(front or back)} on {_mean(back)}"


def _mean(colours: list[tuple[int, int, int]]) -> str:
    red, green, blue = (round(sum(parts) / len(colours)) for parts in zip(*colours, strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _in_dots(picture: Image.Image, lines: int) -> Text:
    """Darker parts as braille dots, two by four in a cell."""
    width, height = 3 * lines // 2 * 2, 4 * lines
    grey = ImageOps.grayscale(picture).resize((width, height), Image.Resampling.LANCZOS)
    around = grey.filter(ImageFilter.BoxBlur(9))
    ink = ImageChops.subtract(around, grey).point(lambda value: 255 * (value > _INK))
    inked = np.asarray(ink)
    rows = []
    for row in range(0, height, 4):
        cells = (inked[row : row + 4, column : column + 2] for column in range(0, width, 2))
        rows.append("".join(chr(0x2800 + int(_BRAILLE[cell > 0].sum())) for cell in cells))
    return Text("\n".join(rows))


# --- an exercise --------------------------------------------------------------------------------------------


def print_exercise(console: Console, texts: Texts, exercise: Exercise) -> None:
    """Print the tiles and the question."""
    shown = exercise.shown
    if shown.picture is not None:
        lines = min(max(console.height - _BESIDE, _LINES[0]), _LINES[1])
        picture = picture_text(shown.picture, has_colours(console), lines)
        console.print(Padding(picture, INDENT))
    if shown.concealed:
        console.print(hand(texts, shown))
    for fact in shown.facts:
        console.print(Padding(Flowing(wording(texts, fact)), INDENT))
    console.print(Flowing(wording(texts, exercise.question, "bold")))


def hand(texts: Texts, shown: Shown) -> RenderableType:
    """The tiles, with the name of each meld below it, on as many lines as needed."""
    cells: list[RenderableType] = [_captioned(_row(shown.concealed), "")]
    if shown.last:
        cells.append(_captioned(_row(shown.last), texts.text(Sentence("caption.last"))))
    for meld in shown.melds:
        cells.append(_captioned(_row(lying(meld)), texts.text(Sentence(f"caption.{meld.type}"))))
    return Columns(cells, padding=(0, 3))


def _row(tiles: Iterable[Tile | str]) -> Text:
    return Text().join(tile_text(str(tile)) for tile in tiles)


def _captioned(tiles: Text, caption: str) -> RenderableType:
    return Group(tiles, Text(caption, "dim"))


def print_page(console: Console, texts: Texts, page: Page) -> None:
    """Print a page that teaches."""
    console.print(Text(texts.text(page.title), "bold underline"))
    print_lines(console, texts, page.passage.lines, None)


def print_passage(console: Console, texts: Texts, passage: Passage) -> None:
    """Print a passage of an explanation."""
    if passage.title is not None:
        console.print(Padding(wording(texts, passage.title, "underline"), INDENT))
    print_lines(console, texts, passage.lines, passage.grid)
