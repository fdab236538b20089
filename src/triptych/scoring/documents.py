"""Scores as one JSON document: what `triptych score --json` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from triptych.metrics.metric import metric_name
from triptych.records import Aggregate
from triptych.scoring.notes.credited import credit_notes
from triptych.scoring.outcome import Scored


def as_document(benchmark: str, scores: Mapping[str, Sequence[Aggregate]]) -> dict[str, Any]:
    """Return `{"benchmark", "counts", "scores": [{"protocol", "task", "metric", "slice", "value", "n", "counts",
    "interval", "signature", …}]}`; values in the unit that the paper prints, None if a figure has no value.

    The top-level `counts` has the number of Units by the status of their Responses. `value_all` and `value_answered`
    are given in addition to `value`. `metric` is the metric's name (`f1`), `metric_id` the id of its rule
    (`f1.charset`). `parts` is present if a figure covers fewer Tasks than it should: [covered, expected].
    """
    rows = [_row(aggregate) for aggregates in scores.values() for aggregate in aggregates]
    counts, notes = (scores.counts, scores.notes) if isinstance(scores, Scored) else ({}, ())
    if isinstance(scores, Scored):
        notes = (*notes, *(note for name in scores for note in credit_notes(name, {benchmark: scores.credited})))
    document: dict[str, Any] = {"benchmark": benchmark, "counts": counts, "scores": rows}
    return {**document, "notes": list(notes)} if notes else document


def _row(aggregate: Aggregate) -> dict[str, Any]:
    return {
        "protocol": aggregate.protocol,
        "task": aggregate.task,
        "metric": metric_name(aggregate.metric),
        "metric_id": aggregate.metric,
        "slice": dict(aggregate.slice),
        "value": aggregate.value,
        "n": aggregate.n,
        "counts": dict(aggregate.counts),
        "interval": None if aggregate.interval is None else list(aggregate.interval),
        "value_all": aggregate.value_all,
        "value_answered": aggregate.value_answered,
        "coverage": aggregate.coverage,
        "signature": aggregate.signature,
        **({"parts": list(aggregate.parts)} if aggregate.parts else {}),
    }
