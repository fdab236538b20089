"""Aggregate the means of 45 Tasks to the paper's scores: one plain function over arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triptych.benchmarks.mcs_bench.rows import tasks
from triptych.metrics.metric import metric_name
from triptych.protocols.protocol import Cell, Figure

if TYPE_CHECKING:
    from triptych.protocols.protocol import Array

NAME = "mcs_bench"
DOMAINS = ("ACT", "CAL", "PAI", "OBS", "SEA", "REL", "ILL")
FORMATS = ("MCQ", "QA")
# The tasks of section 4.4, whose mean Figure 5 shows
UNDERSTANDING = ("T2", "T3", "T4", "T5", "T6")


@dataclass(frozen=True, slots=True)
class Summary:
    """The paper's scores in percent, over any leading axes `…`; NaN if there is nothing to compute them from.

    domain (…, 7) and, by format, domain_format (…, 7, 2): means over Tasks. format (…, 2): means over the domains
    that have the format. overall (…): mean over the domains.
    """

    domain: Array
    domain_format: Array
    format: Array
    overall: Array


def summarise(scores: Array) -> Summary:
    """Return every score from the main metrics of shape (…, 45), in percent, NaN if a Task has none.

    Tasks have equal weight in their domain, and domains in OverAll, MCQ and QA; a mean is over the available values.
    Source: section 4.1 and Tables 3 and 15 to 20, with the weights that reproduce them.
    """
    facets = [task.facets for task in tasks().values()]
    by_format = [
        [_mean(scores[..., [f["domain"] == domain and f["format"] == form for f in facets]]) for form in FORMATS]
        for domain in DOMAINS
    ]
    domain = np.stack([_mean(scores[..., [f["domain"] == domain for f in facets]]) for domain in DOMAINS], axis=-1)
    domain_format = np.stack([np.stack(pair, axis=-1) for pair in by_format], axis=-2)
    return Summary(domain, domain_format, _mean(np.swapaxes(domain_format, -1, -2)), _mean(domain))


def aggregate(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """Yield every Task's metrics (means over Units, in percent), then the named scores of `summarise`.

    The latter are of Task `mcs_bench`: metric `score` with slices `domain`, `format`, both, or none (OverAll); with
    slices `domain` = ACT and `tasks` = T2-T6 the mean of these five (Figure 5), if more than one of them was asked; and
    each metric of the six OCR Tasks as their mean (Table 4), with slice `kind` = OCR. Figures without cells are left
    out.
    """
    means = 100.0 * sums[..., 0] / sums[..., 1]
    for number, cell in enumerate(cells):
        yield Figure(cell.task, cell.metric, {}, means[..., number], (number,))
    numbers = {name: number for number, name in enumerate(tasks())}
    main = {numbers[cell.task]: number for number, cell in enumerate(cells) if _is_main(cell)}
    scores = np.full((*sums.shape[:-2], len(numbers)), np.nan)
    for row, number in main.items():
        scores[..., row] = means[..., number]
    yield from _scores(summarise(scores), main)
    yield from _understanding(scores, main)
    yield from _ocr(cells, means)


def _scores(summary: Summary, main: dict[int, int]) -> Iterator[Figure]:
    yield from _figure({}, summary.overall, main)
    for column, form in enumerate(FORMATS):
        yield from _figure({"format": form}, summary.format[..., column], main)
    for row, domain in enumerate(DOMAINS):
        yield from _figure({"domain": domain}, summary.domain[..., row], main)
        for column, form in enumerate(FORMATS):
            value = summary.domain_format[..., row, column]
            yield from _figure({"domain": domain, "format": form}, value, main)


def _understanding(scores: Array, main: dict[int, int]) -> Iterator[Figure]:
    rows = [row for row, name in enumerate(tasks()) if name.partition("/")[2] in UNDERSTANDING]
    used = tuple(main[row] for row in rows if row in main)
    if len(used) > 1:
        yield Figure(NAME, "score", {"domain": "ACT", "tasks": "T2-T6"}, _mean(scores[..., rows]), used, len(rows))


def _figure(slice_: dict[str, str], value: Array, main: dict[int, int]) -> Iterator[Figure]:
    rows = [row for row, task in enumerate(tasks().values()) if slice_.items() <= task.facets.items()]
    used = tuple(main[row] for row in rows if row in main)
    if used:
        yield Figure(NAME, "score", slice_, value, used, len(rows))


def _ocr(cells: Sequence[Cell], means: Array) -> Iterator[Figure]:
    """Yield Table 4: the mean of the OCR Tasks, metric by metric."""
    names = {name for name, task in tasks().items() if task.facets["kind"] == "OCR"}
    for metric in dict.fromkeys(cell.metric for cell in cells if cell.task in names):
        used = tuple(n for n, cell in enumerate(cells) if cell.task in names and cell.metric == metric)
        yield Figure(NAME, metric, {"kind": "OCR"}, _mean(means[..., list(used)]), used, len(names))


def _is_main(cell: Cell) -> bool:
    """Return whether the cell has its Task's main metric, under any protocol's rule."""
    return cell.task in tasks() and metric_name(cell.metric) == metric_name(tasks()[cell.task].metrics[0])


def _mean(values: Array) -> Array:
    """Return the mean of the available values over the last axis; NaN if there are none. (np.nanmean would warn.)"""
    there = ~np.isnan(values)
    count = there.sum(axis=-1)
    total = np.where(there, values, 0.0).sum(axis=-1)
    return np.asarray(np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0))
