"""Commands that keep running: ``serve``, ``site``, ``webcam``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tehai.cli.options import Port, Rules, Terms
from tehai.cli.program import app, complain, in_one_sentence
from tehai.errors import Mistake


@app.command()
@in_one_sentence
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
    port: Port = 8765,
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
@in_one_sentence
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

    built = build(out, parts or [], complain)
    typer.echo(
        f"{built.files} files in {out}, version {built.version};"
        f" a first visit brings {built.download / 1e6:.1f} MB."
    )


@site.command("serve")
@in_one_sentence
def site_serve(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="What tehai site build has made.")],
    port: Port = 8766,
) -> None:
    """Serve a built site on this machine only."""
    from rich.console import Console

    from tehai.site.serve import serve

    serve(out, port, Console(highlight=False))


@app.command()
@in_one_sentence
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
    rules: Rules = None,
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
