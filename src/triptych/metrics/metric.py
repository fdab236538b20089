"""A metric is data (id, unit, range, direction, source) apart from its computation. One file a metric or family."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Literal

from triptych.errors import SpecError, nearest
from triptych.records.plug_ins import loaded


@dataclass(frozen=True, slots=True)
class Metric:
    """What a metric means.

    `statistics` names the two additive numbers kept for each Unit (numerator, denominator); a value over many
    Units is the quotient of their sums, times 100 where `unit` is per cent. `short` heads a column where
    the name is too long for one.
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
        """What heads a column."""
        return self.short or self.name


@cache
def known_metrics() -> Mapping[str, tuple[Metric, str]]:
    """Every metric: id -> (Metric, where it came from). A module of this package lists its own in `METRICS`.

    Found once a process: every figure of a table looks its metric up.
    """
    found: dict[str, tuple[Metric, str]] = {}
    for metric, origin in _all():
        if metric.id in found:
            raise SpecError(f"two metrics are called {metric.id!r}", got=f"{found[metric.id][1]} and {origin}")
        found[metric.id] = (metric, origin)
    return MappingProxyType(found)


def metric_name(id_: str) -> str:
    """The name before the first dot: `f1` for `f1.charset`. One name can have several rules, each with its id."""
    return id_.partition(".")[0]


def find_metric(id_: str) -> Metric:
    """The metric called `id_`. Raises SpecError with the nearest right name."""
    known = known_metrics()
    if id_ not in known:
        raise SpecError(f"no metric {id_!r}", fix=nearest(id_, known))
    return known[id_][0]


def _all() -> Iterator[tuple[Metric, str]]:
    package = import_module("triptych.metrics")
    for info in pkgutil.iter_modules(package.__path__):
        for metric in getattr(import_module(f"triptych.metrics.{info.name}"), "METRICS", ()):
            yield metric, "triptych"
    for module, origin in loaded("triptych.metrics"):
        for metric in getattr(module, "METRICS", ()):
            yield metric, origin
