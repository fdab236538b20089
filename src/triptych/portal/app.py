"""The web app: the table of routes behind the gate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from triptych.errors import TriptychError
from triptych.portal.project import Portal
from triptych.portal.routes import ROUTES
from triptych.portal.site.gate import Gate
from triptych.portal.site.rendering import problem
from triptych.portal.work.presence import Withdrawn
from triptych.web.guard import HEADERS, Guard

if TYPE_CHECKING:
    from starlette.requests import Request

PROBLEM_BY_STATUS = {400: "form-is-wrong", 404: "not-found", 405: "not-found", 413: "too-large", 415: "form-is-wrong"}


def make_app(portal: Portal, names: Iterable[str] = ()) -> Starlette:
    """Return the portal as a web app; `names`: host names to answer to, besides those of the settings."""
    gate = Gate(portal)

    def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return problem(gate.visit(request), status, PROBLEM_BY_STATUS.get(status, "not-found"))

    def failed(request: Request, error: Exception) -> Response:
        assert isinstance(error, TriptychError)
        if isinstance(error, Withdrawn):
            return problem(gate.visit(request), 410, "withdrawn-meanwhile")
        return problem(gate.visit(request), 422, "cannot-be-done", why=error.problem)

    return Starlette(
        routes=[
            Route(page.path, gate.endpoint(page), methods=[page.method], name=page.answer.__name__) for page in ROUTES
        ],
        middleware=[Middleware(Guard, names=[*names, *portal.settings.hosts])],
        exception_handlers={HTTPException: refused, TriptychError: failed, Exception: _answer_error},
    )


def _answer_error(request: Request, error: Exception) -> Response:
    """Answer an unexpected error. It bypasses the Guard, so the headers are set here; the output has the traceback."""
    return PlainTextResponse(f"{type(error).__name__}: this is a bug in Triptych.", 500, headers=HEADERS)
