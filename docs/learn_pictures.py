"""Makes the pictures of ``docs/learn.md`` and ``docs/lesson.md``: ``python docs/learn_pictures.py`` (needs
the extra ``test``)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from scorer import Hand, Win, Wind, load_rules, parse_tiles
from scorer.telling.lesson import Lesson, explain
from tehai.learn.bench import Bench
from tehai.learn.exercise import Setting
from tehai.learn.progress import Progress
from tehai.learn.sheet import page
from tehai.learn.terminal_drill import TerminalDrill
from tehai.learn.texts import Texts
from tehai.lesson.html import page as lesson_page

DOCS = Path(__file__).resolve().parent
CHROMIUM = "/usr/bin/chromium"

# Rich's own frame names fonts on the web: the picture has to stand by itself.
FRAME = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.S)

SITTING = (("yaku.pinfu", ("pinfu", "", "")), ("fu.total", ("30", "")))
"""Topics and what is typed: an answer, Enter for why, Enter to go on."""

PAPER = (
    "tiles.characters",
    "tiles.circles",
    "tiles.red",
    "groups.sets",
    "tenpai.ryanmen",
    "fu.total",
    "score.tsumo",
)
SEED = 65


class Typing(Console):
    """A console on which the answers are typed already."""

    def __init__(self, typed: Iterator[str]) -> None:
        super().__init__(record=True, width=80, file=io.StringIO(), highlight=False, force_terminal=True)
        self._typed = typed

    def input(self, prompt: object = "", **_: object) -> str:
        typed = next(self._typed)
        self.print(prompt, typed, sep="")
        return typed


def main() -> None:
    setting = Setting(load_rules("ema2008"))
    texts = Texts(setting.language, setting.rules.words)
    console = Typing(iter([text for _, typed in SITTING for text in typed]))
    with TemporaryDirectory() as folder:
        progress = Progress(Path(folder) / "learn.json")
        talk = TerminalDrill(console, texts, Bench(setting, Random(SEED)), progress, teaches=False)
        talk.drill(len(SITTING), iter([topic for topic, _ in SITTING]))
    console.save_svg(str(DOCS / "learn.svg"), title="tehai learn", code_format=FRAME)
    bench = Bench(setting, Random(SEED))
    paper = page(texts, [bench.exercise(topic) for topic in PAPER], f"{len(PAPER)} exercises")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_page(viewport={"width": 800, "height": 1000})
        tab.set_content(paper)
        tab.screenshot(path=DOCS / "learn-sheet.png", full_page=True, timeout=120_000)
        tab.set_viewport_size({"width": 800, "height": 1480})
        tab.set_content(lesson_page(lesson()))
        tab.screenshot(path=DOCS / "lesson.png", timeout=120_000)
        browser.close()


def lesson() -> Lesson:
    """A hand with something in every step."""
    win = Win(
        tsumo=True, seat_wind=Wind.SOUTH, round_wind=Wind.EAST, riichi=True, dora_indicators=parse_tiles("1m")
    )
    return explain(Hand("222333444m67p77z", "0p"), win, load_rules("ema2008"))


if __name__ == "__main__":
    main()
