"""Pages of single sign-on, where `[oidc]` of the settings names an issuer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import Connection, select

from triptych.errors import DataError, SpecError
from triptych.portal.people import oidc
from triptych.portal.people.records import add_person
from triptych.portal.people.sessions import grant, open_session
from triptych.portal.site.gate import is_secure, set_session
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import go, problem
from triptych.portal.store.tables import people
from triptych.portal.work.audit import note

if TYPE_CHECKING:
    from starlette.responses import Response

COOKIE = "triptych_sign_in"
PATH = "/sign-in"
TIMEOUT_S = 600  # between the first page and the way back


def sign_in(visit: Visit) -> Response:
    """Send the browser to the issuer. A link leads here: forms may go to this server only."""
    settings = visit.portal.settings.oidc
    if settings is None:
        return problem(visit, 404, "not-found")
    begun = oidc.begin()
    try:
        answer = go(oidc.address_of(settings, begun, _return_address(visit)))
    except (DataError, SpecError):
        return problem(visit, 502, "sign-in-failed")
    signed = _signer(visit).dumps(msgspec.to_builtins(begun))
    answer.set_cookie(
        COOKIE, signed, TIMEOUT_S, path=PATH, httponly=True, secure=is_secure(visit.request), samesite="lax"
    )
    return answer


def signed_in(visit: Visit) -> Response:
    """Take the browser back from the issuer, and open a session for somebody who may enter."""
    from itsdangerous import BadData

    settings = visit.portal.settings.oidc
    if settings is None:
        return problem(visit, 404, "not-found")
    parameters = visit.request.query_params
    try:
        content = _signer(visit).loads(visit.request.cookies.get(COOKIE, ""), max_age=TIMEOUT_S)
        begun = msgspec.convert(content, oidc.Begun)
        claims = oidc.finish(
            settings, begun, _return_address(visit), parameters.get("state", ""), parameters.get("code", "")
        )
    except (BadData, msgspec.ValidationError, DataError, SpecError):
        return problem(visit, 400, "sign-in-failed")
    with visit.portal.database.writing() as connection:
        person = _person(connection, f"{settings.issuer} {claims['sub']}", oidc.role_of(settings, claims))
        cookie = open_session(connection, person) if person else ""
    if not cookie:
        return problem(visit, 403, "sign-in-not-allowed", contact=visit.portal.settings.contact)
    answer = go("/")
    set_session(visit, answer, cookie)
    answer.delete_cookie(COOKIE, path=PATH)
    return answer


def _person(connection: Connection, subject: str, role: str) -> str:
    """The id of the person with a subject: a known one, or a new one who has this role; empty if neither."""
    person_id = connection.execute(select(people.c.id).where(people.c.subject == subject)).scalar()
    if person_id is not None or not role:
        return str(person_id or "")
    made = add_person(connection, subject=subject)
    grant(connection, made, role, by=made)
    note(connection, "entered", made, "sign-in")
    return made


def _return_address(visit: Visit) -> str:
    return str(visit.request.url_for("signed_in"))


def _signer(visit: Visit) -> Any:
    from itsdangerous import URLSafeTimedSerializer

    return URLSafeTimedSerializer(visit.portal.secret, salt="sign-in")
