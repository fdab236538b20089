"""Runs for the viewer: of the mini sets, a hostile one, and one of several repeats; and the app over them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the viewer's packages are not installed (pip install 'triptych[portal]')")
pytest.importorskip("duckdb", reason="the viewer's packages are not installed (pip install 'triptych[portal]')")

from starlette.testclient import TestClient

from tests.support.browser import browser, browser_page, page_of_module, shared_page, watch
from tests.support.waiting import until
from tests.viewer import runs
from triptych.viewer.app import make_app

__all__ = ["browser", "browser_page", "page_of_module", "shared_page", "watch"]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder of the tests' own."""
    place = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIPTYCH_CACHE", str(place))
        yield place


@pytest.fixture(scope="session")
def root(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Runs that no test changes."""
    return runs.make_all(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="session")
def client(root: Path) -> TestClient:
    """The app, asked without a network."""
    return TestClient(make_app(root), base_url="http://127.0.0.1:8765", raise_server_exceptions=True)


@pytest.fixture(scope="session")
def address(root: Path) -> Iterator[str]:
    """The app behind a real server on a port of this computer's own."""
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app(root), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    until(lambda: server.started, "the server")
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(5)
    listener.close()
