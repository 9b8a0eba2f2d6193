"""Check what lessons and advice say: ``python -m benchmarks.teaching [--hands N] [--seed N]``.

N random wins, half as many hands that wait and as many that are not finished, under each preset in turn and
in both languages, are read as a reader has them: the JSON of ``--explain json``. The rules here are the
reader's own and lean on nothing that tells: sums add up, no word of the game is said before it is explained,
no line comes twice, no English stands in Japanese, nothing is offered that pays no more, nothing is called
rounded that is not, the row that is marked is the one that applies, of discards none that keeps more comes
later, and a short lesson has twelve lines at most. Of the course, in both languages: no word of the game
before its step and none explained twice, no fu before the step on fu, no showpiece, no seven pairs. Of its
drills: no showpiece for a frequent topic of the first six levels, whether it was wrong before or not. Prints
what breaks a rule; exit code 1 then.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, cycle
from random import Random
from typing import Any, Final

from rich.console import Console

from benchmarks.wins import RandomWin, random_win
from scorer import HandError, RuleSet, Tile, load_rules, parse_tiles, preset_ids
from scorer.efficiency import shanten
from scorer.nearest import missing_count, nearest, target_of
from scorer.readings import Form
from scorer.telling.advice import explain_unfinished
from scorer.telling.catalogue import LANGUAGES, glossary
from scorer.telling.lesson import Lesson, explain, explain_waits
from scorer.telling.sentence import Value
from scorer.tiles import COPIES, KINDS, LEFT_OUT, TILES, count_kinds
from tehai.learn.bench import Bench
from tehai.learn.course import steps
from tehai.learn.exercise import Exercise, Setting
from tehai.learn.hands import natural, written
from tehai.learn.levels import LADDER, LEVELS, topics
from tehai.learn.texts import Texts
from tehai.terminal.lesson import print_short

Record = Mapping[str, Any]

WORDS: Final = {
    "en": (
        *("han", "fan", "fu", "minipoints", "yaku", "dora", "ura dora", "riichi", "ippatsu", "pinfu"),
        *("tsumo",),
        *("ron", "tenpai", "furiten", "shanten", "ukeire", "sequence", "triplet", "kan", "mangan", "haneman"),
        *("baiman", "sanbaiman", "yakuman", "dealer", "terminal", "honour", "base points", "counter"),
        *("riichi stick", "dora indicator", "two-sided wait", "closed wait", "edge wait", "double pair wait"),
        *("single wait", "value tile", "shuntsu", "koutsu", "kantsu", "fuutei", "honba", "kyoutaku"),
        *("menzen", "jantou"),
    ),
    "ja": (
        *("翻", "符", "役", "ドラ", "裏ドラ", "立直", "一発", "平和", "ツモ", "ロン", "聴牌", "フリテン"),
        *("順子", "刻子", "槓子", "面子", "雀頭", "満貫", "跳満", "倍満", "三倍満", "役満", "親", "老頭牌"),
        *("字牌", "幺九牌", "基本点", "本場", "供託", "ドラ表示牌", "両面待ち", "嵌張待ち", "辺張待ち"),
        *("シャンポン待ち",),
        *("向聴数", "単騎待ち", "役牌", "門前", "副底", "放銃者", "下家", "対面", "上家", "和了"),
    ),
}  # fmt: skip
"""Words that nobody knows who has never played, however the catalogue calls its terms."""

_TILES: Final = re.compile(r"(?:\d+[mpsz])+")
_NUMBER: Final = re.compile(r"\d[\d,]*")
_POINTS: Final = {"en": re.compile(r"([\d,]+) points"), "ja": re.compile(r"([\d,]+)点")}
_ROUNDED: Final = {
    "en": re.compile(r"([\d,]+), rounded up to ([\d,]+)"),
    "ja": re.compile(r"([\d,]+)点を切り上げて([\d,]+)"),
}
_WORTH: Final = re.compile(" to win on|、和了")
"""Where a line about a discard goes on to what a win is worth."""

_LATIN: Final = re.compile(r"[A-Za-z]{2,}")
_NAMES: Final = ("EMA", "RMU", "tehai learn --level", *LEVELS, "tehai score")
"""What is written in Latin letters in Japanese, too: the society's name and commands."""
_JAPANESE: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def numbers(text: str) -> list[int]:
    """All numbers in a text."""
    return [int(one.replace(",", "")) for one in _NUMBER.findall(text)]


def said(lesson: Record) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """All that a reader meets, in order: a text, the words that are explained with it, those that it is
    the rule of."""
    yield (
        lesson["headline"].rpartition("(" if "(" in lesson["headline"] else "（")[0],
        tuple(lesson["words"]),
        (),
    )
    for step in lesson["steps"]:
        grid = step["grid"] or {"head": [], "rows": []}
        cells = [cell for row in (grid["head"], *grid["rows"]) for cell in row]
        yield " / ".join([step["title"], *cells]), tuple(step["words"]), ()
        for line in step["lines"]:
            by_rule = (line["label"],) if line["kind"].startswith(("rule.", "yaku.")) else ()
            text = " ".join(filter(None, (line["label"], line["text"])))
            yield text, tuple(line["words"]), by_rule


def words_before_use(lesson: Record) -> Iterator[str]:
    """A word of the game stands in a text before, or without that, it was explained."""
    language = lesson["language"]
    entries = {entry["id"]: entry for entry in lesson["glossary"]}
    explained: set[str] = set()
    for text, words, by_rule in said(lesson):
        new = [entries[id_] for id_ in words if id_ in entries]
        if len(new) < len(words):
            yield f"no entry for {set(words) - entries.keys()}"
        explained |= {entry["name"].casefold() for entry in new} | {name.casefold() for name in by_rule}
        for told in (text, *(entry["means"] for entry in new)):
            rest = told.casefold()
            for word in sorted({*explained, *WORDS[language]}, key=len, reverse=True):
                found = re.compile(re.escape(word) if language == "ja" else rf"\b{re.escape(word)}(?:s|\b)")
                if word not in explained and found.search(rest):
                    yield f"{word!r} is said before it is explained: {told!r}"
                rest = found.sub("_", rest)


def lines_twice(lesson: Record) -> Iterator[str]:
    """A line, its label and its tiles come again."""
    lines = [
        (step["kind"] if step["kind"] == "hand" else "", line["label"], line["text"], tuple(line["tiles"]))
        for step in lesson["steps"]
        for line in step["lines"]
    ]
    hand = Counter(line for line in lines if line[0])
    for line, times in Counter(lines).items():
        if times > 1 and line not in hand:  # a hand may hold the same set twice
            yield f"{times} times: {line}"
    for step in lesson["steps"]:
        if not step["lines"] and not step["grid"]:
            yield f"a heading without a line: {step['title']}"


def wrong_language(lesson: Record) -> Iterator[str]:
    """English in Japanese, or Japanese in the midst of English."""
    texts = [text for text, _, _ in said(lesson)] + [entry["means"] for entry in lesson["glossary"]]
    texts += [line["cited"] for step in lesson["steps"] for line in step["lines"] if line["cited"]]
    texts += [*lesson["notes"], lesson["headline"]]
    for text in texts:
        rest = text
        for name in _NAMES if lesson["language"] == "ja" else ():
            rest = rest.replace(name, "")
        if lesson["language"] == "ja" and (found := _LATIN.search(_TILES.sub("", rest))):
            yield f"{found[0]!r} in {text!r}"
        if lesson["language"] == "en" and (found := _JAPANESE.search(rest)):
            yield f"{found[0]!r} in {text!r}"


def sums(lesson: Record) -> Iterator[str]:
    """What the lines add is not what the score has."""
    score, steps = lesson["score"], {step["kind"]: step for step in lesson["steps"]}

    def added(unit: str, *kinds: str) -> int:
        lines = [line for kind in kinds if kind in steps for line in steps[kind]["lines"]]
        return sum(line["amount"] or 0 for line in lines if line["unit"] == unit and not line["total"])

    if score is None:
        return
    if added("han", "yaku", "dora") != score["han"]:
        yield f"the han sum to {added('han', 'yaku', 'dora')}, not {score['han']}"
    if "fu" in steps:
        shown = [line["amount"] for line in steps["fu"]["lines"] if line["total"]]
        if added("fu", "fu") != score["fu"] or shown not in ([], [score["fu"]]):
            yield f"the fu sum to {added('fu', 'fu')} and are said to be {shown}, not {score['fu']}"
        if not shown and sum(line["unit"] == "fu" for line in steps["fu"]["lines"]) > 1:
            yield "the fu have no sum"
    if score["deltas"] and added("points", "payment") != score["deltas"][0]:
        yield f"the payments sum to {added('points', 'payment')}, not {score['deltas'][0]}"
    gets = numbers(steps["payment"]["lines"][-1]["text"])[0]
    if gets != added("points", "payment"):
        yield f"the winner is said to get {gets} of {added('points', 'payment')}"
    for line in steps["lookup"]["lines"]:
        if line["kind"] == "lookup.base":
            told = numbers(line["text"])
            fu, han, base = told[0], told[2 if lesson["language"] == "ja" else 1], told[-1]
            if (fu, han, base) != (score["fu"], score["han"], fu << han + 2):
                yield f"{line['text']!r} of {score['han']} han {score['fu']} fu"


def rounding(lesson: Record) -> Iterator[str]:
    """Something is called rounded that is not, or to another number."""
    for text, _, _ in said(lesson):
        for exact, paid in _ROUNDED[lesson["language"]].findall(text):
            low, high = numbers(exact)[0], numbers(paid)[0]
            if low % 100 == 0 or high != -(-low // 100) * 100:
                yield f"{low} is no {high} rounded: {text!r}"


def cheaper(lesson: Record) -> Iterator[str]:
    """Something is offered that pays no more."""
    points = lesson["score"]["points"] if lesson["score"] else 0
    for step in lesson["steps"]:
        if step["kind"] not in ("choice", "luck"):
            continue
        for line in step["lines"]:
            amounts = [numbers(one)[0] for one in _POINTS[lesson["language"]].findall(line["text"])]
            if line["kind"].startswith(("near.", "no_yaku.")) and not (amounts and amounts[0] > points):
                yield f"{points} points, and offered is {line['text']!r}"
            if line["kind"] in ("riichi.more", "riichi.luck") and amounts[1] != amounts[0] - points:
                yield f"{points} points, and riichi is said to bring {line['text']!r}"


def marked(lesson: Record, rules: RuleSet) -> Iterator[str]:
    """The cell that is marked is not what the hand pays, or its row is another limit."""
    score = lesson["score"]
    if score is None:
        return
    grid = next(step["grid"] for step in lesson["steps"] if step["kind"] == "lookup")
    row, column = grid["marked"]
    cells = grid["rows"][row]
    others, *dealer = numbers(cells[column])
    guests = rules.players - 2
    ways = {others, others * (rules.players - 1), others * guests + sum(dealer)}
    if score["points"] not in ways:
        yield f"marked is {cells[column]}, and the hand pays {score['points']}"
    if score["limit"] and score["yakuman"] < 2:
        name = {"yakuman": "役満"} if lesson["language"] == "ja" else {}
        called = rules.vocabulary.limits[score["limit"]] if lesson["language"] == "en" else None
        if called and cells[0].casefold() != called.casefold():
            yield f"marked is the row {cells[0]}, not {called} {name}"
        least = numbers(cells[1])
        if least and score["han"] < least[0] and score["han"] not in least[1::2]:
            yield f"{score['han']} han are not in the row {cells}"


def ending(lesson: Record, rules: RuleSet) -> Iterator[str]:
    """The rules are not named, or nothing is left to look for."""
    if rules.named(lesson["language"]) not in lesson["headline"]:
        yield f"no rules in {lesson['headline']!r}"
    last = lesson["steps"][-1]
    if last["kind"] != "next" or last["lines"][-1]["drill"] not in LEVELS:
        yield f"it ends in {last['title']}"


def discards(lesson: Record, held: Sequence[Tile], seen: Sequence[Tile], rules: RuleSet) -> Iterator[str]:
    """A discard keeps another number of tiles than is said, or one that keeps more comes later."""
    gone = count_kinds((*held, *seen))
    counted: list[int] = []
    for step in lesson["steps"]:
        for line in step["lines"]:
            if line["kind"] not in ("discard.keeps", "discard.waits", "discard.priced", "discard.and"):
                continue
            text = line["text"].split("。" if lesson["language"] == "ja" else ". ")[0]
            tile = Tile.parse(_TILES.search(line["text"])[0])  # type: ignore[index]
            rest = list(held)
            rest.remove(tile)
            away = shanten(tuple(rest))
            helps = [
                kind
                for kind in range(KINDS)
                if not (rules.players == 3 and kind in LEFT_OUT)
                and gone[kind] < COPIES
                and shanten((*rest, TILES[kind])) < away
            ]
            left = sum(COPIES - gone[kind] for kind in helps)
            after = _WORTH.split(text.replace(str(tile), "", 1))[0]
            kinds, tiles = sorted(numbers(after))[:1], sorted(numbers(after))[-1:]
            if (kinds, tiles) != ([min(left, len(helps))], [max(left, len(helps))]):
                yield f"{tile} leaves {left} tiles of {len(helps)} kinds, not {text!r}"
            if away:  # of what is tenpai that comes first whose tiles times points are most
                counted.append(left)
    if counted != sorted(counted, reverse=True):
        yield f"the discards keep {counted}, not the most first"


RULES: Final = (words_before_use, lines_twice, wrong_language, sums, rounding, cheaper)


def broken(lesson: Lesson, rules: RuleSet) -> Iterator[str]:
    """Every rule that the lesson breaks, as a sentence."""
    record = lesson.to_record()
    for rule in RULES:
        yield from (f"{rule.__name__}: {what}" for what in rule(record))
    yield from (f"marked: {what}" for what in marked(record, rules))
    yield from (f"ending: {what}" for what in ending(record, rules))


SHORT: Final = 12
"""Lines of a short lesson at most, of 80 columns."""

_ASSUMED: Final = {
    "en": "Assumed: not the dealer, in the east round, riichi, no dora. Name them to change that.",
    "ja": "仮定：子、東場、立直、ドラなし。変えるには名前を付けて指定してください。",
}
"""What stands below the headline at most: two lines."""


def too_long(lesson: Lesson) -> Iterator[str]:
    """A short lesson of more lines."""
    console = Console(width=80, force_terminal=False)
    with console.capture() as captured:
        print_short(console, replace(lesson, notes=(_ASSUMED[lesson.catalogue.language],)))
    if (many := len(captured.get().strip("\n").splitlines())) > SHORT:
        yield f"short: {many} lines"


def spoken_in(exercise: Exercise) -> list[Value]:
    """All that an exercise says before and after its answer, but for proper names."""
    values: list[Value] = [exercise.question, *exercise.shown.facts]
    for part in exercise.parts:
        values += [part.answer.right, part.answer.how, *([part.label] if part.label else [])]
    for passage in exercise.explanation:
        values += [passage.title] if passage.title else []
        for line in passage.lines:
            values += [one for one in (line.label, line.sentence, line.worth) if one is not None]
    return [value for value in values if not isinstance(value, str)]


def course(language: str, seed: int, times: int = 1) -> Iterator[tuple[str, list[str]]]:
    """Every step of the course: the words and fu that it uses too early, and hands that are showpieces."""
    rules = load_rules("ema2008")
    setting = Setting(replace(rules, words="kanji") if language == "ja" else rules, language=language)
    words = Texts(language, setting.rules.words)
    known = {term.id for term in glossary().values() if language in term.plain}
    for step in steps():
        page = " ".join(map(words.text, (step.title, *(line.sentence for line in step.passage.lines))))
        known |= set(words.terms(page))
        found = []
        bench = Bench(setting, Random(f"{seed} {step.id}"))
        for topic in step.exercises * times:
            exercise = bench.exercise(topic, scope=step.scope)
            for text in map(words.text, spoken_in(exercise)):
                used = set(words.terms(text))
                found += [f"early: {word} in {text!r}" for word in used - known]
                found += [f"early fu: {text!r}"] * ("fu" in used and "fu" not in step.scope.allows)
            lines = [line for passage in exercise.explanation for line in passage.lines]
            found += [f"explained twice: {word}" for line in lines for word in line.words if word in known]
            found += showpiece(exercise, anywhere=True)
            found += other_form(exercise)
        laid = [tile for group in step.hand for tile in group]
        found += ["red five too early"] * ("red" not in step.scope.allows and any(one.is_red for one in laid))
        yield f"{language} course {step.id}", found


def drills(language: str, seed: int, times: int = 1) -> Iterator[tuple[str, list[str]]]:
    """Every frequent topic of the first six levels outside the course: hands that are showpieces."""
    setting = Setting(load_rules("ema2008"), language=language)
    for level in LADDER[:6]:
        bench = Bench(setting, Random(f"{seed} {level.id}"))
        for topic in topics(setting, level.id, rest=False):
            asked = [bench.exercise(topic, fresh=fresh) for fresh in (False, True) for _ in range(times)]
            yield f"{language} drill {topic}", list(chain.from_iterable(map(showpiece, asked)))


def showpiece(exercise: Exercise, *, anywhere: bool = False) -> Iterator[str]:
    """A hand that was written to show something, in a level where natural hands are due, or ``anywhere``."""
    shown = exercise.shown
    tiles = (*shown.concealed, *shown.last, *(tile for meld in shown.melds for tile in meld.tiles))
    if not (anywhere or exercise.level in _EARLY):
        return
    if in_any_suits(tiles) in (_showpieces() if shown.last else _unfinished_showpieces()):
        yield f"showpiece: {''.join(map(str, tiles))}"


def other_form(exercise: Exercise) -> Iterator[str]:
    """A hand that is nearest as seven pairs or thirteen orphans, which the course does not teach."""
    shown = exercise.shown
    if shown.concealed and not shown.melds:
        tiles = (*shown.concealed, *shown.last)
        counts = count_kinds(tiles)
        forms = nearest(counts, target_of((), 4))
        if Form.STANDARD not in forms or missing_count(forms) < forms[Form.STANDARD] >> KINDS:
            yield f"another form: {''.join(map(str, tiles))}"


@cache
def _showpieces() -> frozenset[tuple[tuple[int, ...], ...]]:
    """Those that were written, but for what four players won at a table, too."""
    own, won = ({in_any_suits(deal.hand.tiles) for deal in hands} for hands in (written(), natural()))
    return frozenset(own - won)


@cache
def _unfinished_showpieces() -> frozenset[tuple[tuple[int, ...], ...]]:
    """The same without their winning tile."""
    own, won = (
        {in_any_suits((*one.hand.concealed, *(t for m in one.hand.melds for t in m.tiles))) for one in hands}
        for hands in (written(), natural())
    )
    return frozenset(own - won)


def in_any_suits(tiles: Iterable[Tile]) -> tuple[tuple[int, ...], ...]:
    """The tiles as counts, the same whichever suit is which."""
    counts = count_kinds(tiles)
    return (*sorted(counts[first : first + 9] for first in (0, 9, 18)), counts[27:])


_EARLY: Final = frozenset(level.id for level in LADDER[:6])


def unfinished(random: Random, drawn: RandomWin, size: int) -> tuple[Tile, ...]:
    """A hand that is some tiles away: tiles of a win, a few of them replaced."""
    tiles = [TILES[tile.kind] for tile in (*drawn.hand.concealed, drawn.hand.win_tile)]
    tiles += [TILES[tile.kind] for meld in drawn.hand.melds for tile in meld.tiles[:3]]
    for _ in range(random.randrange(1, 7)):
        tiles.pop(random.randrange(len(tiles)))
        many = Counter(tiles)
        tiles.append(random.choice([tile for tile in TILES[:KINDS] if many[tile] < COPIES]))
    random.shuffle(tiles)
    return tuple(sorted(tiles[:size]))


def faults(random: Random, rules: RuleSet, language: str) -> Iterator[tuple[str, list[str]]]:
    """A win, a hand that waits, one that is not finished: what each is, and what its lesson breaks."""
    drawn = random_win(random, any(rules.red_fives), rules.players)
    win = drawn.win if drawn.win.is_dealer or random.random() < 0.5 else replace(drawn.win, seat_wind=None)
    try:
        lesson = explain(drawn.hand, win, rules, language=language)
    except HandError:
        pass
    else:
        yield str(drawn.to_record(rules)), [*broken(lesson, rules), *too_long(lesson)]
    if random.random() < 0.5:
        hand = drawn.hand
        waiting = explain_waits(hand.concealed, hand.melds, drawn.win, rules, language=language)
        yield f"waiting: {drawn.to_record(rules)}", [*broken(waiting, rules), *too_long(waiting)]
    if rules.players == 4:
        held = unfinished(random, drawn, random.choice((13, 14, 14)))
        seen = parse_tiles(random.choice(("", "1z", "5m5p", "19m")))
        win = replace(drawn.win, ura_indicators=())  # which nobody sees before the win
        sight = (*seen, *win.dora_indicators, *win.discards)
        if max(Counter(tile.kind for tile in (*held, *sight)).values()) <= COPIES:
            told = explain_unfinished(held, (), win, rules, seen=seen, language=language)
            found = [*broken(told, rules), *too_long(told)]
            if len(held) == 14:
                found += [f"discards: {what}" for what in discards(told.to_record(), held, sight, rules)]
            yield f"unfinished: {''.join(map(str, held))} {drawn.win}", found


def check(hands: int, seed: int, languages: Iterable[str] = LANGUAGES) -> Iterator[tuple[str, list[str]]]:
    """The lessons of so many random hands in each language, with what is wrong with each."""
    for language in languages:
        random = Random(f"{seed} {language}")
        for _, preset in zip(range(hands), cycle(preset_ids()), strict=False):
            for what, found in faults(random, load_rules(preset), language):
                yield f"{language} {preset} {what}", found


def main() -> int:
    """Print what breaks a rule; 0 where nothing does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=2000, help="how many random wins in each language")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    given = parser.parse_args()
    lessons, wrong, kinds = 0, 0, Counter[str]()
    languages = given.language or LANGUAGES
    asked = (drills, course)
    walked = (one for language in languages for of in asked for one in of(language, given.seed, times=4))
    for what, found in chain(walked, check(given.hands, given.seed, languages)):
        lessons += 1
        wrong += bool(found)
        for one in found:
            kind = one.partition(":")[0]
            kinds[kind] += 1
            if kinds[kind] <= 5:
                print(f"{one}\n    {what}")
    print(f"{lessons} lessons and pieces of advice, {wrong} break a rule: {dict(kinds) or 'none'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
