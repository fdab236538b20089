"""Tests of `portal/connecting.py`: why a server could not be asked, in words."""

from __future__ import annotations

import socket
import ssl
from http.client import BadStatusLine, IncompleteRead, RemoteDisconnected
from urllib.error import URLError

import pytest

from triptych.portal.connecting import failure_of


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "the name poems.test has no address"),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure"), "could not be looked up"),
        (UnicodeError("label empty or too long"), "the name poems.test has no address"),
        (TimeoutError("timed out"), "doesn't answer in time"),
        (ConnectionResetError(104, "Connection reset by peer"), "closed the connection"),
        (RemoteDisconnected("Remote end closed connection without response"), "closed the connection"),
        (IncompleteRead(b"", 5), "closed the connection"),
        (BadStatusLine("SSH-2.0-x"), "is not HTTP"),
        (URLError(ConnectionRefusedError(111, "Connection refused")), "nothing accepts connections"),
        (OSError(113, "No route to host"), "can't be reached"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number"), "doesn't answer by HTTPS"),
    ],
)
def test_a_failed_connection_is_a_sentence(error: BaseException, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    failure = failure_of(error, "poems.test", 443)
    assert words in failure.why and failure.fix
    for raw in ("Errno", "gaierror", "SSL:", "urlopen", "Error("):
        assert raw not in failure.why + failure.fix
