"""The timeline in Chromium: spans by keyboard alone and by mouse, with the policy of the portal's pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.portal.conftest import Visitor
from tests.portal.serving import served
from tests.portal.site.test_media_access import add_task, sound, stored
from tests.support.browser import axe_violations, overflow
from tests.support.waiting import PAGE_S, until
from triptych.portal.project import Portal
from triptych.portal.site.gate import SESSION
from triptych.portal.site.languages import say
from triptych.portal.site.rendering import environment
from triptych.web.guard import POLICY

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
PAGE = """{% from "timeline.html" import timeline %}<!doctype html><html lang="en"><head><title>T</title>
<link rel="stylesheet" href="/static/tokens.css"><link rel="stylesheet" href="/static/portal.css">
<link rel="stylesheet" href="/static/timeline.css"><script type="module" src="/static/timeline.js"></script></head>
<body><main><h1>T</h1>{{ timeline(say, "one", "audio", source, source ~ "/wave", "audio", "spans", 3) }}
<label for="spans">Spans</label><input id="spans" value="0.50-0.75"></main></body></html>"""


def shown(page: Page, address: str, who: Visitor, name: str) -> None:
    source = f"/shown/1/{name}"
    made = environment().from_string(PAGE).render(say=lambda key, **given: say("en", key, **given), source=source)
    headers = {"content-type": "text/html", "content-security-policy": POLICY}
    page.route("**/timeline-page", lambda route: route.fulfill(body=made, headers=headers))
    page.context.add_cookies([{"name": SESSION, "value": who.client.cookies[SESSION], "url": address}])
    page.goto(address + "/timeline-page")
    page.wait_for_selector(".timeline-bar[aria-valuemax='2.00']")


def spans(page: Page) -> Any:
    return page.locator("#spans").input_value()


def test_spans_are_set_by_keyboard_and_by_mouse(
    browser_page: Page, small: Portal, enter: Callable[..., Visitor]
) -> None:
    name = stored(small, sound())
    add_task(small, "review", "review", audio=f"{name}.wav")
    with served(small) as address:
        shown(browser_page, address, enter("admin"), name)
        page = browser_page
        wave = page.locator(".timeline .wave")
        until(lambda: len(wave.get_attribute("d") or "") > 1000, "the waveform", PAGE_S)
        assert spans(page) == "0.50-0.75" and page.locator(".timeline-spans li").count() == 1
        bar = page.locator(".timeline-bar")
        bar.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("[")
        for _ in range(4):
            page.keyboard.press("Shift+ArrowRight")
        bar.dispatch_event("keydown", {"key": "】", "bubbles": True})  # as a Chinese input method writes it
        assert spans(page) == "0.50-0.75; 1.00-1.40"
        page.keyboard.press("Delete")
        assert spans(page) == "0.50-0.75"
        page.keyboard.press("Home")
        page.keyboard.press("]")
        assert "start first" in page.locator(".timeline [role=status]").inner_text()
        page.keyboard.press(" ")
        until(lambda: page.evaluate("!document.querySelector('audio').paused"), "the sound", PAGE_S)
        page.keyboard.press(" ")
        box = bar.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.875, box["y"] + 20, steps=4)
        page.mouse.up()
        assert spans(page) == "0.50-0.75; 1.50-1.75"
        page.locator(".timeline-spans input").nth(3).fill("1.9")
        page.keyboard.press("Tab")
        assert spans(page) == "0.50-0.75; 1.50-1.90"
        assert axe_violations(page) == [] and overflow(page) == 0
        page.set_viewport_size({"width": 390, "height": 800})
        assert overflow(page) == 0
        page.goto("about:blank")  # before the server ends
