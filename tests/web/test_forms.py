"""Tests of `web/forms.py`: forms that a page sends."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

import pytest

starlette = pytest.importorskip("starlette", reason="Starlette comes with the extra [viewer]")


def read(
    body: bytes, kind: str = "application/x-www-form-urlencoded", most: int = 1000, step: int = 7
) -> dict[str, str]:
    from starlette.requests import Request

    from triptych.web.forms import read_form

    pieces = [body[at : at + step] for at in range(0, len(body), step)] or [b""]

    async def receive() -> dict[str, object]:
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", kind.encode())]}
    return asyncio.run(read_form(Request(scope, receive), most))


def test_fields_come_back_as_they_went_out() -> None:
    fields = {"text": "诗 & a=b+c%20\r\n", "empty": "", "ключ": "«»"}
    assert read(urlencode(fields).encode(), "application/x-www-form-urlencoded; charset=utf-8") == fields
    assert read(b"") == {}
    assert read(b"a=1&a=2") == {"a": "2"}


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"a=1", "multipart/form-data", 415),
        (b"a=1", "", 415),
        (b'{"a": 1}', "application/json", 415),
        (b"a=" + b"x" * 999, "application/x-www-form-urlencoded", 413),
        (b"a&" * 499, "application/x-www-form-urlencoded", 200),
        (b"a=%00", "application/x-www-form-urlencoded", 400),
        (b"a%00=1", "application/x-www-form-urlencoded", 400),
    ],
)
def test_what_is_refused(body: bytes, kind: str, status: int) -> None:
    from starlette.exceptions import HTTPException

    try:
        read(body, kind)
        got = 200
    except HTTPException as error:
        got = error.status_code
    assert got == status


def test_bytes_that_are_no_utf_8_are_replaced_and_fields_are_counted() -> None:
    from starlette.exceptions import HTTPException

    assert read(b"a=%ff") == {"a": "\ufffd"}
    with pytest.raises(HTTPException) as caught:
        read(b"a=1&" * 1001, most=10_000, step=500)
    assert caught.value.status_code == 413
