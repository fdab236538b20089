"""Requests that never end: they are closed, one address can't hold everything, and a slow upload still arrives."""

from __future__ import annotations

import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from tests.support.waiting import until
from triptych.portal import patience
from triptych.portal.app import make_app
from triptych.portal.patience import Doors, protocol
from triptych.portal.project import Portal


@contextmanager
def serving(portal: Portal, doors: Doors) -> Iterator[int]:
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    config = uvicorn.Config(make_app(portal), log_level="warning", lifespan="off", http=protocol(doors))
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    until(lambda: server.started, "the server")
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1000) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def page(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
        return int(answer.status)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEADER_S", "SILENT_S"):
        monkeypatch.setattr(patience, name, 0.4)


HALVES = [
    b"",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half",
    b"POST /enter/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 900\r\n\r\na=1",
    b"GET /static/theme.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\nHos",
]


@pytest.mark.parametrize("sent", HALVES)
def test_half_a_request_is_closed(small: Portal, sent: bytes) -> None:
    with serving(small, Doors()) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(sent)
        until(lambda: is_closed(connection), "the end of the connection")
        assert page(port) == 200


def test_many_half_requests_block_nobody_and_give_one_line(small: Portal, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(small, Doors(max_connections=40)) as port:
        open_ = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
        for connection in open_:
            with suppress(ConnectionError):  # one too many: closed at once
                connection.sendall(HALVES[1])
        until(lambda: sum(is_closed(each) for each in open_) >= 60, "those above the limit")
        until(lambda: all(is_closed(each) for each in open_), "all of them")
        assert page(port) == 200
        for each in open_:
            each.close()
    assert capsys.readouterr().err.count("connections closed") == 1


def test_a_proxy_may_hold_more(small: Portal) -> None:
    doors = Doors(["127.0.0.0/8"], max_connections=2)
    with serving(small, doors) as port:
        open_ = [socket.create_connection(("127.0.0.1", port)) for _ in range(10)]
        until(lambda: doors.open["127.0.0.1"] == 10, "ten connections")
        assert page(port) == 200 and not any(is_closed(each) for each in open_[:1])
        for each in open_:
            each.close()


def test_a_slow_body_that_goes_on_is_taken(small: Portal) -> None:
    with serving(small, Doors()) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(HALVES[2].replace(b"900", b"12")[:-3])
        for _ in range(12):
            time.sleep(0.1)  # longer than SILENT_S in all, never so long at once
            connection.sendall(b"a")
        connection.settimeout(10)
        assert connection.recv(100).startswith(b"HTTP/1.1 404")
