"""``tehai advise``, and ``tehai score`` of a hand that is not finished."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tehai.cli import app
from tehai.hand import inputs
from tests.tehai.readings import row
from vision.players import SeenPlayer, SeenRiver, SeenTable
from vision.reading import Reading

HAND = "123m456p78s112257z"


def run(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(app, arguments)


def told(*arguments: str) -> str:
    """What is printed, blanks as one."""
    done = run(*arguments)
    assert done.exit_code == 0, done.stderr
    return " ".join(done.stdout.split())


def record(*arguments: str) -> dict[str, Any]:
    done = run(*arguments, "--json")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_discard_that_keeps_most() -> None:
    said = told("advise", HAND)
    assert "One away from tenpai: 5z 7z are equally good, 12 tiles of 4 kinds each" in said
    assert "Assumed: not the dealer, in the east round, no dora." in said
    assert "Still in reach: Riichi, Prevalent Wind." in said
    assert "How many tiles" not in said


def test_in_japanese() -> None:
    said = told("advise", HAND, "--lang", "ja", "--seat", "S", "--dora", "7z")
    assert "一向聴： 7z 切りが最も広く、4種12枚" in said
    assert "仮定：東場。" in said and "ドラが1枚残ります。" in said


def test_a_ready_hand_is_told_with_its_waits() -> None:
    said = told("advise", "45678s123m456p77z1z", "--discards", "3s", "--seen", "66s")
    assert "Tenpai with 1z discarded, but furiten: only tsumo can win" in said
    assert "8 tiles of 3 kinds to win on" in said
    assert "only tsumo can win" in said and "The waits taken apart" in said
    assert "4s 5s + 3s" in said


def test_explained_it_has_the_words() -> None:
    assert "how many tiles are missing before a last one can win" in told("advise", HAND, "--explain", "text")
    lesson = json.loads(run("advise", HAND, "--explain", "json").stdout)
    assert [step["kind"] for step in lesson["steps"]] == ["distance", "discard", "turns", "next"]
    assert run("advise", HAND, "--explain", "markdown").stdout.startswith(
        "# One away from tenpai: `57z` are equally good"
    )


def test_what_a_discard_risks_stands_beside_its_worth() -> None:
    hand = ("advise", "2234m345p345s5667s", "--dora", "5s", "--rivers", "1z9p/2p/9s6s4m")
    said = told(*hand, "--riichi-by", "left", "--since", "7s")
    assert "10,567 points a win; safe against the Riichi on the left: own discard" in said
    assert "7s Safe against the Riichi on the left: it passed after the Riichi." in said
    assert "suji of 6s" in said and "%" not in said.partition("How safe")[2].partition("Your chances")[0]
    japanese = told(*hand, "--riichi-by", "left", "--lang", "ja")
    assert "立直した上家の現物で安全" in japanese and "Riichi" not in japanese.replace("EMA Riichi", "")
    assert record(*hand, "--riichi-by", "left")["advice"]["discards"][0]["risks"][0]["danger"] == "nothing"
    assert "against the player across" in told(*hand)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--rivers", "1z/2p"), "discards of 3 players with / between: right, across, left"),
        (("--rivers", "1z/2p/", "--riichi-by", "me"), "“me” is none of the players"),
        (("--riichi-by", "left"), "Name the discards with --rivers"),
        (("--rivers", "//1z", "--since", "1z"), "name it with --riichi-by"),
        (("--rivers", "1111z//1z"), "There are 7 of 1z in hand and rivers"),
        (("--seen", "1111z"), "There are 6 of 1z in the hand, the dora indicators and --seen"),
        (("--dora", "99"), "--dora must be a whole number from 0 to 20, not 99"),
        (("--nukidora", "2"), "In EMA Riichi 2008 no tile is set aside as nukidora"),
        (("--json", "--explain", "text"), "--json and --explain each print the advice in a way"),
    ],
)
def test_options_that_make_no_sense_are_refused(arguments: tuple[str, ...], sentence: str) -> None:
    done = run("advise", HAND, *arguments)
    assert done.exit_code == 2 and sentence in " ".join(done.stderr.split())


def test_as_json() -> None:
    found = record("advise", HAND, "--seen", "69s")
    assert found["advice"]["discards"][0]["left"] == 10 and found["seen"] == ["6s", "9s"]
    assert found["advice"]["text"] == "One away from tenpai: 57z are equally good, 10 tiles of 4 kinds each"
    assert "message" not in found


@pytest.mark.parametrize(
    ("hand", "sentence"),
    [
        ("123m456p789s11222z", "This hand is finished. See its value with tehai score."),
        ("123m456p", "The hand has 6 tiles; advice needs 13, or 14"),
        ("11111m456p78s1122z", "There are 5 of 1m"),
    ],
)
def test_where_there_is_nothing_to_advise(hand: str, sentence: str) -> None:
    done = run("advise", hand)
    assert done.exit_code == 2 and sentence in done.stderr
    found = record("advise", hand)
    assert found["advice"] is None
    assert sentence in found["message"]


@pytest.mark.parametrize(
    ("hand", "said", "sentence"),
    [
        (
            HAND,
            "One away from tenpai: 5z 7z are equally good",
            "The hand is not finished, so it has no score",
        ),
        ("19m258p147s12345z", "5 away from tenpai: nearer with", "one tile too few and waits on nothing"),
        ("0m6788m2340s6s567p", "Tenpai: waits for 1s 4s 7s", "13 tiles, waiting on 1s 4s 7s"),
        ("123m456p78s11225z + 7z", "One away from tenpai", "not four sets and a pair"),
    ],
)
def test_an_unfinished_hand_that_is_to_be_scored_is_advised(hand: str, said: str, sentence: str) -> None:
    """It has no score: the exit code and the JSON say so, as before."""
    done = run("score", hand, "--rules", "ema2008")
    assert done.exit_code == 2
    assert said in " ".join(done.stdout.split()) and sentence in done.stderr
    machine = run("score", hand, "--json")
    found = json.loads(machine.stdout)
    assert machine.exit_code == 2 and (found["result"] or {"status": "error"})["status"] == "error"
    assert found["message"] and found["advice"]["text"].startswith(said.partition(":")[0])


@pytest.mark.parametrize(
    ("command", "hand", "sentence"),
    [
        ("advise", "12x", "牌の並びが読めません"),
        ("advise", "[123", "牌の並びが読めません"),
        ("score", "123m456p + 99s", "牌の並びが読めません"),
        ("score", "19m258p147s12345z", "1枚足りず、何も待っていません"),
        ("score", "0m6788m2340s6s567p", "1s 4s 7sを待っています"),
        ("score", "123m456p", "牌が6枚ありますが、和了形は14枚"),
    ],
)
def test_what_is_wrong_is_told_in_the_language_that_is_asked_for(
    command: str, hand: str, sentence: str
) -> None:
    done = run(command, hand, "--lang", "ja")
    assert done.exit_code == 2 and sentence in done.stderr
    assert not re.search(r"[A-Za-z]{4,}", done.stderr.replace("tehai", "")), "no English in Japanese"


def test_a_finished_hand_has_no_advice() -> None:
    assert "advice" not in record("score", "234m340567p2267s + 8s")
    assert "advice" not in record("score", "123m456p78s112z + 3s")
    assert "advice" not in record("score", "123m456p78s22z444z + 9s", "--ron", "--no-riichi")


def test_it_is_explained_without_a_score() -> None:
    lesson = json.loads(run("score", HAND, "--explain", "json").stdout)
    assert lesson["score"] is None and lesson["steps"][0]["kind"] == "distance"


def test_what_lies_beside_the_hand_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles of a pond in the photo are in sight; face down ones and those that nobody can read are not."""
    shown = row(HAND)
    pond = tuple(
        replace(shown.tiles[0], label=label, role="other")
        for label in ("6s", "6s", "back", "?", "foreign", "9s")
    )
    reading = replace(shown, tiles=(*shown.tiles, *pond))
    monkeypatch.setattr(inputs, "read_photo", lambda photo, region: reading)
    found = record("advise", "hand.jpg")
    assert found["seen"] == ["6s", "6s", "9s"] and found["advice"]["discards"][0]["left"] == 9
    assert "9 tiles of 4 kinds" in told("advise", "hand.jpg")


def table(
    *discards: str, probability: float = 0.95, turned: float = 0.01, stick: bool = False, sure: float = 0.99
) -> Reading:
    """:data:`HAND` on a table, with the discards of the players on the right, across and on the left; the
    second of the last may be turned for riichi."""
    shown, rivers = row(HAND), []
    tiles = list(shown.tiles)
    for seat, labels in zip(("near", "right", "across", "left"), ("6z", *discards), strict=True):
        places = tuple(range(len(tiles), len(tiles) + len(labels.split())))
        tiles += [
            replace(shown.tiles[0], label=label, probability=sure - at / 100, role="other")
            for at, label in enumerate(labels.split())
        ]
        is_last = seat == "left"
        river = SeenRiver(
            places, (len(places),), 1, turned if is_last else 0.01, probability, stick and is_last
        )
        rivers.append(SeenPlayer(seat, river))  # type: ignore[arg-type]
    return replace(shown, tiles=tuple(tiles), table=SeenTable(tuple(rivers)))


@pytest.fixture
def photo(monkeypatch: pytest.MonkeyPatch) -> Callable[[Reading], str]:
    """A photo of which a reading is made up."""

    def of(reading: Reading) -> str:
        monkeypatch.setattr(inputs, "read_photo", lambda photo, region: reading)
        return "table.jpg"

    return of


Photo = Callable[[Reading], str]


def test_the_rivers_of_a_photo_are_taken(photo: Photo) -> None:
    name = photo(table("9s 3z", "2p ? back 0p", "4m 7z 6s", turned=0.99))
    flags = ("--discards", "6z", "--rivers", "93s/20p/4m7z6s")
    found, typed = record("advise", name), record("advise", HAND, *flags)
    assert found["rivers"] == {"right": "9s3z", "across": "20p", "left": "4m7z6s"}
    assert found["riichi_by"] == "left" and found["seen"] == [], "no discard counts twice"
    assert found["record"]["discards"] == "6z" and found["record"]["known"]["discards"] == "seen"
    risks = found["advice"]["discards"][0]["risks"]
    assert [(risk["who"], risk["riichi"], risk["reason"]) for risk in risks] == [
        ("left", True, "own_discard")
    ]
    assert found["advice"]["discards"][0]["left"] == typed["advice"]["discards"][0]["left"]
    said = told("advise", name)
    assert "The player on the right 9s 3z The player across 2p 0p The player on the left 4m ‹7z› 6s" in said
    assert "You 6z" in said
    assert "--discards 6z --rivers 9s3z/20p/4m7z6s --riichi-by left" in said
    japanese = told("advise", name, "--lang", "ja")
    assert "上家 4m ‹7z› 6s" in japanese and "rivers as read" not in japanese.lower()


@pytest.mark.parametrize(
    ("turned", "stick", "riichi"),
    [(0.97, False, ""), (0.97, True, "left"), (0.4, True, ""), (0.98, False, "left")],
)
def test_riichi_needs_a_sure_tile_or_a_stick(photo: Photo, turned: float, stick: bool, riichi: str) -> None:
    name = photo(table("9s", "2p", "4m 7z 6s", turned=turned, stick=stick))
    assert record("advise", name)["riichi_by"] == riichi
    assert ("--riichi-by" in told("advise", name)) is bool(riichi)


def test_an_unlikely_river_is_in_sight_alone(photo: Photo) -> None:
    name = photo(table("9s", "2p", "4m 7z 6s", probability=0.49, turned=0.99))
    found = record("advise", name)
    assert found["seen"] == ["6z", "9s", "2p", "4m", "7z", "6s"]
    assert "rivers" not in found and "riichi_by" not in found
    assert "Rivers as read" not in told("advise", name)


def test_a_doubtful_discard_makes_no_tile_safe(photo: Photo) -> None:
    """It is shown, to be corrected; the advice and my own discards do without it."""
    name = photo(table("9s", "2p", "4m 7z 6s", turned=0.99, sure=0.85))
    found, said = record("advise", name), told("advise", name)
    discards = {one["tile"]: one["risks"] for one in found["advice"]["discards"]}
    assert [risk["reason"] for risk in discards["7z"]] == ["honour"], "no discard of the left player"
    assert "discards" not in found["record"] and "discards" not in found["record"]["known"], "some lie there"
    assert "6z?" in said and "--discards 6z --rivers 9s/2p/4m7z6s --riichi-by left" in said


def test_discards_that_a_person_names_stay(photo: Photo) -> None:
    name = photo(table("9s", "2p", "6s"))
    found = record("advise", name, "--discards", "1z2z")
    assert (found["record"]["discards"], found["record"]["known"]["discards"]) == ("12z", "asked")
    assert "6z" not in found["seen"]
    assert "6z" not in told("advise", name, "--discards", "1z2z"), "nobody is asked to correct it"


def test_typed_rivers_override_those_of_the_photo(photo: Photo) -> None:
    name = photo(table("9s 3z", "2p", "4m 7z 6s", turned=0.99))
    found = record("advise", name, "--rivers", "9s4z/2p/", "--riichi-by", "right")
    assert "rivers" not in found and found["seen"] == ["4m", "7z", "6s"], "of the left nothing was typed"
    assert found["advice"]["discards"][0]["risks"][0]["who"] == "right"
    assert "Rivers as read" not in told("advise", name, "--rivers", "//")


def test_a_fifth_tile_in_the_rivers_is_misread(photo: Photo) -> None:
    """One 5z is in the hand, so of four in the rivers the least probable is left out; of equals the later."""
    found = record("advise", photo(table("5z 2p 1m 5z", "5z", "4m 5z")))
    assert found["rivers"] == {"right": "5z2p1m", "across": "5z", "left": "4m5z"}
    assert "5z" not in found["seen"]
    seen = record("advise", photo(table("2p 5z", "", "5z 5z")), "--seen", "55z")
    assert seen["rivers"] == {"right": "2p", "left": "5z"}, "the hand and --seen stay"


def test_of_three_players_nobody_sits_across(photo: Photo) -> None:
    name = photo(table("9s", "2p", "4s 7z 6s"))
    found = record("advise", name, "--rules", "tenhou3", "--tiles", "119m45678p12345s5z")
    assert found["rivers"] == {"right": "9s", "left": "4s7z6s"} and "2p" in found["seen"]


def test_what_a_program_reads_has_no_rivers_before_it(photo: Photo) -> None:
    done = run("advise", photo(table("9s", "2p", "4m 7z 6s")), "--explain", "json")
    assert json.loads(done.stdout) and "Rivers as read" in done.stderr


def test_among_three_nobody_sits_north() -> None:
    done = run("advise", "234p456s22s344p44z", "--rules", "tenhou3", "--seat", "N")
    assert done.exit_code == 2 and "Three players have no North seat" in done.stderr


@pytest.mark.parametrize("hand", ["456789p12345s114z", "119m45678p12345s4z"], ids=["tenpai", "one away"])
def test_a_north_that_is_set_aside_is_nowhere_a_discard(hand: str) -> None:
    said = told("advise", hand, "--rules", "tenhou3", "--lang", "ja")
    assert "まず北を抜きましょう" in said
    assert re.search("4z ?(を抜くと|抜き)", said) and not re.search("4z ?を?切", said)
    assert "4z 切り" in told(
        "advise", "119m45678p12345s4z", "--lang", "ja"
    )  # of four, north is as others are


def test_a_hand_that_cannot_win_says_so_first() -> None:
    said = told("advise", "234p456s22m79s1z [c678p]", "--rules", "tenhou", "--seat", "S")
    assert "Tenpai with 1z discarded, but without a yaku: one more exchange could bring All Simples" in said
    assert "聴牌ですが、役がありません" in told(
        "advise", "234p456s22m79s [c678p]", "--rules", "tenhou", "--lang", "ja"
    )


def test_riichi_or_not_has_both_prices() -> None:
    said = told("advise", "2234m345p345s5667s", "--dora", "5s", "--seat", "S")
    assert "a ron pays 10,567 points on average, without it 6,633: 3,934 more for the stick of 1,000" in said
    assert "Declare it: without it no ron has enough yaku." in told(
        "advise", "123m456p22z777m68s4z", "--seat", "W"
    )
