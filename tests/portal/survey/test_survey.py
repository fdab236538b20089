"""Taking part in a survey over HTTP: what people see, what is received, who counts."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import select

from tests.portal.conftest import Visitor, visitor
from tests.portal.surveys import (
    answer_next,
    correct,
    participant,
    pushed,
    question_of,
    send,
    settings,
    takes_part,
)
from triptych.errors import DataError, SpecError
from triptych.experiment.planning import plan
from triptych.portal.project import Portal
from triptych.portal.store.tables import participants, submissions
from triptych.portal.survey.creation import Wanted, form_of, make_survey
from triptych.portal.survey.document import Answer, Question
from triptych.portal.survey.keeping import get_results, put_survey, survey_of
from triptych.portal.survey.participation import SurveyProgress, begin, counts_of, place_of, valid_of
from triptych.portal.survey.rendering import order_for, reply, request_of, show_question
from triptych.portal.survey.rules import Validity
from triptych.portal.work.undoing import last_of
from triptych.portal.work.withdrawing import withdraw

CELLS = "xmodbench/perception/general"


def place(portal: Portal, who: Visitor) -> SurveyProgress:
    with portal.database.reading() as connection:
        found = place_of(connection, survey_of(connection, "survey"), who.id)
    assert found
    return found


@pytest.mark.parametrize("bench", ["xmodbench/perception/general", "cmdar", "mcs_bench", "mcga", "mcif/short/en"])
def test_people_see_the_parts_that_models_get_and_no_other_words(bench: str) -> None:
    ready = plan(bench, "baseline/constant", seed=1)
    made = make_survey(ready, Wanted(per_cell=2, checks=0), lambda data, sha: None).survey
    requests = {request.id: request for request in ready.requests()}
    assert made.tasks
    for task in made.tasks:
        question, request = task.question, requests[task.key]
        assert question.item
        plain = range(len(question.item.options)) if question.form in ("choice", "choices") else ()
        shown = show_question(question, made.settings.prompts, plain)
        _, again = request_of(question.item, made.settings.prompts[question.prompt], plain)
        words = [[part.text or part.content_name for part in m.parts] for m in again.messages]
        assert words == [[part.text or part.content_name for part in m.parts] for m in request.messages]
        own = (*shown.before, *(block for option in shown.options for block in option.blocks), *shown.after)
        names = [question.media[block.medium].name for block in own if block.medium is not None]
        assert names == [part.content_name for part in request.media_parts]
        before = [block.text for block in (*shown.before, *shown.after) if block.text]
        sent = "\n".join(part.text for message in request.messages for part in message.parts if part.text)
        assert all(line in sent for text in before for line in text.split("\n"))


@pytest.mark.parametrize("bench", ["xmodbench/perception", "cmdar", "mcs_bench", "mcga"])
def test_shuffled_options_are_mapped_back_to_the_items_own(bench: str) -> None:
    ready = plan(bench, "baseline/reference", seed=1)
    made = make_survey(ready, Wanted(per_cell=2, checks=0), lambda data, sha: None).survey
    turned = 0
    for task in made.tasks:
        question = task.question
        for person in ("p-one", "p-two", "p-three"):
            order = order_for(question, 5, person)
            if question.form not in ("choice", "choices") or not order:
                continue
            turned += list(order) != sorted(order)
            assert question.item
            shown = show_question(question, made.settings.prompts, order)
            words = question.item.option_texts()
            for position, option in enumerate(shown.options):
                text = [block.text for block in option.blocks if block.text]
                assert not text or text[0] == words[order[position]]
            picked = tuple(order.index(n) for n in question.item.target_positions)
            said = reply(question, Answer(picked, order))
            assert said == ready.adapter.answer(question.item, 0)  # type: ignore[attr-defined]
    assert turned > 10


def test_nobody_gets_an_instance_in_two_directions_and_cells_stay_even(small: Portal) -> None:
    made = pushed(small, CELLS, per_cell=2, people=1, checks=1)
    assert len(made.settings.cells) == 6  # the paper's directions
    for number in range(1, 7):
        who = participant(small)
        with small.database.reading() as connection:
            queue = survey_of(connection, "survey")
        found = begin(small.database, queue, who.id)
        assert found and begin(small.database, queue, who.id) == found  # once
        items = [question.item for task in found.sequence if (question := question_of(small, task)).item]
        assert len({item.instance_id for item in items}) == len(items) == 2
        assert len(found.sequence) == 3
        with small.database.reading() as connection:
            counts = counts_of(connection, queue, made.settings)
        assert sum(counts.values()) == number and max(counts.values()) - min(counts.values()) <= 1
    late = participant(small)
    assert begin(small.database, queue, late.id) is None
    assert "enough participants" in late.client.get("/survey/survey").text


def test_a_survey_from_the_beginning_to_the_thanks(small: Portal) -> None:
    pushed(small, CELLS, per_cell=3, people=1, checks=2, break_after=2)
    who = participant(small)
    page = who.client.get("/survey/survey").text
    assert "Begin" in page and "After every 2 questions" in page
    assert who.client.post("/survey/survey", data={"token": who.token}).status_code == 303
    page = who.client.get("/survey/survey").text
    assert "Question 1 of 5" in page and 'data-stage="question"' in page
    assert answer_next(small, who) == 201 and answer_next(small, who) == 201
    assert "Time for a break" in who.client.get("/survey/survey").text
    assert "Question 3 of 5" in who.client.get("/survey/survey?after=2").text
    for _ in range(3):
        assert answer_next(small, who) == 201
    assert "all 5 questions" in who.client.get("/survey/survey").text
    assert place(small, who).state == "valid"
    results = get_results(small, "survey")
    assert len(results.people) == 1 and len(results.people[0].answers) == 3 and len(results.tasks) == 3


def test_media_come_from_the_portal_and_their_names_say_nothing(small: Portal) -> None:
    pushed(small, "xmodbench/perception/general/audio_vision", per_cell=2, people=1, checks=0)
    who = participant(small)
    who.client.post("/survey/survey", data={"token": who.token})
    page = who.client.get("/survey/survey").text
    assert "general/" not in page and ".ogg" not in page and ".jpg" not in page
    sources = [piece.partition('"')[0] for piece in page.split('src="')[1:] if piece.startswith("/shown/")]
    assert len(sources) == 5
    types = [who.client.get(source).headers["content-type"] for source in sources]
    assert types == ["audio/ogg", *["image/jpeg"] * 4]


def test_an_answer_is_received_once_however_often_it_is_sent(small: Portal) -> None:
    pushed(small, "cmdar", per_cell=2, people=1, checks=0)
    who = participant(small)
    who.client.post("/survey/survey", data={"token": who.token})
    task = place(small, who).sequence[0]
    question = question_of(small, task)
    order = order_for(question, settings(small).seed, who.session.person.pseudonym)
    body = {"order": list(order), "ms": 5000, **correct(question, order)}
    for _ in range(3):
        assert send(who, task, body, id="a" * 20) == 201
    assert send(who, task, {**body, "ms": 1}, id="a" * 20) == 409
    assert send(who, task, body) == 409  # another tab
    assert len(place(small, who).done) == 1


def test_answers_that_do_not_fit_are_refused_in_words(small: Portal) -> None:
    pushed(small, "cmdar", per_cell=1, people=1, checks=0, forms={"cmdar/open": "rating:1-5"})
    who, other = participant(small), participant(small)
    who.client.post("/survey/survey", data={"token": who.token})
    seen = {}
    for task in place(small, who).sequence:
        question = question_of(small, task)
        seen[question.form] = task
        order = list(order_for(question, settings(small).seed, who.session.person.pseudonym))
        bad = {
            "choice": [
                {"picked": []},
                {"picked": [0, 1]},
                {"picked": [9]},
                {"picked": [0], "order": order[::-1]},
                {"picked": [-1]},
            ],
            "choices": [{"picked": []}, {"picked": [0, 0]}],
            "rating": [{"text": "6"}, {"text": ""}, {"text": "3.5"}],
        }[question.form]
        for wrong in [*bad, {"declined": True}, {"strange": 1}]:
            assert send(who, task, {"order": order, **wrong}) == 400, (question.form, wrong)
    assert set(seen) == {"choice", "choices", "rating"}
    assert send(other, seen["rating"], {"text": "3"}) == 400  # not among theirs
    assert send(who, seen["rating"], {"text": "3", "ms": 4000}) == 201


def test_whoever_fails_the_checks_does_not_count_and_the_place_is_drawn_again(small: Portal) -> None:
    pushed(small, "xmodbench/perception/general/audio_text", per_cell=3, people=1, checks=2)

    def careless(question: object, order: object) -> dict[str, object]:
        right = correct(question, order)  # type: ignore[arg-type]
        is_check = getattr(question, "check", None) is not None
        return {"picked": [(right["picked"][0] + 1) % 4]} if is_check else right

    first, second = participant(small), participant(small)
    takes_part(small, first, careless)
    found = place(small, first)
    assert (found.state, found.reasons) == ("invalid", ("inattentive",))
    assert "all 5 questions" in first.client.get("/survey/survey").text  # nobody is scolded
    assert get_results(small, "survey").people == [] and get_results(small, "survey").left == {"inattentive": 1}
    with small.database.reading() as connection:
        states = set(connection.execute(select(submissions.c.state)).scalars())
    assert states == {"rejected"}
    takes_part(small, second)
    assert place(small, second).state == "valid" and len(get_results(small, "survey").people) == 1


def test_fast_answers_do_not_count_unless_the_administrator_says_so(
    small: Portal, enter: Callable[..., Visitor]
) -> None:
    pushed(small, "cmdar/main", per_cell=4, people=1, checks=0)
    who, admin = participant(small), enter("admin")
    takes_part(small, who, ms=300)
    assert place(small, who).reasons == ("too-fast",)
    page = admin.client.get("/survey-cells/survey").text
    assert "too many fast answers" in page and "0 of 1 cells" in page
    good = {"token": admin.token, "person": who.id, "state": "valid"}
    assert admin.client.post("/survey-cells/survey", data=good).status_code == 303
    assert place(small, who).state == "valid" and len(get_results(small, "survey").people) == 1
    assert "1 of 1 cells" in admin.client.get("/survey-cells/survey").text
    bad = {"token": admin.token, "person": who.id, "state": "invalid", "reason": "knows-the-data"}
    assert admin.client.post("/survey-cells/survey", data=bad).status_code == 303
    assert get_results(small, "survey").left == {"knows-the-data": 1}
    assert admin.client.post("/survey-cells/survey", data={**bad, "reason": "because"}).status_code == 400
    assert admin.client.post("/survey-cells/survey", data={**bad, "person": "nobody"}).status_code == 400


def test_places_of_people_who_left_or_withdrew_are_drawn_again(small: Portal) -> None:
    pushed(small, "cmdar/main", per_cell=2, people=1, checks=0, patience_h=1.0)
    away, gone, last = (participant(small) for _ in range(3))
    away.client.post("/survey/survey", data={"token": away.token})
    with small.database.reading() as connection:
        queue = survey_of(connection, "survey")
    assert begin(small.database, queue, gone.id) is None
    with small.database.writing() as connection:
        connection.execute(participants.update().values(began_at=participants.c.began_at - 2 * 3600 * 1000))
    takes_part(small, gone)
    assert len(get_results(small, "survey").people) == 1
    withdraw(small.database, small.blobs, gone.id, gone.id)
    results = get_results(small, "survey")
    assert results.people == [] and results.withdrawn == [gone.session.person.pseudonym]
    with small.database.reading() as connection:  # nothing is left but that they took part
        row = connection.execute(participants.select().where(participants.c.person_id == gone.id)).one()
        assert (row.cells, row.sequence, row.reasons, row.state, row.ended_at) == ([], [], [], "invalid", None)
    takes_part(small, last)
    takes_part(small, away)  # who comes back may finish
    with small.database.reading() as connection:
        assert valid_of(connection, queue, settings(small)) == {"cmdar/main": 2}


def test_a_question_can_be_declined_if_the_survey_allows_it(small: Portal) -> None:
    pushed(small, "cmdar/open", per_cell=4, people=1, checks=0, may_decline=True)
    who = participant(small)
    draw = random.Random(1)
    takes_part(small, who, lambda question, order: {"declined": True} if draw.random() < 0.4 else {"text": "因为。"})
    answers = get_results(small, "survey").people[0].answers
    assert {each.answer.declined for each in answers} == {True, False}


def test_a_survey_does_not_change_once_somebody_has_begun(small: Portal) -> None:
    pushed(small, "cmdar/main", per_cell=2, people=1)
    pushed(small, "cmdar/main", per_cell=3, people=1)
    participant_ = participant(small)
    participant_.client.post("/survey/survey", data={"token": participant_.token})
    pushed(small, "cmdar/main", per_cell=3, people=5)  # the same questions for more people
    assert settings(small).people == 5
    with pytest.raises(DataError, match="already"):
        pushed(small, "cmdar/main", per_cell=4, people=1)


def test_what_can_not_be_a_survey_is_refused_in_words(small: Portal) -> None:
    ready = plan("cmdar", "baseline/constant", seed=1)

    def keep(data: bytes, sha: str) -> None:
        """Nothing."""

    with pytest.raises(SpecError, match="per-cell"):
        make_survey(ready, Wanted(per_cell=0), keep)
    with pytest.raises(SpecError, match="unknown task"):
        make_survey(ready, Wanted(forms={"cmdar/maine": "text"}), keep)
    for wrong in ("essay", "text:1-5", "rating:5-1", "rating:0-99", "rating:a-b"):
        with pytest.raises(SpecError):
            form_of(wrong)
    with pytest.raises(SpecError, match="no choice"):
        make_survey(ready, Wanted(forms={"cmdar/open": "choice"}), keep)
    with pytest.raises(DataError, match="no survey"):
        get_results(small, "nothing")
    made = make_survey(ready, Wanted(per_cell=1), keep).survey
    assert put_survey(small, "one", made)["added"] == len(made.tasks)
    assert put_survey(small, "one", made) == {"added": 0, "open": len(made.tasks), "closed": 0}


def test_a_survey_runs_on_either_database(portal: Portal) -> None:
    pushed(portal, "cmdar", per_cell=1, people=1, checks=1)
    who, admin = participant(portal), visitor(portal, "admin")
    assert takes_part(portal, who) == 4
    assert "3 of 3 cells" in admin.client.get("/survey-cells/survey").text
    assert [len(person.answers) for person in get_results(portal, "survey").people] == [3]


def test_participants_are_listed_in_pages_with_their_checks(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.portal.survey.overview.PAGE_SIZE", 2)
    pushed(portal, "cmdar/main", per_cell=3, people=3, checks=1)
    people = [participant(portal) for _ in range(3)]
    for who in people:
        takes_part(portal, who, ms=7000)
    admin, seen = visitor(portal, "admin"), list[str]()
    page = admin.client.get("/survey-cells/survey").text
    for _ in range(2):
        rows = re.findall(r'<tr><th scope="row">(p-\w+)</th>(.*?)</tr>', page, re.DOTALL)
        seen += [name for name, _ in rows]
        assert all("4 / 4" in row and ">7<" in row and "0 / 1" in row for _, row in rows)
        link = re.search(r'href="(\?before=[^"]+)"', page)
        page = admin.client.get("/survey-cells/survey" + link[1]).text if link else ""
    assert sorted(seen) == sorted(who.session.person.pseudonym for who in people) and not page


def wrong(question: Question, order: Sequence[int]) -> dict[str, Any]:
    """What somebody sends who knows nothing; attention checks are answered correctly."""
    said = correct(question, order)
    if question.check is not None or question.form == "rating":
        return said
    if question.form == "choices":
        return {"picked": sorted(set(range(len(order))) - set(said["picked"])) or [0]}
    return {"picked": [(said["picked"][0] + 1) % len(order)]} if "picked" in said else {"text": "nothing of this"}


@pytest.mark.parametrize("bench", ["xmodbench/perception/general", "cmdar", "mcif/short/en"])
def test_practice_comes_first_with_feedback_and_never_counts(portal: Portal, bench: str) -> None:
    made = pushed(portal, bench, per_cell=1, people=1, checks=1, practice=2, break_after=1)
    practised = [task for task in made.tasks if task.key.startswith("practice/")]
    counted = {task.question.item.instance_id for task in made.tasks if task.question.cell and task.question.item}
    assert len(practised) == made.settings.practice >= 2
    for task in practised:
        assert task.question.item and task.question.item.instance_id not in counted and not task.question.cell
    first, second = participant(portal), participant(portal)
    assert "practice question" in first.client.get("/survey/survey").text
    first.client.post("/survey/survey", data={"token": first.token})
    for number in range(made.settings.practice):
        page = first.client.get(f"/survey/survey?after={number}").text
        assert f"Practice question {number + 1} of {made.settings.practice}" in page and "Change your last" not in page
        assert answer_next(portal, first, wrong if number else correct) == 201
        page = first.client.get("/survey/survey").text
        feedback = page.partition('data-stage="feedback"')[2]
        assert ("Not right yet." in feedback) == bool(number) and ("Right.</p>" in feedback) == (not number)
        assert "Right answer:" in feedback
        if number:  # it comes again
            page = first.client.get(f"/survey/survey?after={number + 1}").text
            assert f"Practice question {number + 1} of" in page and "checked" not in page.partition("<form")[2]
            assert answer_next(portal, first) == 201
    page = first.client.get("/survey/survey").text
    assert 'data-stage="feedback"' in page and "The practice is over." in page
    after = re.search(r"\?after=(\d+)", page)
    page = first.client.get(f"/survey/survey{after[0] if after else ''}").text
    assert re.search(r"Question 1 of \d+", page) and 'data-stage="question"' in page
    takes_part(portal, first)
    takes_part(portal, second)  # everybody practises, however many people a cell needs
    found = get_results(portal, "survey")
    assert place(portal, first).state == "valid"
    keys = {answer.key for person in found.people for answer in person.answers}
    assert keys and not any(key.startswith("practice/") for key in keys)
    boss = visitor(portal, "admin")
    assert "practice/" not in boss.client.get("/survey-cells/survey").text


def test_a_practice_question_comes_three_times_at_most(portal: Portal) -> None:
    pushed(portal, "xmodbench/perception/general/audio_text", per_cell=1, people=1, checks=0, practice=1)
    who, boss = participant(portal), visitor(portal, "admin")
    who.client.post("/survey/survey", data={"token": who.token})
    seen = list[tuple[bool, bool]]()
    for _ in range(3):
        assert not place(portal, who).practised(settings(portal))
        assert answer_next(portal, who, wrong) == 201
        page = who.client.get("/survey/survey").text
        seen.append(("Not right yet." in page, "The practice is over." in page))
        assert re.findall(r'<td class="number">(\d+)</td>', boss.client.get("/queues").text)[3] == "0"  # to do again
    assert seen == [(True, False), (True, False), (False, True)]
    assert place(portal, who).practised(settings(portal)) == 1
    takes_part(portal, who)
    assert place(portal, who).state == "valid" and len(get_results(portal, "survey").people) == 1


def test_practice_cannot_be_changed_and_does_not_decide_who_counts(small: Portal) -> None:
    pushed(small, "cmdar", per_cell=1, people=1, checks=0, practice=3, validity=Validity(most_fast=0.3))
    who = participant(small)
    who.client.post("/survey/survey", data={"token": who.token})
    for _ in range(settings(small).practice):
        assert answer_next(small, who, wrong, ms=1) == 201  # fast answers to practice
        with small.database.reading() as connection:
            assert last_of(connection, survey_of(connection, "survey"), who.id) is None
    takes_part(small, who)
    assert place(small, who).state == "valid"


def test_a_survey_that_has_too_few_questions_for_practice_says_so() -> None:
    ready = plan("cmdar", "baseline/constant", seed=1)
    made = make_survey(ready, Wanted(per_cell=1000, practice=5), lambda data, sha: None)
    assert made.survey.settings.practice == 0 and any("0 of 5 practice" in note for note in made.notes)
    with pytest.raises(SpecError, match="--practice"):
        make_survey(ready, Wanted(practice=-1), lambda data, sha: None)
