"""A verifier's page, and changing the last annotation, in Chromium: by keyboard, over a reload, accessible."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from tests.portal.annotation.test_verifying import ONE, OTHER, annotated, put, results
from tests.portal.conftest import Visitor, visitor
from tests.portal.serving import ready, served
from tests.support.browser import Watch, axe_violations, too_wide
from tests.support.waiting import PAGE_S, until
from triptych.portal.project import Portal
from triptych.portal.site.gate import SESSION
from triptych.portal.store.tables import submissions

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


def opened(browser: Browser, address: str, who: Visitor, path: str, locale: str = "en-GB", width: int = 1280) -> Page:
    context = browser.new_context(locale=locale, viewport={"width": width, "height": 900})
    context.add_cookies([{"name": SESSION, "value": who.client.cookies[SESSION], "url": address}])
    page = context.new_page()
    page.goto(address + path)
    ready(page)
    page.wait_for_selector("#remarks > *", state="attached")
    return page


def confirm_lines(page: Page, number: int) -> None:
    for line in range(number):
        page.locator(f"#at-{line} textarea").focus()
        page.keyboard.press("Enter")


def states(portal: Portal, who: Visitor) -> list[str]:
    with portal.database.reading() as connection:
        query = select(submissions.c.state).where(submissions.c.person_id == who.id)
        return sorted(connection.execute(query.order_by(submissions.c.received_at)).scalars())


@pytest.mark.parametrize(("locale", "width"), [("en-GB", 1280), ("zh-CN", 390)])
def test_a_verifier_chooses_a_version_and_corrects_it(browser: Browser, small: Portal, locale: str, width: int) -> None:
    put(small, 2)
    annotated(small, ONE, OTHER)
    who, watch = visitor(small, "reviewer"), Watch()
    with served(small) as address:
        page = opened(browser, address, who, "/verify/post-edit", locale, width)
        watch.follow(page)
        assert page.locator("#at-0 textarea").input_value() == "Wir zählen Segler."
        assert axe_violations(page) == [] and too_wide(page) == []
        page.locator("details.guidelines summary").first.click()  # what both annotators wrote
        assert page.locator(".card").count() == 2 and "Mauersegler" in page.locator(".card").nth(1).inner_text()
        assert axe_violations(page) == [] and too_wide(page) == []
        page.locator("a.chip").nth(1).click()
        page.wait_for_url("**?from=2")
        ready(page)
        assert page.locator("#at-0 textarea").input_value() == "Wir zählen Mauersegler."
        page.locator("#at-1 textarea").fill("Sie nisten unter Kirchendächern.")
        page.get_by_text("Saved in this browser" if locale == "en-GB" else "已保存").first.wait_for()
        page.reload()  # what was corrected is still there
        ready(page)
        assert page.locator("#at-1 textarea").input_value() == "Sie nisten unter Kirchendächern."
        confirm_lines(page, 2)
        page.locator("#send").press("Enter")
        until(lambda: bool(results(small)), "the decision", PAGE_S)
        page.wait_for_selector("#arrived:not([hidden])", state="attached")
        page.context.close()
    assert results(small) == ["Wir zählen Mauersegler.\nSie nisten unter Kirchendächern."] and not watch.problems


def test_the_last_annotation_is_changed_and_counts_once(browser: Browser, small: Portal) -> None:
    put(small, 2, slots=1)
    who, watch = visitor(small, "annotator"), Watch()
    with served(small) as address:
        page = opened(browser, address, who, "/annotate/post-edit")
        watch.follow(page)
        for line, text in enumerate(ONE.split("\n")):
            page.locator(f"#at-{line} textarea").fill(text)
        confirm_lines(page, 2)
        page.locator("#send").press("Enter")
        page.wait_for_selector("#arrived:not([hidden])", state="attached")
        ready(page)
        page.locator(".undo-last button").press("Enter")
        page.wait_for_function("() => document.querySelector('#at-0 textarea')?.value === 'Wir zählen Segler.'")
        ready(page)
        page.locator("#at-0 textarea").fill("Wir zählen Mauersegler.")
        confirm_lines(page, 2)
        page.locator("#send").press("Enter")
        until(lambda: len(states(small, who)) == 2, "the changed annotation", PAGE_S)
        page.wait_for_selector("#arrived:not([hidden])", state="attached")
        page.context.close()
    assert states(small, who) == ["accepted", "rejected"] and not watch.problems
    with small.database.reading() as connection:
        which = (submissions.c.person_id == who.id) & (submissions.c.state == "accepted")
        assert connection.execute(select(submissions.c.answers).where(which)).scalar_one() == {"text": OTHER}
