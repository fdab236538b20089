"""Metrics of a package: `METRICS`, each with a name of its own, a direction, a range, two statistics and a source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import get_args, get_type_hints

from triptych.api.contracts.signatures import texts
from triptych.metrics.metric import Metric, known_metrics
from triptych.records.plug_ins import origin_of, shown

UNITS = get_args(get_type_hints(Metric)["unit"])


def check(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    """Yield the faults of a module of the group `triptych.metrics`."""
    metrics = getattr(module, "METRICS", None)
    if isinstance(metrics, Metric):
        yield "METRICS is a Metric; expected a tuple of Metric: METRICS = (Metric(…),)"
        return
    if metrics is not None and not isinstance(metrics, list | tuple):
        yield f"METRICS is {shown(metrics)}; expected a tuple of Metric"
        return
    if not metrics:
        yield "METRICS is missing or empty; expected a tuple of Metric"
        return
    origin, ids = origin_of(point), Counter(metric.id for metric in metrics if isinstance(metric, Metric))
    for metric in metrics:
        if not isinstance(metric, Metric):
            yield f"METRICS holds {shown(metric)}, not Metric"
            continue
        if not isinstance(metric.id, str):
            yield f"the id {metric.id!r} is {shown(metric.id)}; expected a text such as f1.token"
            continue
        if ids[metric.id] > 1:
            yield f"{metric.id}: two metrics have this id"
        if (owner := known_metrics().get(metric.id, (metric, origin))[1]) != origin:
            yield f"{metric.id}: {owner} has a metric with this id; name a rule of your own, such as {metric.id}.mine"
        yield from faults_of(metric)


def faults_of(metric: Metric) -> Iterator[str]:
    """Yield the faults of a metric's description."""
    about = f"{metric.id}: "
    if not re.fullmatch(r"[a-z][\w-]*(\.[\w-]+)*", metric.id):
        yield f"the id {metric.id!r} is not a name and rules separated by dots, such as f1.token"
    yield from texts(metric, ("name",), about)
    if not isinstance(metric.short, str):
        yield f"{about}short is {shown(metric.short)}; expected a text, the column's heading"
    if metric.better not in ("higher", "lower"):
        yield f"{about}better is {metric.better!r}; expected higher or lower"
    if metric.unit not in UNITS:
        yield f"{about}unit is {metric.unit!r}; expected one of: {', '.join(UNITS)}"
    yield from _range(metric, about)
    names = metric.statistics
    if (
        not isinstance(names, tuple)
        or len(names) != 2
        or not all(isinstance(name, str) and name.strip() for name in names)
    ):
        yield f"{about}statistics is {names!r}; expected the names of two numbers, numerator and denominator"
    if not isinstance(metric.source, str) or not metric.source.strip():
        yield f"{about}source is empty; name the publication that defines it"


def _range(metric: Metric, about: str) -> Iterator[str]:
    limits = metric.range
    numbers = isinstance(limits, tuple) and len(limits) == 2 and all(isinstance(one, int | float) for one in limits)
    if not numbers or not limits[0] < limits[1]:
        yield f"{about}range is {limits}; expected two numbers, (smallest, largest)"
    elif metric.unit == "%" and limits[1] == 1:
        yield f"{about}range is {limits}, but unit is %; a percentage of all goes up to 100"
