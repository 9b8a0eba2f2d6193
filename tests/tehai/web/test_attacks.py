"""What must be refused: with the right status, without a crash, and with nothing written."""

from __future__ import annotations

import io
import json
import socket
import ssl
import struct
import tempfile
import threading
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from starlette.testclient import TestClient

from tehai.output.photo_archive import PhotoArchive
from tehai.server import connection
from tehai.server.certificate import certificate_for
from tehai.server.limits import Limits
from tehai.server.page import SHARED
from tehai.server.security import LOOPBACK, Access
from tehai.web.app import STATIC, make_app
from tehai.web.worker_pool import WorkerPool
from tests.tehai.web.conftest import HERE, Serving, served
from tests.tehai.web.fakes import FakeReader, jpeg

HAND = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": False}
SMALL = Limits(upload=100_000, frame=50_000, text=2_000)
HASTY = replace(SMALL, grace=0.4, slowest=1e9)


def photo(data: bytes, name: str = "shot.jpg") -> dict[str, Any]:
    return {"photo": (name, data, "image/jpeg")}


def code(answer: Any) -> tuple[int, str]:
    """Status and code of a refusal, which always has one sentence and the id of its request."""
    refusal = answer.json()
    assert refusal["error"].endswith(".") and refusal["id"] == answer.headers["x-request-id"]
    return answer.status_code, refusal["code"]


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Path]:
    """Where photos would be kept; after the test nothing may be there."""
    folder = tmp_path / "photos"
    yield folder
    assert not list(folder.iterdir())


@pytest.fixture
def guarded(pool: WorkerPool, kept: Path) -> TestClient:
    """A server that keeps photos, with a token and small limits."""
    access = Access(LOOPBACK, token="s3cret")
    return TestClient(make_app(pool, access, limits=SMALL, archive=PhotoArchive.at(kept)), base_url=HERE)


@pytest.fixture
def inside(guarded: TestClient) -> TestClient:
    """The same with the cookie."""
    assert guarded.get("/?t=s3cret").status_code == 200
    return guarded


# --- who asks -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/openapi.json", "/sample.jpg", "/certificate.pem", "/lesson.css", "/api/words", "/api/rule", "/api",
     "/nothing", "/api/", "/index.html/", "/tiles/", "/tiles/8z.svg", "/%61pp.js/x", "/shared", "/lang"],
)  # fmt: skip
def test_nothing_else_is_served_without_the_token(guarded: TestClient, path: str) -> None:
    answer = guarded.get(path)
    assert answer.status_code == 401 and answer.headers["www-authenticate"]
    assert "QR code" in answer.text and "s3cret" not in answer.text


@pytest.mark.parametrize("path", ["/api/read", "/api/find", "/api/words", "/api/scores", "/nothing"])
def test_nothing_else_is_taken_without_the_token(guarded: TestClient, reader: FakeReader, path: str) -> None:
    answer = guarded.post(path, files=photo(jpeg()))
    assert answer.status_code == 401 and not reader.looks


def test_a_shared_hand_opens_without_the_token(guarded: TestClient) -> None:
    """The page's files and the scorer, as the page in a browser asks for them; and no cookie is given."""
    files = [f"/{file.relative_to(STATIC).as_posix()}" for file in STATIC.rglob("*") if file.is_file()]
    files += ["/", "/tiles/0m.svg", "/tiles/back.svg", "/lang/questions.ja.json", "/api/health", "/api/rules"]
    files += [f"/shared/{file.name}" for file in SHARED.iterdir()]
    for path in files:
        answer = guarded.get(path)
        assert answer.status_code == 200 and "set-cookie" not in answer.headers, path
    for path in ("/api/score", "/api/lesson"):
        assert guarded.post(path, json={"record": HAND}).status_code == 200


def test_who_has_no_token_is_checked_like_anybody(guarded: TestClient) -> None:
    body = {"record": HAND}
    assert code(guarded.get("/", headers={"Host": "evil.example"})) == (421, "wrong_host")
    elsewhere = {"Origin": "https://evil.example"}
    assert code(guarded.post("/api/score", json=body, headers=elsewhere)) == (403, "wrong_origin")
    assert code(guarded.post("/api/score", json={"record": [], "x": 1})) == (422, "bad_field")


def test_all_who_have_no_token_share_one_measure(pool: WorkerPool) -> None:
    limits = replace(SMALL, a_minute_anonymous=5)
    guarded = TestClient(make_app(pool, Access(LOOPBACK, token="s3cret"), limits=limits), base_url=HERE)
    asked = [guarded.get("/api/rules", headers={"Cookie": f"tehai-8765=me{one}.x"}) for one in range(6)]
    assert [answer.status_code for answer in asked] == [200] * 5 + [429]
    assert guarded.get("/").status_code == 200  # files cost nothing
    guarded.get("/?t=s3cret")
    assert guarded.get("/api/rules").status_code == 200  # and who has come in waits for none of them


@pytest.mark.parametrize("token", ["", "wrong", "s3cre", "s3cret ", "S3CRET", "s3crét", "\0"])
def test_a_wrong_token_buys_no_cookie(guarded: TestClient, token: str) -> None:
    answer = guarded.get("/", params={"t": token})
    assert answer.status_code == 401 and "set-cookie" not in answer.headers


def test_the_token_is_changed_for_a_cookie(guarded: TestClient) -> None:
    answer = guarded.get("/?t=s3cret")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Secure" not in cookie
    assert "s3cret" not in cookie and "s3cret" not in answer.text
    assert guarded.get("/api/words").status_code == 200


@pytest.mark.parametrize("value", ["", ".", "a.b", "name.", "é.é", "s3cret", "a" * 5000])
def test_a_made_up_cookie_is_none(guarded: TestClient, value: str) -> None:
    headers = {"Cookie": f"tehai-8765={value}".encode()}
    assert guarded.get("/api/words", headers=headers).status_code == 401


def test_a_cookie_of_another_start_is_none(pool: WorkerPool, inside: TestClient) -> None:
    restarted = TestClient(make_app(pool, Access(LOOPBACK, token="another")), base_url=HERE)
    restarted.cookies = inside.cookies
    assert restarted.get("/api/words").status_code == 401


def test_the_cookie_is_secure_where_the_page_is(pool: WorkerPool) -> None:
    client = TestClient(
        make_app(pool, Access(LOOPBACK, https=True, token="t")), base_url="https://localhost:8765"
    )
    assert "Secure" in client.get("/?t=t").headers["set-cookie"]


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "localhost.evil.example", "127.0.0.1.nip.io", "127.0.0.2", "",
     "localhost@evil.example", "evil.example#localhost", "localhost:x", "[::1", "0.0.0.0", "2130706433"],
)  # fmt: skip
def test_a_wrong_host_is_refused(client: TestClient, host: str) -> None:
    assert code(client.get("/api/health", headers={"Host": host})) == (421, "wrong_host")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8765", "127.0.0.1:1", "[::1]:8765"])
def test_the_names_of_this_machine_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/api/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://localhost:3000"},
        {"Origin": "https://localhost:8765"},
        {"Origin": "http://localhost:8765.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_from_elsewhere_may_not_post(
    client: TestClient, reader: FakeReader, headers: dict[str, str]
) -> None:
    answer = client.post("/api/read", files=photo(jpeg()), headers=headers)
    assert code(answer) == (403, "wrong_origin") and not reader.looks
    assert "access-control-allow-origin" not in answer.headers


def test_the_page_itself_may_post(client: TestClient) -> None:
    headers = {"Origin": HERE, "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/score", json={"record": HAND}, headers=headers).status_code == 200


def test_no_other_page_is_invited(client: TestClient) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = client.options("/api/read", headers=asked)
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("path", ["/api/rules", "/tiles/1m.svg", "/nothing", "/lesson.css"])
def test_every_answer_is_dressed(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'self'")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert headers["x-request-id"] and "server" not in headers


# --- where to -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/../cli.py", "/..%2fcli.py", "/%2e%2e/cli.py", "/..%5ccli.py", "/....//cli.py", "//etc/passwd",
     "/%2fetc%2fpasswd", "/tiles/..%2f..%2fcli.svg", "/tiles/../../cli.py", "/static/../../web/api.py",
     "/%00", "/app.js%00.html", "/" + "a" * 5000, "/lang/../../api.py", "/.%2e/%2e%2e/pyproject.toml"],
)  # fmt: skip
def test_no_path_leads_out_of_the_page(pool: WorkerPool, serving: Serving, path: str) -> None:
    port = serving(make_app(pool))
    head, body = raw(port, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert head.split()[1] in (b"404", b"400"), head
    assert b"import" not in body and b"root:" not in body


@pytest.mark.parametrize("rules", ["/etc/hosts.toml", "../../scorer/presets/ema2008.toml", "file:///etc/passwd",
                                   "ema2008.toml", "~/x.toml", "", "\0", "house"])  # fmt: skip
def test_rules_are_never_a_path(client: TestClient, rules: str) -> None:
    for body in ({"record": HAND, "rules": rules}, {"record": {**HAND, "rules": rules}}):
        answer = client.post("/api/score", json=body)
        assert code(answer) == (422, "unknown_rules")
        assert "read" not in answer.json()["error"]


def test_house_rules_as_text_never_touch_the_disk(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was made")

    for name in ("mkdtemp", "mkstemp", "TemporaryDirectory", "NamedTemporaryFile"):
        monkeypatch.setattr(tempfile, name, refuse)
    monkeypatch.setattr(Path, "write_text", refuse)
    answer = client.post("/api/score", json={"record": HAND, "rules": 'base = "ema2008"\r\nname = "Ours"'})
    assert answer.status_code == 200 and answer.json()["result"]["status"] == "ok"
    wrong = client.post(
        "/api/score", json={"record": HAND, "rules": 'base = "ema2008"\n\nkiriage_mangn = true'}
    )
    assert wrong.json()["error"].startswith("House rules, line 3: ")
    assert "kiriage_mangan" in wrong.json()["error"]
    torn = client.post("/api/score", json={"record": HAND, "rules": "base = "})
    assert torn.json()["error"].startswith("What was sent is not TOML: ")


# --- how much -------------------------------------------------------------------------------------------


def raw(port: int, *parts: bytes, timeout: float = 60) -> tuple[bytes, bytes]:
    """Bytes over a socket; the first line and the rest of what comes back until it is closed."""
    with socket.create_connection(("127.0.0.1", port), timeout) as connection:
        received = b""
        try:
            for part in parts:
                connection.sendall(part)
        except OSError:
            pass  # it has heard enough
        try:
            while more := connection.recv(65536):
                received += more
        except ConnectionResetError:
            pass
    head, _, body = received.partition(b"\r\n\r\n")
    return head, body


def head(path: str, length: str, kind: str = "multipart/form-data; boundary=b") -> bytes:
    lines = (f"POST {path} HTTP/1.1", "Host: localhost", "Connection: close", f"Content-Type: {kind}", length)
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


PART = b'--b\r\nContent-Disposition: form-data; name="photo"; filename="x.jpg"\r\n\r\n'


def test_a_body_that_says_it_is_too_large_is_not_read(inside: TestClient, reader: FakeReader) -> None:
    assert code(inside.post("/api/read", files=photo(bytes(100_001)))) == (413, "too_large")
    assert code(inside.post("/api/find", files=photo(bytes(50_001)))) == (413, "too_large")
    assert code(inside.post("/api/score", json={"record": HAND, "x": "y" * 2000})) == (413, "too_large")
    assert not reader.looks


def test_a_body_that_does_not_say_is_counted(pool: WorkerPool, reader: FakeReader, serving: Serving) -> None:
    port = serving(make_app(pool, limits=SMALL))
    chunk = b"1000\r\n" + bytes(0x1000) + b"\r\n"
    first = f"{len(PART):x}\r\n".encode() + PART + b"\r\n"
    status, body = raw(port, head("/api/read", "Transfer-Encoding: chunked"), first, *[chunk] * 40)
    assert status.split()[1] == b"413" and json.loads(body)["code"] == "too_large" and not reader.looks


@pytest.mark.parametrize("sent", [b"", PART, PART + b"\xff\xd8"])
def test_a_slow_body_is_given_up(pool: WorkerPool, reader: FakeReader, serving: Serving, sent: bytes) -> None:
    port = serving(make_app(pool, limits=HASTY))
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(head("/api/read", "Content-Length: 5000") + sent)
        answer = b""
        while more := connection.recv(65536):
            answer += more
    assert answer.split()[1] == b"408" and b"too_slow" in answer and not reader.looks


def test_a_body_that_drips_is_given_up(pool: WorkerPool, serving: Serving) -> None:
    port = serving(make_app(pool, limits=HASTY))
    with socket.create_connection(("127.0.0.1", port), 0.05) as connection:
        connection.sendall(head("/api/score", "Content-Length: 1500", "application/json"))
        answer = b""
        for _ in range(200):
            try:
                connection.sendall(b" ")
                answer += connection.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                break
            if b"too_slow" in answer:
                break
    assert answer.split()[1] == b"408"


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_headers_that_do_not_come_are_given_up(
    pool: WorkerPool, serving: Serving, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    port = serving(make_app(pool))
    health = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), 60) as held:
        held.sendall(health)
        answer = b""
        while b"version" not in answer:
            answer += held.recv(65536)
        assert answer.startswith(b"HTTP/1.1 200")
        monkeypatch.setattr(connection, "HEADERS", 0.3)
        held.sendall(b"GET /")
        assert held.recv(65536) == b""  # closed, though a request had been answered before
    assert raw(port, sent) == (b"", b"")


def test_a_handshake_that_does_not_end_is_given_up(
    pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEADERS", 0.3)
    with served(make_app(pool), certificate_for({"localhost"}, tmp_path)) as port:
        assert raw(port, timeout=30) == (b"", b"")  # nothing is sent: asyncio alone would wait for a minute
        assert raw(port, b"\x16\x03\x01", timeout=30) == (b"", b"")  # and the beginning of one
        trusting = ssl.create_default_context(cafile=tmp_path / "authority.pem")
        assert httpx.get(f"https://localhost:{port}/api/health", verify=trusting).status_code == 200


HALF = {
    "nothing": b"",
    "headers": b"GET /app.js HTTP/1.1\r\nHost: ",
    "a body": head("/api/score", "Content-Length: 1500", "application/json") + b"{",
    "no more after an answer": b"GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "many answers that nobody takes": b"GET /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 500,
}


@pytest.mark.parametrize("name", HALF)
def test_who_leaves_things_half_done_keeps_nobody_out(
    pool: WorkerPool, reader: FakeReader, serving: Serving, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Three times as many connections as may be open, of who has no token: one who has none and one who has
    come in are answered, and whose photo was being read before that gets what it shows."""
    monkeypatch.setattr(connection, "CONNECTIONS", 12)
    port = serving(make_app(pool, Access(LOOPBACK, token="s3cret")))
    home = f"http://localhost:{port}"
    reading, go_on = threading.Event(), threading.Event()

    def look() -> None:
        reading.set()
        go_on.wait(60)

    reader.meanwhile = look
    with httpx.Client(base_url=home, timeout=60) as phone, ThreadPoolExecutor(1) as other:
        assert phone.get("/?t=s3cret").status_code == 200
        waiting = other.submit(phone.post, "/api/read", files=photo(jpeg()))
        assert reading.wait(60)
        with ExitStack() as half_done:
            for _ in range(36):
                stranger = half_done.enter_context(socket.create_connection(("127.0.0.1", port), 60))
                with suppress(OSError):
                    stranger.sendall(HALF[name])
            assert httpx.get(f"{home}/api/health", timeout=60).status_code == 200
            assert httpx.get(f"{home}/api/words", timeout=60, cookies=phone.cookies).status_code == 200
            go_on.set()
            assert waiting.result().status_code == 200


def test_a_body_that_breaks_off_harms_nobody(
    pool: WorkerPool, reader: FakeReader, serving: Serving, caplog: Any
) -> None:
    port = serving(make_app(pool, limits=SMALL))
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", port), 60) as connection:
            connection.sendall(head("/api/read", "Content-Length: 5000") + PART)
    health = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert raw(port, health)[0].split()[1] == b"200"
    assert not reader.looks and "failed" not in caplog.text


def test_a_client_may_not_ask_too_often(pool: WorkerPool) -> None:
    client = TestClient(make_app(pool, limits=Limits(a_minute=5)), base_url=HERE)
    answers = [client.get("/api/health") for _ in range(8)]
    assert [answer.status_code for answer in answers[:5]] == [200] * 5
    assert code(answers[-1]) == (429, "too_fast") and 1 <= int(answers[-1].headers["retry-after"]) <= 13


# --- what is no photo -----------------------------------------------------------------------------------


def png(width: int, height: int) -> bytes:
    """A PNG that claims to be so large, with next to nothing in it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(100_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def huge_jpeg() -> bytes:
    """A JPEG whose header claims 65,500 × 65,500 pixels."""
    data = bytearray(jpeg(64, 64))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = struct.pack(">HH", 65500, 65500)
    return bytes(data)


def bitmap(width: int, height: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (64, 64)).save(file, "BMP")
    data = bytearray(file.getvalue())
    data[18:26] = struct.pack("<ii", width, height)
    return bytes(data)


BOMBS = {
    "png of 10 gigapixels": png(100_000, 100_000),
    "png of 65 megapixels": png(13_000, 5_001),
    "png that is a line": png(2_000_000_000, 1),
    "png that breaks off": png(4000, 4000),
    "jpeg of 4 gigapixels": huge_jpeg(),
    "bmp of 2 gigapixels": bitmap(60_000, 40_000),
    "jpeg torn": jpeg()[:200],
    "one pixel": png(1, 1),
    "nothing": b"",
    "noise": bytes(range(256)) * 20,
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "gif": b"GIF89a" + bytes(100),
    "zip": b"PK\x03\x04" + bytes(100),
    "html": b"<!doctype html><script>alert(1)</script>",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_before_it_goes_off(inside: TestClient, reader: FakeReader, name: str) -> None:
    for path in ("/api/read", "/api/find"):
        answer = inside.post(path, files=photo(BOMBS[name][:45_000]))
        assert code(answer) == (422, "bad_photo") and not reader.looks


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "multipart/form-data; boundary=b"),
        (b"--b", "multipart/form-data; boundary=b"),
        (b"no boundary here", "multipart/form-data; boundary=b"),
        (PART + b"\xff\xd8", "multipart/form-data; boundary=b"),
        (PART + b"\xff\xd8\r\n--c--", "multipart/form-data; boundary=b"),
        (b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n", "multipart/form-data; boundary=b"),
        (b"--b\r\n\r\nx\r\n--b--\r\n", "multipart/form-data; boundary=b"),
        (b"--b\r\n" + b"A: b\r\n" * 5000 + b"\r\nx\r\n--b--", "multipart/form-data; boundary=b"),
        (PART + b"x\r\n--b--\r\n", "multipart/form-data"),
        (PART + b"x\r\n--b--\r\n", "multipart/form-data; boundary="),
        (PART + b"x\r\n--b--\r\n", "multipart/form-data; boundary=" + "b" * 5000),
        (PART + b"x\r\n--b--\r\n", "multipart/form-data; boundary=b; charset=klingon"),
        ((PART + b"x\r\n") * 30 + b"--b--\r\n", "multipart/form-data; boundary=b"),
        (PART.replace(b'; filename="x.jpg"', b"") + b"x\r\n--b--\r\n", "multipart/form-data; boundary=b"),
        (b"photo=x", "application/x-www-form-urlencoded"),
        (jpeg(), "image/jpeg"),
    ],
)  # fmt: skip
def test_a_broken_form_is_refused(inside: TestClient, reader: FakeReader, body: bytes, kind: str) -> None:
    answer = inside.post("/api/read", content=body, headers={"Content-Type": kind})
    status, _ = code(answer)
    assert status in (400, 415, 422) and not reader.looks


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[]", b"null", b"1", b'"x"', b"[" * 1900, b'{"a":' * 380, b'{"record": NaN',
     b'{"record": 1e999}', b'{"record": ' + b"9" * 1900 + b"}", b'{"record": {"concealed": "\\ud800"}}',
     b'{"record": {"concealed": "' + b"1m" * 900 + b'"}}', b'{"record": {"melds": [[]]}}',
     b'{"record": {"known": []}}', b'{"record": {"known": {"x": {}}}}', b'{"record": {"pao": 4}}',
     b'{"record": {"dora_indicators": {}}}',
     b'{"record": {"honba": 1e400}}', b'{"record": {"honba": -1}}', b'{"record": {}, "rules": 5}',
     b'{"record": {}, "lang": "xx"}', b'{"record": {}, "compare": ["../x"]}',
     b'{"record": {}, "compare": 5}'],
)  # fmt: skip
def test_broken_json_is_refused(client: TestClient, body: bytes) -> None:
    for path in ("/api/score", "/api/lesson"):
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert code(answer)[0] in (400, 422)


# --- what is script -------------------------------------------------------------------------------------

SCRIPT = '<script>alert("x")</script>'


def test_a_file_name_goes_nowhere(inside: TestClient, kept: Path) -> None:
    for name in (SCRIPT, "../../../tmp/x.jpg", "/etc/passwd", "a\0b.jpg", "CON", "x" * 3000):
        answer = inside.post("/api/read", files=photo(b"none", name))
        assert answer.status_code == 422
        assert "script" not in answer.text and "passwd" not in answer.text


def test_a_kept_photo_is_named_by_us(pool: WorkerPool, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    client = TestClient(make_app(pool, archive=PhotoArchive.at(folder)), base_url=HERE)
    reply = client.post("/api/read", files=photo(jpeg(), f"../../{SCRIPT}.jpg")).json()
    assert [file.name for file in sorted(folder.iterdir())] == [
        reply["kept"][0],
        reply["kept"][0].replace(".jpg", ".json"),
    ]
    assert "script" not in (folder / reply["kept"][0]).with_suffix(".json").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["photos"]


def test_script_in_house_rules_stays_text(client: TestClient) -> None:
    house = f"base = \"ema2008\"\nname = '{SCRIPT}'\nsource = '{SCRIPT}'\n"
    score = client.post("/api/score", json={"record": HAND, "rules": house})
    assert score.status_code == 200 and score.headers["content-type"] == "application/json"
    lesson = client.post("/api/lesson", json={"record": HAND, "rules": house, "format": "html"})
    assert lesson.status_code == 200 and "<script" not in lesson.text
    assert "script-src" not in lesson.headers["content-security-policy"]  # so default-src 'self' holds


@pytest.mark.parametrize(
    "house",
    [
        f'base = "ema2008"\n"{SCRIPT}" = 1\n',
        f'base = "{SCRIPT}"\n',
        "name = 1\n",
        "a = " + "[" * 490,
        "a = [\n" + "[\n" * 700,
        "nope = 1\n" + " " * 1500,
        'base = "\ud800"',
        "= =",
    ],
)
def test_house_rules_that_are_none_are_refused(client: TestClient, house: str) -> None:
    body = json.dumps({"record": HAND, "rules": house})  # in ASCII: a lone surrogate passes
    answer = client.post("/api/score", content=body, headers={"Content-Type": "application/json"})
    assert code(answer) == (422, "unknown_rules")
    assert "/tmp" not in answer.text and answer.headers["content-type"] == "application/json"


# --- what goes wrong inside -----------------------------------------------------------------------------


def test_a_crash_is_answered_with_its_id_and_the_server_lives(
    client: TestClient, reader: FakeReader, caplog: pytest.LogCaptureFixture
) -> None:
    def crash() -> None:
        raise RuntimeError("the reader went dark")

    reader.meanwhile = crash
    answer = client.post("/api/read", files=photo(jpeg()))
    assert code(answer) == (500, "crash") and "dark" not in answer.text
    assert answer.json()["id"] in caplog.text and "the reader went dark" in caplog.text
    reader.meanwhile = lambda: None
    assert client.post("/api/read", files=photo(jpeg())).status_code == 200
