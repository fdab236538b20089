"""Surveys in Chromium: by keyboard alone, over cut connections, and accessible in both languages and sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from tests.portal.conftest import Visitor, visitor
from tests.portal.serving import before_scripts, ready, served
from tests.portal.surveys import answer_next, correct, pushed, question_of, settings, takes_part
from tests.support.browser import Watch, axe_violations, too_wide
from tests.support.waiting import PAGE_S, until
from triptych.portal.project import Portal
from triptych.portal.site.gate import SESSION
from triptych.portal.store.tables import receipts, submissions
from triptych.portal.survey.keeping import get_results, survey_of
from triptych.portal.survey.participation import SurveyProgress, place_of
from triptych.portal.survey.rendering import order_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.slow


def opened(browser: Browser, address: str, who: Visitor, path: str = "/survey/survey", **more: Any) -> Page:
    """The page of a visitor, in a browser of their own."""
    context = browser.new_context(
        viewport={"width": more.get("width", 1280), "height": 900},
        locale=more.get("locale", "en-GB"),
        reduced_motion="reduce",
    )
    context.add_cookies([{"name": SESSION, "value": who.client.cookies[SESSION], "url": address}])
    page = context.new_page()
    page.goto(address + path)
    return page


def place(portal: Portal, who: Visitor) -> SurveyProgress:
    with portal.database.reading() as connection:
        found = place_of(connection, survey_of(connection, "survey"), who.id)
    assert found
    return found


def answers(portal: Portal) -> list[Any]:
    with portal.database.reading() as connection:
        query = select(submissions.c.id, submissions.c.answers, receipts.c.sha256).join(receipts)
        return list(connection.execute(query.order_by(submissions.c.received_at)))


def stored(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(
        """async () => { const { all } = await import('/static/outbox.js');
        const { person, queue } = document.getElementById('survey').dataset; return all(person, { queue }); }"""
    )
    return found


def on_screen(page: Page, task: int) -> None:
    page.wait_for_selector(f'#survey[data-ready] #stage[data-task="{task}"]')


def choose_by_keys(page: Page, portal: Portal, who: Visitor, task: int) -> None:
    """Answer the question on the screen correctly, with keys alone."""
    on_screen(page, task)
    question = question_of(portal, task)
    order = order_for(question, settings(portal).seed, who.session.person.pseudonym)
    given = correct(question, order)
    for position in given.get("picked", ()):
        page.keyboard.press(str(position + 1))
    if "text" in given:
        page.keyboard.press("Tab")
        until(lambda: page.evaluate("document.activeElement.tagName") != "SECTION", "a control with the focus", PAGE_S)
        if question.form == "rating":
            page.keyboard.press("4")
        else:
            page.locator("#written").focus()
            page.keyboard.insert_text(given["text"])
            page.keyboard.press("Control+Enter")
            return
    page.keyboard.press("Enter")


def test_a_participant_answers_every_form_by_keyboard_alone(browser: Browser, small: Portal) -> None:
    pushed(small, "cmdar", per_cell=1, people=1, checks=2, break_after=3)
    who = visitor(small, "participant")
    watch = Watch()
    with served(small) as address:
        page = opened(browser, address, who)
        watch.follow(page)
        page.locator("main button.big").press("Enter")  # Begin
        page.wait_for_selector('#stage[data-stage="question"]')
        sequence = place(small, who).sequence
        for number, task in enumerate(sequence):
            if number == 3:
                page.wait_for_selector('#stage[data-stage="break"]')
                page.locator("#continue").press("Enter")
            choose_by_keys(page, small, who, task)
        page.wait_for_selector('#stage[data-stage="end"]')
        assert "all 5 questions" in page.locator("#stage").inner_text()
        assert stored(page) == []
        page.context.close()
    assert not watch.problems
    found = [row.answers for row in answers(small)]
    assert len(found) == 5 and all(answer["ms"] > 0 for answer in found)
    with small.database.reading() as connection:
        states = set(connection.execute(select(submissions.c.state)).scalars())
    assert len(states) == 1  # either counts as a whole, or was too fast as a whole


def test_a_participant_finishes_after_a_network_cut(browser: Browser, small: Portal) -> None:
    pushed(small, "xmodbench/perception/general/audio_text", per_cell=3, people=1, checks=0)
    who = visitor(small, "participant")
    with served(small) as address:
        page = opened(browser, address, who)
        page.locator("main button.big").click()
        page.wait_for_selector('#stage[data-stage="question"]')
        sequence = place(small, who).sequence
        page.context.set_offline(True)
        choose_by_keys(page, small, who, sequence[0])
        until(lambda: "safe in this browser" in page.locator("#state").inner_text(), "the message", PAGE_S)
        (kept,) = stored(page)
        assert kept["state"] == "kept" and answers(small) == []
        page.context.set_offline(False)
        on_screen(page, sequence[1])
        assert [row.id for row in answers(small)] == [kept["id"]]
        faults = iter(["drop", 500, 429, "answered"])

        def fail(route: Route) -> None:
            fault = next(faults, None)
            if route.request.method != "PUT" or fault is None:
                route.continue_()
            elif fault == "answered":  # the server has it, and its receipt is lost
                route.fetch()
                route.abort()
            elif fault == "drop":
                route.abort()
            else:
                route.fulfill(status=int(fault), body="{}")

        page.route("**/survey/survey/*/*", fail)
        choose_by_keys(page, small, who, sequence[1])
        until(lambda: "safe in this browser" in page.locator("#state").inner_text(), "the message", PAGE_S)
        page.reload()  # even now: what was kept is sent by the next page
        on_screen(page, sequence[2])
        choose_by_keys(page, small, who, sequence[2])
        page.wait_for_selector('#stage[data-stage="end"]')
        assert stored(page) == []
        page.context.close()
    assert len(answers(small)) == 3 and len({row.id for row in answers(small)}) == 3


def test_a_draft_survives_a_reload(browser: Browser, small: Portal) -> None:
    pushed(small, "cmdar/open", per_cell=1, people=1, checks=0)
    who = visitor(small, "participant")
    with served(small) as address:
        page = opened(browser, address, who)
        page.locator("main button.big").click()
        ready(page)
        page.locator("#written").fill("因为火车要开了")
        until(lambda: stored(page) and stored(page)[0]["body"]["text"] == "因为火车要开了", "the draft", PAGE_S)
        page.reload()
        ready(page)
        until(lambda: page.locator("#written").input_value() == "因为火车要开了", "the draft on the page", PAGE_S)
        page.keyboard.press("Control+Enter")
        page.wait_for_selector('#stage[data-stage="end"]')
        page.context.close()
    assert [row.answers["text"] for row in answers(small)] == ["因为火车要开了"]


def test_what_is_entered_before_the_script_has_come_is_kept(browser: Browser, small: Portal) -> None:
    pushed(small, "cmdar/open", per_cell=1, people=1, checks=0)
    who = visitor(small, "participant")
    with served(small) as address:
        page = opened(browser, address, who)
        page.locator("main button.big").click()
        ready(page)
        for text in ("因为", "火车"):  # the second time, there is a draft
            with before_scripts(page, f"{address}/survey/survey"):
                page.locator("#written").fill(text)
                assert page.locator("#send").is_disabled()
            until(lambda: len(stored(page)[0]["body"]["text"]) in (2, 5), "the draft", PAGE_S)
        page.locator("#send").click()
        page.wait_for_selector('#stage[data-stage="end"]')
        page.context.close()
    assert [row.answers["text"] for row in answers(small)] == ["因为\n火车"]


def test_enter_of_an_input_method_does_not_submit(browser: Browser, small: Portal) -> None:
    pushed(small, "cmdar/open", per_cell=2, people=1, checks=0)
    who = visitor(small, "participant")
    with served(small) as address:
        page = opened(browser, address, who)
        page.locator("main button.big").click()
        ready(page)
        page.locator("#written").fill("拼")
        for composing in ({"isComposing": True}, {"keyCode": 229}):
            for control in (False, True):
                page.locator("#written").evaluate(
                    """(field, how) => field.dispatchEvent(new KeyboardEvent('keydown',
                    { key: 'Enter', bubbles: true, cancelable: true, ...how }))""",
                    {**composing, "ctrlKey": control},
                )
        page.keyboard.press("Enter")  # a new line
        page.wait_for_timeout(200)
        assert answers(small) == [] and page.locator("#written").input_value() == "拼\n"
        page.locator("#written").press("Control+Enter")
        until(lambda: len(answers(small)) == 1, "the receipt", PAGE_S)
        page.context.close()


def test_an_empty_answer_is_asked_for_and_a_refused_one_can_be_changed(browser: Browser, small: Portal) -> None:
    pushed(small, "cmdar/main", per_cell=2, people=1, checks=0)
    who = visitor(small, "participant")
    with served(small) as address:
        page = opened(browser, address, who)
        page.locator("main button.big").click()
        ready(page)
        page.locator("#send").click()
        assert page.locator("#warning").inner_text() == "Please answer first."
        refuse = '{"message": "no"}'
        page.route("**/survey/survey/*/*", lambda route: route.fulfill(status=400, body=refuse))
        page.keyboard.press("2")
        assert page.locator("#warning").is_hidden()
        page.keyboard.press("Enter")
        until(lambda: "refused an answer: no" in page.locator("#warning").inner_text(), "the reason", PAGE_S)
        page.unroute("**/survey/survey/*/*")
        first = page.locator("#stage").get_attribute("data-task")
        page.keyboard.press("3")
        page.locator("#send").click()
        until(lambda: page.locator("#stage").get_attribute("data-task") != first, "the next question", PAGE_S)
        page.context.close()
    assert [row.answers["picked"] for row in answers(small)] == [[2]]


@pytest.mark.parametrize(("locale", "width"), [("en-GB", 1280), ("zh-CN", 390)])
def test_the_pages_are_accessible_and_fit(browser: Browser, small: Portal, locale: str, width: int) -> None:
    pushed(
        small,
        "cmdar",
        per_cell=1,
        people=5,
        checks=2,
        break_after=4,
        forms={"cmdar/open": "rating:1-5"},
        may_decline=True,
    )
    pushed(small, "xmodbench/perception/general/text_vision", "media", per_cell=1, people=5, checks=0)
    pushed(small, "mcga/asr", "hear", per_cell=1, people=5, checks=0)
    who = visitor(small, "participant", "admin")
    seen = set()
    with served(small) as address:
        page = opened(browser, address, who, locale=locale, width=width)

        def good(what: str) -> None:
            assert axe_violations(page) == [], what
            assert too_wide(page) == [], what

        good("begin")
        for name in ("media", "hear"):
            who.client.post(f"/survey/{name}", data={"token": who.token})
            page.goto(f"{address}/survey/{name}")
            good(name)
        who.client.post("/survey/survey", data={"token": who.token})
        while place(small, who).next_task is not None:
            page.goto(f"{address}/survey/survey")
            stage = page.locator("#stage").get_attribute("data-stage")
            if stage == "break":
                good("break")
                page.goto(f"{address}/survey/survey?after={len(place(small, who).done)}")
            seen |= {stage, page.locator("#stage").get_attribute("data-form")}
            good(str(seen))
            assert answer_next(small, who) == 201
        page.goto(f"{address}/survey/survey")
        good("end")
        page.goto(f"{address}/survey-cells/survey")
        good("cells")
        page.context.close()
    assert {"break", "question", "choice", "choices", "rating"} <= seen


def test_two_people_in_two_browsers_and_the_answers_count(browser: Browser, small: Portal) -> None:
    pushed(small, "mcs_bench/T5", per_cell=2, people=2, checks=1)
    people = [visitor(small, "participant") for _ in range(2)]
    takes_part(small, people[0])
    with served(small) as address:
        page = opened(browser, address, people[1])
        page.clock.install()
        page.locator("main button.big").click()
        page.wait_for_selector('#stage[data-stage="question"]')
        for task in place(small, people[1]).sequence:
            on_screen(page, task)
            page.clock.fast_forward(2100)  # shorter answers are fast ones
            choose_by_keys(page, small, people[1], task)
        page.wait_for_selector('#stage[data-stage="end"]')
        page.context.close()
    assert len(get_results(small, "survey").people) == 2


@pytest.mark.parametrize(("locale", "width"), [("en-GB", 1280), ("zh-CN", 390)])
def test_practice_by_keyboard_alone(browser: Browser, small: Portal, locale: str, width: int) -> None:
    pushed(small, "xmodbench/perception/general", per_cell=1, people=1, checks=0, practice=2)
    who = visitor(small, "participant")
    watch = Watch()
    with served(small) as address:
        page = opened(browser, address, who, locale=locale, width=width)
        watch.follow(page)
        page.locator("main button.big").press("Enter")
        page.wait_for_selector('#stage[data-stage="question"]')
        sequence = place(small, who).sequence
        for task in sequence[: settings(small).practice]:
            choose_by_keys(page, small, who, task)
            page.wait_for_selector('#stage[data-stage="feedback"]')
            assert axe_violations(page) == [] and too_wide(page) == []
            page.reload()  # the feedback stays until the person goes on
            page.locator("#continue").press("Enter")
        on_screen(page, sequence[settings(small).practice])
        assert page.locator("#stage-title").inner_text() in ("Question 1 of 1", "第 1 题，共 1 题")
        page.context.close()
    assert not watch.problems
