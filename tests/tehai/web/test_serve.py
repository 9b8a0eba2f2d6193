"""``tehai serve`` as a process, and what it refuses to start with."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from typer.testing import CliRunner

from tehai.cli import app
from tehai.errors import Mistake
from tehai.hand.sample import sample_path
from tehai.server.network import address_of, in_url, listen, names_of
from vision.reader import Engine

ROOT = Path(__file__).resolve().parents[3]
needs_models = pytest.mark.skipif(not Engine().finder.is_file(), reason="the networks are not there")


@contextmanager
def started(folder: Path, *options: str, above: Path = ROOT) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The server as a process that keeps its data in a folder, and its address. ``above``: whose modules come
    before ours."""
    path = f"{above}{os.pathsep}{ROOT}"
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "PYTHONPATH": path, "COLUMNS": "200"}
    command = [sys.executable, "-m", "tehai", "serve", *options]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def scan(printed: str) -> str:
    """What the QR code on a terminal says; each character is two modules, one above the other."""
    rows = [line for line in printed.splitlines() if line.startswith("\u2588")]
    light = {"\u2588": (255, 255), "\u2580": (255, 0), "\u2584": (0, 255), " ": (0, 0)}
    modules = np.array([[light[one][half] for one in row] for row in rows for half in (0, 1)], np.uint8)
    picture = cv2.resize(modules, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    return str(cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0])


def trusting(folder: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=folder / "tehai" / "certificate" / "authority.pem")


def scanned(client: httpx.Client, url: str) -> None:
    """Go to the address of the QR code, as soon as somebody is there."""
    end = time.monotonic() + 60
    while True:
        try:
            client.get(url).raise_for_status()
            return
        except httpx.ConnectError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


@contextmanager
def in_flight(phone: httpx.Client, url: str, context: ssl.SSLContext) -> Iterator[Callable[[], Any]]:
    """A photo on its way: the server has begun to read the request; its rest is sent for the answer."""
    shot = {"photo": ("sample.jpg", sample_path().read_bytes(), "image/jpeg")}
    request = phone.build_request("POST", url, files=shot, headers={"Expect": "100-continue"})
    body = request.read()
    connection = http.client.HTTPSConnection("127.0.0.1", request.url.port, timeout=60, context=context)
    with closing(connection):
        connection.putrequest("POST", request.url.path, skip_host=True, skip_accept_encoding=True)
        for name, value in request.headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        assert connection.sock.recv(64) == b"HTTP/1.1 100 Continue\r\n\r\n"

        def answer() -> Any:
            connection.send(body)
            return json.loads(connection.getresponse().read())

        yield answer


@needs_models
def test_it_serves_phones_stops_gracefully_and_starts_again(tmp_path: Path) -> None:
    with started(tmp_path, "--lan", "lo", "--https", "--port", "0") as (process, url):
        found = re.fullmatch(r"(https://127\.0\.0\.1:(\d+)/)\?t=[\w-]{32}", url)
        assert found is not None, url
        home, port = found.groups()
        with httpx.Client(verify=trusting(tmp_path), timeout=60) as phone:
            scanned(phone, url)
            assert httpx.get(f"{home}openapi.json", verify=trusting(tmp_path)).status_code == 401
            assert phone.get(f"{home}certificate.pem").content.startswith(b"-----BEGIN CERTIFICATE")
            with in_flight(phone, f"{home}api/read", trusting(tmp_path)) as answer:
                process.send_signal(signal.SIGINT)
                assert answer()["result"]["status"] == "ok"
            assert process.wait(20) == 0  # half a minute, were the phone's other connection waited for
            assert process.stdout is not None
            output = process.stdout.read()
            assert scan(output) == url and output.rstrip().endswith("Stopped.")
            assert "token" not in output and "Traceback" not in output
            before = (tmp_path / "tehai" / "certificate" / "server.pem").read_bytes()
            with started(tmp_path, "--lan", "lo", "--https", "--port", port) as (_, again):
                assert again == url  # it is still the same evening
                scanned(phone, f"{home}openapi.json")
            fresh = ("--lan", "lo", "--https", "--port", port, "--new-token")
            with started(tmp_path, *fresh) as (_, other):
                assert other.startswith(f"{home}?t=") and other != url
                with pytest.raises(httpx.HTTPStatusError, match="401"):
                    scanned(phone, f"{home}openapi.json")  # the cookie of the first start
                scanned(phone, other)
                assert phone.get(f"{home}openapi.json").status_code == 200
            assert (tmp_path / "tehai" / "certificate" / "server.pem").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["tehai"]


@needs_models
def test_plain_http_is_warned_of(tmp_path: Path) -> None:
    """As SECURITY.md promises."""
    with started(tmp_path, "--lan", "lo", "--port", "0") as (process, _):
        assert process.stdout is not None
        lines = list(iter(process.stdout.readline, "Ctrl-C stops.\n"))
    assert "Others in the same network can read plain HTTP; --https prevents that.\n" in lines


def refused(*options: str) -> str:
    done = CliRunner().invoke(app, ["serve", *options])
    assert done.exit_code == 2, done.output
    assert done.output.startswith("tehai: ") and done.output.count("\n") == 1
    return done.output


def test_a_port_that_is_taken_is_said() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert f"Port {port} is taken" in refused("--port", str(port))


def test_what_cannot_be_is_said_before_anything_starts(tmp_path: Path) -> None:
    assert "no rules called" in refused("--rules", "nope")
    assert "--lan" in refused("wlan0") and "--lan" in refused("--new-token")
    assert "no interface" in refused("--lan", "nope0")
    assert "no single address" in refused("--lan", "0.0.0.0")
    assert "no address of this machine" in refused("--lan", "192.0.2.77", "--port", "0")
    (tmp_path / "file").write_text("")
    assert "cannot be kept" in refused("--keep-photos", str(tmp_path / "file"))
    house = tmp_path / "house.toml"
    house.write_text("nope = 1\n")
    assert "nope" in refused("--rules", str(house))


def test_interfaces_and_addresses() -> None:
    assert address_of("127.0.0.1") == "127.0.0.1" and address_of("::1") == "::1"
    assert address_of("lo") == "127.0.0.1"
    assert in_url("::1") == "[::1]" and in_url("10.0.0.1") == "10.0.0.1"
    with pytest.raises(Mistake, match="no single address"):
        address_of("224.0.0.1")


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("Laptop.local", {"laptop", "laptop.local", "10.0.0.1"}),
        ("my_pc", {"10.0.0.1"}),
        ("", {"10.0.0.1"}),
    ],
)
def test_the_machine_is_called_what_a_certificate_can_hold(
    monkeypatch: pytest.MonkeyPatch, name: str, names: set[str]
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: name)
    assert names_of("10.0.0.1") == names
