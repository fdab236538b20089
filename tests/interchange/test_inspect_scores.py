"""Tests of `interchange/inspect_scores.py`: scores in a log of Inspect."""

from __future__ import annotations

from pathlib import Path

from triptych.interchange.inspect_scores import inspect_figures
from triptych.records.log_figures import LogFigure
from triptych.store.log_figures import read_log_figures, write_log_figures


def test_figures_that_are_not_numbers_are_kept_as_such(tmp_path: Path) -> None:
    """JSON has no NaN: it is written as null, and is read again as a figure without a value."""
    header = {"results": {"scores": [{"name": "match", "metrics": {"accuracy": {"value": float("nan")}}}]}}
    (figure,) = inspect_figures(header, "t")
    assert (figure.metric, figure.value) == ("match", None)
    write_log_figures(tmp_path, [figure, LogFigure("t", "f1", float("nan"))])
    assert [one.value for one in read_log_figures(tmp_path)] == [None, None]
