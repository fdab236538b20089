"""The table of routes: every address of the portal, and who may use it. Nothing is served that has no line here.

`site.gate` enforces the table, and `tests/portal/test_routes.py` walks all of it, each route with each role.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.portal.annotation import pages as annotation
from triptych.portal.blobs.chunks import CHUNK
from triptych.portal.dashboard import pages as dashboard
from triptych.portal.exchange import api
from triptych.portal.exchange.openapi import openapi
from triptych.portal.people import admin, person, signing_in
from triptych.portal.people import pages as account
from triptych.portal.recording import pages as recording
from triptych.portal.review import pages as review
from triptych.portal.site import parts
from triptych.portal.site.gate import is_secure
from triptych.portal.site.media_access import medium, wave
from triptych.portal.site.page import EVERY_ROLE, Body, Page, Visit, Who
from triptych.portal.site.static import static
from triptych.portal.store.engine import now_ms
from triptych.portal.survey import overview as overseeing
from triptych.portal.survey import pages as survey

if TYPE_CHECKING:
    from starlette.responses import Response

FORM: Body = "form"
MENU_ROLES: tuple[Who, ...] = ("admin", "reviewer", "annotator", "participant")
WORKERS: tuple[Who, ...] = ("recorder", "reviewer", "annotator", "participant")
LONG = 1 << 20  # bytes of a form that holds whole texts


def description(visit: Visit) -> Response:
    """The HTTP API as an OpenAPI document."""
    from starlette.responses import JSONResponse

    return JSONResponse(openapi(ROUTES))


def request_facts(visit: Visit) -> Response:
    """How a request arrived here: what proxies made of it, and the time."""
    from starlette.responses import JSONResponse

    client = visit.request.client
    seen = {"https": is_secure(visit.request), "client": client.host if client else "", "now": now_ms()}
    return JSONResponse({"portal": True, **seen})


ROUTES: tuple[Page, ...] = (
    # everybody
    Page("GET", "/", account.home, ("anyone",), "the page to begin with"),
    Page("GET", "/static/{name}", static, ("anyone",), "style sheets, scripts and icons", limit="6000/minute"),
    Page("GET", "/enter/{token}", account.link, ("anyone",), "open an invitation link", limit="600/minute"),
    Page("POST", "/enter/{token}", account.enter, ("anyone",), "use an invitation link", body=FORM, limit="300/minute"),
    Page("GET", "/sign-in", signing_in.sign_in, ("anyone",), "begin single sign-on", limit="300/minute"),
    Page(
        "GET", "/sign-in/back", signing_in.signed_in, ("anyone",), "come back from single sign-on", limit="300/minute"
    ),
    Page("POST", "/language", account.language, ("anyone",), "choose the language", body=FORM, limit="300/minute"),
    # people with a session
    Page("POST", "/leave", account.leave, EVERY_ROLE, "log out", body=FORM),
    Page("GET", "/consent", account.consent_page, EVERY_ROLE, "read the consent form"),
    Page("POST", "/consent", account.agree, EVERY_ROLE, "agree to the consent form", body=FORM),
    Page("GET", "/about-you", account.about_you, EVERY_ROLE, "see one's own description"),
    Page("POST", "/about-you", account.describe_yourself, EVERY_ROLE, "describe oneself", body=FORM),
    Page("GET", "/your-data", account.your_data, EVERY_ROLE, "see what is stored about oneself"),
    Page(
        "POST",
        "/move",
        account.move,
        EVERY_ROLE,
        "make a link to go on in another browser",
        body=FORM,
        limit="60/minute",
    ),
    Page("POST", "/goal", account.goal, EVERY_ROLE, "set one's own goal", body=FORM),
    Page("POST", "/withdraw", account.withdraw_yourself, EVERY_ROLE, "withdraw", body=FORM),
    Page("POST", "/undo", person.undo_last, WORKERS, "change one's last answer", True, body=FORM),
    Page("POST", "/remark", person.say_something, WORKERS, "comment on a task, or skip it", body=FORM),
    # media of tasks
    Page("GET", "/shown/{task:int}/{sha256}", medium, MENU_ROLES, "see a medium of a task", limit="3000/minute"),
    Page("GET", "/shown/{task:int}/{sha256}/wave", wave, MENU_ROLES, "see a medium's waveform", limit="3000/minute"),
    # what is sent in parts
    Page("GET", "/parts/{id}", parts.received, EVERY_ROLE, "see which parts of a submission are here", True),
    Page(
        "PUT",
        "/parts/{id}/{number:int}",
        parts.put,
        EVERY_ROLE,
        "send a part of a submission",
        True,
        body="file",
        max_bytes=parts.PART,
        limit="6000/minute",
    ),
    # recording
    Page("GET", "/record/{queue}", recording.record, ("recorder",), "read the next clip", True, microphone=True),
    Page(
        "PUT",
        "/record/{queue}/{task:int}/{id}",
        recording.upload,
        ("recorder",),
        "send a recording",
        True,
        body="file",
        max_bytes=recording.MAX_RECORDING_BYTES,
    ),
    Page("GET", "/recordings/{queue}", recording.recordings, ("admin", "reviewer"), "list recordings and their faults"),
    Page(
        "POST", "/recordings/{queue}", recording.decide, ("admin",), "accept a recording, or ask for another", body=FORM
    ),
    Page(
        "GET",
        "/sound/{id}/{form}",
        recording.sound,
        ("admin", "reviewer", "recorder"),
        "listen to a recording",
        limit="3000/minute",
    ),
    # reviewing
    Page("GET", "/review/{queue}", review.review, ("reviewer",), "review the next task", True),
    Page(
        "PUT",
        "/review/{queue}/{task:int}/{id}",
        review.take,
        ("reviewer",),
        "send a review",
        True,
        body="file",
        max_bytes=review.MAX_REVIEW_BYTES,
    ),
    Page(
        "POST",
        "/review/{queue}/{task:int}/check",
        review.check,
        ("reviewer",),
        "check changed texts while they are written",
        True,
        body="file",
        max_bytes=review.MAX_REVIEW_BYTES,
    ),
    Page("GET", "/reviews/{queue}", review.reviews, ("admin", "reviewer"), "see agreement and disagreements"),
    Page("GET", "/reviews/{queue}/ratings.csv", review.ratings, ("admin", "reviewer"), "download all votes"),
    Page("GET", "/reviews/{queue}/{task:int}", review.disagreement, ("admin", "reviewer"), "see a disagreement", True),
    Page(
        "POST",
        "/reviews/{queue}/{task:int}/check",
        review.check,
        ("admin", "reviewer"),
        "check changed texts of a decision",
        True,
        body="file",
        max_bytes=review.MAX_REVIEW_BYTES,
    ),
    Page(
        "PUT",
        "/reviews/{queue}/{task:int}/{id}",
        review.decide,
        ("admin", "reviewer"),
        "decide on a disagreement",
        True,
        body="file",
        max_bytes=review.MAX_REVIEW_BYTES,
    ),
    # surveys
    Page("GET", "/survey/{queue}", survey.take, ("participant",), "answer the next question of a survey", True),
    Page("POST", "/survey/{queue}", survey.start, ("participant",), "begin a survey", True, body=FORM),
    Page(
        "PUT",
        "/survey/{queue}/{task:int}/{id}",
        survey.answer,
        ("participant",),
        "send an answer",
        True,
        body="file",
        max_bytes=survey.MAX_ANSWER_BYTES,
    ),
    Page("GET", "/survey-cells/{queue}", overseeing.cells, ("admin",), "see cells and participants of a survey"),
    Page("POST", "/survey-cells/{queue}", overseeing.decide, ("admin",), "count a participant, or not", body=FORM),
    # annotation
    Page("GET", "/annotate/{queue}", annotation.annotate, ("annotator",), "annotate the next task", True),
    Page(
        "POST",
        "/annotate/{queue}/{task:int}/check",
        annotation.check_answers,
        ("annotator",),
        "check answers while they are written",
        True,
        body="file",
        max_bytes=annotation.MAX_ANSWER_BYTES,
    ),
    Page(
        "POST",
        "/annotate/{queue}/{task:int}/open",
        annotation.open_talk,
        ("annotator",),
        "open a talk after the questions from its abstract",
        True,
        body="file",
        max_bytes=annotation.MAX_ANSWER_BYTES,
    ),
    Page(
        "PUT",
        "/annotate/{queue}/{task:int}/{id}",
        annotation.send,
        ("annotator",),
        "send answers",
        True,
        body="file",
        max_bytes=annotation.MAX_ANSWER_BYTES,
    ),
    Page("GET", "/verify/{queue}", annotation.verify, ("admin", "reviewer"), "verify the next annotation", True),
    Page(
        "POST",
        "/verify/{queue}/{task:int}/check",
        annotation.check_verification,
        ("admin", "reviewer"),
        "check answers while they are verified",
        True,
        body="file",
        max_bytes=annotation.MAX_ANSWER_BYTES,
    ),
    Page(
        "PUT",
        "/verify/{queue}/{task:int}/{id}",
        annotation.take_verification,
        ("admin", "reviewer"),
        "send a verifier's decision",
        True,
        body="file",
        max_bytes=annotation.MAX_ANSWER_BYTES,
    ),
    Page("GET", "/annotations/{queue}", annotation.listed, ("admin", "reviewer"), "list annotations"),
    Page(
        "POST", "/annotations/{queue}", annotation.decide, ("admin",), "accept an annotation, or ask again", body=FORM
    ),
    # administration
    Page("GET", "/people", admin.people, ("admin",), "list people"),
    Page("POST", "/people/invite", admin.invite_somebody, ("admin",), "make an invitation link", body=FORM),
    Page("POST", "/people/role", admin.give_role, ("admin",), "give a person a role", body=FORM),
    Page("GET", "/person/{person}", person.person, ("admin",), "see one person's sessions, tasks and works"),
    Page("POST", "/person/{person}", person.manage, ("admin",), "pause, revoke, release or give away", body=FORM),
    Page("GET", "/links", person.links, ("admin",), "list the links that still work"),
    Page("POST", "/links", person.change_links, ("admin",), "make or revoke links", body=FORM, max_bytes=LONG),
    Page("GET", "/remarks", person.remarks, ("admin",), "read comments on tasks"),
    Page("POST", "/remarks", person.settle_remark, ("admin",), "mark a comment as done", body=FORM),
    Page("POST", "/people/withdraw", admin.withdraw_somebody, ("admin",), "withdraw for a person", body=FORM),
    Page("GET", "/consent-form", admin.consent_form, ("admin",), "edit the consent form"),
    Page(
        "POST", "/consent-form", admin.publish_consent, ("admin",), "publish a consent form", body=FORM, max_bytes=LONG
    ),
    Page("GET", "/queues", admin.queues, ("admin",), "list queues and their progress"),
    Page("GET", "/dashboard", dashboard.dashboard, ("admin",), "see progress, people, forecasts and the disk"),
    Page("GET", "/days.csv", dashboard.days, ("admin",), "download results by person and day"),
    Page("GET", "/reminders.csv", admin.reminders, ("admin",), "download whom to remind"),
    Page("GET", "/hours.csv", admin.pay, ("admin",), "download hours and counts"),
    Page("GET", "/audit", admin.audit_trail, ("admin",), "read the audit trail"),
    # the HTTP API, for push and pull from another computer
    Page(
        "PUT",
        "/api/media/{sha256}",
        api.put_medium,
        ("api",),
        "store a file under its SHA-256",
        body="file",
        max_bytes=api.MAX_MEDIUM_BYTES,
        limit="6000/minute",
    ),
    Page("GET", "/api/media/{sha256}", api.get_medium, ("api",), "read a file", limit="6000/minute"),
    Page("GET", "/api/uploads/{sha256}", api.received, ("api",), "see how far a large file is"),
    Page(
        "PUT",
        "/api/uploads/{sha256}/{number:int}",
        api.put_chunk,
        ("api",),
        "send a chunk of a large file",
        body="file",
        max_bytes=CHUNK,
        limit="6000/minute",
    ),
    Page("POST", "/api/uploads/{sha256}", api.join_chunks, ("api",), "join the chunks of a file", body="file"),
    Page(
        "PUT",
        "/api/queues/{queue}",
        api.put_tasks,
        ("api",),
        "make these the open tasks of a queue",
        body="file",
        max_bytes=api.MAX_BATCH_BYTES,
    ),
    Page("GET", "/api/queues/{queue}/results", api.results, ("api",), "read all accepted results of a queue"),
    Page(
        "POST",
        "/api/queues/{queue}/exports",
        api.confirm,
        ("api",),
        "write an export down",
        body="file",
        max_bytes=api.MAX_BATCH_BYTES,
    ),
    Page(
        "PUT",
        "/api/surveys/{queue}",
        api.put_survey,
        ("api",),
        "put a survey into a queue",
        body="file",
        max_bytes=api.MAX_BATCH_BYTES,
    ),
    Page("GET", "/api/surveys/{queue}", api.answers, ("api",), "read the answers to a survey"),
    Page(
        "GET",
        "/api/here",
        request_facts,
        ("anyone",),
        "see how this request arrived: for `portal doctor`",
        limit="60/minute",
    ),
    Page("GET", "/api/openapi.json", description, ("anyone",), "read the description of the API"),
)
