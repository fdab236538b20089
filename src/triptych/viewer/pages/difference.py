"""The difference of two Runs with interval and p-value, as computed by `triptych compare`, for the comparison page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from triptych.errors import TriptychError
from triptych.records import Estimate
from triptych.reports.tables import words
from triptych.scoring.runs import is_outdated
from triptych.store.folder import RunFolder
from triptych.viewer.commands import command
from triptych.viewer.index.files import open_index

MAX_ITEMS = 20_000  # Items of a Run: more take longer than a page may
NAMES = ("A", "B")


@dataclass(frozen=True, slots=True)
class FigureDifference:
    """One figure's difference, A minus B, as the page shows it."""

    name: str
    difference: str
    interval: str
    p: str
    n: int


@dataclass(frozen=True, slots=True)
class Difference:
    """`sentences` describe it, `scope` gives the questions that count, `warnings` what differs besides the model.

    `figures`: each figure separately. `problem`: why there is no difference, and what to do.
    """

    sentences: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    figures: tuple[FigureDifference, ...] = ()
    problem: str = ""


def difference(a: RunFolder, b: RunFolder, protocol: str) -> Difference:
    """Return A minus B over the questions that both were asked, under one protocol. Never raises: problems are part of
    the result."""
    folders = (a, b)
    if a.path.resolve() == b.path.resolve():
        return Difference(problem="A and B are the same Run.")
    if any(map(is_outdated, folders)):
        scored = "; ".join(command("score", folder.path) for folder in folders if is_outdated(folder))
        return Difference(problem=f"The scores are older than the latest replies. To update them, run: {scored}")
    indexes = [open_index(folder) for folder in folders]
    if max(index.contents.rows for index in indexes) > MAX_ITEMS:
        compared = command("compare", a.path, b.path)
        return Difference(problem=f"More than {MAX_ITEMS:,} Items take too long to compare on a page. Run: {compared}")
    stamps = (indexes[0].contents.stamp, indexes[1].contents.stamp)
    try:
        return _compute_difference((a.path, b.path), protocol, stamps)
    except TriptychError as error:
        return Difference(problem=f"The difference can't be computed: {error.problem}.")


@lru_cache(maxsize=64)
def _compute_difference(paths: tuple[Path, Path], protocol: str, stamps: tuple[str, str]) -> Difference:
    from triptych.analysis.comparing.comparison import compare_runs
    from triptych.analysis.observed import observe

    comparison = compare_runs(observe([RunFolder.open(path) for path in paths], protocol or None, NAMES))
    estimates = [one for one in comparison.section.estimates if one.measure == "difference"]
    return Difference(comparison.sentences, comparison.scope, comparison.warnings, tuple(map(_figure, estimates)))


def _figure(estimate: Estimate) -> FigureDifference:
    spread = ""
    if estimate.interval:
        low, high = (_signed(bound, estimate.digits) for bound in estimate.interval)
        spread = f"{low} to {high}"
    value = words.DASH if estimate.value is None else _signed(estimate.value, estimate.digits)
    return FigureDifference(
        _name(estimate.task, estimate.metric, estimate.slice), value, spread, _p(estimate.p_value), estimate.n
    )


def _name(task: str, metric: str, slice_: Mapping[str, str]) -> str:
    """Return `acc, direction audio text`, with the Task first for one Task's figure."""
    parts = [f"{name} {value}".replace("_", " ") for name, value in slice_.items()]
    return ", ".join([*([task.partition("/")[2]] if "/" in task else []), metric, *parts])


def _signed(value: float, digits: int) -> str:
    shown = words.number(value, digits)
    return (f"+{shown}" if value > 0 and float(shown) else shown).replace("-", "−")


def _p(value: float | None) -> str:
    return "" if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"
