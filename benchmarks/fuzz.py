"""Feed the parsers what nobody would type, and see that nothing breaks: ``python -m benchmarks.fuzz``.

Needs atheris, which is in no extra, as it is made for few Pythons; it can have an environment of its own::

    python3.11 -m venv fuzz && fuzz/bin/pip install atheris
    fuzz/bin/python -m benchmarks.fuzz --seconds 60

The notation of tiles and hands, corrections of a line, and records as JSON and as values are tried; each must
answer or complain in its own way, and what is written must read back the same. An input that breaks one is
kept in ``--keep``, printed, and the exit code is not 0; an input that takes 5 seconds counts as a hang.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HANG_SECONDS = 5
LONGEST = 2048

SEEDS = (
    b"\x00123m055p77z",
    b"\x01123m456p789s11z + 1z [p777z]",
    b"\x01 340567p2267s+8s[c234m<][a1111s][k6666z^]",
    b"\x0234m340567p2267s + 8s\n3=5p 7=0s",
    b'\x03{"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": false, "riichi": true}',
    b'\x03{"concealed": "19m19p19s1234567z", "win_tile": "1m", "tsumo": true, "rules": "toudai"}',
    b'\x03{"concealed": "40p2267s", "melds": [{"type": "pon", "tiles": "666z", "from": 2}], "pao": 1}',
    b"\x04" + bytes(range(64)),
)


def tiles(text: str) -> None:
    """A run of tiles is read or refused, and reads back the same."""
    from scorer.tiles import TileError, format_tiles, parse_tiles

    try:
        found = parse_tiles(text)
    except TileError as error:
        assert str(error)
        return
    assert parse_tiles(format_tiles(found)) == found


def notation(text: str) -> None:
    """A typed hand is read or refused, and reads back the same."""
    from tehai.errors import Mistake
    from tehai.notation import format_hand, parse_hand

    try:
        record = parse_hand(text)
    except Mistake as mistake:
        assert str(mistake)
        return
    assert parse_hand(format_hand(record)) == record


def correction(text: str) -> None:
    """A correction of a typed hand is made or refused."""
    from tehai.errors import Mistake
    from tehai.notation import correct, format_hand, parse_hand

    line, _, answer = text.partition("\n")
    try:
        record = correct(parse_hand(line), answer)
    except Mistake as mistake:
        assert str(mistake)
        return
    assert parse_hand(format_hand(record)) == record


def json_line(data: bytes) -> None:
    """A line of a batch has a result, which is JSON."""
    from tehai.batch import score_line

    result = score_line(1, data)
    assert result["status"] == "ok" or result["message"].endswith(".")
    json.dumps(result, allow_nan=False)


def record(provider: Any) -> None:
    """A record of values of the right kind, or of any, has a result, which is JSON."""
    from scorer.record import DEFAULTS, score_record
    from scorer.rules import preset_ids

    def text() -> str:
        return "".join(
            provider.PickValueInList(list("0123456789")) + provider.PickValueInList(list("mpsz"))
            for _ in range(provider.ConsumeIntInRange(0, 14))
        )

    def value(like: object) -> object:
        if provider.ConsumeIntInRange(0, 15) == 0:
            anything: list[object] = [
                None,
                True,
                -1,
                1e308,
                "",
                "1z",
                [],
                {},
                ["1m"],
                "E",
                10**30,
                [None],
                "\ud800",
            ]
            return provider.PickValueInList(anything)
        match like:
            case bool():
                return provider.ConsumeBool()
            case int():
                return provider.ConsumeIntInRange(0, 5)
            case str():
                return provider.PickValueInList(["E", "S", "W", "N", *preset_ids()])
            case list():
                return [text()[:2] for _ in range(provider.ConsumeIntInRange(0, 6))]
        return provider.PickValueInList([None, 1, 2, 3])

    fields = {name: value(like) for name, like in DEFAULTS.items() if provider.ConsumeBool()}
    fields["melds"] = [
        {
            "type": provider.PickValueInList(["chi", "pon", "minkan", "kakan", "ankan", "kan"]),
            "tiles": text()[: 2 * provider.ConsumeIntInRange(0, 5)],
            "from": value(None),
        }
        for _ in range(provider.ConsumeIntInRange(0, 5))
    ]
    fields |= {"concealed": text(), "win_tile": text()[:2], "tsumo": provider.ConsumeBool()}
    result = score_record(fields)
    assert result["status"] == "ok" or result["message"]
    json.dumps(result, allow_nan=False)


TEXTS: tuple[Callable[[str], None], ...] = (tiles, notation, correction)


def try_one(data: bytes) -> None:
    """One input: its first byte says what is tried with the rest."""
    which = data[0] % 5 if data else 0
    if which < len(TEXTS):
        TEXTS[which](data[1:].decode("utf-8", errors="replace"))
    elif which == len(TEXTS):
        json_line(data[1:])
    else:
        import atheris

        record(atheris.FuzzedDataProvider(data[1:]))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--keep", type=Path, default=Path("runs/fuzz"), help="where what breaks is kept")
    options = parser.parse_args()
    try:
        import atheris
    except ImportError:
        raise SystemExit("atheris is not installed; python3.11 -m pip install atheris") from None
    with atheris.instrument_imports(include=["scorer", "tehai"]):
        import tehai.batch
        import tehai.notation  # noqa: F401
    options.keep.mkdir(parents=True, exist_ok=True)
    corpus = Path(tempfile.mkdtemp(prefix="fuzz-"))
    for number, seed in enumerate(SEEDS):
        (corpus / str(number)).write_bytes(seed)
    flags = [
        f"-max_total_time={options.seconds}", f"-timeout={HANG_SECONDS}", f"-max_len={LONGEST}",
        f"-artifact_prefix={options.keep}/", "-print_final_stats=1",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *flags, str(corpus)], try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
