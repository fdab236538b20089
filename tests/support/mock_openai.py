"""A mock OpenAI-compatible endpoint in a process of its own: cheap, seeded, and full of injected faults.

    python -m tests.support.mock_openai --port 0 --latency 0.05 --faults 429=0.05,cut=0.05

It prints one line, `port N`, and serves on 127.0.0.1 until its standard input closes or it is ended:
POST /v1/chat/completions and /v1/completions, GET /v1/models; and for whoever runs the experiment
GET /stats, POST /reset and POST /config (a JSON object of settings).
It is written on asyncio's protocol directly: it shares a small machine with the client that it measures.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import selectors
import sys
from dataclasses import dataclass, field
from typing import Any

from tests.support import mock_replies as replies

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}
REASONS |= {500: "Internal Server Error", 503: "Service Unavailable"}


@dataclass
class Log:
    """Every request received, by content: how often it came, and what it met each time."""

    requests: dict[str, dict[str, Any]] = field(default_factory=dict)
    in_flight: int = 0
    peak_in_flight: int = 0
    connections: int = 0
    open: int = 0
    refused: int = 0
    replied: int = 0
    began: float = 0.0  # when the first request's last byte came, by the system's monotonic clock

    def stats(self) -> dict[str, Any]:
        """What GET /stats tells."""
        counts = [entry["count"] for entry in self.requests.values()]
        return {
            "received": sum(counts),
            "distinct": len(counts),
            "asked_again": sum(counts) - len(counts),
            "answered_again": sum(max(0, e["outcomes"].count("ok") - 1) for e in self.requests.values()),
            "in_flight": self.in_flight,
            "peak_in_flight": self.peak_in_flight,
            "connections": self.connections,
            "open": self.open,
            "refused": self.refused,
            "began": self.began,
            "requests": self.requests,
        }


class Server:
    """The settings, the log, and the connections that are open."""

    def __init__(self, settings: replies.Settings) -> None:
        self.settings = settings
        self.log = Log()

    def note(self, asked: replies.Asked) -> tuple[dict[str, Any], str]:
        """Enter a request in the log and choose what it meets."""
        entry = self.log.requests.get(asked.key)
        if entry is None:
            answer = replies.answer_text(self.settings, asked)
            entry = {"count": 0, "outcomes": [], "text": asked.text, "media": asked.media, "answer": answer}
            self.log.requests[asked.key] = entry
        bad = sum(one in replies.TRANSPORT_FAULTS for one in entry["outcomes"])
        fault = replies.choose_fault(self.settings, asked, entry["count"], bad)
        entry["count"] += 1
        entry["outcomes"].append(fault or "ok")
        return entry, fault


class Connection(asyncio.Protocol):
    """One keep-alive connection: reads a request, answers after the latency, reads the next."""

    transport: asyncio.Transport

    def __init__(self, server: Server) -> None:
        self.server = server
        self.chunks: list[bytes] = []
        self.have = 0
        self.need = 0  # bytes of head and body together, once the head is known
        self.head = b""
        self.fields: dict[str, str] = {}
        self.busy = False
        self.arrived = 0.0  # when the request's last byte came, by the loop's clock

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.server.log.connections += 1
        self.server.log.open += 1

    def connection_lost(self, exc: Exception | None) -> None:
        self.server.log.open -= 1
        if self.busy:
            self.done()

    def data_received(self, data: bytes) -> None:
        self.chunks.append(data)
        self.have += len(data)
        if not self.need and not self.read_head():
            return
        if self.have >= self.need:
            self.arrived = asyncio.get_running_loop().time()
            self.take()

    def read_head(self) -> bool:
        """Find the end of the head and the length of the body."""
        data = b"".join(self.chunks)
        self.chunks = [data]
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return False
        self.head = data[:end]
        lines = (line.partition(":") for line in self.head.decode("latin-1").split("\r\n")[1:])
        self.fields = fields = {name.lower(): value.strip() for name, _, value in lines}
        if fields.get("transfer-encoding", "") == "chunked":
            last = data.find(b"0\r\n\r\n", end + 4)
            if last < 0:
                return False
            self.need = last + 5
        else:
            self.need = end + 4 + int(fields.get("content-length", "0"))
        if fields.get("expect", "").lower() == "100-continue" and self.have < self.need:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        return True

    def take(self) -> None:
        """Cut one request out of what has come, and serve it."""
        data = b"".join(self.chunks)
        body, rest = data[len(self.head) + 4 : self.need], data[self.need :]
        self.chunks, self.have, self.need = [rest] if rest else [], len(rest), 0
        if self.fields.get("transfer-encoding", "") == "chunked":
            body = unchunk(body)
        method, path, _ = self.head.decode("latin-1").split("\r\n")[0].split(" ")
        self.serve(method, path.partition("?")[0], body)

    def serve(self, method: str, path: str, body: bytes) -> None:
        server = self.server
        if path == "/stats":
            self.send(200, server.log.stats())
        elif path == "/reset":
            server.log = Log(open=server.log.open)
            self.send(200, {})
        elif path == "/config":
            server.settings.update(json.loads(body))
            self.send(200, {})
        elif not self.allowed():
            server.log.refused += 1
            message = "Incorrect API key provided."
            self.send(401, replies.error(message, "invalid_request_error", "invalid_api_key"))
        elif method == "GET" and path.endswith("/models"):
            model = {"id": server.settings.model or "mock", "object": "model"}
            self.send(200, {"object": "list", "data": [model]})
        elif path.endswith("/completions"):
            self.complete(json.loads(body))
        else:
            self.send(404, replies.error(f"Unknown path {path}.", "invalid_request_error"))

    def allowed(self) -> bool:
        key = self.server.settings.key
        return not key or self.fields.get("authorization") == f"Bearer {key}"

    def complete(self, body: dict[str, Any]) -> None:
        """Refuse what no retry would mend; note the rest, and answer it after the latency."""
        server, settings = self.server, self.server.settings
        if settings.model and body.get("model") != settings.model:
            server.log.refused += 1
            message = f"The model `{body.get('model')}` does not exist."
            self.send(404, replies.error(message, "invalid_request_error", "model_not_found"))
            return
        if settings.require_stream and not body.get("stream"):
            server.log.refused += 1
            self.send(400, replies.error("This model supports streaming only.", "invalid_request_error"))
            return
        asked = replies.Asked.read(body)
        _, fault = server.note(asked)
        self.busy = True
        server.log.began = server.log.began or self.arrived
        server.log.in_flight += 1
        server.log.peak_in_flight = max(server.log.peak_in_flight, server.log.in_flight)
        waits = fault == "hang" or server.log.replied == settings.answers
        server.log.replied += not waits
        if not waits:  # made ready ahead, so that the latency is what it says and not our own work on top of it
            wait = settings.latency + settings.jitter * replies.draw(settings, asked.key, "jitter")
            said, cut = self.reply(asked, fault)
            asyncio.get_running_loop().call_at(self.arrived + wait, self.answer, said, cut)

    def done(self) -> None:
        self.busy = False
        self.server.log.in_flight -= 1

    def answer(self, said: bytes, cut: bool) -> None:
        """Send what was made ready, and hang up where it is cut."""
        if not self.busy:  # the client went away meanwhile
            return
        self.done()
        self.transport.write(said)
        if cut:
            self.transport.close()

    def reply(self, asked: replies.Asked, fault: str) -> tuple[bytes, bool]:
        """The answer's bytes, or what the fault makes of them; and whether the connection then ends."""
        settings = self.server.settings
        if fault in ("429", "429_date"):
            head = "Retry-After: " + replies.retry_after(settings, fault == "429_date")
            return wire(429, replies.error("Rate limit reached.", "rate_limit_error"), head), False
        if fault in ("500", "503", "always"):
            status = 503 if fault == "503" else 500
            return wire(status, replies.error("The server had an error.", "server_error")), False
        if asked.body.get("stream"):
            return self.events(asked, fault)
        return self.whole(asked, fault)

    def content(self, asked: replies.Asked, fault: str) -> tuple[str | None, str, bool]:
        """Text, finish reason, and whether there are choices at all."""
        text: str | None = replies.answer_text(self.server.settings, asked)
        if fault in ("null", "content_filter"):
            text = None
        return text, fault if fault in replies.VERDICT_FAULTS else "stop", fault != "empty_choices"

    def whole(self, asked: replies.Asked, fault: str) -> tuple[bytes, bool]:
        """A reply in one piece; `cut` ends it in the middle of its body."""
        body = json.dumps(replies.completion(asked, *self.content(asked, fault)), ensure_ascii=False).encode()
        if fault == "malformed":
            body = body[: len(body) * 2 // 3] + b"}}"
        said = wire_bytes(200, body)
        return (said[: len(said) - len(body) // 2], True) if fault == "cut" else (said, False)

    def events(self, asked: replies.Asked, fault: str) -> tuple[bytes, bool]:
        """A stream in chunked transfer; `cut` ends it before the finish reason came."""
        said = replies.events(asked, *self.content(asked, fault))
        if fault == "malformed":
            said[1 % len(said)] = b'data: {"choices": [{"del\n\n'
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        chunks = [b"%x\r\n%s\r\n" % (len(one), one) for one in said]
        if fault == "cut":
            return head + b"".join(chunks[: len(chunks) // 2]), True
        return head + b"".join(chunks) + b"0\r\n\r\n", False

    def send(self, status: int, body: dict[str, Any]) -> None:
        self.transport.write(wire(status, body))


def wire(status: int, body: dict[str, Any], *head: str) -> bytes:
    """A reply with a JSON body as it goes over the wire."""
    return wire_bytes(status, json.dumps(body, ensure_ascii=False).encode(), *head)


def wire_bytes(status: int, body: bytes, *head: str) -> bytes:
    """A reply as it goes over the wire."""
    lines = [f"HTTP/1.1 {status} {REASONS[status]}", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(body)}", *head, "", ""]
    return "\r\n".join(lines).encode() + body


def unchunk(data: bytes) -> bytes:
    """The body out of a chunked transfer."""
    out: list[bytes] = []
    at = 0
    while True:
        end = data.index(b"\r\n", at)
        size = int(data[at:end].partition(b";")[0], 16)
        if not size:
            return b"".join(out)
        out.append(data[end + 2 : end + 2 + size])
        at = end + 2 + size + 2


async def serve(settings: replies.Settings, port: int) -> None:
    """Serve on 127.0.0.1 until standard input closes, so that no server outlives its experiment."""
    loop = asyncio.get_running_loop()
    state = Server(settings)
    server = await loop.create_server(lambda: Connection(state), "127.0.0.1", port, backlog=1024)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


def read_arguments(arguments: list[str] | None = None) -> tuple[replies.Settings, int]:
    """One option a setting; faults as `NAME=RATE,NAME=RATE`."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--port", type=int, default=0)
    defaults = replies.Settings()
    for name in replies.Settings.__dataclass_fields__:
        default, option = getattr(defaults, name), "--" + name.replace("_", "-")
        if isinstance(default, bool):
            parser.add_argument(option, action="store_true")
        else:
            parser.add_argument(option, type=str if name == "faults" else type(default), default=default)
    given = vars(parser.parse_args(arguments))
    port = given.pop("port")
    if isinstance(given["faults"], str):
        pairs = (one.split("=") for one in given["faults"].split(",") if one)
        given["faults"] = {name: float(rate) for name, rate in pairs}
    defaults.update(given)
    return defaults, port


if __name__ == "__main__":
    # Latency is what it says: epoll and poll wait in whole milliseconds, rounded up; select does not.
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selectors.SelectSelector())) as runner:
        runner.run(serve(*read_arguments()))
