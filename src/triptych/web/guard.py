"""Checks of requests, and the policy of pages. Everything a viewer shows is untrusted: models, benchmarks, Run folders.

Host      an IP address, `localhost`, or a name given on the command line. Otherwise another site could let its own name
          point to this server and read its pages
Origin    a request that changes something must come from a page of this server and contain the token of that page
policy    pages load only this server's own files, run no inline scripts, and can't be framed
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}


class Guard:
    """Add the security headers to every answer, and refuse requests with an unknown host name or from another site."""

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self.app: ASGIApp = app
        self.names: frozenset[str] = frozenset(name.lower() for name in names) | {"localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request as an ASGI application."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        from starlette.responses import PlainTextResponse

        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        reason = refusal(scope["method"], headers, self.names)
        answer = PlainTextResponse(reason, status_code=403) if reason else self.app
        await answer(scope, receive, _with_headers(send))


def refusal(method: str, headers: Mapping[str, str], names: frozenset[str]) -> str:
    """Return why a request is refused; empty if it is allowed. `headers` by lower-case names."""
    host = headers.get("host", "")
    if not is_own_host(host, names):
        return "This host name is not allowed (--allow-host NAME allows it)."
    if method in ("GET", "HEAD"):
        return ""
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != host:
        return "The request comes from a page of another site."
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return "The request comes from a page of another site."
    return ""


def is_own_host(host: str, names: frozenset[str]) -> bool:
    """Return True for IP addresses, which can't be a name under somebody else's control, and for the names given."""
    name = host.lower()
    name = name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names
    return True


class Token:
    """The token that a form must contain: created at every start of the server, readable only by its own pages."""

    def __init__(self) -> None:
        self.value: str = secrets.token_urlsafe(24)

    def matches(self, digest: str) -> bool:
        """Compare in constant time."""
        return hmac.compare_digest(self.value.encode(), digest.encode("utf-8", "replace"))


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            names_ = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [
                *message["headers"],
                *((n.encode(), v.encode()) for n, v in HEADERS.items() if n.lower().encode() not in names_),
            ]
        await send(message)

    return sending
