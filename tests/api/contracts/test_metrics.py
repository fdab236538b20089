"""Tests of `api/contracts/metrics.py`: the built-in metrics have no fault; a description with one is named."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any

import pytest

from triptych.api.contracts.metrics import check, faults_of
from triptych.metrics.metric import known_metrics

POINT = EntryPoint("vowels", "lab_metric", "triptych.metrics")
WER = known_metrics()["wer"][0]


@pytest.mark.parametrize("metric", [metric for metric, _ in known_metrics().values()], ids=lambda metric: metric.id)
def test_the_built_in_metrics_have_no_fault(metric: Any) -> None:
    assert list(faults_of(metric)) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"unit": "percent"}, "unit is 'percent'; expected one of: %"),
        ({"statistics": "ab"}, "statistics is 'ab'"),
        ({"id": "Word error rate"}, "the id 'Word error rate' is not a name and rules"),
        ({"better": "lowest"}, "better is 'lowest'; expected higher or lower"),
        ({"range": (1.0, 1.0)}, "range is (1.0, 1.0); expected two numbers"),
        ({"name": ""}, "name is empty"),
        ({"name": None}, "name is None"),
        ({"short": 3}, "short is int"),
        ({"range": ("0", "1")}, "expected two numbers"),
        ({"range": (0.0,)}, "expected two numbers"),
        ({"range": (0.0, 1.0)}, "a percentage of all goes up to 100"),
        ({"source": ""}, "source is empty"),
        ({"source": " "}, "source is empty"),
        ({"statistics": ("words", " ")}, "statistics is ('words', ' ')"),
        ({"name": "word\nerrors"}, "name has several lines"),
    ],
)
def test_a_faulty_description_is_named(changes: dict[str, Any], words: str) -> None:
    (fault,) = faults_of(replace(WER, **changes))
    assert words in fault
    assert fault.startswith("wer: ") or "id" in changes


def test_what_metrics_is_no_tuple() -> None:
    def found(metrics: object) -> str:
        (fault,) = check(POINT, SimpleNamespace(METRICS=metrics), "")  # type: ignore[arg-type]
        return fault

    assert "METRICS is a Metric; expected a tuple" in found(WER)
    assert "METRICS holds int, not Metric" in found((3,))
    assert "triptych has a metric with this id" in found((WER,))
    assert found((replace(WER, id="lab.wer", source=""),)).startswith("lab.wer: source is empty")
    twice = replace(WER, id="lab.wer")
    assert [*check(POINT, SimpleNamespace(METRICS=(twice, twice)), "")] == 2 * ["lab.wer: two metrics have this id"]  # type: ignore[arg-type]
    assert "METRICS is generator; expected a tuple" in found(metric for metric in (WER,))
    assert "METRICS is dict" in found({"wer": WER})
    assert "METRICS is missing or empty" in found(())
    assert "the id 7 is int" in found((replace(WER, id=7),))
