"""Read Tenhou's XML (mjlog). Only elements and their attributes matter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Final
from urllib.parse import unquote
from xml.parsers import expat

from scorer.hand import Meld
from scorer.tiles import NORTH, Tile
from tehai.logs.play import (
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    HandCutShort,
    Log,
    LogError,
    LoggedDraw,
    LoggedWin,
    Move,
    NukidoraMove,
    Points,
    reading,
    total,
    whole_deals,
)
from tehai.logs.rules import tenhou_rules

_Element = tuple[str, Mapping[str, str]]
_MOST: Final = 20_000
"""Elements of a log; a long game has some two thousand."""

_NO_RED, _NO_OPEN_TANYAO, _SOUTH, _THREE = 0x02, 0x04, 0x08, 0x10
_DRAWN: Final = {
    "yao9": "nine_terminals", "reach4": "four_riichi", "ron3": "triple_ron", "kan4": "four_kongs",
    "kaze4": "four_winds", "nm": "nagashi",
}  # fmt: skip


@reading("This mjlog")
def parse_mjlog(text: bytes) -> Log:
    """The game of a log as Tenhou writes it. Raises :class:`LogError`."""
    return _Reader(_elements(text)).log()


def _elements(text: bytes) -> list[_Element]:
    found: list[_Element] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(found) >= _MOST:
            raise LogError("This mjlog has more moves than any game.")
        found.append((name, attributes))

    def refuse(*_: object) -> None:
        raise LogError("This mjlog declares a document type, which no log has.")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise LogError(f"This is no XML: {error}.") from None
    return found


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",") if one]


class _Reader:
    def __init__(self, elements: list[_Element]) -> None:
        self._elements = elements
        self._flags = next((int(said["type"]) for name, said in elements if name == "GO"), _SOUTH)
        self._players = 3 if self._flags & _THREE else 4
        self._final: Points | None = None

    def log(self) -> Log:
        names = next((said for name, said in self._elements if name == "UN" and "n0" in said), {})
        begins = [at for at, (name, _) in enumerate(self._elements) if name == "INIT"]
        deals, cut = whole_deals(
            partial(self._deal, *one) for one in pairwise([*begins, len(self._elements)])
        )
        flags = self._flags
        rules = tenhou_rules(
            players=self._players,
            red=not flags & _NO_RED,
            open_tanyao=not flags & _NO_OPEN_TANYAO,
            rounds=2 if flags & _SOUTH else 1,
        )
        players = tuple(unquote(names.get(f"n{at}", "")) for at in range(self._players))
        return Log("mjlog", players, rules, deals, self._final, cut)

    def _tile(self, id_: int) -> Tile:
        return Tile.from_136(id_, red_fives=not self._flags & _NO_RED)

    def _tiles(self, text: str) -> tuple[Tile, ...]:
        return tuple(self._tile(id_) for id_ in _numbers(text))

    def _points(self, text: str) -> Points:
        return tuple(100 * hundreds for hundreds in _numbers(text)[: self._players])

    def _deal(self, begin: int, end: int) -> Deal:
        said = self._elements[begin][1]
        number, honba, sticks, _, _, dora = _numbers(said["seed"])
        number = self._number(number, int(said["oya"]))
        moves: list[Move] = []
        wins: list[LoggedWin] = []
        drawn: LoggedDraw | None = None
        paid: list[Points] = []
        last, declares = -1, False
        for name, attributes in self._elements[begin + 1 : end]:
            if name[0] in "TUVWDEFG" and name[1:].isdigit():
                player, id_ = "TUVWDEFG".index(name[0]) % 4, int(name[1:])
                if name[0] in "TUVW":
                    moves.append(Draw(player, self._tile(id_)))
                    last = id_
                else:
                    moves.append(Discard(player, self._tile(id_), id_ == last, declares))
                    last, declares = -1, False
            elif name == "N":
                moves.append(self._called(int(attributes["who"]), int(attributes["m"])))
                last = -1
            elif name == "DORA":
                moves.append(Dora(self._tile(int(attributes["hai"]))))
            elif name == "REACH":
                declares = attributes["step"] == "1"
            elif name == "AGARI":
                ura = self._tiles(attributes.get("doraHaiUra", ""))
                wins.append(LoggedWin(int(attributes["who"]), int(attributes["fromWho"]), ura))
                paid.append(self._paid(attributes))
            elif name == "RYUUKYOKU":
                kind = _DRAWN[attributes["type"]] if "type" in attributes else "draw"
                ready = tuple(at for at in range(self._players) if f"hai{at}" in attributes)
                drawn = LoggedDraw(kind, ready)
                paid.append(self._paid(attributes))
        if not wins and drawn is None:
            raise HandCutShort
        return Deal(
            number,
            honba,
            sticks,
            self._points(said["ten"]),
            tuple(self._tiles(said[f"hai{at}"]) for at in range(self._players)),
            self._tile(dora),
            tuple(moves),
            tuple(wins) or drawn or LoggedDraw(),
            total(paid, self._players),
        )

    def _number(self, number: int, dealer: int) -> int:
        """How often the deal has passed on.

        With three players Tenhou also counts four deals a round, and other programs count three. The dealer
        shows which.
        """
        if number % 4 == dealer:
            return number // 4 * self._players + dealer
        if number % self._players == dealer:
            return number
        raise LogError("This mjlog does not begin with its first dealer.")

    def _paid(self, attributes: Mapping[str, str]) -> Points:
        if "owari" in attributes:
            final = attributes["owari"].split(",")[: 2 * self._players : 2]
            self._final = tuple(100 * int(points) for points in final)
        return tuple(100 * hundreds for hundreds in _numbers(attributes["sc"])[1 : 2 * self._players : 2])

    def _called(self, player: int, m: int) -> Call | NukidoraMove:
        """A set from Tenhou's bits: the giver, the kind, the copies, and the called tile."""
        source = m & 3
        if self._players == 3 and source:  # it counts four seats there too
            source = 1 if (player + source) % 4 == (player + 1) % 3 else 3
        if m & 0x04:
            kind, called = divmod(m >> 10, 3)
            first = kind // 7 * 9 + kind % 7
            ids = [4 * (first + at) + (m >> 3 + 2 * at & 3) for at in range(3)]
            return self._call(player, "chi", ids, ids[called], source)
        if m & 0x18:
            kind, called = divmod(m >> 9, 3)
            left_out = 4 * kind + (m >> 5 & 3)
            ids = [id_ for id_ in range(4 * kind, 4 * kind + 4) if id_ != left_out]
            if m & 0x08:
                return self._call(player, "pon", ids, ids[called], source)
            return self._call(player, "kakan", [*ids, left_out], left_out, source)
        if m & 0x20:
            if m >> 10 != NORTH:
                raise LogError("This mjlog sets aside a tile that is no north.")
            return NukidoraMove(player)
        id_ = m >> 8
        ids = list(range(id_ // 4 * 4, id_ // 4 * 4 + 4))
        return self._call(player, "minkan" if source else "ankan", ids, id_, source)

    def _call(self, player: int, type_: str, ids: list[int], called: int, source: int) -> Call:
        meld = Meld(type_, tuple(map(self._tile, ids)), source or None)
        return Call(player, meld, self._tile(called))
