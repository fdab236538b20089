"""Forms of answers and kinds of media of a survey in a real browser: ratings, transcripts, questions about a video."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.portal.conftest import visitor
from tests.portal.serving import served
from tests.portal.survey.test_survey_browser import answers, on_screen, opened, place
from tests.portal.surveys import pushed, question_of
from tests.support.browser import Watch
from triptych.portal.project import Portal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow
# A picture or sound can be shown
PLAYABLE = "n => document.querySelectorAll('video.shown, audio.shown')[n].readyState >= 2"


def rate(page: Page) -> None:
    page.locator("label.pick", has_text="4").click()


def write(page: Page) -> None:
    page.locator("#written").fill("one line\nand another one")


def choose(page: Page) -> None:
    page.locator("label.pick").nth(2).click()


@pytest.mark.parametrize(
    ("task", "forms", "form", "kinds", "give", "field"),
    [
        ("cmdar/open", {"cmdar/open": "rating:1-5"}, "rating", {"audio"}, rate, {"text": "4"}),
        ("mcif/short/en/ASR", {}, "transcript", {"audio"}, write, {"text": "one line\nand another one"}),
        ("xmodbench/spatial/3D_movements/vision_text", {}, "choice", {"video"}, choose, {"picked": [2]}),
        ("xmodbench/temporal/count/text_vision", {}, "choice", {"video"}, choose, {"picked": [2]}),
    ],
)
def test_each_form_with_its_media_is_answered_in_a_browser(
    browser: Browser,
    small: Portal,
    task: str,
    forms: dict[str, str],
    form: str,
    kinds: set[str],
    give: Callable[[Page], None],
    field: dict[str, object],
) -> None:
    pushed(small, task, per_cell=1, people=1, checks=0, forms=forms)
    who, watch = visitor(small, "participant"), Watch()
    with served(small) as address:
        page = opened(browser, address, who)
        watch.follow(page)
        page.locator("main button.big").click()  # Begin
        page.wait_for_selector('#stage[data-stage="question"]')
        first = place(small, who).sequence[0]
        on_screen(page, first)
        question = question_of(small, first)  # of one of the task's cells, which is drawn
        assert question.form == form == page.locator("#stage").get_attribute("data-form")
        shown = page.locator("video.shown, audio.shown")
        found = [str(each.evaluate("node => node.localName")) for each in shown.all()]
        assert sorted(found) == sorted(medium.kind for medium in question.media) and kinds <= set(found)
        for number in range(len(found)):
            shown.nth(number).evaluate("node => { node.preload = 'auto'; node.load(); }")
            page.wait_for_function(PLAYABLE, arg=number)
        give(page)
        page.locator("#send").click()
        page.wait_for_function("task => document.querySelector('#stage').dataset.task !== String(task)", arg=first)
        page.context.close()
    assert not watch.problems
    (row,) = answers(small)
    assert {name: row.answers[name] for name in field} == field
