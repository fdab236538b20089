"""One more Request over a connection, whose reply shows whether the server still owes another one.

HTTP/1.1 servers reply in order. A connection that is out of step therefore brings the reply that is still owed first,
and the reply to this Request after it, however late both come. The Request lists the endpoint's models (it costs
nothing) and asks the server to close the connection, so that its end is known, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from triptych.models.http.bounded import read_whole

if TYPE_CHECKING:
    from aiohttp.client_proto import ResponseHandler
    from yarl import URL

PATIENCE_S = 30.0  # a server that hasn't replied to it by then is never sent it again
_MARKS = (b'"choices"', b'"candidates"', b'"text":')  # in replies of models, and not in lists of models


def listing_request(url: URL, headers: Mapping[str, str], *, proxied: bool = False) -> bytes:
    """Return the Request as bytes. `proxied`: a proxy reads it, so its address must be whole."""
    from aiohttp import BasicAuth

    bare = url.with_user(None)
    whole_address = proxied and bare.scheme == "http"
    target = str(bare) if whole_address else bare.raw_path_qs
    fields = {"Host": urlsplit(str(bare)).netloc, "Accept": "*/*", "Connection": "close", **headers}
    if url.user is not None:
        fields["Authorization"] = BasicAuth(url.user, url.password or "").encode()
    lines = (f"{name}: {value}\r\n" for name, value in fields.items())
    return f"GET {target} HTTP/1.1\r\n{''.join(lines)}\r\n".encode()


async def owes_a_reply(line: ResponseHandler, question: bytes) -> bool | None:
    """Send the Request over an idle connection, and return whether a model's reply comes instead of a list.

    Returns None if no reply comes in time, or if the connection ends before it. A second reply, after this one, is
    noticed by the connection itself.
    """
    if line.transport is None:
        return None
    line.set_response_params(read_until_eof=True)
    line.transport.write(question)
    try:
        async with asyncio.timeout(PATIENCE_S):
            _, content = await line.read()
            body = await read_whole(content)
    except Exception:  # noqa: BLE001 - whatever a broken connection raises, it brought no reply
        return None
    return any(mark in body for mark in _MARKS)
