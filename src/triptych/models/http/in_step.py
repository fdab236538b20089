"""Detecting persistent connections whose answers no longer match the Requests.

HTTP/1.1 matches Requests and answers by their order only. If a server (or a gateway) sends one answer too many, the
connection is out of step: each Request then gets the answer to the previous one, and nothing in an answer shows it.
It shows when data arrive although nothing was requested: after the last Request over such a connection has received the
previous answer, its own arrives unrequested.

Each connection therefore watches for bytes without a Request. If some arrive, the connection is closed, the answers it
delivered since it was last known to be in step are doubted, and the session then uses each connection only once.
A new connection is in step. After CHAIN answers, and at the end, a connection is checked: nothing may arrive during a
short pause, and a last Request, which lists the endpoint's models, must receive a list and nothing else before the
connection ends (`models/http/probe.py`). So an outstanding answer is found however late it is. A check takes as long as
an answer or longer; so the last Requests of a session use new connections, and the others are checked meanwhile.

Not detected: an answer that arrives over another connection than its Request; a connection that is closed before the
outstanding answer was sent; and, if the server replies out of order or not at all to the last Request, an answer that
arrives after the pause.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from contextvars import ContextVar, Token
from dataclasses import dataclass
from typing import Any

from aiohttp import ClientError

from triptych.errors import ProviderError
from triptych.models.adapter import OUT_OF_STEP
from triptych.models.http.aiohttp_inside import Connection, ResponseHandler
from triptych.models.http.bounded import Chunks, read_whole
from triptych.models.http.probe import owes_a_reply
from triptych.records import Request, ResponseStatus

CHAIN = 64  # answers over one connection without a pause
SHORTEST_S, MAX_SECONDS = 0.05, 5.0  # length of the pause
END_S = 5.0  # wait for the end of a body whose answer is complete
SLOWER = 1.25  # maximum ratio of the next answer's time to that of the slowest answer so far


@dataclass(slots=True)
class Asking:
    """A Request in progress: its start, and its connection. As a context: what is sent inside belongs to it."""

    request: Request
    began: float
    line: WatchedConnection | None = None
    _before: Token[Asking | None] | None = None

    def __enter__(self) -> Asking:
        self._before = ASKING.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            ASKING.reset(self._before)


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """A Request that received an answer, and the status of that answer."""

    request: Request
    status: ResponseStatus


ASKING: ContextVar[Asking | None] = ContextVar("asking", default=None)


class WatchedConnection(ResponseHandler):
    """One connection, which notices every byte without a Request."""

    def __init__(self, loop: asyncio.AbstractEventLoop, steps: InStep) -> None:
        super().__init__(loop)
        self.steps = steps
        self._latest: Any = None  # the body of the latest answer
        self.requested: int = 0
        self.received: int = 0
        self.unasked: bool = False  # data arrived that were not requested
        self.in_step_at: int = 0  # number of answers when it was last known to be in step
        self.doubtful: list[
            AnsweredRequest
        ] = []  # answers since then, which belong to earlier Requests if it is out of step
        self.in_doubt: bool = False  # including the one in progress
        self.last: float = 0.0  # time of the last data
        self.slowest: float = 0.0  # duration of the slowest answer
        self.checking: asyncio.Task[None] | None = None  # it is used for nothing else then
        self.ended: asyncio.Event = asyncio.Event()
        steps.lines.add(self)

    @property
    def answers_since_check(self) -> int:
        """Number of answers since it was last known to be in step."""
        return self.received - self.in_step_at

    def set_response_params(self, **params: Any) -> None:
        """A Request is sent."""
        self.requested += 1
        super().set_response_params(**params)

    def feed_data(self, data: Any, size: int = 0) -> None:
        """The header of an answer has arrived."""
        message, self._latest = data
        super().feed_data(data, size)
        if message.code < 200 and message.code != 101:
            return
        if self.received == self.requested:
            self.out_of_step()
        else:
            self.received += 1

    def data_received(self, data: bytes) -> None:
        """Data have arrived."""
        waiting = self.requested > self.received or not (self._latest is None or self._latest.is_eof())
        self.last = self._loop.time()
        if waiting or not data:
            super().data_received(data)
        else:
            self.out_of_step()
            self.close()

    def connection_lost(self, exc: BaseException | None) -> None:
        """No more data can arrive."""
        super().connection_lost(exc)
        self.ended.set()
        self.steps.lines.discard(self)
        self.steps.trust(self)

    def out_of_step(self) -> None:
        """Doubt its answers, once."""
        if not self.unasked:
            self.unasked = True
            self.force_close()
            self.steps.mark_doubtful(self)


class InStep:
    """The state of one adapter's connections: which answers can be trusted. See the module's docstring."""

    def __init__(self, question: bytes = b"") -> None:
        self.lines: set[WatchedConnection] = set()
        self._question = question  # the Request that lists models; empty if the server doesn't reply to it
        self.once: bool = False  # use each connection once, since this server can't be trusted with more
        self.ending: bool = False  # use each connection once, since its next answer would be checked after all others
        self._trusted: list[Request] = []
        self._doubted: list[AnsweredRequest] = []
        self._resting: set[Connection] = set()

    def context_of(self, request: Request) -> Asking:
        """Return the context of a Request."""
        return Asking(request, asyncio.get_running_loop().time())

    def record_answer(self, asking: Asking, status: ResponseStatus) -> None:
        """Record that the Request received an answer. Raises ProviderError if the answer can't be trusted."""
        line = asking.line
        if line is None:
            self._trusted.append(asking.request)
            return
        if line.in_doubt:
            raise ProviderError(OUT_OF_STEP, kind="connection", retryable=True)
        if line.answers_since_check == 1 or line.unasked:  # the first answer over a connection in step is correct
            self._trusted.append(asking.request)
        else:
            line.doubtful.append(AnsweredRequest(asking.request, status))
        line.slowest = max(line.slowest, asyncio.get_running_loop().time() - asking.began)
        if not line.is_connected():
            self.trust(line)

    async def read_rest(self, content: Chunks) -> None:
        """Read the rest of a body whose answer is complete, as a stream is at `[DONE]`.

        aiohttp closes a connection whose body isn't read to its end, and what a closed connection owes is never seen.
        If the end doesn't come in time, the connection's earlier answers are doubted.
        """
        asking = ASKING.get()
        line = asking.line if asking is not None else None
        if line is None or (self.once and not line.doubtful):
            return
        try:
            async with asyncio.timeout(END_S):
                await read_whole(content)
        except (TimeoutError, ProviderError):
            line.out_of_step()
        except (ClientError, OSError):
            return  # the server closed the connection

    def trusted_and_doubted(self) -> tuple[list[Request], list[AnsweredRequest]]:
        """Return (Requests with trusted answers, Requests with doubted answers), each once."""
        states = self._trusted, self._doubted
        self._trusted, self._doubted = [], []
        return states

    @property
    def is_settled(self) -> bool:
        """Whether no connection has an answer that might belong to another Request."""
        return not any(line.doubtful for line in self.lines)

    def end_soon(self) -> None:
        """Use no connection again, because few Requests are left: the first answer over a new one needs no check, and
        the others are checked while the last answers are awaited.
        """
        self.ending = True

    async def settle(self) -> None:
        """Check the connections whose latest answers might belong to other Requests."""
        while lines := [line for line in self.lines if line.doubtful]:
            await asyncio.gather(*map(self._check, lines))

    def seconds_until_in_step(self, line: WatchedConnection) -> float:
        """Return the seconds until a connection is known to be in step; 0 if no more data can arrive."""
        long = min(MAX_SECONDS, max(SHORTEST_S, SLOWER * line.slowest))
        return max(0.0, long - (asyncio.get_running_loop().time() - line.last))

    def is_usable(self, line: WatchedConnection) -> bool:
        """Return whether it can be used again at once."""
        return not (self.once or self.ending) and line.answers_since_check < CHAIN and line.checking is None

    def set_aside(self, connection: Connection, line: WatchedConnection) -> None:
        """Set a connection aside until it is checked and closed."""
        self._resting.add(connection)
        self._check(line).add_done_callback(lambda _: self._end_rest(connection))

    def _check(self, line: WatchedConnection) -> asyncio.Task[None]:
        if line.checking is None:
            line.checking = asyncio.get_running_loop().create_task(self._check_and_close(line))
        return line.checking

    async def _check_and_close(self, line: WatchedConnection) -> None:
        """Mark a connection as in step, unless a reply is outstanding, and close it."""
        await self._wait_until_quiet(line)
        if line.doubtful and self._question and line.is_connected():
            owes = await owes_a_reply(line, self._question)
            if owes:
                line.out_of_step()
            elif owes is None and line.is_connected():
                self._question = b""
            await self._wait_until_quiet(line)
        self.trust(line)
        line.close()
        self.lines.discard(line)

    async def _wait_until_quiet(self, line: WatchedConnection) -> None:
        """Wait until nothing has arrived for a moment, or until nothing can."""
        while line.doubtful and line.is_connected() and (wait := self.seconds_until_in_step(line)):
            with suppress(TimeoutError):
                await asyncio.wait_for(line.ended.wait(), wait)

    def trust(self, line: WatchedConnection) -> None:
        """Mark it as in step."""
        if not line.unasked:
            self._trusted += [connection.request for connection in line.doubtful]
            line.doubtful, line.in_step_at, line.slowest = [], line.received, 0.0

    def mark_doubtful(self, line: WatchedConnection) -> None:
        """Mark it as out of step."""
        self.once = True
        line.in_doubt = line.answers_since_check > 1
        self._doubted += line.doubtful
        line.doubtful = []

    def close(self) -> None:
        """Close the connections that were set aside."""
        for line in self.lines:
            if line.checking is not None:
                line.checking.cancel()
        for connection in list(self._resting):
            self._end_rest(connection)

    def _end_rest(self, connection: Connection) -> None:
        self._resting.discard(connection)
        connection.close()
