"""Bodies that come in parts: each is below the limit that proxies have by default (1 MB).

A page sends the parts of a body one by one, and then an empty body with the header `x-parts`, their number. The gate
joins them: the page that answers gets the whole, as if it had come at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from triptych.portal.site.page import Upload, Visit
from triptych.portal.site.rendering import problem
from triptych.portal.work.presence import hold_person
from triptych.portal.work.submitting import ID

if TYPE_CHECKING:
    from starlette.responses import Response

HEADER = "x-parts"
PART = 512 << 10  # bytes of a part
MAX_PARTS = 64
MAX_WAITING_BYTES = 64 << 20  # bytes of all parts of a person that are here


def received(visit: Visit) -> Response:
    """The parts of a submission that are here: number -> bytes."""
    from starlette.responses import JSONResponse

    return JSONResponse({"parts": visit.portal.blobs.parts.sizes(visit.person.id, visit.part("id"))})


def put(visit: Visit) -> Response:
    """Take a part."""
    from starlette.responses import JSONResponse

    parts, upload = visit.portal.blobs.parts, visit.upload
    assert upload is not None
    number = visit.part("number")
    if not ID.fullmatch(visit.part("id")) or number >= MAX_PARTS or not upload.size:
        return problem(visit, 400, "form-is-wrong")
    if parts.stored_bytes(visit.person.id) + upload.size > MAX_WAITING_BYTES:
        return problem(visit, 413, "too-large")
    with visit.portal.database.writing() as connection:
        hold_person(connection, visit.person.id)  # a withdrawal erases what is here, and lets nothing more in
        parts.add(upload.path, visit.person.id, visit.part("id"), number)
    return JSONResponse({"size": upload.size}, 201)


def join_parts(visit: Visit, path: Path, max_length: int) -> Upload | None:
    """Join the parts that the header counts; None if one is missing. Raises HTTPException 413 or 400."""
    from hashlib import file_digest

    from starlette.exceptions import HTTPException

    header = visit.request.headers.get(HEADER, "")
    number = int(header) if header.isascii() and header.isdecimal() and len(header) < 4 else 0
    parts, id = visit.portal.blobs.parts, str(visit.request.path_params.get("id", ""))
    if not 0 < number <= MAX_PARTS or visit.session is None:
        raise HTTPException(400)
    if sum(parts.sizes(visit.person.id, id).values()) > max_length:
        raise HTTPException(413)
    if not parts.join(visit.person.id, id, number, path):
        return None
    with path.open("rb") as file:
        return Upload(path, file_digest(file, "sha256").hexdigest(), path.stat().st_size)
