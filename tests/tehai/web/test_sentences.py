"""Refusals in the language that a request asks for."""

from __future__ import annotations

import ast
import io
from collections.abc import Mapping
from pathlib import Path

import pytest
from PIL import Image
from starlette.testclient import TestClient

import tehai
from tehai.server.sentences import japanese
from vision import image

CODE = Path(tehai.__file__).parent
FROM_A_FILE = {"missing", "folder", "unopened"}
"""Faults of photos that come by their path, so never in a request."""


def broken_off() -> bytes:
    """A PNG without its end: a JPEG without its last bytes would be read, with a doubt."""
    file = io.BytesIO()
    Image.effect_noise((640, 480), 50).convert("RGB").save(file, "PNG")
    return file.getvalue()[:-5000]


def refusal(client: TestClient, photo: bytes, language: str | None = None) -> tuple[str, str]:
    headers = {} if language is None else {"Accept-Language": language}
    answer = client.post("/api/read", files={"photo": ("shot.jpg", photo, "image/jpeg")}, headers=headers)
    assert answer.status_code == 422
    return answer.json()["code"], answer.json()["error"]


@pytest.mark.parametrize("language", ["ja", "ja-JP,ja;q=0.9,en;q=0.8"])
def test_a_japanese_page_is_refused_in_japanese(client: TestClient, language: str) -> None:
    code, sentence = refusal(client, broken_off(), language)
    assert (code, sentence) == ("bad_photo", japanese()["bad_photo"]["cut_off"])
    assert sentence == "写真が途中で切れています。もう一度コピーするか、ダウンロードし直してください。"


@pytest.mark.parametrize("language", [None, "en", "de-DE,ja;q=0.5", "", "x" * 9000])
def test_all_others_in_english(client: TestClient, language: str | None) -> None:
    english = "The photo breaks off before its end; copy or download the photo again."
    assert refusal(client, broken_off(), language) == ("bad_photo", english)


def test_what_has_no_japanese_sentence_keeps_its_english_one(client: TestClient) -> None:
    answer = client.post("/api/score", json=[], headers={"Accept-Language": "ja"})
    assert answer.json() | {"id": ""} == {"error": "A JSON object is wanted.", "code": "bad_field", "id": ""}


def test_every_fault_of_a_photo_has_a_japanese_sentence() -> None:
    reasons = japanese()["bad_photo"]
    assert isinstance(reasons, Mapping)
    assert set(reasons) == set(image.FAULTS) - FROM_A_FILE


def test_every_japanese_sentence_is_one_of_a_refusal() -> None:
    files = [file for room in ("server", "web", "review") for file in (CODE / room).rglob("*.py")]
    texts = {
        node.value
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant)
    }
    assert not set(japanese()) - texts
