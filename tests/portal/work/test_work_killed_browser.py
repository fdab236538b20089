"""A browser that is killed: what a page said is saved is there again, in each of the four kinds of work."""

from __future__ import annotations

import os
import signal
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from tests.portal.conftest import Visitor, visitor
from tests.portal.serving import ready, served
from tests.portal.surveys import pushed
from tests.support.browser import FLAGS, WAITS_MS, chromium
from tests.support.waiting import PAGE_S, until
from triptych.portal.project import Portal
from triptych.portal.site.gate import SESSION
from triptych.portal.store.tables import submissions
from triptych.portal.work.queues import NewTask, put_queue, put_tasks

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Playwright

pytestmark = pytest.mark.slow
ROLES = ("recorder", "reviewer", "annotator", "participant")
PAGES = {
    "recording": "/record/record",
    "review": "/review/review",
    "annotation": "/annotate/annotate",
    "survey": "/survey/survey",
}
TAKE = """async () => {
  const { put, newId } = await import('/static/outbox.js');
  const { wavOf, sha256 } = await import('/static/sound.js');
  const { person, queue } = document.getElementById('recorder').dataset;
  const wav = wavOf(Float32Array.from({ length: 96000 }, (_, i) => 0.4 * Math.sin(i / 90)), 48000);
  const facts = { frames: 96000, rate: 48000, blocks: 9, lost: 0, milliseconds: 2000, worked: 1 };
  const task = Number(document.getElementById('clip').dataset.task);
  const made = { id: newId(), kind: 'recording', state: 'draft', person, queue, task, wav, facts };
  await put({ ...made, sha256: await sha256(wav), at: Date.now() });
}"""
WRITTEN = "老人家写下的话 42"


@pytest.fixture
def working(small: Portal) -> Visitor:
    """Somebody with a task of each kind."""
    with small.database.writing() as connection:
        for name, kind, body, settings in (
            ("record", "recording", {"shows": {"text": "床"}}, {"slots": ["1"]}),
            ("review", "review", {"shows": {"text": "?"}, "form": {"comment": "text"}}, {"slots": ["1"]}),
            ("annotate", "annotation", {"shows": {"text": "?"}, "form": {"comment": "text"}}, {"slots": ["1"]}),
        ):
            queue = put_queue(connection, name, kind, settings, None)
            put_tasks(connection, queue, [NewTask(f"{name}/{n}", "d", body) for n in range(3)])
    pushed(small, "cmdar/open", checks=0)
    who = visitor(small, *ROLES)
    who.client.post("/survey/survey", data={"token": who.token})
    return who


def opened(playwright: Playwright, profile: Path) -> BrowserContext:
    path = chromium()
    assert path
    context = playwright.chromium.launch_persistent_context(profile, executable_path=path, args=FLAGS)
    context.set_default_timeout(WAITS_MS)
    return context


def kill(profile: Path) -> None:
    """Kill the browser of a profile, and everything that belongs to it, as a power cut would."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if b"chrom" in words and str(profile).encode() in words:
                os.kill(int(folder.name), signal.SIGKILL)


def write(page: Page, kind: str) -> None:
    """Do some work, until the page says that it is saved."""
    if kind == "recording":
        page.evaluate(TAKE)
        return
    page.locator("textarea").first.press_sequentially(WRITTEN)
    until(lambda: held(page, kind) == [WRITTEN], "the last key in the store", PAGE_S)


def held(page: Page, kind: str) -> list[str]:
    found: list[str] = page.evaluate(
        """async kind => { const { all } = await import('/static/outbox.js');
        const person = document.getElementById('unsent').dataset.person;
        return (await all(person, { kind })).map((entry) => entry.sha256 ?? entry.body?.text ?? entry.answers?.comment
                                                            ?? entry.body?.values?.comment ?? ''); }""",
        kind,
    )
    return found


def visit(context: BrowserContext, address: str, who: Visitor, kind: str) -> Page:
    context.add_cookies([{"name": SESSION, "value": who.client.cookies[SESSION], "url": address}])
    page = context.new_page()
    page.goto(address + PAGES[kind])
    ready(page)
    return page


@pytest.mark.parametrize("seconds", [0, 1, 2, 4, 8])
def test_what_is_saved_outlives_a_killed_browser(small: Portal, working: Visitor, tmp_path: Path, seconds: int) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (pip install playwright)")
    if chromium() is None:
        pytest.skip("Chromium is not installed (apt-get install chromium), so no page is opened")
    profile = tmp_path / "profile"
    with served(small) as address, sync_api.sync_playwright() as playwright:
        context = opened(playwright, profile)
        pages = {kind: visit(context, address, working, kind) for kind in PAGES}
        for kind, page in pages.items():
            page.bring_to_front()
            write(page, kind)
        pages["review"].wait_for_timeout(1000 * seconds)
        kill(profile)
        context = opened(playwright, profile)
        for kind in PAGES:
            page = visit(context, address, working, kind)
            (kept,) = held(page, kind)
            if kind == "recording":
                page.wait_for_selector('#recorder[data-mode="recorded"]')
                assert len(kept) == len(sha256().hexdigest())
            else:
                assert kept == WRITTEN
                assert page.locator("textarea").first.input_value() == WRITTEN
        context.close()


@pytest.mark.parametrize("kind", ["review", "annotation", "survey"])
def test_what_was_submitted_without_a_network_outlives_a_killed_browser(
    small: Portal, working: Visitor, tmp_path: Path, kind: str
) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (pip install playwright)")
    if chromium() is None:
        pytest.skip("Chromium is not installed (apt-get install chromium), so no page is opened")
    buttons: dict[str, str] = {"review": "#submit", "annotation": "#send", "survey": "#send"}
    profile = tmp_path / "profile"
    with served(small) as address, sync_api.sync_playwright() as playwright:
        context = opened(playwright, profile)
        page = visit(context, address, working, kind)
        write(page, kind)
        context.set_offline(True)
        page.locator(buttons[kind]).click()
        until(lambda: kept_to_send(page, kind) == 1, "the work in the store, to be sent", PAGE_S)
        kill(profile)
        context = opened(playwright, profile)
        visit(context, address, working, kind)
        until(lambda: WRITTEN in str(results(small)), "the result at the server", PAGE_S)
        context.close()


def kept_to_send(page: Page, kind: str) -> int:
    count: int = page.evaluate(
        """async kind => { const { all } = await import('/static/outbox.js');
        return (await all(document.getElementById('unsent').dataset.person, { kind, state: 'kept' })).length; }""",
        kind,
    )
    return count


def results(portal: Portal) -> list[Any]:
    with portal.database.reading() as connection:
        return list(connection.execute(select(submissions.c.answers)).scalars())
