"""Recording in full Chromium, whose microphone plays a known file."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import soundfile
import soxr
from sqlalchemy import select

from tests.portal.conftest import Visitor, visitor
from tests.portal.serving import RATE, microphone, served, voice, write_voice
from tests.support.browser import Watch, axe_violations, too_wide
from tests.support.waiting import PAGE_S, until
from triptych.portal.checking import check_next
from triptych.portal.project import Portal
from triptych.portal.site import gate
from triptych.portal.site.gate import SESSION
from triptych.portal.store.tables import receipts, submission_blobs, submissions
from triptych.portal.work.queues import NewTask, put_queue, put_tasks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.slow
TEXT = "床前明月光，\n疑是地上霜。"
PAGES = (
    "/record/record",
    "/",
    "/consent",
    "/about-you",
    "/your-data",
    "/people",
    "/queues",
    "/consent-form",
    "/audit",
    "/recordings/record",
    "/nothing",
    "/dashboard",
)
PINYIN = ["chuáng", "qián", "míng", "yuè", "guāng", "，", "\n", "yí", "shì", "dì", "shàng", "shuāng", "。"]


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with microphone(write_voice(tmp_path_factory.mktemp("sound") / "voice.wav")) as browser:
        yield browser


@pytest.fixture
def reader(small: Portal) -> Visitor:
    """A woman who reads, and four clips of two works."""
    with small.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {"slots": ["man", "woman"]}, None)
        shows = {"text": TEXT, "pinyin": PINYIN}
        new = [
            NewTask(
                f"jingyesi-{n // 2}/{n % 2}",
                "d",
                {"shows": shows, "form": {"gender": ["man", "woman"]}},
                f"jingyesi-{n // 2}",
                n % 2,
                2,
            )
            for n in range(4)
        ]
        put_tasks(connection, queue, new)
    return visitor(small, "recorder", "admin")


def opened(chrome: Browser, address: str, who: Visitor, path: str = "/record/record", locale: str = "en-GB") -> Page:
    """The page of a visitor, in a browser of their own."""
    context = chrome.new_context(viewport={"width": 1280, "height": 900}, locale=locale)
    context.grant_permissions(["microphone"], origin=address)
    context.add_cookies([{"name": SESSION, "value": who.client.cookies[SESSION], "url": address}])
    page = context.new_page()
    page.goto(address + path)
    return page


PUT_BACK = """async entry => { const { put } = await import('/static/outbox.js');
const { person } = document.getElementById('recorder').dataset;
await put({ ...entry, person, wav: new Blob([new Uint8Array(2000)]), queue: 'record', state: 'draft', at: 1 }); }"""


def mode(page: Page, wanted: str) -> None:
    page.wait_for_selector(f'#recorder[data-mode="{wanted}"]')


def read_aloud(page: Page, milliseconds: int = 2000) -> None:
    """Record with the keyboard alone; afterwards the take is in the browser's store."""
    mode(page, "ready")
    page.keyboard.press("r")
    mode(page, "recording")
    page.wait_for_timeout(milliseconds)
    page.keyboard.press("r")
    mode(page, "recorded")


def stored(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(
        """async () => { const { all } = await import('/static/outbox.js');
        const mine = await all(document.getElementById('recorder').dataset.person);
        return mine.map(({ id, state, sha256, facts, task }) => ({ id, state, sha256, facts, task })); }"""
    )
    return found


def rows(portal: Portal) -> list[Any]:
    with portal.database.reading() as connection:
        query = select(
            submissions.c.id, submissions.c.state, submissions.c.reasons, receipts.c.sha256, submissions.c.answers
        )
        return list(connection.execute(query.join(receipts).order_by(submissions.c.received_at)))


def test_a_clip_is_recorded_whole_from_the_microphone_to_the_server(
    chrome: Browser, small: Portal, reader: Visitor
) -> None:
    with served(small) as address:
        page = opened(chrome, address, reader)
        watch = Watch()
        watch.follow(page)
        assert page.locator("ruby").count() == 10 and page.locator("ruby rt").first.inner_text() == "chuáng"
        read_aloud(page, 3000)
        (draft,) = stored(page)
        assert draft["state"] == "draft" and draft["facts"]["lost"] == 0
        first = page.locator("#clip").get_attribute("data-task")
        page.keyboard.press("k")
        until(lambda: page.locator("#clip").get_attribute("data-task") != first, "the next clip", PAGE_S)
        mode(page, "ready")
        assert stored(page) == []
        read_aloud(page, 1500)  # the microphone stays open from clip to clip
        page.keyboard.press("k")
        until(lambda: len(rows(small)) == 2, "the second receipt", PAGE_S)
        page.context.close()
    assert not watch.problems
    received = rows(small)[0]
    assert (received.sha256, received.id) == (draft["sha256"], draft["id"])
    with small.blobs.open_file(received.sha256) as file:
        data = file.read()
    assert sha256(data).hexdigest() == received.sha256
    samples, rate = soundfile.read(io.BytesIO(data), dtype="float32")
    assert len(samples) == draft["facts"]["frames"] and rate == draft["facts"]["rate"]
    assert len(samples) / rate > 3.4  # three seconds, and half a second after the stop
    assert missing(samples, rate) == []
    assert check_next(small) and check_next(small) and not check_next(small)
    assert [(row.state, row.reasons) for row in rows(small)] == [("accepted", [])] * 2
    with small.database.reading() as connection:
        made = connection.execute(select(submission_blobs.c.sha256).where(submission_blobs.c.form == "16k")).scalars()
        with small.blobs.local(next(iter(made))) as path:
            assert soundfile.info(path).samplerate == 16_000 and soundfile.info(path).channels == 1


def missing(samples: Any, rate: int) -> list[int]:
    """Tenths of a second of a recording that are not those of the microphone's file, in one place of it."""
    source = soxr.resample(np.tile(voice(), 2), RATE, rate)
    begin = rate // 10  # the first block may hold the fading in of the device
    probe = samples[begin : begin + rate // 2]
    size = 1 << (len(source) + len(probe)).bit_length()
    found = np.fft.irfft(np.fft.rfft(source, size) * np.conj(np.fft.rfft(probe, size)), size)[
        : len(source) - len(samples)
    ]
    at = int(np.argmax(found)) - begin
    step = rate // 10
    return [
        place // step
        for place in range(begin, len(samples) - step, step)
        if np.corrcoef(samples[place : place + step], source[at + place : at + place + step])[0, 1] < 0.98
    ]


def test_a_lost_block_is_noticed_and_nothing_is_kept(chrome: Browser, small: Portal, reader: Visitor) -> None:
    lose = """
    const Real = window.AudioWorkletNode;
    window.AudioWorkletNode = class extends Real {
      constructor(...given) {
        super(...given);
        const port = this.port;
        const real = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
        Object.defineProperty(port, "onmessage", { set(handle) {
          real.set.call(port, handle && ((event) => { if (event.data.number !== 20) handle(event); }));
        } });
      }
    };"""
    with served(small) as address:
        page = opened(chrome, address, reader)
        page.add_init_script(lose)
        page.reload()
        mode(page, "ready")
        page.keyboard.press("r")
        mode(page, "recording")
        page.wait_for_timeout(1500)
        page.keyboard.press("r")
        page.wait_for_selector("#warning:not([hidden])")
        mode(page, "ready")
        assert "lost" in page.locator("#warning").inner_text()
        assert stored(page) == [] and rows(small) == []
        page.context.close()


def test_a_browser_without_sound_is_not_waited_for(chrome: Browser, small: Portal, reader: Visitor) -> None:
    deaf = """AudioContext.prototype.resume = () => new Promise(() => {});
    const wait = window.setTimeout;
    window.setTimeout = (call, ms) => wait(call, ms === 10000 ? 50 : ms);"""
    with served(small) as address:
        page = opened(chrome, address, reader)
        page.add_init_script(deaf)
        page.reload()
        mode(page, "ready")
        page.keyboard.press("r")
        page.wait_for_selector("#warning:not([hidden])")
        assert "loudspeakers" in page.locator("#warning").inner_text()
        mode(page, "ready")
        page.context.close()


def test_a_draft_survives_a_reload_and_can_be_read_again(chrome: Browser, small: Portal, reader: Visitor) -> None:
    with served(small) as address:
        page = opened(chrome, address, reader)
        read_aloud(page, 1200)
        (before,) = stored(page)
        page.on("dialog", lambda dialog: dialog.accept())
        page.reload()
        mode(page, "recorded")
        assert stored(page) == [before]
        assert page.locator("#listen").evaluate(
            "sound => new Promise(done => { sound.onplaying = () => done(sound.currentTime >= 0); sound.play(); })"
        )
        page.keyboard.press("d")
        mode(page, "ready")
        assert stored(page) == [] and rows(small) == []
        page.context.close()


def test_a_kept_recording_waits_in_the_browser_until_the_server_has_it(
    chrome: Browser, small: Portal, reader: Visitor
) -> None:
    faults = iter(["drop", 500, 429, "drop"])

    def fail(route: Route) -> None:
        fault = next(faults, None)
        if route.request.method != "PUT" or fault is None:
            route.continue_()
        elif fault == "drop":
            route.abort()
        else:
            route.fulfill(status=int(fault), body="{}")

    with served(small) as address:
        page = opened(chrome, address, reader)
        page.route("**/record/record/*/*", fail)
        read_aloud(page, 1200)
        page.keyboard.press("k")
        until(lambda: "safe in this browser" in page.locator("#state").inner_text(), "the message", PAGE_S)
        (kept,) = stored(page)
        assert kept["state"] == "kept" and "to be sent: 1" in page.locator("#unsent").inner_text()
        page.on("dialog", lambda dialog: dialog.accept())
        page.reload()  # even now: what was kept is sent by the next page
        until(lambda: page.title() and len(rows(small)) == 1, "the receipt", PAGE_S)
        page.wait_for_selector("#unsent", state="hidden")
        assert stored(page) == []
        page.context.close()
    assert rows(small)[0].sha256 == kept["sha256"]


def test_what_the_server_refuses_stays_until_it_is_discarded(chrome: Browser, small: Portal, reader: Visitor) -> None:
    with served(small) as address:
        page = opened(chrome, address, reader)
        page.route("**/record/record/*/*", lambda route: route.fulfill(status=413, body='{"message": "too large"}'))
        read_aloud(page, 1200)
        page.keyboard.press("k")
        page.wait_for_selector("#unsent button")
        (refused,) = stored(page)
        assert refused["state"] == "refused"
        told = page.locator("#unsent").inner_text()  # a proxy's refusal: what to tell the administrator
        assert "status 413" in told and "kB" in told and "administrator" in told
        assert page.locator("#unsent audio").evaluate(
            "sound => new Promise(done => { sound.onplaying = () => done(true); sound.play(); })"
        )
        with page.expect_download() as download:
            page.locator("#unsent a[download]").click()
        assert sha256(Path(download.value.path()).read_bytes()).hexdigest() == refused["sha256"]
        page.get_by_role("button", name="Send again").click()
        until(lambda: len(stored(page)) == 1, "the same refusal", PAGE_S)
        page.unroute("**/record/record/*/*")
        page.get_by_role("button", name="Send again").click()
        page.wait_for_selector("#unsent", state="hidden")
        assert stored(page) == [] and rows(small)[0].sha256 == refused["sha256"]
        page.context.close()


def test_a_take_that_is_refused_for_good_can_be_discarded(chrome: Browser, small: Portal, reader: Visitor) -> None:
    told = '{"problem": "too-large", "message": "What was sent is too large."}'
    with served(small) as address:
        page = opened(chrome, address, reader)
        page.on("dialog", lambda dialog: dialog.accept())
        page.route("**/record/record/*/*", lambda route: route.fulfill(status=413, body=told))
        read_aloud(page, 1200)
        page.keyboard.press("k")
        page.get_by_role("button", name="Discard").click()
        page.wait_for_selector("#unsent", state="hidden")
        assert stored(page) == []
        page.context.close()


def test_a_saved_take_stays_when_its_clip_is_done_in_another_tab(
    chrome: Browser, small: Portal, reader: Visitor
) -> None:
    with served(small) as address:
        page = opened(chrome, address, reader)
        read_aloud(page, 1200)
        (before,) = stored(page)
        assert before["state"] == "draft"
        other = page.context.new_page()
        other.goto(page.url)
        other.wait_for_selector("#elsewhere:not([hidden])")  # one tab at a time
        assert other.locator("#go").is_disabled()
        other.locator("#elsewhere button").click()
        mode(other, "recorded")
        page.wait_for_selector("#elsewhere:not([hidden])")
        other.keyboard.press("d")
        read_aloud(other, 1200)
        other.evaluate(PUT_BACK, before)
        other.keyboard.press("k")
        until(lambda: len(rows(small)) == 1, "the receipt", PAGE_S)
        mode(other, "ready")
        other.reload()
        other.wait_for_selector("#unsent .unsent-piece")
        assert [entry["id"] for entry in stored(other)] == [before["id"]]
        assert "never sent" in other.locator("#unsent").inner_text()
        page.context.close()


def test_a_long_take_goes_in_parts_below_the_limit_of_a_proxy(
    chrome: Browser, small: Portal, reader: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    real = gate.read_file

    async def counting(request: Any, path: Path, most: int) -> Any:
        made = await real(request, path, most)
        sizes.append(made.size)
        return made

    monkeypatch.setattr(gate, "read_file", counting)
    with served(small) as address:
        page = opened(chrome, address, reader)
        read_aloud(page, 9000)
        page.keyboard.press("k")
        until(lambda: len(rows(small)) == 1, "the receipt", PAGE_S)
        page.context.close()
    assert max(sizes) <= 512 * 1024 and sum(sizes) > 800_000
    assert not list((small.path / "incoming").glob("part-*"))
    with small.blobs.open_file(rows(small)[0].sha256) as file:
        assert sha256(file.read()).hexdigest() == rows(small)[0].sha256


@pytest.mark.parametrize(("locale", "width"), [("en-GB", 1280), ("zh-CN", 390)])
def test_the_pages_are_accessible_and_fit(
    chrome: Browser, small: Portal, reader: Visitor, locale: str, width: int
) -> None:
    with served(small) as address:
        page = opened(chrome, address, reader, locale=locale)
        page.set_viewport_size({"width": width, "height": 844})
        for path in PAGES:
            page.goto(address + path)
            assert page.locator("html").get_attribute("lang") == locale[:2]
            assert axe_violations(page) == [], path
            assert too_wide(page) == [], path
        page.context.close()


def test_the_microphone_is_tested_and_nothing_is_kept(chrome: Browser, small: Portal, reader: Visitor) -> None:
    with served(small) as address:
        page = opened(chrome, address, reader)
        mode(page, "ready")
        page.click("#try-go")
        mode(page, "trying")
        assert page.locator("#go").is_disabled()
        mode(page, "ready")
        said = page.locator("#try-result").inner_text()
        measured = re.search(r"Voice (-\d+) dB, room (-\d+) dB, ([\d.]+) kHz", said)
        assert measured and -40 < int(measured[1]) < -5 and int(measured[2]) <= int(measured[1])
        assert page.locator("#try-heard").is_visible() and stored(page) == [] and rows(small) == []
        for speech, room, clipped, name in (
            (-60, -70, 0, "silent"),
            (-45, -70, 0, "quiet"),
            (-10, -70, 0.01, "loud"),
            (-25, -30, 0, "noisy"),
            (-25, -60, 0, "good"),
        ):
            found = {"speech": speech, "room": room, "clipped": clipped}
            told = page.evaluate("async (found) => (await import('/static/microphone.js')).verdict(found)", found)
            assert told == name
        read_aloud(page)  # and then a clip is read as usual
        page.context.close()
