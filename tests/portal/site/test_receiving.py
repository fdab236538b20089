"""Tests of `portal/site/receiving.py`: bodies of requests, taken and refused."""

from __future__ import annotations

import socket

from tests.portal.serving import served
from triptych.portal.project import Portal


def test_a_refused_body_is_read_so_that_the_refusal_arrives(small: Portal) -> None:
    """A proxy says 502 if the connection is reset while it sends the body."""
    head = "PUT /api/media/{} HTTP/1.0\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nContent-Length: {}\r\n\r\n"
    body = bytes(17 << 20)
    with served(small) as address:
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as connection:
                connection.sendall(head.format("0" * 64, len(body)).encode() + body)
                answer = b"".join(iter(lambda: connection.recv(65_536), b""))
            assert answer.startswith(b"HTTP/1.1 401") and b"token-is-needed" in answer
