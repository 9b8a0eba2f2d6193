"""The program around the commands: streams, options of ``tehai`` itself, errors in one sentence, JSON."""

from __future__ import annotations

import errno
import functools
import io
import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, ParamSpec

import typer
from typer.core import TyperGroup

from tehai.errors import Mistake, needs_opencv

P = ParamSpec("P")


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
        complain(error.format_message())
        print_json_error(error.format_message())
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


def in_one_sentence(command: Callable[P, None]) -> Callable[P, None]:
    """The command with each error as one sentence on stderr.

    Exit code 2: a mistake of the user. 3: a doubtful reading under ``--strict``. 1: a bug.
    """

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
            complain(_in_language(str(mistake), str(kwargs.get("language", "en"))))
            if kwargs.get("as_json"):
                print_json_error(str(mistake))
            raise typer.Exit(mistake.code) from None
        except BrokenPipeError:
            raise
        except Exception as error:
            if _debug:
                raise
            what = f"{type(error).__name__}: {error}"
            mistaken = _about_a_file(error) if isinstance(error, OSError) else ""
            said = mistaken or f"something went wrong inside tehai ({what}); see tehai --debug."
            complain(said)
            if kwargs.get("as_json"):
                with suppress(OSError):
                    print_json_error(said)
            raise typer.Exit(2 if mistaken else 1) from None

    return run


def _about_a_file(error: OSError) -> str:
    """What is wrong with a file or a disk of the user; empty for another error."""
    if error.errno in _NO_ROOM:
        where = f" for {error.filename}" if error.filename else ""
        return f"the disk is full{where}: make room and try again."
    if error.errno in _WRONG_PATH and error.filename and not _is_ours(Path(str(error.filename))):
        return f"{error.filename} cannot be used ({error.strerror}); check the path and its permissions."
    return ""


def _is_ours(path: Path) -> bool:
    """Whether a file belongs to what is installed: if it is missing, the user typed nothing wrong."""
    root = Path(__file__).parents[2]
    return any(path.is_relative_to(root / package) for package in ("tehai", "vision", "scorer", "models"))


def _in_language(sentence: str, language: str) -> str:
    """The sentence; in Japanese with a remark where it is not translated."""
    if language != "ja" or any("\u3040" <= letter <= "\u30ff" for letter in sentence):
        return sentence
    return f"{sentence}（このメッセージは英語のみです。）"


def complain(sentence: str) -> None:
    typer.echo(f"tehai: {sentence}", err=True)


_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
_WRONG_PATH: Final = (
    *(errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP),
    *(errno.EACCES, errno.EPERM, errno.EROFS),
)


def print_json(value: Mapping[str, Any]) -> None:
    global _json_printed
    _json_printed = True
    typer.echo(json.dumps({"version": JSON_VERSION, **value}, ensure_ascii=False))


def print_json_line(line: str) -> None:
    """A line of JSON that was written out already."""
    print_json(json.loads(line))


def print_json_error(sentence: str) -> None:
    """What went wrong, for a program; not where the result that it has says it."""
    if not _json_printed:
        print_json({"status": "error", "message": sentence})
