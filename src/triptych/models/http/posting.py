"""Small bodies, sent over aiohttp's connections without its session.

For each request, a session makes objects for the request, its headers, its body and the answer, and (before Python
3.12) a task that writes the body: more work than all that Triptych does for a text Request. But the head of a Request
is always the same, except for the length of the body, so it is written once. The pool of connections, TLS, and the
parser of the answers are aiohttp's. Large bodies, and Requests through a proxy, are sent by the session.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import aiohttp

from triptych.errors import SpecError
from triptych.models.http import bounded
from triptych.models.http.aiohttp_inside import Connection, HttpProcessingError
from triptych.models.http.in_step import ASKING, WatchedConnection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aiohttp import StreamReader
    from yarl import URL

_log = logging.getLogger(__name__)
SMALL = 64 * 1024  # bytes; of a larger body, a session waits until the connection takes more
_BREAKS = frozenset("\r\n\0")


class Posting:
    """Sends POST Requests to one address, over the connections of a session. Made while the event loop runs.

    skipped   headers that aiohttp would add, and that are not sent

    Raises SpecError for a header with a line break.
    """

    def __init__(self, session: aiohttp.ClientSession, url: URL, skipped: Sequence[str] = ()) -> None:
        connector: Any = session.connector
        self.connector: aiohttp.TCPConnector = connector
        self.timeout: aiohttp.ClientTimeout = session.timeout
        self.request: aiohttp.ClientRequest = aiohttp.ClientRequest(
            "POST", url, headers=session.headers, skip_auto_headers=skipped, loop=connector._loop, session=session
        )
        self.head: bytes = _head(self.request)

    def takes(self, body: bytes) -> bool:
        """Return whether the body is small enough to be written at once."""
        return len(body) <= SMALL

    def post(self, body: bytes) -> Posted:
        """Return the context in which the answer is read, as `ClientSession.post` does; the errors are the same."""
        return Posted(self, body)


class Posted:
    """The answer to one Request: `status`, `headers`, and the body (`content`) as it arrives.

    After the context, the connection is used again if the body was read to its end, and closed if not.
    """

    __slots__ = ("_body", "_connection", "_posting", "content", "headers", "status")

    status: int
    headers: Mapping[str, str]
    content: StreamReader

    def __init__(self, posting: Posting, body: bytes) -> None:
        self._posting, self._body = posting, body

    @property
    def content_type(self) -> str:
        """The media type without parameters."""
        return self.headers.get("Content-Type", "").partition(";")[0].strip().lower()

    async def read(self) -> bytes:
        """Return the whole body. Raises ProviderError if it is larger than any answer."""
        content = self.content
        if content.is_eof() and content.total_bytes <= bounded.MAX_BODY_BYTES and content.exception() is None:
            return content.read_nowait()  # it came with the header
        return await bounded.read_whole(content)

    async def __aenter__(self) -> Posted:
        posting = self._posting
        self._connection = await posting.connector.connect(posting.request, [], posting.timeout)
        try:
            await self._exchange(self._connection)
        except BaseException:
            self._connection.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self._connection.release()

    async def _exchange(self, connection: Connection) -> None:
        """Send the Request, and wait for the header of the answer."""
        line, posting = connection.protocol, self._posting
        if line is None or line.transport is None or line.transport.is_closing():
            raise aiohttp.ServerDisconnectedError
        asking = ASKING.get()
        if asking is not None and isinstance(line, WatchedConnection):
            asking.line = line
        line.set_response_params(read_until_eof=True)
        line.transport.write(b"%b%d\r\n\r\n%b" % (posting.head, len(self._body), self._body))
        try:
            message, self.content = await line.read()
            while message.code < 200 and message.code != 101:  # the answer is still to come
                message, self.content = await line.read()
        except HttpProcessingError as error:
            request_info = posting.request.request_info
            raise aiohttp.ClientResponseError(
                request_info, (), status=error.code, message=error.message, headers=error.headers
            ) from error
        self.status, self.headers = message.code, message.headers
        _log.debug("POST %s, %d bytes: status %d", posting.request.url.path, len(self._body), self.status)


def _head(request: aiohttp.ClientRequest) -> bytes:
    """Return the head of a Request up to the number in `Content-Length`, which is the last header."""
    fields = {name: value for name, value in request.headers.items() if name.lower() != "content-length"}
    if broken := [name for name, value in fields.items() if not _BREAKS.isdisjoint(value)]:
        fix = "check the API key in the environment"
        raise SpecError("a header of the Requests contains a line break", got=", ".join(broken), fix=fix)
    lines = [f"POST {request.url.raw_path_qs} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "Content-Length: "]).encode()
