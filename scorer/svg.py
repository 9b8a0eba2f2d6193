"""The tiles as SVG, made of lines, circles and rectangles, without fonts or pictures.

A tile is 60 × 80 units. Characters are strokes on a square of 100 × 100 units, scaled onto the tile.
:func:`tile_svg` draws one tile. A page with many tiles uses :func:`sprite` once and :func:`use` for each
tile.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from scorer.tiles import KINDS, TILES, Tile

WIDTH: Final = 60
HEIGHT: Final = 80
"""The size of a tile in units, with about the proportions of a real one."""

BACK: Final = "back"
"""The tile face down."""

_INK: Final = "#1b2a3a"
_RED: Final = "#c01020"
_GREEN: Final = "#0b6b3a"
_BLUE: Final = "#16418c"
_IVORY: Final = "#fcf9f0"
_EDGE: Final = "#8c8470"

# --- characters ---------------------------------------------------------------------------------------------

_STROKES: Final = {
    "一": "10,50 90,50",
    "二": "24,30 76,30|10,76 90,76",
    "三": "20,20 80,20|26,50 74,50|10,82 90,82",
    "四": "14,22 86,22 86,84 14,84 14,22|40,24 38,48 26,62|60,24 60,54 76,57",
    "五": "16,16 84,16|46,16 36,86|22,50 74,50 69,86|8,86 92,86",
    "六": "48,8 54,22|8,38 92,38|38,54 16,90|62,54 86,88",
    "七": "8,52 92,38|44,10 44,76 56,87 84,85 90,70",
    "八": "38,20 30,58 8,88|58,16 66,54 92,88",
    "九": "12,34 68,30 64,72 72,86 90,84 94,66|42,6 37,58 8,92",
    "萬": "6,15 94,15|33,4 33,26|67,4 67,26|26,33 74,33 74,56 26,56 26,33|26,44 74,44|50,33 50,78"
    "|13,96 13,66 87,66 87,88 78,96|34,80 66,78|62,73 70,86",
    "東": "8,18 92,18|26,34 74,34 74,60 26,60 26,34|26,47 74,47|50,4 50,98|47,63 8,92|53,63 92,92",
    "南": "12,18 88,18|50,4 50,34|14,96 14,36 86,36 86,88 75,96|36,43 42,53|64,43 58,53|30,58 70,58"
    "|26,75 74,75|50,58 50,94",
    "西": "8,16 92,16|16,36 84,36 84,90 16,90 16,36|39,17 37,52 25,66|61,17 61,58 78,62",
    "北": "36,8 36,96|8,38 36,38|6,84 36,66|62,8 62,76 69,87 90,86 95,68|64,48 90,30",
    "發": "12,18 40,18 30,34 6,50|20,31 27,37|56,6 66,28 95,50|84,10 69,21|92,24 77,34"
    "|14,58 40,58 40,68 16,68 14,80 42,80 40,96 30,95|60,55 58,66 50,73|60,55 78,55 79,67 92,66"
    "|52,78 84,78 70,91 50,98|58,80 74,93 95,98",
    "中": "14,30 86,30 86,62 14,62 14,30|50,4 50,98",
}  # fmt: skip
"""The strokes of each character, as points joined by straight lines."""

_NUMBERS: Final = "一二三四五六七八九"
_WINDS: Final = "東南西北"


def _character(character: str, x: float, y: float, size: float, colour: str) -> str:
    """The character on the square of ``size`` with its left upper corner at x, y."""
    path = "".join("M" + stroke.replace(" ", "L") for stroke in _STROKES[character].split("|"))
    return (
        f'<path d="{path}" transform="translate({x} {y}) scale({size / 100:g})" fill="none"'
        f' stroke="{colour}" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"/>'
    )


# --- circles and bamboos ------------------------------------------------------------------------------------

_CIRCLES: Final[dict[int, tuple[float, tuple[tuple[float, float], ...]]]] = {
    1: (21, ((30, 40),)),
    2: (13, ((30, 22), (30, 58))),
    3: (10, ((15, 17), (30, 40), (45, 63))),
    4: (10.5, ((17, 22), (43, 22), (17, 58), (43, 58))),
    5: (9.5, ((15, 18), (45, 18), (30, 40), (15, 62), (45, 62))),
    6: (9.5, ((18, 15), (42, 15), (18, 42), (42, 42), (18, 65), (42, 65))),
    7: (7.5, ((13, 12), (30, 19), (47, 26), (18, 46), (42, 46), (18, 66), (42, 66))),
    8: (7.5, tuple((x, y) for y in (13, 31, 49, 67) for x in (18, 42))),
    9: (7.5, tuple((x, y) for y in (15, 40, 65) for x in (12, 30, 48))),
}
"""Radius and centres."""

_RED_CIRCLES: Final = {(3, 1), (5, 2), (6, 2), (6, 3), (6, 4), (6, 5), (7, 3), (7, 4), (7, 5), (7, 6)} | {
    (9, at) for at in (3, 4, 5)
}
"""(rank, index of the circle) of each red circle."""

_STICKS: Final[dict[int, tuple[float, tuple[tuple[float, float, float], ...]]]] = {
    2: (28, ((30, 22, 0), (30, 58, 0))),
    3: (28, ((30, 22, 0), (18, 58, 0), (42, 58, 0))),
    4: (28, ((18, 22, 0), (42, 22, 0), (18, 58, 0), (42, 58, 0))),
    5: (27, ((14, 21, 0), (46, 21, 0), (30, 40, 0), (14, 59, 0), (46, 59, 0))),
    6: (28, tuple((x, y, 0) for y in (22, 58) for x in (14, 30, 46))),
    7: (18, ((30, 14, 0), *((x, y, 0) for y in (40, 64) for x in (14, 30, 46)))),
    8: (27, ((11, 22, 0), (24, 22, 24), (36, 22, -24), (49, 22, 0), (11, 58, 0), (24, 58, -24), (36, 58, 24),
             (49, 58, 0))),
    9: (19, tuple((x, y, 0) for y in (16, 40, 64) for x in (14, 30, 46))),
}  # fmt: skip
"""Length, then centre and angle in degrees of each stick."""

_RED_STICKS: Final = {(5, 2), (7, 0), (9, 1), (9, 4), (9, 7)}


def _circle(x: float, y: float, radius: float, colour: str) -> str:
    rings = ((radius, colour), (radius * 0.72, _IVORY), (radius * 0.45, colour))
    return "".join(f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"/>' for r, fill in rings)


def _stick(x: float, y: float, length: float, angle: float, colour: str) -> str:
    turn = f' transform="rotate({angle:g} {x:g} {y:g})"' if angle else ""
    half = length / 2
    return (
        f'<g fill="{colour}"{turn}>'
        f'<rect x="{x - 2.8:g}" y="{y - half:g}" width="5.6" height="{length:g}" rx="2.6"/>'
        f'<rect x="{x - 4.4:g}" y="{y - half:g}" width="8.8" height="3.6" rx="1.8"/>'
        f'<rect x="{x - 4.4:g}" y="{y - 1.8:g}" width="8.8" height="3.6" rx="1.8"/>'
        f'<rect x="{x - 4.4:g}" y="{y + half - 3.6:g}" width="8.8" height="3.6" rx="1.8"/></g>'
    )


_BIRD: Final = (
    f'<g stroke-linecap="round" fill="none"><path d="M26 58L18 72M32 58L32 73M38 56L46 71" stroke="{_BLUE}"'
    f' stroke-width="4"/><path d="M24 60L10 66M25 54L9 55" stroke="{_GREEN}" stroke-width="4"/></g>'
    f'<ellipse cx="31" cy="44" rx="13" ry="17" fill="{_GREEN}" transform="rotate(24 31 44)"/>'
    f'<path d="M26 40Q38 36 40 52Q30 54 26 40Z" fill="{_IVORY}"/>'
    f'<path d="M29 43Q36 41 37 49Q31 50 29 43Z" fill="{_BLUE}"/>'
    f'<circle cx="38" cy="21" r="9" fill="{_RED}"/><circle cx="40" cy="19" r="2.2" fill="{_IVORY}"/>'
    f'<path d="M46 19L54 23L45 26Z" fill="{_INK}"/>'
    f'<path d="M33 13Q32 7 27 6M37 12Q38 6 35 3" stroke="{_RED}" stroke-width="3" fill="none"'
    f' stroke-linecap="round"/>'
)

# --- faces --------------------------------------------------------------------------------------------------


def _face(tile: Tile) -> str:
    rank, red = tile.rank, tile.is_red
    match tile.suit:
        case "m":
            number = _character(_NUMBERS[rank - 1], 13, 5, 34, _RED if red else _INK)
            return number + _character("萬", 12, 40, 36, _RED)
        case "p":
            radius, centres = _CIRCLES[rank]
            colours = [
                _RED if red or (rank, at) in _RED_CIRCLES else _BLUE if rank != 1 else _RED
                for at in range(len(centres))
            ]
            return "".join(_circle(x, y, radius, one) for (x, y), one in zip(centres, colours, strict=True))
        case "s" if rank == 1:
            return _BIRD
        case "s":
            length, sticks = _STICKS[rank]
            return "".join(
                _stick(x, y, length, angle, _RED if red or (rank, at) in _RED_STICKS else _GREEN)
                for at, (x, y, angle) in enumerate(sticks)
            )
    if rank <= 4:
        return _character(_WINDS[rank - 1], 10, 20, 40, _INK)
    return {
        5: f'<g fill="none" stroke="{_BLUE}">'
        '<rect x="13" y="14" width="34" height="52" rx="3" stroke-width="3"/>'
        '<rect x="18" y="19" width="24" height="42" rx="1" stroke-width="1.2"/></g>',
        6: _character("發", 9, 19, 42, _GREEN),
        7: _character("中", 9, 19, 42, _RED),
    }[rank]


def _dot(tile: Tile) -> str:
    """A dot that marks a red five, for readers who do not see colours."""
    return f'<circle cx="53" cy="7" r="3.6" fill="{_RED}" stroke="{_IVORY}"/>' if tile.is_red else ""


def drawing(tile: Tile | str) -> str:
    """The tile, or :data:`BACK`, on its body: SVG elements within 60 × 80."""
    body = (
        f'<rect x="1" y="1" width="58" height="78" rx="6" fill="{{}}" stroke="{_EDGE}" stroke-width="1.6"/>'
    )
    if isinstance(tile, str):
        lines = "".join(f"M10 {y}L50 {y}" for y in range(14, 70, 10))
        return body.format("#b5752a") + f'<path d="{lines}" stroke="#d9a765" stroke-width="3"/>'
    return body.format(_IVORY) + _face(tile) + _dot(tile)


def _name(tile: Tile | str) -> str:
    return "face down" if isinstance(tile, str) else tile.name


def tile_svg(tile: Tile | str, height: float = HEIGHT) -> str:
    """One tile as an SVG document ``height`` pixels high.

    >>> tile_svg(TILES[27]).startswith("<svg")
    True
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" height="{height:g}"'
        f' width="{height * WIDTH / HEIGHT:g}" role="img">'
        f"<title>{escape(_name(tile))}</title>{drawing(tile)}</svg>"
    )


def row_svg(groups: Iterable[Iterable[Tile | str]], height: float = 48) -> str:
    """Groups of tiles side by side as one SVG document ``height`` pixels high."""
    drawn, x = [], 0.0
    for group in map(list, groups):
        for tile in group:
            drawn.append(f'<g transform="translate({x:g} 0)">{drawing(tile)}</g>')
            x += WIDTH + 2
        x += WIDTH / 2 if group else 0
    width = max(x - WIDTH / 2, WIDTH)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {HEIGHT}" height="{height:g}"'
        f' width="{height * width / HEIGHT:g}" role="img">{"".join(drawn)}</svg>'
    )


def sprite(tiles: Iterable[Tile | str] = (*TILES, BACK)) -> str:
    """An invisible SVG that defines the tiles once for :func:`use`."""
    symbols = "".join(
        f'<symbol id="tile-{tile}" viewBox="0 0 {WIDTH} {HEIGHT}">{drawing(tile)}</symbol>'
        for tile in dict.fromkeys(tiles)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">{symbols}</svg>'


def use(tile: Tile | str, turned: bool = False) -> str:
    """A tile of the :func:`sprite` of the page, with the CSS class ``tile`` and a label for screen readers.

    ``turned``: whether it lies sideways, at the same size and on the same line.
    """
    name = f'role="img" aria-label="{escape(_name(tile))}"'
    if turned:
        lain = f'width="{WIDTH}" height="{HEIGHT}" transform="translate(0 {HEIGHT}) rotate(-90)"'
        box = f"0 0 {HEIGHT} {HEIGHT}"
        return f'<svg class="tile turned" viewBox="{box}" {name}><use href="#tile-{tile}" {lain}/></svg>'
    return f'<svg class="tile" viewBox="0 0 {WIDTH} {HEIGHT}" {name}><use href="#tile-{tile}"/></svg>'


def sheet(columns: int = 9) -> str:
    """A picture of all faces and the back, for inspection."""
    tiles: list[Tile | str] = [*TILES[:KINDS], *TILES[KINDS:], BACK]
    cells = "".join(
        f'<g transform="translate({(at % columns) * 64 + 2} {(at // columns) * 84 + 2})">{drawing(tile)}</g>'
        for at, tile in enumerate(tiles)
    )
    rows = -(-len(tiles) // columns)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns * 64} {rows * 84}"'
        f' width="{columns * 64}" height="{rows * 84}">{cells}</svg>'
    )
