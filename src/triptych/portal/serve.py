"""The server of the portal, with its process of checks."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Iterable
from pathlib import Path

from sqlalchemy import Connection, func, select

from triptych.errors import SpecError
from triptych.portal.checks.process import Checker
from triptych.portal.checks.queue import release
from triptych.portal.people.sessions import invite
from triptych.portal.project import Portal, open_portal
from triptych.portal.store.tables import people, roles
from triptych.portal.sweeping import sweep
from triptych.portal.workers import Listening, Workers, answer

BACKLOG = 1024  # connections that may wait to be accepted
MAX_WORKERS = 64


def serve(
    project: Path,
    *,
    db: str = "",
    host: str = "127.0.0.1",
    port: int = 8780,
    names: Iterable[str] = (),
    certificate: Path | None = None,
    key: Path | None = None,
    workers: int = 1,
    say: Callable[[str], None] = print,
) -> None:
    """Serve a project until interrupted. `port` 0: any free port; `workers`: processes that answer requests. `say` gets
    the address, and the first administrator's link in a new project.

    Raises SpecError if the address is not available, or the certificate and its key can't be read.
    """
    if not 0 <= port < 65_536:
        raise SpecError("not a port number", got=port, expected="0 to 65535; 0 for any that is free")
    if not 1 <= workers <= MAX_WORKERS:
        raise SpecError("not a number of worker processes", got=workers, expected=f"1 to {MAX_WORKERS}")
    secure = _check_pair(certificate, key)
    portal = open_portal(project, db, create=True)
    sweep(portal)
    with _listener(host, port) as listener:
        shown = f"[{host}]" if ":" in host else host
        address = f"{'https' if secure else 'http'}://{shown}:{listener.getsockname()[1]}"
        say(f"{address}/")
        if link := first_link(portal, address):
            say(f"no administrator yet; this link makes its first user one: {link}")
        if not secure and not _is_loopback(host):
            say(
                "plain HTTP: recording pages are refused unless a proxy on this computer adds HTTPS "
                "(--certificate, --key)"
            )
        listening = Listening(project, db, (*names, host), certificate, key)
        checker = Checker(project, db, lambda: release(portal.database))
        checker.start()
        try:
            if workers == 1:
                answer(portal, listening, listener)
            else:
                Workers(listening, listener, workers).run()
        finally:
            checker.stop()
            portal.close()


def _listener(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=BACKLOG
        )
    except (OSError, UnicodeError) as error:
        if not isinstance(error, OSError) or (error.errno or 0) < 0:  # of the search for the name
            fix = "--host takes an address of this computer, such as 0.0.0.0 for all"
            raise SpecError("the host has no address", got=host, fix=fix) from None
        fix = "another --port, or --port 0"
        raise SpecError("the address is not available", where=f"{host}:{port}", got=error.strerror, fix=fix) from None


def first_link(portal: Portal, address: str) -> str:
    """Return an invitation link for an administrator; empty if the project has one."""
    with portal.database.writing() as connection:
        if _has_admin(connection):
            return ""
        token = invite(connection, portal.secret, "admin", label="first administrator")
    return f"{address}/enter/{token}"


def _has_admin(connection: Connection) -> bool:
    there = (roles.c.role == "admin") & people.c.withdrawn_at.is_(None)
    return bool(connection.execute(select(func.count()).select_from(roles.join(people)).where(there)).scalar())


def _check_pair(certificate: Path | None, key: Path | None) -> bool:
    if (certificate is None) != (key is None):
        raise SpecError("--certificate and --key must be given together")
    for path in (certificate, key):
        if path is not None and not path.is_file():
            raise SpecError("the file for HTTPS doesn't exist", where=path)
    return certificate is not None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
