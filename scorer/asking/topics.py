"""Every fact of a win that the tiles do not show, as a :class:`Topic` with all its answers.

Which answers are compatible or matter is decided elsewhere: :mod:`scorer.asking.branches` scores them, and
:mod:`scorer.asking.plan` asks about those that change the score. ``weight`` is how often an answer holds,
from 13,100 wins of online logs. It decides only the order of the questions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from math import prod
from typing import Any, Final

from scorer.asking.phrases import Phrases
from scorer.hand import OTHERS, Win, Wind, seats_of
from scorer.hand_tiles import HandTiles
from scorer.liability import feeders, liabilities
from scorer.open_record import Changes, OpenRecord
from scorer.record import as_json
from scorer.rules import RuleSet
from scorer.tiles import (
    COPIES,
    KINDS,
    LEFT_OUT,
    NORTH,
    TILES,
    Tile,
    count_kinds,
    dora_of,
    format_tiles,
)

TILE: Final = "tile"
"""The field of a question about an uncertain tile. The record has no such field."""


class QuestionKind(StrEnum):
    """The form of the answer. ``choice``: one choice; ``several``: compatible ones; ``tiles``: tiles as
    text."""

    CHOICE = "choice"
    SEVERAL = "several"
    TILES = "tiles"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer: ``id`` to type or click, ``label`` to show, ``changes`` to the record.

    ``marks``: the rare circumstances that it includes (:data:`_MARKS`).
    ``finer``: more precise answers that are accepted too and score the same.
    """

    id: str
    label: str
    changes: Changes
    weight: float = 1.0
    marks: frozenset[str] = frozenset()
    finer: tuple[Option, ...] = ()

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of the record that it sets, as JSON values."""
        return as_json(self.changes)


@dataclass(frozen=True, slots=True)
class Topic:
    """One fact. ``field``: its record field. ``why``: the reason for the question.

    ``options``: all answers, the likeliest first; for an answer in tiles, one example of each effect.
    ``depends``: whether its answers depend on other facts, so that these can rule one out.
    ``tiles_only``: whether it changes only the value of the tiles. Then two answers that give the tiles the
    same value are equivalent.
    ``folded``: a shorter form for the case that all options but one score the same.
    ``opens``: the field of a topic that follows from an answer, or empty.
    ``with_ura``: the text if the answer may include ura dora, or empty.
    """

    field: str
    text: str
    why: str
    options: tuple[Option, ...]
    kind: QuestionKind = QuestionKind.CHOICE
    depends: bool = False
    tiles_only: bool = False
    folded: Topic | None = None
    opens: str = ""
    with_ura: str = ""


@dataclass(frozen=True, slots=True)
class Doubt:
    """An uncertain tile, or which of two tiles won. ``tile``: as read; ``instead``: the other one.

    ``place``: where it lies, in words; empty if the doubt is which of the two won. ``hand_tiles``: the tiles
    with the other one. ``probability``: of the other one.
    """

    tile: str
    instead: str
    place: str
    hand_tiles: HandTiles
    probability: float = 0.5

    def text(self, phrases: Phrases) -> str:
        """The question."""
        form = "text" if self.place else "won"
        return phrases.of(TILE, form, place=self.place, tile=self.tile, instead=self.instead)


_PLAYERS: Final = {1: "right", 2: "across", 3: "left"}

_WON_BY_SELF_DRAW: Final = 0.4
_DEALER: Final = 0.28
_RIICHI: Final = 0.75
_ROUNDS: Final = {Wind.EAST: 0.54, Wind.SOUTH: 0.45, Wind.WEST: 0.01, Wind.NORTH: 0.001}
_DORA: Final = (0.62, 0.24, 0.09, 0.04, 0.005)
"""By number of dora. Higher numbers are as rare as the last."""
_SET_ASIDE: Final = {"none": 0.35, "1": 0.35, "2": 0.2, "3": 0.08, "4": 0.02}
"""By number of tiles set aside."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """A rare circumstance of a win. ``weight``: its share among the wins that can have it.

    ``field``, ``value``: the common fact that it implies. The question about that fact offers it.
    ``form``: of its phrase.
    """

    changes: Changes
    weight: float
    field: str = ""
    value: bool = True
    form: str = "text"


_MARKS: Final[Mapping[str, _Mark]] = {
    "ippatsu": _Mark({"ippatsu": True}, 0.19, "riichi"),
    "double_riichi": _Mark({"double_riichi": True}, 0.005, "riichi"),
    "open_riichi": _Mark({"open_riichi": True}, 0.005, "riichi"),
    "rinshan": _Mark({"rinshan": True}, 0.002, "tsumo"),
    "haitei": _Mark({"haitei": True}, 0.004, "tsumo"),
    "houtei": _Mark({"houtei": True}, 0.004, "tsumo", value=False),
    "chankan": _Mark({"chankan": True}, 0.0005, "tsumo", value=False),
    "tenhou": _Mark({"tenhou": True}, 0.00001, "tsumo"),
    "chiihou": _Mark({"chiihou": True}, 0.00001, "tsumo"),
    "renhou": _Mark({"renhou": True}, 0.00001, "tsumo", value=False),
    "tsubame_gaeshi": _Mark({"tsubame_gaeshi": True}, 0.02, "tsumo", value=False),
    "kanburi": _Mark({"kanburi": True}, 0.002, "tsumo", value=False),
}

_LOCAL: Final = ("open_riichi", "tsubame_gaeshi", "kanburi")
"""Circumstances to leave out unless the rules play them."""

_MOMENTS: Final = frozenset(id_ for id_, mark in _MARKS.items() if mark.field == "tsumo")
"""Circumstances that exclude each other: they tell when the winning tile came (``scorer.status``)."""

_BOTH: Final = ("rinshan", "haitei")
"""The exception: in some rules the tile after a kan can be the last one."""


def doubt_topic(hand_tiles: HandTiles, doubt: Doubt, phrases: Phrases) -> Topic:
    """The topic of an uncertain tile, or of which tile won."""
    return Topic(
        TILE,
        doubt.text(phrases),
        phrases.of(TILE, "why"),
        (
            Option(
                doubt.tile, _name(Tile.parse(doubt.tile), phrases), _tiles(hand_tiles), 1 - doubt.probability
            ),
            Option(
                doubt.instead,
                _name(Tile.parse(doubt.instead), phrases),
                _tiles(doubt.hand_tiles),
                doubt.probability,
            ),
        ),
    )


def _name(tile: Tile, phrases: Phrases) -> str:
    """The name of a tile: in English in words, in other languages as text."""
    return tile.name if phrases.language == "en" else str(tile)


def _tiles(hand_tiles: HandTiles) -> Changes:
    """The tiles of the hand as changes, without an unknown winning tile."""
    won = {} if hand_tiles.win_tile is None else {"win_tile": hand_tiles.win_tile}
    return {"concealed": hand_tiles.concealed, **won, "melds": hand_tiles.melds}


def topics(opened: OpenRecord, settled: Collection[str], phrases: Phrases) -> Iterator[Topic]:
    """All topics of a record with known tiles; the winning tile may be unknown. Topics answered with tiles
    come last. ``settled``: the fields that need no question.

    A rare circumstance is an answer to the question about the fact that it implies (a win on the last discard
    is a ron). If that fact is settled, one common question asks for all remaining circumstances.
    """
    hand_tiles, rules = opened.hand_tiles, opened.rules
    marks = _played(rules)
    beside = {
        field: {id_: mark for id_, mark in marks.items() if mark.field == field}
        for field in ("tsumo", "riichi")
        if field not in settled
    }
    taken = {id_ for along in beside.values() for id_ in along}
    taken |= {id_ for id_, mark in marks.items() if mark.changes.keys() <= set(settled)}
    yield _win_tile_topic(hand_tiles, phrases)
    yield _tsumo_topic(beside.get("tsumo", {}), rules, phrases)
    yield _seat_topic(rules, phrases)
    yield _round_topic(rules, phrases)
    yield _riichi_topic(beside.get("riichi", {}), phrases)
    yield _special_topic({id_: mark for id_, mark in marks.items() if id_ not in taken}, phrases)
    if _wins_decide_twice(rules):
        yield minimum(rules, phrases)
    if rules.nukidora:
        yield _nukidora_topic(hand_tiles, rules, phrases)
    yield _liable_topic(hand_tiles, rules, phrases)
    yield _liable_discarder_topic(opened.win.pao, phrases)
    yield _indicator_topic(hand_tiles, opened.win, rules, settled, phrases)


def _topic(phrases: Phrases, field: str, *options: Option, **more: Any) -> Topic:
    return Topic(field, phrases.of(field), phrases.of(field, "why"), options, **more)


def _win_tile_topic(hand_tiles: HandTiles, phrases: Phrases) -> Topic:
    ways = hand_tiles.winning_tiles() if hand_tiles.win_tile is None else ()
    won = ((one.win_tile, one.concealed) for one in ways if one.win_tile is not None)
    options = (
        Option(str(tile), _name(tile, phrases), {"win_tile": tile, "concealed": rest}) for tile, rest in won
    )
    return _topic(phrases, "win_tile", *options, tiles_only=True)


def _tsumo_topic(marks: Mapping[str, _Mark], rules: RuleSet, phrases: Phrases) -> Topic:
    def option(id_: str, *, tsumo: bool, weight: float, finer: tuple[Option, ...] = ()) -> Option:
        return Option(id_, phrases.answer("tsumo", id_), {"tsumo": tsumo}, weight, finer=finer)

    names = {id_: phrases.answer("pao", id_) for id_ in _PLAYERS.values()}
    from_whom = tuple(
        Option(
            id_,
            phrases.of("tsumo", "ron_from", player=names[id_]),
            {"tsumo": False, "loser_offset": offset},
        )
        for offset, id_ in _other_players(rules)
    )
    ron = option("ron", tsumo=False, weight=1 - _WON_BY_SELF_DRAW, finer=from_whom)
    tsumo = option("tsumo", tsumo=True, weight=_WON_BY_SELF_DRAW)
    return _topic(phrases, "tsumo", *_with_marks((ron, tsumo), "tsumo", marks, phrases), depends=True)


def _seat_topic(rules: RuleSet, phrases: Phrases) -> Topic:
    def option(wind: Wind, weight: float) -> Option:
        changes = {"seat_wind": wind, "dealer": wind is Wind.EAST}
        return Option(str(wind), phrases.answer("seat_wind", str(wind)), changes, weight)

    unnamed = Option("no", phrases.answer("seat_wind", "no"), {"seat_wind": None, "dealer": False}, 0.0)
    seats = seats_of(rules.players)
    shares = (_DEALER, *[(1 - _DEALER) / (len(seats) - 1)] * (len(seats) - 1))
    dealer, *non_dealers = map(option, seats, shares)
    folded = _topic(
        phrases,
        "dealer",
        replace(dealer, id="yes", label=phrases.answer("dealer", "yes"), finer=(dealer,)),
        Option(
            "no", phrases.answer("dealer", "no"), {"dealer": False}, 1 - _DEALER, finer=tuple(non_dealers)
        ),
    )
    return _topic(phrases, "seat_wind", unnamed, *non_dealers, dealer, tiles_only=True, folded=folded)


def _round_topic(rules: RuleSet, phrases: Phrases) -> Topic:
    options = (
        Option(str(wind), phrases.answer("round_wind", str(wind)), {"round_wind": wind}, weight)
        for wind, weight in _ROUNDS.items()
        if wind in seats_of(rules.players)
    )
    return _topic(phrases, "round_wind", *options, tiles_only=True)


def _riichi_topic(marks: Mapping[str, _Mark], phrases: Phrases) -> Topic:
    no = Option("no", phrases.answer("riichi", "no"), {"riichi": False}, 1 - _RIICHI)
    yes = Option("yes", phrases.answer("riichi", "yes"), {"riichi": True}, _RIICHI)
    return _topic(phrases, "riichi", *_with_marks((no, yes), "riichi", marks, phrases), depends=True)


def _special_topic(marks: Mapping[str, _Mark], phrases: Phrases) -> Topic:
    """The question about the remaining rare circumstances. Several may hold."""
    options = _combined(marks, _none_of(marks), phrases)
    return _topic(phrases, "special", *options, kind=QuestionKind.SEVERAL, depends=True)


def _played(rules: RuleSet) -> dict[str, _Mark]:
    """The rare circumstances that can change the score under the rules."""
    marks = {id_: mark for id_, mark in _MARKS.items() if id_ not in _LOCAL or rules.han(id_, closed=True)}
    if rules.han("paarenchan", closed=True) and not _wins_decide_twice(rules):
        form = "hands" if rules.paarenchan_counts == "hands" else "text"
        marks["paarenchan"] = _Mark({"dealer_wins": rules.paarenchan_wins - 1}, 0.0001, form=form)
    return marks


def _none_of(marks: Mapping[str, _Mark]) -> Changes:
    """The changes if none of the marks holds."""
    names = (name for mark in marks.values() for name in mark.changes)
    return {name: 0 if name == "dealer_wins" else False for name in names}


def _combined(marks: Mapping[str, _Mark], none: Changes, phrases: Phrases) -> Iterator[Option]:
    """An option for every compatible combination of marks, the fewest marks first."""
    apart = [((), (id_,)) for id_ in marks if id_ not in _MOMENTS]
    moments: list[tuple[str, ...]] = [(), *((id_,) for id_ in marks if id_ in _MOMENTS)]
    moments += [_BOTH] * (marks.keys() >= {*_BOTH})
    order = tuple(marks)
    found = [
        sorted((id_ for part in chosen for id_ in part), key=order.index)
        for chosen in product(*apart, moments)
    ]
    for ids in sorted(found, key=lambda ids: (len(ids), list(map(order.index, ids)))):
        changes = dict(none)
        for id_ in ids:
            changes |= marks[id_].changes
        yield Option(
            " ".join(ids) or "none",
            _label(ids, marks, phrases),
            changes,
            prod(marks[id_].weight for id_ in ids),
            frozenset(ids),
        )


def _label(ids: Sequence[str], marks: Mapping[str, _Mark], phrases: Phrases) -> str:
    """The label of a combination of marks. That of a single mark includes its meaning."""
    names = [
        phrases.answer(
            "special", id_, marks[id_].form, wins=int(marks[id_].changes.get("dealer_wins", 0)) + 1
        )
        for id_ in ids
    ]
    if len(names) == 1:
        return names[0]
    return phrases.of("special", "and").join(name.partition(":")[0] for name in names) or phrases.answer(
        "special", "none"
    )


def _with_marks(
    common_options: Sequence[Option], field: str, marks: Mapping[str, _Mark], phrases: Phrases
) -> tuple[Option, ...]:
    """The options, each alone and with every combination of marks that it allows, the fewest marks first."""
    none = _none_of(marks)
    options = []
    for common in common_options:
        its = {id_: mark for id_, mark in marks.items() if mark.value is common.changes[field]}
        for rare in _combined(its, none, phrases):
            changes = {**rare.changes, **common.changes}
            named = replace(rare, weight=common.weight * rare.weight) if rare.marks else common
            begun = f"{rare.id} " if rare.marks else ""
            finer = tuple(
                replace(
                    one,
                    id=f"{begun}{one.id}",
                    label=f"{begun}{one.label}",
                    changes={**changes, **one.changes},
                )
                for one in common.finer
            )
            options.append(replace(named, changes=changes, finer=finer))
    return tuple(sorted(options, key=lambda one: len(one.marks)))


def _other_players(rules: RuleSet) -> Iterator[tuple[int, str]]:
    """(offset, answer id) of each other player."""
    return ((offset, _PLAYERS[offset]) for offset in OTHERS[rules.players])


def _nukidora_topic(hand_tiles: HandTiles, rules: RuleSet, phrases: Phrases) -> Topic:
    """The number of tiles set aside as dora: flowers, or with three players the remaining norths."""
    three = rules.players == 3
    held = (
        count_kinds((*hand_tiles.line, *hand_tiles.dora_indicators, *hand_tiles.ura_indicators))[NORTH]
        if three
        else 0
    )
    options = (
        Option(id_, phrases.answer("nukidora", id_), {"nukidora": many}, weight)
        for many, (id_, weight) in enumerate(_SET_ASIDE.items())
        if many <= COPIES - held
    )
    form = "norths" if three else "text"
    return replace(_topic(phrases, "nukidora", *options), text=phrases.of("nukidora", form))


_MANY_COUNTERS: Final = 0.003
_MOST_COUNTERS: Final = 100
"""One more than a record may have."""


MINIMUM_FIELDS: Final = frozenset({"honba", "dealer_wins"})
"""The fields of :func:`minimum`."""


def minimum_field(rules: RuleSet) -> str:
    """The field that decides whether a win needs two han."""
    return "honba" if rules.two_han_counts == "counters" else "dealer_wins"


def _wins_decide_twice(rules: RuleSet) -> bool:
    """Whether the wins in a row of a dealer decide both whether a win needs two han and paarenchan."""
    counted = rules.two_han_from_honba and minimum_field(rules) == "dealer_wins"
    return bool(counted and rules.han("paarenchan", closed=True))


def minimum(rules: RuleSet, phrases: Phrases) -> Topic:
    """Whether there are so many counters, or wins in a row, that a win needs two han (EMA 2008 §3.4.11,
    Toudai §7.5). This matters only for a hand of one han. So many wins in a row may also be paarenchan."""
    field, twice = minimum_field(rules), _wins_decide_twice(rules)
    end = rules.paarenchan_wins - 1 if twice else _MOST_COUNTERS
    many = min(rules.two_han_from_honba, end)

    def option(id_: str, numbers: range, weight: float) -> Option:
        finer = (Option(str(number), str(number), {field: number}) for number in numbers)
        label = phrases.answer(field, id_, many=many, wins=end + 1)
        return Option(id_, label, {field: numbers[0]}, weight, finer=tuple(finer))

    options = [option("no", range(many), 1 - _MANY_COUNTERS)]
    if many < end:
        options.append(option("some" if twice else "yes", range(many, end), _MANY_COUNTERS))
    if twice:
        options.append(option("paarenchan", range(end, _MOST_COUNTERS), _MANY_COUNTERS / 30))
    why = phrases.of(field, "twice" if twice else "why", many=many)
    return Topic(field, phrases.of(field, many=many), why, tuple(options))


def _liable_topic(hand_tiles: HandTiles, rules: RuleSet, phrases: Phrases) -> Topic:
    """The player who fed the last of the melds that make a player liable."""
    fed = tuple(liabilities(hand_tiles.closed, hand_tiles.melds, rules))
    able = feeders(hand_tiles.closed, hand_tiles.melds, rules)
    options = (
        Option(id_, phrases.answer("pao", id_), {"pao": offset})
        for offset, id_ in ((None, "nobody"), *_other_players(rules))
        if offset is None or offset in able
    )
    topic = _topic(phrases, "pao", *options, opens="loser_offset")
    kan = [id_ for id_, _ in fed] == ["rinshan"]
    return replace(topic, text=phrases.of("pao", "kan"), opens="") if kan else topic


def _liable_discarder_topic(liable: int | None, phrases: Phrases) -> Topic:
    discarders = (("no", None), ("yes", liable)) if liable else ()
    options = (
        Option(id_, phrases.answer("loser_offset", id_), {"loser_offset": offset})
        for id_, offset in discarders
    )
    return _topic(phrases, "loser_offset", *options)


# --- dora ---------------------------------------------------------------------------------------------------

_MOST_INDICATORS: Final = 5
"""One, and one more for each of four kans."""


def _indicator_topic(
    hand_tiles: HandTiles, win: Win, rules: RuleSet, settled: Collection[str], phrases: Phrases
) -> Topic:
    """The indicators. Options: none, one example each for one to four dora, and the most possible dora.

    Once the dora are known, the topic is ura dora. Before that they are the last of the examples.
    """
    winner = hand_tiles.win_tile
    players = rules.players
    hand = (*hand_tiles.line, *[TILES[NORTH]] * (win.nukidora if players == 3 else 0))
    held = count_kinds(hand)
    shown = count_kinds((*hand, *hand_tiles.dora_indicators, *hand_tiles.ura_indicators, *win.discards))
    gone = [COPIES if players == 3 and kind in LEFT_OUT else count for kind, count in enumerate(shown)]
    most = _MOST_INDICATORS if rules.kan_dora else 1
    name = "ura_indicators" if "dora_indicators" in settled else "dora_indicators"
    dora = [held[dora_of(kind, players)] for kind in range(KINDS)]
    examples = _examples(dora, gone, most, None if winner is None else winner.kind)
    options = [
        Option(
            format_tiles(TILES[kind] for kind in example),
            phrases.answer("dora", "some" if count else "none", n=count),
            {name: tuple(TILES[kind] for kind in example)},
            _DORA[min(count, len(_DORA) - 1)],
        )
        for count, example in examples.items()
    ]
    if name == "dora_indicators":
        count, example = max(examples.items())
        gone = [had + example.count(kind) for kind, had in enumerate(gone)]
        more, under = max(_examples(dora, gone, most, None).items())
        changes = {**options[-1].changes, "ura_indicators": tuple(TILES[kind] for kind in under)}
        both = f"{options[-1].id}/{format_tiles(TILES[kind] for kind in under)}"
        options.append(Option(both, phrases.answer("dora", "both", n=count + more), changes, _DORA[-1]))
    with_ura = phrases.of(name, "with_ura") if name == "dora_indicators" else ""
    return _topic(phrases, name, *options, kind=QuestionKind.TILES, depends=True, with_ura=with_ura)


def _examples(
    dora: Sequence[int], gone: Sequence[int], number: int, winner: int | None
) -> dict[int, tuple[int, ...]]:
    """By number of dora, 0 to 4 and the most possible: the kinds of at most ``number`` indicators for it.

    ``dora``: how many dora an indicator of each kind makes. ``gone``: how many of each kind are visible.
    An indicator equal to the ``winner`` tile would rule out a robbed kan. So others come first, and there is
    also an example of the most dora without it.
    """
    worth = sorted(
        ((dora[kind], kind) for kind in range(KINDS) if gone[kind] < COPIES and dora[kind]),
        key=lambda one: (one[1] == winner, -one[0]),
    )
    examples: dict[int, tuple[int, ...]] = {0: ()}
    for _ in range(number):
        for count, example in tuple(examples.items()):
            for each, kind in worth:
                more = count + each
                if more < len(_DORA) and more not in examples and gone[kind] + example.count(kind) < COPIES:
                    examples[more] = (*example, kind)
    worth.sort(key=lambda one: -one[0])
    for left_out in (winner, None):
        most: tuple[int, ...] = ()
        for _, kind in worth:
            if kind != left_out:
                most += (kind,) * min(COPIES - gone[kind], number - len(most))
        examples.setdefault(sum(dora[kind] for kind in most), most)
    return dict(sorted(examples.items()))
