"""Many recordings through the browser's own store, under cut connections, refusals of a moment and reloads: none is
lost, and every hash is the same on both sides.

    TRIPTYCH_CLIPS=1000 pytest -n 0 -m slow tests/portal/work/test_work_outbox_browser.py
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from tests.portal.conftest import visitor
from tests.portal.serving import served
from tests.support.browser import browser
from tests.support.waiting import PAGE_S, until
from triptych.portal.project import Portal
from triptych.portal.site.gate import SESSION
from triptych.portal.store.tables import receipts, submission_blobs, submissions, tasks
from triptych.portal.work.queues import NewTask, put_queue, put_tasks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

__all__ = ["browser"]
pytestmark = pytest.mark.slow
CLIPS = int(os.environ.get("TRIPTYCH_CLIPS", "60"))
FAULTS = ("before", "after", "500", "413", "429")
RELOADS = 5
# Put takes into the store as the recording page does: a tenth of a second each, none like another.
KEEP = """async ([tasks, person, first]) => {
  const { put } = await import('/static/outbox.js');
  const { wavOf, sha256 } = await import('/static/sound.js');
  const made = {};
  for (const [n, task] of tasks.entries()) {
    const samples = Float32Array.from({ length: 4800 }, (_, i) => 0.4 * Math.sin((i * (first + n + 7)) / 900));
    const wav = wavOf(samples, 48000);
    const facts = { frames: 4800, rate: 48000, blocks: 9, lost: 0, milliseconds: 100, worked: 1 };
    const name = { id: crypto.randomUUID(), state: 'kept', person, queue: 'record', task };
    const entry = { ...name, wav, sha256: await sha256(wav), facts, at: first + n };
    await put(entry);
    made[entry.id] = entry.sha256;
  }
  return made;
}"""
# Send everything once, as often as the page's own timer would, and say how each attempt ended.
FLUSH = """async ([person, token]) => {
  const { all, put, send } = await import('/static/outbox.js');
  const ended = {};
  for (const entry of await all(person)) {
    if (entry.state === 'refused') await put({ ...entry, state: 'kept' });
    const { outcome } = await send(entry, token);
    ended[outcome] = (ended[outcome] ?? 0) + 1;
  }
  return ended;
}"""


@pytest.fixture
def faulty() -> Iterator[tuple[Counter[str], object]]:
    """A route handler that spoils one request in three, and what it did."""
    draw, met = random.Random(5), Counter[str]()

    def fault(route: Route) -> None:
        if route.request.method != "PUT" or draw.random() > 1 / 3:
            route.continue_()
            return
        kind = draw.choice(FAULTS)
        met[kind] += 1
        if kind == "before":
            route.abort("connectionreset")
        elif kind == "after":  # the server has it, and its receipt is lost
            route.fetch()
            route.abort("connectionreset")
        else:
            route.fulfill(status=int(kind), body='{"message": "a fault"}', content_type="application/json")

    yield met, fault


def test_no_recording_is_lost(browser: Browser, small: Portal, faulty: tuple[Counter[str], object]) -> None:
    met, fault = faulty
    with small.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {"slots": ["man", "woman"]}, None)
        put_tasks(
            connection, queue, [NewTask(f"w/{n}", "d", {"shows": {"text": "床"}}, "w", n, 2) for n in range(CLIPS)]
        )
        numbers = list(connection.execute(select(tasks.c.id).order_by(tasks.c.id)).scalars())
    who = visitor(small, "recorder")
    person = who.session.person.pseudonym
    who.client.get("/record/record")  # she holds the work now
    kept: dict[str, str] = {}
    with served(small) as address:
        context = browser.new_context()
        context.add_cookies([{"name": SESSION, "value": who.client.cookies[SESSION], "url": address}])
        page = context.new_page()
        page.route("**/record/record/*/*", fault)  # type: ignore[arg-type]
        page.goto(f"{address}/your-data")  # a page of the portal without the script that sends by itself
        step = -(-CLIPS // RELOADS)
        for first in range(0, CLIPS, step):
            kept |= page.evaluate(KEEP, [numbers[first : first + step], person, first])
            page.evaluate(FLUSH, [person, who.token])
            page.reload()
        assert len(kept) == CLIPS and met.keys() == set(FAULTS)
        until(lambda: emptied(page, person, who.token), "an empty store", PAGE_S)
        context.close()
    with small.database.reading() as connection:
        told = {id: sha for id, sha in connection.execute(select(receipts.c.submission_id, receipts.c.sha256))}  # noqa: C416
        rows = list(connection.execute(select(submissions.c.id)).scalars())
        media = list(connection.execute(select(submission_blobs.c.sha256)).scalars())
    assert told == kept and sorted(rows) == sorted(kept) and sorted(media) == sorted(kept.values())
    for name in kept.values():
        with small.blobs.open_file(name) as file:
            assert sha256(file.read()).hexdigest() == name


def emptied(page: Page, person: str, token: str) -> bool:
    """Send what is left; True if nothing was."""
    return not page.evaluate(FLUSH, [person, token])
