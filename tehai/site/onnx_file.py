"""Read the metadata of an ONNX file without an ONNX runtime."""

from __future__ import annotations

from collections.abc import Iterator


def metadata_of(data: bytes) -> dict[str, str]:
    """The ``metadata_props`` of an ONNX file. Raises ValueError for another file.

    They are field 14 of a ModelProto (onnx.proto). Each is a StringStringEntryProto with the fields 1, key,
    and 2, value. The encoding is that of Protocol Buffers.
    """
    try:
        entries = [dict(_fields(entry)) for number, entry in _fields(data) if number == 14]
        return {entry[1].decode(): entry[2].decode() for entry in entries}
    except (IndexError, KeyError, UnicodeDecodeError):
        raise ValueError("this is no ONNX file") from None


_FIXED = {1: 8, 5: 4}
"""The wire types I64 and I32 with their bytes."""


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The numbers of a message's fields, with the bytes of those that have a length."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == 0:
            _, at = _varint(data, at)
        elif kind == 2:
            length, at = _varint(data, at)
            if at + length > len(data):
                raise IndexError
            yield key >> 3, data[at : at + length]
            at += length
        else:
            at += _FIXED[kind]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A varint (seven bits a byte, lowest first), and the position after it."""
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at
