"""Question files are read by `own`: without one, a Run can be scored and viewed, but not asked again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from triptych.benchmarks.registry import Report
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import SpecError
from triptych.records import Item


def source_files(_data: Path) -> list[Path]:
    """Return an empty list: the question file is not known."""
    return []


def read(_spec: BenchmarkSpec, _data: Path, _tasks: Sequence[TaskSpec], _report: Report) -> list[Item]:
    """Raise SpecError."""
    raise SpecError("the question file is not known", fix="name the file instead of the benchmark")
