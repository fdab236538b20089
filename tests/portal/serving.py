"""A portal behind a real server on this computer, and a browser whose microphone plays a known file."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import soundfile

from tests.support.browser import FLAGS, chromium, paced
from tests.support.waiting import until
from triptych.portal.app import make_app
from triptych.portal.project import Portal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

RATE = 48_000


@contextmanager
def served(portal: Portal, port: int = 0) -> Iterator[str]:
    """The address of a portal, served until the block ends."""
    import uvicorn

    listener = socket.create_server(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn.Config(make_app(portal), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    until(lambda: server.started, "the server")
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


def voice(seconds: float = 20.0) -> Any:
    """A signal that is never the same twice: noise in syllables of a quarter of a second, no two equally long."""
    draw = np.random.default_rng(7)
    time = np.arange(int(seconds * RATE)) / RATE
    syllables = 0.35 + 0.3 * np.sin(2 * np.pi * (3.1 * time + 0.4 * np.sin(2 * np.pi * 0.23 * time)))
    smooth = np.convolve(draw.normal(size=len(time)), np.ones(24) / 24, "same")
    return (0.5 * syllables * smooth / np.abs(smooth).max()).astype(np.float32)


@contextmanager
def microphone(sound: Path) -> Iterator[Browser]:
    """Full Chromium (the headless shell refuses the microphone), whose microphone plays a WAV file again and again."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (pip install playwright)")
    path = chromium()
    if path is None:
        pytest.skip("Chromium is not installed (apt-get install chromium), so no page is opened")
    fake = [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-audio-capture={sound}",
        "--autoplay-policy=no-user-gesture-required",
    ]
    with sync_api.sync_playwright() as playwright:
        running = paced(playwright.chromium.launch(executable_path=path, args=[*FLAGS, *fake]))
        yield running
        running.close()


def ready(page: Page, more: str = "") -> None:
    """Wait until the script of a page listens; `more`: what else its main element must have, as a selector."""
    page.wait_for_selector(f"[data-ready]{more}", state="attached")


@contextmanager
def before_scripts(page: Page, address: str) -> Iterator[None]:
    """In the block, a page is open whose modules have not arrived, as over a slow connection; after it, they have."""
    held: list[Route] = []
    going = False

    def hold(route: Route) -> None:
        if going:
            route.continue_()
        else:
            held.append(route)

    pattern = re.compile(r"/static/(?!theme)\w+\.js")
    page.route(pattern, hold)
    page.goto(address, wait_until="commit")
    page.wait_for_selector("main button", state="attached")
    yield
    going = True
    for route in held:
        route.continue_()
    ready(page)
    page.unroute(pattern)


def write_voice(path: Path, samples: Any = None) -> Path:
    """The file of a microphone."""
    soundfile.write(path, voice() if samples is None else samples, RATE, subtype="PCM_16")
    return path
