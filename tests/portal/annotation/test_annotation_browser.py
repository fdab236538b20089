"""Annotation in Chromium: by keyboard alone, with reloads and cut connections, in both languages and two sizes."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from tests.portal.conftest import Visitor, visitor
from tests.portal.serving import ready, served
from tests.support.browser import Watch, axe_violations, too_wide
from tests.support.waiting import PAGE_S, until
from triptych.portal.demo import annotation
from triptych.portal.project import Portal
from triptych.portal.site.gate import SESSION
from triptych.portal.store.tables import submissions, tasks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.slow
PAGES = ("questions", "transcripts", "translations")


HELD = """async (person) => { const { all } = await import('/static/outbox.js'); return (await all(person)).length; }"""


@pytest.fixture
def annotator(small: Portal) -> Visitor:
    """An annotator of the demo's talks, of which somebody else did one."""
    annotation.fill(small, visitor(small, "annotator").id)
    return visitor(small, "annotator", "admin")


@contextmanager
def opened(browser: Browser, small: Portal, who: Visitor, queue: str, **more: Any) -> Iterator[Page]:
    with served(small) as address:
        context = browser.new_context(**{"locale": "en-GB", "viewport": {"width": 1280, "height": 900}, **more})
        context.add_cookies([{"name": SESSION, "value": who.client.cookies[SESSION], "url": address}])
        page = context.new_page()
        page.goto(f"{address}/annotate/talks-{queue}")
        ready(page)
        page.wait_for_selector("#remarks > *")
        yield page
        context.close()


def sent(portal: Portal, who: Visitor) -> list[Any]:
    with portal.database.reading() as connection:
        query = select(submissions.c.answers, submissions.c.seconds).where(submissions.c.person_id == who.id)
        return [row.answers for row in connection.execute(query)]


def focused(page: Page) -> str:
    return str(page.evaluate("() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.id"))


def ask(page: Page, question: str, answer: str, down: int, origin: str, span: tuple[str, str] | None) -> None:
    """Write a question in a new card by keyboard alone; `down`: presses of the arrow from the first label."""
    page.keyboard.press("Alt+n")
    page.keyboard.type(question)
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    for _ in range(down):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    if span:
        page.keyboard.type(answer)
        for time in span:
            page.keyboard.press("Tab")
            page.keyboard.type(time)
        for _ in range(3):
            page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type(origin)  # a list chooses by the first letters


def test_an_annotator_writes_questions_by_keyboard_alone(browser: Browser, small: Portal, annotator: Visitor) -> None:
    with opened(browser, small, annotator, "questions") as page:
        watch = Watch()
        watch.follow(page)
        page.evaluate("() => document.getElementById('main').focus()")
        while not focused(page).endswith("-question"):
            page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        for _ in range(2):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        page.keyboard.type("Thomas Wood.")
        page.evaluate("() => { document.querySelector('#talk audio').currentTime = 1.5; }")
        page.keyboard.press("Alt+[")
        page.evaluate("() => { document.querySelector('#talk audio').currentTime = 8; }")
        page.keyboard.press("Alt+]")
        assert page.locator(".card input[id$=-begin]").input_value() == "0:01.50"
        ask(page, "How many models answered?", "Eight.", 0, "from the a", ("0:12", "0:16.5"))
        ask(page, "Which share is on the slide?", "71 percent.", 1, "from the t", ("20", "25"))
        ask(page, "Who paid for it?", "", 3, "from the t", None)
        page.wait_for_selector("#remarks .good")
        assert page.locator("#counters .open").count() == 0
        page.keyboard.press("Alt+ArrowUp")
        assert page.locator("#at-2 textarea").first.input_value() == "Who paid for it?"
        page.reload()
        page.wait_for_selector("#remarks .good")
        assert "restored" in page.locator("#status").inner_text()
        assert page.locator(".card").count() == 4
        page.locator("#send").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#arrived:not([hidden])")
        assert not watch.problems
    (answers,) = sent(small, annotator)
    assert [one["type"] for one in answers["questions"]] == ["AV", "A", "NA", "V"]
    assert answers["questions"][0]["end"] == "0:08.00" and answers["questions"][2]["answer"] == "Not answerable."


def test_remarks_are_on_what_was_begun_until_somebody_sends(
    browser: Browser, small: Portal, annotator: Visitor
) -> None:
    with opened(browser, small, annotator, "questions") as page:
        faults, marked = page.locator("#remarks .must"), page.locator(".card.faulty")
        assert (faults.count(), marked.count()) == (0, 0)
        assert page.locator("#counters .open").count() > 0
        page.keyboard.press("Alt+n")
        page.keyboard.type("Which")
        page.wait_for_selector("#remarks .must")
        assert marked.count() == 1 and page.locator(".card").count() > 1
        page.locator("#send").click()
        page.wait_for_selector("#warning:not([hidden])")
        assert marked.count() == page.locator(".card").count()
        assert faults.count() > page.locator(".card .must").count()  # and what is missing as a whole


def test_lines_are_confirmed_by_enter_which_an_input_method_may_use(
    browser: Browser, small: Portal, annotator: Visitor
) -> None:
    with opened(browser, small, annotator, "translations") as page:
        page.locator("#at-0 textarea").focus()
        page.evaluate(
            """() => { const field = document.activeElement;
            field.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
            for (const more of [{ key: "Enter", isComposing: true }, { key: "Process", keyCode: 229 }])
              field.dispatchEvent(new KeyboardEvent("keydown", { code: "Enter", bubbles: true, ...more })); }"""
        )
        assert focused(page) == "Line 1" and page.locator('[data-state="confirmed"]').count() == 0
        page.keyboard.press("Enter")
        assert focused(page) == "Line 2" and page.locator('[data-state="confirmed"]').count() == 1
        page.keyboard.press("Alt+ArrowUp")
        assert focused(page) == "Line 1"
        page.locator("#send").click()
        assert "Read and confirm each line" in page.locator("#warning").inner_text()
        for number in range(1, 10):
            assert focused(page).endswith(f"Line {min(9, number + 1)}")
            if focused(page) == "Line 5":
                page.keyboard.press("Enter")  # an empty line can't be confirmed
                page.keyboard.type("一个程序把照片合并，然后读出文字。")
            if focused(page) == "Line 3":
                page.keyboard.press("Control+a")
                page.keyboard.insert_text("许多标签已有一百多年的历史，\n墨水已经褪色。")  # pasted with a line break
            page.keyboard.press("Enter")
            if number == 8:
                break
        assert focused(page) == "send"
        page.keyboard.press("Enter")
        page.wait_for_selector("#arrived:not([hidden])")
    (answers,) = sent(small, annotator)
    lines = answers["text"].split("\n")
    assert len(lines) == 9 and lines[2] == "许多标签已有一百多年的历史， 墨水已经褪色。"


def test_lines_of_a_transcript_are_divided_and_joined(browser: Browser, small: Portal, annotator: Visitor) -> None:
    with opened(browser, small, annotator, "transcripts") as page:
        page.locator("#at-1 textarea").focus()
        page.keyboard.press("Control+Home")
        for _ in range(8):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Alt+Enter")
        assert page.locator(".line").count() == 11 and focused(page) == "Line 3"
        assert page.locator("#at-1 textarea").input_value() == "Language"
        page.keyboard.press("Alt+Backspace")
        assert page.locator(".line").count() == 10 and focused(page) == "Line 2"
        assert page.locator("#at-1 textarea").input_value().startswith("Language models often")
        page.locator("#at-2 textarea").fill("We wrote two hundred questions.")
        page.reload()
        page.wait_for_selector('#at-2[data-state="edited"]')
        page.keyboard.press("Tab")
        page.locator("#at-2 textarea").focus()
        page.keyboard.press("Alt+r")
        assert page.locator("#at-2 textarea").input_value().startswith("Um, we wrote")
        page.locator("#at-1 .play").click()
        until(
            lambda: page.evaluate("() => document.querySelector('#talk audio').currentTime") > 4,
            "the line's time",
            PAGE_S,
        )


def test_a_cut_connection_loses_nothing_and_sends_once(browser: Browser, small: Portal, annotator: Visitor) -> None:
    faults = iter(["drop", 500, "lost answer"])

    def fail(route: Route) -> None:
        asked = route.request
        fault = next(faults, None) if asked.method == "PUT" else None
        if fault == "lost answer":  # the server takes it, and the browser never hears of it
            headers = {"x-form-token": annotator.token, "cookie": f"{SESSION}={annotator.client.cookies[SESSION]}"}
            sending = urllib.request.Request(asked.url, asked.post_data_buffer, headers, method="PUT")
            with urllib.request.urlopen(sending) as answer:
                assert answer.status == 201
            route.abort()
        elif fault == "drop":
            route.abort()
        elif fault:
            route.fulfill(status=int(fault), body="{}")
        else:
            route.continue_()

    with opened(browser, small, annotator, "translations") as page:
        page.route("**/annotate/*/*/*", fail)
        page.on("dialog", lambda dialog: dialog.accept())
        # a line left in English is refused
        page.locator("#at-2 textarea").fill("许多标签已有一百多年的历史，墨水已经褪色。")
        page.locator("#at-4 textarea").fill("一个程序把照片合并。")
        for number in range(9):
            page.locator(f"#at-{number} textarea").focus()
            page.keyboard.press("Enter")
        page.locator("#send").click()
        page.get_by_text("safe in this browser").wait_for()
        page.reload()  # even now: what was being sent is sent by the next page, under the same id
        page.wait_for_selector("#arrived:not([hidden])")
        assert page.evaluate(HELD, annotator.session.person.pseudonym) == 0
    assert next(faults, None) is None and len(sent(small, annotator)) == 1


@pytest.mark.parametrize(("locale", "width"), [("en-GB", 1280), ("zh-CN", 390)])
def test_the_pages_are_accessible_and_fit(
    browser: Browser, small: Portal, annotator: Visitor, locale: str, width: int
) -> None:
    size = {"width": width, "height": 844}
    with opened(browser, small, annotator, PAGES[0], locale=locale, viewport=size) as page:
        for name in PAGES:
            page.goto(page.url.rpartition("-")[0] + f"-{name}")
            page.wait_for_selector("#remarks > *")
            assert page.locator("html").get_attribute("lang") == locale[:2]
            assert axe_violations(page) == [], name
            assert too_wide(page) == [], name
        page.goto(page.url.partition("/annotate")[0] + "/annotations/talks-questions")
        assert page.locator("article").count() == 1
        assert axe_violations(page) == [] and too_wide(page) == []


def test_the_talk_opens_after_the_questions_from_the_abstract(
    browser: Browser, small: Portal, annotator: Visitor
) -> None:
    with small.database.writing() as connection:
        for row in connection.execute(select(tasks.c.id, tasks.c.body)).all():
            helped = {**row.body, "helps": {**row.body.get("helps", {}), "abstract_first": True}}
            connection.execute(update(tasks).where(tasks.c.id == row.id).values(body=helped))
    with opened(browser, small, annotator, "questions") as page:
        assert page.locator("#talk").count() == 0 and page.locator("#first-open").is_disabled()
        page.evaluate("() => document.getElementById('main').focus()")
        ask(page, "How many models answered?", "Eight.", 0, "from the a", ("0:12", "0:16.5"))
        expect = page.locator("#first-open:enabled")
        expect.wait_for()
        page.reload()
        ready(page)
        assert page.locator("#talk").count() == 0
        page.locator("#first-open:enabled").click()
        page.locator("#talk").wait_for()
        ready(page)
        assert page.locator("#first").count() == 0
        written = "() => [...document.querySelectorAll('#editor textarea')].map((each) => each.value)"
        assert "How many models answered?" in page.evaluate(written)
        page.reload()
        ready(page)
        assert page.locator("#talk").is_visible()
