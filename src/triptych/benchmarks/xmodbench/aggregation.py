"""Aggregate accuracies of subtasks and directions to the paper's figures: one plain function over arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from triptych.benchmarks.xmodbench.names import DIRECTIONS, DUAL, FAMILIES, SUBTASKS, split_task
from triptych.protocols.protocol import Cell, Figure

if TYPE_CHECKING:
    from triptych.protocols.protocol import Array

METRIC = "acc"
COLUMNS = (*DIRECTIONS, DUAL)
_AT, _AV, _TA, _TV, _VA, _VT, _DUAL = range(len(COLUMNS))
# pair: the two replacements of the pair's first modality by its second, each as (after, before)
DISPARITIES = {
    "text_vision": ((_AV, _AT), (_VA, _TA)),
    "text_audio": ((_VA, _VT), (_AV, _TV)),
    "vision_audio": ((_TA, _TV), (_AT, _VT)),
}
IMBALANCES = {"audio_text": (_AT, _TA), "vision_text": (_VT, _TV), "vision_audio": (_VA, _AV)}


@dataclass(frozen=True)
class Summary:
    """The paper's figures in percent, over any leading axes `…`; NaN if there is nothing to compute them from. Each is
    computed when it is first used.

    subtask (…, 17, 7), family (…, 5, 7) and direction (…, 7) have the six directions and, last, audio with vision to
    text. subtask_mean (…, 17), family_mean and family_std (…, 5), mean and std (…) are over the six directions;
    disparity and imbalance (…, 3) are in the order of `DISPARITIES` and `IMBALANCES`; gain (…).
    """

    subtask: Array
    plain_dual: bool = False

    @cached_property
    def family(self) -> Array:
        """Means of families."""
        return _by_family(self.subtask)

    @cached_property
    def direction(self) -> Array:
        """Means of directions."""
        mean = _mean(self.family, -2)
        if not self.plain_dual:
            return mean
        return np.concatenate([mean[..., :_DUAL], _mean(self.subtask[..., _DUAL:], -2)], axis=-1)

    @cached_property
    def subtask_mean(self) -> Array:
        """Means of subtasks."""
        return _mean(self.subtask[..., :_DUAL], -1)

    @cached_property
    def family_mean(self) -> Array:
        """Means of families over directions."""
        return _mean(self.family[..., :_DUAL], -1)

    @cached_property
    def family_std(self) -> Array:
        """Standard deviations of families over directions."""
        return deviation(self.family[..., :_DUAL])

    @cached_property
    def mean(self) -> Array:
        """The mean over directions."""
        return _mean(self.direction[..., :_DUAL], -1)

    @cached_property
    def std(self) -> Array:
        """The standard deviation over directions."""
        return deviation(self.direction[..., :_DUAL])

    @cached_property
    def disparity(self) -> Array:
        """Differences between directions when a modality is replaced."""
        pairs = DISPARITIES.values()
        return _stack([_difference(self.direction, *p) + _difference(self.direction, *q) for p, q in pairs])

    @cached_property
    def imbalance(self) -> Array:
        """Differences between a direction and its reverse."""
        return _stack([_difference(self.direction, *pair) for pair in IMBALANCES.values()])

    @cached_property
    def gain(self) -> Array:
        """What both contexts add to the better of the two."""
        return _printed_gain(self.direction) if self.plain_dual else _gain(self.subtask)


def summarise(accuracy: Array, *, plain_dual: bool = False) -> Summary:
    """Return every figure from accuracies of shape (…, 17, 7), in percent; NaN if a subtask lacks a direction.

    Subtasks have equal weight in their family, families in a direction, and directions in a mean. A mean is over the
    available values, so a model that supports only some modalities is averaged over its directions. Std. has n - 1.
    Source: XModBench, sections 4.2 to 4.4 and Table 12, with the weights that reproduce its Table 5.

    `plain_dual`: as the authors computed Table 12. Audio with vision to text is the plain mean of the available
    subtasks of all families, and the gain is over the better of A>T and V>T of all subtasks. Otherwise families have
    equal weight there too, and the gain is over the subtasks that have all three.
    """
    return Summary(accuracy, plain_dual)


# Subtasks whose audio is speech (section 5.2), and the directions by the part of a question that is audio
SPEECH = ("recognition", "translation", "emotion_classification")
AUDIO = {"stem": ("audio_text", "audio_vision"), "options": ("text_audio", "vision_audio")}


def aggregate(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """Yield the named figures of `summarise`, for sums of shape (…, cells, 2), without those that have no cells.

    Every Task's own accuracy comes first. The others are of Task `xmodbench`, with slices `family`, `subtask`,
    `direction` and their combinations, `sound` with `audio`, and `pair` for disparity and imbalance. Metrics: `acc`,
    `std`, `disparity`, `imbalance`, `gain`, in percent or percentage points. Questions asked with another prompt (facet
    `variant`) have figures only for their Tasks, with that slice, and are in no other figure.
    """
    yield from _figures(cells, sums, plain_dual=False)


def aggregate_official(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """Yield the same, with audio with vision to text and its gain as the authors computed Table 12 (`plain_dual`)."""
    yield from _figures(cells, sums, plain_dual=True)


def _figures(cells: Sequence[Cell], sums: Array, *, plain_dual: bool) -> Iterator[Figure]:
    places = _places(tuple(cells))
    summary = summarise(_accuracy(places, sums), plain_dual=plain_dual)
    yield from _tasks(cells, summary, places)
    yield from _variants(cells, sums)
    yield from _overall(summary, places)
    yield from _sounds(summary, places)
    for row, family in enumerate(FAMILIES):
        yield from _of_family(summary, places, row, family)
    for row, (family, subtask) in enumerate(SUBTASKS):
        yield from _of_subtask(summary, places, row, {"family": family, "subtask": subtask})


def _tasks(cells: Sequence[Cell], summary: Summary, columns: CellColumns) -> Iterator[Figure]:
    for (row, column), cells_of_form in sorted(columns.items()):
        yield Figure(cells[cells_of_form[0]].task, METRIC, {}, summary.subtask[..., row, column], cells_of_form)


def _variants(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    groups: dict[tuple[str, str], list[int]] = {}
    for number, cell in enumerate(cells):
        if cell.metric == METRIC and (variant := cell.facet("variant")):
            groups.setdefault((cell.task, variant), []).append(number)
    for (task, variant), group in groups.items():
        value = 100.0 * sums[..., group, 0].sum(axis=-1) / sums[..., group, 1].sum(axis=-1)
        yield Figure(task, METRIC, {"variant": variant}, value, tuple(group))


def _overall(summary: Summary, grid: CellColumns) -> Iterator[Figure]:
    every = _selected_cells(grid, range(_DUAL))
    yield from _figure(METRIC, {}, summary.mean, every)
    yield from _figure("std", {}, summary.std, every, summary.direction[..., :_DUAL])
    for column, direction in enumerate(COLUMNS):
        yield from _figure(
            METRIC, {"direction": direction}, summary.direction[..., column], _selected_cells(grid, [column])
        )
    for number, (pair, (first, second)) in enumerate(DISPARITIES.items()):
        yield from _figure(
            "disparity", {"pair": pair}, summary.disparity[..., number], _selected_cells(grid, (*first, *second))
        )
    for number, (pair, columns) in enumerate(IMBALANCES.items()):
        yield from _figure("imbalance", {"pair": pair}, summary.imbalance[..., number], _selected_cells(grid, columns))
    if _selected_cells(grid, [_DUAL]).cells:
        yield from _figure("gain", {}, summary.gain, _selected_cells(grid, (_AT, _VT, _DUAL)))


def _sounds(summary: Summary, grid: CellColumns) -> Iterator[Figure]:
    """Yield the mean over the subtasks with speech, and over those with other sounds (section 5.2), with the audio in
    the stem or in the options."""
    for sound in ("speech", "other"):
        rows = [row for row, (_, subtask) in enumerate(SUBTASKS) if (subtask in SPEECH) == (sound == "speech")]
        for part, directions in AUDIO.items():
            columns = [COLUMNS.index(direction) for direction in directions]
            cells = tuple(n for row in rows for column in columns for n in grid.get((row, column), ()))
            value = _mean(_mean(summary.subtask[..., rows, :][..., columns], -1), -1)
            yield from _figure(METRIC, {"sound": sound, "audio": part}, value, _Used(cells, len(rows) * len(columns)))


def _of_family(summary: Summary, columns: CellColumns, row: int, family: str) -> Iterator[Figure]:
    every = _selected_cells(columns, range(_DUAL), family)
    yield from _figure(METRIC, {"family": family}, summary.family_mean[..., row], every)
    yield from _figure("std", {"family": family}, summary.family_std[..., row], every, summary.family[..., row, :_DUAL])
    for column, direction in enumerate(COLUMNS):
        slice_ = {"family": family, "direction": direction}
        yield from _figure(METRIC, slice_, summary.family[..., row, column], _selected_cells(columns, [column], family))


def _of_subtask(summary: Summary, columns: CellColumns, row: int, names: dict[str, str]) -> Iterator[Figure]:
    subtask = names["subtask"]
    yield from _figure(
        METRIC, names, summary.subtask_mean[..., row], _selected_cells(columns, range(_DUAL), subtask=subtask)
    )
    for column, direction in enumerate(COLUMNS):
        slice_ = {**names, "direction": direction}
        used = _selected_cells(columns, [column], subtask=subtask)
        yield from _figure(METRIC, slice_, summary.subtask[..., row, column], used)


class CellColumns(dict[tuple[int, int], tuple[int, ...]]):
    """(Row of SUBTASKS, column of COLUMNS) -> numbers of its cells: one, unless rows of a Task differ in content
    direction. `used` remembers what figures are made of them, for bootstraps and derivatives aggregate them often."""

    def __init__(self) -> None:
        super().__init__()
        self.used: dict[tuple[tuple[int, ...], str, str], _Used] = {}


@lru_cache(maxsize=8)
def _places(cells: tuple[Cell, ...]) -> CellColumns:
    rows = {names: row for row, names in enumerate(SUBTASKS)}
    columns = CellColumns()
    for number, cell in enumerate(cells):
        family, subtask, direction = split_task(cell.task)
        usual = cell.metric == METRIC and not cell.facet("variant")
        if usual and (family, subtask) in rows and direction in COLUMNS:
            at = rows[family, subtask], COLUMNS.index(direction)
            columns[at] = (*columns.get(at, ()), number)
    return columns


def _accuracy(columns: CellColumns, sums: Array) -> Array:
    """Return percentages of shape (…, 17, 7) from the cells' sums; NaN if nothing was counted."""
    grid = np.full((len(SUBTASKS), len(COLUMNS), *sums.shape[:-2]), np.nan)  # leading axes last: sums are faster
    for (row, column), rows in columns.items():
        chosen = rows[0] if len(rows) == 1 else list(rows)
        right, counted = (
            accuracy if len(rows) == 1 else accuracy.sum(axis=-1)
            for accuracy in _numerators_and_denominators(sums, chosen)
        )
        np.divide(100.0 * right, counted, out=grid[row, column, ...], where=counted > 0)
    return np.moveaxis(grid, (0, 1), (-2, -1))


def _numerators_and_denominators(sums: Array, chosen: int | list[int]) -> tuple[Array, Array]:
    return sums[..., chosen, 0], sums[..., chosen, 1]


@dataclass(frozen=True, slots=True)
class _Used:
    """The cells of a figure, and how many there would be if no Task were missing."""

    cells: tuple[int, ...]
    expected: int


def _selected_cells(grid: CellColumns, columns: Sequence[int], family: str = "", *, subtask: str = "") -> _Used:
    """Return the cells of some columns, of one family or subtask or of all.

    `panaroma` can't lack a dual form, since its sets share no event; the authors' results have one nevertheless.
    """
    key = (tuple(columns), family, subtask)
    if key not in grid.used:
        grid.used[key] = _find_cells(grid, columns, family, subtask)
    return grid.used[key]


def _find_cells(grid: CellColumns, columns: Sequence[int], family: str, subtask: str) -> _Used:
    rows = [n for n, (f, s) in enumerate(SUBTASKS) if family in ("", f) and subtask in ("", s)]
    wanted = [(row, column) for row in rows for column in columns]
    lacking = sum(c == _DUAL and SUBTASKS[r][1] == "panaroma" and (r, c) not in grid for r, c in wanted)
    cells = tuple(number for at in sorted(wanted) for number in grid.get(at, ()))
    return _Used(cells, len(wanted) - lacking)


def _figure(
    metric: str, slice_: dict[str, str], value: Array, used: _Used, deviation_of: Array | None = None
) -> Iterator[Figure]:
    if used.cells:
        yield Figure("xmodbench", metric, slice_, value, used.cells, used.expected, deviation_of)


def _by_family(accuracy: Array) -> Array:
    """Return family means: (…, 17, 7) -> (…, 5, 7)."""
    means, start = [], 0
    for subtasks in FAMILIES.values():
        means.append(_mean(accuracy[..., start : start + len(subtasks), :], -2))
        start += len(subtasks)
    return np.stack(means, axis=-2)


def _gain(accuracy: Array) -> Array:
    """Return the accuracy with both contexts minus the better of the two alone, over subtasks with all three forms."""
    three = accuracy[..., (_AT, _VT, _DUAL)]
    complete = np.where(np.isnan(three).any(axis=-1, keepdims=True), np.nan, three)
    audio, vision, both = np.moveaxis(_mean(_by_family(complete), -2), -1, 0)
    return np.asarray(both - np.maximum(audio, vision))


def _printed_gain(direction: Array) -> Array:
    """Return the gain in brackets in Table 12: A+V>T minus the better of A>T and V>T, each over its own subtasks."""
    return np.asarray(direction[..., _DUAL] - np.maximum(direction[..., _AT], direction[..., _VT]))


def _difference(direction: Array, after: int, before: int) -> Array:
    return np.asarray(direction[..., after] - direction[..., before])


def _stack(values: Sequence[Array]) -> Array:
    return np.stack(values, axis=-1)


def _mean(values: Array, axis: int) -> Array:
    """Return the mean of the available values; NaN if there are none. (numpy's nanmean would warn.)"""
    there = ~np.isnan(values)
    if there.all():
        return np.asarray(values.sum(axis=axis) / values.shape[axis])
    count = there.sum(axis=axis)
    total = np.where(there, values, 0.0).sum(axis=axis)
    return np.asarray(np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0))


def deviation(values: Array) -> Array:
    """Return the standard deviation with n - 1 of the available values on the last axis; NaN for fewer than two."""
    there = ~np.isnan(values)
    count = there.sum(axis=-1)
    squares = np.where(there, (values - _mean(values, -1)[..., None]) ** 2, 0.0).sum(axis=-1)
    return np.asarray(np.sqrt(np.divide(squares, count - 1, out=np.full(squares.shape, np.nan), where=count > 1)))
