"""`log.json` of an imported Run: the figures that the log states, compared with the scores of its samples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import isclose, isfinite, sqrt
from pathlib import Path
from statistics import stdev

import msgspec

from triptych.errors import RunFolderError
from triptych.records import Item, Response
from triptych.records.log_figures import STORED, LogFigure
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.atomic import write_atomically
from triptych.store.files.run_files import read_own

NAME = "log.json"


@dataclass(frozen=True, slots=True)
class Followed:
    """A figure of the log, and the `mean` of its samples' scores; None if no sample has a score. `lacking`: whether the
    log has no sample of the figure's task."""

    figure: LogFigure
    mean: float | None
    n: int
    spread: float | None = None  # standard deviation of the samples' scores, with n - 1; None for fewer than two
    lacking: bool = False

    @property
    def follows(self) -> bool | None:
        """Whether the figure equals the mean of its samples; None if it is not supposed to, if it is not a number, or
        if no sample has a score. A function of the harness that gives the mean, or the mean in percent, is one.
        """
        if self.mean is None or self.figure.value is None:
            return None
        if self.figure.aggregation not in ("", "mean"):
            is_mean = any(isclose(self.figure.value, by * self.mean, rel_tol=1e-5, abs_tol=1e-5) for by in (1, 100))
            return True if is_mean and self.figure.aggregation.startswith("<function") else None
        digits = self.figure.digits
        slack = 1e-6 if digits is None else 0.50001 * 10.0**-digits
        return isclose(self.figure.value, self.mean, rel_tol=1e-6, abs_tol=slack)

    @property
    def stderr(self) -> float | None:
        """The standard error of the mean, s / sqrt(n); None for fewer than two samples."""
        return None if self.spread is None else self.spread / sqrt(self.n)


def write_log_figures(path: Path, figures: Sequence[LogFigure]) -> None:
    """Write `log.json` into a Run folder; nothing is written if the log states no figure."""
    if figures:
        write_atomically(path / NAME, msgspec.json.format(msgspec.json.encode(figures), indent=1) + b"\n")


def read_log_figures(path: Path) -> list[LogFigure]:
    """Return the figures in `log.json`; empty if there is no such file. Raises RunFolderError if it is damaged."""
    try:
        return msgspec.json.decode(read_own(path / NAME), type=list[LogFigure])
    except FileNotFoundError:
        return []
    except (OSError, *UNREADABLE) as error:
        fix = "import the log again"
        problem = "the figures of an imported log can't be read"
        raise RunFolderError(problem, where=path / NAME, got=reason(error)[:300], fix=fix) from None


def follow(figures: Sequence[LogFigure], items: Iterable[Item], responses: Iterable[Response]) -> Iterator[Followed]:
    """Return each figure with the mean of its samples' scores: first over a sample's repeats, then over samples."""
    about = {item.id: (item.facets.get("log_task", ""), item.facets.get("filter", "")) for item in items}
    tasks = {task for task, _ in about.values()}
    values: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for response in responses:
        task, filter_ = about.get(response.item, ("", ""))
        for name, value in stored_scores(response):
            values[task, filter_, name][response.item].append(value)
    for figure in figures:
        values_of_figure = values.get((figure.task, figure.filter, figure.metric), {})
        means = [figure.scale * sum(repeats) / len(repeats) for repeats in values_of_figure.values()]
        spread = stdev(means) if len(means) > 1 else None
        lacking = figure.task not in tasks
        yield Followed(figure, sum(means) / len(means) if means else None, len(means), spread, lacking)


def stored_scores(response: Response) -> Iterator[tuple[str, float]]:
    """Return (name, value) of all numeric scores that a log has for a sample, in its order."""
    for step in response.intermediates:
        if step.engine.startswith(STORED):
            with suppress(ValueError):
                if isfinite(value := float(step.text)):
                    yield step.engine.removeprefix(STORED), value


def log_notes(
    path: Path, items: Callable[[], Iterable[Item]], responses: Callable[[], Iterable[Response]]
) -> Iterator[str]:
    """Return a line for each figure that the log of an imported Run states, with the mean of its samples."""
    if not (figures := read_log_figures(path)):
        return
    for checked_figure in follow(figures, items(), responses()):
        figure = checked_figure.figure
        value = "something that is not a number" if figure.value is None else f"{figure.value:.6g}"
        text = "its samples have no such score" if checked_figure.mean is None else ""
        text = "the log has no sample of this task" if checked_figure.lacking else text
        text = text or f"its samples give {checked_figure.mean:.6g}"
        if checked_figure.mean is not None and figure.value is not None and checked_figure.follows is None:
            text += f" as their mean, but the figure is aggregated differently ({figure.aggregation})"
        elif checked_figure.follows is False:
            text += ", which differs" + ("" if figure.aggregation else " (or the figure is not a mean)")
        yield f"the log states {figure.task} {figure.name} = {value}; {text} (n {checked_figure.n:,})"
