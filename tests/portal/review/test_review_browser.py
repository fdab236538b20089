"""Reviewing in Chromium: by keyboard alone, with drafts that survive a reload and a cut; accessible pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from tests.portal.conftest import Visitor, visitor
from tests.portal.review.test_review import put, results, review_all
from tests.portal.serving import before_scripts, ready, served
from tests.support.browser import axe_violations, too_wide
from tests.support.waiting import PAGE_S, until
from triptych.portal.project import Portal
from triptych.portal.site.gate import SESSION
from triptych.portal.store.tables import submissions

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.slow


def opened(browser: Browser, address: str, who: Visitor, path: str = "/review/review", **more: object) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, **more)  # type: ignore[arg-type]
    context.add_cookies([{"name": SESSION, "value": who.client.cookies[SESSION], "url": address}])
    page = context.new_page()
    page.goto(address + path)
    if path == "/review/review":
        ready(page)
    return page


HELD = """async () => { const { all } = await import('/static/outbox.js');
return (await all(document.getElementById('desk').dataset.person)).length; }"""


def number(portal: Portal) -> int:
    with portal.database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(submissions)).scalar() or 0)


def test_a_question_is_edited_and_another_approved_by_keyboard_alone(browser_page: Page, small: Portal) -> None:
    put(small, 2)
    who, page = visitor(small, "reviewer"), browser_page
    with served(small) as address:
        page.context.add_cookies([{"name": SESSION, "value": who.client.cookies[SESSION], "url": address}])
        page.goto(address + "/review/review")
        ready(page)
        page.wait_for_selector(".timeline-bar[aria-valuemax='2.00']")
        page.keyboard.press("1")
        assert page.locator("[data-first] input:checked").get_attribute("value") == "approve"
        while page.evaluate("document.activeElement.id") != "field-answer":
            page.keyboard.press("Tab")
        page.keyboard.press("End")
        page.keyboard.press("Enter")  # a new line, nothing is submitted
        page.keyboard.press("Backspace")
        page.keyboard.press("Control+A")
        page.keyboard.type("孩子")  # an edit must be one of the options
        assert page.locator("[data-first] input:checked").get_attribute("value") == "edit"
        page.evaluate("""document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
            { key: "Enter", ctrlKey: true, isComposing: true, bubbles: true }))""")
        assert number(small) == 0
        page.locator(".timeline-bar").focus()
        page.keyboard.press("[")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("]")
        assert page.locator("#field-timestamps").input_value() == "0.00-1.00"
        page.reload()  # the draft comes back
        ready(page)
        assert page.locator("#field-answer").input_value() == "孩子"
        assert page.locator(".timeline-spans li").count() == 1
        page.keyboard.press("Control+Enter")
        until(lambda: number(small) == 1, "the first review", PAGE_S)
        ready(page, '[data-task="2"]')
        page.keyboard.press("1")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("#desk[hidden]", state="attached")
        page.goto("about:blank")  # before the server ends
    assert results(small) == [
        {"verdict": "edit", "answer": "孩子", "timestamps": "0.00-1.00"},
        {"verdict": "approve"},
    ]


def test_a_review_is_sent_again_until_the_server_has_it(browser: Browser, small: Portal) -> None:
    put(small, 1)
    faults = iter(["drop", "500", "after"])

    def fail(route: Route) -> None:
        fault = next(faults, "") if route.request.method == "PUT" else ""
        if fault == "after":  # the server took it, and the answer was lost
            route.fetch()
        if fault in ("drop", "after"):
            route.abort()
        elif fault:
            route.fulfill(status=int(fault), body="{}")
        else:
            route.continue_()

    with served(small) as address:
        page = opened(browser, address, visitor(small, "reviewer"))
        page.route("**/review/review/1/*", fail)
        page.keyboard.press("1")
        page.keyboard.press("Control+Enter")
        until(lambda: "kept in this browser" in page.locator("#state").inner_text(), "the message", PAGE_S)
        page.reload()
        page.wait_for_selector("#desk[hidden]", state="attached")
        assert page.evaluate(HELD) == 0
        page.context.close()
    assert number(small) == 1


def test_what_is_entered_before_the_script_has_come_is_kept(browser_page: Page, small: Portal) -> None:
    put(small, 1)
    who, page = visitor(small, "reviewer"), browser_page
    with served(small) as address:
        page.context.add_cookies([{"name": SESSION, "value": who.client.cookies[SESSION], "url": address}])
        with before_scripts(page, f"{address}/review/review"):
            page.locator("#field-answer").fill("老人家")
            page.locator("#field-timestamps").press("Enter")
            assert page.locator("#submit").is_disabled()
        assert page.url == f"{address}/review/review" and page.locator("#submit").is_enabled()
        assert page.evaluate("document.activeElement.id") == "field-timestamps"
        assert page.locator("[data-first] input:checked").get_attribute("value") == "edit"
        with before_scripts(page, f"{address}/review/review"):  # now there is a draft, too
            page.locator("#field-timestamps").fill("0.00-1.00")
            page.locator('input[value="approve"]').check()
        assert page.locator("#field-answer").input_value() == "老人家"
        assert page.locator("[data-first] input:checked").get_attribute("value") == "approve"
        assert page.locator(".timeline-spans li").count() == 1
        page.goto("about:blank")  # before the server ends


def test_what_the_server_refuses_is_said_and_stays(browser: Browser, small: Portal) -> None:
    put(small, 1)
    with served(small) as address:
        page = opened(browser, address, visitor(small, "reviewer"))
        page.keyboard.press("3")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("#problem:not([hidden])")
        assert "Criteria that are not met" in page.locator("#problem").inner_text()
        page.locator('input[value="ambiguous"]').check()
        page.locator("#submit").click()
        page.wait_for_selector("#desk[hidden]", state="attached")
        page.context.close()
    assert results(small) == [{"verdict": "reject", "criterion": ["ambiguous"]}]


@pytest.mark.parametrize(("locale", "width"), [("en-GB", 1280), ("zh-CN", 390)])
def test_the_pages_are_accessible_and_fit(browser: Browser, small: Portal, locale: str, width: int) -> None:
    put(small, 3, reviewers=2)
    reject = {"verdict": "reject", "criterion": ["grammar"], "score": "3"}
    review_all(visitor(small, "reviewer"), {"verdict": "approve", "score": "4"}, reject)
    review_all(visitor(small, "reviewer"), reject, {"verdict": "edit", "question": "是谁？"}, reject)
    put(small, 4, reviewers=2)
    with served(small) as address:
        who = visitor(small, "reviewer", "admin")
        page = opened(browser, address, who, locale=locale)
        page.set_viewport_size({"width": width, "height": 844})
        for path in ("/review/review", "/reviews/review", "/reviews/review/1", "/queues", "/"):
            page.goto(address + path)
            page.wait_for_load_state("networkidle")
            assert page.locator("html").get_attribute("lang") == locale[:2]
            assert axe_violations(page) == [], path
            assert too_wide(page) == [], path
        page.context.close()
