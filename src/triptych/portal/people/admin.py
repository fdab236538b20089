"""Pages of the administrator: people, invitations, the consent form, queues, pay, the audit trail."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from triptych.errors import DataError
from triptych.portal.people import consent
from triptych.portal.people.hours import hours_of
from triptych.portal.people.paying import accepted_seconds, amount
from triptych.portal.people.records import MAX_NAME_LENGTH, people_page, person_of, pseudonyms
from triptych.portal.people.reminding import HEAD as REMINDED
from triptych.portal.people.reminding import IDLE_DAYS, idle_people
from triptych.portal.people.sessions import grant, invite
from triptych.portal.site.jobs import JOBS
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import go, problem, show
from triptych.portal.site.sentences import results_among, sentence_of, tasks_among
from triptych.portal.store.tables import ROLES
from triptych.portal.work.audit import latest_entries
from triptych.portal.work.queues import all_queues, progress
from triptych.portal.work.withdrawing import withdraw
from triptych.records.harmless import harmless

if TYPE_CHECKING:
    from starlette.responses import Response

HEAD = (
    "pseudonym",
    "label",
    "queue",
    "kind",
    "seconds",
    "submitted",
    "accepted",
    "words",
    "weight",
    "weighted",
    "arrived",
    "minutes_heard",
    "amount",
    "currency",
)
PAGE_SIZE = 100  # people, or entries of the audit trail, on one page


def people(visit: Visit) -> Response:
    """Everybody, with roles; and the form that invites."""
    return _people(visit)


def _people(visit: Visit, made: str = "") -> Response:
    parameters = visit.request.query_params
    with visit.portal.database.reading() as connection:
        listed = people_page(
            connection,
            words := parameters.get("find", "").strip()[:MAX_NAME_LENGTH],
            parameters.get("before", ""),
            PAGE_SIZE,
        )
        form = consent.current(connection)
    older = listed[-1].id if len(listed) == PAGE_SIZE else ""
    return show(visit, "people.html", people=listed, roles=ROLES, made=made, form=form, find=words, older=older)


def invite_somebody(visit: Visit) -> Response:
    """Make a link: for a new person, or a new session of one who is known."""
    person, role = visit.form.get("person", ""), visit.form.get("role", "")
    with visit.portal.database.writing() as connection:
        person_row = person_of(connection, person) if person else None
        if (person and (person_row is None or person_row.withdrawn_at)) or role not in ROLES:
            return problem(visit, 400, "form-is-wrong")
        label = visit.form.get("label", "").strip()[:MAX_NAME_LENGTH]
        token = invite(connection, visit.portal.secret, role, label=label, person=person or None, by=visit.person.id)
    return _people(visit, made=str(visit.request.url_for("link", token=token)))


def give_role(visit: Visit) -> Response:
    """Give a person one more role."""
    try:
        with visit.portal.database.writing() as connection:
            person_row = person_of(connection, visit.form.get("person", ""))
            if person_row is None or person_row.withdrawn_at:
                return problem(visit, 400, "form-is-wrong")
            grant(connection, person_row.id, visit.form.get("role", ""), by=visit.person.id)
    except DataError:
        return problem(visit, 400, "form-is-wrong")
    return go("/people")


def withdraw_somebody(visit: Visit) -> Response:
    """Withdraw for a person who asked for it."""
    with visit.portal.database.reading() as connection:
        person_row = person_of(connection, visit.form.get("person", ""))
    if person_row is None or visit.form.get("sure") != "yes":
        return problem(visit, 400, "form-is-wrong")
    made = withdraw(visit.portal.database, visit.portal.blobs, person_row.id, visit.person.id)
    return show(visit, "withdrawn.html", made=made)


def consent_form(visit: Visit) -> Response:
    """The current consent form in each language, to be changed."""
    with visit.portal.database.reading() as connection:
        version = consent.current(connection)
        texts = {name: consent.text_of(connection, version, name) for name in visit.portal.settings.languages}
    shown = {name: name_texts[1] if name_texts and name_texts[0] == name else "" for name, name_texts in texts.items()}
    return show(visit, "consent_form.html", version=version, texts=shown)


def publish_consent(visit: Visit) -> Response:
    """Publish a new version."""
    try:
        with visit.portal.database.writing() as connection:
            texts = {name: visit.form.get(f"text-{name}", "") for name in visit.portal.settings.languages}
            consent.publish(connection, texts, visit.person.id)
    except DataError:
        return problem(visit, 400, "form-is-wrong")
    return go("/consent-form")


def queues(visit: Visit) -> Response:
    """Every queue and how far it is."""
    with visit.portal.database.reading() as connection:
        queues_and_progress = [(queue, progress(connection, queue)) for queue in all_queues(connection)]
    return show(visit, "queues.html", queues=queues_and_progress, jobs=JOBS)


def pay(visit: Visit) -> Response:
    """Hours and counts as CSV for a spreadsheet."""
    from starlette.responses import Response

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    seconds_by_person = accepted_seconds(visit.portal)
    with visit.portal.database.reading() as connection:
        for row in hours_of(connection):
            pay, listened = visit.portal.settings.pay_of(row.queue), seconds_by_person.get((row.person, row.queue), 0.0)
            done = (row.pseudonym, row.label, row.queue, row.kind, row.seconds, row.submitted, row.accepted, row.words)
            paid = amount(pay, row, listened)
            arrived = " ".join(f"{name}={value}" for name, value in row.arrived.items())
            cells = (
                *done,
                pay.weight,
                round(row.words * pay.weight, 2),
                arrived,
                "" if listened is None else round(listened / 60, 2),
                "" if paid is None else paid,
                pay.currency,
            )
            writer.writerow([harmless(cell) for cell in cells])
    headers = {"Content-Disposition": 'attachment; filename="hours.csv"'}
    return Response("\ufeff" + out.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def reminders(visit: Visit) -> Response:
    """Whom to remind, without addresses: `triptych portal remind` adds them on the administrator's computer."""
    from starlette.responses import Response

    idle_days = visit.request.query_params.get("idle", "")
    idle = int(idle_days) if idle_days.isascii() and idle_days.isdecimal() and len(idle_days) < 5 else IDLE_DAYS
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(REMINDED)
    with visit.portal.database.reading() as connection:
        writer.writerows([harmless(cell) for cell in each.row] for each in idle_people(connection, idle))
    headers = {"Content-Disposition": 'attachment; filename="reminders.csv"'}
    return Response("\ufeff" + out.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def audit_trail(visit: Visit) -> Response:
    """Who did what, when."""
    before = visit.request.query_params.get("before", "")
    with visit.portal.database.reading() as connection:
        entries = latest_entries(
            connection, int(before) if before.isdecimal() and len(before) < 16 else None, PAGE_SIZE
        )
        about = [name for each in entries for name in (each["person_id"], each["subject"], each["detail"].get("to"))]
        names = {
            **results_among(connection, [each["subject"] for each in entries]),
            **pseudonyms(connection, [n for n in about if n]),
        }
        named = tasks_among(connection, entries)
    sentences = [sentence_of(visit.language, each, names) for each in named]
    return show(visit, "audit.html", entries=list(zip(entries, sentences, strict=True)), more=len(entries) == PAGE_SIZE)
