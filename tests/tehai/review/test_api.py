"""The endpoints, as the page asks them."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from tehai.label import journal
from tehai.review.app import make_app
from tehai.server.security import LOOPBACK, Access
from tehai.server.sessions import Sessions
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.review.conftest import (
    HERE,
    ROTATION,
    FakeReader,
    Opening,
    Serving,
    key_of,
    picture,
    put,
    sent,
)

KEY = key_of("a.jpg")
LINES = (
    photo("a.jpg", tile("1m"), tile("2m", 200, margin=0.2)),
    photo("b.jpg", tile("1m"), tile("3m", 200)),
)


@pytest.fixture
def client(serving: Serving) -> TestClient:
    return serving(*LINES)


def test_the_queue_and_its_pages(client: TestClient) -> None:
    reply = client.get("/api/queue").json()
    assert reply["total"] == 2
    assert reply["counts"] == {
        "states": {"unreviewed": 2},
        "faces": {"1m": 2, "2m": 1, "3m": 1},
        "folders": {".": 2},
        "kinds": {"margin": 1},
    }
    first, second = reply["photos"]
    assert first.keys() == {"key", "path", "revision", "state", "tiles", "hardness", "why"}
    assert (first["path"], first["tiles"], first["why"][0]["id"]) == ("a.jpg", 2, "margin")
    assert client.get("/api/queue?offset=1&limit=1").json()["photos"] == [second]
    assert client.get("/api/queue?state=all&face=3m").json()["photos"] == [second]
    assert client.get("/api/me").json() == {"by": "anna"}


def test_photos_that_are_nearly_alike_come_in_groups(serving: Serving) -> None:
    first = photo("a.jpg", tile("1m"))
    lines = [photo(f"{name}.jpg", phash=first["phash"]) for name in "bc"]
    pair = [photo(f"{name}.jpg", phash="0f" * 32) for name in "xy"]
    client = serving(first, *lines, photo("other.jpg"), *pair)
    answer = client.get("/api/alike").json()
    found = [[one["path"] for one in group] for group in answer["groups"]]
    assert answer["total"] == 2 and found == [["a.jpg", "b.jpg", "c.jpg"], ["x.jpg", "y.jpg"]]
    assert answer["groups"][0][0]["tiles"] == 1
    assert len(client.get("/api/alike?offset=1&limit=1").json()["groups"]) == 1


def test_a_photo_with_all_that_is_known_of_it(client: TestClient) -> None:
    reply = client.get(f"/api/photos/{KEY}").json()
    assert {name: reply[name] for name in ("key", "path", "revision", "state", "width", "height")} == {
        "key": KEY, "path": "a.jpg", "revision": 1, "state": "unreviewed", "width": 640, "height": 480,
    }  # fmt: skip
    assert [one["doubt"] for one in reply["tiles"]] == [False, True]
    assert [{**one, "doubt": None} for one in reply["tiles"]] == [
        {**one, "doubt": None} for one in reply["model"]
    ]
    (only,) = reply["history"]
    assert only == {**LINES[0]["review"], "revision": 1, "tiles": 2}


def test_a_review_is_a_new_revision_and_undone_by_another(client: TestClient) -> None:
    before = client.get(f"/api/photos/{KEY}").json()
    changed = [{**one, "label": "9p"} if at else one for at, one in enumerate(sent(before))]
    after = put(client, KEY, after=1, state="accepted", tiles=changed, by="bob").json()
    assert (after["state"], after["revision"], after["history"][-1]["by"]) == ("corrected", 2, "bob")
    assert [one["doubt"] for one in after["tiles"]] == [False, False]
    assert after["model"] == LINES[0]["tiles"]
    assert "disagree" in [one["id"] for one in after["why"]]
    assert client.get("/api/queue").json()["total"] == 1
    back = put(client, KEY, after=2, state="unreviewed", tiles=sent(before)).json()
    assert (back["state"], back["tiles"], back["history"][-1]["by"]) == (
        "unreviewed",
        before["tiles"],
        "anna",
    )
    older = client.get(f"/api/photos/{KEY}/revisions/2").json()
    assert (older["revision"], older["state"], older["tiles"]) == (2, "corrected", after["tiles"])
    assert len(older["history"]) == 3


def test_two_tabs_and_two_processes_never_lose_work(serving: Serving) -> None:
    one = serving(*LINES)
    other = serving()
    assert put(one, KEY, after=1, state="rejected", by="anna").status_code == 200
    for client in (one, other):
        late = put(client, KEY, after=1, state="accepted", by="bob")
        assert late.status_code == 409
        reply = late.json()
        assert reply["code"] == "conflict" and reply["error"].startswith("anna has changed this photo")
        assert reply["latest"] == client.get(f"/api/photos/{KEY}").json()
        assert reply["latest"]["state"] == "rejected"
    assert put(other, KEY, after=2, state="accepted", by="bob").json()["revision"] == 3
    assert put(one, KEY, after=7, state="accepted").status_code == 409
    assert [line["by"] for line in one.get(f"/api/photos/{KEY}").json()["history"]] == [
        "models",
        "anna",
        "bob",
    ]


def test_refusals_in_japanese(serving: Serving) -> None:
    client = serving(*LINES)
    client.headers["Accept-Language"] = "ja"
    assert put(client, KEY, after=1, state="rejected", by="anna").status_code == 200
    late = put(client, KEY, after=1, state="accepted", by="bob").json()
    assert (late["code"], late["error"]) == ("conflict", "この写真は、その間にほかの人が変更しました。")
    assert client.get("/api/photos/00").json()["error"] == "お探しのものはここにはありません。"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/api/photos/00", None, 404, "not_found"),
        ("GET", f"/api/photos/{KEY}/revisions/2", None, 404, "not_found"),
        ("GET", f"/api/photos/{KEY}/revisions/0", None, 404, "not_found"),
        ("GET", "/api/photos/00/image", None, 404, "not_found"),
        ("GET", f"/api/photos/{KEY}/crops/2", None, 404, "not_found"),
        ("GET", f"/api/photos/{KEY}/crops/0?revision=2", None, 404, "not_found"),
        ("PUT", "/api/photos/00", {"after": 1, "state": "accepted"}, 404, "not_found"),
        ("PUT", f"/api/photos/{KEY}", {"after": 1, "state": "fine"}, 422, "bad_field"),
        ("PUT", f"/api/photos/{KEY}", [], 422, "bad_field"),
        ("POST", f"/api/photos/{KEY}/read", {"quads": [[1]]}, 422, "bad_field"),
        ("POST", f"/api/photos/{KEY}/read", {}, 422, "bad_field"),
        ("GET", "/api/queue?state=odd", None, 422, "bad_field"),
        ("GET", "/api/queue?face=5z5", None, 422, "bad_field"),
        ("GET", "/api/queue?kind=odd", None, 422, "bad_field"),
        ("GET", "/api/queue?limit=0", None, 422, "bad_field"),
        ("GET", "/api/queue?limit=1001", None, 422, "bad_field"),
        ("GET", "/api/queue?offset=-1", None, 422, "bad_field"),
        ("GET", "/api/queue?offset=²", None, 422, "bad_field"),
        ("GET", "/api/faces/none", None, 422, "bad_field"),
        ("GET", "/api/faces/1m?state=odd", None, 422, "bad_field"),
        ("GET", "/api/auto?margin=nan", None, 422, "bad_field"),
        ("GET", f"/api/photos/{KEY}/image?side=9", None, 422, "bad_field"),
        ("POST", "/api/auto", {"margin": 0}, 422, "bad_field"),
        ("POST", "/api/auto", {"margin": True}, 422, "bad_field"),
        ("POST", "/api/auto", {"margin": 10**400}, 422, "bad_field"),
        ("POST", "/api/auto", {"margin": 0.9, "by": ""}, 422, "bad_field"),
        ("POST", "/api/faces", {"changes": [{"key": KEY}]}, 422, "bad_field"),
        ("POST", "/api/faces", {"changes": 5}, 422, "bad_field"),
        (
            "POST",
            "/api/faces",
            {"changes": [{"key": KEY, "after": 1, "tile": 2, "label": "1m"}]},
            422,
            "bad_field",
        ),
        (
            "POST",
            "/api/faces",
            {"changes": [{"key": KEY, "after": 1, "tile": 0, "label": "x"}]},
            422,
            "bad_field",
        ),
        (
            "POST",
            "/api/faces",
            {"changes": [{"key": "0", "after": 1, "tile": 0, "label": "1m"}]},
            404,
            "not_found",
        ),
        ("GET", "/api/odd", None, 404, "not_found"),
        ("DELETE", f"/api/photos/{KEY}", None, 405, "not_found"),
        ("GET", "/tiles/8z.svg", None, 404, "no_tile"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    client: TestClient, method: str, path: str, body: Any, status: int, code: str
) -> None:
    answer = client.request(method, path, json=body)
    assert answer.status_code == status, answer.text
    reply = answer.json()
    assert reply["code"] == code and reply["error"].endswith(".")
    assert client.get("/api/queue").json()["counts"]["states"] == {"unreviewed": 2}, "and nothing is changed"


def test_only_the_page_of_this_machine_may_ask(client: TestClient) -> None:
    body = {"after": 1, "state": "rejected"}
    path = f"/api/photos/{KEY}"
    assert client.get("/api/queue", headers={"Host": "evil.example"}).status_code == 421
    assert client.get("/", headers={"Host": "192.168.0.7:8766"}).status_code == 421
    assert client.put(path, json=body, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.put(path, json=body, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert client.put(path, content="{}", headers={"Content-Type": "text/plain"}).status_code == 415
    answer = client.get("/api/queue")
    assert "access-control-allow-origin" not in answer.headers
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert client.get(path).json()["revision"] == 1


def test_the_page_its_scripts_and_tiles_are_served(client: TestClient) -> None:
    assert client.get("/").headers["content-type"].startswith("text/html")
    assert client.get("/shared/dom.js").headers["content-type"].startswith("text/javascript")
    assert client.get("/tiles/0m.svg").headers["content-type"] == "image/svg+xml"


# --- photos ---


def shown(folder: Path, serving: Serving, data: bytes, name: str = "a.jpg") -> tuple[TestClient, str]:
    """A server of a journal of one photo, which lies in its folder; and the photo's key."""
    (folder / name).write_bytes(data)
    key = hashlib.sha256(data).hexdigest()
    quad = [[20, 30], [60, 30], [60, 84], [20, 84]]
    return serving(photo(name, tile("1m", quad=quad), sha256=key, width=200, height=120)), key


def colours(data: bytes) -> tuple[tuple[int, int], str, str]:
    """Size, and which colour is at the left and at the right of the middle."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    width, height = image.size
    left, right = (image.getpixel((x, height // 2)) for x in (width // 8, width - width // 8))
    named = ["red" if colour[0] > colour[2] else "blue" for colour in (left, right)]
    return image.size, named[0], named[1]


@pytest.mark.parametrize(
    ("kind", "media"), [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("WEBP", "image/webp")]
)
def test_a_photo_is_sent_as_it_is(tmp_path: Path, serving: Serving, kind: str, media: str) -> None:
    data = picture(kind)
    client, key = shown(tmp_path, serving, data)
    answer = client.get(f"/api/photos/{key}/image")
    assert (answer.headers["content-type"], answer.headers["etag"]) == (media, f'"{key}"')
    assert answer.content == data
    again = client.get(f"/api/photos/{key}/image", headers={"If-None-Match": f'"{key}"'})
    assert (again.status_code, again.content) == (304, b"")
    small = client.get(f"/api/photos/{key}/image?side=100")
    assert colours(small.content) == ((100, 60), "red", "blue")
    assert small.headers["etag"] != answer.headers["etag"]


def test_a_turned_photo_is_sent_upright(tmp_path: Path, serving: Serving) -> None:
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    client, key = shown(tmp_path, serving, picture("JPEG", exif=exif))
    for side in ("", "?side=100"):
        data = client.get(f"/api/photos/{key}/image{side}").content
        assert colours(data)[1:] == ("blue", "red")
        assert Image.open(io.BytesIO(data)).getexif().get(0x0112, 1) == 1


def test_heic_is_sent_as_jpeg(tmp_path: Path, serving: Serving) -> None:
    from pillow_heif import register_heif_opener

    register_heif_opener()
    client, key = shown(tmp_path, serving, picture("HEIF"), "a.heic")
    answer = client.get(f"/api/photos/{key}/image")
    assert answer.headers["content-type"] == "image/jpeg"
    assert colours(answer.content) == ((200, 120), "red", "blue")


def test_a_file_that_is_no_photo_is_said(tmp_path: Path, serving: Serving) -> None:
    client, key = shown(tmp_path, serving, b"no photo at all")
    for path in ("image", "image?side=100", "crops/0"):
        answer = client.get(f"/api/photos/{key}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_photo")
        assert answer.json()["error"].startswith("The photo is ")


def test_a_tile_is_cut_out_upright(tmp_path: Path, serving: Serving) -> None:
    client, key = shown(tmp_path, serving, picture())
    answer = client.get(f"/api/photos/{key}/crops/0?revision=1")
    assert answer.headers["content-type"] == "image/jpeg" and "immutable" in answer.headers["cache-control"]
    pixels = np.asarray(Image.open(io.BytesIO(answer.content)).convert("RGB"))
    assert pixels.shape == (120, 96, 3)
    assert pixels[60, 48, 0] > 150 and pixels[60, 48, 2] < 50, "of the red half"
    (tmp_path / "a.jpg").unlink()
    assert client.get(f"/api/photos/{key}/crops/0?revision=1").content == answer.content, "kept for a while"
    assert "immutable" not in client.get(f"/api/photos/{key}/crops/0").headers["cache-control"]


def test_photos_that_are_away_are_said_and_review_goes_on(tmp_path: Path, serving: Serving) -> None:
    data = picture()
    client, key = shown(tmp_path, serving, data)
    (tmp_path / "a.jpg").rename(tmp_path / "b.jpg")
    for path in ("image", "image?side=100", "crops/0"):
        answer = client.get(f"/api/photos/{key}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "missing")
        assert answer.json()["error"].startswith("a.jpg is not there any more; ")
    (tmp_path / "a.jpg").write_bytes(picture(width=220))
    reply = client.get(f"/api/photos/{key}/image").json()
    assert reply["error"].startswith("a.jpg holds another photo than when it was labelled")
    drawn = {"quad": [[100, 30], [140, 30], [140, 84], [100, 84]], "label": "2m"}
    saved = put(client, key, after=1, state="corrected", tiles=[drawn])
    assert saved.status_code == 200 and saved.json()["tiles"][0]["margin"] is None
    with journal.writing(tmp_path / journal.NAME) as others:  # tehai label has found it again
        others.append({"kind": "gone", "path": "a.jpg"})
        assert "nowhere in the folder" in client.get(f"/api/photos/{key}/image").json()["error"]
        others.append({"kind": "place", "path": "b.jpg", "sha256": key})
    assert client.get(f"/api/photos/{key}/image").content == data
    assert client.get(f"/api/photos/{key}").json()["path"] == "b.jpg"


def test_a_file_of_the_right_name_outside_is_never_read(tmp_path: Path, serving: Serving) -> None:
    """A journal that somebody else made may name any path: only the content that was labelled is shown."""
    secret = tmp_path.parent / "secret.txt"
    secret.write_text("secret")
    client = serving(photo("../secret.txt", tile("1m")))
    answer = client.get(f"/api/photos/{key_of('../secret.txt')}/image")
    assert answer.status_code == 404 and "secret\n" not in answer.text


def test_the_network_says_which_way_round_a_drawn_tile_lies(
    tmp_path: Path, serving: Serving, reader: FakeReader
) -> None:
    client, key = shown(tmp_path, serving, picture())
    quad = [[20, 30], [60, 30], [60, 84], [20, 84]]
    ways = [quad[k:] + quad[:k] for k in range(4)]
    tiles = client.post(f"/api/photos/{key}/read", json={"quads": ways}).json()["tiles"]
    assert [one["quad"] for one in tiles] == ways
    assert {one["label"] for one in tiles} == {"7z"} and not any(one["doubt"] for one in tiles)
    # Turned clockwise by k quarters, its own top left is the corner k of those taken.
    expected = [0.9 * share / ROTATION[0] for share in ROTATION]
    assert [one["probability"] for one in tiles] == pytest.approx(expected, abs=1e-4)
    assert client.post(f"/api/photos/{key}/read", json={"quads": []}).json() == {"tiles": []}
    assert client.get(f"/api/photos/{key}").json()["revision"] == 1


def test_a_drawn_tile_is_saved_with_what_the_network_sees_there(
    tmp_path: Path, serving: Serving, reader: FakeReader
) -> None:
    client, key = shown(tmp_path, serving, picture())
    drawn = {"quad": [[100, 30], [140, 30], [140, 84], [100, 84]], "label": "2m"}
    before = sent(client.get(f"/api/photos/{key}").json())
    saved = put(client, key, after=1, state="accepted", tiles=[*before, drawn]).json()
    assert saved["state"] == "corrected"
    fresh = saved["tiles"][1]
    assert (fresh["label"], fresh["source"], fresh["top3"][0]) == ("2m", "person", ["7z", 0.9])
    assert fresh["margin"] == -0.9
    assert [len(quads) for quads in reader.looks] == [1, 2], "at what is new, then at all for their hand"


# --- all tiles of a face ---


def test_faces_come_least_sure_first(serving: Serving) -> None:
    client = serving(
        photo("a.jpg", tile("1m", margin=0.9), tile("1m", 200, margin=0.1)),
        photo("b.jpg", tile("1m", margin=0.5), state="accepted"),
        photo("c.jpg", tile("1m"), state="rejected"),
    )
    reply = client.get("/api/faces/1m").json()
    assert [(crop["path"], crop["tile"], crop["margin"]) for crop in reply["crops"]] == [
        ("a.jpg", 1, 0.1), ("b.jpg", 0, 0.5), ("a.jpg", 0, 0.9),
    ]  # fmt: skip
    assert reply["crops"][0].keys() == {
        "key", "revision", "tile", "quad", "label", "probability", "margin", "state", "path",
    }  # fmt: skip
    page = client.get("/api/faces/1m?offset=1&limit=1").json()
    assert (page["total"], page["crops"]) == (3, reply["crops"][1:2])
    assert client.get("/api/faces/1m?state=accepted").json()["total"] == 1
    assert client.get("/api/faces/9s").json() == {"total": 0, "crops": []}


def test_many_tiles_are_relabelled_in_one_go(client: TestClient) -> None:
    other = key_of("b.jpg")
    changes = [
        {"key": KEY, "after": 1, "tile": 0, "label": "7p"},
        {"key": KEY, "after": 1, "tile": 1, "label": "8p"},
        {"key": other, "after": 1, "tile": 0, "label": "9p"},
    ]
    reply = client.post("/api/faces", json={"changes": changes, "by": "bob"}).json()
    assert reply == {"saved": [{"key": KEY, "revision": 2}, {"key": other, "revision": 2}], "conflicts": []}
    photo_ = client.get(f"/api/photos/{KEY}").json()
    assert [one["label"] for one in photo_["tiles"]] == ["7p", "8p"]
    assert (photo_["state"], photo_["history"][-1]["by"]) == ("corrected", "bob")
    assert client.get("/api/queue").json()["total"] == 2, "the rest of the photos nobody has looked at yet"
    assert put(client, KEY, after=2, state="accepted").json()["state"] == "corrected"
    assert client.get("/api/queue").json()["total"] == 1
    assert "part" in put(client, KEY, after=3, state="corrected", back=2).json()["history"][-1]
    assert client.get("/api/queue").json()["total"] == 2, "undone: the rest has not been looked at"
    taken = [
        {"key": KEY, "after": 4, "tile": at, "label": one, "back": 1} for at, one in enumerate(("1m", "2m"))
    ]
    client.post("/api/faces", json={"changes": taken})
    assert client.get(f"/api/photos/{KEY}").json()["state"] == "unreviewed"
    mixed = [{**taken[0], "after": 5}, {**taken[1], "after": 5, "label": "7p", "back": None}]
    client.post("/api/faces", json={"changes": mixed})
    assert client.get(f"/api/photos/{KEY}").json()["tiles"][1]["label"] == "7p", "new labels beside it count"


def test_what_others_have_changed_is_no_part_of_it(client: TestClient) -> None:
    other = key_of("b.jpg")
    put(client, KEY, after=1, state="accepted", by="carl")
    changes = [
        {"key": KEY, "after": 1, "tile": 0, "label": "7p"},
        {"key": other, "after": 1, "tile": 0, "label": "9p"},
    ]
    reply = client.post("/api/faces", json={"changes": changes}).json()
    assert reply["saved"] == [{"key": other, "revision": 2}]
    (conflict,) = reply["conflicts"]
    assert conflict == {"key": KEY, "latest": client.get(f"/api/photos/{KEY}").json()}
    mixed = [{"key": other, "after": after, "tile": after - 1, "label": "1p"} for after in (1, 2)]
    assert [one["key"] for one in client.post("/api/faces", json={"changes": mixed}).json()["conflicts"]] == [
        other
    ]


def test_accepting_by_margins(client: TestClient) -> None:
    reply = client.get("/api/auto").json()
    assert (reply["margin"], reply["eligible"], reply["accepted"]) == (0.85, 1, 0)
    assert client.get("/api/auto?margin=0.1").json()["eligible"] == 2
    done = client.post("/api/auto", json={"margin": 0.9, "by": "bob"}).json()
    assert (done["margin"], done["eligible"], done["accepted"]) == (0.9, 0, 1)
    assert client.get("/api/auto").json()["margin"] == 0.9, "as it was set last"
    assert client.get(f"/api/photos/{key_of('b.jpg')}").json()["history"][-1]["by"] == "bob"


def test_a_journal_that_has_gone_is_said(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / journal.NAME).rename(tmp_path / "old.jsonl")
    answer = put(client, KEY, after=1, state="accepted")
    assert (answer.status_code, answer.json()["code"]) == (503, "journal")
    assert "has been moved or replaced" in answer.json()["error"]


def test_several_people_review_one_journal_each_under_a_name_of_his_own(
    opening: Opening, reader: FakeReader, tmp_path: Path
) -> None:
    """With the server's security: who has no token sees nothing."""
    line = photo("a.jpg", tile("1m"))
    store = opening(write(tmp_path, line))
    access = Access(LOOPBACK, token="s3cret")
    app = make_app(store, reader, "anna", access, Sessions("s3cret", tmp_path / "sessions"))
    stranger, one, other = (TestClient(app, base_url=HERE) for _ in range(3))
    for path in ("/", "/api/me", "/api/queue", f"/api/photos/{line['sha256']}", "/app.js"):
        assert stranger.get(path).status_code == 401, path
    address = f"/api/photos/{line['sha256']}"
    for after, phone in enumerate((one, other), 1):
        assert phone.get("/?t=s3cret").status_code == 200
        saved = phone.put(address, json={"after": after, "state": "accepted", "tiles": None})
        assert saved.status_code == 200, saved.text
    assert one.put(address, json={"after": 1, "state": "accepted", "tiles": None}).status_code == 409
    said = [line["review"]["by"] for line in store.history(line["sha256"])[1:]]
    assert len(set(said)) == 2 and all(name.startswith("guest ") for name in said)
    assert said[0] == one.get("/api/me").json()["by"] != other.get("/api/me").json()["by"]
    named = one.put(address, json={"after": 3, "state": "accepted", "tiles": None, "by": "Ben"})
    assert named.status_code == 200 and store.history(line["sha256"])[-1]["review"]["by"] == "Ben"
