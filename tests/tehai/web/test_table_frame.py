"""What ``/api/find`` answers of a frame of a table at which a game is played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.tehai.hand.test_table_facts import beside
from tests.tehai.web.fakes import FakeReader, jpeg
from tests.tehai.web.test_seen_table import two_rivers
from vision.reading import Reading

NOTHING = Reading("", 800, 600, (), None, {}, "error", "No tiles.")


def find(client: TestClient, **fields: str) -> dict[str, Any]:
    frame = {"photo": ("f.jpg", jpeg(2000, 200), "image/jpeg")}
    answer = client.post("/api/find", files=frame, data=fields)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def labels(found: dict[str, Any], river: dict[str, Any]) -> list[str]:
    return [found["tiles"][at]["label"] for at in river["tiles"]]


def test_the_rivers_of_a_table_say_who_laid_a_tile_turned(client: TestClient, reader: FakeReader) -> None:
    reader.readings = [two_rivers()]
    found = find(client, table="yes")
    assert (reader.tables, reader.frames_read) == (1, 0)
    near, left = found["rivers"]
    assert (near["seat"], labels(found, near), near["turned"]) == ("near", ["9m", "2z"], None)
    assert (left["seat"], labels(found, left)) == ("left", ["9s", "1z", "6s"])
    assert found["tiles"][left["turned"]]["label"] == "1z" and left["tiles"].index(left["turned"]) == 1
    assert found["waits"] == [] and "table" not in found


@pytest.mark.parametrize(
    ("turned", "stick", "is_turned"), [(0.99, False, True), (0.97, False, False), (0.8, True, True)]
)
def test_what_is_surely_turned_is_said_here_alone(
    client: TestClient, reader: FakeReader, turned: float, stick: bool, is_turned: bool
) -> None:
    reader.readings = [beside("9s", "1z", "6s", riichi=1, turned=turned, stick=stick)]
    [river] = find(client, table="yes")["rivers"]
    assert (river["turned"] is not None) is is_turned


def test_a_turned_tile_without_a_face_may_be_anything(client: TestClient, reader: FakeReader) -> None:
    seen = beside("9s", "?", "6s", riichi=1, turned=0.99)
    reader.readings = [seen]
    [river] = find(client, table="yes")["rivers"]
    assert river["turned"] is None and len(river["tiles"]) == 3


def test_an_unlikely_river_is_not_followed(client: TestClient, reader: FakeReader) -> None:
    reader.readings = [beside("9s", "1z", riichi=1, turned=0.99, sure=0.4), replace(NOTHING)]
    assert find(client, table="yes")["rivers"] == []
    found = find(client, table="yes")
    assert found["rivers"] == [] and found["advice"][0]["id"] == "point"


def test_of_a_table_no_tile_is_too_near_the_edge(client: TestClient, reader: FakeReader) -> None:
    seen = two_rivers()
    first = replace(seen.tiles[0], quad=((0, 0), (40, 0), (40, 54), (0, 54)))
    reader.readings = [replace(seen, tiles=(first, *seen.tiles[1:]))]
    assert "farther" in [one["id"] for one in find(client)["advice"]]
    assert "farther" not in [one["id"] for one in find(client, table="yes")["advice"]]


def test_a_frame_of_a_hand_has_no_rivers(client: TestClient, reader: FakeReader) -> None:
    reader.readings = [two_rivers()]
    assert "rivers" not in find(client) and reader.frames_read == 1
