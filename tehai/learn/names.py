"""What people call tiles and yaku, in any of the words in use, as far as a learner's spelling may stray."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from itertools import product
from typing import Final, TypeVar

from scorer.own_yaku import OwnYaku
from scorer.telling.catalogue import glossary
from scorer.telling.sentence import Name, say
from scorer.tiles import Tile, TileError, parse_tiles
from scorer.words import VOCABULARIES
from scorer.yaku import DORA, TABLE
from tehai.learn.errors import UnclearAnswer

T = TypeVar("T")
Named = Mapping[str, tuple[T, ...]]
"""Folded name to all that are called so."""

_RANKS: Final = (
    ("1", "one", "一", "ii", "イー"),
    ("2", "two", "二", "ryan", "リャン"),
    ("3", "three", "三", "san", "サン"),
    ("4", "four", "四", "suu", "スー"),
    ("5", "five", "五", "伍", "uu", "ウー"),
    ("6", "six", "六", "roo", "ロー"),
    ("7", "seven", "七", "chii", "チー"),
    ("8", "eight", "八", "paa", "パー"),
    ("9", "nine", "九", "kyuu", "chuu", "キュー", "チュー"),
)
_SUITS: Final = {
    "m": ("m", "man", "manzu", "wan", "character", "characters", "crack", "cracks", "萬", "万", "萬子",
          "万子",
          "マン", "ワン", "マンズ"),
    "p": ("p", "pin", "pinzu", "circle", "circles", "dot", "dots", "ball", "balls", "coin", "coins", "筒",
          "筒子",
          "ピン", "ピンズ"),
    "s": ("s", "sou", "souzu", "bamboo", "bamboos", "bam", "bams", "stick", "sticks", "索", "索子", "ソウ",
          "ソー",
          "ソウズ", "ソーズ"),
}  # fmt: skip
_HONOURS: Final = (
    ("east", "east wind", "ton", "東", "東風", "トン"),
    ("south", "south wind", "nan", "南", "南風", "ナン"),
    ("west", "west wind", "shaa", "sha", "西", "西風", "シャー", "シャ"),
    ("north", "north wind", "pei", "北", "北風", "ペー", "ペイ"),
    ("white", "white dragon", "haku", "白", "ハク"),
    ("green", "green dragon", "hatsu", "發", "発", "ハツ"),
    ("red", "red dragon", "chun", "中", "チュン"),
)
_RED: Final = ("red", "aka", "赤", "アカ")
_KANJI: Final = str.maketrans(
    dict(zip("一二三四五六七八九伍萬万筒索", "1234567895mmps", strict=True))
    | {kanji: f"{rank}z" for rank, kanjis in enumerate(("東", "南", "西", "北", "白", "發発", "中"), 1)
       for kanji in kanjis}
)  # fmt: skip
"""Kanji of tiles as mpsz, which players write without a blank between."""

_YAKU: Final = {
    "tsumo": "menzen_tsumo",
    "ツモ": "menzen_tsumo",
    "自摸": "menzen_tsumo",
    "門前ツモ": "menzen_tsumo",
    "面前ツモ": "menzen_tsumo",
    "門前清自摸": "menzen_tsumo",
    "メンゼンツモ": "menzen_tsumo",
    "self-draw": "menzen_tsumo",
    "fully concealed": "menzen_tsumo",
    "立直": "riichi",
    "リーチ": "riichi",
    "ダブリー": "double_riichi",
    "ダブルリーチ": "double_riichi",
    "タンヤオ": "tanyao",
    "断么九": "tanyao",
    "断ヤオ": "tanyao",
    "simples": "tanyao",
    "haku": "yakuhai_haku",
    "白": "yakuhai_haku",
    "white dragon": "yakuhai_haku",
    "white": "yakuhai_haku",
    "hatsu": "yakuhai_hatsu",
    "發": "yakuhai_hatsu",
    "発": "yakuhai_hatsu",
    "green dragon": "yakuhai_hatsu",
    "green": "yakuhai_hatsu",
    "chun": "yakuhai_chun",
    "中": "yakuhai_chun",
    "red dragon": "yakuhai_chun",
    "red": "yakuhai_chun",
    "jikaze": "yakuhai_seat",
    "自風": "yakuhai_seat",
    "自風牌": "yakuhai_seat",
    "bakaze": "yakuhai_round",
    "場風": "yakuhai_round",
    "場風牌": "yakuhai_round",
    "round wind": "yakuhai_round",
    "sanshoku": "sanshoku_doujun",
    "三色": "sanshoku_doujun",
    "一通": "ittsu",
    "ikkitsuukan": "ittsu",
    "ikkitsu": "ittsu",
    "chiitoi": "chiitoitsu",
    "七対": "chiitoitsu",
    "チートイ": "chiitoitsu",
    "toitoihou": "toitoi",
    "toitoihoo": "toitoi",
    "対々": "toitoi",
    "対対和": "toitoi",
    "トイトイ": "toitoi",
    "混一": "honitsu",
    "ホンイツ": "honitsu",
    "清一": "chinitsu",
    "チンイツ": "chinitsu",
    "hon'iisou": "honitsu",
    "chin'iisou": "chinitsu",
    "チャンタ": "chanta",
    "ジュンチャン": "junchan",
    "純チャン": "junchan",
    "純全帯么九": "junchan",
    "混全帯么九": "chanta",
    "海底": "haitei",
    "海底撈月": "haitei",
    "ハイテイ": "haitei",
    "河底": "houtei",
    "ホウテイ": "houtei",
    "ホーテイ": "houtei",
    "嶺上": "rinshan",
    "リンシャン": "rinshan",
    "国士": "kokushi",
    "コクシ": "kokushi",
    "kokushi musou": "kokushi",
    "chuuren poutou": "chuuren",
    "槍槓": "chankan",
}
"""Further names in use."""

_SEVERAL: Final = {
    "yakuhai": "yakuhai_",
    "dragon triplet": "yakuhai_",
    "dragon pung": "yakuhai_",
    "役牌": "yakuhai_",
    "value tiles": "yakuhai_",
}
"""Names of more than one yaku: the beginning of their ids."""

_NONE: Final = ("none", "n", "no", "nothing", "no yaku", "なし", "無し", "役なし", "役無し")

_LONG: Final = (("ou", "o"), ("oo", "o"), ("uu", "u"), ("ii", "i"), ("ei", "e"), ("ee", "e"), ("aa", "a"))


def fold(text: str) -> str:
    """The text without what spellings differ in: case, width, blanks, hyphens, long vowels.

    >>> fold("Chii-toitsu") == fold("chitoitsu") and fold("Iipeikou") == fold("ipeko")
    True
    """
    text = re.sub(r"[\W_ー]+", "", unicodedata.normalize("NFKC", text).casefold())
    text = "".join(chr(ord(one) + 96) if "ぁ" <= one <= "ゖ" else one for one in text)
    for long, short in _LONG:
        text = text.replace(long, short)
    return text


_FOLDED_NONE: Final = frozenset(map(fold, _NONE))


def numbers(text: str, *, thousands: bool = True) -> list[int]:
    """The numbers in a text, full-width digits too, and such as ``8k`` and ``1万2千``; of absurd ones the
    beginning.

    ``thousands``: whether a comma may stand between thousands, and not only between numbers.
    """
    pattern = r"\d{1,3}(?:,\d{3})+(?!\d)|\d+" if thousands else r"\d+"
    plain = re.sub(_MYRIADS, _myriads, unicodedata.normalize("NFKC", text))
    found = re.findall(pattern, re.sub(_THOUSANDS, r"\g<1>000", plain))
    return [int(digits.replace(",", "")[:_DIGITS]) for digits in found]


_DIGITS: Final = 12
"""More than any score has."""

_MYRIADS: Final = re.compile(r"(?<![\d.,])(\d{1,2})万(?:(\d)千|(\d{1,4}))?")
_THOUSANDS: Final = re.compile(r"(?<![\d.,])(\d{1,3})\s?(?:千|k(?![a-z]))", re.IGNORECASE)


def _myriads(found: re.Match[str]) -> str:
    """The number of tens of thousands, of thousands, and of what is less."""
    many, thousands, rest = (int(digits or 0) for digits in found.groups())
    return str(10_000 * many + 1_000 * thousands + rest)


def is_none(text: str) -> bool:
    """Whether the answer is that there is none."""
    return text.strip() == "-" or fold(text) in _FOLDED_NONE


@cache
def tile_names() -> Named[Tile]:
    """Every name of every tile."""
    found: dict[str, tuple[Tile, ...]] = {}

    def add(names: Iterable[str], tile: Tile) -> None:
        found.update(dict.fromkeys(map(fold, names), (tile,)))

    for suit, words in _SUITS.items():
        for rank, ranks in enumerate(_RANKS, 1):
            pairs = [
                name
                for one, two in product(ranks, words)
                for name in (one + two, two + one, f"{one} of {two}")
            ]
            add(pairs, Tile.parse(f"{rank}{suit}"))
            if rank == 5:
                red = [name for one, name in product(_RED, pairs) for name in (one + name, name + one)]
                add((*red, f"0{suit}"), Tile.parse(f"0{suit}"))
    for rank, names in enumerate(_HONOURS, 1):
        add((*names, f"{rank}z"), Tile.parse(f"{rank}z"))
    add(("bird", "鳥", "peacock"), Tile.parse("1s"))
    return found


@cache
def yaku_names() -> Named[str]:
    """Every name of every yaku."""
    found: dict[str, tuple[str, ...]] = {}
    for yaku in TABLE:
        term = glossary()[yaku.id]
        names = (yaku.id, term.kana, *term.names, *(words.yaku(yaku.id) for words in VOCABULARIES.values()))
        found.update((fold(name), (yaku.id,)) for name in names if name)
    found.update((fold(name), (id_,)) for name, id_ in _YAKU.items())
    for name, start in _SEVERAL.items():
        found[fold(name)] = tuple(yaku.id for yaku in TABLE if yaku.id.startswith(start))
    found.update((fold(name), ("dora",)) for id_ in DORA for name in (id_, *DORA[id_]))
    return found


def tiles_in(text: str) -> tuple[Tile, ...]:
    """The tiles that a text names, as mpsz (``3m6m``, ``36m``, ``3-6m``, 三六萬) or by name.

    Raises :class:`UnclearAnswer`.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    try:
        return parse_tiles(re.sub(r"[\s,;、/+・-]+", "", plain).translate(_KANJI))
    except TileError:
        return tuple(_each(plain, tile_names(), lambda word: UnclearAnswer(say("unclear.tile", word=word))))


def yaku_in(text: str, own: Iterable[OwnYaku] = ()) -> tuple[str, ...]:
    """The ids of the yaku that a text names, each once. ``own``: those that only the rules have.

    Raises :class:`UnclearAnswer`.
    """
    theirs = {fold(name): (one.id,) for one in own for name in (one.id, one.name, one.name_ja)}
    found = dict.fromkeys(_each(text, {**yaku_names(), **theirs}, _unknown_yaku))
    if "dora" in found:
        raise UnclearAnswer(say("unclear.dora"))
    return tuple(found)


def _unknown_yaku(word: str) -> UnclearAnswer:
    near = get_close_matches(fold(word), yaku_names(), 1, 0.7)
    if not near or not fold(word):
        return UnclearAnswer(say("unclear.yaku", word=word))
    return UnclearAnswer(say("unclear.yaku_near", word=word, near=Name(yaku_names()[near[0]][0])))


def _each(text: str, names: Named[T], unknown: Callable[[str], UnclearAnswer]) -> Iterator[T]:
    """What the words of the text name, the longest names first; ``and`` and signs between are nothing."""
    words = re.findall(r"[^\s,;、/+&・]+", text)
    at = 0
    while at < len(words):
        for end in range(len(words), at, -1):
            called = names.get(fold("".join(words[at:end])))
            if called:
                break
        else:
            if fold(words[at]) in ("and", "と"):
                at += 1
                continue
            raise unknown(words[at])
        if len(called) > 1:
            raise UnclearAnswer(say("unclear.several", word=" ".join(words[at:end])))
        yield called[0]
        at = end
