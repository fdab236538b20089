"""A real browser for tests of pages: headless Chromium driven by Playwright, with what every page is held to.

`browser_page` is a fixture (import it in a conftest.py): a fresh page whose console errors,
uncaught exceptions and requests to other hosts fail the test at its end. It skips, saying why, where Playwright or
Chromium is absent.

A page that a test waits for may take a minute and a half, for a busy machine.

`TRIPTYCH_SLOW_BROWSER=1` makes every page slow, so that a test that presses a key before the page's script listens
fails each time, and not only on a busy machine.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.waiting import PAGE_S, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Request, ViewportSize

NAMES = ("chromium", "chromium-browser", "google-chrome")
LOCAL = ("http://127.0.0.1:", "file://", "data:", "blob:", "about:")
# No sandbox: in a container tests often run as root. No sound card: audio plays into nothing.
SLOW = os.environ.get("TRIPTYCH_SLOW_BROWSER", "") not in ("", "0")
WAITS_MS = 1000 * PAGE_S * (2 if SLOW else 1)  # for what a test waits for in a page
SLOW_LATENCY = 800  # milliseconds before the answer to each request: scripts come so much later than their page
SLOW_CPU = 10  # times slower than the machine
SIZE: ViewportSize = {"width": 1280, "height": 900}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio", "--disable-background-networking"]


def chromium() -> str | None:
    """Where Chromium is; `TRIPTYCH_CHROMIUM` names another one than the system's, or is `none` to do without."""
    named = os.environ.get("TRIPTYCH_CHROMIUM")
    if named == "none":
        return None
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def paced(running: Browser) -> Browser:
    """The browser itself; tests wait long for its pages, which are slow with `TRIPTYCH_SLOW_BROWSER`."""
    from playwright.sync_api import expect

    expect.set_options(timeout=WAITS_MS)
    new_context = running.new_context

    def patient_context(**settings: Any) -> BrowserContext:
        context = new_context(**settings)
        context.set_default_timeout(WAITS_MS)
        return slowed(context) if SLOW else context

    running.new_context = patient_context  # type: ignore[method-assign,assignment]
    return running


def slowed(context: BrowserContext) -> BrowserContext:
    """A profile itself; from now on it opens slow pages."""
    sessions: list[CDPSession] = []
    new_page = context.new_page

    def slow_page() -> Page:
        page = new_page()
        sessions.append(context.new_cdp_session(page))
        slow_down(sessions[-1])
        return page

    def set_offline(offline: bool) -> None:
        for session in sessions:
            network(session, offline)

    context.new_page = slow_page  # type: ignore[method-assign]
    context.set_offline = set_offline  # type: ignore[method-assign]
    return context


def slow_down(session: CDPSession) -> None:
    """Give a page a slow processor and a slow network without a cache."""
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
    network(session, offline=False)


def network(session: CDPSession, offline: bool) -> None:
    """Set the network of a page; Playwright's own `set_offline` would have no effect beside it."""
    given = {"offline": offline, "latency": SLOW_LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", given)


# Two frames and a turn of the page's event loop: what an answer or an error sets off has begun by then
TURN = """() => new Promise(done => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true))));
})"""


@dataclass
class Watch:
    """What went wrong in a page, in the order in which it did. A test that expects something clears it."""

    problems: list[str] = field(default_factory=list)
    loading: set[Request] = field(default_factory=set)  # requests under way

    def follow(self, page: Page) -> Callable[[], None]:
        """Listen to a page from now on, or until what is returned is called."""
        listeners: list[tuple[Any, Callable[[Any], None]]] = [
            ("console", lambda message: self._console(message.type, message.text)),
            ("pageerror", lambda error: self.problems.append(f"exception: {error}")),
            ("request", lambda request: self._request(request.url)),
            ("request", lambda request: self.loading.add(request)),
            ("requestfinished", lambda request: self.loading.discard(request)),
            ("requestfailed", lambda request: self.loading.discard(request)),
        ]
        for name, listener in listeners:
            page.on(name, listener)

        def unfollow() -> None:
            for name, listener in listeners:
                page.remove_listener(name, listener)

        return unfollow

    def refused(self) -> int:
        """How many of the messages tell of a script that the page's policy refused."""
        return sum("Content Security Policy" in problem for problem in self.problems)

    def settle(self, page: Page) -> None:
        """Return when all that the page asked for has come, and its scripts have had their turn after that."""
        until(lambda: page.evaluate(TURN) and not self.loading, "the page's requests", PAGE_S)
        page.evaluate(TURN)

    def _console(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.problems.append(f"console {kind}: {text}")

    def _request(self, url: str) -> None:
        if not url.startswith(LOCAL):
            self.problems.append(f"request to another host: {url}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module. Playwright keeps an event loop running in this thread until it ends: for
    longer, other tests that run one of their own would fail."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (pip install playwright)")
    path = chromium()
    if path is None:
        pytest.skip("Chromium is not installed (apt-get install chromium), so no page is opened")
    with sync_api.sync_playwright() as playwright:
        running = paced(playwright.chromium.launch(executable_path=path, args=FLAGS))
        yield running
        running.close()


@pytest.fixture
def watch() -> Watch:
    """What the page of this test complains about: empty at the end, or the test fails."""
    return Watch()


@pytest.fixture
def browser_page(browser: Browser, watch: Watch) -> Iterator[Page]:
    """A page with a profile of its own, 1280 x 900. Console errors and requests elsewhere fail the test."""
    context = new_profile(browser)
    page = context.new_page()
    watch.follow(page)
    yield page
    context.close()
    assert not watch.problems, watch.problems


def new_profile(browser: Browser) -> BrowserContext:
    """A new profile, with windows of a size that most screens have."""
    return browser.new_context(viewport=SIZE, reduced_motion="reduce")


@pytest.fixture(scope="module")
def page_of_module(browser: Browser) -> Iterator[Page]:
    """The page behind `shared_page`."""
    context = new_profile(browser)
    yield context.new_page()
    context.close()


@pytest.fixture
def shared_page(page_of_module: Page, watch: Watch) -> Iterator[Page]:
    """As `browser_page`, but one for all tests of a module that ask for it, which only look at what they open: a new
    page in a new profile takes as long as most of them, and axe is slow in a new process."""
    page_of_module.set_viewport_size(SIZE)
    unfollow = watch.follow(page_of_module)
    yield page_of_module
    page_of_module.goto("about:blank")
    unfollow()
    assert not watch.problems, watch.problems


def axe_violations(page: Page, *, leave_out: tuple[str, ...] = (), rules: tuple[str, ...] = ()) -> list[str]:
    """What axe finds wrong with a page by WCAG 2.2 A and AA, as `rule: element` lines.

    `leave_out` names rules that don't count; `rules` those that are looked at alone (empty: all, which takes a second).

    Skips where axe is not installed. The script runs in the page by the debugger, which no policy of the page forbids.
    """
    package = pytest.importorskip(
        "axe_playwright_python", reason="axe is not installed (pip install axe-playwright-python)"
    )
    source = next(Path(package.__file__ or "").parent.rglob("axe.min.js")).read_text(encoding="utf-8")
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(f"() => {{ {source}\n }}")
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    only = {"type": "rule", "values": list(rules)} if rules else tags
    # Violations alone: what passes would be gathered, too, and is most of the time.
    options = {"runOnly": only, "resultTypes": ["violations"]}
    found: list[Any] = page.evaluate("async options => (await axe.run(document, options)).violations", options)
    return [
        f"{violation['id']}: {node['html'][:160]} ({node['failureSummary'][:160]})"
        for violation in found
        if violation["id"] not in leave_out
        for node in violation["nodes"]
    ]


def too_wide(page: Page, widths: tuple[int, ...] = (1280, 390)) -> list[int]:
    """The widths of a screen on which the page has to be scrolled sideways; the page keeps its own one."""
    size = page.viewport_size
    assert size
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": size["height"]})
        if overflow(page):
            found.append(width)
    page.set_viewport_size(size)
    return found


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the screen: 0 where nobody needs to scroll sideways."""
    return int(page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth"))
