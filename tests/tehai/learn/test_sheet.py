"""Pages to print: every exercise with room for its answer, the key with every answer, the same for a seed."""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from scorer import Tile, Wind
from tehai.cli import app
from tehai.hand.sample import sample_path
from tehai.learn.bench import Bench
from tehai.learn.levels import LEVELS, title
from tehai.learn.own_files import read_own
from tehai.learn.pages import pages
from tehai.learn.sheet import key, page
from tests.tehai.learn.learning import setting, shown_hand, shown_win, some, texts

VOID = {"meta", "img", "path", "rect", "circle", "ellipse", "use"}


class Balanced(HTMLParser):
    """Fails where an element is closed that is not open, or is left open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["learn", *arguments], catch_exceptions=False)


def written(tmp_path: Path, *arguments: str) -> tuple[str, str]:
    done = run("--sheet", str(tmp_path / "out.html"), *arguments)
    assert done.exit_code == 0, done.output
    return (tmp_path / "out.html").read_text("utf-8"), (tmp_path / "out-key.html").read_text("utf-8")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_exercise_is_on_the_page_and_its_answer_and_why_in_the_key(language: str) -> None:
    how = setting(language=language)
    words = texts(how)
    exercises = [one for level in ("tiles", "groups", "yaku", "fu", "score", "ask")
                 for one in some(level, 6, "ema2008", 8, language=language)]  # fmt: skip
    questions, answers = page(words, exercises, "about"), key(words, exercises, "about")
    for document in (questions, answers):
        parser = Balanced()
        parser.feed(document)
        assert not parser.open and "http" not in document.replace("http://www.w3.org/2000/svg", "")
        assert f'<html lang="{language}">' in document
    for number, exercise in enumerate(exercises, 1):
        asked = _of(questions, f"q{number}")
        answer = _of(answers, f"a{number}")
        assert asked.count('class="blank"') == len(exercise.parts)
        assert ("<img" in asked) == (exercise.shown.picture is not None and exercise.shown.drawn is None)
        plain = "".join(unescape(re.sub(r"<[^>]*>", "", answer)).split())
        for part in exercise.parts:
            for piece in words.pieces(part.answer.right):
                if isinstance(piece, str):
                    assert "".join(piece.split()) in plain
                else:
                    assert all(f"#tile-{tile}" in answer for tile in piece)
        lines = [line for piece in exercise.explanation for line in piece.lines]
        assert answer.count('class="line"') == len(lines)
        for line in lines:
            for value in (line.sentence, line.worth, line.cited):
                assert value is None or all(
                    "".join(piece.split()) in plain for piece in words.pieces(value) if isinstance(piece, str)
                )


def _of(document: str, id_: str) -> str:
    found = re.search(rf'<li id="{id_}">(.*?)</li>', document, re.S)
    assert found, id_
    return found[1]


def test_the_page_does_not_say_the_topic_which_would_be_the_answer(tmp_path: Path) -> None:
    questions, answers = written(tmp_path, "--level", "tenpai", "--count", "12", "--seed", "1")
    assert "Closed wait" in answers
    taught = r"<style>.*?</style>|<h2>.*?</h2>|<section class=\"page\">.*?</section>"
    assert "wait" not in unescape(re.sub(taught, "", questions, flags=re.S))


def test_a_sheet_teaches_each_level_before_it_asks(tmp_path: Path) -> None:
    questions, answers = written(tmp_path, "--count", "14", "--seed", "1")
    levels = re.findall(r"<ol class=\"(\w+)\">", questions)
    taught = re.findall(r"</h2>\n<section class=\"page\"><h3>(.*?)</h3>", questions)
    words = texts(setting())
    assert taught == [words.text(pages()[level].title) for level in levels] and len(levels) > 8
    assert 'class="page"' not in answers


def test_a_seed_is_printed_and_makes_the_same_page_again(tmp_path: Path) -> None:
    first = written(tmp_path, "--count", "5", "--seed", "5")
    assert "seed 5" in first[0] and "seed 5" in first[1]
    assert written(tmp_path, "--count", "5", "--seed", "5") == first
    assert written(tmp_path, "--count", "5", "--seed", "6") != first
    by_chance = written(tmp_path, "--count", "3", "--level", "fu")[0]
    seed = re.search(r"seed (\d+)", by_chance)
    assert seed and written(tmp_path, "--count", "3", "--level", "fu", "--seed", seed[1])[0] == by_chance


def test_levels_by_name_and_number_rules_and_switches(tmp_path: Path) -> None:
    by_name = written(tmp_path, "--level", "score", "--count", "2", "--seed", "2")
    assert written(tmp_path, "--level", "8", "--count", "2", "--seed", "2") == by_name
    assert "On the table" not in by_name[0]
    counted = written(tmp_path, "--level", "score", "--count", "2", "--seed", "2", "--counters")[0]
    assert counted.count("On the table") == 2 and "in all?" in counted
    limits = ("--level", "score", "--count", "8", "--seed", "2")
    assert written(tmp_path, *limits, "--fu-for-limits")[0].count("Fu") > written(tmp_path, *limits)[0].count(
        "Fu"
    )
    tenhou = written(tmp_path, "--level", "score", "--count", "2", "--rules", "tenhou")[0]
    assert "Tenhou" in tenhou and "Minipoints" not in tenhou
    ema = ("--level", "score", "--count", "2", "--seed", "2", "--rules", "tenhou", "--terms", "ema")
    assert "Minipoints" in written(tmp_path, *ema)[0]
    assert "符" in written(tmp_path, "--level", "fu", "--count", "2", "--lang", "ja")[0]


def test_a_sheet_has_the_common_yaku_before_any_rare_one(tmp_path: Path) -> None:
    common = [title(f"yaku.{what}") for what in LEVELS["yaku"].first]
    names = {texts(setting()).text(one) for one in common}

    def headings(count: int) -> list[str]:
        key = written(tmp_path, "--level", "yaku", "--count", str(count), "--seed", "1")[1]
        return [unescape(one) for one in re.findall(r'<p class="how">(.*?)</p>', key)]

    assert set(headings(6)) < names
    more = headings(20)
    assert set(more[: len(names)]) == names and names.isdisjoint(more[len(names) :])


def test_what_cannot_be_is_said_in_the_learners_language(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{")
    for arguments, fault in (
        (["--level", "chess"], "--level には tiles, groups"),
        (["--from", str(tmp_path / "a.jsonl")], "1行目が JSON ではありません"),
        (["--from", "nowhere"], "「nowhere」が見つかりません"),
    ):
        done = run("--sheet", str(tmp_path / "out.html"), "--lang", "ja", *arguments)
        assert done.exit_code == 2 and fault in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--level", "chess"], "--level is one of tiles, groups"),
        (["--level", "15"], "or its number"),
        (["--lang", "fr"], "--lang is one of en, ja"),
        (["--terms", "latin"], "--terms"),
        (["--rules", "chess"], "chess"),
        (["--from", "nowhere"], "There is no nowhere"),
        (["--sheet", "no/such/folder.html", "--count", "1"], "cannot be written"),
    ],
)
def test_what_cannot_be_is_one_sentence(tmp_path: Path, arguments: list[str], fault: str) -> None:
    done = run(*(["--sheet", str(tmp_path / "out.html")] if "--sheet" not in arguments else []), *arguments)
    assert done.exit_code == 2 and fault in done.stderr and "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


# --- hands of one's own -------------------------------------------------------------------------------------

RECORD = {"concealed": "234m340567p2267s", "win_tile": "8s", "melds": []}


def test_hands_come_from_records_readings_and_labels(tmp_path: Path) -> None:
    lines = [
        {**RECORD, "tsumo": True, "seat_wind": "W", "ref": "full"},
        {"photo": "mine.jpg", "hand": {"concealed": "123m456p78s22z444z", "win_tile": "9s"}, "status": "ok"},
        {"image": "corrected.jpg", "record": {"concealed": "1"}, "tiles": []},
        {"image": "corrected.jpg", "record": {"concealed": "55z22p678m5z", "melds": [
            {"type": "pon", "tiles": "444p"}, {"type": "pon", "tiles": "222z"}]}},
        {"photo": "no.jpg", "hand": RECORD, "tiles": [], "review": {"state": "rejected"}},
        {"something": "else"},
        5,
    ]  # fmt: skip
    file = tmp_path / "labels.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) + "\n\n", encoding="utf-8")
    (tmp_path / "broken.jsonl").write_text("{")
    for where in (file, tmp_path):  # of a folder what cannot be read is passed over
        found = read_own(str(where), Random(1))
        assert [(hand.source, hand.known) for hand in found.hands] == [
            ("labels.jsonl:1", True), ("mine.jpg", False), ("corrected.jpg", False)
        ]  # fmt: skip
        assert not found.crops
    assert str(found.hands[2].record.hand.win_tile) == "5z"


def test_a_hand_of_ones_own_is_posed_as_it_was_won(tmp_path: Path) -> None:
    record = {
        "concealed": "123m456p78s22z444z",
        "win_tile": "9s",
        "tsumo": True,
        "seat_wind": "W",
        "riichi": True,
    }
    (tmp_path / "one.jsonl").write_text(json.dumps(record))
    bench = Bench(setting(), Random(2), read_own(str(tmp_path / "one.jsonl"), Random(1)))
    first, second = (bench.exercise("score.tsumo") for _ in range(2))
    win = shown_win(first.shown)
    assert shown_hand(first.shown).win_tile == Tile.parse("9s") and first.origin is not None
    assert win.tsumo and win.riichi and win.seat_wind is Wind.WEST and not win.dora_indicators
    assert second.origin is None  # it was posed already


def test_faces_come_from_labels_that_somebody_is_sure_of(tmp_path: Path) -> None:
    Image.new("RGB", (400, 300), "white").save(tmp_path / "a.png")
    quad = [[10, 10], [70, 10], [70, 90], [10, 90]]
    small = [[10, 10], [20, 10], [20, 22], [10, 22]]
    tiles = [
        {"quad": quad, "label": "1m", "probability": 0.5}, {"quad": quad, "label": "2m", "probability": 0.95},
        {"quad": small, "label": "3m"}, {"quad": quad, "label": "back"}, {"quad": "here", "label": "4m"},
        {"quad": quad, "label": "5m", "visible": 0.4}, {"quad": quad, "label": "0p", "visible": 1.0},
    ]  # fmt: skip
    labels = tmp_path / "journal" / "labels.jsonl"
    labels.parent.mkdir()
    lines = [
        {"kind": "project", "photos": ".."},
        {"kind": "photo", "path": "a.png", "tiles": tiles, "hand": None},
    ]
    for state, faces in (("unreviewed", {"2m", "0p"}), ("corrected", {"1m", "2m", "5m", "0p"})):
        lines[1]["review"] = {"state": state}
        labels.write_text("\n".join(map(json.dumps, lines)))
        found = read_own(str(labels), Random(1))
        assert {str(crop.tile) for crop in found.crops} == faces and not found.hands


def test_a_face_of_a_large_photo_is_cut_where_it_lies(tmp_path: Path) -> None:
    """A photo of more than 6.5 megapixels is decoded at half its size."""
    photo = Image.new("RGB", (3200, 2400), "black")
    photo.paste("white", (2000, 1000, 2300, 1400))
    photo.save(tmp_path / "a.jpg")
    quad = [[2000, 1000], [2300, 1000], [2300, 1400], [2000, 1400]]
    (tmp_path / "labels.jsonl").write_text(
        json.dumps({"path": "a.jpg", "tiles": [{"quad": quad, "label": "5z"}]})
    )
    (crop,) = read_own(str(tmp_path / "labels.jsonl"), Random(1)).crops
    assert crop.picture.getpixel((36, 48)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("name", "text"), [("a.jsonl", "{"), ("a.jsonl", '{"concealed": "1m"}'), ("a.txt", "x")]
)
def test_files_without_hands_are_one_sentence(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    done = run("--sheet", str(tmp_path / "out.html"), "--from", str(tmp_path / name))
    assert done.exit_code == 2 and name in done.stderr and done.stderr.count("\n") == 1


def test_tiles_and_the_hand_come_from_a_photo_of_ones_own(tmp_path: Path) -> None:
    found = read_own(str(sample_path()), Random(1))
    assert len(found.crops) > 10 and {crop.picture.size for crop in found.crops} == {(72, 96)}
    (hand,) = found.hands
    assert not hand.known and hand.source == "sample.jpg"
    questions, answers = written(
        tmp_path, "--from", str(sample_path()), "--level", "tiles", "--count", "12", "--seed", "3"
    )
    assert questions.count("<img") >= 4 and answers


@pytest.mark.parametrize("rules", ["tenhou3", "majsoul3"])
def test_drills_are_of_four_players(tmp_path: Path, rules: str) -> None:
    """Their hands are, so that rules of three are refused in one sentence."""
    done = run("--sheet", str(tmp_path / "out.html"), "--rules", rules)
    assert done.exit_code == 2 and "of four players" in done.stderr and done.stderr.count("\n") == 1


def test_a_sheet_of_a_lesson_teaches_it(tmp_path: Path) -> None:
    page, _ = written(tmp_path, "--lesson", "pinfu", "--count", "2")
    assert page.count('<section class="page">') == 1 and "Which yaku count" not in page
    assert "<h3>Pinfu" in page


def test_a_sheet_of_a_lesson_has_its_exercises_alone(tmp_path: Path) -> None:
    sheet, answers = written(tmp_path, "--lesson", "pinfu", "--seed", "4", "--count", "3")
    assert sheet.count('<li id="q') == 3 and sheet.count("<h2>") == 1
    assert answers.count('<p class="how">Pinfu</p>') == 3
