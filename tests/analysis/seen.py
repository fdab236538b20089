"""Runs as analyses see them, made of Scores in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.scoring.toy import item, make_spec, protocol
from triptych.analysis.observed import Observed
from triptych.benchmarks import Benchmark
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.protocols.protocol import Protocol
from triptych.records import Item, RunManifest, Score
from triptych.scoring.figures.aggregate import aggregate_scores


class InMemory:
    """As much of a Benchmark as analyses use."""

    def __init__(self, spec: BenchmarkSpec) -> None:
        self.spec, self.name = spec, spec.name


def seen(
    label: str,
    scores: Sequence[Score],
    *,
    spec: BenchmarkSpec | None = None,
    by: Protocol | None = None,
    items: Sequence[Item] | None = None,
    signature: str = "",
    manifest: RunManifest | None = None,
    **more: Any,
) -> Observed:
    """One Run of the toy benchmark (or of `spec`), with an Item for each Unit."""
    spec, by = spec or make_spec(), by or protocol(**more)
    sign = signature or f"bench:toy@1|data:abc|protocol:standard@1|model:{label}|cond:none"
    figures = aggregate_scores(scores, by, spec, sign, replicates=50)
    made = [item(s.unit, s.task.partition("/")[2], instance=s.instance) for s in {s.unit: s for s in scores}.values()]
    benchmark: Benchmark = InMemory(spec)  # type: ignore[assignment]
    return Observed(label, benchmark, by, tuple(scores), tuple(figures), tuple(items or made), manifest)
