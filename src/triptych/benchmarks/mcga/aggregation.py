"""Aggregate the Tasks' sums to the paper's figures: one plain function over arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from triptych.benchmarks.mcga.names import NAME, SPEECH_FORM
from triptych.metrics.metric import metric_name
from triptych.protocols.protocol import Cell, Figure

if TYPE_CHECKING:
    from triptych.protocols.protocol import Array

# A figure composed of others of the same Task: its parts, and their factors
COMPOSED: Mapping[str, tuple[tuple[str, ...], float]] = {
    "llm_b": (("llm_bf", "llm_bm", "llm_bs"), 1 / 3),
    "llm_c": (("sec_p", "sec_g", "sec_s"), 1.0),
}
# The ratios of equation 1: (speech, text, metric)
PAIRS = tuple((SPEECH_FORM[text], text, metric) for text, metric in (("qa", "f1"), ("lu", "acc"), ("lr", "acc")))
# Facets by which figures are split; the last two are the paper's Table 4 by split, and its Figure 7
_SPLITS: tuple[tuple[str, ...], ...] = (
    (),
    ("genre",),
    ("dynasty",),
    ("split",),
    ("genre", "split"),
    ("dynasty", "genre"),
)


def aggregate(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """Yield, for sums of shape (…, cells, 2), each Task's metrics pooled over its Units, in percent (or of 100 points);
    LLM-B as the mean and LLM-C as the sum of their three parts; all of these also by genre, dynasty, split, genre and
    split, dynasty and genre. CMC, of Task `mcga`, follows the undivided figures if the six that it needs are there.

    Source: the released scorer (errors and lengths summed over clips, otherwise means over clips); equation 1.
    """
    totals: dict[tuple[str, str], Figure] = {}
    for names, slices in _slices(tuple(cells)).items():
        for slice_, members in slices.items():
            for figure in _figures(cells, sums, members, dict(slice_)):
                if not names:
                    totals[figure.task, metric_name(figure.metric)] = figure
                yield figure
        if not names:
            yield from _cmc(totals)


@lru_cache(maxsize=8)
def _slices(cells: tuple[Cell, ...]) -> dict[tuple[str, ...], dict[tuple[tuple[str, str], ...], list[int]]]:
    """Return facets -> their values -> the cells that have them, for every split of the figures."""
    splits: dict[tuple[str, ...], dict[tuple[tuple[str, str], ...], list[int]]] = {}
    for names in _SPLITS:
        slices = splits.setdefault(names, {})
        for number, cell in enumerate(cells):
            if len(slice_ := _slice(cell, names)) == len(names):
                slices.setdefault(slice_, []).append(number)
    return splits


def _slice(cell: Cell, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the cell's values of these facets; shorter if it lacks one."""
    return tuple((name, value) for name in names if (value := cell.facet(name)))


def _figures(cells: Sequence[Cell], sums: Array, members: Sequence[int], slice_: Mapping[str, str]) -> Iterator[Figure]:
    """Yield every Task's metrics over some cells, and the figures composed of them."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number in members:
        groups.setdefault((cells[number].task, cells[number].metric), []).append(number)
    pooled = {key: _pooled(*key, slice_, group, sums) for key, group in groups.items()}
    yield from pooled.values()
    for task in dict.fromkeys(task for task, _ in groups):
        for metric, (parts, factor) in COMPOSED.items():
            pooled_figures = [pooled[task, part] for part in parts if (task, part) in pooled]
            if len(pooled_figures) == len(parts):
                value = factor * (pooled_figures[0].value + pooled_figures[1].value + pooled_figures[2].value)
                yield Figure(task, metric, slice_, value, tuple(n for figure in pooled_figures for n in figure.cells))


def _pooled(task: str, metric: str, slice_: Mapping[str, str], members: Sequence[int], sums: Array) -> Figure:
    total = sums[..., list(members), :].sum(axis=-2)
    return Figure(task, metric, slice_, 100.0 * total[..., 0] / total[..., 1], tuple(members))


def _cmc(totals: Mapping[tuple[str, str], Figure]) -> Iterator[Figure]:
    """Yield the mean of the three ratios x 100; no value if a text score is 0."""
    keys = [(f"{NAME}/{task}", metric) for speech, text, metric in PAIRS for task in (speech, text)]
    if any(key not in totals for key in keys):
        return
    used = [totals[key] for key in keys]
    ratios = [speech.value / text.value for speech, text in zip(used[::2], used[1::2], strict=True)]
    value = 100.0 * (ratios[0] + ratios[1] + ratios[2]) / 3.0
    yield Figure(NAME, "cmc", {}, value, tuple(n for figure in used for n in figure.cells))
