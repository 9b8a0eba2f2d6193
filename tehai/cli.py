"""The command line: ``tehai score``, ``advise``, ``read``, ``batch``, ``game``, ``rules``, ``webcam`` …

What a command needs is imported when it runs, so that ``tehai --help`` loads neither OpenCV nor onnxruntime.
"""

from __future__ import annotations

import errno
import functools
import inspect
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, Final, NoReturn, ParamSpec

import typer
from typer.core import TyperGroup

from tehai.errors import InDoubt, Mistake, needs_opencv
from tehai.flags.command import FactsCommand, trouble
from tehai.flags.table import FLAGS, OF_A_TABLE, Flag

if TYPE_CHECKING:
    from tehai.label.journal import Journal

P = ParamSpec("P")
Facts = Mapping[str, bool | int | str | list[str] | tuple[str, ...] | None]


class _Commands(TyperGroup):
    """All commands. One without ``--lang`` says that it prints English alone.

    What holds for every command may stand behind its name, too.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        ahead = [word for word in args[:end] if word in _FOR_ALL]
        return super().parse_args(
            ctx, [*ahead, *(word for word in args[:end] if word not in ahead), *args[end:]]
        )

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            if getattr(error, "option_name", None) == "--lang":
                error.message = _ENGLISH_ALONE  # type: ignore[attr-defined]
            raise


_FOR_ALL: Final = ("--debug", "--quiet", "-q", "--verbose", "-v")
"""Options of ``tehai`` itself."""

_ENGLISH_ALONE: Final = (
    "This command prints English only: drop --lang. このコマンドは英語のみです。--lang を外してください。"
)

app = typer.Typer(
    name="tehai",
    cls=_Commands,
    help="Point a phone at a finished mahjong hand, get its score.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_debug = False
_json_printed = False

JSON_VERSION: Final = 1
"""Of every object that ``--json`` prints."""

_PRESETS: Final = ", ".join(
    sorted(file.stem for file in (Path(__file__).parent.parent / "scorer" / "presets").glob("*.toml"))
)
"""Every rule id, from the names of the files: who only wants help needs no rules."""


def main() -> None:
    """The ``tehai`` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without kanji shows ? and no error
    read_before = not _is_null(sys.stdout)
    try:
        if "--json" in sys.argv:
            _run_for_a_program()
        else:
            app()
    except BrokenPipeError:
        _nobody_reads()
    except SystemExit:
        if read_before and _is_null(sys.stdout):  # as rich leaves it where the reader of its output has gone
            _nobody_reads()
        raise
    finally:
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            _nobody_reads()


def _run_for_a_program() -> None:
    """The command whose caller reads JSON: a mistake on the command line is JSON, too."""
    try:
        code = app(standalone_mode=False)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        _complain(error.format_message())
        _json_error(error.format_message())
        code = 2
    sys.exit(code if isinstance(code, int) else 0)


def _is_null(stream: Any) -> bool:
    """Whether what is written there goes nowhere."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), Path(os.devnull).stat())
    except (OSError, ValueError):
        return False


def _nobody_reads() -> NoReturn:
    """Ends as a program does whose output is cut off, as by ``head -1``: 128 and the number of SIGPIPE."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(141)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"tehai {version('tehai')}")
        except PackageNotFoundError:
            typer.echo("tehai, not installed: run from a checkout")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print only results: no notes, no doubts.")
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Print more: the source of errors, what is installed."),
    ] = False,
) -> None:
    global _debug, _json_printed
    from tehai.terminal import volume

    _debug, _json_printed = debug or verbose, False
    volume.quiet, volume.verbose = quiet, verbose


def _one_sentence(command: Callable[P, None]) -> Callable[P, None]:
    """The command with its errors said in one sentence on stderr: exit code 2 for a mistake, 3 for a
    reading in doubt where only a sure one was wanted, 1 for a bug."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with needs_opencv():
                command(*args, **kwargs)
        except (typer.Exit, typer.Abort):
            raise
        except Mistake as mistake:
            if _debug:
                raise
            _complain(_in_language(str(mistake), str(kwargs.get("language", "en"))))
            if kwargs.get("as_json"):
                _json_error(str(mistake))
            raise typer.Exit(mistake.code) from None
        except BrokenPipeError:
            raise
        except Exception as error:
            if _debug:
                raise
            full = isinstance(error, OSError) and error.errno in _NO_ROOM
            where = f" for {error.filename}" if isinstance(error, OSError) and error.filename else ""
            what = f"{type(error).__name__}: {error}"
            said = f"something went wrong inside tehai ({what}); see tehai --debug."
            if full:
                said = f"the disk is full{where}: make room and try again."
            _complain(said)
            if kwargs.get("as_json"):
                with suppress(OSError):
                    _json_error(said)
            raise typer.Exit(2 if full else 1) from None

    return run


def _in_language(sentence: str, language: str) -> str:
    """The sentence; in Japanese with a remark where it is not translated."""
    if language != "ja" or any("\u3040" <= letter <= "\u30ff" for letter in sentence):
        return sentence
    return f"{sentence}（このメッセージは英語のみです。）"


def _complain(sentence: str) -> None:
    typer.echo(f"tehai: {sentence}", err=True)


_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)


def _json(value: Mapping[str, Any]) -> None:
    global _json_printed
    _json_printed = True
    typer.echo(json.dumps({"version": JSON_VERSION, **value}, ensure_ascii=False))


def _json_line(line: str) -> None:
    """A line of JSON that was written out already."""
    _json(json.loads(line))


def _json_error(sentence: str) -> None:
    """What went wrong, for a program; not where the result that it has says it."""
    if not _json_printed:
        _json({"status": "error", "message": sentence})


@contextmanager
def _opened(where: Path) -> Iterator[Journal]:
    """The labels of a folder or a file; what had to be repaired is told."""
    from tehai.label import journal

    with journal.reading(journal.find(where)) as labels:
        if labels.repaired:
            _complain(labels.repaired)
        yield labels


def _taking(
    flags: Iterable[Flag],
) -> Callable[[Callable[Concatenate[Facts, P], None]], Callable[P, None]]:
    """The command with an option for each of the flags that state a fact; what was typed is its first
    argument."""
    taken = tuple(flags)

    def taking(command: Callable[Concatenate[Facts, P], None]) -> Callable[P, None]:
        own = inspect.signature(command, eval_str=True)

        @functools.wraps(command)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            facts: dict[str, Any] = {flag.field: kwargs.pop(flag.field) for flag in taken}
            if contradiction := trouble(kwargs.pop("ctx")):
                raise Mistake(contradiction)
            command(facts, *args, **kwargs)

        options = [
            inspect.Parameter(
                flag.field, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_option(flag)
            )
            for flag in taken
        ]
        _, *others = own.parameters.values()
        line = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
        run.__signature__ = own.replace(parameters=[*others, *options, line])  # type: ignore[attr-defined]
        return run

    return taking


def _option(flag: Flag) -> Any:
    shown = typer.Option(
        flag.names, help=flag.help, show_default=False, rich_help_panel="Facts that a photo cannot show"
    )
    if flag.adds_up:
        return Annotated[list[str] | None, shown]
    return Annotated[flag.kind | None, shown]


Terms = Annotated[
    str | None,
    typer.Option(
        "--terms",
        help="The names of yaku and fu: english, ema, japanese or kanji. Default: those of the rules.",
    ),
]
Region = Annotated[
    str | None, typer.Option("--region", help="Where the hand is: x0,y0,x1,y1 in fractions of the photo.")
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Print no score and exit with code 3 if the reading is in doubt."),
]
Labelled = Annotated[
    Path, typer.Argument(metavar="DIR|JOURNAL", help="A labelled folder, or its file of labels.")
]
Elsewhere = Annotated[Path | None, typer.Option("--to", help="Where the journal is, if not in DIR.")]


@app.command("score", cls=FactsCommand)
@_one_sentence
@_taking(FLAGS)
def score_hand(
    facts: Facts,
    hand: Annotated[
        str,
        typer.Argument(
            metavar="PHOTO|NOTATION",
            help="A photo; “sample”; or a hand as text, such as “123m789s1z + 1z \\[p777z]”.",
        ),
    ],
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            help=f"Rule preset ({_PRESETS}) or house-rules file. Default: that of tehai rules --use."
            " Compare several: a,b,c.",
        ),
    ] = None,
    terms: Terms = None,
    region: Region = None,
    tiles: Annotated[
        str | None, typer.Option("--tiles", help="Use this line of tiles instead of those read.")
    ] = None,
    corrections: Annotated[
        list[str] | None,
        typer.Option("--set", help="Correct tiles by position, such as 3=5p. The others stay as read."),
    ] = None,
    defaults: Annotated[
        bool, typer.Option("--defaults", "-y", help="Ask nothing and take every default.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Ask nothing; print record, result and open questions.")
    ] = False,
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain",
            help="Explain the score: short, text, full, markdown, html or json. Of 13 tiles: what each wait"
            " is worth.",
        ),
    ] = None,
    language: Annotated[
        str, typer.Option("--lang", help="Language of questions and --explain: en, ja.")
    ] = "en",
    strict: Strict = False,
) -> None:
    """Score a finished hand: read it, ask what the photo cannot show, print what it is worth and who pays."""
    from rich.console import Console

    from tehai.learn.reader import for_this_user
    from tehai.terminal.score import Options, score

    options = Options(
        facts,
        rules,
        terms,
        region,
        tiles,
        defaults,
        as_json,
        explain,
        language,
        strict,
        corrections or (),
        for_this_user,
    )
    score(hand, options, Console(highlight=False), _json_line)


@app.command(cls=FactsCommand)
@_one_sentence
@_taking(OF_A_TABLE)
def advise(
    facts: Facts,
    hand: Annotated[
        str,
        typer.Argument(
            metavar="PHOTO|NOTATION",
            help="A photo; or 13 or 14 tiles as text, such as “123m456p78s1122z5z \\[p777z]”.",
        ),
    ],
    rules: Annotated[
        str | None, typer.Option("--rules", help="Rule preset. Default: that of tehai rules --use.")
    ] = None,
    terms: Terms = None,
    region: Region = None,
    tiles: Annotated[
        str | None, typer.Option("--tiles", help="Use this line of tiles instead of those read.")
    ] = None,
    seen: Annotated[
        str | None,
        typer.Option("--seen", help="Other visible tiles, such as the other players' sets: 3m5z."),
    ] = None,
    rivers: Annotated[
        str | None,
        typer.Option(
            "--rivers",
            help="What the others discarded: right, across, left, as 9s1z/2p/4m6s. Overrides the photo.",
        ),
    ] = None,
    riichi_by: Annotated[
        str | None, typer.Option("--riichi-by", help="Who declared riichi: right, across, left.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="What the others have discarded since that riichi.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print record and advice as JSON.")] = False,
    explain: Annotated[
        str | None,
        typer.Option("--explain", help="Explain the advice: short, text, full, markdown, html or json."),
    ] = None,
    language: Annotated[str, typer.Option("--lang", help="Language: en or ja.")] = "en",
) -> None:
    """Show how far an unfinished hand is from tenpai, and what to discard."""
    from rich.console import Console

    from tehai.learn.reader import for_this_user
    from tehai.terminal.advise import Options, advise

    options = Options(
        facts,
        rules,
        terms,
        region,
        tiles,
        seen,
        rivers,
        riichi_by,
        since,
        as_json,
        explain,
        language,
        for_this_user,
    )
    advise(hand, options, Console(highlight=False), _json_line)


@app.command()
@_one_sentence
def read(
    photos: Annotated[list[str], typer.Argument(metavar="PHOTO...", help="Photos, or “sample”.")],
    draw: Annotated[
        Path | None, typer.Option("--draw", help="Save the photo with its tiles drawn; a folder for several.")
    ] = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", help="Write a picture of every stage into a folder.")
    ] = None,
    region: Region = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per photo.")] = False,
) -> None:
    """Show every tile of a photo: label, role, probability. An unreadable photo does not stop the others."""
    from rich.console import Console

    from tehai.terminal.read import read_all

    write = _json_line if as_json else None
    if not read_all(photos, region, draw, trace, Console(highlight=False), write, _complain):
        raise typer.Exit(2)


@app.command()
@_one_sentence
def batch(
    file: Annotated[
        str, typer.Argument(metavar="FILE.jsonl", help="Hand records, a line each; “-” reads stdin.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Write results to this file instead of stdout.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue after the last result in --out.")
    ] = False,
    start: Annotated[int, typer.Option("--start", min=1, help="The first line to score.")] = 1,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Give no score to a doubtful reading, and exit with code 3."),
    ] = False,
) -> None:
    """Score hand records, one JSON object per line. A bad line gives an error; the rest is scored."""
    from tehai.hand.batch import run_batch

    tally = run_batch(file, out, start, resume, strict=strict)
    if summary := tally.summary():
        _complain(summary)
    if tally.doubted:
        raise typer.Exit(InDoubt.code)


@app.command()
@_one_sentence
def game(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A game record, or a log of Tenhou, Mahjong Soul or mjai. “-” reads stdin."
        ),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print sheet and ranking as one JSON object.")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the sheet as CSV, one row per event.")] = False,
    explain: Annotated[
        int | None,
        typer.Option("--explain", metavar="N", help="The lesson of the hand in row N of the sheet."),
    ] = None,
    export: Annotated[
        str | None, typer.Option("--export", help="Write the game as: record, tenhou6 or mjai.")
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules", help="Rule preset or house rules. Default: those of the record, or of rules --use."
        ),
    ] = None,
    terms: Terms = None,
    language: Annotated[str, typer.Option("--lang", help="Language: en or ja.")] = "en",
) -> None:
    """Print a whole game: every hand, the running totals, and the ranking."""
    from rich.console import Console

    from tehai.game.file import exported, opened
    from tehai.game.sheet import sheet
    from tehai.settings.options import known_language, vocabulary
    from tehai.terminal.game import print_game, print_lessons

    if sum((as_json, as_csv, explain is not None, export is not None)) > 1:
        raise Mistake("--json, --csv, --explain and --export each print the game in a way: say one of them.")
    words, language, one = vocabulary(terms), known_language(language), opened(file, rules)
    console = Console(highlight=False)
    if as_json:
        _json(one.to_record())
    elif as_csv:
        typer.echo(sheet(one.played), nl=False)
    elif explain is not None:
        print_lessons(console, one.winners(explain), terms, language)
    elif export is not None:
        typer.echo(exported(one, export), nl=False)
    else:
        print_game(console, one.played, words, language, one.logged)


@app.command()
@_one_sentence
def rules(
    preset: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A preset, or a house-rules file.")
    ] = None,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option("--diff", metavar="ID ID", help="Print only what differs between two rule sets."),
    ] = None,
    use: Annotated[
        str | None,
        typer.Option("--use", metavar="ID", help="Choose the rule set that you play. --rules overrides it."),
    ] = None,
    terms: Terms = None,
) -> None:
    """List the rule sets, explain one in words, compare two, or choose the one that you play."""
    from rich.console import Console

    from tehai.terminal.rulebook import keep_rules, print_difference, print_preset, print_presets

    console = Console(highlight=False)
    if use is not None:
        keep_rules(console, use)
    elif diff is not None:
        print_difference(console, *diff, terms)
    elif preset is None:
        print_presets(console)
    else:
        print_preset(console, preset, terms)


@app.command()
@_one_sentence
def serve(
    interface: Annotated[
        str | None,
        typer.Argument(
            help="With --lan: the network interface or address. Default: the one that reaches the internet."
        ),
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Serve phones in the same network, by a QR code.")
    ] = False,
    https: Annotated[
        bool,
        typer.Option(
            "--https", help="Use HTTPS with a certificate of its own. A phone's live view needs it."
        ),
    ] = False,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 picks a free one.")
    ] = 8765,
    rules: Annotated[
        str | None,
        typer.Option("--rules", help="Rule preset or house-rules file. Default: that of rules --use."),
    ] = None,
    keep_photos: Annotated[
        Path | None,
        typer.Option(
            "--keep-photos", help="Keep each photo in this folder with its record. Default: keep none."
        ),
    ] = None,
    new_token: Annotated[
        bool, typer.Option("--new-token", help="With --lan: make a new QR code. Every phone must scan again.")
    ] = False,
    games: Annotated[
        Path | None,
        typer.Option("--games", help="Keep shared games in this folder. /table is the big screen."),
    ] = None,
    backup: Annotated[
        Path | None, typer.Option("--backup", help="With --games: copy the games into a new file and exit.")
    ] = None,
    max_upload_mb: Annotated[
        int | None,
        typer.Option("--max-upload-mb", min=1, max=500, help="Largest upload for one hand, in megabytes."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, max=256, help="Processor threads for reading photos.")
    ] = None,
    clients: Annotated[
        int | None, typer.Option("--clients", min=1, max=1000, help="Phones and screens served at once.")
    ] = None,
    sessions: Annotated[
        bool, typer.Option("--sessions", help="List the phones that scanned the QR code and exit.")
    ] = False,
    end_session: Annotated[
        str | None,
        typer.Option("--end-session", metavar="NAME", help="Log one of these phones out and exit."),
    ] = None,
) -> None:
    """Serve the page for phone and browser: take a photo, check it, answer, see the score."""
    from rich.console import Console

    from tehai.settings.preferences import rules_or_default
    from tehai.web import serve

    if interface is not None and not lan:
        raise Mistake(
            f"Say --lan to serve the network of {interface}; without it only this machine is served."
        )
    console = Console(highlight=False)
    if backup is not None:
        if games is None:
            raise Mistake("--backup copies the games of a folder: name it with --games.")
        serve.back_up(games, backup)
        console.print(f"The games of {games} are copied to {backup}.", markup=False)
        return
    if sessions or end_session is not None:
        if end_session is not None:
            serve.end_session(end_session, console)
        if sessions:
            serve.list_sessions(console)
        return
    if new_token and not lan:
        raise Mistake("Say --lan with --new-token; where only this machine is served there is no token.")
    where = (interface or "") if lan else None
    serve.serve(
        serve.Options(
            port,
            where,
            https,
            rules_or_default(rules),
            keep_photos,
            new_token,
            games,
            max_upload_mb,
            threads,
            clients,
        ),
        console,
    )


site = typer.Typer(help="Build the page for a static host: it runs on the phone alone.", no_args_is_help=True)
app.add_typer(site, name="site")


@site.command("build")
@_one_sentence
def site_build(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The folder to make; one built before is replaced.")
    ],
    parts: Annotated[
        list[Path] | None,
        typer.Option(
            "--parts", metavar="DIR", help="Where to look for parts before npm fetches them; more than once."
        ),
    ] = None,
) -> None:
    """Write the page and all its parts to a folder, for any static host."""
    from tehai.site.build import build

    built = build(out, parts or [], _complain)
    typer.echo(
        f"{built.files} files in {out}, version {built.version};"
        f" a first visit brings {built.download / 1e6:.1f} MB."
    )


@site.command("serve")
@_one_sentence
def site_serve(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="What tehai site build has made.")],
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 picks a free one.")
    ] = 8766,
) -> None:
    """Serve a built site on this machine only."""
    from rich.console import Console

    from tehai.site.serve import serve

    serve(out, port, Console(highlight=False))


@app.command()
@_one_sentence
def webcam(
    camera: Annotated[
        str, typer.Option("--camera", metavar="N|URL|FILE", help="A camera's number, a stream, or a video.")
    ] = "0",
    cameras: Annotated[bool, typer.Option("--list", help="List the cameras.")] = False,
    no_window: Annotated[
        bool, typer.Option("--no-window", help="Print the record of each new steady hand as a line of JSON.")
    ] = False,
    fast: Annotated[
        bool, typer.Option("--fast", help="Read every frame of a video as fast as possible.")
    ] = False,
    snapshots: Annotated[
        Path, typer.Option("--snapshots", help="The folder that the key C saves photos in.")
    ] = Path("snapshots"),
    rules: Annotated[
        str | None, typer.Option("--rules", help="Rule preset. Default: that of tehai rules --use.")
    ] = None,
    terms: Terms = None,
) -> None:
    """Read the table live from a camera above it. Shows the score in a window."""
    from tehai.webcam.session import Options, list_cameras, show, watch

    if cameras:
        for line in list_cameras():
            typer.echo(line)
        return
    options = Options(camera, fast, snapshots, rules, terms)
    try:
        if no_window:
            watch(options, typer.echo)
        else:
            show(options)
    except KeyboardInterrupt:
        pass  # the usual end of a camera


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
@_one_sentence
def tag(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A new name; without one, list them.")
    ] = None,
    where: Annotated[
        Path, typer.Argument(metavar="DIR|JOURNAL", help="A labelled folder, or its file of labels.")
    ] = Path(),
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
@_one_sentence
def diff(
    before: Annotated[str, typer.Argument(metavar="NAME", help="A version named with tehai label tag.")],
    after: Annotated[str, typer.Argument(metavar="NAME", help="Another one, or now.")] = "now",
    where: Annotated[
        Path, typer.Argument(metavar="DIR|JOURNAL", help="A labelled folder, or its file of labels.")
    ] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per photo.")] = False,
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
            _json(change)
    else:
        print_difference(Console(highlight=False), changes)


@labels.command("blind")
@_one_sentence
def blind(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who labels.")],
    where: Annotated[
        Path, typer.Argument(metavar="DIR|JOURNAL", help="A labelled folder, or its file of labels.")
    ] = Path(),
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
@_one_sentence
def compare(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A network: an ONNX file of models.export.")],
    where: Annotated[
        Path, typer.Argument(metavar="DIR|JOURNAL", help="A labelled folder, or its file of labels.")
    ] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per photo.")] = False,
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
        photos = run(opened, reader, _complain)
        if not photos:
            raise Mistake("No photo has been reviewed as a whole; review some with: tehai review DIR.")
        if pictures is not None:
            pictures.write_text(mistakes.page(opened, photos, most), encoding="utf-8")
    if as_json:
        for one in photos:
            _json(one.to_record())
    else:
        print_compared(Console(highlight=False), photos, most)


@labels.command(_OWN, hidden=True)
@_one_sentence
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
@_one_sentence
def learn(
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            help="Practise one level: tiles, groups, tenpai, yaku, han, fu, table, score, ask, shanten,"
            " discard, blocks, furiten, safe; or 1–14.",
        ),
    ] = None,
    lesson: Annotated[
        str | None,
        typer.Option("--lesson", help="A short lesson and its drill: its name or number, see --lessons."),
    ] = None,
    lessons: Annotated[bool, typer.Option("--lessons", help="List the short lessons.")] = False,
    count: Annotated[int, typer.Option("--count", min=1, max=500, help="How many exercises.")] = 10,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Everybody with the same number gets the same exercises.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", help="Your own hands: photos, hand records, labels, or the log of a game."),
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option("--sheet", help="Write exercises to print, and a page with the answers (HTML)."),
    ] = None,
    handout: Annotated[
        Path | None,
        typer.Option("--handout", help="Write two pages to print: yaku and points of the rules."),
    ] = None,
    pupils: Annotated[
        Path | None, typer.Option("--class", help="Show the progress of a class: a folder of exported files.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write your progress to a file, to go on elsewhere.")
    ] = None,
    take_in: Annotated[
        Path | None, typer.Option("--import", help="Add the progress in a file to yours.")
    ] = None,
    stats: Annotated[bool, typer.Option("--stats", help="Print what you know, topic by topic.")] = False,
    reset: Annotated[bool, typer.Option("--reset", help="Start over. Old progress is kept aside.")] = False,
    fu_for_limits: Annotated[
        bool,
        typer.Option(
            "--fu-for-limits/--no-fu-for-limits", help="Ask for fu even if they do not change the points."
        ),
    ] = False,
    counters: Annotated[
        bool,
        typer.Option("--counters/--no-counters", help="Put counters (honba) and riichi sticks on the table."),
    ] = False,
    rules: Annotated[
        str | None, typer.Option("--rules", help="Rule preset or house rules. Default: that of rules --use.")
    ] = None,
    terms: Terms = None,
    language: Annotated[str, typer.Option("--lang", help="Language: en or ja.")] = "en",
) -> None:
    """Learn with lessons and drills, from the names of the tiles to the whole score."""
    from rich.console import Console

    from tehai.learn import drill

    console = Console(highlight=False)
    wanted = drill.Wanted(level, lesson, count, seed, source, rules, terms, language, fu_for_limits, counters)
    if reset:
        drill.begin_anew(console, wanted)
    elif lessons:
        drill.lessons(console, wanted)
    elif stats:
        drill.statistics(console, wanted)
    elif sheet is not None:
        drill.sheet(console, wanted, sheet)
    elif handout is not None:
        drill.print_handout(console, wanted, handout)
    elif pupils is not None:
        drill.class_table(console, wanted, pupils)
    elif export is not None:
        drill.export_progress(console, wanted, export)
    elif take_in is not None:
        drill.import_progress(console, wanted, take_in)
    else:
        drill.drills(console, wanted)


@app.command()
@_one_sentence
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
        _json(facts)
    else:
        print_stats(Console(highlight=False), facts)


@app.command()
@_one_sentence
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
            _json(finding)
    else:
        print_findings(Console(highlight=False), findings, photos)
    if findings or labels.repaired:
        raise typer.Exit(3)


@app.command()
@_one_sentence
def review(
    where: Labelled,
    to: Elsewhere = None,
    by: Annotated[
        str | None, typer.Option("--by", help="The name of the reviewer. Default: your user name.")
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 picks a free one.")
    ] = 8766,
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
@_one_sentence
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
@_one_sentence
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


@app.command()
@_one_sentence
def doctor() -> None:
    """Check the installation: read the sample, print versions, models and cameras."""
    from rich.console import Console

    from tehai.terminal.doctor import report

    if not report(Console(highlight=False)):
        raise typer.Exit(2)
