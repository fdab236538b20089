"""Read `spec.toml` strictly: unknown, repeated or missing keys are errors with their line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import msgspec

from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.benchmarks.spec_errors import combined_error, errors_of, line_of
from triptych.errors import SpecError, nearest
from triptych.judges.rubric import known_rubrics
from triptych.metrics.metric import known_metrics
from triptych.prompts.build import check_template
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason


def load_spec(path: Path) -> BenchmarkSpec:
    """Read and check a `spec.toml`. Raises one SpecError for all faults, with file, line and the most similar
    name."""
    try:
        source = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SpecError("a benchmark has no readable spec.toml", where=path, got=error.strerror) from None
    except UnicodeDecodeError as error:
        raise SpecError("spec.toml is not valid TOML", where=path, got=str(error)) from None
    return _checked(path, source)


@lru_cache(maxsize=32)  # a command needs the same specification several times, and the large ones take 50 ms
def _checked(path: Path, source: str) -> BenchmarkSpec:
    try:
        table = parse_toml(source)
    except NO_TOML as error:
        raise SpecError("spec.toml is not valid TOML", where=path, got=reason(error)) from None
    try:
        spec = msgspec.convert(table, BenchmarkSpec)
    except msgspec.ValidationError:
        errors, rest = errors_of(path, source)
        raise combined_error([*errors, *_task_errors(rest, path, source)], path) from None
    if errors := list(_errors(spec, path, source)):
        raise combined_error(errors, path)
    return spec


def _errors(spec: BenchmarkSpec, path: Path, source: str) -> Iterator[SpecError]:
    """Yield errors that types can't express: repeated Tasks, unknown metrics and prompts, an empty citation."""
    yield from _task_errors(spec.tasks, path, source)
    for prompt in dict.fromkeys([*(name for task in spec.tasks for name in task.prompts), spec.prompt]):
        if prompt not in spec.prompts:
            fix = nearest(prompt, spec.prompts)
            yield SpecError(f"no prompt {prompt!r}", where=line_of(path, source, prompt), fix=fix)
    for name, template in spec.prompts.items():
        try:
            check_template(name, template, line_of(path, source, name))
        except SpecError as error:
            yield error
    if not spec.citation.title.strip() or not spec.citation.authors.strip():
        yield SpecError("the citation is empty", where=line_of(path, source, "citation"), fix="name title and authors")
    if not spec.tasks or not spec.protocols:
        yield SpecError("a benchmark needs at least one task and one protocol", where=path)


def _task_errors(tasks: Iterable[TaskSpec], path: Path, source: str) -> Iterator[SpecError]:
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            yield SpecError(
                f"task {task.id!r} is listed twice", where=line_of(path, source, task.id, 2), fix="remove one"
            )
        seen.add(task.id)
        yield from _metric_errors(task, path, source)


def _metric_errors(task: TaskSpec, path: Path, source: str) -> Iterator[SpecError]:
    metrics = known_metrics()
    for metric in task.metrics:
        if metric not in metrics:
            yield SpecError(
                f"task {task.id!r} uses a metric that doesn't exist: {metric!r}",
                where=line_of(path, source, metric),
                fix=nearest(metric, metrics),
            )
    for metric, rubric in task.rubrics.items():
        if metric not in task.metrics:
            yield SpecError(
                f"task {task.id!r} has a rubric for a metric that it doesn't have: {metric!r}",
                where=line_of(path, source, "rubrics"),
                fix=nearest(metric, task.metrics),
            )
        if rubric not in known_rubrics():
            yield SpecError(
                f"task {task.id!r} names a rubric that doesn't exist: {rubric!r}",
                where=line_of(path, source, "rubrics"),
                fix=nearest(rubric, known_rubrics()),
            )
