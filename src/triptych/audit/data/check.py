"""`audit data`: faults of a benchmark's questions and media, and what can be answered without looking at the media."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec

from triptych.audit.data.guessing import check_guessing, check_surface_cues
from triptych.audit.data.problems import RECOMPUTED, as_finding
from triptych.audit.data.questions import check_questions
from triptych.audit.data.recordings import census_of, check_recordings, media_uses
from triptych.audit.results.published import published_scores
from triptych.audit.stated_answers import check_stated_answers
from triptych.audit.tables.cells import matching
from triptych.audit.tables.rules import DataRules, load_rules
from triptych.audit.verdict import count_in_words, verdict
from triptych.benchmarks import Benchmark
from triptych.benchmarks.origins import is_built
from triptych.benchmarks.spec import TaskSpec
from triptych.errors import SpecError, TriptychError
from triptych.records import FINDING_SEVERITIES, Finding, Item, Problem, finding
from triptych.records.checked import Audited
from triptych.records.plug_ins import line_of, why_not
from triptych.store.spooled import SpooledGroups

# Kinds of findings on single questions that are not repeated if `check` has reported them for the Task.
_REPORTED_BY_CHECK = ("target", "malformed", "duplicate")


def audit_data(
    benchmark: Benchmark, data: Path, tasks: Sequence[TaskSpec], checked: Sequence[Problem] | None = None
) -> Audited:
    """Return the findings on the Tasks' data, the most severe first.

    They come from `check`, from the rules that hold for every benchmark's Items, and from the benchmark's own
    `audit.py` if it has one (`audit_data(spec, data, tasks) -> Iterator[Finding]`). The Items of one Task are in memory
    at a time. `checked`: what `check` has found in the same data; if None, it is run.

    Raises:
        DataError: If there are no question files.
    """
    name = benchmark.name
    checks = benchmark.check(data, tasks) if checked is None else checked
    problems = [_of_data(as_finding(p, name)) for p in checks if p.kind not in RECOMPUTED]
    by_task = SpooledGroups(benchmark.items(data, tasks, lambda problem: None), lambda item: item.task)
    reported = {(f.kind, f.rows[:1]) for f in problems if f.rows and f.kind in _REPORTED_BY_CHECK}
    task_ids = frozenset(task.id for task in tasks)
    findings = [f for f in _general(benchmark, data, by_task, task_ids) if (f.kind, f.columns[:1]) not in reported]
    every = [*problems, *map(_of_data, findings), *map(_of_data, _benchmark_findings(benchmark, data, tasks))]
    every.sort(key=lambda f: FINDING_SEVERITIES.index(f.severity))
    n = sum(by_task.sizes.values())
    return Audited(every, verdict(f"{count_in_words(n, 'question')} in {count_in_words(len(by_task), 'Task')}", every))


def _of_data(one: Finding) -> Finding:
    return msgspec.structs.replace(one, origin="data")


def _general(
    benchmark: Benchmark, data: Path, by_task: SpooledGroups[Item], task_ids: frozenset[str]
) -> Iterator[Finding]:
    rules, file = _rules(benchmark, data), str(data)
    models = published_scores(benchmark.folder, load_rules(benchmark.folder)) if _is_release(benchmark, data) else {}
    names = [task for task in by_task if not matching([_task_part(task)], rules.skip)]
    for task in names:
        items = by_task[task]
        yield from check_guessing(benchmark.name, task, items, file, models.get(_task_part(task)))
        yield from check_questions(benchmark.name, task, items, file, rules)
        yield from check_stated_answers(benchmark.name, task, items, file)
        del items  # before those of the next Task are read
    yield from _counts(benchmark, {_task_part(task): by_task.sizes[task] for task in names}, task_ids, file, rules)
    root = data if data.is_dir() else data.parent
    uses = media_uses(item for task in names for item in by_task[task])
    census = census_of(uses, root, rules)
    yield from check_recordings(benchmark.name, uses, root, census)
    for task in names:
        yield from check_surface_cues(
            benchmark.name, task, by_task[task], census.figures, file, models.get(_task_part(task))
        )


def _task_part(task: str) -> str:
    """Return the name of a Task within its benchmark."""
    return task.partition("/")[2]


def _is_release(benchmark: Benchmark, data: Path) -> bool:
    return not is_built(data) and data.resolve() != benchmark.mini.resolve()


def _rules(benchmark: Benchmark, data: Path) -> DataRules:
    """Return the benchmark's rules. The built-in set and sets of one's own are not a release, so rules on the amount of
    data don't apply to them."""
    rules = load_rules(benchmark.folder).data
    if _is_release(benchmark, data):
        return rules
    return msgspec.structs.replace(rules, published_counts={}, balance=(), shortest_seconds=0.0)


def _counts(
    benchmark: Benchmark, sizes: Mapping[str, int], task_ids: frozenset[str], file: str, rules: DataRules
) -> Iterator[Finding]:
    """Yield findings on numbers of questions that differ from the paper's, for a Task or for all Tasks that match a
    pattern, provided that all of them are audited together."""
    every = [task.id for task in benchmark.spec.tasks if not matching([task.id], rules.skip)]
    for pattern, count in rules.published_counts.items():
        named = matching(every, [pattern])
        n = sum(sizes.get(task, 0) for task in named)
        if not named or not task_ids.issuperset(named) or n == count:
            continue
        absent = sum(task not in sizes for task in named)
        over = f" in {len(named)} Tasks ({absent} of them have no questions here)" if len(named) > 1 else ""
        yield finding(
            "count",
            "warning",
            benchmark.name,
            f"{n:,} questions{over}, but the paper counts {count:,}",
            file=file,
            rows=[f"{benchmark.name}/{pattern}"],
            published=float(count),
            recomputed=float(n),
            effect=f"{n - count:+,} questions",
        )


def _benchmark_findings(benchmark: Benchmark, data: Path, tasks: Sequence[TaskSpec]) -> Iterator[Finding]:
    if find_spec(f"{benchmark.package}.audit") is None:
        return
    try:
        findings = list(benchmark.module("audit").audit_data(benchmark.spec, data, tasks))
        if wrong := [one for one in findings if not isinstance(one, Finding)]:
            raise TypeError(f"audit_data gives {type(wrong[0]).__name__}, not Finding")
    except TriptychError:
        raise
    except Exception as error:
        if benchmark.origin == "triptych":
            raise
        raise SpecError(
            f"audit.py of the package {benchmark.origin} failed",
            got=why_not(error),
            where=line_of(error) or None,
            fix=f"report it to the authors of {benchmark.origin}",
        ) from error
    yield from findings
