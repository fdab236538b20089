"""The results file of lm-eval and lmms-eval: `results` -> task -> `METRIC,FILTER` -> value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from triptych.records.log_figures import LogFigure

NONE = "none"  # the filter of tasks without a named one


def figures_of(results: Mapping[str, Any], tasks: Sequence[str]) -> Iterator[LogFigure]:
    """Yield the file's figures of the tasks, except standard errors. Values that aren't finite numbers are None; tables
    and lists, by which some tasks state their parts, are left out."""
    for task in tasks:
        filters = filters_of(results, task)
        for name, value in _stated_figures(results, task):
            metric, _, filter_ = name.partition(",")
            if not isinstance(value, dict | list) and not metric.endswith(_NO_FIGURES):
                plain = filter_ == NONE and len(filters) < 2
                kind = _aggregation(results, task, metric)
                yield LogFigure(
                    task,
                    metric,
                    float(value) if _is_number(value) else None,
                    "" if plain else filter_,
                    kind,
                    _count(results, task),
                    stderr=_stderr(results, task, metric, filter_),
                    of=_count(results, task, "original"),
                )


def _stderr(results: Mapping[str, Any], task: str, metric: str, filter_: str) -> float | None:
    value = dict(_stated_figures(results, task)).get(f"{metric}_stderr,{filter_}")
    return float(value) if value is not None and _is_number(value) else None


_NO_FIGURES = ("_stderr", "_stderr_clt", "_stderr_clustered")


def tasks_of(results: Mapping[str, Any]) -> list[str]:
    """Return the tasks of which the file states figures, without groups, whose figures are those of their tasks."""
    groups = {*_table(results, "groups"), *(name for name, of in _table(results, "group_subtasks").items() if of)}
    return [task for task in _table(results, "results") if task not in groups and any(_stated_figures(results, task))]


def filters_of(results: Mapping[str, Any], task: str) -> list[str]:
    """Return the filters in the task's figures, in order."""
    return list(dict.fromkeys(name.partition(",")[2] for name, _ in _stated_figures(results, task)))


def settings_of(results: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the model was asked, as far as the values are plain."""
    config = _table(results, "config")
    kwargs = config.get("gen_kwargs")
    settings = dict(kwargs) if isinstance(kwargs, dict) else {"gen_kwargs": kwargs}
    settings |= {name: config.get(name) for name in ("model", "limit", "num_fewshot")}
    return {str(k): v for k, v in settings.items() if isinstance(v, int | float | str) and v != ""}


def _stated_figures(results: Mapping[str, Any], task: str) -> Iterator[tuple[str, Any]]:
    for name, value in _table(_table(results, "results"), task).items():
        if isinstance(name, str) and "," in name:
            yield name, value


def _aggregation(results: Mapping[str, Any], task: str, metric: str) -> str:
    """Return how the task's configuration aggregates a metric; empty if it isn't stated."""
    listed = _table(_table(results, "configs"), task).get("metric_list")
    for entry in listed if isinstance(listed, list) else []:
        if isinstance(entry, dict) and entry.get("metric") == metric:
            return str(entry.get("aggregation") or "")[:40]
    return ""


def _count(results: Mapping[str, Any], task: str, which: str = "effective") -> int | None:
    n = _table(_table(results, "n-samples"), task).get(which)
    return n if isinstance(n, int) and not isinstance(n, bool) else None


def _table(of: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = of.get(name)
    return table if isinstance(table, dict) else {}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
