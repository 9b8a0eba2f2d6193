"""``python -m datasets render|sheet``: rendered photographs with truth, and a look at them.

``render`` writes ``000000.jpg``… and ``truth.jsonl`` (one line a photo: file, width, height, seed, kind,
family, tiles, hand). The same seed gives the same photos, whatever the number of workers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from datasets import scene, tilesets
from datasets.layouts import MIX, Kind

app = typer.Typer(help=__doc__, add_completion=False, no_args_is_help=True)

_PHOTOS_PER_SET = 4  # a new tile set takes longer to draw than a photo of it
_SHAPES = ((4, 3), (4, 3), (4, 3), (4, 3), (16, 9), (3, 4))


@dataclass(frozen=True, slots=True)
class Order:
    """What to render; everything that a photo depends on but its number."""

    seed: int
    kind: Kind | None
    long_side: int
    held_out: bool
    art: Path | None


@cache
def _sources(art: Path | None) -> tuple[tilesets.Source, ...]:
    return tilesets.sources(art)


@cache
def _tile_set(order: Order, number: int) -> tilesets.TileSet:
    rng = np.random.default_rng([order.seed, 0, number])
    return tilesets.draw_set(rng, _sources(order.art), held_out=order.held_out)


def _photo(order: Order, number: int) -> scene.Scene:
    _tile_set.cache_clear() if number % _PHOTOS_PER_SET == 0 else None
    rng = np.random.default_rng([order.seed, 1, number])
    kind = order.kind or list(MIX)[int(rng.choice(len(MIX), p=list(MIX.values())))]
    wide, high = _SHAPES[int(rng.integers(len(_SHAPES)))]
    unit = order.long_side / max(wide, high)
    tileset = _tile_set(order, number // _PHOTOS_PER_SET)
    return scene.make(rng, tileset, kind, round(wide * unit), round(high * unit))


def _render(task: tuple[Order, int, Path]) -> str:
    order, number, out = task
    cv2.setNumThreads(1)
    made = _photo(order, number)
    name = f"{number:06d}.jpg"
    cv2.imwrite(str(out / name), made.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 95])
    return json.dumps({"file": name, "seed": order.seed, **made.truth}, separators=(",", ":"))


def _all(order: Order, photos: int, workers: int, out: Path) -> Iterator[str]:
    tasks = [(order, number, out) for number in range(photos)]
    if workers == 1:
        yield from map(_render, tasks)
        return
    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(_render, tasks, chunksize=_PHOTOS_PER_SET)


Photos = Annotated[int, typer.Option(help="How many photos.", min=1)]
Seed = Annotated[int, typer.Option(help="The same seed gives the same photos.")]
KindOption = Annotated[str | None, typer.Option(help=f"Only this kind: {', '.join(MIX)}.")]
HeldOut = Annotated[bool, typer.Option("--held-out", help="Tile drawings that training never sees.")]
Side = Annotated[int, typer.Option(help="Long side of the photos in pixels.", min=160)]
Art = Annotated[Path, typer.Option(help="Folder of drawn faces; without it fonts and drawn shapes serve.")]
ART = Path("../shared/data/art")


def _order(seed: int, kind: str | None, side: int, held_out: bool, art: Path) -> Order:
    for known in MIX:
        if kind is None or kind == known:
            return Order(seed, None if kind is None else known, side, held_out, art if art.is_dir() else None)
    raise typer.BadParameter(f"No kind of photo is called {kind!r}; choose one of {', '.join(MIX)}.")


@app.command()
def render(
    out: Annotated[Path, typer.Argument(help="Folder to write to; made if it is not there.")],
    photos: Photos = 100,
    seed: Seed = 1,
    kind: KindOption = None,
    side: Side = 640,
    held_out: HeldOut = False,
    workers: Annotated[int, typer.Option(help="Processes.", min=1)] = cpu_count() or 1,
    art: Art = ART,
) -> None:
    """Render photos with their truth into a folder."""
    order = _order(seed, kind, side, held_out, art)
    out.mkdir(parents=True, exist_ok=True)
    columns = (TextColumn("rendering"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (out / "truth.jsonl").open("w") as truth, Progress(*columns) as progress:
        for line in progress.track(_all(order, photos, workers, out), total=photos):
            truth.write(line + "\n")


@app.command()
def sheet(
    out: Annotated[Path, typer.Argument(help="The picture to write.")],
    photos: Photos = 12,
    seed: Seed = 1,
    kind: KindOption = None,
    side: Side = 640,
    held_out: HeldOut = False,
    truth: Annotated[bool, typer.Option("--truth", help="Draw the truth on the photos.")] = False,
    columns: Annotated[int, typer.Option(min=1)] = 4,
    art: Art = ART,
) -> None:
    """A contact sheet of rendered photos."""
    order = _order(seed, kind, side, held_out, art)
    cell = (480, 360)
    cells = []
    for number in range(photos):
        made = _photo(order, number)
        image = made.image.copy()
        for tile in made.truth["tiles"] if truth else ():
            quad = np.array(tile["quad"], np.float32)
            ink = (255, 0, 0) if tile["visible"] >= 0.45 else (0, 0, 255)
            cv2.polylines(image, [quad.round().astype(np.int32)], True, ink, 1, cv2.LINE_AA)
            cv2.circle(image, quad[0].round().astype(int).tolist(), 2, (0, 255, 0), -1)
            cv2.putText(
                image, tile["label"], quad.mean(axis=0).astype(int).tolist(), 0, 0.35, ink, 1, cv2.LINE_AA
            )
        factor = min(cell[0] / image.shape[1], cell[1] / image.shape[0])
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        framed = np.zeros((cell[1], cell[0], 3), np.uint8)
        framed[: small.shape[0], : small.shape[1]] = small
        cells.append(framed)
    cells += [np.zeros_like(cells[0])] * (-photos % columns)
    rows = [np.hstack(cells[i : i + columns]) for i in range(0, len(cells), columns)]
    cv2.imwrite(str(out), np.vstack(rows)[..., ::-1])


if __name__ == "__main__":
    app()
