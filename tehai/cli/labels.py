"""Commands about labels of photos: ``label``, ``stats``, ``check``, ``review``, ``export``, ``import``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from tehai.cli.options import Elsewhere, JsonPerPhoto, Labelled, Port
from tehai.cli.program import app, complain, in_one_sentence, print_json
from tehai.errors import Mistake

if TYPE_CHECKING:
    from tehai.label.journal import Journal


@contextmanager
def _opened(where: Path) -> Iterator[Journal]:
    """The labels of a folder or a file; what had to be repaired is told."""
    from tehai.label import journal

    with journal.reading(journal.find(where)) as labels:
        if labels.repaired:
            complain(labels.repaired)
        yield labels


class _WithDefault(TyperGroup):
    """Commands below a command that is one itself: what is none of their names is its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = not args or args[0] not in self.commands
        return super().parse_args(ctx, [_OWN, *args] if own else args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return "" if name == _OWN else name, command, rest


_OWN = "DIR"

labels = typer.Typer(cls=_WithDefault, help="Label every photo of a folder, and name versions of the labels.")

app.add_typer(labels, name="label")


def _is_labelled(name: str, where: Path) -> bool:
    """Whether what stands in the place of a name is the labelled folder: the name was left out."""
    from tehai.label import journal

    return where == Path() and journal.find(Path(name)).is_file()


@labels.command("tag")
@in_one_sentence
def tag(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A new name; without one, list them.")
    ] = None,
    where: Labelled = Path(),
    by: Annotated[str | None, typer.Option("--by", help="Who names it; else your user name.")] = None,
) -> None:
    """Name the labels as they are now: tehai export --tag NAME gives them whatever is labelled later."""
    from tehai.label import journal, tags
    from tehai.review.serve import user

    if name is not None and _is_labelled(name, where):
        where, name = Path(name), None
    with journal.writing(journal.find(where)) as opened:
        if name is not None:
            tags.tag(opened, name, by or user())
        for sentence in tags.listed(opened):
            typer.echo(sentence)


@labels.command("diff")
@in_one_sentence
def diff(
    before: Annotated[str, typer.Argument(metavar="NAME", help="A version named with tehai label tag.")],
    after: Annotated[str, typer.Argument(metavar="NAME", help="Another one, or now.")] = "now",
    where: Labelled = Path(),
    as_json: JsonPerPhoto = False,
) -> None:
    """What has changed in the labels from one version to another."""
    from rich.console import Console

    from tehai.label import journal, tags
    from tehai.label.show import print_difference

    if _is_labelled(after, where):
        after, where = "now", Path(after)
    file = journal.find(where)
    with (
        journal.reading(file, before) as one,
        journal.reading(file, None if after == "now" else after) as other,
    ):
        changes = list(tags.difference(one, other))
    if as_json:
        for change in changes:
            print_json(change)
    else:
        print_difference(Console(highlight=False), changes)


@labels.command("blind")
@in_one_sentence
def blind(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who labels.")],
    where: Labelled = Path(),
    share: Annotated[
        float, typer.Option("--share", min=0, max=100, help="How many of a hundred photos, the same for all.")
    ] = 100,
) -> None:
    """A file of labels for somebody who is not to see what others say; tehai stats compares them."""
    import shlex

    from tehai.label import double_assignment, journal
    from tehai.output.join import plural

    with journal.reading(journal.find(where)) as opened:
        file, added = double_assignment.assign(opened, name, share / 100)
        folder = opened.folder
    typer.echo(f"{plural(added, 'photo')} more, as the models read them, are in {file}. Now:")
    typer.echo(shlex.join(["tehai", "review", str(folder), "--to", str(file), "--by", name]))


@labels.command("compare")
@in_one_sentence
def compare(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A network: an ONNX file of models.export.")],
    where: Labelled = Path(),
    as_json: JsonPerPhoto = False,
    most: Annotated[int, typer.Option("--most", min=1, help="How many photos are shown.")] = 20,
    pictures: Annotated[
        Path | None,
        typer.Option(
            "--pictures", metavar="FILE", help="Write the mistakes with pictures to this HTML page."
        ),
    ] = None,
) -> None:
    """What a new network gets wrong on reviewed photos, the hardest first, beside the one before."""
    from rich.console import Console

    from tehai.label import journal, mistakes
    from tehai.label.compare import compare as run
    from tehai.label.compare import reader_with
    from tehai.label.show import print_compared

    reader = reader_with(model)
    if pictures is not None:
        mistakes.writable(pictures)
    with journal.reading(journal.find(where)) as opened:
        photos = run(opened, reader, complain)
        if not photos:
            raise Mistake("No photo has been reviewed as a whole; review some with: tehai review DIR.")
        if pictures is not None:
            pictures.write_text(mistakes.page(opened, photos, most), encoding="utf-8")
    if as_json:
        for one in photos:
            print_json(one.to_record())
    else:
        print_compared(Console(highlight=False), photos, most)


@labels.command(_OWN, hidden=True)
@in_one_sentence
def label(
    folder: Annotated[
        str, typer.Argument(metavar="DIR", help="The folder of the photos; with Ray also s3://bucket/photos.")
    ],
    to: Annotated[
        Path | None, typer.Option("--to", help="Write the labels here instead of into the folder.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, max=10_000, help="Worker processes. Default: one for each core."),
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", help="Where to run: processes on this machine, or ray for a cluster.")
    ] = "processes",
) -> None:
    """Label every photo of a folder. Run it again to continue and to read new photos.

    tehai label tag NAME names this version of the labels. tehai label diff NAME shows what has changed since.
    """
    from tehai.label.address import where
    from tehai.label.journal import place
    from tehai.label.run import label as run
    from tehai.review.queue import prepare

    photos = where(folder)
    if run(photos, to, workers, typer.echo, engine).stopped:
        raise typer.Exit(2)
    prepare(place(photos, to))  # so that the first look at many photos need not wait


@app.command()
@in_one_sentence
def stats(
    where: Labelled,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Count the labels: faces, red fives, folders, accuracy of the models, duplicates, problems."""
    from rich.console import Console

    from tehai.label.show import print_stats
    from tehai.label.stats import stats as count

    with _opened(where) as labels:
        facts = count(labels)
    if as_json:
        print_json(facts)
    else:
        print_stats(Console(highlight=False), facts)


@app.command()
@in_one_sentence
def check(
    where: Labelled,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a finding and a line.")] = False,
) -> None:
    """Check labels against their photos and the rules. Exit with code 3 if a label looks wrong."""
    from rich.console import Console

    from tehai.label.check import check as findings_of
    from tehai.label.show import print_findings

    with _opened(where) as labels:
        findings = list(findings_of(labels))
        photos = len(labels.index.photos)
    if as_json:
        for finding in findings:
            print_json(finding)
    else:
        print_findings(Console(highlight=False), findings, photos)
    if findings or labels.repaired:
        raise typer.Exit(3)


@app.command()
@in_one_sentence
def review(
    where: Labelled,
    to: Elsewhere = None,
    by: Annotated[
        str | None, typer.Option("--by", help="The name of the reviewer. Default: your user name.")
    ] = None,
    port: Port = 8766,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let others in the same network review too, by a QR code.")
    ] = False,
    https: Annotated[bool, typer.Option("--https", help="Use HTTPS with a certificate of its own.")] = False,
) -> None:
    """Review labels in the browser, the hardest photos first. Every correction is kept as a revision."""
    from rich.console import Console

    from tehai.review.serve import Options, serve

    options = Options(where, to, by, port, not no_browser, "" if lan else None, https)
    serve(options, Console(highlight=False))


@app.command()
@in_one_sentence
def export(
    format: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT",
            help="yolo, yolo-obb, yolo-pose, coco, coco-keypoints, voc, labelme, cvat, label-studio, "
            "huggingface, parquet, webdataset, csv, crops or journal.",
        ),
    ],
    where: Labelled,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder.")],
    split: Annotated[
        str, typer.Option("--split", help="Shares of train, val and test, such as 80,10,10.")
    ] = "100",
    seed: Annotated[int, typer.Option("--seed", help="The seed of the random split.")] = 0,
    set_depth: Annotated[
        int, typer.Option("--set-depth", min=0, help="How many folders of a path name the tile set.")
    ] = 0,
    together: Annotated[
        list[str] | None,
        typer.Option(
            "--together",
            metavar="WAY",
            help="Which photos stay in one part: those of a time (a session, the default), with near numbers "
            "(in names), of a folder, or a regular expression over paths. May be repeated.",
        ),
    ] = None,
    reviewed: Annotated[
        bool, typer.Option("--reviewed", help="Export only labels that a person has reviewed.")
    ] = False,
    link: Annotated[bool, typer.Option("--link", help="Link to the photos instead of copying.")] = False,
    licence: Annotated[
        str, typer.Option("--licence", help="The licence that the data card names.")
    ] = "not stated",
    flat: Annotated[
        bool,
        typer.Option(
            "--flat", help="Put all photos of a part into one folder, for loaders that read no subfolders."
        ),
    ] = False,
    one_class: Annotated[
        bool, typer.Option("--one-class", help='Label every tile as "tile", unreadable ones too.')
    ] = False,
    tag: Annotated[
        str | None,
        typer.Option("--tag", help="Export a version named with tehai label tag. Default: the latest."),
    ] = None,
    mask: Annotated[bool, typer.Option("--mask", help="Cover unreadable tiles with grey.")] = False,
    without_unreadable: Annotated[
        bool, typer.Option("--without-unreadable-photos", help="Leave out photos with an unreadable tile.")
    ] = False,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Exit with code 3 if photos stayed out because they changed after labelling."
        ),
    ] = False,
) -> None:
    """Export labels and photos for another tool, with a split and a data card."""
    from tehai.label import journal
    from tehai.label.export import export as run
    from tehai.label.selection import Options, parse_shares

    options = Options(
        format, parse_shares(split), seed, set_depth, reviewed, link, licence, flat, one_class, tag,
        tuple(together or ("time",)), mask, without_unreadable,
    )  # fmt: skip
    with journal.reading(journal.find(where), tag) as opened:
        left_out = run(opened, out, options, typer.echo)
    if strict and left_out:
        raise typer.Exit(3)


@app.command("import")
@in_one_sentence
def bring(
    format: Annotated[str, typer.Argument(metavar="FORMAT", help="As for export, without crops.")],
    source: Annotated[Path, typer.Argument(metavar="LABELS", help="The folder or file of labels.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the photos.")],
    to: Elsewhere = None,
    names: Annotated[
        Path | None, typer.Option("--names", help="A TOML file that maps classes to tiles.")
    ] = None,
    by: Annotated[str, typer.Option("--by", help="Who made these labels.")] = "import",
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace labels that a person has made, too.")
    ] = False,
    as_: Annotated[
        str,
        typer.Option(
            "--as",
            help="labels: as the data set says; predictions: a model's; reviewed: a person's, all of them.",
        ),
    ] = "labels",
) -> None:
    """Import labels of another tool into the journal, each as a revision."""
    from tehai.label.import_labels import UnknownClasses
    from tehai.label.import_labels import bring as run
    from tehai.label.journal import place
    from tehai.review.queue import prepare

    try:
        run(format, source, folder, to, names, replace, by, typer.echo, as_)
    except UnknownClasses as unknown:
        for line in unknown.lines:
            typer.echo(line)
        raise
    prepare(place(folder, to))  # so that the first look at many photos need not wait
