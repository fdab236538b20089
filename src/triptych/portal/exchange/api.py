"""The HTTP API of an exchange, for `push` and `pull` from another computer. Each request carries a token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import select

from triptych.errors import DataError, MediaError
from triptych.portal.blobs.chunks import Chunks
from triptych.portal.exchange.ends import Accepted, Batch, PortalPeople
from triptych.portal.exchange.local import Local
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import problem
from triptych.portal.store.tables import blobs
from triptych.portal.survey.document import Survey
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason

if TYPE_CHECKING:
    from starlette.responses import Response

MAX_BATCH_BYTES = 256 << 20
MAX_MEDIUM_BYTES = 512 << 20
PART = 64 << 10  # bytes of an export that are sent together


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The submissions of an export, and where it is written."""

    target: str
    ids: list[str]


def put_medium(visit: Visit) -> Response:
    """Store a file under its SHA-256."""
    received = visit.upload
    assert received is not None
    Local(visit.portal).put_medium(received.path, visit.part("sha256"), received.size)
    return _json({"sha256": received.sha256, "size": received.size}, 201)


def received(visit: Visit) -> Response:
    """How far a file is: whether it is stored, or which chunks of it are there (number -> SHA-256)."""
    name = visit.part("sha256")
    with visit.portal.database.reading() as connection:
        is_present = (blobs.c.sha256 == name) & blobs.c.erased_at.is_(None)
        stored = connection.execute(select(blobs.c.sha256).where(is_present)).scalar() is not None
    return _json({"stored": stored, "chunks": Chunks(visit.portal.blobs, name).received_chunks()})


def put_chunk(visit: Visit) -> Response:
    """Take one chunk of a large file; its own SHA-256 is in the header x-content-sha256."""
    assert visit.upload is not None
    announced = visit.request.headers.get("x-content-sha256", "")
    Chunks(visit.portal.blobs, visit.part("sha256")).add(visit.upload.path, visit.part("number"), announced)
    return _json({"sha256": announced, "size": visit.upload.size}, 201)


def join_chunks(visit: Visit) -> Response:
    """Join the chunks of a file; the body is their number."""
    name = visit.part("sha256")
    end = Local(visit.portal)
    size = Chunks(visit.portal.blobs, name).join(_read(visit, int), lambda path, size: end.keep(path, name, size))
    return _json({"sha256": name, "size": size}, 201)


def get_medium(visit: Visit) -> Response:
    """A file by its SHA-256."""
    from starlette.responses import FileResponse

    try:
        with visit.portal.blobs.local(visit.part("sha256")) as path:
            return FileResponse(path, media_type="application/octet-stream")
    except MediaError:
        return problem(visit, 404, "not-found")


def put_tasks(visit: Visit) -> Response:
    """Make the tasks of the body the open tasks of a queue."""
    return _json(Local(visit.portal).put_tasks(visit.part("queue"), _read(visit, Batch)))


def results(visit: Visit) -> Response:
    """All accepted results of a queue as JSON lines: first everybody's pseudonyms, then a line for each result."""
    from starlette.responses import StreamingResponse

    people_known, accepted = Local(visit.portal).results(visit.part("queue"))
    return StreamingResponse(_lines(people_known, accepted), media_type="application/x-ndjson")


def _lines(people_known: PortalPeople, accepted: Iterator[Accepted]) -> Iterator[bytes]:
    """The lines of an export. The last one says how many there were: without it the answer was cut."""
    yield msgspec.json.encode(people_known) + b"\n"
    number, part = 0, bytearray()
    for each in accepted:
        part += msgspec.json.encode(each) + b"\n"
        number += 1
        if len(part) > PART:
            yield bytes(part)
            part.clear()
    yield bytes(part) + msgspec.json.encode({"results": number}) + b"\n"


def put_survey(visit: Visit) -> Response:
    """Put the survey of the body into a queue."""
    return _json(Local(visit.portal).put_survey(visit.part("queue"), _read(visit, Survey)))


def answers(visit: Visit) -> Response:
    """The answers to a survey, of people who count."""
    return _json(Local(visit.portal).answers(visit.part("queue")))


def confirm(visit: Visit) -> Response:
    """Write an export down; the answer lists the submissions that may be in it."""
    export = _read(visit, Export)
    return _json(sorted(Local(visit.portal).confirm(visit.part("queue"), export.ids, export.target[:1000])))


def _read(visit: Visit, kind: type[Any]) -> Any:
    assert visit.upload is not None
    try:
        return decode_once(visit.upload.path.read_bytes(), kind)
    except UNREADABLE as error:
        raise DataError("the body is not the JSON document that is expected", got=reason(error)) from None


def _json(document: Any, status: int = 200) -> Response:
    from starlette.responses import Response

    return Response(msgspec.json.encode(document), status, media_type="application/json")
