"""Every fact of a win that tiles alone do not tell, each as a :class:`Topic` with all its answers.

Nothing here says which answers go together or matter: :mod:`scorer.asking.branches` scores them, and
:mod:`scorer.asking.plan` asks what the scores leave open. ``weight`` says how often an answer holds, so that
what is asked first is what settles most; it was counted over 13,100 wins of online logs and decides nothing
else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from math import prod
from typing import Any, Final

from scorer.hand import MeldType, Wind
from scorer.laid import Laid
from scorer.open_record import Changes, OpenRecord
from scorer.record import as_json
from scorer.rules import RuleSet
from scorer.tiles import (
    COPIES,
    DRAGONS,
    KINDS,
    TILES,
    WINDS,
    Tile,
    count_kinds,
    dora_of,
    format_tiles,
)

TILE: Final = "tile"
"""The field of a question about a tile in doubt, which is none of the record's."""


class QuestionKind(StrEnum):
    """``choice``: one of the choices; ``several``: any of them that go together; ``tiles``: tiles as text."""

    CHOICE = "choice"
    SEVERAL = "several"
    TILES = "tiles"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer: ``id`` to type or click, ``label`` to show, and what it ``changes`` in the record.

    ``marks``: which rare circumstances it combines (:data:`_MARKS`).
    ``finer``: answers that say more, accepted in its place; they score alike.
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
    """One fact. ``field``: the record field that it is about. ``why``: why anybody would ask.

    ``options``: all answers; of a topic answered with tiles, examples of every size of its effect.
    ``hangs``: whether its answers hang on other facts, so that one is taken back where these rule it out.
    ``plain``: whether it only changes what the tiles are worth, so that answers that make the same of them
    are the same in all circumstances.
    ``folded``: the shorter form of the topic where all its options but the first score alike.
    ``opens``: the field of the topic that its answer leads to, empty for none.
    """

    field: str
    text: str
    why: str
    options: tuple[Option, ...]
    kind: QuestionKind = QuestionKind.CHOICE
    hangs: bool = False
    plain: bool = False
    folded: Topic | None = None
    opens: str = ""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A tile that may be another: ``tile`` as it was read, ``instead`` what it may be.

    ``place``: where it lies, in words. ``laid``: the tiles if it is the other one. ``probability``: of that.
    """

    tile: str
    instead: str
    place: str
    laid: Laid
    probability: float = 0.5

    @property
    def text(self) -> str:
        """The question."""
        return f"Is {self.place} {self.tile} or {self.instead}?"


_PLAYERS: Final = (
    (1, "right", "the next player (right)"),
    (2, "across", "the player across"),
    (3, "left", "the previous player (left)"),
)
_WINDS: Final = {Wind.EAST: "east", Wind.SOUTH: "south", Wind.WEST: "west", Wind.NORTH: "north"}

_WON_BY_SELF_DRAW: Final = 0.4
_DEALER: Final = 0.28
_RIICHI: Final = 0.75
_ROUNDS: Final = {Wind.EAST: 0.54, Wind.SOUTH: 0.45, Wind.WEST: 0.01, Wind.NORTH: 0.001}
_DORA: Final = (0.62, 0.24, 0.09, 0.04, 0.005)
"""By number; the rest beyond is as rare as the last."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """A rare circumstance: what to show, what it changes, and in how many of the wins that can have it it
    was there. ``field``, ``value``: the common fact that it comes with, whose question takes it along."""

    label: str
    changes: Changes
    weight: float
    field: str = ""
    value: bool = True


_MARKS: Final[Mapping[str, _Mark]] = {
    "ippatsu": _Mark("ippatsu: within a turn of the riichi", {"ippatsu": True}, 0.19, "riichi"),
    "double_riichi": _Mark(
        "double riichi: declared on the first turn", {"double_riichi": True}, 0.005, "riichi"
    ),
    "open_riichi": _Mark("open riichi: declared with the hand shown", {"open_riichi": True}, 0.005, "riichi"),
    "rinshan": _Mark("rinshan: on the replacement tile after a kong", {"rinshan": True}, 0.002, "tsumo"),
    "haitei": _Mark("haitei: on the last tile of the wall", {"haitei": True}, 0.004, "tsumo"),
    "houtei": _Mark("houtei: on the last discard", {"houtei": True}, 0.004, "tsumo", value=False),
    "chankan": _Mark("chankan: robbing a kong", {"chankan": True}, 0.0005, "tsumo", value=False),
    "tenhou": _Mark("tenhou: on the dealer's first fourteen tiles", {"tenhou": True}, 0.00001, "tsumo"),
    "chiihou": _Mark("chiihou: on the first draw, before any call", {"chiihou": True}, 0.00001, "tsumo"),
    "renhou": _Mark(
        "renhou: on a discard before the first draw", {"renhou": True}, 0.00001, "tsumo", value=False
    ),
}

_MOMENTS: Final = frozenset(id_ for id_, mark in _MARKS.items() if mark.field == "tsumo")
"""Those of which a win has at most one: they say when the winning tile came (``scorer.status``)."""


def doubt_topic(laid: Laid, doubt: Doubt) -> Topic:
    """Whether a tile was read right."""
    return Topic(
        TILE,
        doubt.text,
        "The photo leaves two legal hands.",
        (
            Option(doubt.tile, Tile.parse(doubt.tile).name, _tiles(laid), 1 - doubt.probability),
            Option(doubt.instead, Tile.parse(doubt.instead).name, _tiles(doubt.laid), doubt.probability),
        ),
    )


def _tiles(laid: Laid) -> Changes:
    """The tiles of the hand as changes; of the winning tile nothing where there is none."""
    won = {} if laid.win_tile is None else {"win_tile": laid.win_tile}
    return {"concealed": laid.concealed, **won, "melds": laid.melds}


def topics(opened: OpenRecord, settled: Collection[str]) -> Iterator[Topic]:
    """All topics of a record whose tiles are known but perhaps for which of them won; what is answered with
    tiles comes last. ``settled``: the fields that need no asking.

    A rare circumstance is an answer of the question about the fact that it comes with (a win on the last
    discard is a ron), and where that is settled one of those that are asked for together.
    """
    laid, rules = opened.laid, opened.rules
    marks = _played(rules)
    beside = {
        field: {id_: mark for id_, mark in marks.items() if mark.field == field}
        for field in ("tsumo", "riichi")
        if field not in settled
    }
    taken = {id_ for along in beside.values() for id_ in along}
    taken |= {id_ for id_, mark in marks.items() if mark.changes.keys() <= set(settled)}
    yield _win_tile(laid)
    yield _won(beside.get("tsumo", {}))
    yield _seat()
    yield _round()
    yield _riichi(beside.get("riichi", {}))
    yield _special({id_: mark for id_, mark in marks.items() if id_ not in taken})
    yield _liable(laid)
    yield _liable_discarder(opened.win.pao)
    yield _indicators(laid, rules, settled)


def _win_tile(laid: Laid) -> Topic:
    text, why = (
        "Which tile won?",
        "The winning tile decides the wait, and no tile lies apart from the others.",
    )
    options = tuple(
        Option(str(won.win_tile), won.win_tile.name, {"win_tile": won.win_tile, "concealed": won.concealed})
        for won in (laid.winning_tiles() if laid.win_tile is None else ())
        if won.win_tile is not None
    )
    return Topic("win_tile", text, why, options, plain=True)


def _won(marks: Mapping[str, _Mark]) -> Topic:
    ron = Option(
        "ron",
        "on a discard (ron)",
        {"tsumo": False},
        1 - _WON_BY_SELF_DRAW,
        finer=tuple(
            Option(id_, f"ron from {player}", {"tsumo": False, "loser_offset": offset})
            for offset, id_, player in _PLAYERS
        ),
    )
    tsumo = Option("tsumo", "by self-draw (tsumo)", {"tsumo": True}, _WON_BY_SELF_DRAW)
    why = "On a ron one player pays, on a tsumo (self-draw) all three; it changes minipoints and yaku too."
    return Topic("tsumo", "Ron or tsumo?", why, _with_marks((ron, tsumo), "tsumo", marks), hangs=True)


def _seat() -> Topic:
    others = tuple(
        Option(str(wind), name, {"seat_wind": wind, "dealer": False}, (1 - _DEALER) / 3)
        for wind, name in _WINDS.items()
        if wind is not Wind.EAST
    )
    dealer = Option("E", "east, the dealer", {"seat_wind": Wind.EAST, "dealer": True}, _DEALER)
    folded = Topic(
        "dealer",
        "Are you the dealer?",
        "The dealer (east) gets half as much again, and pays double when another draws the winning tile.",
        (
            replace(dealer, id="yes", label="dealer", finer=(dealer,)),
            Option("no", "not the dealer", {"dealer": False}, 1 - _DEALER, finer=others),
        ),
    )
    why = "East is the dealer and gets half as much again; the hand holds winds that count for one seat only."
    return Topic("seat_wind", "Your seat wind?", why, (dealer, *others), plain=True, folded=folded)


def _round() -> Topic:
    options = tuple(
        Option(str(wind), name, {"round_wind": wind}, _ROUNDS[wind]) for wind, name in _WINDS.items()
    )
    why = "The hand holds winds that count in one round only."
    return Topic("round_wind", "Round wind?", why, options, plain=True)


def _riichi(marks: Mapping[str, _Mark]) -> Topic:
    no = Option("no", "no riichi", {"riichi": False}, 1 - _RIICHI)
    yes = Option("yes", "riichi", {"riichi": True}, _RIICHI)
    why = "Riichi is a yaku of a concealed hand, and opens the ura dora."
    return Topic("riichi", "Riichi?", why, _with_marks((no, yes), "riichi", marks), hangs=True)


def _special(marks: Mapping[str, _Mark]) -> Topic:
    """Rare circumstances by themselves, several of which can go together."""
    options = tuple(_combined(marks, _none_of(marks)))
    return Topic(
        "special",
        "Anything special?",
        "Each of these is worth a yaku.",
        options,
        QuestionKind.SEVERAL,
        hangs=True,
    )


def _played(rules: RuleSet) -> dict[str, _Mark]:
    """The rare circumstances that count for something under the rules."""
    marks = {id_: mark for id_, mark in _MARKS.items() if id_ != "open_riichi" or rules.han(id_, closed=True)}
    if rules.han("paarenchan", closed=True):
        wins = rules.paarenchan_wins
        label = f"paarenchan: your win number {wins} in a row as dealer"
        marks["paarenchan"] = _Mark(label, {"dealer_wins": wins - 1}, 0.0001)
    return marks


def _none_of(marks: Mapping[str, _Mark]) -> Changes:
    """The changes of the marks where none of them holds."""
    names = (name for mark in marks.values() for name in mark.changes)
    return {name: 0 if name == "dealer_wins" else False for name in names}


def _combined(marks: Mapping[str, _Mark], none: Changes) -> Iterator[Option]:
    """None of the marks, each of them, and those that can go together, the fewest first."""
    apart = [((), (id_,)) for id_ in marks if id_ not in _MOMENTS]
    moments = [(), *((id_,) for id_ in marks if id_ in _MOMENTS)]
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
            _label(ids, marks),
            changes,
            prod(marks[id_].weight for id_ in ids),
            frozenset(ids),
        )


def _label(ids: Sequence[str], marks: Mapping[str, _Mark]) -> str:
    """Of one mark with what it means."""
    if len(ids) == 1:
        return marks[ids[0]].label
    return " and ".join(id_.replace("_", " ") for id_ in ids) or "nothing"


def _with_marks(plain: Sequence[Option], field: str, marks: Mapping[str, _Mark]) -> tuple[Option, ...]:
    """The options, then each with the marks that it can have."""
    none = _none_of(marks)
    options = []
    for common in plain:
        its = {id_: mark for id_, mark in marks.items() if mark.value is common.changes[field]}
        for rare in _combined(its, none):
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


def _liable(laid: Laid) -> Topic:
    """Only three dragons or winds or four winds, all called, make a player liable, or a kong that was called
    as one of four; for which of them the rules do, the scores say (EMA 2008 §3.3.6, Toudai §4.1.6)."""
    kinds = {tile.kind for meld in laid.melds if meld.is_open for tile in meld.tiles}
    types = [meld.type for meld in laid.melds]
    four_kongs = MeldType.MINKAN in types and sum(type_.is_kan for type_ in types) == 4
    players = _PLAYERS if kinds >= DRAGONS or len(kinds & WINDS) >= 3 or four_kongs else ()
    options = (
        Option("nobody", "nobody", {"pao": None}),
        *(Option(id_, player, {"pao": offset}) for offset, id_, player in players),
    )
    text, why = "Who fed the last set of this yakuman?", "That player is liable for it."
    return Topic("pao", text, why, options, opens="loser_offset")


def _liable_discarder(liable: int | None) -> Topic:
    options = (
        Option("no", "another player discarded", {"loser_offset": None}),
        Option("yes", "the liable player discarded", {"loser_offset": liable}),
    )
    text, why = "Did the liable player discard the winning tile?", "Otherwise the two share the payment."
    return Topic("loser_offset", text, why, options if liable else ())


# --- dora ---------------------------------------------------------------------------------------------------

_MOST_INDICATORS: Final = 5
"""One, and one more for each kong that there can be."""


def _indicators(laid: Laid, rules: RuleSet, settled: Collection[str]) -> Topic:
    """The indicators: none, one example each of one to four dora, and as many dora as there can be.

    Ura are a topic of their own once the dora are known, before that the last of the examples.
    """
    winner = laid.win_tile
    held = count_kinds((*laid.line, *laid.dora_indicators))
    most = _MOST_INDICATORS if rules.kan_dora else 1
    name, text, why = "dora_indicators", "Dora indicators (such as 3m5z)?", "Each dora is one more han."
    if name in settled:
        name, text, why = (
            "ura_indicators",
            "Ura indicators (such as 3m5z)?",
            "Riichi opens the tiles under the dora.",
        )
    examples = _examples(held, most, None if winner is None else winner.kind)
    options = [
        Option(
            format_tiles(TILES[kind] for kind in example),
            f"{count} dora" if count else "no dora",
            {name: tuple(TILES[kind] for kind in example)},
            _DORA[min(count, len(_DORA) - 1)],
        )
        for count, example in examples.items()
    ]
    if name == "dora_indicators":
        count, example = max(examples.items())
        held = tuple(had + example.count(kind) for kind, had in enumerate(held))
        more, under = max(_examples(held, most, None).items())
        changes = {**options[-1].changes, "ura_indicators": tuple(TILES[kind] for kind in under)}
        both = f"{options[-1].id}/{format_tiles(TILES[kind] for kind in under)}"
        options.append(Option(both, f"{count + more} dora, ura among them", changes, _DORA[-1]))
    return Topic(name, text, why, tuple(options), QuestionKind.TILES, hangs=True)


def _examples(held: Sequence[int], number: int, winner: int | None) -> dict[int, tuple[int, ...]]:
    """For 0 to 4 dora, and for the most, kinds of at most ``number`` indicators that make so many.

    ``held``: how many of each kind lie in sight. An indicator like the winning tile would say that no kong
    was robbed, so that others are taken first, and there is also the most without it.
    """
    worth = sorted(
        ((held[dora_of(kind)], kind) for kind in range(KINDS) if held[kind] < COPIES and held[dora_of(kind)]),
        key=lambda one: (one[1] == winner, -one[0]),
    )
    examples: dict[int, tuple[int, ...]] = {0: ()}
    for _ in range(number):
        for count, example in tuple(examples.items()):
            for dora, kind in worth:
                more = count + dora
                if more < len(_DORA) and more not in examples and held[kind] + example.count(kind) < COPIES:
                    examples[more] = (*example, kind)
    worth.sort(key=lambda one: -one[0])
    for left_out in (winner, None):
        most: tuple[int, ...] = ()
        for _, kind in worth:
            if kind != left_out:
                most += (kind,) * min(COPIES - held[kind], number - len(most))
        examples.setdefault(sum(held[dora_of(kind)] for kind in most), most)
    return dict(sorted(examples.items()))
