"""``tehai score`` and ``batch`` around a reading in doubt: what is said, asked and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tehai.cli import app
from tehai.hand import doubts, inputs, scoring
from tests.tehai.readings import HAND, HIDDEN, INDICATOR, LEFT_OUT, PHOTO, RED, RIGHT, SURE, WIN, doubted, row
from vision.reading import DOUBTS, Doubt, Reading, Region

OTHER = row("111m222p333s444z5z", "5z")
TOLD = ("--ron", "--seat", "S", "--no-riichi", "--nothing-special", "--honba", "0", "--dora", "1m")
"""Flags that answer all but what is in doubt."""
TOLD_BUT_DORA = (
    "--ron", "--from", "left", "--seat", "S", "--round", "E", "--no-riichi", "--nothing-special",
    "--honba", "0",
)  # fmt: skip


class Eye:
    """Reads every photo as ``whole``, and :data:`RIGHT` of it as ``right``."""

    def __init__(self) -> None:
        self.whole, self.right = SURE, OTHER
        self.regions: list[Region | None] = []

    def __call__(self, photo: str, region: Region | None, observer: object = None) -> Reading:
        self.regions.append(region)
        return self.whole if region is None else self.right


@pytest.fixture
def eye(monkeypatch: pytest.MonkeyPatch) -> Eye:
    eye = Eye()
    monkeypatch.setattr(inputs, "read_photo", eye)
    return eye


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody is there to be asked."""
    monkeypatch.setattr(scoring, "is_terminal", lambda: True)


def run(*arguments: str | Path, input: str | None = None) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments], input=input)


# --- told ---------------------------------------------------------------------------------------------------


def test_doubts_are_printed_above_the_score(eye: Eye) -> None:
    eye.whole = doubted(WIN, RED)
    done = run("score", "p.jpg", "--defaults", *TOLD)
    assert done.exit_code == 0, done.output
    said = [done.stdout.index(f"In doubt: {doubt.text}") for doubt in (WIN, RED)]
    assert said == sorted(said) and said[1] < done.stdout.index("7,700 points")


def test_many_doubts_of_a_photo_are_three_lines(eye: Eye) -> None:
    many = [Doubt("face", (0,), f"The {rank}m may be a 9m.", {"label": "9m"}) for rank in (1, 1, 2, 3, 4)]
    eye.whole = doubted(*many)
    for command in (("read", "p.jpg"), ("score", "p.jpg", "--defaults", *TOLD)):
        said = [line for line in run(*command).stdout.splitlines() if line.startswith("In doubt")]
        assert len(said) == 3 and "2 more" in said[2], command
    eye.whole = doubted(*many[:3])
    assert run("read", "p.jpg").stdout.count("In doubt") == 2  # alike ones once


def test_a_reading_less_than_sure_says_so_where_it_has_no_doubt(eye: Eye) -> None:
    eye.whole = doubted(confidence=0.9799)
    assert "In doubt: The whole reading is 97 % sure." in run("score", "p.jpg", "-y", *TOLD).stdout
    eye.whole = doubted(confidence=doubts.READING_THRESHOLD)
    assert "doubt" not in run("score", "p.jpg", "-y", *TOLD).stdout


def test_tiles_alike_are_told_of_once(eye: Eye) -> None:
    eye.whole = doubted(*(Doubt("face", (at,), "The 2s may be a 3s.", {"label": "3s"}) for at in (9, 10)))
    assert run("score", "p.jpg", "-y", *TOLD).stdout.count("The 2s may be a 3s.") == 1


def test_many_tiles_beside_the_hand_are_one_line(eye: Eye) -> None:
    eye.whole = doubted(*(Doubt("left_out", tuple(range(many)), f"{many} tiles.", None) for many in (5, 6)))
    printed = run("score", "p.jpg", "-y", *TOLD).stdout
    assert printed.count("In doubt: More tiles lie near the hand.") == 1 and "tiles." not in printed
    eye.whole = doubted(Doubt("left_out", (0, 1, 2, 3), "The fourth may belong to the hand.", None))
    assert "The fourth may belong to the hand." in run("score", "p.jpg", "-y", *TOLD).stdout


def test_what_a_flag_settles_is_in_doubt_no_more(eye: Eye) -> None:
    eye.whole = doubted(INDICATOR, WIN, confidence=0.99)
    assert WIN.text not in run("score", "p.jpg", "-y", "--win", "8s").stdout
    assert INDICATOR.text not in run("score", "p.jpg", "-y", "--dora", "-").stdout
    done = run("score", "p.jpg", "-y", "--tiles", "234m340567p2267s + 8s")
    assert INDICATOR.text in done.stdout and WIN.text not in done.stdout


def test_in_japanese_every_kind_has_its_sentence(eye: Eye) -> None:
    said, kinds = "", set()
    for some in ((PHOTO, HAND, WIN), (RED, HIDDEN, LEFT_OUT), (INDICATOR,)):
        eye.whole = doubted(*some)
        kinds |= {doubt.kind for doubt in some}
        said += run("score", "p.jpg", "-y", "--lang", "ja", *TOLD[:-2]).stdout
    assert kinds == set(DOUBTS)
    assert "要確認：和了牌は8sですか、2sですか。" in said
    assert "要確認：0pですか、5pですか。" in said and "要確認：2mですか。" in said
    assert "要確認：3pは手牌に入りますか。" in said and said.count("要確認：") == 7
    assert not any(doubt.text in said for doubt in (PHOTO, HAND, WIN, RED, HIDDEN, LEFT_OUT, INDICATOR))


def test_many_doubts_are_three_lines(eye: Eye) -> None:
    eye.whole = doubted(PHOTO, HAND, WIN, RED, HIDDEN, LEFT_OUT, INDICATOR)
    printed = run("score", "p.jpg", "-y", *TOLD[:-2]).stdout
    assert printed.count("In doubt:") == 3 and "5 more." in printed
    assert "In doubt:" not in run("-q", "score", "p.jpg", "-y", *TOLD[:-2]).stdout


def test_a_tile_that_may_be_an_indicator_is_asked_about_in_japanese(eye: Eye) -> None:
    too = Doubt("indicator", LEFT_OUT.tiles, "The 3p may be a dora indicator, too.", {"hand": {}})
    eye.whole = doubted(too)
    assert "要確認：3pもドラ表示牌ですか。" in run("score", "p.jpg", "-y", "--lang", "ja", *TOLD[:-2]).stdout


def test_a_lesson_for_a_program_stays_free_of_them(eye: Eye) -> None:
    eye.whole = doubted(RED)
    done = run("score", "p.jpg", "-y", "--explain", "json", *TOLD)
    assert json.loads(done.stdout)["headline"] and f"In doubt: {RED.text}" in done.stderr
    assert f"In doubt: {RED.text}" in run("score", "p.jpg", "-y", "--explain", "text", *TOLD).stdout


def test_json_carries_them(eye: Eye) -> None:
    eye.whole = doubted(WIN, RED)
    reading = json.loads(run("score", "p.jpg", "--json").stdout)["reading"]
    assert reading["confidence"] == 0.7
    assert reading["doubts"] == [WIN.to_record(), RED.to_record()]


def test_read_prints_them(eye: Eye) -> None:
    eye.whole = doubted(WIN, RED)
    said = run("read", "p.jpg").stdout
    assert f"In doubt: {RED.text}" in said and "The whole reading is 70 % sure." in said


# --- strict -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("doubt", [HAND, WIN, RED, HIDDEN, LEFT_OUT, INDICATOR], ids=lambda one: one.kind)
def test_strict_gives_no_score_in_doubt(eye: Eye, doubt: Doubt) -> None:
    eye.whole = doubted(doubt, confidence=0.999)
    done = run("score", "p.jpg", "--strict", *TOLD[:-2], "--defaults")
    assert done.exit_code == 3 and done.stdout == ""
    assert done.stderr.startswith(f"tehai: {doubt.text} Not scored") and done.stderr.count("\n") == 1


def test_strict_gives_no_score_where_the_reading_is_less_than_sure(eye: Eye) -> None:
    eye.whole = doubted(confidence=0.97)
    done = run("score", "p.jpg", "--strict", "--defaults", *TOLD)
    assert "Frame the hand with --region" in done.stderr
    said = run("score", "p.jpg", "--strict", "--defaults", "--lang", "ja", *TOLD).stderr
    assert "--strict のため計算しません" in said and "Not scored" not in said
    assert done.exit_code == 3 and done.stdout == "" and "97 % sure" in done.stderr
    eye.whole = doubted(confidence=doubts.READING_THRESHOLD)
    assert "7,700 points" in run("score", "p.jpg", "--strict", "--defaults", *TOLD).stdout


def test_strict_as_json_has_the_reading_and_no_result(eye: Eye) -> None:
    eye.whole = doubted(RED)
    done = run("score", "p.jpg", "--strict", "--json", *TOLD)
    found = json.loads(done.stdout)
    assert done.exit_code == 3 and found["result"] is None and found["message"].startswith(RED.text)
    assert found["reading"]["doubts"] == [RED.to_record()]


def test_strict_wants_the_whole_to_be_sure_where_a_flag_has_settled_what_was_named(eye: Eye) -> None:
    eye.whole = doubted(WIN, confidence=0.6)
    done = run("score", "p.jpg", "--strict", "-y", "--win", "8s", *TOLD)
    assert done.exit_code == 3 and done.stderr.startswith("tehai: The whole reading is 60 % sure.")
    assert "doubt" not in run("score", "p.jpg", "-y", "--win", "8s", *TOLD).stdout


def test_strict_asks_nothing(eye: Eye, asked: None) -> None:
    eye.whole = doubted(HAND, RED)
    assert run("score", "p.jpg", "--strict", input="1\n").exit_code == 3


def test_who_types_the_tiles_vouches_for_them(eye: Eye) -> None:
    eye.whole = doubted(WIN, RED)
    done = run("score", "p.jpg", "--strict", "-y", "--tiles", "234m340567p2267s + 8s", *TOLD)
    assert done.exit_code == 0 and "7,700 points" in done.stdout and "doubt" not in done.stdout


def test_nothing_is_in_doubt_about_a_typed_hand(eye: Eye) -> None:
    done = run("score", "234m340567p2267s + 8s", "--strict", "-y", *TOLD)
    assert done.exit_code == 0 and "7,700 points" in done.stdout


def test_a_photo_without_a_hand_is_no_doubt(eye: Eye) -> None:
    eye.whole = Reading("n.jpg", 640, 480, (), None, {}, "error", "No mahjong tiles were found.", {})
    done = run("score", "n.jpg", "--strict", "-y")
    assert done.exit_code == 2 and "No mahjong tiles" in done.stderr


@pytest.mark.parametrize(
    ("reading", "refused"),
    [
        ({"status": "ok", "doubts": [RED.to_record()], "confidence": 0.99}, True),
        ({"status": "ok", "doubts": [], "confidence": 0.97}, True),
        ({"status": "ok", "doubts": [], "confidence": 0.98}, False),
        ({"status": "ok"}, False),
        (None, False),
        ("what is no reading", False),
    ],
)
def test_a_strict_batch_leaves_out_what_was_read_in_doubt(
    tmp_path: Path, reading: Any, refused: bool
) -> None:
    """Lines as ``tehai webcam --no-window`` writes them."""
    record = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": True, "ref": "a"}
    file = tmp_path / "hands.jsonl"
    file.write_text(json.dumps({**record, "reading": reading}) + "\n" + json.dumps(record) + "\n")
    done = run("batch", file, "--strict")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (done.exit_code, first.get("error")) == ((3, "in_doubt") if refused else (0, None))
    assert first["line"] == 1 and first["ref"] == "a" and second["status"] == "ok"
    assert ("1 of 2 records have no score" in done.stderr) is refused
    assert run("batch", file).exit_code == 0


# --- asked --------------------------------------------------------------------------------------------------


def test_the_hand_that_is_meant_is_asked_first_and_read_again(eye: Eye, asked: None) -> None:
    eye.whole = doubted(HAND, WIN)
    done = run("score", "p.jpg", "--ron", "--no-dealer", input="3\n2\n" + "\n" * 9)
    assert done.exit_code == 0, done.output
    assert eye.regions == [None, RIGHT]
    assert done.stdout.index("Which hand do you mean? (1/2)") < done.stdout.index("Are these your tiles?")
    assert "“3” is none of 1, 2." in done.stdout
    assert "[111m222p333s4445z + 5z]" in done.stdout and WIN.text not in done.stdout


def test_enter_takes_the_hand_that_was_read(eye: Eye, asked: None) -> None:
    eye.whole = doubted(HAND)
    done = run("score", "p.jpg", "--ron", "--no-dealer", input="\n" * 9)
    assert done.exit_code == 0 and eye.regions == [None]
    assert "[234m340567p2267s + 8s]" in done.stdout and HAND.text not in done.stdout


def test_a_hand_with_the_same_tiles_is_no_question(eye: Eye, asked: None) -> None:
    assert HAND.instead is not None
    same = {"concealed": "324m340567p2267s", "win_tile": "8s", "melds": []}
    eye.whole = doubted(Doubt("hand", (), HAND.text, {**HAND.instead, "hand": same}))
    assert "Which hand" not in run("score", "p.jpg", "--ron", "--no-dealer", input="\n" * 9).stdout


def test_which_of_two_tiles_won_is_asked_with_what_each_is_worth(eye: Eye, asked: None) -> None:
    """Won on 8s it is a pinfu, on 2s none."""
    eye.whole = doubted(WIN)
    done = run("score", "p.jpg", *TOLD_BUT_DORA, "--dora", "1m", input="\n2s\n")
    assert done.exit_code == 0, done.output
    assert "Which tile won, 8s or 2s? (8s) 7,700 → 5,200" in done.stdout and "5,200 points" in done.stdout
    kept = run("score", "p.jpg", *TOLD_BUT_DORA, "--dora", "1m", input="\n\n")
    assert "7,700 points" in kept.stdout
    told = run("score", "p.jpg", *TOLD_BUT_DORA, "--dora", "1m", "--win", "8s", input="\n")
    assert "Which tile won" not in told.stdout and "7,700 points" in told.stdout


def test_a_tile_that_may_have_won_and_pays_the_same_is_no_question(eye: Eye, asked: None) -> None:
    """A hand of three dragons is a yakuman whichever tile won."""
    instead = {"hand": {"concealed": "555666777z1m99m2m", "win_tile": "3m", "melds": []}}
    doubt = Doubt("win", (13, 9), "Which tile won?", instead)
    eye.whole = row("555666777z23m99m", "1m", doubt, confidence=0.6)
    done = run("score", "p.jpg", "--ron", "--no-dealer", "--dora", "-", input="\n" * 3)
    assert done.exit_code == 0 and "In doubt: Which tile won?" in done.stdout
    assert "Which tile won," not in done.stdout


def test_a_face_in_doubt_is_asked_once_with_both(eye: Eye, asked: None) -> None:
    eye.whole = doubted(RED)
    flags = ("--from", "left", *TOLD)
    done = run("score", "p.jpg", *flags, input="\n5p\n")
    assert done.exit_code == 0, done.output
    assert done.stdout.count("Is tile 6 0p or 5p?") == 1 and "3,900 points" in done.stdout
    assert "6?" in done.stdout.splitlines()[2] + done.stdout.splitlines()[3]
    typed = run("score", "p.jpg", *flags, input="6=5p\n\n")
    assert "Is tile" not in typed.stdout, "who has corrected the tiles has looked at them"


def test_a_face_that_makes_no_hand_is_no_question(eye: Eye, asked: None) -> None:
    eye.whole = doubted(Doubt("face", (0,), "The 2m may be a 9m.", {"label": "9m"}), HIDDEN)
    done = run("score", "p.jpg", *TOLD, "--from", "left", input="\n")
    assert done.exit_code == 0 and "Is tile" not in done.stdout and "7,700 points" in done.stdout


def test_a_winning_tile_beside_a_corrected_face(eye: Eye, asked: None) -> None:
    """The other winning tile leaves the correction of another tile alone."""
    eye.whole = doubted(RED, WIN)
    flags = ("--from", "left", *TOLD)
    done = run("score", "p.jpg", *flags, "--json")
    fields = [one["field"] for one in json.loads(done.stdout)["questions"]]
    assert fields == ["tile"]
    talk = run("score", "p.jpg", *flags, input="\n5p\n2s\n")
    assert talk.exit_code == 0, talk.output
    assert "2,600 points" in talk.stdout


def test_a_talk_in_japanese_says_doubts_and_what_follows_in_japanese(eye: Eye, asked: None) -> None:
    eye.whole = doubted(HAND, WIN, RED)
    done = run("score", "p.jpg", *TOLD_BUT_DORA, "--dora", "1m", "--lang", "ja", input="1\n\n2s\n5p\n")
    assert done.exit_code == 0, done.output
    assert "どの手牌ですか" in done.stdout and "要確認：0pですか、5pですか。" in done.stdout
    assert "推定：和了牌は8sです：離れて置かれています。" in done.stdout
    assert "和了牌は8sですか、2sですか" in done.stdout and "2,600点" in done.stdout
    none = run("score", "123m45p22z777s + 6p [123m]", "-y", "--lang", "ja", "--seat", "S", "--round", "S")
    assert none.exit_code == 2 and "形はできていますが、役がありません。" in none.stderr


LOOSE = Doubt(
    "win", (13,), "The 8s may not be the winning tile: nothing sets one apart for sure.",
    {"hand": {"concealed": "234m340567p22678s", "melds": []}},
)  # fmt: skip
FETCHED = Doubt(
    "win", (13,), "The 8s that lies apart was taken as the winning tile.",
    {"hand": {"concealed": "234m340567p2267s", "melds": []}},
)  # fmt: skip


def test_where_no_tile_is_set_apart_for_sure_any_may_have_won(eye: Eye, asked: None) -> None:
    eye.whole = doubted(LOOSE)
    done = run("score", "p.jpg", *TOLD_BUT_DORA, "--dora", "1m", input="\n2s\n")
    assert done.exit_code == 0, done.output
    assert done.stdout.count("Which tile won?") == 1
    assert "5,200 points" in done.stdout
    taken = run("score", "p.jpg", *TOLD_BUT_DORA, "--dora", "1m", input="\n\n")
    assert "7,700 points" in taken.stdout, "the tile that was taken is the default"
    told = run("score", "p.jpg", *TOLD_BUT_DORA, "--dora", "1m", "--win", "8s", input="\n")
    assert "Which tile won?" not in told.stdout and "7,700 points" in told.stdout
    given = json.loads(run("score", "p.jpg", *TOLD_BUT_DORA, "--dora", "1m", "--json").stdout)
    assert given["record"]["win_tile"] == "8s" and given["record"]["known"]["win_tile"] == "default"


def test_what_a_face_is_comes_before_which_tile_won(eye: Eye, asked: None) -> None:
    eye.whole = doubted(LOOSE, RED)
    found = json.loads(run("score", "p.jpg", *TOLD_BUT_DORA, "--dora", "1m", "--json").stdout)
    assert [one["field"] for one in found["questions"]] == ["tile"] and "win_tile" in found["later"]
    done = run("score", "p.jpg", *TOLD_BUT_DORA, "--dora", "1m", input="\n5p\n2s\n")
    assert done.stdout.index("Is tile 6") < done.stdout.index("Which tile won?")
    assert "2,600 points" in done.stdout


def test_a_winning_tile_from_afar_may_be_another_that_the_hand_waits_on(eye: Eye, asked: None) -> None:
    """4s finishes the hand as well, and is no dora."""
    hand = {"concealed": "234m340567p2256s", "melds": []}
    doubt = Doubt("win", (13,), "The 7s that lies apart was taken as the winning tile.", {"hand": hand})
    eye.whole = row("234m340567p2256s", "7s", doubt, confidence=0.6)
    flags = (
        "--tsumo",
        "--no-dealer",
        "--no-riichi",
        "--nothing-special",
        "--honba",
        "0",
        "--dora",
        "6s",
        "--round",
        "E",
    )
    done = run("score", "p.jpg", *flags, input="\n4s\n")
    assert done.exit_code == 0, done.output
    assert "Which tile won, 7s or 4s?" in done.stdout
    eye.whole = doubted(FETCHED)
    alike = run("score", "p.jpg", *TOLD, "--from", "left", input="\n")
    assert FETCHED.text in alike.stdout and "Which tile" not in alike.stdout, "8s and 5s pay the same"


def test_no_tile_is_said_to_lie_apart_from_thirteen() -> None:
    """The one tile that they wait for was not seen: no JSON has it, nor a sentence about it."""
    for concealed in ("234m340567p2246s", "234m340567p2267s"):
        found = scoring.settle(inputs.from_reading(row(concealed))).to_record()
        assert "win_tile" not in found["record"] and "win_tile" not in found["record"]["known"]
        assert found["result"] is None and not [told for told in found["inferred"] if "winning" in told]
