"""The rules of a log: a preset, or house rules as text for what differs from one."""

from __future__ import annotations

from typing import Final

_FOUR: Final = 4


def tenhou_rules(*, players: int, red: int, open_tanyao: bool, rounds: int) -> str:
    """The rules of a table of Tenhou."""
    return _over("tenhou3" if players == 3 else "tenhou", red, open_tanyao, rounds)


def majsoul_rules(*, players: int, red: int, open_tanyao: bool, rounds: int) -> str:
    """The rules of a room of Mahjong Soul, which has three red fives, none, or four."""
    return _over("majsoul3" if players == 3 else "majsoul", red, open_tanyao, rounds)


def _over(base: str, red: int, open_tanyao: bool, rounds: int) -> str:
    lines = [f'base = "{base}"']
    if not red:
        lines.append("red_fives = [0, 0, 0]")
    if red == _FOUR and base == "majsoul":
        lines.append("red_fives = [1, 2, 1]")
    if rounds == 1:
        lines.append("rounds = 1")
    if not open_tanyao:
        lines += ["[yaku]", "tanyao = [1, 0]"]
    return base if len(lines) == 1 else "\n".join((*lines, ""))
