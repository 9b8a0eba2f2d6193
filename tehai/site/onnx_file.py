"""The metadata of an ONNX file, read without what runs the network."""

from __future__ import annotations

from collections.abc import Iterator


def metadata_of(data: bytes) -> dict[str, str]:
    """The ``metadata_props`` of an ONNX file. Raises ValueError for what is no such file.

    They are field 14 of a ModelProto (onnx.proto), each a StringStringEntryProto with the fields 1, key, and
    2, value, in the wire format of Protocol Buffers.
    """
    try:
        entries = [dict(_fields(entry)) for number, entry in _fields(data) if number == 14]
        return {entry[1].decode(): entry[2].decode() for entry in entries}
    except (IndexError, KeyError, UnicodeDecodeError):
        raise ValueError("this is no ONNX file") from None


_FIXED = {1: 8, 5: 4}
"""Wire type to the bytes of its value: I64 and I32."""


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
    """A number of seven bits a byte, lowest first, and where what follows it begins."""
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at
