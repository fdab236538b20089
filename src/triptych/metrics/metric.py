"""The description of a metric (id, unit, range, direction, source), separate from its computation.

Each module of this package holds one metric or one family of metrics and lists their descriptions in `METRICS`.
"""

from __future__ import annotations

import pkgutil
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Literal

from triptych.errors import SpecError, nearest
from triptych.records.plug_ins import broken_plug_ins, load_plug_ins


@dataclass(frozen=True, slots=True)
class Metric:
    """Description of a metric.

    Attributes:
        id: Identifier such as `f1.token`: a name, and after the first dot the rule.
        name: Name for people, as it appears in reports.
        better: Direction: whether higher or lower values are better.
        unit: Unit of a value over many Units.
        range: Smallest and largest possible value, in `unit`.
        statistics: Names of the two additive numbers stored for each Unit (numerator, denominator). The value over
            many Units is the quotient of their sums, times 100 if `unit` is "%".
        source: Publication that defines the metric, and how values of Units are combined.
        short: Column heading; the name is used if it is empty.
    """

    id: str
    name: str
    better: Literal["higher", "lower"]
    unit: Literal["%", "1-10", "1-5", "score"]
    range: tuple[float, float]
    statistics: tuple[str, str]
    source: str
    short: str = ""

    @property
    def heading(self) -> str:
        """The column heading in tables."""
        return self.short or self.name


@cache
def known_metrics() -> Mapping[str, tuple[Metric, str]]:
    """Return all metrics as id -> (Metric, origin); the origin is `triptych` or the package of a plug-in.

    The result is cached, because every figure of a table looks up its metric. Of two metrics with one id the first
    counts, so that a plug-in can't change or stop what others use; a RuntimeWarning names the other one's package.
    """
    metrics: dict[str, tuple[Metric, str]] = {}
    for metric, origin in _built_in_metrics():
        if metric.id in metrics:
            both = f"{metrics[metric.id][1]} and {origin}"
            warnings.warn(f"two metrics have the id {metric.id!r} ({both}); the second is left out", RuntimeWarning, 2)
            continue
        metrics[metric.id] = (metric, origin)
    return MappingProxyType(metrics)


def metric_name(id_: str) -> str:
    """Return the part of a metric id before the first dot. Several rules can share a name.

    Example:
        >>> metric_name("f1.charset")
        'f1'
    """
    return id_.partition(".")[0]


def find_metric(id_: str) -> Metric:
    """Return the metric with this id. Raises SpecError, which names the nearest known id, if there is none."""
    metrics = known_metrics()
    if id_ not in metrics:
        raise SpecError(f"unknown metric {id_!r}", fix=nearest(id_, metrics))
    return metrics[id_][0]


def _built_in_metrics() -> Iterator[tuple[Metric, str]]:
    package = import_module("triptych.metrics")
    for info in pkgutil.iter_modules(package.__path__):
        for metric in getattr(import_module(f"triptych.metrics.{info.name}"), "METRICS", ()):
            yield metric, "triptych"
    for module, origin in load_plug_ins("triptych.metrics", _offered):
        for metric in _offered(module):
            yield metric, origin


def broken_metrics() -> dict[str, str]:
    """Return plug-ins that can't be used: the name of the entry point -> where it comes from, and the reason.

    Example:
        >>> broken_metrics()  # every installed plug-in could be loaded
        {}
    """
    return broken_plug_ins("triptych.metrics", _offered)


def _offered(module: ModuleType) -> tuple[Metric, ...]:
    if not hasattr(module, "METRICS"):
        raise TypeError("METRICS is missing")
    metrics = tuple(module.METRICS)
    if wrong := [metric for metric in metrics if not isinstance(metric, Metric)]:
        raise TypeError(f"METRICS holds {type(wrong[0]).__name__}, not Metric")
    return metrics
