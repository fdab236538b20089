"""Apply a protocol to Units. The Scores are checked, so that no Unit drops out of a denominator unnoticed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf

from msgspec import structs

from triptych.errors import DataError, TriptychError
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import SCORE_STATUSES, Score
from triptych.records.plug_ins import owner_of


def score_units(
    units: Iterable[Unit], protocol: Protocol, names_known: dict[str, tuple[str, ...]] | None = None
) -> list[Score]:
    """Return every Score of every Unit under a protocol, each with its Unit, Instance, facets and repeat.

    `names_known`: Task -> its metrics, if the Units come a part at a time; the Tasks of these Units are added.

    Raises DataError, naming the Unit, if the protocol itself fails, gives other metrics than for the first Unit of the
    Task, or gives numbers that can't be summed.
    """
    names_known = {} if names_known is None else names_known
    scores: list[Score] = []
    for unit in units:
        try:
            scores += _scores(unit, protocol, names_known)
        except (AttributeError, TypeError) as error:  # a protocol of another package returned something else
            raise scoring_error(unit, protocol, error) from error
    return scores


def _scores(unit: Unit, protocol: Protocol, facets_of: dict[str, tuple[str, ...]]) -> list[Score]:
    metric_scores = scores_of(unit, protocol)
    item = unit.items[0]
    unit_id, instance, repeat, facets = item.unit_id, item.instance_id, unit.repeat, item.facets
    names = tuple([score.metric for score in metric_scores])
    if not names or names != facets_of.setdefault(item.task, names):
        raise _other_metrics(unit, protocol, names, facets_of)
    scores: list[Score] = []
    for score in metric_scores:
        if not (-inf < score.numerator < inf and 0 <= score.denominator < inf):  # NaN fails both comparisons
            raise _not_numbers(unit, protocol, score)
        if score.task != item.task or score.status not in _STATUSES:
            raise _of_something_else(unit, protocol, score)
        # The fields that aggregation groups by. Most Scores have them already, and then this costs a comparison.
        has_all = score.unit == unit_id and score.instance == instance and score.repeat == repeat
        if not (has_all and score.facets is facets):
            all_facets = {**facets, **score.facets}
            score = structs.replace(score, unit=unit_id, instance=instance, repeat=repeat, facets=all_facets)
        scores.append(score)
    return scores


def scores_of(unit: Unit, protocol: Protocol) -> Sequence[Score]:
    """Return the protocol's own Scores of a Unit. Raises DataError, naming the Unit, if the protocol fails."""
    try:
        scores = protocol.score(unit)
        return scores if isinstance(scores, list | tuple) else list(scores)  # a generator can be read only once
    except TriptychError:
        raise
    except Exception as error:
        raise scoring_error(unit, protocol, error) from error


def scoring_error(unit: Unit, protocol: Protocol, error: Exception) -> DataError:
    """Return the error for a Unit that a protocol can't score; a Run from elsewhere may have Tasks and facets that the
    benchmark doesn't have."""
    owner = owner_of(getattr(protocol.score, "__module__", ""))
    return DataError(
        f"protocol {protocol.name!r} can't score a Unit",
        got=f"{type(error).__name__}: {error}",
        where=f"unit {unit.unit_id} of {unit.item.task}",
        fix=f"report it {f'to the authors of {owner} ' if owner else ''}with this Unit's Item and Response",
    )


def _other_metrics(
    unit: Unit, protocol: Protocol, names: Sequence[str], metrics_by_task: Mapping[str, Sequence[str]]
) -> DataError:
    """Return the error for other metrics than before, with which a denominator would shrink unnoticed."""
    task = unit.items[0].task
    return DataError(
        f"protocol {protocol.name!r} must give each Unit of a Task the same metrics, at least one",
        expected=", ".join(metrics_by_task.get(task, ())) or "a metric",
        got=", ".join(names) or "none",
        where=f"unit {unit.unit_id} of {task}",
    )


_STATUSES = frozenset(SCORE_STATUSES)


def _of_something_else(unit: Unit, protocol: Protocol, score: Score) -> DataError:
    return DataError(
        f"protocol {protocol.name!r} gave a Score of another Task, or with a status that doesn't exist",
        expected=f"{unit.items[0].task}, with one of: {', '.join(SCORE_STATUSES)}",
        got=f"{score.task}, {score.status}",
        where=f"unit {unit.unit_id} of {unit.items[0].task}",
    )


def _not_numbers(unit: Unit, protocol: Protocol, score: Score) -> DataError:
    return DataError(
        f"protocol {protocol.name!r} gave numbers that can't be summed",
        expected="a finite numerator and a finite denominator of at least 0",
        got=f"{score.numerator} / {score.denominator} for {score.metric}",
        where=f"unit {unit.unit_id} of {unit.item.task}",
    )
