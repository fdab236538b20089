"""Tests of `portal/site/receiving.py`: bodies of requests, taken and refused."""

from __future__ import annotations

import asyncio
import socket
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from tests.portal.serving import served
from triptych.portal.project import Portal
from triptych.portal.site import receiving
from triptych.portal.site.receiving import read_file, read_rest


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


def messages_of(*chunks: bytes, gone: bool = False) -> list[dict[str, Any]]:
    """A body in these chunks; `gone`: then its sender has left."""
    messages: list[dict[str, Any]] = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    messages.append({"type": "http.disconnect"} if gone else {"type": "http.request", "body": b"", "more_body": False})
    return messages


def sending(*chunks: bytes, announced: str = "", gone: bool = False) -> Request:
    return request_of(messages_of(*chunks, gone=gone), announced)


def request_of(messages: list[dict[str, Any]], announced: str = "") -> Request:
    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    headers = [(b"content-length", announced.encode())] if announced else []
    return Request({"type": "http", "method": "PUT", "headers": headers}, receive)


@pytest.mark.parametrize("chunks", [(), (b"x",), (b"", "题".encode(), bytes(70_000))])
def test_a_body_is_written_as_it_came_with_its_hash(tmp_path: Path, chunks: tuple[bytes, ...]) -> None:
    data = b"".join(chunks)
    upload = asyncio.run(read_file(sending(*chunks), tmp_path / "in", len(data)))
    assert (upload.path, upload.sha256, upload.size) == (tmp_path / "in", sha256(data).hexdigest(), len(data))
    assert (tmp_path / "in").read_bytes() == data


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (sending(announced="11"), 413),  # nothing of it is read
        (sending(b"12345", b"678901"), 413),  # longer than the limit, whatever it announced
        (sending(b"12345", b"678901", announced="3"), 413),
        (sending(b"12345", gone=True), 400),
    ],
)
def test_a_body_that_is_too_long_or_ends_early_is_refused(tmp_path: Path, request_: Request, status: int) -> None:
    with pytest.raises(HTTPException) as caught:
        asyncio.run(read_file(request_, tmp_path / "in", 10))
    assert caught.value.status_code == status


def test_the_rest_of_a_body_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiving, "MAX_REST_BYTES", 10)
    for messages, left in (
        (messages_of(b"12345", b"12345"), 0),
        (messages_of(b"12345", b"123456", b"more", b"more"), 3),  # two chunks, and the end
        (messages_of(b"12345", gone=True), 0),
    ):
        asyncio.run(read_rest(request_of(messages)))
        assert len(messages) == left
