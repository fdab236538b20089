"""What an administrator's own tables, links and settings may hold, and what is said about it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from tests.portal.conftest import anonymous
from tests.portal.review.test_review import put
from tests.portal.surveys import answer_next, participant, pushed
from tests.portal.work.test_gold import known
from triptych.errors import DataError, SpecError
from triptych.experiment.planning import plan
from triptych.portal.people.sessions import invite
from triptych.portal.project import Portal
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import invitations
from triptych.portal.survey.creation import Wanted, make_survey
from triptych.portal.survey.rules import Validity
from triptych.portal.work.queues import progress, queue_of


def test_a_link_that_does_not_work_says_why(small: Portal) -> None:
    with small.database.writing() as connection:
        links = [invite(connection, small.secret, "recorder", label=str(n)) for n in range(3)]
        many = invite(connection, small.secret, "participant", label="many", max_people=2)
        named = invitations.c.label
        connection.execute(update(invitations).where(named == "1").values(ended_at=now_ms()))
        connection.execute(update(invitations).where(named == "2").values(expires_at=now_ms() - 1))

    def enter(link: str) -> Any:
        return anonymous(small).post(f"/enter/{link}", data={"token": ""}, follow_redirects=False)

    assert "of your own" in anonymous(small).get(f"/enter/{many}").text
    assert "for you alone" in anonymous(small).get(f"/enter/{links[0]}").text
    for link in (links[0], many, many):
        assert enter(link).status_code == 303
    said = {
        links[0]: "used already",
        links[1]: "revoked",
        links[2]: "expired",
        many: "As many people",
        links[0][:-3] + "AAA": "incomplete",
    }
    for link, words in said.items():
        answers = [anonymous(small).get(f"/enter/{link}"), enter(link)]
        assert all(each.status_code == 404 and words in each.text for each in answers), words


def test_no_task_is_gold_and_practice(small: Portal) -> None:
    put(small, 2)
    known(small, "gold", ["talk/0"])
    with pytest.raises(DataError, match="already a gold task"):
        known(small, "practice", ["talk/0"])
    known(small, "practice", ["talk/1"])
    with pytest.raises(DataError, match="already practice"):
        known(small, "gold", ["talk/0", "talk/1"])


def test_the_progress_of_a_survey_counts_its_questions_only(small: Portal) -> None:
    made = pushed(small, "xmodbench/perception/general", per_cell=1, people=1, checks=1, practice=1)
    questions = [task for task in made.tasks if not task.key.startswith(("check/", "practice/"))]
    who = participant(small)
    who.client.post("/survey/survey", data={"token": who.token})
    assert answer_next(small, who) == 201
    with small.database.reading() as connection:
        found = queue_of(connection, "survey")
        assert found
        counts = progress(connection, found)
    assert (counts["done"], counts["wanted"]) == (0, len(questions))


@pytest.mark.parametrize(
    "wrong",
    [
        {"checks": -1},
        {"validity": Validity(most_failed=5)},
        {"validity": Validity(most_fast=20)},
        {"patience_h": 0.0},
        {"break_after": -1},
    ],
)
def test_limits_of_a_survey_that_cannot_hold_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SpecError):
        make_survey(plan("cmdar", "baseline/constant", seed=1), Wanted(**wrong), lambda data, sha: None)
