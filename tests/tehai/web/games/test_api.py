"""``/api/games``: booking, conflicts, following; and that a stranger neither sees nor changes a game."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from tehai.server.limits import Limits
from tehai.server.security import LOOPBACK, Access
from tehai.web.app import make_app
from tehai.web.games import api, following
from tehai.web.games.api import GamesApi
from tehai.web.games.store import FILE, GameStore
from tehai.web.request_rules import RequestRules
from tehai.web.worker_pool import WorkerPool
from tests.scorer.short_games import DRAW, RON, start, win
from tests.tehai.web.conftest import HERE, Serving, served
from tests.tehai.web.games.logs import EMPTY, entry

TOKEN = "s3cret"


@pytest.fixture
def app(pool: WorkerPool, tmp_path: Path) -> Iterator[Any]:
    with GameStore(tmp_path / "games") as store:
        yield make_app(pool, games=GamesApi(store, pool, RequestRules()))


@pytest.fixture
def guarded(pool: WorkerPool, tmp_path: Path) -> Iterator[Any]:
    """The same for phones in a network."""
    with GameStore(tmp_path / "games") as store:
        yield make_app(pool, Access(LOOPBACK, token=TOKEN), games=GamesApi(store, pool, RequestRules()))


@pytest.fixture
def phone(app: Any) -> TestClient:
    return TestClient(app, base_url=HERE)


def begun(phone: TestClient | httpx.Client, *events: dict[str, Any]) -> dict[str, Any]:
    entries = [entry(f"e{at}", event) for at, event in enumerate((start(), *events))]
    answer = phone.post("/api/games", json={"entries": entries})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def book(phone: TestClient | httpx.Client, game: dict[str, Any], name: str, event: Any, **more: Any) -> Any:
    body = {"after": game["number"], "id": name, "add": entry(name, event), **more}
    return phone.post(f"/api/games/{game['id']}/changes", json=body)


def code(answer: Any) -> tuple[int, str]:
    refusal = answer.json()
    assert refusal["error"].endswith((".", "。")) and refusal["id"] == answer.headers["x-request-id"]
    return answer.status_code, refusal["code"]


def test_a_game_is_begun_booked_into_and_found_again(phone: TestClient) -> None:
    assert phone.get("/api/health").json()["games"] is True
    assert phone.get("/api/games").json() == []
    game = begun(phone, DRAW)
    assert game["number"] == 2 and game["stands"]["name"] == "East 1-1"
    answer = book(phone, game, "b", win(RON)).json()
    assert answer["number"] == 3 and answer["stands"]["hands"][-1]["text"].startswith("Chie 1,300")
    assert [one["id"] for one in answer["entries"]] == ["e0", "e1", "b"]
    again = phone.get(f"/api/games/{game['id']}", params={"lang": "ja"}).json()
    assert again["number"] == 3 and again["stands"]["name"] == "東2局"
    (listed,) = phone.get("/api/games").json()
    assert listed["players"] == start()["players"] and (listed["number"], listed["events"]) == (3, 3)
    assert listed["over"] is False
    assert book(phone, answer, "end", {"event": "end"}).status_code == 200
    assert phone.get("/api/games").json()[0]["over"] is True
    log = phone.get(f"/api/games/{game['id']}/changes", params={"after": 2}).json()
    assert [(line["number"], line["id"]) for line in log] == [(3, "b"), (4, "end")]


def test_the_second_booking_of_a_hand_is_caught(phone: TestClient) -> None:
    game = begun(phone)
    assert book(phone, game, "a", DRAW).status_code == 200
    second = book(phone, game, "b", EMPTY)
    assert code(second) == (409, "game_conflict") and "Another phone" in second.json()["error"]
    assert second.json()["changes"][0]["add"]["event"] == DRAW
    japanese = phone.post(
        f"/api/games/{game['id']}/changes",
        json={"after": 1, "id": "c", "remove": 2},
        headers={"Accept-Language": "ja"},
    )
    assert "ほかの端末" in japanese.json()["error"]
    assert book(phone, game, "a", DRAW).status_code == 200  # sent again: it stands already
    assert phone.get(f"/api/games/{game['id']}").json()["number"] == 2


def test_what_a_change_makes_impossible_is_refused_with_its_event(phone: TestClient) -> None:
    game = begun(phone, DRAW, win(RON))
    wrong = {"after": 3, "id": "x", "replace": 2, "entry": entry("x", {"event": "end"})}
    answer = phone.post(f"/api/games/{game['id']}/changes", json=wrong)
    assert code(answer) == (422, "bad_game") and answer.json()["event"] == 3
    assert phone.get(f"/api/games/{game['id']}").json()["number"] == 3


@pytest.mark.parametrize(
    "body",
    [{}, {"entries": []}, {"entries": {}}, {"entries": [1]}, {"entries": [entry("a", DRAW)]},
     {"entries": [entry("a", {**start(), "rules": "/etc/hosts.toml"})]},
     {"entries": [entry("a", {**start(), "rules": "../../pyproject.toml"})]},
     {"entries": [entry("a", {**start(), "players": ["x" * 99, "b", "c", "d"]})]},
     {"entries": [entry("a", start()), entry("a", EMPTY)]},
     {"entries": [entry(f"e{at}", start()) for at in range(301)]},
     {"entries": [entry("a", start())], "lang": "xx"}],
)  # fmt: skip
def test_what_is_no_game_is_refused(phone: TestClient, body: Any) -> None:
    assert code(phone.post("/api/games", json=body))[0] == 422
    assert phone.get("/api/games").json() == []


def test_what_is_no_change_is_refused(phone: TestClient) -> None:
    game = begun(phone)
    path = f"/api/games/{game['id']}/changes"
    for body in ({}, {"after": -1, "id": "a", "remove": 2}, {"after": "1", "id": "a", "remove": 2},
                 {"after": True, "id": "a", "remove": 2}, {"after": 1, "id": "a", "remove": 1}):  # fmt: skip
        assert code(phone.post(path, json=body))[0] == 422
    nan = '{"after": 1, "id": "a", "add": {"id": "a", "at": "", "event": {"event": "draw", "x": NaN}}}'
    headers = {"Content-Type": "application/json"}
    assert code(phone.post(path, content=nan, headers=headers))[0] == 422
    deep = '{"after": 1, "id": "a", "add": {"id": "a", "event": {"x": ' + "[" * 900 + "]" * 900 + "}}}"
    assert code(phone.post(path, content=deep, headers=headers))[0] in (400, 422)
    for wrong in ("none", "newest", "..%2f", "x" * 500):
        assert (
            code(phone.post(f"/api/games/{wrong}/changes", json={"after": 0, "id": "a", "remove": 2}))[0]
            == 404
        )
        assert phone.get(f"/api/games/{wrong}").status_code in (200, 404)
    for after in ("x", "-1", "1e9", "9" * 40, "²"):
        assert code(phone.get(path, params={"after": after}))[0] == 422


def test_a_game_has_only_so_many_bytes(phone: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun(phone)
    monkeypatch.setattr(api, "LARGEST", 1000)
    assert code(book(phone, game, "a", {**DRAW, "note": ["x" * 50] * 20})) == (413, "too_large")


def test_who_has_no_token_sees_and_changes_nothing(guarded: Any) -> None:
    phone, guest = TestClient(guarded, base_url=HERE), TestClient(guarded, base_url=HERE)
    assert phone.get(f"/table?t={TOKEN}").status_code == 200
    game = begun(phone, DRAW)
    path = f"/api/games/{game['id']}"
    for asked in (
        "/api/games",
        path,
        f"{path}/changes",
        f"{path}/follow",
        "/api/games/newest/follow",
        "/table/",
    ):
        assert guest.get(asked).status_code == 401, asked
    assert [one.get("/api/health").json()["games"] for one in (phone, guest)] == [True, False]
    assert guest.post("/api/games", json={"entries": [entry("z", start())]}).status_code == 401
    assert book(guest, game, "b", EMPTY).status_code == 401
    elsewhere = {"after": 2, "id": "b", "add": entry("b", EMPTY)}
    foreign = phone.post(f"{path}/changes", json=elsewhere, headers={"Origin": "https://evil.example"})
    assert foreign.status_code == 403
    assert phone.get(path).json()["number"] == 2 and len(phone.get("/api/games").json()) == 1


def test_without_games_there_are_none(client: TestClient) -> None:
    assert client.get("/api/health").json()["games"] is False
    for path in ("/api/games", "/table/", "/table"):
        assert client.get(path).status_code == 404


# --- following ------------------------------------------------------------------------------------------


@contextmanager
def following_(port: int, game: str, **cookies: Any) -> Iterator[Iterator[dict[str, Any]]]:
    """The views that one who follows is sent."""
    address = f"http://localhost:{port}/api/games/{game}/follow"
    with httpx.stream("GET", address, timeout=60, **cookies) as answer:
        assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/event-stream")
        yield (json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: "))


def test_followers_see_each_hand_as_it_is_booked(app: Any, serving: Serving) -> None:
    port = serving(app)
    with httpx.Client(base_url=f"http://localhost:{port}", timeout=60) as phone:
        with following_(port, "newest") as screen:
            assert next(screen)["id"] is None
            game = begun(phone)
            assert next(screen)["id"] == game["id"]
            with following_(port, game["id"]) as other:
                assert next(other)["number"] == 1
                booked = book(phone, game, "a", DRAW).json()
                assert next(screen)["stands"] == next(other)["stands"] == booked["stands"]
        assert code(phone.get("/api/games/none/follow")) == (404, "no_game")


def test_six_phones_at_once_book_a_hand_once(app: Any, serving: Serving) -> None:
    port = serving(app)
    together = threading.Barrier(6)
    with httpx.Client(base_url=f"http://localhost:{port}", timeout=60) as first:
        game = begun(first)

        def evening(number: int) -> list[int]:
            with httpx.Client(base_url=f"http://localhost:{port}", timeout=60) as phone:
                together.wait()
                return [
                    book(phone, {**game, "number": 1 + hand}, f"h{hand}-{number}", EMPTY).status_code
                    for hand in range(3)
                ]

        with following_(port, game["id"]) as screen, ThreadPoolExecutor(6) as phones:
            statuses = [one for many in phones.map(evening, range(6)) for one in many]
            stands = first.get(f"/api/games/{game['id']}").json()
            assert next(view for view in screen if view["number"] == stands["number"]) == stands
    assert statuses.count(200) == stands["number"] - 1 == len(stands["entries"]) - 1
    assert set(statuses) <= {200, 409} and statuses.count(200) >= 1


def test_there_are_only_so_many_followers(
    pool: WorkerPool, tmp_path: Path, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fifth of one client lets his first one go; more than all together may be are refused."""
    monkeypatch.setattr(following, "EACH", 1)
    store = GameStore(tmp_path)
    port = serving(make_app(pool, games=GamesApi(store, pool, RequestRules(), Limits(followers=1))))
    with following_(port, "newest") as first:
        assert next(first)["number"] == 0
        with following_(port, "newest") as second:
            assert next(second)["number"] == 0
            assert list(first) == []  # let go
            monkeypatch.setattr(following, "EACH", 9)
            answer = httpx.get(f"http://localhost:{port}/api/games/newest/follow", timeout=60)
            assert code(answer) == (429, "busy")


def test_followers_share_one_replay(app: Any, serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many look, the scorer plays a game once for each language after a change."""
    replays = 0
    play = api.played

    def counted(*args: Any) -> Any:
        nonlocal replays
        replays += 1
        return play(*args)

    monkeypatch.setattr(following, "EACH", 12)
    port = serving(app)
    with httpx.Client(base_url=f"http://localhost:{port}", timeout=60) as phone, ExitStack() as stack:
        game = begun(phone)
        ids = [game["id"], "newest"]
        screens = [stack.enter_context(following_(port, ids[number % 2])) for number in range(12)]
        for screen in screens:
            assert next(screen)["number"] == 1
        monkeypatch.setattr(api, "played", counted)
        booked = book(phone, game, "a", DRAW).json()
        assert all(next(screen)["stands"] == booked["stands"] for screen in screens)
    assert replays <= 4, "one that checks, one that answers, one for each of the two addresses"


def test_cookies_of_one_address_do_not_shut_out_the_big_screen(
    pool: WorkerPool, tmp_path: Path, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "EACH_ADDRESS", 2)
    games = GamesApi(GameStore(tmp_path), pool, RequestRules(), Limits(followers=3))
    port = serving(make_app(pool, Access(LOOPBACK, token=TOKEN), games=games))
    access = Access(LOOPBACK, token=TOKEN)
    name = access.cookie_name(f"localhost:{port}")
    with ExitStack() as stack:
        for _ in range(4):  # each lets the first one of the same address go
            screen = stack.enter_context(following_(port, "newest", cookies={name: access.new_cookie()}))
            assert next(screen)["id"] is None
        with (
            httpx.Client(
                transport=httpx.HTTPTransport(local_address="127.0.0.9"), cookies={name: access.new_cookie()}
            ) as other,
            other.stream("GET", f"http://localhost:{port}/api/games/newest/follow") as answer,
        ):
            assert answer.status_code == 200


def test_a_game_that_is_damaged_spoils_no_other(
    phone: TestClient, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = begun(phone), None
    entries = [entry("other", start())]
    second = phone.post("/api/games", json={"entries": entries}).json()
    with closing(sqlite3.connect(tmp_path / "games" / FILE)) as file, file:
        file.execute("UPDATE changes SET change = '{' WHERE game = ?", (second["id"],))
    assert [one["id"] for one in phone.get("/api/games").json()] == [first["id"]]
    assert phone.get("/api/games/newest").json()["id"] == first["id"]
    assert code(phone.get(f"/api/games/{second['id']}")) == (507, "damaged")
    assert book(phone, first, "a", DRAW).status_code == 200
    named = [record.getMessage() for record in caplog.records if second["id"] in record.getMessage()]
    assert len(named) == 1 and "change 1" in named[0] and "backup" in named[0]


@pytest.mark.parametrize("fate", ["deleted", "replaced"])
def test_a_file_that_is_gone_takes_nothing(phone: TestClient, tmp_path: Path, fate: str) -> None:
    game = begun(phone)
    file = tmp_path / "games" / FILE
    copy = file.read_bytes()
    file.unlink()
    if fate == "replaced":
        (tmp_path / "new").write_bytes(copy)
        (tmp_path / "new").rename(file)
    refused = book(phone, game, "a", DRAW)
    assert code(refused) == (507, "not_kept") and "start tehai serve again" in refused.json()["error"]
    assert phone.get(f"/api/games/{game['id']}").json()["number"] == 1, "nothing was booked"


def test_who_follows_does_not_hold_up_the_end(app: Any, caplog: pytest.LogCaptureFixture) -> None:
    with served(app) as port, httpx.Client(timeout=60) as screen:
        address = f"http://localhost:{port}/api/games/newest/follow"
        answer = screen.send(screen.build_request("GET", address), stream=True)
        lines = answer.iter_lines()
        assert next(lines).startswith("retry")
    assert "graceful shutdown exceeded" not in caplog.text
