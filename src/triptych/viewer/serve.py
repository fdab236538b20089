"""The server of the viewer; by default it listens only on this computer."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Thread

from triptych.errors import SpecError

NEEDED = ("starlette", "uvicorn", "jinja2", "duckdb")


def check_packages() -> None:
    """Raises SpecError, with the install command, if a package of the viewer is missing."""
    from importlib.util import find_spec

    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise SpecError(f"the viewer needs {', '.join(missing)}", fix="pip install 'triptych[portal]'")


def is_loopback(host: str) -> bool:
    """Return True if only this computer can reach the server."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def serve(
    root: Path,
    *,
    host: str,
    port: int,
    data: Mapping[str, Path] | None = None,
    names: Iterable[str] = (),
    say: Callable[[str], None] = print,
) -> None:
    """Serve the Runs below `root` until interrupted. `port` 0: any free port. `say` is called with the address.

    Raises DataError if the folder doesn't exist, SpecError if the address is not available or a package is missing.
    """
    check_packages()
    if not 0 <= port < 65_536:
        raise SpecError("not a port number", got=port, expected="0 to 65535; 0 for any that is free")
    import socket

    import uvicorn

    from triptych.viewer.app import make_app
    from triptych.viewer.catalogue import Catalogue
    from triptych.viewer.index.files import make_ahead
    from triptych.web.shutdown import GRACE_S, ending_at_signals

    app = make_app(root, data, [*names, host])
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise SpecError(
            "the address is not available",
            where=f"{host}:{port}",
            got=error.strerror,
            fix="another --port, or --port 0",
        ) from None
    shown = f"[{host}]" if ":" in host else host
    Thread(target=make_ahead, args=[Catalogue(root).list_runs().runs.values()], daemon=True).start()
    say(f"http://{shown}:{listener.getsockname()[1]}/")
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        loop="asyncio",
        timeout_graceful_shutdown=GRACE_S,
    )
    try:
        with ending_at_signals():
            uvicorn.Server(config).run(sockets=[listener])
    finally:
        listener.close()
        app.state.reports.close()
