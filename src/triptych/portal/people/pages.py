"""Pages for everybody: enter by a link, consent, about you, home, your data, language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, select

from triptych.errors import DataError
from triptych.portal.people import consent
from triptych.portal.people.hours import hours_of
from triptych.portal.people.managing import open_links
from triptych.portal.people.progress import progress_of, set_goal
from triptych.portal.people.records import AGE_BANDS, describe
from triptych.portal.people.sessions import (
    accept,
    end_session,
    fault_of,
    invitation_of,
    invite,
    is_for_many,
    parameters_of,
)
from triptych.portal.site.gate import clear_session, may_record, set_session
from triptych.portal.site.jobs import JOBS
from triptych.portal.site.languages import COOKIE
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import go, problem, show
from triptych.portal.store.tables import GENDERS, roles
from triptych.portal.work.queues import all_queues, progress
from triptych.portal.work.remarks import open_remarks
from triptych.portal.work.withdrawing import withdraw
from triptych.web.qr import qr_svg

if TYPE_CHECKING:
    from starlette.responses import Response

PARAMETER_PREFIX = "given-"  # fields of a form that were parameters of the address


def home(visit: Visit) -> Response:
    """The open work of a person; for people without a session, how to enter."""
    if visit.session is None:
        return show(visit, "welcome.html")
    with visit.portal.database.reading() as connection:
        open_ = [queue for queue in all_queues(connection) if queue.closed_at is None and queue.kind in JOBS]
        persons_queues = [queue for queue in open_ if JOBS[queue.kind].role in visit.person.roles]
        tiles = [(queue, JOBS[queue.kind], progress(connection, queue)) for queue in persons_queues]
        verified = [queue for queue in open_ if queue.settings.get("verified") and "reviewer" in visit.person.roles]
        agreed = consent.has_agreed(connection, visit.person.id)
        hours = hours_of(connection, visit.person.id)
        steps = first_steps(visit, connection) if "admin" in visit.person.roles else []
        number_of_remarks = open_remarks(connection) if "admin" in visit.person.roles else 0
        mine = progress_of(connection, visit.person.id)
    return show(
        visit,
        "home.html",
        tiles=tiles,
        agreed=agreed,
        hours=hours,
        steps=steps,
        said=number_of_remarks,
        mine=mine,
        verified=verified,
    )


def first_steps(visit: Visit, connection: Connection) -> list[tuple[str, str, bool]]:
    """Return the checklist of a new portal: name, page, and whether it is done; empty when all of it is."""
    others = select(func.count()).select_from(roles).where(roles.c.role != "admin")
    number = int(connection.execute(others).scalar() or 0) + len(open_links(connection))
    steps = [
        ("first-consent", "/consent-form", consent.current(connection) > 0),
        ("first-contact", "", bool(visit.portal.settings.contact)),
        ("first-https", "", may_record(visit.request)),
        ("first-queue", "/queues", bool(all_queues(connection))),
        ("first-people", "/links", number > 0),
    ]
    return [] if all(done for _, _, done in steps) else steps


def link(visit: Visit) -> Response:
    """The page that a link opens. Opening it does not use the link up, since mail programs open links, too."""
    with visit.portal.database.reading() as connection:
        usable = invitation_of(connection, visit.portal.secret, visit.part("token"))
        many = usable is not None and is_for_many(connection, usable)
    if usable is None:
        return _no_link(visit)
    arrived = parameters_of(visit.request.query_params)
    return show(visit, "enter.html", link=visit.part("token"), arrived=arrived, many=many)


def _no_link(visit: Visit) -> Response:
    with visit.portal.database.reading() as connection:
        fault = fault_of(connection, visit.portal.secret, visit.part("token"))
    return problem(visit, 404, f"link-is-{fault}", contact=visit.portal.settings.contact)


def enter(visit: Visit) -> Response:
    """Use a link up and begin a session."""
    parameters = {
        name.removeprefix(PARAMETER_PREFIX): value
        for name, value in visit.form.items()
        if name.startswith(PARAMETER_PREFIX)
    }
    try:
        with visit.portal.database.writing() as connection:
            invitation = invitation_of(connection, visit.portal.secret, visit.part("token"))
            cookie = accept(connection, invitation, parameters_of(parameters)) if invitation else None
    except DataError:
        return problem(visit, 409, "came-before", contact=visit.portal.settings.contact)
    if cookie is None:
        return _no_link(visit)
    answer = go("/")
    set_session(visit, answer, cookie)
    return answer


def leave(visit: Visit) -> Response:
    """Log out in this browser."""
    assert visit.session is not None
    with visit.portal.database.writing() as connection:
        end_session(connection, visit.session)
    answer = go("/")
    clear_session(visit, answer)
    return answer


def language(visit: Visit) -> Response:
    """Choose the language of the pages."""
    languages = visit.portal.settings.languages
    wanted, back = visit.form.get("language", ""), visit.form.get("back", "/")
    answer = go(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/")
    answer.set_cookie(
        COOKIE, wanted if wanted in languages else languages[0], 31_536_000, samesite="lax", httponly=True
    )
    return answer


def consent_page(visit: Visit) -> Response:
    """The consent form, to read and to agree to."""
    with visit.portal.database.reading() as connection:
        version = consent.current(connection)
        form = consent.text_of(connection, version, visit.language)
        agreed = consent.has_agreed(connection, visit.person.id)
    return show(visit, "consent.html", version=version, form=form, agreed=agreed)


def agree(visit: Visit) -> Response:
    """Agree to the form."""
    if visit.form.get("agree") != "yes":
        return go("/consent")
    version = visit.form.get("version", "")
    try:
        with visit.portal.database.writing() as connection:
            consent.agree(
                connection,
                visit.person.id,
                int(version) if version.isdecimal() and len(version) < 9 else 0,
                visit.form.get("language", ""),
                visit.form.get("sha256", ""),
            )
    except DataError:
        return problem(visit, 409, "consent-has-changed")
    return go("/" if visit.person.described_at else "/about-you")


def about_you(visit: Visit) -> Response:
    """The form in which people describe themselves, as far as benchmarks state it."""
    return show(visit, "about_you.html", genders=GENDERS, ages=AGE_BANDS)


def describe_yourself(visit: Visit) -> Response:
    """Write it down."""
    answers = {name: visit.form.get(name, "") for name in ("gender", "age_band", "native_language", "major")}
    try:
        with visit.portal.database.writing() as connection:
            describe(connection, visit.person.id, **answers)
    except DataError:
        return problem(visit, 400, "form-is-wrong")
    return go("/")


def your_data(visit: Visit) -> Response:
    """Everything that is stored about a person, their work, and how to withdraw."""
    return _your_data(visit)


def _your_data(visit: Visit, link: str = "") -> Response:
    with visit.portal.database.reading() as connection:
        hours = hours_of(connection, visit.person.id)
    return show(visit, "your_data.html", hours=hours, link=link, code=qr_svg(link) if link else "")


def move(visit: Visit) -> Response:
    """Make a link by which a person goes on in another browser: to their own account, once, within a day."""
    person = visit.person
    with visit.portal.database.writing() as connection:
        token = invite(connection, visit.portal.secret, min(person.roles), person=person.id, by=person.id, days=1)
    return _your_data(visit, str(visit.request.url_for("link", token=token)))


def goal(visit: Visit) -> Response:
    """Set one's own goal, or none."""
    text = visit.form.get("goal", "").strip()
    wanted = int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else -1
    try:
        with visit.portal.database.writing() as connection:
            set_goal(connection, visit.person.id, wanted if text else None)
    except DataError:
        return problem(visit, 400, "form-is-wrong")
    return go("/")


def withdraw_yourself(visit: Visit) -> Response:
    """Withdraw: results leave, media are erased, the session ends."""
    if visit.form.get("sure") != "yes":
        return go("/your-data")
    portal = visit.portal
    made = withdraw(portal.database, portal.blobs, visit.person.id, visit.person.id)
    answer = show(visit, "withdrawn.html", made=made)
    clear_session(visit, answer)
    return answer
