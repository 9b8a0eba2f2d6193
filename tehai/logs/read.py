"""Read a log of any format from bytes, with a limit of its size."""

from __future__ import annotations

import json
import zlib
from typing import Any, Final

from tehai.logs.majsoul import is_majsoul, parse_majsoul
from tehai.logs.mjai import is_mjai, parse_mjai
from tehai.logs.mjlog import parse_mjlog
from tehai.logs.play import Log, LogError
from tehai.logs.tenhou6 import is_tenhou6, parse_tenhou6

LARGEST: Final = 16 << 20
"""The most bytes of an unpacked log. A long game has a hundredth of it."""

_GZIP: Final = b"\x1f\x8b"


def read_log(data: bytes) -> Log | None:
    """The game of a log: Tenhou's XML, gzipped or not, tenhou.net/6's or Mahjong Soul's JSON, mjai's lines.

    None if the bytes look like none of these. Raises :class:`LogError` for an incomplete log or an impossible
    game.
    """
    data = _unpacked(data).removeprefix(b"\xef\xbb\xbf").strip()
    if data.startswith(b"<"):
        return parse_mjlog(data)
    try:
        found = _json(data)
    except (ValueError, RecursionError):
        return None  # the caller may know other formats
    if isinstance(found, list) and is_mjai(found):
        return parse_mjai(found)
    if is_tenhou6(found):
        return parse_tenhou6(found)
    return parse_majsoul(found) if is_majsoul(found) else None


def _json(data: bytes) -> Any:
    """One JSON value, or the list of the values of JSON lines."""
    text = data.decode("utf-8")
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def _unpacked(data: bytes) -> bytes:
    if len(data) > LARGEST:
        raise LogError(f"This file has more than {LARGEST >> 20} MiB, and no log has.")
    if not data.startswith(_GZIP):
        return data
    unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        plain = unpack.decompress(data, LARGEST + 1)
    except zlib.error as error:
        raise LogError(f"This gzip file is damaged: {error}.") from None
    if len(plain) > LARGEST or not unpack.eof:
        raise LogError("This gzip file is cut off, or unpacks to more than any log has.")
    return plain
