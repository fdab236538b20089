"""Fixtures that several files of tests of `models/weights` share."""

from __future__ import annotations

import http.server
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.models.weights.test_resolver import Shelf


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    held = Shelf()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, announced, sent = held.reply(self.path, self.headers.get("Range", ""))
            self.send_response(status)
            self.send_header("Content-Length", str(len(announced)))
            if self.path.startswith("/simple/"):
                self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    held.url = f"http://127.0.0.1:{server.server_port}"
    yield held
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def nothing_outside(monkeypatch: pytest.MonkeyPatch, shelf: Shelf, tmp_path: Path) -> None:
    """The Hub and the registry are the shelf; the machine's own configuration counts for nothing."""
    for name in [n for n in os.environ if n.startswith(("PIP_", "UV_", "HF_", "TRIPTYCH_"))]:
        monkeypatch.delenv(name)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("PIP_INDEX_URL", f"{shelf.url}/simple/")
    monkeypatch.setenv("HF_ENDPOINT", shelf.url)
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path / "cache"))
