"""A server on loopback that answers by a function, for adapters that bring their own client: it speaks plain HTTP.

with Wire(answer) as wire:
    adapter = make("m", {"base_url": wire.url})
    …
    assert wire.seen[0].json["contents"]
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


@dataclass(frozen=True)
class Seen:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Answer:
    """What is sent back. `cut`: the connection breaks in the middle of the body."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    kind: str = "application/json"


def fixture(name: str, status: int = 200, **headers: str) -> Answer:
    """A recorded reply: `gemini/answer`."""
    return Answer(status, (FIXTURES / f"{name}.json").read_bytes(), headers)


class Wire:
    """The server, in a thread; it ends with the `with` block."""

    def __init__(self, answer: Callable[[Seen], Answer]) -> None:
        self.answer = answer
        self.seen: list[Seen] = []

    def __enter__(self) -> Wire:
        wire = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def serve(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                seen = Seen(
                    self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, self.rfile.read(length)
                )
                wire.seen.append(seen)
                wire.send(self, wire.answer(seen))

            do_GET = do_POST = do_DELETE = do_HEAD = serve

            def log_message(self, *_: object) -> None:
                """Nothing on standard error."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    @staticmethod
    def send(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
        handler.send_response_only(answer.status)
        headers = {"Content-Type": answer.kind, "Content-Length": str(len(answer.body)), **answer.headers}
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        if handler.command == "HEAD":
            return
        handler.wfile.write(answer.body[: len(answer.body) // 2] if answer.cut else answer.body)
        if answer.cut:
            handler.close_connection = True
            handler.wfile.flush()
            handler.connection.close()
