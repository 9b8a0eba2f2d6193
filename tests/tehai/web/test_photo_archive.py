"""Photos kept, whole or not at all; the certificate, made once."""

from __future__ import annotations

import json
import os
import ssl
import stat
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tehai.errors import Mistake
from tehai.output import photo_archive
from tehai.output.files import write_whole
from tehai.output.photo_archive import ArchiveError, PhotoArchive
from tehai.server import certificate
from tehai.server.certificate import certificate_for
from tehai.web.app import make_app
from tehai.web.worker_pool import WorkerPool
from tests.tehai.web.conftest import HERE
from tests.tehai.web.fakes import jpeg


def test_a_photo_is_kept_with_its_record(pool: WorkerPool, tmp_path: Path) -> None:
    client = TestClient(make_app(pool, archive=PhotoArchive.at(tmp_path / "a" / "b")), base_url=HERE)
    shots = [jpeg(640, 480), jpeg(800, 600)]
    reply = client.post("/api/read", files=[("photo", ("x.jpg", shot)) for shot in shots]).json()
    for name, shot in zip(reply["kept"], shots, strict=True):
        file = tmp_path / "a" / "b" / name
        assert file.read_bytes() == shot and file.suffix == ".jpg"
        record = json.loads(file.with_suffix(".json").read_text())
        assert record["version"] == 1 and record["photo"] == name
        assert record["sha256"] == sha256(shot).hexdigest()
        assert record["reading"]["tiles"] and record["record"]["win_tile"] == "8s"
    assert len(list((tmp_path / "a" / "b").iterdir())) == 4


def test_nothing_is_stored_unless_asked(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    photo = jpeg(4000, 3000) + bytes(3_000_000)  # more than a form parser keeps in memory by itself
    reply = client.post("/api/read", files={"photo": ("x.jpg", photo)}).json()
    assert "kept" not in reply and not list(tmp_path.iterdir())


def test_a_full_disk_does_not_cost_the_score(
    pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = TestClient(make_app(pool, archive=PhotoArchive.at(tmp_path)), base_url=HERE)
    monkeypatch.setattr(photo_archive, "SPARE", 10**18)
    reply = client.post("/api/read", files={"photo": ("x.jpg", jpeg())}).json()
    assert reply["kept"] is None and reply["result"]["status"] == "ok"
    assert "nearly full" in caplog.text and not list(tmp_path.iterdir())


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = PhotoArchive.at(tmp_path)

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ArchiveError, match="No space"):
        archive.keep(jpeg(), {})
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Mistake, match="cannot be kept in"):
        PhotoArchive.at(tmp_path / "file")


def test_a_file_takes_the_place_of_another_whole(tmp_path: Path) -> None:
    file = tmp_path / "x"
    write_whole(file, b"one")
    write_whole(file, b"two")
    assert file.read_bytes() == b"two" and list(tmp_path.iterdir()) == [file]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


HOSTS = frozenset({"192.168.1.7", "laptop.local", "localhost", "::1"})


def test_the_certificate_names_the_machine_and_is_used_again(tmp_path: Path) -> None:
    made = certificate_for(HOSTS, tmp_path / "c")
    before = made.server.read_bytes()
    assert stat.S_IMODE(made.server.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.server.parent.stat().st_mode) == 0o700
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.server)
    assert b"PRIVATE KEY" not in made.authority.read_bytes()
    assert certificate_for(HOSTS, tmp_path / "c").server.read_bytes() == before
    assert certificate_for({"localhost", "192.168.1.7"}, tmp_path / "c").server.read_bytes() == before


def test_another_address_needs_another_certificate(tmp_path: Path) -> None:
    before = certificate_for(HOSTS, tmp_path).server.read_bytes()
    assert certificate_for({*HOSTS, "10.0.0.3"}, tmp_path).server.read_bytes() != before


@pytest.mark.parametrize(
    "spoilt", [b"", b"-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n"]
)
def test_a_damaged_certificate_is_made_anew(tmp_path: Path, spoilt: bytes) -> None:
    made = certificate_for(HOSTS, tmp_path)
    for file in (made.server, made.authority):
        file.write_bytes(spoilt)
        certificate_for(HOSTS, tmp_path)
        assert b"BEGIN" in file.read_bytes() and file.read_bytes() != spoilt


def test_a_certificate_of_another_authority_is_made_anew(tmp_path: Path) -> None:
    made, other = certificate_for(HOSTS, tmp_path / "a"), certificate_for(HOSTS, tmp_path / "b")
    made.authority.write_bytes(other.authority.read_bytes())
    before = made.server.read_bytes()
    assert certificate_for(HOSTS, tmp_path / "a").server.read_bytes() != before


def test_a_certificate_that_runs_out_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "VALID", timedelta(days=3))
    before = certificate_for(HOSTS, tmp_path).server.read_bytes()
    monkeypatch.undo()
    assert certificate_for(HOSTS, tmp_path).server.read_bytes() != before


def test_a_certificate_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Mistake, match="cannot be kept"):
        certificate_for(HOSTS, tmp_path / "file")
