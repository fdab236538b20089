"""A Run from elsewhere can name any Tasks and facets: their tables are bounded before an interval takes its memory."""

from __future__ import annotations

import pytest

from tests.scoring.toy import make_spec, score
from triptych.errors import DataError
from triptych.scoring.figures.cells import MAX_GROUPS, MAX_NAME_LENGTH, tabulate

SPEC = make_spec(("genre",))


def test_many_values_of_a_facet_are_refused() -> None:
    scores = [score(str(number), 1.0, facets={"genre": str(number)}) for number in range(MAX_GROUPS + 1)]
    assert len(tabulate(scores[:-1], SPEC).cells) == MAX_GROUPS
    with pytest.raises(DataError, match="too large") as told:
        tabulate(scores, SPEC)
    assert "10,001 cells" in str(told.value)


def test_many_tasks_are_refused() -> None:
    with pytest.raises(DataError, match="cells"):
        tabulate([score("u", 1.0, task=f"toy/{number}") for number in range(MAX_GROUPS + 1)], SPEC)


def test_a_long_value_is_refused_and_not_repeated() -> None:
    assert tabulate([score("u", 1.0, facets={"genre": "x" * MAX_NAME_LENGTH})], SPEC).cells
    with pytest.raises(DataError, match="name of a Task or facet") as told:
        tabulate([score("u", 1.0, facets={"genre": "x" * (MAX_NAME_LENGTH + 1)})], SPEC)
    assert len(str(told.value)) < 300


def test_facets_that_no_table_groups_by_may_have_any_values() -> None:
    scores = [score(str(number), 1.0, facets={"index": str(number)}) for number in range(MAX_GROUPS + 1)]
    assert len(tabulate(scores, SPEC).cells) == 1
