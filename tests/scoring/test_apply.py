"""Applying a protocol: complete, checked, and clear about what went wrong."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scoring.toy import item, protocol, response, score
from triptych.errors import DataError
from triptych.protocols.protocol import Unit
from triptych.records import Score
from triptych.scoring.apply import score_units
from triptych.scoring.stored.units import group_units


def units() -> list[Unit]:
    items = [item("x", instance="i", facets={"k": "1"}), item("y"), item("z"), item("w")]
    return list(group_units(items, [response("x"), response("y", "B"), response("z", "")]))


def test_every_unit_has_its_score_and_status() -> None:
    scores = score_units(units(), protocol())
    assert [(s.unit, s.status, s.value) for s in scores] == [
        ("x", "scored", 1.0),
        ("y", "scored", 0.0),
        ("z", "unparsed", 0.0),
        ("w", "missing", None),
    ]
    assert (scores[0].instance, scores[0].facets, scores[0].extraction) == ("i", {"k": "1"}, "A")


def test_what_a_protocol_leaves_out_is_attached() -> None:
    bare = protocol(score=lambda unit: [Score(unit.unit_id, unit.item.task, "acc", "scored", 1, 1)])
    (found, *_) = score_units(units(), bare)
    assert (found.instance, found.facets) == ("i", {"k": "1"})


def test_a_protocol_may_yield_its_scores() -> None:
    whole = protocol()
    assert score_units(units(), protocol(score=lambda unit: iter(whole.score(unit)))) == score_units(units(), whole)
    with pytest.raises(DataError, match="can't score a Unit") as error:
        score_units(units(), protocol(score=lambda unit: score(unit.unit_id, 1)))
    assert "not iterable" in str(error.value)


def test_a_protocol_that_fails_names_the_unit() -> None:
    def fail(unit: Unit) -> list[Score]:
        if unit.unit_id == "y":
            raise ValueError("no such option")
        return [score(unit.unit_id, 1)]

    with pytest.raises(DataError, match="unit y of toy/a") as error:
        score_units(units(), protocol(score=fail))
    assert "ValueError: no such option" in str(error.value)


@pytest.mark.parametrize("names", [[], ["acc", "f1"], ["f1"]])
def test_a_unit_without_the_metrics_of_its_task_is_refused(names: list[str]) -> None:
    def drop(unit: Unit) -> list[Score]:
        given = ["acc"] if unit.unit_id == "x" else names
        return [score(unit.unit_id, 1, metric=name) for name in given]

    with pytest.raises(DataError, match="unit y of toy/a"):
        score_units(units(), protocol(score=drop))


@pytest.mark.parametrize(
    "numbers", [(float("nan"), 1), (float("inf"), 1), (1, float("nan")), (1, -1), (0, float("inf"))]
)
def test_numbers_that_cant_be_summed_are_refused(numbers: tuple[Any, Any]) -> None:
    broken = protocol(score=lambda unit: [score(unit.unit_id, numbers[0], of=numbers[1])])
    with pytest.raises(DataError, match="can't be summed"):
        score_units(units(), broken)
