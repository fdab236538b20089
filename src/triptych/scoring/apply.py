"""A protocol applied to Units: Scores, checked so that nothing drops out of a denominator in silence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf

from msgspec import structs

from triptych.benchmarks.protocol import Protocol, Unit
from triptych.errors import DataError, TriptychError
from triptych.records import Score


def score_units(units: Iterable[Unit], protocol: Protocol) -> list[Score]:
    """Every Score of every Unit under one protocol, each with its Unit, Instance, facets and repeat.

    Raises DataError, naming the Unit, where the protocol itself fails, gives other metrics than for the Task's first
    Unit, or gives numbers that can't be summed.
    """
    metrics: dict[str, tuple[str, ...]] = {}
    scores: list[Score] = []
    for unit in units:
        try:
            found = protocol.score(unit)
        except TriptychError:
            raise
        except Exception as error:
            raise _broken(unit, protocol, error) from error
        item = unit.items[0]
        unit_id, repeat, facets = item.unit or item.id, unit.repeat, item.facets
        instance = item.instance or unit_id
        names = tuple([score.metric for score in found])
        if not names or names != metrics.setdefault(item.task, names):
            raise _other_metrics(unit, protocol, names, metrics)
        for score in found:
            if not (-inf < score.numerator < inf and 0 <= score.denominator < inf):  # NaN fails both comparisons
                raise _not_numbers(unit, protocol, score)
            # What aggregation groups by; the common case, where the Score has it all, costs a comparison.
            has_all = score.unit == unit_id and score.instance == instance and score.repeat == repeat
            if not (has_all and score.facets is facets):
                whole = {**facets, **score.facets}
                score = structs.replace(score, unit=unit_id, instance=instance, repeat=repeat, facets=whole)
            scores.append(score)
    return scores


def _broken(unit: Unit, protocol: Protocol, error: Exception) -> DataError:
    return DataError(
        f"protocol {protocol.name!r} can't score a Unit",
        got=f"{type(error).__name__}: {error}",
        where=f"unit {unit.unit_id} of {unit.item.task}",
        fix="report it with this Unit's Item and Response",
    )


def _other_metrics(
    unit: Unit, protocol: Protocol, names: Sequence[str], known: Mapping[str, Sequence[str]]
) -> DataError:
    """Every Unit of a Task has the same metrics: so no failure shrinks a denominator."""
    task = unit.items[0].task
    return DataError(
        f"protocol {protocol.name!r} must give each Unit of a Task the same metrics, at least one",
        expected=", ".join(known.get(task, ())) or "a metric",
        got=", ".join(names) or "none",
        where=f"unit {unit.unit_id} of {task}",
    )


def _not_numbers(unit: Unit, protocol: Protocol, score: Score) -> DataError:
    return DataError(
        f"protocol {protocol.name!r} gave numbers that can't be summed",
        expected="a finite numerator and a finite denominator of at least 0",
        got=f"{score.numerator} / {score.denominator} for {score.metric}",
        where=f"unit {unit.unit_id} of {unit.item.task}",
    )
