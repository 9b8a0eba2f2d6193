"""Logs of other programs: read, replayed, compared with what they say was paid, written again."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from scorer import load_rules, parse_rules
from scorer.efficiency import discards
from scorer.hand import Meld
from scorer.tiles import TILES, Tile, parse_tiles
from tehai.cli import app
from tehai.game.file import opened
from tehai.learn.bench import Bench
from tehai.learn.exercise import Setting
from tehai.learn.own_files import read_own
from tehai.learn.pose.far import what_was_discarded
from tehai.learn.texts import Texts
from tehai.logs.game import event_of, play_log
from tehai.logs.mjai import to_mjai
from tehai.logs.play import Call, Discard, Draw, Log, LogError, LoggedDraw, LoggedWin
from tehai.logs.read import read_log
from tehai.logs.tenhou6 import to_tenhou6
from tests.folders import DATA
from tests.tehai.logs.short_logs import FIRST, GAME, NAMES, SECOND, THIRD, THREE
from tests.tehai.logs.writers import majsoul, mjlog, text

SAMPLES = sorted((DATA / "logs").glob("*/*"))
there = pytest.mark.skipif(not SAMPLES, reason="no logs under ../shared/data/logs")


def mjai(log: Log) -> bytes:
    return b"\n".join(map(text, to_mjai(log)))


FORMATS: dict[str, Callable[[Log], bytes]] = {
    "mjlog": mjlog,
    "mjlog, gzipped": lambda log: gzip.compress(mjlog(log)),
    "tenhou6": lambda log: text(to_tenhou6(log)),
    "mjai": mjai,
    "majsoul": lambda log: text(majsoul(log)),
    "majsoul, camel case": lambda log: text(majsoul(log, camel=True)),
}
"""Each as its program writes it."""


def read(data: bytes) -> Log:
    log = read_log(data)
    assert log is not None
    return log


def played(log: Log) -> Any:
    """All that a log comes to, whatever file it is of, by the rules of Tenhou: every hand, and its yaku."""
    game = play_log(log, "tenhou")
    assert game.differences == ()
    won = [turn.settled.winners for turn in game.played.turns if turn.settled]
    return [one.score.yaku for winners in won for one in winners], game.played.to_record()


def test_our_own_short_game_is_paid_as_it_says() -> None:
    game = play_log(GAME)
    assert game.differences == () and game.played.game.points == (36900, 19300, 20900, 22900)
    wins = [turn.settled.winners[0].score for turn in game.played.turns if turn.settled]
    assert [dict(won.yaku) for won in wins] == [
        {"double_riichi": 2, "pinfu": 1, "tanyao": 1, "dora": 1, "aka": 1, "ura": 1},
        {"yakuhai_haku": 1, "rinshan": 1, "dora": 4},
        {"pinfu": 1},
    ]


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_is_the_same_game(format_: str) -> None:
    log = read(FORMATS[format_](GAME))
    assert log.names == NAMES and not log.cut and log.format == format_.partition(",")[0]
    assert played(log) == played(GAME)
    assert [deal.hands for deal in log.deals] == [deal.hands for deal in GAME.deals]


@there
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_sample_is_paid_as_it_says(sample: Path) -> None:
    """And so in two of the formats, each of which has its turn."""
    log = read(sample.read_bytes())
    game = play_log(log)
    assert game.differences == () and not [one for one in game.events if one["event"] == "correction"]
    assert game.played.game.is_over != log.cut
    wanted, turn = played(log), SAMPLES.index(sample)
    for format_ in [*FORMATS, *FORMATS][2 * turn % len(FORMATS) :][:2]:
        assert played(read(FORMATS[format_](log))) == wanted, format_


@pytest.mark.parametrize("format_", FORMATS)
def test_three_players_set_norths_aside(format_: str) -> None:
    game = play_log(read(FORMATS[format_](THREE)))
    (turn,) = game.played.turns
    assert game.differences == () and turn.settled is not None
    assert dict(turn.settled.winners[0].score.yaku) == {
        "riichi": 1, "ippatsu": 1, "pinfu": 1, "dora": 2, "aka": 1, "ura": 1, "nukidora": 1,
    }  # fmt: skip


def test_a_log_that_breaks_off_leaves_its_last_hand_out() -> None:
    lines = mjai(GAME).splitlines()
    cut = next(at for at, line in enumerate(lines) if b"hora" in line and at > len(lines) // 2)
    log = read(b"\n".join(lines[:cut]))
    assert log.cut and len(log.deals) == 1
    with pytest.raises(LogError, match="no hand that was played to its end"):
        read_log(b"\n".join(lines[:5]))


def test_what_the_log_pays_otherwise_is_listed_and_corrected() -> None:
    wrong = replace(FIRST, paid=(13000, -12000, 0, 0))
    following = replace(SECOND, points=(37000, 13000, 25000, 25000))
    game = play_log(replace(GAME, deals=(wrong, following)))
    (one,) = game.differences
    assert (one.hand, one.ours, one.log) == (1, (19000, -18000, 0, 0), (13000, -12000, 0, 0))
    assert [event["event"] for event in game.events] == ["start", "win", "correction", "win"]
    assert game.played.game.points == (30900, 25300, 21900, 21900)


def test_the_last_hand_is_corrected_to_the_log_too() -> None:
    game = play_log(replace(GAME, deals=(FIRST, SECOND, replace(THIRD, paid=(0, 0, -2000, 2000)))))
    assert [one.hand for one in game.differences] == [3]
    assert game.played.game.points == (36900, 19300, 19900, 23900)


TRIPLE = replace(
    FIRST,
    hands=tuple(
        map(parse_tiles, ("123m123p123s77z99m", "234m22p234678s46p", "345m22345678s46p", "23456788m567s46p"))
    ),
    indicator=Tile("1z"),
    moves=(Draw(0, Tile("5p")), Discard(0, Tile("5p"), True, riichi=True)),
    end=LoggedDraw("triple_ron"),
    paid=(0, 0, 0, 0),
)
"""Three can win on the tile of a riichi, which makes it none (EMA 2008 §3.3.12)."""


@pytest.mark.parametrize("kind", ["triple_ron", None])
def test_a_riichi_on_whose_tile_three_can_win_puts_no_stick_down(kind: str | None) -> None:
    log = replace(GAME, deals=(replace(TRIPLE, end=LoggedDraw(kind)),))
    for written in (mjai(log), text(majsoul(log))):
        assert read(written).deals[0].end == LoggedDraw("triple_ron")
    played = play_log(log).played
    assert played.turns[0].settled is not None and len(played.turns[0].settled.unpaid) == 3
    assert played.game.sticks == 0 and played.game.points == (25000,) * 4


@there
def test_a_draw_without_a_reason_may_be_nagashi_mangan() -> None:
    (sample,) = [one for one in SAMPLES if one.name == "nagashi_usual.json"]
    log = read(sample.read_bytes())
    lines = [{name: value for name, value in event.items() if name != "reason"} for event in to_mjai(log)]
    assert play_log(read(b"\n".join(map(text, lines)))).differences == play_log(log).differences == ()


@pytest.mark.parametrize("number", [3, 4])
def test_tenhou_counts_four_deals_a_round_with_three_players_too(number: int) -> None:
    (deal,) = read(mjlog(THREE).replace(b'seed="0,', b'seed="%d,' % number)).deals
    assert deal.number == 3 and deal.label == "South 1"


def test_a_winner_whom_no_seat_has_is_refused() -> None:
    found = to_tenhou6(GAME)
    found["log"][0][-1][2][0] = 7
    with pytest.raises(LogError, match="other players"):
        read(text(found))


def test_who_fed_the_last_dragon_is_liable() -> None:
    """By the order of the calls, whichever of the three grows to a kong afterwards."""
    from tehai.logs.table import Table
    from tehai.settings.options import rule_set

    table = Table(FIRST)
    table.melds[1] = [Meld("kakan", "5555z", 3), Meld("pon", "666z", 3), Meld("pon", "777z", 2)]
    rules = rule_set("tenhou")
    assert table._liable(1, [TILES[0]] * 4, TILES[1], rules) == 2
    table.melds[1][2] = Meld("ankan", "7777z")
    assert table._liable(1, [TILES[0]] * 4, TILES[1], rules) is None


@pytest.mark.parametrize(
    ("kans", "liable"),
    [
        ("ankan 1111m, ankan 2222m, minkan 3333p 2, kakan 9999s 1", None),
        ("ankan 1111m, ankan 2222m, kakan 9999s 1, minkan 3333p 2", 2),
        ("kakan 5555z 1, kakan 6666z 2, ankan 7777z, minkan 3333p 3", 3),
    ],
)
def test_who_fed_the_fourth_kan_is_liable(kans: str, liable: int | None) -> None:
    """By the order of the kans, whichever of them was called first as a pon."""
    from tehai.logs.table import Table
    from tehai.settings.options import rule_set

    calls = [
        Meld(type_, tiles, *map(int, source)) for type_, tiles, *source in map(str.split, kans.split(", "))
    ]
    table = Table(replace(FIRST, moves=tuple(Call(1, meld, meld.tiles[0]) for meld in calls)))
    table.melds[1] = sorted(calls, key=lambda meld: meld.type.value != "kakan")  # its pon was called first
    assert table._liable(1, [TILES[0]], TILES[0], rule_set("mleague")) == liable


def test_a_red_five_that_only_one_draw_shows_is_a_red_five() -> None:
    hands = (parse_tiles("234m344567p2267s"), *FIRST.hands[1:])
    moves = (Draw(0, Tile("0p")), Discard(0, Tile("4p"), riichi=True), *FIRST.moves[2:])
    log = replace(GAME, deals=(replace(FIRST, hands=hands, moves=moves),))
    assert play_log(read(mjai(log))).differences == ()
    bare = {**to_tenhou6(log), "rule": {}}
    assert play_log(read(text(bare))).differences == ()


ALL_READY = ("123m456p789s1122z", "456m789p123s3344z", "789m123p456s5566z", "234m567p67888s77z")


@pytest.mark.parametrize(
    ("end", "kind"),
    [("流局", "draw"), ("Exhaustive Draw", "draw"), ("四開槓", "four_kongs"), ("Sanchahou", "triple_ron")],
)
def test_a_game_of_mahjong_soul_that_was_converted(end: str, kind: str) -> None:
    """Rooms and ends have other names, and where all are ready nobody is paid."""
    hands, moves = tuple(map(parse_tiles, ALL_READY)), (Draw(0, Tile("9m")), Discard(0, Tile("9m"), True))
    drawn = replace(FIRST, hands=hands, moves=moves, end=LoggedDraw("draw"), paid=(0,) * 4)
    found = to_tenhou6(replace(GAME, deals=(drawn, replace(SECOND, points=(25000,) * 4))))
    found["log"][0][-1] = [end, [0] * 4]
    log = read(text({**found, "rule": {"disp": "Jade Room East Red", "aka51": 1}}))
    assert parse_rules(log.rules) == parse_rules('base = "majsoul"\nrounds = 1')
    assert isinstance(log.deals[0].end, LoggedDraw) and log.deals[0].end.kind == kind
    assert kind != "draw" or play_log(log).differences == ()


def test_calls_of_three_players_are_written_as_if_a_fourth_sat_north() -> None:
    pon = Call(0, Meld("pon", "999m", 3), Tile("9m"))
    first = (*THREE.deals[0].moves[:3], Discard(0, Tile("9s"), True), Draw(1, Tile("8s")))
    then = (Discard(1, Tile("8s"), True), Draw(2, Tile("9m")), Discard(2, Tile("9m"), True))
    moves = (*first, *then, pon, Discard(0, Tile("2s")))
    found = to_tenhou6(replace(THREE, deals=(replace(THREE.deals[0], moves=moves, end=LoggedDraw("draw")),)))
    taken = found["log"][0][5]
    assert taken[-1] == "19p1919"
    for written in ("19p1919", "p191919"):  # the latter by earlier versions of Tehai
        taken[-1] = written
        assert pon in read(text(found)).deals[0].moves


def test_an_older_mjai_log_has_points_and_bets_at_the_end_of_each_hand() -> None:
    """And the other name for a north that is set aside."""
    events = list(to_mjai(GAME))
    after = iter([*(deal.points for deal in GAME.deals[1:]), (36900, 19300, 20900, 22900)])
    for event in events:
        for name in ("scores", "kyotaku") if event["type"] == "start_kyoku" else ():
            del event[name]
        if event["type"] == "hora":
            event["scores"] = next(after)
    assert played(read(b"\n".join(map(text, events)))) == played(GAME)
    three = mjai(THREE).replace(b"nukidora", b"kita")
    assert play_log(read(three)).differences == ()


@pytest.mark.parametrize(("reds", "tiles"), [(0, "5555p"), (3, "5550p"), (4, "5500p")])
@pytest.mark.parametrize("camel", [False, True])
def test_a_room_of_mahjong_soul_has_none_three_or_four_red_fives(reds: int, tiles: str, camel: bool) -> None:
    """A concealed kan of fives has those that were dealt and drawn."""
    kan = Call(0, Meld("ankan", tiles), Tile("5p"))
    hand, last = parse_tiles(f"{tiles[:3]}p123m789s3344z"), Tile(f"{tiles[3]}p")
    moves = (Draw(0, last), kan, Draw(0, Tile("4z")))
    deal = replace(FIRST, hands=(hand, *FIRST.hands[1:]), moves=moves, end=(LoggedWin(0, 0),), paid=None)
    found = majsoul(replace(GAME, deals=(deal,), final=(25000,) * 4), camel=camel)
    found["head"]["config"]["mode"]["detail_rule"] = {"dora_count": reds}
    log = read(text(found))
    assert log.final == (25000,) * 4
    for one in (log, read(text(to_tenhou6(log)))):
        ((_, won),) = play_log(one).played.turns[0].won_with_tiles()
        assert dict(won.yaku).get("aka", 0) == tiles.count("0")


# --- a stranger's file --------------------------------------------------------------------------------------

BOMB = b'<!DOCTYPE a [<!ENTITY b "cccccccccc"><!ENTITY d "&b;&b;&b;&b;">]><mjloggm><UN n0="&d;"/></mjloggm>'


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (BOMB, "declares a document type"),
        (b"<mjloggm>", "is no XML"),
        (b"<mjloggm/>", "no hand that was played"),
        (b'<mjloggm><INIT seed="0"/></mjloggm>', "This mjlog is damaged"),
        (gzip.compress(b"0" * (17 << 20)), "more than any log"),
        (gzip.compress(mjlog(GAME))[:-20], "cut off"),
        (b"\x1f\x8bnonsense", "damaged"),
        (b"0" * (17 << 20), "more than 16 MiB"),
        (b'{"log": [[1]], "name": ["a", "b", "c", "d"]}', "not whole"),
        (b'{"log": [], "name": ["a", "b", "c", "d"]}', "no hand"),
        (b'[{"type": "start_game"}]', "no hand"),
        (b'[{"type": "start_game"}, {"type": "start_kyoku"}]', "not whole"),
        (b'{"records": [{"name": ".lq.RecordNewRound", "data": {}}]}', "not whole"),
        (mjai(GAME).replace(b'"8s"', b'"?"', 1), "hides tiles"),
        (mjai(GAME).replace(b'"8s"', b'"8x"', 1), "cannot be read"),
        (text(to_tenhou6(GAME)).replace(b"43,", b"99,", 1), "no tile"),
    ],
)
def test_what_is_wrong_is_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(LogError) as caught:
        log = read_log(data)
        assert log is not None
        play_log(log)
    assert sentence in str(caught.value) and "\n" not in str(caught.value) and str(caught.value).endswith(".")


@pytest.mark.parametrize("other", [b"", b"{}", b"[]", b"\xff\xfe", b'{"event": "start"}', b"[" * 100_000])
def test_what_is_no_log_is_left_to_others(other: bytes) -> None:
    assert read_log(other) is None


@settings(max_examples=60, deadline=None)
@given(format_=st.sampled_from(list(FORMATS)), at=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_a_damaged_log_is_read_or_refused(format_: str, at: int, byte: int) -> None:
    data = bytearray(FORMATS[format_](GAME))
    data[at % len(data)] = byte
    try:
        log = read_log(bytes(data))
        if log is not None:
            play_log(log)
    except LogError as error:
        assert "\n" not in str(error)


# --- the command line ---------------------------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "120"})


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "game.mjlog"
    path.write_bytes(FORMATS["mjlog, gzipped"](GAME))
    return str(path)


def test_the_sheet_of_a_log(file: str) -> None:
    done = run("game", file)
    assert done.exit_code == 0, done.output
    assert "Aki 18,000, ron from Ben" in done.stdout and "3 hands. All payments agree" in done.stdout
    assert "3局、支払いはすべて牌譜どおり" in run("game", file, "--lang", "ja").stdout
    about = json.loads(run("game", file, "--json").stdout)["log"]
    assert about == {"format": "mjlog", "hands": 3, "cut": False, "differences": []}


def test_a_difference_is_told_in_the_sheet(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(mjai(replace(GAME, deals=(replace(FIRST, paid=(13000, -12000, 0, 0)),))))
    shown = run("game", str(path)).stdout
    assert "differs in 1 of 1 hands" in shown
    assert "East 1: by the rules +19,000, -18,000, +0, +0, in the log +13,000, -12,000" in shown


def test_the_lesson_of_a_hand(file: str) -> None:
    shown = run("game", file, "--explain", "2").stdout
    assert "Haneman, 6 han" in shown and "12,300" in shown
    for number, sentence in (("0", "1 to 3"), ("9", "1 to 3")):
        done = run("game", file, "--explain", number)
        assert done.exit_code and sentence in done.output


@pytest.mark.parametrize("format_", ["record", "tenhou6", "mjai"])
def test_a_log_is_written_again(file: str, tmp_path: Path, format_: str) -> None:
    written = tmp_path / "again"
    written.write_text(run("game", file, "--export", format_).stdout, encoding="utf-8")
    again = opened(str(written))
    assert again.played.game.points == (36900, 19300, 20900, 22900)
    if format_ == "record":
        refused = run("game", str(written), "--export", "mjai")
        assert refused.exit_code and "has no discards" in refused.output
    assert "one of record, tenhou6, mjai" in run("game", file, "--export", "sgf").output


@pytest.mark.parametrize("format_", ["tenhou6", "mjai"])
def test_a_log_without_payments_is_written_with_those_of_the_rules(format_: str, tmp_path: Path) -> None:
    events = [{name: said for name, said in event.items() if name != "deltas"} for event in to_mjai(GAME)]
    path = tmp_path / "game.mjson"
    path.write_bytes(b"\n".join(map(text, events)))
    written = read(run("game", str(path), "--export", format_).stdout.encode())
    assert [deal.paid for deal in written.deals] == [deal.paid for deal in GAME.deals]


def test_drills_of_ones_own_hands(file: str, tmp_path: Path) -> None:
    """Their score, and what they waited for before the win."""
    hands = read_own(file, Random(1)).hands
    assert [(hand.source, hand.known) for hand in hands] == [
        ("East 1", True),
        ("East 1-1", True),
        ("East 2", True),
    ]
    page = tmp_path / "drills.html"
    for level in ("score", "tenpai", "discard"):
        done = run(
            "learn", "--from", file, "--level", level, "--count", "3", "--seed", "1", "--sheet", str(page)
        )
        assert done.exit_code == 0, done.output
        page.unlink()


def test_a_log_of_later_hands_alone_is_no_game_and_gives_its_hands_to_drills(tmp_path: Path) -> None:
    path = tmp_path / "part.mjson"
    path.write_bytes(mjai(replace(GAME, deals=(THIRD,))))
    refused = run("game", str(path))
    assert refused.exit_code == 2 and "begins with East 2: only a game from its first hand" in refused.output
    with pytest.raises(LogError, match="have 120,000 points together, and by Tenhou 100,000: name its rules"):
        play_log(replace(GAME, deals=(replace(FIRST, points=(30000,) * 4),)))
    assert [hand.source for hand in read_own(str(path), Random(1)).hands] == ["East 2"]
    path.write_bytes(mjai(replace(GAME, deals=(replace(THIRD, moves=THIRD.moves[1:]),))))
    wrong = run("learn", "--from", str(path), "--sheet", str(tmp_path / "sheet.html"))
    assert wrong.exit_code == 2 and "the log cannot be followed" in wrong.output


def test_drills_of_the_discards_of_a_game(file: str) -> None:
    """What each player held, without what a riichi or a call decides."""
    found = read_own(file, Random(1)).discards
    assert {one.player for one in found} == {*NAMES} and all(len(one.tiles) % 3 == 2 for one in found)
    first, *_, last = found
    assert (first.source, str(first.tiles[-1]), str(first.chosen)) == ("East 1, Aki", "4z", "4z")
    assert not [one for one in found if one.source == "East 1, Aki" and str(one.tiles[-1]) == "1m"]  # riichi
    assert str(last.win.seat_wind) == "E" and last.melds == ()
    setting = Setting(load_rules("ema2008"))
    posed = []
    for one in found:
        for what in ("ready", "one", "two"):
            if exercise := what_was_discarded(what, one, setting):
                posed.append(one)
                assert exercise.origin == one.origin and exercise.shown.melds == one.melds
                answer = exercise.parts[0].answer
                best = discards(one.tiles, one.melds)[0]
                assert answer.credit(str(best.tile)) == 1
                told = Texts("en", "english").text(exercise.explanation[-1].lines[0].sentence)
                assert told.startswith(f"In the game {one.player} discarded")
    assert posed
    bench = Bench(setting, Random(3), read_own(file, Random(1)))
    origins = [bench.exercise(f"discard.{what}").origin for what in ("one", "two", "one", "two")]
    assert any(origin in [one.origin for one in posed] for origin in origins)


def test_old_yaku_that_a_log_shows() -> None:
    """Won on the tile that declared riichi, and on the discard after a kong, where the rules have that."""
    waits = parse_tiles("234m345p345678s4z")
    old = parse_rules('base = "tenhou"\n[yaku]\ntsubame_gaeshi = [1, 1]\nkanburi = [1, 1]')
    hands = (FIRST.hands[0], waits, *FIRST.hands[2:])
    riichi = replace(FIRST, hands=hands, moves=FIRST.moves[:2], end=(LoggedWin(1, 0),), paid=None)
    kong = next(at for at, move in enumerate(SECOND.moves) if move == Discard(3, Tile("4z")))
    after = replace(
        SECOND,
        hands=(waits, *SECOND.hands[1:]),
        moves=SECOND.moves[4 : kong + 1],
        end=(LoggedWin(0, 3),),
        paid=None,
    )
    for deal, name in ((riichi, "tsubame_gaeshi"), (after, "kanburi")):
        (hand,) = event_of(deal, old)["hands"]
        assert [one for one in ("tsubame_gaeshi", "kanburi") if hand[one]] == [name]
        (plain,) = event_of(deal, load_rules("tenhou"))["hands"]
        assert not plain["tsubame_gaeshi"] and not plain["kanburi"]
