"""The gate: every request passes it, and it allows only what the table of routes allows.

In this order: the rate limit, the session, the role, the token of the form, consent, and for pages that use the
microphone a connection that browsers allow to (HTTPS, or this computer). What is refused is never carried out.
"""

from __future__ import annotations

import ipaddress
import logging
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from triptych.portal.people.consent import has_agreed
from triptych.portal.people.sessions import session_of, token_fits
from triptych.portal.project import Portal
from triptych.portal.site import parts
from triptych.portal.site.languages import COOKIE as LANGUAGE
from triptych.portal.site.languages import choose_language
from triptych.portal.site.page import Page, Visit
from triptych.portal.site.receiving import read_file, read_rest
from triptych.portal.site.rendering import go, problem
from triptych.portal.work.tokens import token_is_known
from triptych.web.forms import read_form
from triptych.web.guard import HEADERS, POLICY

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


_access = logging.getLogger("triptych.portal.access")
SESSION = "triptych_portal"
SECURE_SESSION = "__Host-triptych_portal"  # browsers take this name only over HTTPS, for this host alone
TOKEN = "x-form-token"  # the form's token, where a script sends a file
RECORDING = {
    "Content-Security-Policy": POLICY.replace("media-src 'self'", "media-src 'self' blob:"),
    "Permissions-Policy": HEADERS["Permissions-Policy"].replace("microphone=()", "microphone=(self)"),
}


class Gate:
    """Wraps the pages of a portal."""

    def __init__(self, portal: Portal) -> None:
        from limits.storage import MemoryStorage
        from limits.strategies import FixedWindowRateLimiter

        self.portal = portal
        self._limits = FixedWindowRateLimiter(MemoryStorage())

    def endpoint(self, page: Page) -> Any:
        """Return the page as a function of starlette."""

        async def answer(request: Request) -> Response:
            began = time.perf_counter()
            try:
                answer = await self._answer(page, request)
            finally:
                if page.body != "none":
                    await read_rest(request)
            elapsed_ms = (time.perf_counter() - began) * 1000
            # The route, not the address: addresses of links contain their secret.
            _access.info("%s %s %d %.0f ms", page.method, page.path, answer.status_code, elapsed_ms)
            return answer

        return answer

    async def _answer(self, page: Page, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        async with AsyncExitStack() as stack:
            visit = await run_in_threadpool(self.visit, request)
            if not is_storable(request):
                return problem(visit, 404, "not-found")
            if refused := await run_in_threadpool(self._refusal, page, visit):
                return refused
            if page.body == "form":
                visit = _changed_visit(visit, form=await read_form(request, page.max_bytes))
            if page.changes and not self._comes_from_a_page(page, visit):
                return problem(visit, 403, "form-is-not-of-this-session")
            if page.body == "file":
                path = stack.enter_context(self.portal.blobs.incoming_file())
                in_parts = parts.HEADER in request.headers
                upload = (
                    await run_in_threadpool(parts.join_parts, visit, path, page.max_bytes)
                    if in_parts
                    else await read_file(request, path, page.max_bytes)
                )
                if upload is None:
                    return problem(visit, 409, "parts-are-missing")
                visit = _changed_visit(visit, upload=upload)
                if in_parts:  # they are not needed any more, whatever the answer is
                    self.portal.blobs.parts.forget(visit.person.id, str(visit.part("id")))
            answer = await run_in_threadpool(page.answer, visit)
            if page.microphone:
                answer.headers.update(RECORDING)
            return answer

    def visit(self, request: Request) -> Visit:
        """Who asks, and in which language."""
        cookie = request.cookies.get(SECURE_SESSION if is_secure(request) else SESSION, "")
        with self.portal.database.reading() as connection:
            session = session_of(connection, cookie)
        accepts = request.headers.get("accept-language", "")
        language = choose_language(request.cookies.get(LANGUAGE, ""), accepts, self.portal.settings.languages)
        return Visit(self.portal, request, session, language)

    def _refusal(self, page: Page, visit: Visit) -> Response | None:
        if not self._within_limit(page, visit):
            return problem(visit, 429, "too-many-requests")
        if "api" in page.who:
            return None if self._has_token(visit) else problem(visit, 401, "token-is-needed")
        if "anyone" not in page.who:
            if visit.session is None:
                return problem(visit, 401, "link-is-needed", contact=self.portal.settings.contact)
            if not visit.person.roles & set(page.who):
                return problem(visit, 403, "role-is-needed", roles=", ".join(page.who))
        if page.microphone and not may_record(visit.request):
            return problem(visit, 403, "https-is-needed")
        if page.consented and visit.person.paused_at:
            return problem(visit, 403, "you-are-paused", contact=self.portal.settings.contact)
        if page.consented and (where := self._missing_page(visit)):
            return problem(visit, 403, "consent-is-needed") if page.changes else go(where)
        return None

    def _missing_page(self, visit: Visit) -> str:
        """Return the page that a person must fill in first; empty if there is none."""
        with self.portal.database.reading() as connection:
            if not has_agreed(connection, visit.person.id):
                return "/consent"
        return "" if visit.person.described_at else "/about-you"

    def _within_limit(self, page: Page, visit: Visit) -> bool:
        from limits import parse

        client = visit.request.client
        who = visit.session.person.id if visit.session else client.host if client else ""
        return self._limits.hit(parse(page.limit), page.method, page.path, who)

    def _comes_from_a_page(self, page: Page, visit: Visit) -> bool:
        if visit.session is None or "api" in page.who:
            return True  # nothing is done in anybody's name; a link's own token or an API token is checked instead
        token = visit.form.get("token", "") or visit.request.headers.get(TOKEN, "")
        return token_fits(self.portal.secret, visit.session, token)

    def _has_token(self, visit: Visit) -> bool:
        kind, _, token = visit.request.headers.get("authorization", "").partition(" ")
        with self.portal.database.reading() as connection:
            return kind.lower() == "bearer" and token_is_known(connection, token.strip())


def set_session(visit: Visit, answer: Response, cookie: str) -> None:
    """Give the browser the cookie of its session."""
    from triptych.portal.people.sessions import SESSION_DAYS

    secure = is_secure(visit.request)
    answer.set_cookie(
        SECURE_SESSION if secure else SESSION,
        cookie,
        SESSION_DAYS * 86_400,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def clear_session(visit: Visit, answer: Response) -> None:
    """Remove the cookie."""
    secure = is_secure(visit.request)
    answer.delete_cookie(SECURE_SESSION if secure else SESSION, path="/", secure=secure, httponly=True, samesite="lax")


def is_secure(request: Request) -> bool:
    """Return True for a request over HTTPS, also if a proxy on this computer ends it (X-Forwarded-Proto)."""
    return request.url.scheme == "https"


def is_storable(request: Request) -> bool:
    """Return True if a database can look for all values of an address: PostgreSQL has no text with U+0000, and neither
    database an integer of more than 63 bits."""
    numbers = (value for value in request.path_params.values() if isinstance(value, int))
    address = unquote(f"{request.url.path}?{request.url.query}")
    return "\0" not in address and all(value < 1 << 63 for value in numbers)


def may_record(request: Request) -> bool:
    """Return True if a browser allows the page to use the microphone: over HTTPS, or from this computer."""
    name = request.url.hostname or ""
    try:
        return is_secure(request) or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def _changed_visit(visit: Visit, **changes: Any) -> Visit:
    from dataclasses import replace

    return replace(visit, **changes)
