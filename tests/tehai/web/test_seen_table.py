"""What ``/api/read`` answers of the table around a hand."""

from __future__ import annotations

from dataclasses import replace

from starlette.testclient import TestClient

from tests.tehai.hand.test_table_facts import beside
from tests.tehai.readings import quad, row
from tests.tehai.web.fakes import FakeReader
from tests.tehai.web.test_api import read
from vision.players import SeenTable
from vision.reading import Reading, SeenTile

UNFINISHED = row("2234m345p345s5667s")


WAITING = row("234m345p345s5667s")


def two_rivers(hand: Reading = UNFINISHED) -> Reading:
    """An unfinished hand with its own river and that of the left player, who declared riichi."""
    left = beside("9s", "1z", "6s", riichi=1, turned=0.99, reading=hand, seat="left")
    near = beside("9m", "2z", reading=left)
    assert left.table is not None and near.table is not None
    return replace(near, table=SeenTable((*near.table.players, *left.table.players)))


def test_riichi_seen_comes_with_its_tile_and_words(client: TestClient, reader: FakeReader) -> None:
    reader.readings = [beside("1z", "9m", "2z", riichi=1, turned=0.8, stick=True)]
    reply = read(client)
    riichi = reply["seen_table"]["facts"][0]
    assert (riichi["field"], riichi["value"], riichi["known"]) == ("riichi", True, "seen")
    assert [reply["reading"]["tiles"][at]["label"] for at in riichi["tiles"]] == ["9m"]
    assert "stick" in riichi["texts"]["en"] and "リーチ棒" in riichi["texts"]["ja"]
    assert reply["seen_table"]["rivers"] is None


def test_what_a_person_said_is_no_fact_of_the_photo(client: TestClient, reader: FakeReader) -> None:
    reader.readings = [beside("1z", "9m", "2z", riichi=1, turned=0.8, stick=True)]
    facts = read(client, record='{"riichi": false}')["seen_table"]["facts"]
    assert "riichi" not in [fact["field"] for fact in facts]


def test_rivers_come_as_a_request_takes_them(client: TestClient, reader: FakeReader) -> None:
    reader.readings = [two_rivers()]
    reply = read(client)
    assert reply["seen_table"] == {
        "facts": [], "rivers": "//9s1z6s", "riichi_by": "left", "seen": "", "discards": "9m2z",
        "turned": {"left": 1},
    }  # fmt: skip
    assert all(one["risks"] for one in reply["advice"]["discards"])


def test_a_doubtful_discard_is_in_no_river(client: TestClient, reader: FakeReader) -> None:
    table = two_rivers()
    tiles = [replace(one, probability=0.85) if one.label in ("2z", "1z") else one for one in table.tiles]
    reader.readings = [replace(table, tiles=tuple(tiles))]
    seen = read(client)["seen_table"]
    assert (seen["rivers"], seen["riichi_by"], seen["discards"]) == ("//96s", "left", "9m")
    assert "left" not in seen["turned"], "the tile that was turned is the doubtful one"


def with_a_pon(table: Reading, called: str) -> Reading:
    """The same where another player has called a set of these tiles."""
    tiles = [SeenTile(quad(50 + k), called, 0.99, ("1m", 0.01)) for k in range(3)]
    return replace(table, tiles=(*table.tiles, *tiles))


def test_what_others_have_called_is_drawn_by_nobody(client: TestClient, reader: FakeReader) -> None:
    """The hand waits for 3s, too; three of them lie in another player's set."""
    reader.readings = [two_rivers(WAITING), with_a_pon(two_rivers(WAITING), "3s")]
    alone, called = read(client), read(client)
    assert (alone["seen_table"]["seen"], called["seen_table"]["seen"]) == ("", "333s")
    assert alone["advice"]["draws"]["left"] - called["advice"]["draws"]["left"] > 0
    body = {"record": called["record"], **{name: called["seen_table"][name] for name in ("rivers", "seen")}}
    assert client.post("/api/score", json=body).json()["advice"] == called["advice"]
    assert client.post("/api/lesson", json=body).status_code == 200


def test_what_is_seen_are_tiles(client: TestClient) -> None:
    record = {"concealed": "2234m345p345s5667s"}
    for seen in (7, "1q", "1m" * 121):
        assert client.post("/api/score", json={"record": record, "seen": seen}).status_code == 422


def test_without_a_table_there_is_none(client: TestClient) -> None:
    assert read(client)["seen_table"] is None
