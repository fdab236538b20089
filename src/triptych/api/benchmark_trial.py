"""What `check-plugin` tries of a benchmark: its mini set is checked, asked, and scored with answers and without."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from triptych.benchmarks.registry import Benchmark
from triptych.errors import TriptychError
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import Aggregate, Response, ResponseStatus
from triptych.store.folder import RunFolder

UNITS = 50  # Units of the mini set whose Scores are looked at
WITHOUT_ANSWER: tuple[ResponseStatus | None, ...] = ("failed", "skipped", "refused", "truncated", None)


def trial(bench: Benchmark, folder: Path) -> Iterator[str]:
    """Yield the faults of a benchmark with a mini set, which is asked with `baseline/reference` in `folder`."""
    from triptych.api.runs import run

    problems = [problem for problem in bench.check(bench.mini) if problem.severity == "error"]
    yield from (f"mini: {problem.where}: {problem.message}" for problem in problems[:5])
    result = run(bench, "baseline/reference", data=bench.mini, out=folder)
    if not any(True for _ in result.folder.responses()):
        yield "mini: no Item could be asked"
        return
    yield from dict.fromkeys(_score_faults(bench, result.folder))
    yield from figure_faults(result.scores)


def _score_faults(bench: Benchmark, folder: RunFolder) -> Iterator[str]:
    from triptych.scoring.stored.corpus import Corpus

    tasks = {bench.spec.full_id(task): task for task in bench.spec.tasks}
    with Corpus(folder) as corpus:
        units = list(islice((unit for chunk in corpus for unit in chunk), UNITS))
    for unit in units:
        listed = tasks[unit.item.task].metrics if unit.item.task in tasks else ()
        for protocol in bench.protocols.values():
            yield from unit_faults(unit, protocol, listed)


def unit_faults(unit: Unit, protocol: Protocol, listed: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with a protocol's Scores of a Unit: metrics that its Task doesn't list, other Scores the
    second time, and a Unit without an answer that has fewer Scores or counts as answered."""
    from triptych.metrics.metric import metric_name
    from triptych.scoring.apply import score_units

    about = f"protocol {protocol.name!r}"
    scores = score_units([unit], protocol)
    names = tuple(score.metric for score in scores)
    names_listed = {metric_name(name) for name in listed}  # a protocol may have another rule of a listed metric
    if unknown := [name for name in names if metric_name(name) not in names_listed]:
        yield f"{about} gives Scores of {unknown[0]!r}, which the Task {unit.item.task} doesn't list in its metrics"
    if score_units([unit], protocol) != scores:
        yield f"{about} gives other Scores for the same Unit the second time"
    for status in WITHOUT_ANSWER:
        what = f"a Unit whose Response is {status}" if status else "a Unit without a Response"
        try:
            unanswered = score_units([_without_answer(unit, status)], protocol)
        except TriptychError as error:
            yield f"{about} can't score {what}: {error.problem}; got: {error.got}"
            continue
        if tuple(score.metric for score in unanswered) != names:
            yield f"{about} gives {what} other metrics than one that is answered; it would drop out of the denominator"
        elif status in ("failed", "skipped", None) and any(score.status == "scored" for score in unanswered):
            yield f"{about} scores {what} as if it were answered; see `lost_status`"


def _without_answer(unit: Unit, status: ResponseStatus | None) -> Unit:
    replies = tuple(None if status is None else Response(item.id, "", unit.repeat, status) for item in unit.items)
    return Unit(unit.items, replies, unit.repeat)


def figure_faults(scores: Mapping[str, Sequence[Aggregate]]) -> Iterator[str]:
    """Yield the figures of the reference answers that are outside their metric's range, or the worst one in it."""
    from triptych.metrics.metric import known_metrics

    for protocol, aggregates in scores.items():
        for figure in aggregates:
            value = figure.value
            if figure.slice or value is None or figure.metric not in known_metrics():
                continue
            metric = known_metrics()[figure.metric][0]
            low, high = metric.range
            best, worst = (high, low) if metric.better == "higher" else (low, high)
            about = f"protocol {protocol!r}, {figure.task}: {figure.metric} of the reference answers is {value:g}"
            if not math.isfinite(value) or not low - 1e-6 <= value <= high + 1e-6:
                yield f"{about}, outside the metric's range, {low:g} to {high:g}"
            elif value == worst != best:
                yield f"{about}, the worst value: the protocol doesn't accept the benchmark's own answers"
