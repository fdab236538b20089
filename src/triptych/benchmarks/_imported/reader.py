"""Imported questions exist only in their Runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from triptych.benchmarks.registry import Report
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import SpecError
from triptych.records import Item


def source_files(_data: Path) -> list[Path]:
    """Return an empty list: there are no question files."""
    return []


def read(_spec: BenchmarkSpec, _data: Path, _tasks: Sequence[TaskSpec], _report: Report) -> list[Item]:
    """Raise SpecError: imported questions can be scored and viewed, but not asked."""
    raise cannot_be_asked()


def cannot_be_asked() -> SpecError:
    """Return the error that says why imported questions can't be asked, and what to do."""
    return SpecError(
        "an imported log can't be asked again: it holds questions and replies, but not everything that the model got "
        "(media, prompts, settings)",
        fix="score or compare the Run that `triptych import` made; to ask a model, run the benchmark that the log is "
        "of (`triptych list benchmarks`), or a file of the questions",
    )
