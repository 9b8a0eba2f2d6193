"""``python -m datasets render|lay|sheet|laid-sheet``: rendered photographs with truth, scenes that are laid
and not drawn (:mod:`datasets.laid`), and a look at them.

``render`` writes ``000000.jpg``… and ``truth.jsonl`` (one line a photo: file, width, height, seed, kind,
family, tiles, hand; for ``--kind game`` also scene, outcome, hands). A tile that no hand has is labelled
``foreign``; ``drawing`` says what it shows. The same seed gives the same photos,
whatever the number of workers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import cpu_count
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from datasets import laid
from datasets.render import batch, game, tilesets
from datasets.render.layouts import Kind
from datasets.render.sample import sample as make_sample
from datasets.render.scene import Scene
from vision.arrays import Pixels

app = typer.Typer(help=__doc__, add_completion=False, no_args_is_help=True)

Photos = Annotated[int, typer.Option(help="How many photos.", min=1)]
Seed = Annotated[int, typer.Option(help="The same seed gives the same photos.")]
KindOption = Annotated[str | None, typer.Option(help=f"Only this kind: {', '.join(batch.KINDS)}.")]
KindsOption = Annotated[
    list[str] | None,
    typer.Option("--kind", help=f"Some of {', '.join(batch.KINDS)}; {' and '.join(laid.KINDS)}."),
]
SceneOption = Annotated[
    list[str] | None,
    typer.Option(
        "--scene", help=f"Only these scenes of a game, each named with a --scene: {', '.join(game.SCENES)}."
    ),
]
HeldOut = Annotated[bool, typer.Option("--held-out", help="Tile drawings that training never sees.")]
Side = Annotated[int, typer.Option(help="Long side of the photos in pixels.", min=160)]
Art = Annotated[Path, typer.Option(help="Folder of drawn faces; without it fonts and drawn shapes serve.")]
ART = Path("../shared/data/art")


def _drawings(art: Path, *, held_out: bool = False) -> Path | None:
    """The folder of drawings; None, and a line that says so, where it is missing and need not be there."""
    if art.is_dir():
        return art
    if held_out:
        raise typer.BadParameter(
            f"No folder of drawings at {art}: give it with --art. None is held out without."
        )
    typer.echo(f"No folder of drawings at {art} (--art): fonts and drawn shapes serve.", err=True)
    return None


def _order(
    seed: int, kind: str | None, scenes: list[str] | None, side: int, held_out: bool, art: Path
) -> batch.Order:
    for scene in scenes or ():
        if scene not in game.SCENES:
            raise typer.BadParameter(
                f"No scene of a game is called {scene!r}; choose some of {', '.join(game.SCENES)}."
            )
    if scenes and kind != "game":
        raise typer.BadParameter("Scenes are those of a game: name them with --kind game.")
    some = None if kind is None else _kind(kind)
    drawings = _drawings(art, held_out=held_out)
    if drawings and (missing := tilesets.missing_families(drawings, held_out=held_out)):
        typer.echo(
            f"Drawn without {', '.join(missing)}: datasets/sources.toml says where to get them.", err=True
        )
    return batch.Order(seed, some, side, held_out, drawings, tuple(scenes or game.SCENES))


def _kind(name: str) -> Kind:
    for known in batch.KINDS:
        if name == known:
            return known
    raise typer.BadParameter(f"No kind of photo is called {name!r}; choose one of {', '.join(batch.KINDS)}.")


@app.command()
def render(
    out: Annotated[Path, typer.Argument(help="Folder to write to; made if it is not there.")],
    photos: Photos = 100,
    seed: Seed = 1,
    kind: KindOption = None,
    scene: SceneOption = None,
    side: Side = 640,
    held_out: HeldOut = False,
    workers: Annotated[int, typer.Option(help="Processes.", min=1)] = cpu_count() or 1,
    art: Art = ART,
    resume: Annotated[bool, typer.Option("--resume", help="Go on after the photos that are there.")] = False,
) -> None:
    """Render photos with their truth into a folder."""
    order = _order(seed, kind, scene, side, held_out, art)
    out.mkdir(parents=True, exist_ok=True)
    file = out / "truth.jsonl"
    done = [line for line in file.open() if line.endswith("\n")] if resume and file.exists() else []
    if done and (other := json.loads(done[0])["seed"]) != seed:
        raise typer.BadParameter(f"{out} holds photos of seed {other}: name another folder.")
    columns = (TextColumn("rendering"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with file.open("w") as truth, Progress(*columns) as progress:
        truth.writelines(done)
        lines = batch.render(order, photos, workers, out, begin=len(done))
        for line in progress.track(lines, total=photos, completed=len(done)):
            truth.write(line + "\n")
            truth.flush()


@app.command()
def lay(
    out: Annotated[Path, typer.Argument(help="Folder to write to; made if it is not there.")],
    scenes: Annotated[int, typer.Option(help="How many scenes.", min=1)] = 1000,
    seed: Seed = 1,
    kind: KindsOption = None,
    side: Side = 1280,
    rare: Annotated[
        float, typer.Option(help="Share of finished hands that are yakuman.", min=0, max=1)
    ] = 0.0,
    workers: Annotated[int, typer.Option(help="Processes.", min=1)] = 1,
) -> None:
    """Lay scenes and see them by a camera, without drawing them. Goes on where it was interrupted."""
    order = laid.Order(seed, tuple(_kind(name) for name in kind or laid.KINDS), side, rare)
    out.mkdir(parents=True, exist_ok=True)
    columns = (TextColumn("laying"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        task = progress.add_task("lay", total=scenes)
        try:
            for count in laid.write(order, scenes, workers, out):
                progress.advance(task, count)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error


@app.command()
def sheet(
    out: Annotated[Path, typer.Argument(help="The picture to write.")],
    photos: Photos = 12,
    seed: Seed = 1,
    kind: KindOption = None,
    scene: SceneOption = None,
    side: Side = 640,
    held_out: HeldOut = False,
    truth: Annotated[bool, typer.Option("--truth", help="Draw the truth on the photos.")] = False,
    columns: Annotated[int, typer.Option(min=1)] = 4,
    art: Art = ART,
) -> None:
    """A contact sheet of rendered photos."""
    order = _order(seed, kind, scene, side, held_out, art)
    made = [batch.photograph(order, number) for number in range(photos)]
    _write_sheet(out, [_with_truth(each) if truth else each.image for each in made], columns)


@app.command()
def laid_sheet(
    out: Annotated[Path, typer.Argument(help="The picture to write.")],
    scenes: Annotated[int, typer.Option(help="How many scenes.", min=1)] = 12,
    seed: Seed = 1,
    kind: KindsOption = None,
    side: Side = 1280,
    columns: Annotated[int, typer.Option(min=1)] = 4,
) -> None:
    """A contact sheet of laid scenes: each tile in the colour of its role, with the number of its player."""
    order = laid.Order(seed, tuple(_kind(name) for name in kind or laid.KINDS), side)
    _write_sheet(out, [laid.picture(laid.lay(order, number)) for number in range(scenes)], columns)


def _with_truth(made: Scene) -> Pixels:
    """A photo with its truth drawn on it."""
    image = made.image.copy()
    for tile in made.truth["tiles"]:
        quad = np.array(tile["quad"], np.float32)
        ink = (255, 0, 0) if tile["visible"] >= 0.45 else (0, 0, 255)
        cv2.polylines(image, [quad.round().astype(np.int32)], True, ink, 1, cv2.LINE_AA)
        cv2.circle(image, quad[0].round().astype(int).tolist(), 2, (0, 255, 0), -1)
        cv2.putText(
            image, tile["label"], quad.mean(axis=0).astype(int).tolist(), 0, 0.35, ink, 1, cv2.LINE_AA
        )
    return image


def _write_sheet(out: Path, images: Sequence[Pixels], columns: int) -> None:
    """Pictures in rows, each within 480 by 360 pixels."""
    cells = []
    for image in images:
        factor = min(480 / image.shape[1], 360 / image.shape[0])
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        framed = np.zeros((360, 480, 3), np.uint8)
        framed[: small.shape[0], : small.shape[1]] = small
        cells.append(framed)
    cells += [np.zeros_like(cells[0])] * (-len(cells) % columns)
    rows = [np.hstack(cells[i : i + columns]) for i in range(0, len(cells), columns)]
    _write(out, np.vstack(rows))


def _write(out: Path, image: Pixels, quality: int = 95) -> None:
    """Write a picture, and make its folder. ``quality``: that of a JPEG."""
    out.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(out), image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality]):
        raise typer.BadParameter(f"{out} cannot be written.")


@app.command()
def sample(
    out: Annotated[Path, typer.Argument(help="The JPEG to write, tehai/hand/sample.jpg in this project.")],
    art: Art = ART,
) -> None:
    """Render the sample photo that the package carries."""
    _write(out, make_sample(_drawings(art)).image, quality=90)


if __name__ == "__main__":
    app()
