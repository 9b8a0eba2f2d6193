"""A sitting on the terminal: what is asked, told and kept; wide enough, with colours and without."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import CliRunner

from tehai.cli import app
from tehai.hand import scoring
from tehai.learn import drill
from tehai.learn.bench import Bench
from tehai.learn.levels import LADDER, topics
from tehai.learn.progress import Progress
from tehai.learn.show import has_colours, picture_text, print_exercise
from tehai.learn.terminal_drill import Quit, TerminalDrill, print_statistics
from tests.tehai.learn.learning import exercises, setting, texts

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Answering(Console):
    """A console whose lines are typed by the test; prompts are printed."""

    def __init__(self, answers: Iterator[str], colours: bool = False, width: int = 80) -> None:
        system = "truecolor" if colours else None
        super().__init__(
            file=io.StringIO(), width=width, height=24, force_terminal=colours, color_system=system
        )
        self.answers = answers

    def input(self, prompt: object = "", **_: object) -> str:  # type: ignore[override]
        self.print(prompt, end="")
        try:
            typed = next(self.answers)
        except StopIteration:
            raise EOFError from None
        self.print(typed)
        return typed

    @property
    def text(self) -> str:
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


def talk(
    tmp_path: Path, answers: list[str], language: str = "en", colours: bool = False, teaches: bool = False
) -> TerminalDrill:
    how = setting(language=language, colours=colours)
    console = Answering(iter(answers), colours)
    return TerminalDrill(
        console,
        texts(how),
        Bench(how, Random(4)),
        Progress(tmp_path / "learn.json"),
        clock=lambda: NOON,
        teaches=teaches,
    )


def printed(sitting: TerminalDrill) -> str:
    assert isinstance(sitting.console, Answering)
    return sitting.console.text


def test_right_partly_and_wrong_answers_are_told_apart_explained_and_kept(tmp_path: Path) -> None:
    right = next(exercises("table", 1, setting(), 4))
    answer = texts(setting()).text(right.parts[0].answer.right)
    sitting = talk(tmp_path, [answer, "", "", "1", "?", "", "", "y"])
    sitting.drill(3, iter(["table.ron", "table.tsumo", "table.ron"]))
    known = Progress.load(tmp_path / "learn.json").topics
    assert set(known) == {"table.ron", "table.tsumo"}
    assert "Type an answer" in printed(sitting) or "Type two numbers" in printed(sitting)
    assert "Not right. Right would be:" in printed(sitting) and "From han and fu to points" in printed(
        sitting
    )


def test_nonsense_is_asked_again_and_costs_nothing(tmp_path: Path) -> None:
    sitting = talk(tmp_path, ["cheese", "", "1m 2m", "east", ""])
    sitting.drill(1, iter(["tiles.winds"]))
    text = printed(sitting)
    assert "“cheese” is not a tile" in text and "Type an answer" in text and "Name one tile, not" in text
    assert Progress.load(tmp_path / "learn.json").topics["tiles.winds"].answers == 1


def test_who_quits_in_the_middle_keeps_what_was_answered(tmp_path: Path) -> None:
    sitting = talk(tmp_path, ["?", "", "q"])
    sitting.drill(5, iter(["tiles.winds", "tiles.dragons", "tiles.winds"]))
    assert set(Progress.load(tmp_path / "learn.json").topics) == {"tiles.winds"}
    assert "points" not in printed(sitting) and "1 not known yet" in printed(sitting)
    assert "Comes again soon: winds" in printed(sitting).replace("Winds", "winds")


def test_what_is_not_known_is_no_mistake(tmp_path: Path) -> None:
    how = setting()
    exercise = Bench(how, Random(4)).exercise("score.ron")
    answers = [texts(how).text(part.answer.right) for part in exercise.parts]
    sitting = talk(tmp_path, [*answers[:-1], "?"])
    sitting.drill(1, iter(["score.ron"]))
    known = Progress.load(tmp_path / "learn.json").topics["score.ron"]
    assert (known.answers, known.credit, known.unknown) == (1, 1.0, 1)
    assert known.card.due - NOON < timedelta(minutes=30)  # and comes again soon
    assert "Right as far as you went" in printed(sitting) and "✗" not in printed(sitting)


def test_a_part_of_several_earns_its_share(tmp_path: Path) -> None:
    how = setting()
    exercise = Bench(how, Random(4)).exercise("score.ron")
    answers = [texts(how).text(part.answer.right) for part in exercise.parts]
    sitting = talk(tmp_path, [*answers[:-1], "1"])
    sitting.drill(1, iter(["score.ron"]))
    share = (len(answers) - 1) / len(answers)
    assert Progress.load(tmp_path / "learn.json").topics["score.ron"].last == pytest.approx(share, abs=0.001)
    assert f"Partly right, {round(100 * share)} %" in printed(sitting) and "1 is " in printed(sitting)


def test_a_level_begins_with_its_page_once(tmp_path: Path) -> None:
    sitting = talk(tmp_path, ["", "?", "n", "?", "n", "", "?"], teaches=True)
    sitting.drill(3, iter(["tenpai.ryanmen", "tenpai.kanchan", "fu.pair"]))
    text = printed(sitting)
    assert text.count("Tenpai and the five waits") == 1 and text.count("Counting fu") == 1
    assert (
        text.index("the five waits") < text.index("1 of 3") < text.index("Counting fu") < text.index("3 of 3")
    )
    again = talk(tmp_path, ["?"], teaches=True)  # who has met a level is not taught it again
    again.progress = Progress.load(tmp_path / "learn.json")
    again.drill(1, iter(["tenpai.penchan"]))
    assert "the five waits" not in printed(again)


def test_the_head_does_not_tell_the_topic(tmp_path: Path) -> None:
    sitting = talk(tmp_path, ["?", ""])
    sitting.drill(1, iter(["yaku.pinfu"]))
    before, _, after = printed(sitting).partition("no mistake")
    assert "pinfu" not in before.lower() and "pinfu" in after.lower()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_everything_fits_80_columns_and_reads_without_colours(tmp_path: Path, language: str) -> None:
    topic_of_each = [name for level in LADDER for name in topics(setting(), level.id, rest=False)[:2]]
    plain = talk(tmp_path / "a", ["?", "", ""] * len(topic_of_each), language)
    plain.drill(len(topic_of_each), iter(topic_of_each))
    assert "\x1b" not in printed(plain) and "…" not in printed(plain)
    assert max(cell_len(line) for line in printed(plain).splitlines()) <= 80
    known = {"en": "do not know this yet", "ja": "まだ知らない"}[language]
    assert printed(plain).count(known) == len(topic_of_each)
    print_statistics(plain.console, plain.texts, plain.progress, NOON)
    assert max(cell_len(line) for line in printed(plain).splitlines()) <= 80


def test_colours_change_nothing_but_the_pictures(tmp_path: Path) -> None:
    names = ["groups.sets", "yaku.pinfu", "fu.total", "table.ron"]
    plain, coloured = (talk(tmp_path / str(on), ["?", "", ""] * 4, colours=on) for on in (False, True))
    for sitting in (plain, coloured):
        sitting.drill(len(names), iter(names))
    assert re.sub(r"\x1b\[[0-9;]*m", "", printed(coloured)).split() == printed(plain).split()


def test_pictures_have_as_many_lines_as_there_is_room_for() -> None:
    (exercise,) = exercises("tiles", 1, setting())
    assert exercise.shown.picture is not None
    for colours in (True, False):
        for lines in (14, 17, 20):
            rows = picture_text(exercise.shown.picture, colours, lines).plain.split("\n")
            assert len(rows) == lines and {len(row) for row in rows} == {3 * lines // 2}


def test_who_wants_no_colours_gets_dots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert has_colours(Console(force_terminal=True, color_system="truecolor"))
    monkeypatch.setenv("NO_COLOR", "1")
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=80, height=24)
    (exercise,) = exercises("tiles", 1, setting())
    assert not has_colours(console)
    print_exercise(console, texts(setting()), exercise)
    assert isinstance(console.file, io.StringIO)
    assert re.search("[\u2801-\u28ff]", console.file.getvalue())
    assert not re.search("[▀▄▌▐]", console.file.getvalue())


def test_the_menu_names_the_levels_and_takes_a_number_or_nothing(tmp_path: Path) -> None:
    sitting = talk(tmp_path, ["15", "6"])
    sitting.progress.record("fu.wait", 1.0, NOON - timedelta(days=1))
    assert sitting.choose() == "fu"
    text = printed(sitting)
    assert all(f"{number} " in text for number in range(1, 15)) and "1 due" in text
    assert "Type a number from 1 to 14" in text
    assert talk(tmp_path, ["d"]).choose() is None
    with pytest.raises(Quit):
        talk(tmp_path, ["q"]).choose()


def test_what_was_wrong_is_asked_about_with_a_hand_dealt_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    pose = Bench.exercise

    def spied(self: Bench, topic: str, *, fresh: bool = False, learner: object = None) -> object:
        asked.append(fresh)
        return pose(self, topic, fresh=fresh)

    monkeypatch.setattr(Bench, "exercise", spied)
    sitting = talk(tmp_path, ["?", "n"] * 3)
    sitting.drill(2, iter(["fu.wait", "fu.wait"]))
    sitting.adapts = False
    sitting.drill(1, iter(["fu.wait"]))
    assert asked == [False, True, False]


def test_statistics_by_topic(tmp_path: Path) -> None:
    sitting = talk(tmp_path, [])
    print_statistics(sitting.console, sitting.texts, sitting.progress, NOON)
    assert "You have not practised yet" in printed(sitting)
    for credit in (1.0, 1.0, 0.0, 1.0):
        sitting.progress.record("fu.wait", credit, NOON)
    sitting.progress.record("yaku.pinfu", 1.0, NOON - timedelta(days=2))
    print_statistics(sitting.console, sitting.texts, sitting.progress, NOON)
    rows = [line.split() for line in printed(sitting).splitlines()]
    assert ["the", "wait", "4", "75%"] in [row[:4] for row in rows] or ["The", "wait", "4", "75%"] in [
        row[:4] for row in rows
    ]
    assert ["Pinfu", "1", "100%", "Now"] in rows


# --- the command itself -------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "tehai" / "learn.json"


def test_without_a_terminal_it_says_what_can_be_had(home: Path) -> None:
    done = CliRunner().invoke(app, ["learn"])
    assert done.exit_code == 2 and "--sheet" in done.stderr and done.stderr.count("\n") == 1
    assert not home.exists()


def test_a_broken_file_is_said_before_anything_is_asked(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.parent.mkdir()
    home.write_text("{")
    monkeypatch.setattr(scoring, "is_terminal", lambda: True)
    done = CliRunner().invoke(app, ["learn"])
    assert done.exit_code == 2 and "is not what tehai writes" in done.stderr and home.read_text() == "{"
    anew = CliRunner().invoke(app, ["learn", "--reset"])
    assert anew.exit_code == 0 and (home.parent / "learn-1.json").read_text() == "{"
    assert "You have not practised yet" in CliRunner().invoke(app, ["learn", "--stats"]).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_on_a_real_terminal_a_key_that_interrupts_keeps_what_was_answered(tmp_path: Path) -> None:
    text, status = on_a_terminal(
        ["--seed", "5", "--count", "4", "--level", "table"], ["", "?", "n", "\x03"], tmp_path
    )
    assert status == 0, text
    assert "1 of 4" in text and "2 of 4" in text and "1 not known yet" in text and "Traceback" not in text
    assert len(Progress.load(tmp_path / "tehai" / "learn.json").topics) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_on_a_real_terminal_the_menu_leads_to_what_is_due(tmp_path: Path) -> None:
    text, status = on_a_terminal(["--count", "1"], ["d", "", "?", ""], tmp_path)
    assert status == 0, text
    assert "What do you want to learn?" in text and "1 of 1 · Tiles" in text and "▀" in text
    assert set(Progress.load(tmp_path / "tehai" / "learn.json").topics) == {"tiles.characters"}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_on_a_real_terminal_a_short_lesson_is_followed_by_its_drill(tmp_path: Path) -> None:
    lesson = ["--lesson", "tanyao", "--count", "1", "--seed", "5"]
    text, status = on_a_terminal(lesson, ["", "tanyao", ""], tmp_path)
    assert status == 0, text
    assert "Nothing but 2 to 8" in text and "1 of 1" in text
    assert set(Progress.load(tmp_path / "tehai" / "learn.json").topics) == {"yaku.tanyao"}


def test_the_short_lessons_are_listed_and_others_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = CliRunner().invoke(app, ["learn", "--lessons"]).stdout.splitlines()
    assert len(listed) == 20 and "tiles" in listed[0] and "Counting fu" in listed[-1]
    monkeypatch.setattr(scoring, "is_terminal", lambda: True)
    for typed in ("chess", "0", "21"):
        done = CliRunner().invoke(app, ["learn", "--lesson", typed])
        assert done.exit_code == 2 and "--lessons" in done.stderr and done.stderr.count("\n") == 1


def on_a_terminal(arguments: list[str], answers: list[str], data: Path) -> tuple[str, int]:
    """What the command prints on a pseudo-terminal of 80 columns, and its exit status."""
    import fcntl
    import pty
    import select
    import struct
    import termios

    process, terminal = pty.fork()
    if process == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # what runs in the background may be deaf to it
        words = {
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "XDG_DATA_HOME": str(data),
            "PYTHONPATH": ".",
        }
        os.execve(
            sys.executable, [sys.executable, "-m", "tehai", "learn", *arguments], {**os.environ, **words}
        )
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    text, answered, end = "", 0, time.monotonic() + 120
    waiting = iter(answers)
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if ready:
            try:
                read = os.read(terminal, 1 << 16)
            except OSError:
                break
            if not read:
                break
            text += read.decode("utf-8", "replace")
        elif "›" in text[answered:]:
            answered = len(text)
            typed = next(waiting)
            os.write(terminal, (typed if typed == "\x03" else typed + "\n").encode())
    else:
        os.kill(process, signal.SIGKILL)  # it waits for ever: its status says so
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r", ""), os.waitstatus_to_exitcode(status)


def test_the_exercises_of_a_lesson_are_the_same_for_everybody_who_gives_a_number(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(drill, "is_terminal", lambda: True)
    wanted = drill.Wanted(lesson="pinfu", count=3, seed=4)
    told = []
    for learner in ("one.json", "other.json"):
        monkeypatch.setattr(drill, "default_path", lambda learner=learner: tmp_path / learner)
        console = Answering(iter(["", *["?", "n"] * 3]))
        drill.drills(console, wanted)
        told.append(console.text)
    assert set(Progress.load(tmp_path / "one.json").topics) == {"yaku.pinfu"}
    assert told[0] == told[1]
