"""`triptych view`: browse Runs in a web browser, from the figure in a table to the reply and the recording."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

HELP = "Browse, search and compare Runs in a web browser; play media and annotate replies."


def command(
    runs: Annotated[Path, typer.Argument(help="a folder of Runs, or one Run")] = Path("runs"),
    port: Annotated[int, typer.Option(help="port; 0 for any free one")] = 8765,
    host: Annotated[
        str, typer.Option(help="address to listen on; addresses other than this computer's are a security risk")
    ] = ("127.0.0.1"),
    allow_host: Annotated[
        list[str] | None, typer.Option(help="an additional host name to answer to, besides localhost")
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(help="BENCHMARK=DIR: folder of its media [the Run's own, for files whose hashes match]"),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="open the browser")] = False,
) -> int:
    """See HELP."""
    from triptych.cli.arguments import say, settings_of, split_values
    from triptych.viewer.serve import is_loopback, serve

    if not is_loopback(host):
        say(f"everybody who can reach {host} can read these Runs and annotate them: there are no passwords")

    def tell(address: str) -> None:
        say(f"{runs}: {address}  (Ctrl-C ends it)")
        if open_:
            import webbrowser

            webbrowser.open(address)

    folders = {name: Path(folder) for name, folder in settings_of(data, "--data").items()}
    serve(runs, host=host, port=port, data=folders, names=split_values(allow_host), say=tell)
    return 0
