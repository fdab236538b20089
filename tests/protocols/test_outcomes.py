"""Every Unit gives its Scores, whatever became of its Responses."""

from __future__ import annotations

import pytest

from triptych.protocols.outcomes import ANY_TEXT, lost_status, scored, unscored
from triptych.protocols.protocol import Unit
from triptych.records import RESPONSE_STATUSES, Item, Response, ResponseStatus

ITEM = Item("i", "b/t", (), unit="u", instance="x", facets={"genre": "诗"})


def unit(*statuses: ResponseStatus | None) -> Unit:
    responses = tuple(None if s is None else Response("i", "", 2, s) for s in statuses)
    return Unit((ITEM,) * len(statuses), responses, repeat=2)


@pytest.mark.parametrize("status", RESPONSE_STATUSES)
def test_only_an_answer_is_read_by_default(status: ResponseStatus) -> None:
    assert lost_status(unit(status)) == (None if status == "answered" else status)


def test_a_scorer_may_read_text_that_was_cut_or_declines() -> None:
    assert lost_status(unit("truncated"), ANY_TEXT) is None
    assert lost_status(unit("refused"), ANY_TEXT) is None
    assert lost_status(unit("failed"), ANY_TEXT) == "failed"


def test_no_response_is_missing_and_the_first_loss_of_a_joined_unit_names_it() -> None:
    assert lost_status(unit(None)) == "missing"
    assert lost_status(unit("answered", "skipped", "failed")) == "skipped"


def test_scores_carry_what_aggregation_groups_by() -> None:
    score = scored(unit("answered"), "accuracy", True, extraction="A")
    assert (score.unit, score.instance, score.task, score.repeat) == ("u", "x", "b/t", 2)
    assert (score.facets, score.value, score.extraction) == ({"genre": "诗"}, 1.0, "A")


def test_the_worst_case_stands_where_nothing_was_scored() -> None:
    lost = unscored(unit("failed"), "cer", "failed", worst=12, denominator=12)
    assert (lost.status, lost.numerator, lost.denominator, lost.value) == ("failed", 12.0, 12.0, None)
    assert unscored(unit("answered"), "accuracy", "unparsed").value == 0.0
