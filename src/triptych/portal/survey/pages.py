"""Pages of a survey: the beginning, one question at a time, breaks, the end; and the receipt of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triptych.errors import DataError
from triptych.portal.people.finishing import finish_of
from triptych.portal.site.around import surrounding_values
from triptych.portal.site.languages import say
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import go, problem, show
from triptych.portal.survey.checks import COLOURS, TONES
from triptych.portal.survey.document import KIND, Answer, Question, Settings
from triptych.portal.survey.participation import (
    Practised,
    SurveyProgress,
    begin,
    by_id,
    counts_of,
    is_right,
    place_of,
    practice_answer,
    receive,
    settings_of,
)
from triptych.portal.survey.rendering import CHOICES, Block, Option, ShownQuestion, order_for, show_question
from triptych.portal.work.queues import Queue, queue_of
from triptych.portal.work.submitting import Conflict
from triptych.portal.work.undoing import earlier_answers
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE

if TYPE_CHECKING:
    from starlette.responses import Response

MAX_ANSWER_BYTES = 1 << 20


def take(visit: Visit) -> Response:
    """The page of a survey: where the person is in it."""
    queue = _queue(visit)
    if queue is None:
        return problem(visit, 404, "not-found")
    settings = settings_of(queue)
    with visit.portal.database.reading() as connection:
        participant = place_of(connection, queue, visit.person.id)
        full = participant is None and min(counts_of(connection, queue, settings).values()) >= settings.people
        task = participant.next_task if participant and participant.state == "open" else None
        question = by_id(connection, queue, task)[1] if task is not None else None
        practice = practice_answer(connection, queue, participant) if participant and task is not None else None
    if participant is None:
        return show(visit, "survey/begin.html", queue=queue, survey=settings, full=full)
    around_it = surrounding_values(visit, queue)
    practised, after = participant.practice_count(settings), visit.request.query_params.get("after", "")
    counts = {
        "done": len(participant.done) - practised,
        "of": len(participant.sequence) - settings.practice,
        "practised": practised,
    }
    values: dict[str, Any] = {"queue": queue, "survey": settings, "place": participant, **counts, **around_it}
    if practice is not None and after != str(participant.attempt_count):
        return _feedback(visit, settings, practice, values)
    if question is None:
        return show(visit, "survey/survey.html", stage="end", finish=finish_of(visit, queue.name), **values)
    if is_break(settings, participant, after):
        return show(visit, "survey/survey.html", stage="break", **values)
    shown = _shown(visit, settings, question)
    assert task is not None
    with visit.portal.database.reading() as connection:
        before = earlier_answers(connection, task, visit.person.id)
    return show(
        visit,
        "survey/survey.html",
        stage="question",
        task=task,
        question=question,
        shown=shown,
        before=before,
        sources=[f"/shown/{task}/{medium.sha256}" for medium in question.media],
        **values,
    )


def start(visit: Visit) -> Response:
    """Draw the places of a person who begins."""
    queue = _queue(visit)
    if queue is None:
        return problem(visit, 404, "not-found")
    begin(visit.portal.database, queue, visit.person.id)
    return go(f"/survey/{queue.name}")


def answer(visit: Visit) -> Response:
    """Take an answer and return its receipt as JSON; sending it again returns the same one."""
    from starlette.responses import JSONResponse

    queue, received = _queue(visit), visit.upload
    if queue is None:
        return problem(visit, 404, "not-found")
    assert received is not None
    try:
        answer_ = decode_once(received.path.read_bytes(), Answer)
    except UNREADABLE:
        return problem(visit, 400, "form-is-wrong")
    person = visit.person
    try:
        receipt = receive(
            visit.portal.database, queue, person.id, person.pseudonym, visit.part("task"), visit.part("id"), answer_
        )
    except Conflict as error:
        return problem(visit, 409, "cannot-be-done", why=error.problem)
    except DataError as error:
        return problem(visit, 400, "cannot-be-done", why=error.problem)
    return JSONResponse(receipt, 201)


def is_break(settings: Settings, survey_progress: SurveyProgress, after: str) -> bool:
    """Return True after every `break_after` questions, until the person goes on from there."""
    done = len(survey_progress.done) - survey_progress.practice_count(settings)
    return bool(
        settings.break_after and done and done % settings.break_after == 0 and after != str(len(survey_progress.done))
    )


def _feedback(visit: Visit, settings: Settings, practised: Practised, values: dict[str, Any]) -> Response:
    """The correct answer, after a practice question."""
    question, answer = practised.question, practised.answer
    shown = show_question(question, settings.prompts, answer.order)
    item = question.item
    wanted = item.target_positions if item and question.form in CHOICES else ()
    places = [index for index, number in enumerate(answer.order) if number in wanted]
    texts = [target for target in item.targets if target] if item and question.form in ("text", "transcript") else []
    return show(
        visit,
        "survey/survey.html",
        stage="feedback",
        question=question,
        right=is_right(question, answer),
        again=practised.again,
        right_options=[(position + 1, shown.options[position]) for position in places],
        right_texts=texts,
        own_options=[(index + 1, shown.options[index]) for index in answer.picked if index < len(shown.options)],
        own_text=answer.text,
        asked=shown,
        sources=[f"/shown/{practised.task}/{medium.sha256}" for medium in question.media],
        **values,
    )


def _shown(visit: Visit, settings: Settings, question: Question) -> ShownQuestion:
    order = order_for(question, settings.seed, visit.person.pseudonym)
    if question.check is None:
        return show_question(question, settings.prompts, order)
    if question.check.kind == "tones":
        options = tuple(Option("", (Block(str(number)),)) for number in TONES)
        before = (Block(say(visit.language, "check-tones")), Block("", 0, "audio"))
        return ShownQuestion("", before, options, (), order)
    names = [say(visit.language, f"check-{COLOURS[number]}") for number in order]
    text = say(visit.language, "check-colour", colour=say(visit.language, f"check-{COLOURS[question.check.answer]}"))
    return ShownQuestion("", (Block(text),), tuple(Option("", (Block(name),)) for name in names), (), order)


def _queue(visit: Visit) -> Queue | None:
    with visit.portal.database.reading() as connection:
        queue = queue_of(connection, visit.part("queue"))
    return queue if queue and queue.kind == KIND and queue.closed_at is None else None
