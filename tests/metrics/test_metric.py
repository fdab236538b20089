"""The registry of metrics: every entry is whole, ids are unique, and an unknown one gets a hint."""

from __future__ import annotations

import pytest

from triptych.errors import SpecError
from triptych.metrics.metric import find_metric, known_metrics


@pytest.mark.parametrize("id_", sorted(known_metrics()))
def test_every_metric_says_what_it_is(id_: str) -> None:
    metric, origin = known_metrics()[id_]
    assert metric.id == id_
    assert metric.name
    assert metric.source
    assert origin
    assert len(metric.statistics) == 2
    assert metric.range[0] < metric.range[1]


def test_the_metrics_of_choices_are_there() -> None:
    assert {"acc", "em", "ji", "precision", "recall", "judge_score"} <= set(known_metrics())


def test_an_unknown_metric_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SpecError, match="did you mean 'recall'"):
        find_metric("recal")
