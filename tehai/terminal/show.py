"""Hands, readings and scores on the terminal."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scorer.asking.phrases import Phrases
from scorer.hand import OTHERS, seat_at
from scorer.hand_tiles import HandTiles
from scorer.open_record import OpenRecord
from scorer.payment import gets_counters
from scorer.rules import load_rules
from scorer.tiles import format_tiles, parse_tiles
from scorer.words import VOCABULARIES, Words
from tehai.hand.doubts import confidence_sentence, in_doubt, sentence
from tehai.hand.hand_groups import hand_groups
from tehai.hand.rivers import OWN, TableRiver, riichi_by, typed
from tehai.hand.scoring import is_by_role
from tehai.terminal import volume
from tehai.terminal.flowing import Flowing
from vision.labels import REDS
from vision.reading import TILE_THRESHOLD, Reading, SeenTile

SUIT_STYLES = {
    "m": "#a01020 on grey93",
    "p": "#1040a0 on grey93",
    "s": "#106030 on grey93",
    "z": "grey11 on grey93",
}
RED_FIVE_STYLE = "bold white on #c01020"
BACK_STYLE = "grey93 on #b07020"

PLACES: Final = {0: "you", 1: "right", 2: "across", 3: "left"}
"""The players by their offset from the winner, as a record counts them."""

_MOST: Final = 3
"""Doubts that are told one by one."""


def tile_text(tile: str, turned: bool = False) -> Text:
    """One tile as a small coloured block; one that lies sideways is longer, between two strokes."""
    if tile == "back":
        return Text("    ", BACK_STYLE)
    if len(tile) != 2:
        return Text(f" {tile}  ", "black on yellow")
    return Text(
        f"‹{tile}›" if turned else f" {tile} ", RED_FIVE_STYLE if tile in REDS else SUIT_STYLES[tile[1]]
    )


def tiles_text(tiles: Sequence[str]) -> Text:
    """Tiles side by side."""
    return Text(" ").join(tile_text(tile) for tile in tiles)


def hand_text(hand_tiles: HandTiles, words: Words, language: str = "en") -> RenderableType:
    """The hand with a caption under each group. ``words`` names the melds."""
    phrases, cells = Phrases(language), []
    for name, tiles in hand_groups(hand_tiles):
        caption = words.terms[name] if name in words.terms else phrases.of("score", name)
        cells.append(Group(tiles_text(tiles), Text(caption, "dim")))
    return Columns(cells, padding=(0, 3))


def numbered_line(hand_tiles: HandTiles, doubtful: Container[int] = ()) -> RenderableType:
    """The line of tiles with its positions underneath; those in ``doubtful`` have a question mark."""
    line = list(map(str, hand_tiles.line))
    cells = []
    for place, tile in enumerate(line, 1):
        number = Text(
            f"{place}?" if place in doubtful else str(place), "yellow" if place in doubtful else "dim"
        )
        number.align("center", 4)
        cells.append(Group(tile_text(tile), number))
    return Columns(cells, padding=(0, 1))


def print_score(
    console: Console, opened: OpenRecord, result: Mapping[str, Any], language: str = "en"
) -> None:
    """The whole result of a hand that wins."""
    words, phrases = opened.rules.vocabulary, Phrases(language)
    console.print()
    console.print(hand_text(opened.hand_tiles, words, language))
    console.print(Text(_facts(opened, words, phrases), "dim"))
    tables = [_yaku_table(result, words, others=language == "en"), _fu_table(result, words, phrases)]
    console.print(Columns(tables, padding=(0, 4)))
    console.print(_headline(opened, result, words))
    console.print(_payment_table(opened, result, words, phrases))
    if chips := result.get("chips"):
        console.print(Text(phrases.of("game", "chips_won", n=chips)))


def print_notes(console: Console, notes: Sequence[str]) -> None:
    """What a score takes for granted, and what others would make of it."""
    for note in () if volume.quiet else filter(None, notes):
        console.print(Text(note, "dim"))
    console.print()


def print_doubts(console: Console, sentences: Sequence[str], language: str = "en") -> None:
    """What is in doubt, a sentence a line; of many the gravest, and how many more there are."""
    if volume.quiet:
        return
    lines = list(sentences)
    if len(lines) > _MOST:
        more = Phrases(language).of("doubt", "more", many=len(lines) - _MOST + 1)
        lines[_MOST - 1 :] = [more]
    for one in lines:
        console.print(Flowing(Text(Phrases(language).of("doubt", "said", what=one), "yellow")))


def print_rivers(console: Console, rivers: Sequence[TableRiver], players: int, language: str = "en") -> None:
    """The rivers as a photo shows them, a line a player, and how to correct them; nothing without any."""
    if volume.quiet or not rivers:
        return
    phrases = Phrases(language)
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for one in rivers:
        tiles = (_discard_text(tile, turned=place == one.turned) for place, tile in one.tiles)
        who = phrases.of("rivers", "own") if one.who == OWN else phrases.answer("pao", one.who, "short")
        table.add_row(Text(who), Text(" ").join(tiles))
    console.print()
    console.print(Flowing(Text(phrases.of("rivers", "read"), "bold")))
    console.print(Padding(table, (0, 0, 0, 2)))
    console.print(Flowing(Text(phrases.of("rivers", "correct"), "dim")))
    others = typed(rivers, players)
    flags = {
        "discards": "".join(format_tiles(one.faces) for one in rivers if one.who == OWN),
        "rivers": others if others.strip("/") else "",
        "riichi-by": riichi_by(rivers),
    }
    line = "".join(f" --{name} {value}" for name, value in flags.items() if value)
    console.print(Text(f" {line}", "dim"), soft_wrap=True)  # to be copied in one piece


def _discard_text(tile: SeenTile, turned: bool) -> Text:
    """A discard by its name alone, so that a river takes one line."""
    label = f"{tile.label}?" if tile.is_doubtful else tile.label
    return Text(f"‹{label}›" if turned else label, "bold" if turned else "")


def print_comparison(
    console: Console,
    opened: OpenRecord,
    results: Mapping[str, Mapping[str, Any]],
    language: str = "en",
) -> None:
    """One hand under several rule sets, a column each, in as many tables as the width takes.

    Under the tables, why a rule set gives no score. All use one vocabulary: the record's own, or that of its
    rules, which are the first.
    """
    words, phrases = opened.rules.vocabulary, Phrases(language)
    own = {id_: name for rules in map(load_rules, results) for id_, name in rules.vocabulary.own.items()}
    words = replace(words, own={**own, **words.own})
    console.print()
    console.print(hand_text(opened.hand_tiles, words, language))
    names, unbound = list(results), console.options.update(max_width=10_000)
    while names:
        count = len(names)
        while count > 1 and (
            console.measure(_compared(words, results, names[:count]), options=unbound).maximum > console.width
        ):
            count -= 1
        console.print(_compared(words, results, names[:count]))
        names = names[count:]
    for name, result in results.items():
        if result["status"] != "ok":
            why = phrases.error(result["error"], result["message"])
            console.print(Text.assemble((name, "bold"), phrases.of("score", "error", why=why)))


def _compared(words: Words, results: Mapping[str, Mapping[str, Any]], names: Sequence[str]) -> Table:
    """What the rule sets of these names make of a hand; every table has the rows of all of them."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in names:
        table.add_column(name)
    yaku = {name: dict(result.get("yaku", ())) for name, result in results.items()}
    for id_ in dict.fromkeys(id_ for each in yaku.values() for id_ in each):
        table.add_row(words.yaku(id_), *(str(yaku[name].get(id_, "")) for name in names))
    for key in ("han", "fu", "limit", "points"):
        cells = [results[name].get(key) for name in names]
        style = "bold green" if key == "points" else ""
        texts = [f"{cell:,}" if isinstance(cell, int) else words.limits.get(str(cell), "") for cell in cells]
        table.add_row(Text(words.terms[key], "dim"), *(Text(text, style) for text in texts))
    return table


def _facts(opened: OpenRecord, words: Words, phrases: Phrases) -> str:
    hand_tiles, win = opened.hand_tiles, opened.win
    seat = phrases.of("score", "no_seat" if win.seat_wind is None else f"seat_{win.seat_wind}")
    parts = [
        phrases.of("score", "dealer", seat=seat) if win.is_dealer else seat,
        phrases.of("score", f"round_{win.round_wind}"),
    ]
    for label, tiles in (
        ("indicators", hand_tiles.dora_indicators),
        ("ura_indicators", hand_tiles.ura_indicators),
    ):
        if tiles:
            parts.append(f"{words.terms[label]} {' '.join(map(str, tiles))}")
    for label, number in (
        ("nukidora", win.nukidora),
        ("dora", win.dora_count),
        ("ura", win.ura_count),
        ("honba", win.honba),
        ("bets", win.riichi_sticks),
    ):
        if number:
            parts.append(phrases.of("score", "count", what=words.terms[label], n=number))
    return "  ·  ".join(parts)


def _yaku_table(result: Mapping[str, Any], words: Words, *, others: bool) -> Table:
    """``others``: whether to show the names in the other vocabularies as well."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(words.terms["yaku"])
    table.add_column("", style="dim")
    table.add_column(words.terms["han"], justify="right", style="bold")
    for identity, han in result["yaku"]:
        names = dict.fromkeys(VOCABULARIES[name].yaku(identity) for name in _SHOWN_BESIDE if others)
        names.pop(words.yaku(identity), None)  # of a yaku of house rules the others know the id alone
        table.add_row(words.yaku(identity), " ".join(names), _worth(result, han, words))
    return table


_SHOWN_BESIDE: Final = ("english", "japanese", "kanji")


def _worth(result: Mapping[str, Any], han: int, words: Words) -> str:
    if not result.get("yakuman"):
        return str(han)
    times = max(1, han // 13)
    return words.limits["yakuman"] if times == 1 else words.yakuman.format(times)


def _fu_table(result: Mapping[str, Any], words: Words, phrases: Phrases) -> RenderableType:
    items = result.get("fu_items") or ()
    if not items or result["yakuman"]:
        return Text("")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    minipoints = words.terms["fu"]
    table.add_column(phrases.of("score", "fu_for", fu=minipoints))
    table.add_column("")
    table.add_column(minipoints, justify="right", style="bold")
    for item in items:
        tiles = list(map(str, parse_tiles(item["tiles"] or "")))
        table.add_row(str(item["reason"]).replace("_", " "), tiles_text(tiles), str(item["fu"]))
    return table


def _headline(opened: OpenRecord, result: Mapping[str, Any], words: Words) -> Text:
    text = Text(str(result["in_words"]), "bold green")
    text.append(f"  {words.terms['tsumo' if opened.win.tsumo else 'ron']}", "dim")
    return text


def _payment_table(
    opened: OpenRecord, result: Mapping[str, Any], words: Words, phrases: Phrases
) -> RenderableType:
    """Who pays how much; one sentence if the discarder or the winner's seat is unknown."""
    deltas = result.get("deltas")
    if deltas is None:
        win = opened.win
        if win.pao is not None:
            return Text(phrases.of("score", "ron_liable"), "dim")
        more = win.honba and gets_counters(win, opened.rules)
        counters = phrases.of("score", "counters", honba=words.terms["honba"]) if more else ""
        return Text(phrases.of("score", "ron", points=result["points"], counters=counters), "dim")
    seat = opened.win.seat_wind
    if is_by_role(opened.win):
        other, *others, dealer = sorted(-delta for delta in deltas[1:] if delta)
        form = "tsumo" if others else "tsumo_of_three"
        return Text(phrases.of("score", form, dealer=dealer, other=other), "dim")
    players = opened.rules.players
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for offset in (0, *OTHERS[players]):
        delta = deltas[offset]
        wind = "" if seat is None else phrases.of("score", f"wind_{seat_at(seat, offset, players)}")
        verb = "get" if offset == 0 else "gets" if delta > 0 else "pays" if delta < 0 else "pays_nothing"
        amount = Text(f"{abs(delta):,}" if delta else "", "bold green" if delta > 0 else "bold red")
        cells = (phrases.of("score", PLACES[offset]), Text(wind, "dim"), phrases.of("score", verb), amount)
        table.add_row(*cells)
    return table


def _role(role: str) -> str:
    """``meld:0`` as people count: ``meld 1``."""
    name, _, number = role.partition(":")
    return f"{name} {int(number) + 1}" if number else name


def print_reading(console: Console, reading: Reading) -> None:
    """Every tile of a reading with its role and how sure it is; tiles outside the hand in one line."""
    console.print(Text(f"{reading.photo}  {reading.width}×{reading.height}", "bold"))
    if reading.hand:
        hand_tiles = HandTiles.from_record(reading.hand, reading.known)
        console.print(hand_text(hand_tiles, load_rules().vocabulary))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, side in (("role", "left"), ("tile", "left"), ("sure", "right"), ("or", "left"), ("", "left")):
        table.add_column(column, justify="right" if side == "right" else "left")
    others = [tile for tile in reading.tiles if tile.role == "other"]
    for tile in reading.tiles:
        if tile.role == "other":
            continue
        notes = [
            note
            for note, holds in (
                ("sideways", tile.sideways),
                ("upside down", tile.upside_down),
                ("decided by the rules, not the pixels", tile.source == "rule"),
            )
            if holds
        ]
        sure = Text(f"{tile.probability:.0%}", "yellow" if tile.probability < TILE_THRESHOLD else "")
        table.add_row(
            _role(tile.role),
            tile_text(tile.label),
            sure,
            f"{tile.runner_up[0]} {tile.runner_up[1]:.0%}" if tile.runner_up[1] >= 0.005 else "",
            Text(", ".join(notes), "dim"),
        )
    if table.row_count:
        console.print(table)
    if others:
        console.print(
            Text.assemble(("not part of the hand: ", "dim"), " ".join(tile.label for tile in others))
        )
    print_doubts(console, list(dict.fromkeys(sentence(doubt, reading) for doubt in reading.doubts)))
    if reading.confidence is not None:
        console.print(
            Text(
                confidence_sentence(reading.confidence),
                "yellow" if in_doubt((), reading.confidence) else "dim",
            )
        )
    if reading.message:
        console.print(Text(reading.message, "yellow" if reading.status == "incomplete" else "red"))
    total = sum(reading.elapsed_ms.values())
    stages = ", ".join(f"{stage} {ms:.0f}" for stage, ms in reading.elapsed_ms.items())
    console.print(Text(f"{total:.0f} ms ({stages})", "dim"))
