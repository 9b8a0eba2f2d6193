"""Feed the parsers what nobody would type, and see that nothing breaks: ``python -m benchmarks.fuzz``.

Needs atheris, which is in no extra, as it is made for few Pythons; it can have an environment of its own::

    python3.11 -m venv fuzz && fuzz/bin/pip install -e . atheris
    fuzz/bin/python -m benchmarks.fuzz --seconds 60 [--target game]

The notation of tiles and hands, corrections of a line, records of hands and of games as JSON and as values,
house rules, journals of labels, imported labels and photos are tried, all in turn or one alone. Each must
answer or complain in its own way, what is written must read back the same, and a game must lose no point.
An input that breaks one is kept in ``--keep``, printed, and the exit code is not 0; an input that takes 5
seconds counts as a hang. Once it is mended, a small one goes to ``tests/corpus/TARGET/`` for good.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parents[1] / "tests" / "corpus"
"""What has ever broken a target, in a folder each: tests try it, and every run begins with it."""

HANG_SECONDS = 5
LONGEST = 2048
LANGUAGES = ("en", "ja")

SEEDS = (
    b"\x00123m055p77z",
    b"\x01123m456p789s11z + 1z [p777z]",
    b"\x01 340567p2267s+8s[c234m<][a1111s][k6666z^]",
    b"\x0234m340567p2267s + 8s\n3=5p 7=0s",
    b'\x03{"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": false, "riichi": true}',
    b'\x03{"concealed": "19m19p19s1234567z", "win_tile": "1m", "tsumo": true, "rules": "toudai"}',
    b'\x03{"concealed": "40p2267s", "melds": [{"type": "pon", "tiles": "666z", "from": 2}], "pao": 1}',
    b"\x04" + bytes(range(64)),
    b'\x05{"event": "start", "rules": "tenhou3"}\n{"event": "draw", "tenpai": ["E"], "declared": ["E"]}',
    b'\x05[{"event": "start"}, {"event": "win", "hands": [{"concealed": "123m456p78s22z444z",'
    b' "win_tile": "9s", "tsumo": false, "riichi": true, "seat_wind": "W", "loser_offset": 2}]},'
    b' {"event": "chombo", "seat": "E"}, {"event": "correction", "changes": [100, -100, 0, 0]},'
    b' {"event": "end", "note": "late"}]',
    b"\x06" + bytes(range(255, 0, -1)),
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
    from tehai.hand.notation import format_hand, parse_hand

    try:
        record = parse_hand(text)
    except Mistake as mistake:
        assert str(mistake)
        return
    assert parse_hand(format_hand(record)) == record


def correction(text: str) -> None:
    """A correction of a typed hand is made or refused."""
    from tehai.errors import Mistake
    from tehai.hand.notation import correct, format_hand, parse_hand

    line, _, answer = text.partition("\n")
    try:
        record = correct(parse_hand(line), answer)
    except Mistake as mistake:
        assert str(mistake)
        return
    assert parse_hand(format_hand(record)) == record


def json_line(data: bytes) -> None:
    """A line of a batch has a result, which is JSON."""
    from tehai.hand.batch import score_line

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


def _check(played: Any) -> None:
    """A game that was replayed lost no point, and can be told in every form."""
    from io import StringIO

    from rich.console import Console

    from tehai.game.sheet import sheet
    from tehai.terminal.game import print_game

    game, rules = played.game, played.rules
    assert sum(game.points) + 1000 * game.sticks == rules.players * rules.start_points
    lost = 0 if rules.bets_left == "first" else 1000 * game.sticks
    assert sum(game.scores()) == sum(game.penalties) - lost
    assert len(played.ranking()) == rules.players
    json.dumps(played.to_record(), allow_nan=False)
    assert sheet(played).count("\n") >= 3 + len(played.turns)
    for language in LANGUAGES:
        print_game(Console(file=StringIO(), width=100), played, language=language)


def game_text(data: bytes) -> None:
    """A game record in a file is replayed or refused."""
    from tehai.errors import Mistake
    from tehai.game.file import game_of

    try:
        played = game_of(data.decode("utf-8", errors="replace"), None).played
    except Mistake as mistake:
        assert str(mistake)
        return
    _check(played)


def game(provider: Any) -> None:
    """A game of events that can be, or of which something is wrong, is replayed or refused."""
    from scorer.game_record import GameRecordError, replay
    from scorer.rules import ABORTIVE_DRAWS, preset_ids

    def one(*values: object) -> Any:
        return provider.PickValueInList(list(values))

    def flip() -> bool:
        return bool(provider.ConsumeBool())

    def seats() -> list[str]:
        return [seat for seat in "ESWN" if flip()]

    def numbers() -> list[int]:
        moved = 100 * provider.ConsumeIntInRange(-400, 400)
        return [moved, *[0] * provider.ConsumeIntInRange(0, 3), -moved]

    def hand() -> dict[str, Any]:
        tiles, last = one(
            ("123m456p78s22z444z", "9s"), ("19m19p19s1234567z", "1m"), ("340567p2267s111p", "8s")
        )
        won = {
            "concealed": tiles,
            "win_tile": last,
            "tsumo": flip(),
            "riichi": flip(),
            "seat_wind": one(*"ESWN"),
        }
        return {**won, "loser_offset": one(None, 1, 2, 3), "honba": one(0, 0, 0, 1), "nukidora": one(0, 0, 1)}

    def odd(event: dict[str, Any]) -> dict[str, Any]:
        if provider.ConsumeIntInRange(0, 15) == 0:
            event[one(*event)] = one(None, True, -1, 1e308, "", "E", [], {}, [None], ["E"], 10**30, "\ud800")
        return event

    events = [odd({"event": "start", "rules": one(*preset_ids())})]
    for _ in range(provider.ConsumeIntInRange(0, 30)):
        table = {"tenpai": seats(), "declared": seats()}
        event = one(
            {"event": "win", "hands": [hand() for _ in range(provider.ConsumeIntInRange(1, 3))], **table},
            {"event": "draw", "nagashi": one([], [], ["S"]), **table},
            {"event": "abort", "kind": one(*ABORTIVE_DRAWS), **table},
            {"event": "chombo", "seat": one(*"ESWN"), "declared": table["declared"]},
            {"event": "correction", "changes": numbers(), "penalties": one([], [0, 0, 0, -1000])},
            {"event": "end"} if provider.ConsumeIntInRange(0, 7) == 0 else {"event": "draw", **table},
        )
        try:
            played = replay([*events, odd(event)])
        except GameRecordError as error:
            assert str(error)
            continue  # what cannot have been is left out, so that games grow long
        events.append(event)
    try:
        played = replay(events)
    except GameRecordError as error:
        assert str(error)
        return
    _check(played)


def rules_toml(text: str) -> None:
    """House rules are read or refused."""
    from scorer.rules import RulesError, parse_rules

    try:
        parse_rules(text)
    except RulesError as error:
        assert str(error)


def journal_lines(data: bytes) -> None:
    """A journal of labels is opened, counted and checked, or refused; what it holds is not touched."""
    from tehai.errors import Mistake
    from tehai.label import journal
    from tehai.label.check import check
    from tehai.label.stats import stats

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / journal.NAME
        file.write_bytes(data)
        try:
            with journal.reading(file) as opened:
                json.dumps(stats(opened))
                list(check(opened))
        except Mistake as mistake:
            assert str(mistake)
        assert file.read_bytes() == data


def importer(data: bytes) -> None:
    """A file of labels is imported or refused, and the journal can be counted afterwards. The first byte says
    which format; what follows lies under the name that this format has."""
    from tehai.errors import Mistake
    from tehai.label import journal
    from tehai.label.import_labels import bring
    from tehai.label.stats import stats

    format_, *names = LABELS[data[0] % len(LABELS)] if data else LABELS[0]
    with tempfile.TemporaryDirectory() as folder:
        photos, source = Path(folder) / "photos", Path(folder) / "labels"
        photos.mkdir()
        source.mkdir()
        (photos / "a.png").write_bytes(_picture())
        for name, part in zip(names, data[1:].split(b"\0", len(names) - 1), strict=False):
            (source / name).write_bytes(part)
        try:
            bring(format_, source, photos, None, None, True, "fuzz", lambda _: None)
            with journal.reading(photos / journal.NAME) as opened:
                json.dumps(stats(opened), allow_nan=False)
        except Mistake as mistake:
            assert str(mistake) and "\n" not in str(mistake)


LABELS = (
    ("yolo", "a.txt", "data.yaml", "provenance.jsonl"),
    ("coco", "a.json", "provenance.jsonl"),
    ("voc", "a.xml", "provenance.jsonl"),
    ("labelme", "a.json"),
    ("label-studio", "tasks.json"),
    ("huggingface", "metadata.jsonl"),
    ("csv", "labels.csv"),
    ("webdataset", "a.tar"),
    ("journal", "tehai-labels.jsonl"),
)
"""Formats, each with the files that one input is cut into."""


@cache
def _picture() -> bytes:
    """The photo that the labels of :func:`importer` are of."""
    from PIL import Image

    data = io.BytesIO()
    Image.new("RGB", (64, 64)).save(data, "PNG")
    return data.getvalue()


def photo(data: bytes) -> None:
    """A file is a photo with pixels, or refused."""
    from vision.image import PhotoError, load

    try:
        found = load(data)
    except PhotoError as error:
        assert str(error)
        return
    assert found.pixels.ndim == 3 and found.pixels.shape[2] == 3


def _text(try_: Callable[[str], None]) -> Callable[[bytes], None]:
    return lambda data: try_(data.decode("utf-8", errors="replace"))


def _values(try_: Callable[[Any], None]) -> Callable[[bytes], None]:
    def fuzzed(data: bytes) -> None:
        import atheris

        try_(atheris.FuzzedDataProvider(data))

    return fuzzed


TARGETS: dict[str, Callable[[bytes], None]] = {
    "tiles": _text(tiles),
    "notation": _text(notation),
    "correction": _text(correction),
    "json_line": json_line,
    "record": _values(record),
    "game_text": game_text,
    "game": _values(game),
    "rules_toml": _text(rules_toml),
    "journal": journal_lines,
    "importer": importer,
    "photo": photo,
}
"""What is tried, in the order of the first bytes of inputs."""

OF_VALUES = ("record", "game")
"""Those that need atheris to make values of an input."""


def try_one(data: bytes) -> None:
    """One input: its first byte says what is tried with the rest."""
    if data:
        [*TARGETS.values()][data[0] % len(TARGETS)](data[1:])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--target", choices=[*TARGETS], help="what alone is tried; all in turn without it")
    parser.add_argument("--keep", type=Path, default=Path("runs/fuzz"), help="where what breaks is kept")
    options = parser.parse_args()
    try:
        import atheris
    except ImportError:
        raise SystemExit("atheris is not installed; python3.11 -m pip install atheris") from None
    with atheris.instrument_imports(include=["scorer", "tehai"]):
        import tehai.game.file
        import tehai.hand.batch
        import tehai.hand.notation
        import tehai.label.import_labels
        import tehai.label.stats
        import tehai.terminal.game  # noqa: F401
    options.keep.mkdir(parents=True, exist_ok=True)
    corpus = Path(tempfile.mkdtemp(prefix="fuzz-"))
    alone = [*TARGETS].index(options.target) if options.target else None
    for number, target in enumerate(TARGETS):
        for file in sorted((CORPUS / target).glob("*")):
            if alone is None:
                (corpus / f"{target}-{file.name}").write_bytes(bytes([number]) + file.read_bytes())
            elif number == alone:
                (corpus / file.name).write_bytes(file.read_bytes())
    for number, seed in enumerate(SEEDS):
        if alone is None:
            (corpus / str(number)).write_bytes(seed)
        elif seed[0] == alone:
            (corpus / str(number)).write_bytes(seed[1:])
    flags = [
        f"-max_total_time={options.seconds}", f"-timeout={HANG_SECONDS}", f"-max_len={LONGEST}",
        f"-artifact_prefix={options.keep}/", "-print_final_stats=1",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *flags, str(corpus)], TARGETS[options.target] if options.target else try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
