"""Recording and the other work in Firefox and WebKitGTK, whose microphones play a made-up sound."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import pytest
import soundfile
from sqlalchemy import select

from tests.portal.conftest import Visitor, visitor
from tests.portal.review import test_review as review
from tests.portal.serving import served
from tests.portal.surveys import pushed
from tests.support.other_browsers import NAMES, OtherBrowser, running, see
from triptych.portal.checking import check_next
from triptych.portal.demo import annotation
from triptych.portal.project import Portal
from triptych.portal.site.gate import SESSION
from triptych.portal.store.tables import receipts, submissions
from triptych.portal.work.queues import NewTask, put_queue, put_tasks

pytestmark = pytest.mark.slow

# In the draft the first is left in English, which the server refuses, and the other is empty.
WRITTEN = {2: "许多标签已有一百多年的历史，墨水已经褪色。", 4: "一个程序把照片合并。"}
ENTER = "\ue007"
MODE = "return document.getElementById('recorder').dataset.mode;"
LOST = "Some sound was lost on the way from the microphone."
STORED = """const { all } = await import('/static/outbox.js');
const { person } = document.getElementById('recorder').dataset;
const mine = await all(person);
return mine.map(({ id, state, sha256, facts, task }) => ({ id, state, sha256, facts, task }));"""


@pytest.fixture
def reader(small: Portal) -> Visitor:
    """Somebody who reads, and two clips of a work."""
    with small.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {"slots": ["man", "woman"]}, None)
        form = {"gender": ["man", "woman"]}
        new = [
            NewTask(f"jingyesi/{n}", "d", {"shows": {"text": "床前明月光，"}, "form": form}, "jingyesi", n, 2)
            for n in range(2)
        ]
        put_tasks(connection, queue, new)
    return visitor(small, "recorder")


@contextmanager
def opened(
    name: str, portal: Portal, who: Visitor, path: str = "/record/record", **more: Any
) -> Iterator[OtherBrowser]:
    """The page of a visitor in a browser of their own."""
    with served(portal) as address, running(name, **more) as page:
        page.open(f"{address}/static/theme.css")
        page.run(f"document.cookie = '{SESSION}={who.client.cookies[SESSION]}; path=/';")
        page.open(address + path)
        # The browser ends before the server. To open about:blank first hung in WebKit: that changes the process, and
        # the driver may miss the end of the load.
        yield page


def mode(page: OtherBrowser, wanted: str) -> None:
    see(page, f"document.querySelector('#recorder[data-mode=\"{wanted}\"]')")


def text(page: OtherBrowser, part: str) -> str:
    return str(page.run(f"return document.querySelector('{part}').innerText;"))


def read_aloud(page: OtherBrowser, seconds: float = 2) -> None:
    """Read the clip; once more if sound was lost, as the page asks (a busy machine loses blocks in any browser)."""
    for attempt in range(3):
        mode(page, "ready")
        page.press("r")
        see(page, "document.querySelector('#recorder[data-mode=recording], #warning:not([hidden])')")
        assert page.run("return document.getElementById('recorder').dataset.mode;") == "recording", text(
            page, "#warning"
        )
        page.run(f"await new Promise((resolve) => setTimeout(resolve, {1000 * seconds}));")
        page.press("r")
        see(page, "document.querySelector('#recorder[data-mode=recorded], #warning:not([hidden])')")
        if page.run(MODE) == "recorded":
            return
        warning = text(page, "#warning")
        assert attempt < 2 and LOST in warning, warning


def rows(portal: Portal) -> list[Any]:
    with portal.database.reading() as connection:
        query = select(submissions.c.id, submissions.c.state, submissions.c.reasons, receipts.c.sha256)
        return list(connection.execute(query.join(receipts).order_by(submissions.c.received_at)))


@pytest.mark.parametrize("name", NAMES)
def test_clips_are_recorded_kept_over_a_reload_and_received(name: str, small: Portal, reader: Visitor) -> None:
    with opened(name, small, reader) as page:
        mode(page, "ready")
        assert page.run("return document.getElementById('lacking').hidden;"), text(page, "#lacking")
        read_aloud(page)
        (draft,) = page.run(STORED)
        assert draft["state"] == "draft" and draft["facts"]["lost"] == 0
        page.open(page.run("return location.href;"))
        mode(page, "recorded")
        assert page.run(STORED) == [draft]
        played = """const sound = document.getElementById('listen'); await sound.play();
        await new Promise((resolve) => { sound.onended = resolve; }); return sound.duration;"""
        assert page.run(played) == pytest.approx(draft["facts"]["frames"] / draft["facts"]["rate"], abs=0.1)
        page.press("k")
        see(page, f"document.getElementById('clip').dataset.task !== '{draft['task']}'")
        read_aloud(page, 9)  # in parts, and with the microphone still open
        page.press("k")
        see(page, "document.getElementById('desk').hidden")
        assert page.run(STORED) == []
    found = rows(small)
    assert [row.sha256 for row in found][:1] == [draft["sha256"]] and len(found) == 2
    with small.blobs.open_file(draft["sha256"]) as file:
        data = file.read()
    samples, rate = soundfile.read(io.BytesIO(data))
    assert sha256(data).hexdigest() == draft["sha256"]
    assert (len(samples), rate) == (draft["facts"]["frames"], draft["facts"]["rate"]) and len(samples) / rate > 2.4
    assert check_next(small) and check_next(small)
    assert [(row.state, row.reasons) for row in rows(small)] == [("accepted", [])] * 2


@pytest.mark.parametrize("name", NAMES)
def test_the_microphone_is_tested(name: str, small: Portal, reader: Visitor) -> None:
    with opened(name, small, reader) as page:
        mode(page, "ready")
        page.run("document.getElementById('try-go').click();")
        mode(page, "trying")
        mode(page, "ready")
        assert "kHz" in text(page, "#try-result") and page.run(STORED) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_private_window_records_or_says_before_the_first_clip_that_it_cannot(
    name: str, small: Portal, reader: Visitor
) -> None:
    with opened(name, small, reader, private=True) as page:
        see(page, "document.querySelector('#recorder[data-mode=ready], #recorder[data-mode=lacking]')")
        if page.run(MODE) == "lacking":
            assert text(page, "#lacking")
            return
        read_aloud(page)
        page.press("k")
        see(page, "document.getElementById('clip').dataset.task !== '1'")
    assert len(rows(small)) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_question_is_reviewed_a_survey_answered_and_a_translation_written(name: str, small: Portal) -> None:
    review.put(small, 1)
    pushed(small, "xmodbench/perception/general/audio_text", per_cell=1, people=1, checks=0)
    annotation.fill(small, visitor(small, "annotator").id)
    who = visitor(small, "reviewer", "participant", "annotator")
    with opened(name, small, who, "/review/review") as page:
        home = page.run("return location.origin;")
        see(page, "document.querySelector('#desk[data-ready]')")
        page.press("1")
        see(page, "document.querySelector('[data-first] input:checked')")
        page.run("document.querySelector('#submit').click();")
        see(page, "document.querySelector('#desk')?.hidden")
        page.open(f"{home}/survey/survey")
        page.run("document.querySelector('main button.big').click();")
        see(page, "document.querySelector('#survey[data-ready] #stage[data-stage=question]')")
        page.press("1")
        see(page, "document.querySelector('#answer input:checked')")
        page.press(ENTER)
        see(page, "document.querySelector('#stage[data-stage=end]')")
        page.open(f"{home}/annotate/talks-translations")
        see(page, "document.querySelector('#desk[data-ready] #at-4 textarea')")
        for line, text in WRITTEN.items():
            page.run(
                f"const line = document.querySelector('#at-{line} textarea'); line.value = '{text}';"
                "line.dispatchEvent(new InputEvent('input', { bubbles: true }));"
            )
            see(page, f"document.querySelector('#at-{line}[data-state=edited]')")
        for line in range(9):
            page.run(f"document.querySelector('#at-{line} textarea').focus();")
            page.press(ENTER)
        see(page, "document.querySelectorAll('[data-state=confirmed]').length === 9")
        page.run("document.querySelector('#send').click();")
        see(page, "document.querySelector('#arrived:not([hidden])')")
    with small.database.reading() as connection:
        query = select(submissions.c.answers).where(submissions.c.person_id == who.id)
        found = [dict(answers) for answers in connection.execute(query.order_by(submissions.c.received_at)).scalars()]
    assert len(found) == 3 and found[0] == {"verdict": "approve"} and found[1]["picked"] == [0]
    lines = found[2]["text"].split("\n")
    assert {line: lines[line] for line in WRITTEN} == WRITTEN
