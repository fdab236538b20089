"""Tests of `portal/survey/participation.py`: taking part."""

from __future__ import annotations

from tests.portal.survey.test_survey import CELLS
from tests.portal.surveys import (
    participant,
    pushed,
    question_of,
)
from triptych.portal.project import Portal
from triptych.portal.survey.keeping import survey_of
from triptych.portal.survey.participation import begin, counts_of


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
