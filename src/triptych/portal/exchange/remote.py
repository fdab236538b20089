"""An exchange with a portal that is served elsewhere, over HTTP with a token."""

from __future__ import annotations

import hashlib
import ipaddress
import json
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from http.client import HTTPResponse
from pathlib import Path
from typing import IO, Any, Self, TypeVar, cast
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from triptych.errors import DataError, MediaError, SpecError
from triptych.portal.blobs.chunks import CHUNK
from triptych.portal.connecting import FAILURES, failure_of
from triptych.portal.exchange.api import Export
from triptych.portal.exchange.ends import Accepted, Batch, PortalPeople, Pushed
from triptych.portal.survey.document import Results as Answers
from triptych.portal.survey.document import Survey
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason

TOKEN = "TRIPTYCH_PORTAL_TOKEN"
TIMEOUT_S = 120
TRIES = 4  # of one chunk
MAX_ANSWER_BYTES = 512 << 20
MAX_LINE_BYTES = 64 << 20  # bytes of one result
NOT_FOUND = 404
T = TypeVar("T")


class _Refused(DataError):
    """The server refused a request; any other failure must not pass for that."""

    def __init__(self, status: int, message: str, where: str) -> None:
        super().__init__(message, where=where, got=status)
        self.status = status


class _NoRedirect(HTTPRedirectHandler):
    """The token goes to the server that was named, and to no other."""

    def redirect_request(self, *arguments: Any) -> None:
        """Follow nothing."""


class _Body:
    """The body of an answer; a failure while it is read is one of the portal."""

    def __init__(self, answer: HTTPResponse, failed: Callable[[BaseException], DataError]) -> None:
        self._answer, self._failed = answer, failed

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes. Raises DataError if the connection fails."""
        try:
            return self._answer.read(None if size < 0 else size)
        except FAILURES as error:
            raise self._failed(error) from None

    def readline(self, size: int) -> bytes:
        """Return a line of up to `size` bytes. Raises DataError if the connection fails."""
        try:
            return self._answer.readline(size)
        except FAILURES as error:
            raise self._failed(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._answer.close()


class _Received(msgspec.Struct, frozen=True):
    stored: bool
    chunks: dict[int, str]


class Remote:
    """A portal at a URL. The token is read from the environment.

    Raises SpecError without a token, or for plain HTTP to another computer, on which others could read the token.
    """

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url)
            good = bool(parts.hostname) and parts.port != 0
        except ValueError:  # a port that is not a number, or is too large
            good = False
        if not good:
            raise SpecError("not the address of a portal", got=url, expected="https://poems.example.org")
        if parts.scheme != "https" and not (parts.scheme == "http" and _is_own(parts.hostname or "")):
            raise SpecError("the portal's URL must begin with https://", got=url)
        if not (token := os.environ.get(TOKEN, "")):
            fix = f"triptych portal token --project DIR, and set {TOKEN}"
            raise SpecError("the portal's token is missing", fix=fix)
        self.url: str = url.rstrip("/")
        self._token = token
        self._opener = build_opener(_NoRedirect)

    def put_medium(self, path: Path, sha256: str, size: int) -> None:
        """Send a file; a large one in chunks, those alone that the portal doesn't have yet."""
        if size > CHUNK:
            self._put_chunks(path, sha256, size)
            return
        with path.open("rb") as file:
            self._ask("PUT", f"/api/media/{sha256}", file, {"Content-Length": str(size)})

    def _put_chunks(self, path: Path, sha256: str, size: int) -> None:
        received = self._read(self._ask("GET", f"/api/uploads/{sha256}"), _Received)
        if received.stored:
            return
        number = -(-size // CHUNK)
        with path.open("rb") as file:
            for n in range(number):
                data = file.read(CHUNK)
                digest = hashlib.sha256(data).hexdigest()
                if received.chunks.get(n) != digest:
                    self._send_chunk(f"/api/uploads/{sha256}/{n}", data, digest)
        self._ask("POST", f"/api/uploads/{sha256}", msgspec.json.encode(number))

    def _send_chunk(self, path: str, data: bytes, sha256: str) -> None:
        """Send a chunk, and again after a cut connection; a refusal is final."""
        for attempt in range(TRIES):
            try:
                self._ask("PUT", path, data, {"x-content-sha256": sha256})
                return
            except _Refused:
                raise
            except DataError:
                if attempt == TRIES - 1:
                    raise
                time.sleep(attempt)

    def put_tasks(self, queue: str, batch: Batch) -> Pushed:
        """Send the open tasks of a queue."""
        body = msgspec.json.encode(batch)
        return self._read(self._ask("PUT", f"/api/queues/{quote(queue, safe='')}", body), Pushed)

    def put_survey(self, queue: str, survey: Survey) -> Pushed:
        """Send a survey."""
        body = msgspec.json.encode(survey)
        return self._read(self._ask("PUT", f"/api/surveys/{quote(queue, safe='')}", body), Pushed)

    def answers(self, queue: str) -> Answers:
        """The answers to a survey."""
        return self._read(self._ask("GET", f"/api/surveys/{quote(queue, safe='')}"), Answers)

    def results(self, queue: str) -> tuple[PortalPeople, Iterator[Accepted]]:
        """Everybody's pseudonyms, and the accepted results one by one. Raises DataError if the answer was cut."""
        answer = self._open("GET", f"/api/queues/{quote(queue, safe='')}/results")
        return self._read(answer.readline(MAX_LINE_BYTES), PortalPeople), self._lines(answer)

    def _lines(self, answer: _Body) -> Iterator[Accepted]:
        number = 0
        with answer:
            while (line := answer.readline(MAX_LINE_BYTES)) and not line.startswith(b'{"results":'):
                number += 1
                yield self._read(line, Accepted)
        if not line or self._read(line, dict[str, int])["results"] != number:
            raise DataError("the portal's answer was cut", where=self.url, got=f"{number} results", fix="pull again")

    def medium(self, sha256: str) -> AbstractContextManager[IO[bytes]]:
        """A file. Raises MediaError if it was erased."""
        try:
            return cast("AbstractContextManager[IO[bytes]]", self._open("GET", f"/api/media/{sha256}"))
        except _Refused as error:
            if error.status != NOT_FOUND:
                raise
            raise MediaError("the portal doesn't have a medium any more", where=sha256) from None

    def confirm(self, queue: str, ids: Collection[str], target: str) -> set[str]:
        """Have an export written down."""
        body = msgspec.json.encode(Export(target, sorted(ids)))
        return set(self._read(self._ask("POST", f"/api/queues/{quote(queue, safe='')}/exports", body), list[str]))

    def _read(self, data: bytes, kind: type[T]) -> T:
        try:
            return decode_once(data, kind)
        except UNREADABLE as error:
            raise DataError("the portal's answer can't be read", where=self.url, got=reason(error)) from None

    def _ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> bytes:
        with self._open(method, path, body, headers) as answer:
            data = answer.read(MAX_ANSWER_BYTES + 1)
        if len(data) > MAX_ANSWER_BYTES:
            raise DataError("the portal's answer is too large", where=self.url)
        return data

    def _open(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> _Body:
        headers_ = {"Authorization": f"Bearer {self._token}", "Accept": "application/json", **(headers or {})}
        request = Request(
            self.url + path, body, {**headers_, "Content-Type": "application/octet-stream"}, method=method
        )
        try:
            return _Body(self._opener.open(request, timeout=TIMEOUT_S), self._connection_error)
        except HTTPError as error:
            with error:
                raise _Refused(error.code, _message(error), f"{method} {self.url}{path}") from None
        except FAILURES as error:
            raise self._connection_error(error) from None

    def _connection_error(self, error: BaseException) -> DataError:
        parts = urlsplit(self.url)
        failure = failure_of(error, parts.hostname or "", parts.port)
        return DataError(f"the portal can't be asked: {failure.why}", where=self.url, fix=failure.fix)


def _message(error: HTTPError) -> str:
    try:
        return str(json.loads(error.read(10_000))["message"])
    except (ValueError, KeyError, TypeError, OSError):
        return "the portal refused the request"


def _is_own(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
