"""The public address of a portal, tried as a browser would: what a proxy before it does to requests."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import SplitResult, urlsplit

import msgspec

from triptych.errors import SpecError
from triptych.portal.connecting import FAILURES, failure_of
from triptych.portal.site.parts import PART

TIMEOUT_S = 30
MAX_ANSWER_BYTES = 1 << 20
CLOCK_S = 5.0  # takes and leases are timed by the server, sessions end by its clock
SOON_DAYS = 14  # before a certificate ends
PUSH_BODY_BYTES = 17 << 20  # a chunk of `push --url`, and a little more
HEADERS = ("content-security-policy", "permissions-policy", "x-content-type-options", "referrer-policy")


@dataclass(frozen=True)
class Check:
    """One check: whether it is as it should be, what was found, and what to do otherwise."""

    name: str
    good: bool
    observed: str
    fix: str = ""


def examine(url: str) -> list[Check]:
    """Return the checks of a public address. Only the portal's own addresses are asked, and nothing is changed.

    Raises SpecError for what is not an address.
    """
    parts = _address_of(url)
    report: list[Check] = []
    try:
        report.extend(_checks(parts))
    except FAILURES as error:
        failure = failure_of(error, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
        report.append(Check("connection", False, failure.why, failure.fix))
    return report


def _address_of(url: str) -> SplitResult:
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        good = parts.scheme in ("http", "https") and parts.hostname and not parts.path.strip("/") and parts.port != 0
    except ValueError:  # a port that is not a number, or is too large; an unfinished IPv6 address
        good = False
    if not good:
        raise SpecError("not the address of a portal", got=url, expected="https://poems.example.org")
    return parts


def _checks(parts: SplitResult) -> Iterator[Check]:
    begun = time.time()
    status, headers, body = _ask(parts, "GET", "/api/here")
    seen = _json(body)
    if status != 200 or seen.get("portal") is not True:
        yield Check("portal", False, f"status {status}: {_start(body)}", _likely_cause(body))
        return
    yield Check("portal", True, "it answers")
    yield _https(parts, seen)
    if parts.scheme == "https":
        yield _certificate(parts)
    yield _clock(seen, (begun + time.time()) / 2)
    yield _address(parts, seen)
    _, headers, _ = _ask(parts, "GET", "/")
    missing_headers = [name for name in HEADERS if name not in headers]
    yield Check(
        "headers",
        not missing_headers,
        f"missing: {', '.join(missing_headers)}" if missing_headers else "all are there",
        "the proxy must not remove them" if missing_headers else "",
    )
    yield _limit(
        parts, "uploads of people", "PUT", "/parts/doctor-doctor-doctor/0", PART, "people can't send recordings"
    )
    yield _limit(parts, "push from elsewhere", "PUT", f"/api/media/{'0' * 64}", PUSH_BODY_BYTES, "`push --url` fails")


def _https(parts: SplitResult, seen: dict[str, Any]) -> Check:
    if parts.scheme == "http":
        good = _is_here(parts.hostname or "")
        return Check("HTTPS", good, "plain HTTP", "" if good else "serve HTTPS: browsers give no microphone otherwise")
    fix = (
        "the proxy must set X-Forwarded-Proto, and `proxies` of portal.toml name its address unless it is on this host"
    )
    return Check(
        "HTTPS",
        bool(seen["https"]),
        "the portal knows" if seen["https"] else "the portal sees plain HTTP",
        "" if seen["https"] else fix,
    )


def _certificate(parts: SplitResult) -> Check:
    """The connection was made with a checked certificate; here, how long it is valid."""
    with (
        socket.create_connection((parts.hostname, parts.port or 443), TIMEOUT_S) as plain,
        _context().wrap_socket(plain, server_hostname=parts.hostname) as secure,
    ):
        ends = ssl.cert_time_to_seconds(str((secure.getpeercert() or {})["notAfter"]))
    days = int((ends - time.time()) // 86_400)
    left = f"valid for {days} {'day' if days == 1 else 'days'}"
    return Check("certificate", days >= SOON_DAYS, left, "" if days >= SOON_DAYS else "renew it")


def _clock(seen: dict[str, Any], now: float) -> Check:
    off = float(seen["now"]) / 1000 - now
    good = abs(off) <= CLOCK_S
    return Check("clock", good, f"{off:+.1f} s from this computer's", "" if good else "set the server's clock (NTP)")


def _address(parts: SplitResult, seen: dict[str, Any]) -> Check:
    """Behind a proxy that hides addresses, all people share one limit."""
    client = str(seen["client"])
    hidden = _is_here(client) and not _is_here(parts.hostname or "")
    fix = "the proxy must set X-Forwarded-For: otherwise all people share the limits of one address"
    return Check("address of a visitor", not hidden, client, fix if hidden else "")


def _limit(parts: SplitResult, name: str, method: str, path: str, size: int, otherwise: str) -> Check:
    """Send a body without a session. The portal refuses it as JSON; a proxy with a lower limit answers itself."""
    try:
        status, _, body = _ask(parts, method, path, bytes(size))
    except (OSError, HTTPException):  # the connection ended while the body was sent
        status, body = 0, b""
    good = isinstance(_json(body).get("problem"), str) or (status == 0 and _is_here(parts.hostname or ""))
    kilobytes = f"{size // 1024} KiB"
    if good:
        return Check(name, True, f"a body of {kilobytes} reaches the portal")
    fix = f"{otherwise}: raise the proxy's limit of bodies (nginx: client_max_body_size)"
    how = f"refused on the way, status {status}" if status else "not answered: the connection was closed"
    return Check(name, False, f"a body of {kilobytes} is {how}", fix)


def _ask(parts: SplitResult, method: str, path: str, body: bytes | None = None) -> tuple[int, dict[str, str], bytes]:
    secure = parts.scheme == "https"
    host, port = str(parts.hostname), parts.port
    made = (
        HTTPSConnection(host, port, timeout=TIMEOUT_S, context=_context())
        if secure
        else HTTPConnection(host, port, timeout=TIMEOUT_S)
    )
    try:
        made.putrequest(method, path)
        made.putheader("Accept", "application/json")
        made.putheader("Connection", "close")
        if body is not None:
            made.putheader("Content-Length", str(len(body)))
        made.endheaders()
        if body is not None:
            _send(made, body)
        answer: HTTPResponse = made.getresponse()
        return (
            answer.status,
            {name.lower(): value for name, value in answer.getheaders()},
            answer.read(MAX_ANSWER_BYTES),
        )
    finally:
        made.close()


def _send(made: HTTPConnection, body: bytes) -> None:
    """Send a body; a server that has answered already, and reads no more, ends it: its answer is read then."""
    with suppress(BrokenPipeError, ConnectionResetError):
        made.send(body)


def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _json(body: bytes) -> dict[str, Any]:
    try:
        document = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return {}
    return document if isinstance(document, dict) else {}


def _start(body: bytes) -> str:
    return " ".join(body[:200].decode("utf-8", "replace").split())[:120]


def _likely_cause(body: bytes) -> str:
    if b"host name is not allowed" in body:
        return 'name the host in portal.toml: hosts = ["poems.example.org"]; the proxy must pass the Host header on'
    return "the address leads to something else; check the proxy's target"


def _is_here(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"
