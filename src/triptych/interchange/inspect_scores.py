"""Scores in a log of Inspect: those of a sample, and the log's figures over all samples."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from triptych.records.log_figures import LogFigure

# Values of words in Inspect's own `value_to_float`: right, partly right, wrong and no answer; yes and no
_WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_MEANS = ("accuracy", "mean")
_SPREADS = ("stderr", "std", "var", "bootstrap_stderr")


def inspect_scores(scores: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield (scorer, value) of a sample's scores; `SCORER/NAME` for a scorer with several values. Values that are
    neither numbers nor words that Inspect reads as numbers are left out."""
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            named = {f"{scorer}/{name}": one for name, one in value.items()}
        else:
            named = {str(scorer): value}
        for name, one in named.items():
            if (number := _number(one)) is not None:
                yield name, number


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        value = _WORDS.get(value, _WORDS.get(value.lower(), value))
    with suppress(TypeError, ValueError, OverflowError):
        if math.isfinite(number := float(value)):
            return number
    return None


def inspect_figures(header: Mapping[str, Any], task: str) -> Iterator[LogFigure]:
    """Yield the log's results, except those that describe their spread."""
    results = header.get("results")
    scores = results.get("scores") if isinstance(results, dict) else None
    for entry in scores if isinstance(scores, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("metrics"), dict):
            yield from _figures(entry, task)


def _figures(entry: Mapping[str, Any], task: str) -> Iterator[LogFigure]:
    name, scorer = str(entry.get("name")), str(entry.get("scorer") or entry.get("name"))
    reducer, n = entry.get("reducer"), entry.get("scored_samples")
    for metric, figure in entry["metrics"].items():
        value = _number(figure.get("value") if isinstance(figure, dict) else figure)
        if metric in _SPREADS:
            continue
        kind = "mean" if metric in _MEANS and reducer in (None, "mean") else f"{reducer or ''} {metric}".strip()
        yield LogFigure(
            task,
            name if name == scorer else f"{scorer}/{name}",
            value,
            aggregation=kind,
            n=n if isinstance(n, int) else None,
            stderr=_stderr(entry["metrics"]) if kind == "mean" else None,
        )


def _stderr(metrics: Mapping[str, Any]) -> float | None:
    stderr = metrics.get("stderr")
    return _number(stderr.get("value") if isinstance(stderr, dict) else stderr)
