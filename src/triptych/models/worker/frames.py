"""The messages between Triptych and a worker process: JSON documents, each after its length in four bytes.

Triptych sends {"op": "load"} once and then {"op": "ask", "jobs": […]}. The worker sends `ready` or `broken`, then for
each job an `answer` or a `failed` with its id, and `alive` every few seconds.
"""

from __future__ import annotations

import json
import os
import select
import struct
import time
from typing import Any

HELLO = b"\x00triptych worker 1\n"  # the first bytes of the protocol; what libraries print before it is skipped
MAX_NOISE_BYTES = 1 << 20  # bytes before HELLO
MAX_BYTES = 64 << 20  # of one message


class Broken(Exception):
    """The other side has ended, is silent, or doesn't follow the protocol."""


def pack_message(message: Any) -> bytes:
    """Return a message as bytes."""
    body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return struct.pack(">I", len(body)) + body


class Reader:
    """Messages from a file descriptor, in the order in which they come."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._held = descriptor, b""

    def skip_to_hello(self, within_s: float) -> None:
        """Skip everything up to the beginning of the protocol. Raises Broken."""
        ends = time.monotonic() + within_s
        while HELLO not in self._held:
            if len(self._held) > MAX_NOISE_BYTES:
                raise Broken("it prints, but doesn't follow the protocol")
            self._read_more(ends - time.monotonic())
        self._held = self._held.partition(HELLO)[2]

    def message(self, within_s: float) -> dict[str, Any]:
        """Return the next message. Raises Broken if none comes in time, or if it is not one."""
        ends = time.monotonic() + within_s
        while len(self._held) < 4 or len(self._held) < 4 + self._length():
            self._read_more(ends - time.monotonic())
        length = self._length()
        body, self._held = self._held[4 : 4 + length], self._held[4 + length :]
        try:
            message = json.loads(body)
        except ValueError:
            message = None
        if not isinstance(message, dict) or not isinstance(message.get("op"), str):
            raise Broken("it sent something that is not a message")
        return message

    def _length(self) -> int:
        length: int = struct.unpack(">I", self._held[:4])[0]
        if length > MAX_BYTES:
            raise Broken(f"it announced a message of {length:,} bytes, which is more than {MAX_BYTES:,}")
        return length

    def _read_more(self, within_s: float) -> None:
        readable, _, _ = select.select([self._descriptor], [], [], max(0.0, within_s))
        if not readable:
            raise Broken("it was silent for too long")
        data = os.read(self._descriptor, 1 << 16)
        if not data:
            raise Broken("it ended")
        self._held += data
