"""The commands: what is printed where, exit codes, and that --json never asks."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from scorer.asking.phrases import Phrases, catalogue
from scorer.hand_tiles import FactSource
from scorer.record import parse_open
from tehai.cli import app
from tehai.errors import Mistake
from tehai.hand import scoring
from tehai.hand.inputs import HandInput, from_line
from tehai.terminal.ask import ask_all
from vision.reading import Doubt, Reading, SeenTile

PINFU = "234m340567p2267s + 8s"


def run(*arguments: str, input: str | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), input=input)


def score_json(*arguments: str) -> dict[str, Any]:
    done = run("score", *arguments, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_a_typed_hand_is_scored() -> None:
    done = run(
        "score",
        PINFU,
        "--ron",
        "--from",
        "left",
        "--seat",
        "S",
        "--no-riichi",
        "--dora",
        "1m",
        "--nothing-special",
    )
    assert done.exit_code == 0, done.output
    assert "4 han 30 fu" in done.stdout and "7,700 points" in done.stdout
    assert "Pinfu" in done.stdout and "平和" in done.stdout
    paid = next(line for line in done.stdout.splitlines() if line.startswith("left"))
    assert "pays" in paid and "7,700" in paid


def test_who_pays_a_tsumo() -> None:
    done = run(
        "score", PINFU, "--tsumo", "--seat", "S", "--honba", "2", "--sticks", "1", "--no-riichi", "--defaults"
    )
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line.strip()}
    # 4 han 20 fu (pinfu, tanyao, menzen tsumo, red five): 1300/2600, and 200 for the counters.
    assert "2,800" in lines["left"] and "1,500" in lines["right"] and "1,500" in lines["across"]
    assert "6,800" in lines["you"]


@pytest.mark.parametrize(
    ("flags", "points"),
    [
        (["--seat", "S", "--open-riichi"], 3900),  # as a riichi where it is not played: 3 han 30 fu
        (["--dealer", "--riichi", "--dealer-wins", "7"], 5800),
        (["--dealer", "--riichi", "--dealer-wins", "8"], 48000),  # the ninth win in a row is a yakuman
    ],
)
def test_rare_facts_have_their_flags(flags: list[str], points: int) -> None:
    found = score_json("234m345567p2267s + 8s", "--ron", "--rules", "reference", *flags, "--nothing-special")
    assert found["result"]["points"] == points


def test_counters_are_paid_to_the_first_winner_alone_where_the_rules_say_so() -> None:
    flags = ("--rules", "tenhou", "--ron", "--from", "left", "--seat", "S", "--no-riichi", "--honba", "1")
    first, second = (score_json(PINFU, *flags, "--ron-index", at)["result"]["deltas"][0] for at in "01")
    assert first - second == 300


def test_an_open_ron_does_not_name_the_payer() -> None:
    done = run("score", "340567p2267s + 8s [666z]", "--ron", "--defaults")
    assert done.exit_code == 0 and "The discarder pays" in done.stdout


def test_json_lists_what_is_open_and_scores_with_defaults() -> None:
    found = score_json(PINFU)
    assert found["result"]["status"] == "ok" and found["reading"] is None
    assert {question["field"] for question in found["questions"]} == {
        "tsumo", "dealer", "riichi", "dora_indicators",
    }  # fmt: skip
    assert found["range"] == {"low": 3900, "high": 48000} and found["later"] == ["ura_indicators"]
    riichi = next(question for question in found["questions"] if question["field"] == "riichi")
    assert riichi["why"] and [choice["points"] for choice in riichi["choices"]][:2] == [3900, 7700]
    assert [choice["low"] for choice in riichi["choices"]][:2] == [3900, 7700]
    assert [choice["marks"] for choice in riichi["choices"]][:4] == [[], [], ["ippatsu"], ["double_riichi"]]
    assert found["record"]["known"]["win_tile"] == "asked"
    assert found["record"]["known"]["tsumo"] == "default"


def test_json_with_an_open_winning_tile() -> None:
    found = score_json("234m340567p22678s")
    first = next(question for question in found["questions"] if question["field"] == "win_tile")
    assert first["default"] == "8s"
    assert {choice["id"] for choice in first["choices"]} >= {"8s", "2s"}
    named = score_json("234m340567p22678s", "--win", "2s")
    assert named["record"]["win_tile"] == "2s" and named["record"]["concealed"] == "234m340567p2678s"
    assert "win_tile" not in [question["field"] for question in named["questions"]]


def test_flags_answer_ahead() -> None:
    found = score_json(
        PINFU, "--tsumo", "--seat", "east", "--riichi", "--no-ippatsu", "--dora", "-", "--ura", "-",
        "--nothing-special", "--rules", "tenhou",
    )  # fmt: skip
    assert found["questions"] == []
    assert found["record"]["riichi"] and found["record"]["rules"] == "tenhou"
    assert found["result"]["points"] == 12000  # riichi, tsumo, pinfu, tanyao, red five: the dealer's mangan


def test_ippatsu_says_riichi() -> None:
    record = score_json(PINFU, "--ippatsu")["record"]
    assert record["riichi"] and record["ippatsu"] and not record["double_riichi"]


def test_tiles_takes_the_place_of_the_line() -> None:
    found = score_json("123m", "--tiles", PINFU)
    assert found["record"]["win_tile"] == "8s"


def test_without_a_terminal_the_missing_flags_are_named() -> None:
    done = run("score", PINFU, "--ron", "--seat", "S")
    assert done.exit_code == 2 and done.stdout == ""
    assert "--riichi or --no-riichi, --dora, --nothing-special (or --ippatsu" in done.stderr
    facts = ("--ron", "--no-dealer", "--riichi", "--nothing-special")
    done = run("score", PINFU, *facts)
    assert "add --dora, --ura;" in done.stderr
    assert run("score", PINFU, *facts, "--dora", "3m", "--ura", "-").exit_code == 0
    one_yaku = run(
        "score", "34p0p567p2267s + 8s [p666z<]", "--rules", "ema2008", "--no-dealer", "--dora", "3m"
    )
    assert "add --tsumo or --ron, --honba, --nothing-special" in one_yaku.stderr, "all of them at once"


def test_what_follows_from_a_flag_is_inferred() -> None:
    """A last discard is a ron, a win on the first draw a concealed self-draw of who is not the dealer."""
    for flag, fact, sentence in (
        ("--houtei", ("tsumo", False), "It was won on a discard (ron)."),
        ("--haitei", ("tsumo", True), "It was a self-draw (tsumo)."),
        ("--tenhou", ("seat_wind", "E"), "You are the dealer."),
        ("--ura=1m", ("riichi", True), "Riichi was declared."),
    ):
        found = score_json(PINFU, flag)
        assert found["record"][fact[0]] == fact[1] and found["record"]["known"][fact[0]] == "inferred"
        assert sentence in found["inferred"] and found["result"]["status"] == "ok"


def test_who_is_not_the_dealer_need_not_say_more() -> None:
    done = run("score", PINFU, "--tsumo", "--no-dealer", "--no-riichi", "--defaults")
    assert "The dealer pays 2,600, the two others 1,300 each" in done.stdout
    assert "not the dealer" in done.stdout and "South" not in done.stdout


THREE = ("score", "111999m34p678s44z + 5p", "--rules", "tenhou3", "--nukidora", "1")


def test_three_players_at_the_table() -> None:
    done = run(*THREE, "--tsumo", "--seat", "W", "--no-riichi", "--dora", "3z", "--defaults")
    paid = done.stdout[done.stdout.index("you ") :].splitlines()
    assert [line.split()[:2] for line in paid[:3]] == [["you", "West"], ["right", "East"], ["left", "South"]]
    assert "across" not in done.stdout and "nukidora: 1" in done.stdout
    done = run(*THREE, "--tsumo", "--no-dealer", "--no-riichi", "--dora", "-", "--defaults")
    assert "the other 700" in done.stdout and "two others" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([THREE[1], *THREE[2:], "--ron", "--from", "across"], "nobody sits across"),
        (["234m340567p2267s + 8s", "--rules", "tenhou3"], "2m, 3m, 4m are not in play"),
        (["123m456p789s11z + 2z"], "12 tiles"),
        (["123m4567p789s1122z + 2z"], "15 tiles"),
        (["11111m23m456p78s1z + 1z", "--tiles", "11111m234m456p11z + 1z"], "5 of 1m"),
        (["0m6788m2340s6s567p"], "13 tiles, waiting on 1s 4s 7s"),
        (["19m258p147s12345z"], "one tile too few and waits on nothing. Correct"),
        (["55555p123m456m78s"], "5 of 5p"),
        (["123m456p789s1122z + 3z"], "does not finish this hand"),
        (["1234m"], "4 tiles"),
        (["abc"], "no part of a tile"),
        (["123m8z"], "not a tile"),
        ([PINFU, "--seat", "X"], "--seat"),
        ([PINFU, "--dora", "3x"], "--dora"),
        ([PINFU.replace("+", ""), "--win", "9s"], "not among"),
        ([PINFU, "--rules", "tenho"], "closest is 'tenhou'"),
        ([PINFU, "--rules", "houserules"], "no rules called 'houserules'; docs/rules.md lists all names."),
        ([PINFU, "--terms", "latin"], "--terms: “latin” is none of english, ema, japanese, kanji"),
        ([PINFU, "--tsumo", "--rinshan"], "After a Kan (rinshan) needs a kan"),
        (["123m45p22z777s + 6p [123m]", "--ron", "--seat", "S", "--round", "S"], "no yaku"),
        ([PINFU, "--tiles", "3=5p"], "--tiles"),
        ([""], "0 tiles"),
        (["1m" * 200 + "x"], "no part of a tile"),
        ([PINFU, "--honba", "100"], "tehai: --honba must be a whole number from 0 to 99, not 100."),
        ([PINFU, "--sticks", "-1"], "tehai: --sticks must be"),
        ([PINFU, "--dora", "15", "--dora", "15"], "--dora must be a whole number from 0 to 20, not 30."),
        ([PINFU, "--dora", "123456m"], "--dora takes at most five indicators"),
    ],
)  # fmt: skip
def test_mistakes_get_one_sentence(arguments: list[str], complaint: str) -> None:
    done = run("score", *arguments, "--defaults")
    assert done.exit_code == 2, done.output
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def test_json_of_a_hand_that_is_none() -> None:
    done = run("score", "0m6788m2340s6s567p", "--json")
    assert done.exit_code == 2
    found = json.loads(done.stdout)
    assert found["result"] is None and found["message"].startswith("13 tiles, waiting on")


def test_debug_shows_the_traceback() -> None:
    done = run("--debug", "score", "abc")
    assert isinstance(done.exception, Mistake)
    assert run("score", "abc").exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("batch", "{hands}", "--out", "{hands}/results.jsonl"),
        ("batch", "{hands}", "--out", "{folder}/none/results.jsonl"),
        ("check", "a" * 300),
        ("learn", "--import", "a" * 300),
        ("label", "a" * 300),
    ],
)
def test_a_path_that_cannot_be_used_is_a_mistake_of_the_user(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "hands.jsonl").touch()
    places = {"hands": tmp_path / "hands.jsonl", "folder": tmp_path}
    done = run(*(word.format(**places) for word in arguments))
    assert done.exit_code == 2, done.output
    assert done.stderr.count("\n") == 1 and "check the path" in done.stderr, done.stderr


def test_a_bug_is_told_apart_from_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(hand_input: HandInput) -> scoring.Outcome:
        raise KeyError("concealed")

    monkeypatch.setattr(scoring, "settle", broken)
    done = run("score", PINFU, "--defaults")
    assert done.exit_code == 1 and "KeyError" in done.stderr and "--debug" in done.stderr
    told = json.loads(run("score", PINFU, "--json").stdout)
    assert told["status"] == "error" and "KeyError" in told["message"]


def test_batch_goes_on_after_a_bad_line(tmp_path: Path) -> None:
    good = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": True, "ref": "a1"}
    lines = [
        json.dumps(good),
        "{nonsense",
        "[]",
        "",
        json.dumps({**good, "win_tile": "9z"}),
        json.dumps(good),
    ]
    file = tmp_path / "hands.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    done = run("batch", str(file))
    assert done.exit_code == 0
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result["status"] for result in results] == ["ok", "error", "error", "error", "ok"]
    assert results[0]["ref"] == "a1" and results[3]["error"] == "bad_tile"
    assert run("batch", "-", input=lines[0]).stdout == json.dumps(results[0], ensure_ascii=False) + "\n"
    assert run("batch", str(tmp_path / "none.jsonl")).exit_code == 2


def test_rules() -> None:
    listed = run("rules")
    assert listed.exit_code == 0 and "ema2008" in listed.stdout and "tenhou" in listed.stdout
    one = run("rules", "ema2008")
    assert "kiriage" in one.stdout and "chiitoitsu" in one.stdout
    assert run("rules", "emma").exit_code == 2


# --- the talk -----------------------------------------------------------------------------------------------


class Script:
    """A console on which a player answers: ``answers`` by the beginning of the prompt, the next one each time
    that it comes; Enter for all else."""

    def __init__(self, answers: dict[str, str] | None = None, width: int = 80) -> None:
        self.console = Console(width=width, record=True, file=io.StringIO(), highlight=False)
        self._answers = {prompt: texts.split("|") for prompt, texts in (answers or {}).items()}
        self.prompts: list[str] = []
        self.console.input = self._input  # type: ignore[method-assign,assignment]

    def _input(self, prompt: object = "") -> str:
        self.console.print(prompt)
        self.prompts.append(str(prompt))
        for begun, texts in self._answers.items():
            if str(prompt).startswith(begun) and texts:
                return texts.pop(0)
        return ""

    @property
    def text(self) -> str:
        return self.console.export_text(clear=False)


def seen(line: str, doubtful: str = "", instead: str = "1m", place: str = "hand") -> HandInput:
    """A hand as a photo gives it; the tile ``doubtful`` was read with little certainty."""
    hand_input = from_line(line)
    quad = ((0.0, 0.0), (9.0, 0.0), (9.0, 12.0), (0.0, 12.0))
    tiles = (SeenTile(quad, doubtful, 0.6, (instead, 0.3), place),) if doubtful else ()
    doubts = tuple(
        Doubt("face", (at,), f"The {doubtful} may be a {instead}.", {"label": instead})
        for at in range(len(tiles))
    )
    reading = Reading("p.jpg", 100, 100, tiles, hand_input.record, {}, "ok", doubts=doubts)
    return HandInput(parse_open(hand_input.record, dict.fromkeys(hand_input.record, "seen")), reading)


def test_a_misread_tile_is_corrected_by_position() -> None:
    script = Script({"Are these": "5=4p", "Ron or": "tsumo", "Are you": "south"})
    hand_input = ask_all(script.console, seen("234m350567p2267s + 8s", doubtful="5p"))
    assert hand_input.record["concealed"] == "234m340567p2267s" and hand_input.known["concealed"] == "asked"
    assert (
        hand_input.record["tsumo"]
        and hand_input.record["seat_wind"] == "S"
        and hand_input.known["melds"] == "seen"
    )
    assert "5?" in script.text
    assert scoring.conclude(hand_input).result is not None


def test_the_whole_line_can_be_retyped() -> None:
    script = Script({"Are these": f"234m34056p2267s|nonsense|{PINFU}"})
    hand_input = ask_all(script.console, seen("234m3405679p227s + 8s"))
    assert hand_input.record["win_tile"] == "8s"
    assert "12 tiles" in script.text and "no part of a tile" in script.text


def test_a_question_mark_at_the_tiles_says_how_to_correct_them() -> None:
    script = Script({"Are these": "?|5=4p"})
    hand_input = ask_all(script.console, seen("234m350567p2267s + 8s", doubtful="5p"))
    assert hand_input.record["concealed"] == "234m340567p2267s"
    how = Phrases("en").of("asking", "correct").strip()
    assert how in script.text, "no line is broken at 80 columns"
    example = how.rpartition("as in ")[2]
    assert scoring.conclude(from_line(example)).result is not None


def test_in_japanese_the_whole_talk_is_japanese() -> None:
    script = Script({"この牌で": "?|", "ロン": "<|r", "リーチ": "?|n", "親": "n"})
    hand_input = replace(seen("234m340567p2267s + 8s", doubtful="5p"), language="ja")
    ask_all(script.console, hand_input)
    assert "理由" in script.text and "今のところ" in script.text and "三枚目を" in script.text
    english = catalogue()["asking"].values()
    for said in (part for one in english for part in one["en"].split("{")[0].split("\n")):
        assert len(said) < 5 or said.strip() not in script.text, said


def test_tiles_that_are_no_hand_are_said_before_anything_is_asked() -> None:
    script = Script({"Are these": "1=2m"})
    hand_input = ask_all(script.console, seen("934m340567p2267s + 8s"))
    assert hand_input.record["concealed"].startswith("234m")
    assert script.text.count("correct a tile") == 1


def test_an_open_winning_tile_is_asked_among_the_possible() -> None:
    script = Script({"Which tile": "9s|2s"})
    hand_input = ask_all(script.console, from_line("234m340567p22678s"))
    assert hand_input.record["win_tile"] == "2s"
    assert "no answer here" in script.text


def test_a_beginning_is_answer_enough() -> None:
    script = Script({"Ron": "t", "Are you": "so", "Riichi": "dou ipp"})
    hand_input = ask_all(script.console, from_line(PINFU))
    assert hand_input.record["tsumo"] and hand_input.record["seat_wind"] == "S"
    assert (
        hand_input.record["double_riichi"]
        and hand_input.record["ippatsu"]
        and not hand_input.record["haitei"]
    )


def test_a_rare_circumstance_answers_the_question_that_it_comes_with() -> None:
    script = Script({"Ron": "ron haitei|haitei", "Riichi": "y"})
    hand_input = ask_all(script.console, from_line(PINFU))
    assert hand_input.record["tsumo"] and hand_input.record["haitei"] and not hand_input.record["rinshan"]
    rare = " ".join(script.text.split())
    assert "or houtei 7,700 chankan 7,700" in rare and "haitei 8,000" in rare
    assert "no answer here" in script.text


def test_questions_are_asked_in_japanese_too() -> None:
    script = Script({"ロン": "ツモ", "親": "南", "リーチ": "ダブルリーチ 一発"})
    hand_input = ask_all(script.console, replace(from_line(PINFU), language="ja"))
    assert hand_input.record["tsumo"] and hand_input.record["seat_wind"] == "S"
    assert (
        hand_input.record["double_riichi"]
        and hand_input.record["ippatsu"]
        and not hand_input.record["haitei"]
    )


def test_what_is_rare_is_asked_by_itself_where_the_rest_is_told() -> None:
    script = Script({"Anything": "haitei double riichi"})
    hand_input = ask_all(script.console, from_line(PINFU).with_facts({"tsumo": True, "riichi": True}))
    assert (
        hand_input.record["haitei"]
        and hand_input.record["double_riichi"]
        and not hand_input.record["ippatsu"]
    )


def test_a_prompt_says_what_each_answer_leads_to() -> None:
    script = Script({"Riichi": "n"})
    ask_all(script.console, from_line(PINFU))
    assert "Are you the dealer? (y/N) 3,900 → 5,800 › " in script.prompts
    assert "Riichi? (y/N) 3,900 → 7,700 › " in script.prompts
    assert "so far 3,900, between 3,900 and 48,000" in script.text
    assert len(script.prompts) == 4


def test_a_prompt_says_that_other_answers_can_still_change_the_points() -> None:
    script = Script()
    facts = {"rules": "tenhou", "seat_wind": "S"}
    ask_all(script.console, from_line("1234345556789m + 2m").with_facts(facts))
    (riichi,) = (prompt for prompt in script.prompts if prompt.startswith("Riichi"))
    assert "either way; other answers can still change that" in riichi


def test_one_question_is_no_plural() -> None:
    hand_input = from_line("123m456p78s11z + 9s [p777z<]")
    facts = {"seat_wind": "S", "dora_indicators": [], "honba": 0}
    script = Script()
    ask_all(script.console, hand_input.with_facts(facts))
    assert "1 question can change the score." in script.text


def test_the_question_of_many_counters_is_announced_and_says_that_han_are_missing() -> None:
    script = Script({"5 counters": "?|"})
    ask_all(script.console, from_line("34p0p567p2267s + 8s [p666z<]").with_facts({"dora_indicators": []}))
    assert f"{len(set(script.prompts))} questions can change the score." in script.text
    assert script.prompts[-1] == "5 counters or more on the table? (y/N) 2,000 → too few han › "
    assert "needs two han besides dora" in script.text and "no yaku" not in script.text


def test_a_question_mark_says_why() -> None:
    script = Script({"Riichi": "?|n"})
    ask_all(script.console, from_line(PINFU))
    assert "adds the ura dora" in script.text and "7,700–48,000" in script.text
    assert script.prompts.count("Riichi? (y/N) 3,900 → 7,700 › ") == 2


def test_the_last_answer_can_be_taken_back() -> None:
    script = Script({"Ron": "r|t", "Riichi": "<|y|y", "Are you": "<|y"})
    hand_input = ask_all(script.console, from_line(PINFU))
    assert (
        hand_input.record["seat_wind"] == "E" and hand_input.record["riichi"] and hand_input.record["tsumo"]
    )
    assert sum(prompt.startswith("Ron") for prompt in script.prompts) == 2


def test_there_is_nothing_before_the_first_question() -> None:
    script = Script({"Ron": "<|t"})
    assert ask_all(script.console, from_line(PINFU)).record["tsumo"]
    assert "nothing to go back to" in script.text
    script = Script({"Ron": "<"})
    ask_all(script.console, seen(PINFU))
    assert sum(prompt.startswith("Are these") for prompt in script.prompts) == 2


def test_a_doubtful_tile_is_asked_with_both_values() -> None:
    script = Script({"Is tile": "1s"})
    hand_input = ask_all(script.console, seen("234m340567p2278s + 6s", doubtful="2s", instead="1s"))
    assert not any(prompt.startswith("Is tile") for prompt in script.prompts), "1s and 2s are no pair"
    assert hand_input.known["concealed"] == "seen"
    for answer, concealed, known in (("5p", "234m345567p2267s", "seen"), ("0p", "234m340567p2267s", "asked")):
        script = Script({"Is tile": answer})
        hand_input = ask_all(script.console, seen("234m345567p2267s + 8s", doubtful="5p", instead="0p"))
        (asked,) = (prompt for prompt in script.prompts if prompt.startswith("Is tile"))
        assert asked.startswith("Is tile 6 5p or 0p? (5p) ") and " → " in asked
        assert hand_input.record["concealed"] == concealed and hand_input.known["concealed"] == known


def test_a_riichi_stick_that_was_seen_is_said_and_not_asked() -> None:
    """Of which kind the riichi was no stick tells."""
    hand_input = seen(PINFU)
    hand_input = replace(hand_input, opened=hand_input.opened.with_facts({"riichi": True}, FactSource.SEEN))
    script = Script({"Anything": "ippatsu"})
    found = ask_all(script.console, hand_input)
    assert "Inferred: Riichi was declared: a riichi stick is in the photo." in script.text
    assert not any(prompt.startswith("Riichi") for prompt in script.prompts)
    assert found.record["ippatsu"] and found.known["riichi"] == "seen"


def test_thirteen_tiles_are_asked_for_the_one_that_won() -> None:
    script = Script({"Which tile": "6s"})
    hand_input = ask_all(script.console, from_line("234m340567p4445s"))
    assert "13 tiles, waiting on 3s 5s 6s" in script.text
    assert hand_input.record["win_tile"] == "6s" and hand_input.record["concealed"] == "234m340567p4445s"
    alike = Script()
    assert ask_all(alike.console, from_line("234m340567p2267s")).record["win_tile"] == "5s"
    assert "each of these tiles pays the same" in alike.text


@pytest.mark.parametrize(
    "line", [PINFU, "234m340567p22678s", "340567p2267s + 8s [333z]", "22z34s + 5s [555z] [666z] [777z]"]
)
def test_a_talk_fits_a_terminal(line: str) -> None:
    """Each prompt on one line of 80 columns."""
    script = Script({"Riichi": "?|y", "Ron": "?|r", "Dora": "?"})
    ask_all(script.console, from_line(line))
    assert all(len(prompt) <= 78 for prompt in script.prompts)
    assert all(len(row) <= 80 for row in script.text.splitlines())


def test_the_end_of_input_is_a_mistake() -> None:
    console = Console(file=io.StringIO())

    def ended(prompt: object = "") -> str:
        raise EOFError

    console.input = ended  # type: ignore[method-assign,assignment]
    with pytest.raises(Mistake, match="ended"):
        ask_all(console, from_line(PINFU))


def test_robbing_a_concealed_kan_has_a_flag() -> None:
    """EMA 2008 §3.3.8: only thirteen orphans rob it; the flag says that it is a robbed kan too."""
    orphans = score_json("19m19p19s1234566z + 7z", "--robbed-ankan")
    assert (orphans["result"]["limit"], orphans["record"]["chankan"]) == ("yakuman", True)
    other = run("score", "123m456p78s22z444z + 9s", "--robbed-ankan", "-y")
    assert "robs a concealed kan" in other.stderr


def test_a_kan_is_called_in_the_terms_asked_for() -> None:
    for terms, word in (("ema", "15 with 1 kong."), ("japanese", "15 with 1 kan.")):
        assert word in run("score", "123m + 1z [5555p]", "-y", "--terms", terms).stderr
    assert "no rules called 'tenho'" in run("score", "123m + 1z [5555p]", "-y", "--rules", "tenho").stderr


# --- for programs and pipes ---------------------------------------------------------------------------------


def ran(*arguments: str, **how: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tehai", *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **how)


@pytest.mark.parametrize("arguments", [["score", "123x", "--json"], ["score", "--nonsense", "--json"]])
def test_json_is_json_for_errors_too(arguments: list[str]) -> None:
    done = ran(*arguments, stdout=subprocess.PIPE)
    said = json.loads(done.stdout)
    assert done.returncode == 2 and said["version"] == 1 and said["status"] == "error"
    assert said["message"] in done.stderr


def test_every_json_has_its_version() -> None:
    assert score_json(PINFU)["version"] == 1
    assert json.loads(run("advise", "123m456p78s112257z", "--json").stdout)["version"] == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full to write to")
def test_a_full_disk_is_no_bug() -> None:
    with Path("/dev/full").open("w") as full:
        done = ran("rules", stdout=full)
    assert done.returncode == 2 and "the disk is full" in done.stderr and "inside" not in done.stderr


def test_quiet_prints_results_alone() -> None:
    assert "Assumed" in run("score", PINFU, "-y").stdout
    assert "Assumed" not in run("-q", "score", PINFU, "-y").stdout
    assert run("score", PINFU, "-y", "-q").stdout == run("-q", "score", PINFU, "-y").stdout
    assert run("-V").stdout == run("--version").stdout


def test_what_holds_for_all_commands_may_stand_behind_one() -> None:
    assert isinstance(run("score", "abc", "--debug").exception, Mistake)
    assert run("score", "--", "-q").exit_code == 2  # a line that begins so, which is none


def test_what_is_not_translated_says_so() -> None:
    wrong = run("score", PINFU, "--tsumo", "--ron", "--lang", "ja").stderr
    assert "contradict each other" in wrong and "英語のみ" in wrong
    assert "英語のみ" not in run("score", "99x", "--lang", "ja").stderr
    assert "英語のみ" not in run("score", PINFU, "--tsumo", "--ron").stderr
    english_alone = run("rules", "--lang", "ja")
    assert english_alone.exit_code == 2 and "prints English only" in english_alone.stderr
