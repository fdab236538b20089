"""A server that keeps to HTTP and to its interface only most of the time, by a fault that one chooses.

with Strange("unasked", share=0.1) as server:
    execute(plan, make("m", {"base_url": server.base_url}), …)
    assert server.asked["question 7"] == 1

A question that meets the fault is chosen by its words; it meets it `times` times, and is answered rightly then.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.support.skipping import SkippingLoop
from triptych.models.http.in_step import InStep, WatchedConnection

Fault = Callable[["Exchange"], Awaitable[None]]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n"
JSON, EVENTS = b"application/json", b"text/event-stream"


def answer_to(question: str) -> str:
    """What the server says to a question when nothing is wrong."""
    return f"The answer to “{question}”."


def completion(question: str, **more: Any) -> dict[str, Any]:
    """The body of a good reply."""
    choice = {"index": 0, "message": {"role": "assistant", "content": answer_to(question)}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 5, "completion_tokens": 3}
    return {"id": "x", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage, **more}


class Exchange:
    """One Request under way at the server."""

    def __init__(self, question: str, streamed: bool, writer: asyncio.StreamWriter) -> None:
        self.question, self.streamed, self.writer = question, streamed, writer

    async def send(self, *pieces: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(b"".join(pieces))
        await self.writer.drain()

    async def body(self, body: bytes, kind: bytes = JSON, *head: bytes) -> None:
        """A reply with this body."""
        lines = b"".join(line + b"\r\n" for line in head)
        await self.send(HEAD % kind, lines, b"Content-Length: %d\r\n\r\n" % len(body), body)

    async def stream(self, *events: bytes, end: bool = True) -> None:
        """A reply in events, in chunked transfer."""
        await self.send(HEAD % EVENTS, b"Transfer-Encoding: chunked\r\n\r\n")
        for event in events:
            await self.send(b"%x\r\n%s\r\n" % (len(event), event))
        if end:
            await self.send(b"0\r\n\r\n")
        else:
            self.close()

    async def answer(self, **more: Any) -> None:
        """The right answer, in the form that was asked for."""
        if self.streamed:
            await self.stream(*self.events())
        else:
            await self.body(json.dumps(completion(self.question, **more)).encode())

    def events(self) -> list[bytes]:
        """The right answer in events, the last but one with the finish reason."""
        said = answer_to(self.question)
        pieces = [event({"content": said[i : i + 7]}) for i in range(0, len(said), 7)]
        return [*pieces, event({}, "stop"), b"data: [DONE]\n\n"]

    def half(self) -> list[bytes]:
        """The events of half an answer."""
        return self.events()[:2]

    def close(self) -> None:
        """Hang up."""
        self.writer.close()

    async def hung_up(self) -> None:
        """Wait until the client hangs up."""
        await self.writer.wait_closed()


def event(delta: dict[str, Any], finish: str | None = None, index: int = 0) -> bytes:
    """One event of a stream."""
    choice = {"index": index, "delta": delta, "finish_reason": finish}
    return b"data: " + json.dumps({"model": "m", "choices": [choice]}, ensure_ascii=False).encode() + b"\n\n"


class Strange:
    """The server, in a thread; it ends with the `with` block. `asked`: how often each question came."""

    def __init__(
        self,
        fault: str | Fault,
        share: float = 0.2,
        times: int = 1,
        latency: float = 0.02,
        queue: bool = True,
        read: Callable[[Any], str] = lambda body: str(body["messages"][-1]["content"]),
        models: int = 200,
    ) -> None:
        self.models = models  # the status of the list of models; 0: no reply to that
        self.listed = 0  # how often it was asked for
        self.fault = FAULTS[fault] if isinstance(fault, str) else fault
        self.read = read  # the question in a body
        self.share, self.times, self.latency, self.queue = share, times, latency, queue
        self.asked: Counter[str] = Counter()
        self.met: Counter[str] = Counter()
        self.connections = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._well = 0  # replies under way that meet no fault
        self._client: tuple[int, int, SkippingLoop] | None = None

    def skip_hangs(self, number: int, width: int, client: SkippingLoop) -> None:
        """From now on, set the client's clock forward while it waits for nothing but questions that met the fault: all
        of the `width` that it asks at once, or all that are left of `number`."""
        self._client = number, width, client

    def __enter__(self) -> Strange:
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(ready)), daemon=True)
        self._thread.start()
        ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(10)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def _run(self, ready: threading.Event) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 24)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        hurrying = asyncio.create_task(self._hurry())
        await self._end.wait()
        hurrying.cancel()
        server.close()
        for writer in self._writers:
            writer.transport.abort()
        for task in self._tasks:
            task.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        try:
            while not writer.is_closing():
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                if head.startswith("get "):
                    self.listed += 1
                    await self._list(writer)
                    continue
                length = next(int(x[15:]) for x in head.split("\r\n") if x.startswith("content-length:"))
                body = json.loads(await reader.readexactly(length))
                question = self.read(body)
                task = asyncio.create_task(self._reply(Exchange(question, bool(body.get("stream")), writer)))
                self._tasks.add(task)
                port = writer.get_extra_info("peername")[1]
                _ANSWERING[port] += 1
                task.add_done_callback(self._tasks.discard)
                task.add_done_callback(lambda _, port=port: _quiet(port))  # type: ignore[misc]
                if self.queue:  # as most servers do: the next Request waits for its turn
                    await task
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _hurry(self) -> None:
        while True:
            await asyncio.sleep(0.1)
            if self._client is None or self._well:
                continue
            number, width, client = self._client
            hanging = sum(self.asked[question] == times for question, times in self.met.items())
            if hanging and (hanging == width or len(self.asked) == number):
                client.skip(0.5)

    async def _list(self, writer: asyncio.StreamWriter) -> None:
        if self.models:
            body = b'{"object": "list", "data": []}'
            head = b"HTTP/1.1 %d X\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % (self.models, len(body))
            await Exchange("", False, writer).send(head, body)
            writer.close()

    async def _reply(self, exchange: Exchange) -> None:
        self.asked[exchange.question] += 1
        chosen = self._chosen(exchange.question)
        if chosen:
            self.met[exchange.question] += 1
        self._well += not chosen
        try:
            await asyncio.sleep(self.latency)
            await (self.fault(exchange) if chosen else exchange.answer())
        except ConnectionError:
            pass
        finally:
            self._well -= not chosen

    def _chosen(self, question: str) -> bool:
        drawn = int.from_bytes(hashlib.blake2b(question.encode(), digest_size=4).digest(), "big") / 2**32
        return drawn < self.share and self.met[question] < self.times


# The servers of this process: a client's port -> the replies under way to it; since when there are none
_ANSWERING: Counter[int] = Counter()
_QUIET_SINCE: dict[int, float] = {}


def _quiet(port: int) -> None:
    _QUIET_SINCE[port] = time.monotonic()
    _ANSWERING[port] -= 1


LOOKS_S = 0.01  # between two looks at a connection


def listen_until_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have clients listen to a connection until the server has said all that it will say on it, and then look once more
    at what has arrived: on a busy machine that may be later than any time that a client would choose."""
    seen: dict[int, float | None] = {}

    def moment(self: InStep, line: WatchedConnection) -> float:
        port = line.transport.get_extra_info("sockname")[1] if line.transport else 0
        quiet = None if _ANSWERING[port] else _QUIET_SINCE.get(port, 0.0)
        if quiet is not None and seen.get(port) == quiet:
            return usual(self, line)
        seen[port] = quiet
        return max(usual(self, line), LOOKS_S)

    usual = InStep.seconds_until_in_step
    monkeypatch.setattr(InStep, "seconds_until_in_step", moment)


# --- the faults


async def unasked(exchange: Exchange) -> None:
    """The answer, and 4 ms later the same answer again."""
    await exchange.answer()
    await asyncio.sleep(0.004)
    await exchange.answer()


async def unasked_at_once(exchange: Exchange) -> None:
    """The answer twice, in one packet."""
    whole = json.dumps(completion(exchange.question)).encode()
    one = HEAD % JSON + b"Content-Length: %d\r\n\r\n" % len(whole) + whole
    await exchange.send(one, one)


async def garbage_after(exchange: Exchange) -> None:
    """The answer, and then bytes that are not HTTP."""
    await exchange.answer()
    await asyncio.sleep(0.002)
    await exchange.send(b"\x00\x01 nothing of HTTP\r\n\r\n")


async def closes(exchange: Exchange) -> None:
    """The answer, then closes the connection without saying so."""
    await exchange.answer()
    exchange.close()


async def cut(exchange: Exchange) -> None:
    """Half of the body, then closes the connection."""
    whole = json.dumps(completion(exchange.question)).encode()
    await exchange.send(HEAD % JSON, b"Content-Length: %d\r\n\r\n" % len(whole), whole[: len(whole) // 2])
    exchange.close()


async def too_long_a_length(exchange: Exchange) -> None:
    """A Content-Length larger than the body."""
    whole = json.dumps(completion(exchange.question)).encode()
    await exchange.send(HEAD % JSON, b"Content-Length: %d\r\n\r\n" % (len(whole) + 9), whole)
    exchange.close()


async def too_short_a_length(exchange: Exchange) -> None:
    """A Content-Length smaller than the body: its rest stays on the connection."""
    whole = json.dumps(completion(exchange.question)).encode()
    await exchange.send(HEAD % JSON, b"Content-Length: %d\r\n\r\n" % (len(whole) - 9), whole)


async def old_http(exchange: Exchange) -> None:
    """HTTP/1.0 without a length: the body ends with the connection."""
    whole = json.dumps(completion(exchange.question)).encode()
    await exchange.send(b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n", whole)
    exchange.close()


async def bad_chunks(exchange: Exchange) -> None:
    """A chunk whose size is not a number."""
    await exchange.send(HEAD % JSON, b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"cho\r\nzz\r\nices\r\n0\r\n\r\n')


async def half_chunks(exchange: Exchange) -> None:
    """Chunked transfer without its last chunk."""
    whole = json.dumps(completion(exchange.question)).encode()
    await exchange.send(HEAD % JSON, b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(whole), whole))
    exchange.close()


async def byte_by_byte(exchange: Exchange) -> None:
    """The body byte by byte, slowly."""
    await exchange.send(HEAD % JSON, b"Content-Length: 400\r\n\r\n")
    while not exchange.writer.is_closing():
        await exchange.send(b" ")
        await asyncio.sleep(0.1)


async def silent(exchange: Exchange) -> None:
    """Nothing at all."""
    await asyncio.sleep(30)


async def html(exchange: Exchange) -> None:
    """Status 200 with an HTML page."""
    await exchange.body(b"<html><body>Please sign in. The answer is B.</body></html>", b"text/html")


async def charset(exchange: Exchange) -> None:
    """The answer in UTF-16, declared as UTF-8."""
    await exchange.body(json.dumps(completion(exchange.question)).encode("utf-16"), b"application/json; charset=utf-8")


async def latin(exchange: Exchange) -> None:
    """The answer in Windows-1252, which is not UTF-8."""
    raw = json.dumps(completion(exchange.question), ensure_ascii=False).encode("cp1252", "replace")
    await exchange.body(raw, b"application/json; charset=windows-1252")


async def nul(exchange: Exchange) -> None:
    """NUL bytes in the middle of the body."""
    whole = json.dumps(completion(exchange.question)).encode()
    await exchange.body(whole[:40] + b"\x00\x00" + whole[40:])


async def nothing(exchange: Exchange) -> None:
    """Status 200 with an empty body."""
    await exchange.body(b"")


async def other_choices_first(exchange: Exchange) -> None:
    """Three choices, the one with index 0 not first."""
    if exchange.streamed:
        others = [event({"content": "Another."}, "stop", index) for index in (2, 1)]
        await exchange.stream(*others, *exchange.events())
        return
    told = completion(exchange.question)
    choices = [{**told["choices"][0], "index": n, "message": {"content": f"Another, {n}."}} for n in (2, 1)]
    await exchange.body(json.dumps(told | {"choices": [choices[0], told["choices"][0], choices[1]]}).encode())


async def negative_tokens(exchange: Exchange) -> None:
    """Negative token counts."""
    await exchange.answer(usage={"prompt_tokens": -(10**9), "completion_tokens": -5})


async def error_object(exchange: Exchange) -> None:
    """Status 200 with an error object (in a stream: after half of the answer)."""
    told = json.dumps({"object": "error", "message": "out of memory", "code": 500}).encode()
    if exchange.streamed:
        await exchange.stream(*exchange.half(), b"data: " + told + b"\n\n", b"data: [DONE]\n\n")
    else:
        await exchange.body(told)


async def error_event(exchange: Exchange) -> None:
    """An error event after half of the answer."""
    await exchange.stream(*exchange.half(), b"event: error\ndata: upstream gone\n\n", b"data: [DONE]\n\n")


async def done_too_early(exchange: Exchange) -> None:
    """[DONE] after half of the answer."""
    await exchange.stream(*exchange.half(), b"data: [DONE]\n\n")


async def stream_ends(exchange: Exchange) -> None:
    """The stream ends after half of the answer, without [DONE]."""
    await exchange.stream(*exchange.half())


async def stream_cut(exchange: Exchange) -> None:
    """The connection closes after half of the answer."""
    await exchange.stream(*exchange.half(), end=False)


async def endless_line(exchange: Exchange) -> None:
    """A stream with a line of 124 MB."""
    piece = b"x" * (1 << 20)
    await exchange.send(HEAD % EVENTS, b"Content-Length: %d\r\n\r\ndata: " % (6 + 124 * len(piece) + 2))
    for _ in range(124):
        await exchange.send(piece)
    await exchange.send(b"\n\n")


async def bomb(exchange: Exchange) -> None:
    """2 GB of spaces, compressed to 2 MB."""
    await exchange.body(BOMB[0], EVENTS if exchange.streamed else JSON, b"Content-Encoding: gzip")


class _Bomb:
    """Made once, at first use."""

    def __getitem__(self, _: int) -> bytes:
        if not hasattr(self, "made"):
            self.made = b"".join([gzip.compress(b" " * (1 << 26), 9)] * 32)
        return self.made


BOMB = _Bomb()
FAULTS: dict[str, Fault] = {
    one.__name__: one
    for one in (
        unasked,
        unasked_at_once,
        garbage_after,
        closes,
        cut,
        too_long_a_length,
        too_short_a_length,
        old_http,
        bad_chunks,
        half_chunks,
        byte_by_byte,
        silent,
        html,
        charset,
        latin,
        nul,
        nothing,
        other_choices_first,
        negative_tokens,
        error_object,
        error_event,
        done_too_early,
        stream_ends,
        stream_cut,
        endless_line,
        bomb,
    )
}
STREAMED = frozenset({"error_event", "done_too_early", "stream_ends", "stream_cut", "endless_line"})
