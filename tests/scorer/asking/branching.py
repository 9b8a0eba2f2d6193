"""Every way in which given tiles can have been won, scored one by one: what the planner is held against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from benchmarks.questions import Player
from scorer import Hand, HandError, HandStatus, RuleSet, Win, parse_tiles, score
from scorer.asking.plan import TILE, Plan
from scorer.tiles import YAOCHUU

MOMENTS: dict[bool, tuple[dict[str, bool], ...]] = {
    True: (
        {},
        {"rinshan": True},
        {"haitei": True},
        {"rinshan": True, "haitei": True},
        {"tenhou": True},
        {"chiihou": True},
    ),
    False: (
        {},
        {"houtei": True},
        {"chankan": True},
        {"chankan": True, "robbed_ankan": True},
        {"renhou": True},
    ),
}
"""When the winning tile came, by whether it is a self-draw."""

RIICHI = tuple(
    {"riichi": True, **dict.fromkeys(marks, True)}
    for marks in (
        (),
        ("ippatsu",),
        ("double_riichi",),
        ("double_riichi", "ippatsu"),
        ("open_riichi",),
        ("open_riichi", "ippatsu"),
        ("double_riichi", "open_riichi"),
        ("double_riichi", "open_riichi", "ippatsu"),
    )
)
NO_MARKS = dict.fromkeys(
    (
        "riichi", "double_riichi", "open_riichi", "ippatsu", "rinshan", "haitei", "tenhou", "chiihou",
        "houtei", "chankan", "robbed_ankan", "renhou",
    ),
    False,
)  # fmt: skip

Facts = dict[str, Any]
Outcome = tuple[int, tuple[int, ...]]


def all_facts(
    dora: tuple[list[str], ...],
    ura: tuple[list[str], ...],
    rules: RuleSet,
    hand: Hand,
    seats: str = "ESWN",
    rounds: str = "ESWN",
    liable: tuple[int | None, ...] = (None,),
    norths: tuple[int, ...] = (0,),
) -> Iterator[Facts]:
    """Combinations of facts that include every one that a win can have, and many that none has.

    ``liable``: who may be, None for nobody. Of a win on a discard it is told whether he discarded.
    ``norths``: how many tiles may be set aside.
    """
    wins = (0, rules.paarenchan_wins - 1) if rules.han("paarenchan", closed=True) else (0,)
    declared = [marks for marks in RIICHI if "open_riichi" not in marks or rules.han("open_riichi", True)]
    ways = [{}, *declared] if hand.is_closed else [{}]
    for tsumo, seat, wind, riichi, over, under, in_a_row, pao, aside in product(
        (False, True), seats, rounds, ways, dora, ura, wins, liable, norths
    ):
        if under and not riichi:
            continue
        facts = {**NO_MARKS, **riichi, "tsumo": tsumo, "seat_wind": seat, "round_wind": wind, "pao": pao}
        facts |= {"dora_indicators": over, "ura_indicators": under, "dealer_wins": in_a_row}
        facts |= {"dealer": seat == "E", "nukidora": aside, "honba": 0}
        for moment, discarder in product(MOMENTS[tsumo], (None,) if tsumo or pao is None else (None, pao)):
            if not _idle(moment, hand, seat, bool(riichi), aside):
                yield facts | moment | {"loser_offset": discarder}


def _idle(moment: dict[str, bool], hand: Hand, seat: str, riichi: bool, norths: int) -> bool:
    """Whether the moment cannot be, so that scoring it would be a waste of time."""
    first_turn = moment.keys() & {"tenhou", "chiihou", "renhou"}
    if first_turn:
        return riichi or bool(hand.melds) or ("tenhou" in moment) is not (seat == "E")
    orphans = "robbed_ankan" not in moment or all(tile.kind in YAOCHUU for tile in hand.tiles)
    return not orphans or ("rinshan" in moment and not hand.has_kan and not norths)


def outcome(hand: Hand, rules: RuleSet, facts: Mapping[str, Any]) -> Outcome | None:
    """Points and what each payer pays; no points without a yaku; None for what cannot be."""
    values = {name: value for name, value in facts.items() if name in Win.__dataclass_fields__}
    for name in ("dora_indicators", "ura_indicators"):
        values[name] = parse_tiles("".join(values[name]))
    if not values["tsumo"] and values["loser_offset"] is None:
        values["loser_offset"] = 3 if values["pao"] == 1 else 1
    try:
        scored = score(hand, Win(**values), rules)
    except HandError as error:
        return None if error.status & ~(HandStatus.NO_YAKU | HandStatus.BELOW_MINIMUM) else (0, ())
    assert scored.deltas is not None
    return scored.points, tuple(sorted(scored.deltas[1:]))


class LeftOpen:
    """What a plan wants to know of a truth, now or later: of truths alike in it all must score alike."""

    def __init__(self, plan: Plan) -> None:
        self._players = [Player(question) for question in plan.questions]
        names = {"special": [name for name in NO_MARKS if name != "riichi"], TILE: ["concealed"]}
        self._later = [name for field in plan.later for name in names.get(field, [field])]

    def of(self, truth: Mapping[str, Any]) -> tuple[str, ...]:
        return (
            *(player.answer(truth) for player in self._players),
            *(str(truth.get(name)) for name in self._later),
        )
