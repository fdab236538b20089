"""Forms that a page sends, read within their limits."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from starlette.requests import Request

FORM = "application/x-www-form-urlencoded"
MAX_FIELDS = 1000


async def read_form(request: Request, max_bytes: int) -> dict[str, str]:
    """Return the fields of a form.

    Raises HTTPException 415 for another type of body, 413 for over `max_bytes` bytes, 400 for a text with U+0000, which
    not every database can store.
    """
    from starlette.exceptions import HTTPException

    if request.headers.get("content-type", "").partition(";")[0] != FORM:
        raise HTTPException(415, "The form doesn't belong to this page.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > max_bytes:
            raise HTTPException(413, "The form is too long.")
    try:
        fields = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError:
        raise HTTPException(413, "The form has too many fields.") from None
    if any("\0" in text for field in fields for text in field):
        raise HTTPException(400, "The form contains a character that can't be stored.")
    return dict(fields)
