"""The levels of topics in the order of learning.

A topic is ``<level>.<what>``. The learner first meets the topics in ``first`` of every level, then those in
``rest``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scorer.telling.sentence import Name, Sentence, Value
from scorer.yaku import TABLE
from tehai.learn.exercise import Setting
from tehai.learn.pages import Page


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the ladder. ``first`` and ``rest``: the part of its topics' names after the dot."""

    id: str
    first: tuple[str, ...]
    rest: tuple[str, ...] = ()

    @property
    def title(self) -> Sentence:
        return Sentence(f"level.{self.id}")


_FIRST_YAKU: Final = (
    "menzen_tsumo", "riichi", "tanyao", "yakuhai_haku", "yakuhai_hatsu", "yakuhai_chun", "pinfu", "none",
    "yakuhai_seat", "yakuhai_round", "iipeikou", "chiitoitsu", "toitoi", "honitsu", "sanshoku_doujun",
    "ittsu",
)  # fmt: skip

_RARE_YAKU: Final = (
    "ippatsu", "chinitsu", "chanta", "junchan", "sanankou", "shousangen", "haitei", "houtei", "rinshan",
    "double_riichi", "honroutou", "sanshoku_doukou", "ryanpeikou", "chankan",
)  # fmt: skip
"""Common yaku, after the first ones. All others are rarer, in the order of the table."""


def _rarer(first: tuple[str, ...]) -> tuple[str, ...]:
    """The other yaku, the more frequent first."""
    return (*_RARE_YAKU, *(yaku.id for yaku in TABLE if yaku.id not in (*first, *_RARE_YAKU)))


NO_YAKU: Final = "none"
"""The topic of finished hands that have no yaku."""

LADDER: Final = (
    Level("tiles", ("characters", "circles", "bamboos", "winds", "dragons", "red")),
    Level("groups", ("sets", "called", "pairs"), ("flush",)),
    Level("tenpai", ("ryanmen", "kanchan", "penchan", "shanpon", "tanki", "noten"), ("many",)),
    Level("yaku", _FIRST_YAKU, _rarer(_FIRST_YAKU)),
    Level("han", ("closed", "open", "dora")),
    Level("fu", ("wait", "pair", "sets", "total")),
    Level("table", ("ron", "tsumo", "dealer_ron", "dealer_tsumo", "limit")),
    Level("score", ("ron", "tsumo", "dealer", "limit"), ("yakuman",)),
    Level("ask", ("furiten", "passed", "riichi", "chankan", "facts")),
    Level("shanten", ("ready", "one", "two", "far")),
    Level("discard", ("ready", "one", "two")),
    Level("blocks", ("seven", "ten"), ("thirteen",)),
    Level("furiten", ("own", "many", "passed")),
    Level("safe", ("genbutsu", "suji", "walls", "rank", "whom")),
)

LEVELS: Final = {level.id: level for level in LADDER}


def topics(setting: Setting, level: str | None = None, *, rest: bool = True) -> tuple[str, ...]:
    """The topics of one level or of all that exist under the rules, in order.

    ``rest``: whether to include the topics for learners who have finished all levels.
    """
    ladder = LADDER if level is None else (LEVELS[level],)
    first = [f"{one.id}.{what}" for one in ladder for what in one.first]
    later = [f"{one.id}.{what}" for one in ladder for what in one.rest]
    return tuple(topic for topic in (*first, *(later if rest else ())) if _is_played(topic, setting))


def topics_of(page: Page, setting: Setting) -> tuple[str, ...]:
    """The topics of the exercises after a page: those that it names, and those of the levels that it
    names."""
    found: list[str] = []
    for name in page.drill:
        found += topics(setting, name) if name in LEVELS else [name] if _is_played(name, setting) else []
    return tuple(found)


def _is_played(topic: str, setting: Setting) -> bool:
    level, _, what = topic.partition(".")
    rules = setting.rules
    if what == "red":
        return any(rules.red_fives)
    if level == "yaku" and what != NO_YAKU:
        return what in rules.limit_hands or any(rules.yaku[what])
    return True


def title(topic: str) -> Value:
    """The title of a topic; for a yaku its name."""
    level, _, what = topic.partition(".")
    return Name(what) if level == "yaku" and what != NO_YAKU else Sentence(f"topic.{topic}")
