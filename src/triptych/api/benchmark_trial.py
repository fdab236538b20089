"""What `check-plugin` tries of a benchmark: its mini set is checked, asked, and scored with answers and without."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from triptych.api.layout_trial import layout_faults, slice_faults
from triptych.api.protocol_trial import unit_faults, unread_faults
from triptych.benchmarks.registry import Benchmark
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import nearest
from triptych.experiment.prompts import chosen_prompts
from triptych.metrics.metric import metric_name
from triptych.prompts.build import omitted_parts
from triptych.records import Aggregate
from triptych.running.plan import make_requests
from triptych.store.folder import RunFolder

UNITS = 50  # Units of the mini set whose Scores are looked at


def trial(bench: Benchmark, folder: Path) -> Iterator[str]:
    """Yield the faults of a benchmark with a mini set, which is asked with `baseline/reference` in `folder`."""
    from triptych.api.runs import run

    if (bench.folder / "check.py").is_file():
        problems = [problem for problem in bench.check(bench.mini) if problem.severity == "error"]
        yield from (f"mini: {problem.where}: {problem.message}" for problem in problems[:5])
    else:
        yield f"there is no check.py, so `triptych check {bench.name}` can't be called"
    yield from prompt_faults(bench)
    result = run(bench, "baseline/reference", data=bench.mini, out=folder)
    if not any(True for _ in result.folder.responses()):
        yield "mini: no Item could be asked"
        return
    yield from dict.fromkeys(_score_faults(bench, result.folder))
    yield from figure_faults(result.scores)
    yield from whole_task_faults(bench.spec, result.scores, {item.task for item in result.folder.items()})
    yield from layout_faults(bench.spec, result.scores)
    yield from slice_faults(bench.spec, list(bench.items(bench.mini, report=lambda problem: None)), result.scores)


def prompt_faults(bench: Benchmark) -> Iterator[str]:
    """Yield the prompts that leave out the question or the options of an Item of the mini set."""
    prompts, prompt_of, _ = chosen_prompts(bench, bench.spec.tasks, None)
    items = bench.items(bench.mini, report=lambda problem: None)
    faults: dict[tuple[str, str], str] = {}
    for request in make_requests(items, conditions=(), prompts=prompts, prompt_of=prompt_of, settings={}):
        assert request.item is not None
        for what in omitted_parts(request):
            faults.setdefault((prompt_of[request.item.task], what), request.item.id)
    yield from (f"the prompt {name!r} leaves out {what} of Item {id}" for (name, what), id in faults.items())


def _score_faults(bench: Benchmark, folder: RunFolder) -> Iterator[str]:
    from triptych.scoring.stored.corpus import Corpus

    tasks = {bench.spec.full_id(task): task for task in bench.spec.tasks}
    with Corpus(folder) as corpus:
        units = list(islice((unit for chunk in corpus for unit in chunk), UNITS))
    for unit in units:
        listed = tasks[unit.item.task].metrics if unit.item.task in tasks else ()
        for protocol in bench.protocols.values():
            yield from unit_faults(unit, protocol, listed)
    for protocol in bench.protocols.values():
        yield from unread_faults(units, protocol)


def figure_faults(scores: Mapping[str, Sequence[Aggregate]]) -> Iterator[str]:
    """Yield the figures of the reference answers that are outside their metric's range, or the worst one in it."""
    from triptych.metrics.metric import known_metrics

    for protocol, aggregates in scores.items():
        for figure in aggregates:
            value = figure.value
            if figure.slice or figure.metric not in known_metrics():
                continue
            if unread := figure.counts.get("unparsed", 0):
                where = f"{unread} of {sum(figure.counts.values())} reference answers"
                yield f"note: protocol {protocol!r}, {figure.task}: {figure.metric} reads no answer in {where}"
            if value is None:
                if figure.n:
                    about = f"note: protocol {protocol!r}, {figure.task}"
                    yield f"{about}: {figure.metric} of the reference answers can't be computed"
                continue
            metric = known_metrics()[figure.metric][0]
            low, high = metric.range
            best, worst = (high, low) if metric.better == "higher" else (low, high)
            about = f"protocol {protocol!r}, {figure.task}: {figure.metric} of the reference answers is {value:g}"
            if not math.isfinite(value) or not low - 1e-6 <= value <= high + 1e-6:
                yield f"{about}, outside the metric's range, {low:g} to {high:g}"
            elif value == 1 and metric.unit == "%" and high == 100:
                yield f"{about}: a share, where {figure.metric} is a percentage"
            elif value == worst != best:
                yield f"{about}, the worst value: the protocol doesn't accept the benchmark's own answers"


def whole_task_faults(
    spec: BenchmarkSpec, scores: Mapping[str, Sequence[Aggregate]], tasks_run: Collection[str]
) -> Iterator[str]:
    """Yield the Tasks that were asked and of which a protocol's `aggregate` gives no figure, and its figures of Tasks
    that don't exist."""
    tasks = {spec.full_id(task): task for task in spec.tasks}
    paths = {"/".join(id.split("/")[:length]) for id in tasks for length in range(1, id.count("/") + 2)}
    shown_tasks = {column.task for layout in spec.layouts for column in layout.columns}
    shown_tasks |= {row.task for layout in spec.layouts for row in layout.rows}
    for protocol, figures in scores.items():
        about = f"aggregate of the protocol {protocol!r}"
        for figure in figures:
            if figure.task not in paths and not figure.tasks and figure.task not in shown_tasks:
                wrong = f"{about} gives a figure of the Task {figure.task!r}, which doesn't exist"
                yield f"{wrong}; {nearest(figure.task, paths)}"
        complete = {(figure.task, metric_name(figure.metric)) for figure in figures if not figure.slice}
        for id in sorted(tasks_run & tasks.keys()):
            if not any((id, metric_name(metric)) in complete for metric in tasks[id].metrics):
                names = ", ".join(sorted({figure.metric for figure in figures if figure.task == id})) or "none"
                missing = f"{about} gives no figure ({', '.join(tasks[id].metrics)}) of the whole Task {id}"
                yield f"{missing}; its figures there: {names}"
