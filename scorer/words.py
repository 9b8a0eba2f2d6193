"""What players of a rule set call things: EMA's English, or the Japanese terms, in Latin letters or kanji."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from scorer.readings import GroupType, Wait


@dataclass(frozen=True, slots=True)
class Words:
    """One vocabulary. ``{}`` in ``han``, ``fu``, ``points`` and ``yakuman`` stands for the number.

    ``sets``: by type and whether concealed. ``waits``: those that earn minipoints. ``limits``: by id.
    """

    han: str
    fu: str
    points: str
    yakuman: str
    sets: Mapping[tuple[GroupType, bool], str]
    simples: str
    terminals: str
    dragons: str
    seat: str
    round: str
    both: str
    waits: Mapping[Wait, str]
    ron_closed: str
    tsumo: str
    open: str
    seven_pairs: str
    self_draw: str
    open_pinfu: str
    rounded: str
    limits: Mapping[str, str]


_LATIN_LIMITS: Final = MappingProxyType(
    {
        "mangan": "mangan",
        "haneman": "haneman",
        "baiman": "baiman",
        "sanbaiman": "sanbaiman",
        "counted_yakuman": "counted yakuman",
        "yakuman": "yakuman",
    }
)

ENGLISH: Final = Words(
    han="{} fan",
    fu="{} minipoints",
    points="{} points",
    yakuman="{} yakuman",
    sets=MappingProxyType(
        {
            (GroupType.PON, False): "open pung of {}",
            (GroupType.PON, True): "concealed pung of {}",
            (GroupType.KAN, False): "open kong of {}",
            (GroupType.KAN, True): "concealed kong of {}",
        }
    ),
    simples="simples",
    terminals="terminals or honours",
    dragons="pair of dragons",
    seat="pair of the seat wind",
    round="pair of the prevalent wind",
    both="pair of the seat and prevalent wind",
    waits=MappingProxyType(
        {Wait.KANCHAN: "closed wait", Wait.PENCHAN: "edge wait", Wait.TANKI: "single wait"}
    ),
    ron_closed="won on a discard with a concealed hand",
    tsumo="won by self-draw",
    open="won with an open hand",
    seven_pairs="seven pairs",
    self_draw="self-draw",
    open_pinfu="open pinfu",
    rounded="rounded up from {}",
    limits=_LATIN_LIMITS,
)
"""EMA 2008 §4.1."""

JAPANESE: Final = Words(
    han="{} han",
    fu="{} fu",
    points="{} points",
    yakuman="{} yakuman",
    sets=MappingProxyType(
        {
            (GroupType.PON, False): "minkou of {}",
            (GroupType.PON, True): "ankou of {}",
            (GroupType.KAN, False): "minkan of {}",
            (GroupType.KAN, True): "ankan of {}",
        }
    ),
    simples="chunchanpai",
    terminals="yaochuuhai",
    dragons="sangenpai pair",
    seat="jikaze pair",
    round="bakaze pair",
    both="jikaze and bakaze pair",
    waits=MappingProxyType(
        {Wait.KANCHAN: "kanchan wait", Wait.PENCHAN: "penchan wait", Wait.TANKI: "tanki wait"}
    ),
    ron_closed="menzen ron",
    tsumo="fuutei, won by tsumo",
    open="fuutei, won with an open hand",
    seven_pairs="chiitoitsu",
    self_draw="tsumo",
    open_pinfu="open pinfu",
    rounded="rounded up from {}",
    limits=_LATIN_LIMITS,
)

KANJI: Final = Words(
    han="{}翻",
    fu="{}符",
    points="{}点",
    yakuman="{}倍役満",
    sets=MappingProxyType(
        {
            (GroupType.PON, False): "{}明刻",
            (GroupType.PON, True): "{}暗刻",
            (GroupType.KAN, False): "{}明槓",
            (GroupType.KAN, True): "{}暗槓",
        }
    ),
    simples="中張牌",
    terminals="么九牌",
    dragons="三元牌の雀頭",
    seat="自風の雀頭",
    round="場風の雀頭",
    both="連風の雀頭",
    waits=MappingProxyType({Wait.KANCHAN: "嵌張待ち", Wait.PENCHAN: "辺張待ち", Wait.TANKI: "単騎待ち"}),
    ron_closed="門前ロン",
    tsumo="副底",
    open="副底",
    seven_pairs="七対子",
    self_draw="ツモ",
    open_pinfu="食い平和",
    rounded="切り上げ（{}符から）",
    limits=MappingProxyType(
        {
            "mangan": "満貫",
            "haneman": "跳満",
            "baiman": "倍満",
            "sanbaiman": "三倍満",
            "counted_yakuman": "数え役満",
            "yakuman": "役満",
        }
    ),
)

VOCABULARIES: Final = MappingProxyType({"english": ENGLISH, "japanese": JAPANESE, "kanji": KANJI})
"""By the name that a rule set gives as ``words``; kanji for who asks for them."""


def value_in_words(
    han: int, fu: int | None, points: int, limit: str | None, yakuman: int, words: Words
) -> str:
    """What a hand is worth, as players say it.

    >>> value_in_words(4, 30, 7700, None, 0, ENGLISH)
    '4 fan 30 minipoints, 7700 points'
    >>> value_in_words(26, None, 64000, "yakuman", 2, JAPANESE)
    '2 yakuman, 64000 points'
    >>> value_in_words(5, 30, 8000, "mangan", 0, KANJI)
    '満貫 5翻 8000点'
    """
    if yakuman > 1:
        parts = [words.yakuman.format(yakuman)]
    elif yakuman:
        parts = [words.limits["yakuman"]]
    elif limit:
        parts = [words.limits[limit], words.han.format(han)]
    else:
        parts = [f"{words.han.format(han)} {words.fu.format(fu)}" if fu else words.han.format(han)]
    return (" " if words is KANJI else ", ").join([*parts, words.points.format(points)])
