"""Figures that an imported log states, compared with the scores of its samples; and samples that it lacks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import isclose

from triptych.audit.results.systems import System
from triptych.audit.verdict import count_in_words
from triptych.models.catalogue import same_model
from triptych.records import Finding, finding
from triptych.scoring.notes.served_models import count_served_models, in_words
from triptych.store.folder import RunFolder
from triptych.store.log_figures import NAME, Followed, follow, read_log_figures

_NEAR = 0.02  # by which a standard error may differ from the recomputed one, relative: n or n - 1, few digits
_ENOUGH = 10  # samples below which gaps in their numbers mean little
_SHOWN = 10


def check_log_figures(system: System) -> Iterator[Finding]:
    """Yield findings on figures that are not the mean of their samples' scores, on standard errors that don't follow,
    on samples that are missing, and on replies of another model than the one named."""
    if system.manifest is None or not system.manifest.model_settings.get("harness"):
        return
    yield from _gaps(system)
    yield from _other_model_findings(system)
    if not (figures := read_log_figures(system.path)):
        return
    without: dict[str, list[Followed]] = defaultdict(list)
    for checked_figure in follow(figures, system.items.values(), RunFolder.open(system.path).responses()):
        no_number = checked_figure.figure.value is None and checked_figure.mean is not None
        system.figures.append(False if checked_figure.lacking or no_number else checked_figure.follows)
        if checked_figure.lacking:
            without[checked_figure.figure.task].append(checked_figure)
        elif no_number:
            yield _no_number(system, checked_figure)
        elif checked_figure.follows is False:
            yield _doesnt_follow(system, checked_figure)
        elif (
            checked_figure.figure.n is not None
            and checked_figure.follows is not None
            and checked_figure.n != checked_figure.figure.n
        ):
            yield _other_number(system, checked_figure)
        yield from _stderr(system, checked_figure)
        yield from _part(system, checked_figure)
    for task, stated in without.items():
        yield _no_samples(system, task, stated)


def _no_number(system: System, value: Followed) -> Finding:
    figure, mean = value.figure, value.mean
    assert mean is not None
    return finding(
        "score",
        "warning",
        system.benchmark.name,
        f"{system.name}, {figure.task}: the log states something that is not a number as {figure.name}, but the scores "
        f"of its {value.n:,} samples have a mean of {mean:.6g}",
        file=str(system.path / NAME),
        rows=[figure.task],
        columns=[figure.name],
        published="not a number",
        recomputed=round(mean, 6),
        effect="the figure is missing from tables that are made from the log",
    )


def _no_samples(system: System, task: str, stated: Sequence[Followed]) -> Finding:
    """Return the finding on a task of which the log states figures and has no sample."""
    names = ", ".join(f"{one.figure.name} = {_shown(one.figure.value)}" for one in stated[:_SHOWN])
    n = next((one.figure.n for one in stated if one.figure.n is not None), None)
    return finding(
        "missing",
        "warning",
        system.benchmark.name,
        f"{system.name}, {task}: the log states {names}, but has no sample of this task",
        file=str(system.path / NAME),
        rows=[task],
        columns=["samples"],
        published=n,
        recomputed=0,
        effect="its figures can't be recomputed, and a mean over tasks here is of fewer tasks than the log's",
        about=task,
    )


def _shown(value: float | None) -> str:
    return "not a number" if value is None else f"{value:.6g}"


def _doesnt_follow(system: System, value: Followed) -> Finding:
    figure, mean = value.figure, value.mean
    assert mean is not None
    assert figure.value is not None
    certain = figure.aggregation == "mean"
    n = f" (the log states {figure.n:,})" if figure.n not in (None, value.n) else ""
    return finding(
        "score",
        "severe" if certain else "warning",
        system.benchmark.name,
        f"{system.name}, {figure.task}: the log states {figure.name} = {figure.value:.6g}, but the scores of its "
        f"{value.n:,} samples{n} have a mean of {mean:.6g}"
        + ("" if certain else "; it doesn't tell whether it is one"),
        file=str(system.path / NAME),
        rows=[figure.task],
        columns=[figure.name],
        published=figure.value,
        recomputed=round(mean, 6),
        effect=f"{mean - figure.value:+.6g}",
    )


def _other_number(system: System, value: Followed) -> Finding:
    figure = value.figure
    assert figure.n is not None
    fewer = value.n < figure.n
    return finding(
        "count",
        "warning",
        system.benchmark.name,
        f"{system.name}, {figure.task}: the log states {figure.name} of {figure.n:,} samples and holds the scores of "
        f"{value.n:,}",
        file=str(system.path / NAME),
        rows=[figure.task],
        columns=[figure.name],
        published=figure.n,
        recomputed=value.n,
        effect="the figure can't be recomputed from all of its samples"
        if fewer
        else f"{value.n - figure.n:,} samples are not in the figure",
    )


def _stderr(system: System, value: Followed) -> Iterator[Finding]:
    """Yield a finding on a standard error that the samples don't give, and one on a standard error of 0."""
    figure, stderr = value.figure, value.stderr
    if figure.stderr is None or figure.aggregation not in ("", "mean") or stderr is None:
        return
    if figure.stderr == 0 and stderr == 0 and value.mean is not None:
        yield _no_error(system, value)
    elif not isclose(figure.stderr, stderr, rel_tol=max(_NEAR, 1 / value.n), abs_tol=1e-9):
        yield finding(
            "score",
            "severe" if figure.aggregation == "mean" and figure.stderr < stderr / 2 else "warning",
            system.benchmark.name,
            f"{system.name}, {figure.task}: the log states a standard error of {figure.stderr:.6g} for {figure.name}, "
            f"but the scores of its {value.n:,} samples give {stderr:.6g}",
            file=str(system.path / NAME),
            rows=[figure.task],
            columns=[f"{figure.name} stderr"],
            published=figure.stderr,
            recomputed=round(stderr, 6),
            effect=f"the interval is {'too narrow' if figure.stderr < stderr else 'too wide'}",
        )


def _no_error(system: System, value: Followed) -> Finding:
    """All samples have one score: the formula gives 0, which is not how sure the figure is."""
    figure, n = value.figure, value.n
    bound = 100 * (1 - 0.05 ** (1 / n))
    return finding(
        "score",
        "warning",
        system.benchmark.name,
        f"{system.name}, {figure.task}: the log states a standard error of 0 for {figure.name} = "
        f"{_shown(figure.value)}, since all {n:,} samples have one score; the true share may be {bound:.2g} points off "
        "(exact 95% bound)",
        file=str(system.path / NAME),
        rows=[figure.task],
        columns=[f"{figure.name} stderr"],
        published="0",
        recomputed=f"{bound:.2g} points",
        terms=("stated standard error", "exact 95% bound"),
        effect="the figure looks certain and is not",
    )


def _part(system: System, value: Followed) -> Iterator[Finding]:
    """Yield a note on a figure of a part of the data set."""
    figure = value.figure
    if figure.of is not None and figure.n is not None and figure.n < figure.of:
        yield finding(
            "coverage",
            "warning",
            system.benchmark.name,
            f"{system.name}, {figure.task}: {figure.name} is of {figure.n:,} of the data set's {figure.of:,} samples",
            file=str(system.path / NAME),
            rows=[figure.task],
            columns=[f"{figure.name} n"],
            effect=f"{100 * figure.n / figure.of:.1f}% of the questions",
        )


def _gaps(system: System) -> Iterator[Finding]:
    """Yield a finding on numbers of samples that are missing between the first and the last."""
    numbers: dict[str, set[int]] = defaultdict(set)
    for item in system.items.values():
        last = item.id.partition("@")[0].rpartition("/")[2]
        if last.isdecimal() and item.facets.get("log_task"):
            numbers[item.facets["log_task"]].add(int(last))
    for task, number in numbers.items():
        absent = sorted(set(range(min(number), max(number) + 1)) - number) if len(number) >= _ENOUGH else []
        if absent and len(absent) <= 0.5 * len(number):  # more: a sample, or a subset numbered through the whole set
            yield finding(
                "missing",
                "warning",
                system.benchmark.name,
                f"{system.name}, {task}: {count_in_words(len(absent), 'sample')} up to {max(number):,} "
                f"{'is' if len(absent) == 1 else 'are'} not in the log: "
                f"{', '.join(map(str, absent[:_SHOWN]))}{' …' * (len(absent) > _SHOWN)}",
                file=str(system.path),
                rows=[task],
                columns=["samples"],
                effect=f"{count_in_words(len(absent), 'question')} fewer in the figure",
                about=task,
            )


def _other_model_findings(system: System) -> Iterator[Finding]:
    """Yield a finding on a log whose replies name another model than the log does."""
    assert system.manifest is not None
    named = system.manifest.model.partition("/")[2]
    others = {
        name: n for name, n in count_served_models(system.responses.values()).items() if not _is_same_model(named, name)
    }
    if others and sum(others.values()):
        yield finding(
            "served",
            "severe" if not any(_related(named, name) for name in others) else "warning",
            system.benchmark.name,
            f"{system.name}: the log names {named}, but its replies name another model: "
            f"{in_words(count_served_models(system.responses.values()))}",
            file=str(system.path),
            rows=list(others),
            columns=["served_model"],
            effect="its figures belong to the model that answered",
        )


def _is_same_model(named: str, answered: str) -> bool:
    """Return whether two names are of one model, whoever provides it."""
    one, other = named.rpartition("/")[2].lower(), answered.rpartition("/")[2].lower()
    alias = one.removesuffix("-0")  # `claude-sonnet-4-0` is the newest version of claude-sonnet-4
    return same_model(alias, other) or same_model(other, one) or _without_separators(one) == _without_separators(other)


def _without_separators(name: str) -> str:
    """Return a name without its separators."""
    return "".join(c for c in name.partition(":")[0] if c.isalnum()) + "".join(name.partition(":")[1:])


def _related(named: str, answered: str) -> bool:
    """Return whether one name is the other with more after it: an alias, or a name that people gave a version."""
    one, other = named.rpartition("/")[2].lower(), answered.rpartition("/")[2].lower()
    return one.startswith(other) or other.startswith(one)
