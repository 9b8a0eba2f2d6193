"""``tehai import``: labels of another tool as revisions of a journal."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from tehai.errors import Mistake
from tehai.label import journal, names, points
from tehai.label.export import JOURNAL
from tehai.label.files import content
from tehai.label.formats import FORMATS
from tehai.label.formats.neutral import Picture, Tile
from tehai.label.formats.parsing import parsing
from tehai.label.hashing import perceptual_hash
from tehai.label.journal import TOUCHED, Conflict, Entry, Journal, Line, Report, digests
from tehai.label.labeller import when_taken
from tehai.label.photo_files import photos
from tehai.label.provenance import Provenance
from tehai.label.run import digest
from tehai.output.join import plural, printable
from vision.image import PhotoError, load
from vision.reading import quad_of

_NAMED = 5


class UnknownClasses(Mistake):
    """Classes that the map does not name; ``lines`` are the lines to add to it."""

    def __init__(self, missing: Counter[str]) -> None:
        super().__init__(
            f"{plural(len(missing), 'class', 'classes')} with {plural(missing.total(), 'tile')} "
            "are no names of tiles; put these lines, corrected, into a file and name it with --names. "
            "Nothing was imported."
        )
        self.lines = names.map_lines(missing)


@dataclass(slots=True)
class Tally:
    """The result of an import. ``kept``: photos that a person had already labelled. ``known``: photos that
    the same models had already read."""

    photos: int = 0
    tiles: int = 0
    kept: int = 0
    known: int = 0
    left_out: int = 0
    lost: list[str] = field(default_factory=list)


AS: Final = ("labels", "predictions", "reviewed")
"""Who made the labels of a data set: as it declares (by default a person), a model, or a person who reviewed
them."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """Who made the labels of an import. ``by``: the default name."""

    format: str
    by: str
    as_: str
    provenance: Provenance

    def of(self, picture: Picture) -> bool:
        """Whether a photo's labels are a person's."""
        if self.as_ != AS[0]:
            return self.as_ == "reviewed"
        known = self.provenance.reviewed(picture.name) if picture.reviewed is None else picture.reviewed
        return True if known is None else known

    def words(self, picture: Picture) -> Line:
        """The fields ``review`` and, for predictions, ``models`` of a line of the journal."""
        photo = self.provenance.of_photo(picture.name)
        review = {"state": "imported", "by": f"{picture.by or self.by} ({self.format})", "at": journal.now()}
        if self.of(picture):
            return {"review": review if photo is None else {**review, "was": photo["review"]}}
        ours = photo is not None and self.as_ == AS[0] and photo["models"]
        models = ours or {"imported": {"name": picture.by or self.by, "sha256": ""}}
        return {"review": {**review, "state": "unreviewed"}, "models": models}

    def is_older(self, line: Line, entry: Entry) -> bool:
        """Whether a photo's line adds nothing: predictions where a person has labelled, or where the same
        model has."""
        return line["review"]["state"] not in TOUCHED and (
            entry.touched or digests(line["models"]) == entry.models
        )


@dataclass(slots=True)
class Finder:
    """Find photos of a folder by the hash of their content, if it is known.

    Otherwise by their path, or the end of it, with or without a suffix. None if two photos fit.
    """

    folder: Path
    exact: set[str]
    loose: dict[str, str | None] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path, listed: Iterable[str]) -> Finder:
        found = cls(folder, set(listed))
        for path in sorted(found.exact):
            pure = PurePosixPath(path)
            flat = str(pure.with_suffix("")).replace("/", "-")
            for key in {str(pure.with_suffix("")), flat, pure.name, pure.stem}:
                found.loose[key] = None if key in found.loose else path
        return found

    def find(self, name: str, sha256: str = "") -> str | None:
        """The photo with this name in the data set; with ``sha256``, the photo of this content whatever its
        name."""
        named = self._named(name)
        if not sha256 or (named is not None and self.digest(named) == sha256):
            return named
        if not self.contents:
            self.contents = {self.digest(path): path for path in sorted(self.exact, reverse=True)}
        return self.contents.get(sha256)

    def digest(self, path: str) -> str:
        """The hash of a photo's content; empty if it cannot be opened."""
        if path not in self.digests:
            try:
                self.digests[path] = digest(self.folder / path)
            except OSError:
                self.digests[path] = ""
        return self.digests[path]

    def _named(self, name: str) -> str | None:
        if name in self.exact:
            return name
        pure = PurePosixPath(name)
        plain = pure.name if pure.suffix else name
        for key in (str(pure.with_suffix("")), name, plain, pure.stem):
            if path := self.loose.get(key):
                return path
        return None


def bring(
    format_: str,
    source: Path,
    folder: Path,
    to: Path | None,
    map_file: Path | None,
    replace: bool,
    by: str,
    say: Report,
    as_: str = AS[0],
) -> Tally:
    """Import labels. Raises :class:`UnknownClasses` before anything is written, and :class:`Mistake`.

    ``as_``: one of :data:`AS`. Without ``replace``, and for predictions in any case, people's labels stay.
    From another journal every field is imported, with its author and time.
    """
    if as_ not in AS:
        raise Mistake(f"--as is one of {', '.join(AS)}, not {as_}.")
    if not source.exists():
        raise Mistake(f"{source} does not exist; check the path.")
    if format_ == JOURNAL:
        given: Iterable[Line | Picture] = _lines(source)
    else:
        given = _pictures(format_, source, names.read_map(map_file), as_)
    tally, finder = Tally(), Finder.of(folder, photos(folder))
    review = Attribution(format_, by, as_, Provenance.of(source))
    with journal.writing(journal.place(folder, to), folder) as opened:
        for one in given:
            name = one["path"] if isinstance(one, dict) else one.name
            known = one if isinstance(one, dict) else review.provenance.of_photo(name)
            path = finder.find(name, known["sha256"] if known else "")
            sha256 = finder.digest(path) if path else ""
            if (
                not path
                or not sha256
                or not _bring_one(opened, folder / path, path, sha256, one, review, replace, tally)
            ):
                tally.lost.append(name)
    _say(tally, say)
    return tally


def _pictures(format_: str, source: Path, mapped: Mapping[str, str], as_: str) -> list[Picture]:
    """The photos of a data set with our classes. The empty class means: leave the tile out."""
    if format_ not in FORMATS:
        raise Mistake(f"There is no format {format_}; there are {', '.join([*FORMATS, JOURNAL])}.")
    read = FORMATS[format_].read
    if read is None:
        raise Mistake(f"{format_} cannot be imported: crops do not say where in which photo they lie.")
    if as_ == "predictions":
        read = FORMATS[format_].predictions or read
    pictures = list(read(source))
    if not pictures:
        raise Mistake(f"{source} holds no labels of the format {format_}.")
    missing = names.unknown(Counter(tile.label for picture in pictures for tile in picture.tiles), mapped)
    if missing:
        raise UnknownClasses(missing)
    return [
        dataclasses.replace(
            picture,
            tiles=tuple(
                dataclasses.replace(tile, label=mapped.get(tile.label, tile.label)) for tile in picture.tiles
            ),
        )
        for picture in pictures
    ]


def _lines(source: Path) -> Iterator[Line]:
    with journal.reading(journal.find(source)) as opened:
        for line in opened.photos():
            with parsing(f"{opened.file}: the photo {line['path']}", "a photo with labels"):
                _check(line)
            yield line


def _check(line: Line) -> None:
    """Raises if a line of another journal would make ours unreadable."""
    tiles = [Tile(quad_of(tile["quad"]), tile["label"], tile["probability"]) for tile in line["tiles"]]
    Picture(line["path"], line["width"], line["height"], tuple(tiles))
    texts = [line["phash"], line["review"]["state"], line["review"]["by"], *(tile.label for tile in tiles)]
    texts += [tile[name] for tile in line["tiles"] for name in ("role", "source")]
    if not all(isinstance(text, str) for text in texts) or any(len(tile.quad) != 4 for tile in tiles):
        raise ValueError("a text or a corner is missing")


def _bring_one(
    opened: Journal,
    file: Path,
    path: str,
    sha256: str,
    given: Picture | Line,
    attribution: Attribution,
    replace: bool,
    tally: Tally,
) -> bool:
    """Import one photo's labels; False if its file, with this hash, is no readable photo."""
    entry = opened.index.photos.get(sha256)
    if isinstance(given, dict):
        line, says_less = given, entry is not None and given["review"]["state"] not in TOUCHED
    else:
        try:
            photo = _facts(file) if entry is None else opened.photo(sha256)
        except (OSError, PhotoError):
            return False
        line = _imported(given, photo, attribution, tally)
        says_less = entry is not None and attribution.is_older(line, entry)
    if says_less and entry is not None and not entry.touched:
        tally.known += 1
        return True
    if says_less or (entry is not None and entry.touched and not replace):
        tally.kept += 1
        return True
    revision = entry.revision if entry else 0
    try:
        opened.append(
            {**line, "kind": "photo", "sha256": sha256, "path": path, "revision": revision + 1},
            after=revision,
        )
    except Conflict:
        tally.kept += 1
        return True
    if opened.index.paths.get(path) != sha256:
        opened.append({"kind": "place", "path": path, "sha256": sha256})
    tally.photos += 1
    tally.tiles += len(line["tiles"])
    return True


def _imported(picture: Picture, photo: Line, attribution: Attribution, tally: Tally) -> Line:
    """The line of a photo with a data set's tiles, scaled to the photo's pixels."""
    scale = photo["width"] / picture.width, photo["height"] / picture.height
    tiles = [_record(tile, scale, attribution.of(picture)) for tile in picture.tiles if tile.label]
    tally.left_out += len(picture.tiles) - len(tiles)
    labelled = {"tiles": tiles, "hand": None, "status": "incomplete", "message": ""}
    return {**photo, **labelled, **journal.UNDOUBTED, **attribution.words(picture)}


def _facts(file: Path) -> dict[str, Any]:
    """The facts of a photo that no model has read."""
    data = content(file)
    photo = load(data)
    return {
        "width": photo.width,
        "height": photo.height,
        "taken": when_taken(data),
        "phash": perceptual_hash(photo.pixels),
        "points": points.found(photo.pixels),
        "models": {},
    }


def _record(tile: Tile, scale: tuple[float, float], reviewed: bool) -> dict[str, Any]:
    probability = 1.0 if tile.score is None else tile.score
    # Nobody says what a model thought of the other labels: at most what is left fell to one of them.
    sure = {
        "margin": round(2 * probability - 1, 4),
        "top3": [[tile.label, probability]],
        "source": "predicted",
    }
    return {
        "quad": [[round(x * scale[0], 1), round(y * scale[1], 1)] for x, y in tile.quad],
        "label": tile.label,
        "probability": probability,
        "role": "other",
        "sideways": False,
        "upside_down": False,
        **({"margin": None, "top3": [], "source": "imported"} if reviewed else sure),
    }


def _say(tally: Tally, say: Report) -> None:
    say(f"Imported {plural(tally.tiles, 'tile')} of {plural(tally.photos, 'photo')}.")
    if tally.left_out:
        say(f"{plural(tally.left_out, 'tile')} were left out, as the file of names says.")
    if tally.kept:
        say(
            f"{plural(tally.kept, 'photo')} had been labelled by a person and stayed so; "
            "--replace takes the import's."
        )
    if tally.known:
        say(f"{plural(tally.known, 'photo')} had been read by the same models already and stayed so.")
    if tally.lost:
        some = ", ".join(map(printable, tally.lost[:_NAMED])) + (", …" if len(tally.lost) > _NAMED else "")
        say(
            f"{plural(len(tally.lost), 'photo')} of the data set cannot be found in the folder as they were, "
            f"or cannot be read: {some}."
        )
