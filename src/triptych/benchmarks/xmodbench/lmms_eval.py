"""The protocol `lmms-eval`: how that harness reads a reply to XModBench, and the figures of its summary.

Source: lmms_eval/tasks/xmod_bench/utils.py and summarize.py of EvolvingLMMs-Lab/lmms-eval (commit 34b5d0a7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from triptych.benchmarks.xmodbench.aggregation import deviation
from triptych.benchmarks.xmodbench.lite import lite_family
from triptych.benchmarks.xmodbench.names import CONFIG_OF, CONFIGS, FAMILIES, LETTERS, SUBTASKS, VIDEO, split_task
from triptych.protocols.outcomes import ANY_TEXT, lost_status, scored, unscored
from triptych.protocols.protocol import Cell, Figure, Unit
from triptych.records import Score

if TYPE_CHECKING:
    from triptych.protocols.protocol import Array

METRIC = "acc"
NAMES = tuple(subtask for _, subtask in SUBTASKS)
_COLUMNS = tuple(CONFIGS)
_AT, _AV, _TA, _TV, _VA, _VT = range(len(_COLUMNS))
# pair: (+, -) columns of a sum of differences, as summarize.py defines them
_DISPARITY = {
    "text_vision": ((_AV, _VA), (_AT, _TA)),
    "text_audio": ((_VA, _AV), (_VT, _TV)),
    "vision_audio": ((_TA, _AT), (_TV, _VT)),
}
_IMBALANCE = {"text_vision": (_TV, _VT), "text_audio": (_TA, _AT), "vision_audio": (_VA, _AV)}


def lmms_letter(reply: str) -> str | None:
    """Return the letter that lmms-eval reads in a reply, or None.

    The candidates are the letters of the first form that occurs: `(A)`, then ` A ` (the ends of the reply count as
    spaces), then `A.`. Of several candidates, the one whose ` A ` is last; if none occurs so, the first letter. So
    the article in `A dog barks` is the answer A, and `A,` or `B\\n` before more text is none.

    >>> lmms_letter("A dog barks, so it is (B)"), lmms_letter("A dog barks"), lmms_letter("A, because …")
    ('B', 'A', None)
    """
    read = _remembered_letter if len(reply) <= _SHORT else _letter
    return read(reply)


def _letter(reply: str) -> str | None:
    padded = f" {reply.strip()} "
    for form in ("({})", " {} ", "{}."):
        candidates = [letter for letter in LETTERS if form.format(letter) in padded]
        if candidates:
            return max(candidates, key=lambda letter: (padded.rfind(f" {letter} "), -LETTERS.index(letter)))
    return None


_SHORT = 100  # characters: such replies come again and again, and what is read in them is remembered
_remembered_letter = lru_cache(maxsize=4096)(_letter)


def score(unit: Unit) -> Sequence[Score]:
    """Return 1 for the correct letter; an empty reply, and one without a letter, is wrong."""
    if status := lost_status(unit, ANY_TEXT):
        return [unscored(unit, METRIC, status)]
    if (key := unit.item.target) is None:
        return [unscored(unit, METRIC, "unavailable", note="the target is unknown")]
    response = unit.response
    assert response is not None
    letter = lmms_letter(response.text)
    return [scored(unit, METRIC, letter == str(key).strip().upper(), extraction=letter)]


def aggregate(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """Yield the figures of summarize.py, for sums of shape (…, cells, 2), without those that have no cells; the mean of
    the directions, which the authors' README prints; and what the paper's Table 5 has besides: directions within
    families (the mean over the family's subtasks), and standard deviations over directions.

    Directions are those of the content, and `emotion_classification` is knowledge. Of Task `xmodbench`: `acc` by
    direction (the mean over subtasks) and by family (over directions, the mean of the mean over its subtasks),
    `disparity` and `imbalance` by pair; `pooled`, over all rows of a configuration, by `config`: one of lmms-eval's
    ten tasks, or one of Lite's six. Questions asked with another prompt (facet `variant`) are in none of these.
    """
    places = _places(cells)
    yield from _tasks(cells, sums)
    grid = _grid(places, sums)
    by_direction = _mean(grid, -2)
    yield from _figure(METRIC, {}, _mean(by_direction, -1), _used_cells(places, range(6)), 6 * len(NAMES))
    yield from _figure("std", {}, deviation(by_direction), _used_cells(places, range(6)), 6 * len(NAMES))
    for column, direction in enumerate(CONFIGS.values()):
        used = _used_cells(places, [column])
        yield from _figure(METRIC, {"direction": direction}, by_direction[..., column], used, len(NAMES))
    for family in FAMILIES:
        rows = [n for n, name in enumerate(NAMES) if lite_family(name) == family]
        value = _mean(_mean(grid[..., rows, :], -2), -1)
        yield from _figure(METRIC, {"family": family}, value, _used_cells(places, range(6), rows), 6 * len(rows))
        in_family = _mean(grid[..., rows, :], -2)
        yield from _figure(
            "std", {"family": family}, deviation(in_family), _used_cells(places, range(6), rows), 6 * len(rows)
        )
        for column, direction in enumerate(CONFIGS.values()):
            slice_ = {"family": family, "direction": direction}
            yield from _figure(METRIC, slice_, in_family[..., column], _used_cells(places, [column], rows), len(rows))
    for pair, (plus, minus) in _DISPARITY.items():
        value = by_direction[..., plus].sum(axis=-1) - by_direction[..., minus].sum(axis=-1)
        yield from _figure("disparity", {"pair": pair}, value, _used_cells(places, (*plus, *minus)), 4 * len(NAMES))
    for pair, (first, second) in _IMBALANCE.items():
        value = by_direction[..., first] - by_direction[..., second]
        yield from _figure("imbalance", {"pair": pair}, value, _used_cells(places, (first, second)), 2 * len(NAMES))
    yield from _pooled(places, sums)


CellsByTask = Mapping[tuple[int, int], Sequence[int]]  # (subtask, direction of the content) -> cells


def _places(cells: Sequence[Cell]) -> dict[tuple[int, int], list[int]]:
    rows_by_cell: dict[tuple[int, int], list[int]] = {}
    for number, cell in enumerate(cells):
        _, subtask, direction = split_task(cell.task)
        config = CONFIG_OF.get(cell.facet("content_direction") or direction)
        if cell.metric == METRIC and not cell.facet("variant") and subtask in NAMES and config:
            rows_by_cell.setdefault((NAMES.index(subtask), _COLUMNS.index(config)), []).append(number)
    return rows_by_cell


def _tasks(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """Yield the accuracy of each Task, and of its questions asked with another prompt."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number, cell in enumerate(cells):
        if cell.metric == METRIC:
            groups.setdefault((cell.task, cell.facet("variant")), []).append(number)
    for (task, variant), used in groups.items():
        yield Figure(task, METRIC, {"variant": variant} if variant else {}, _share(sums, used), tuple(used))


def _grid(cells: CellsByTask, sums: Array) -> Array:
    """Return percentages of shape (…, 17, 6); NaN for a subtask without rows in a direction."""
    grid = np.full((*sums.shape[:-2], len(NAMES), len(_COLUMNS)), np.nan)
    for (row, column), used in cells.items():
        grid[..., row, column] = _share(sums, used)
    return grid


def _share(sums: Array, used: Sequence[int]) -> Array:
    right, counted = (sums[..., list(used), n].sum(axis=-1) for n in (0, 1))
    return np.asarray(np.divide(100.0 * right, counted, out=np.full(right.shape, np.nan), where=counted > 0))


def _mean(values: Array, axis: int) -> Array:
    there = ~np.isnan(values)
    count = there.sum(axis=axis)
    total = np.where(there, values, 0.0).sum(axis=axis)
    return np.asarray(np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0))


def _pooled(cells: CellsByTask, sums: Array) -> Iterator[Figure]:
    groups: dict[str, list[int]] = {}
    for (row, column), used in sorted(cells.items()):
        config, vision = _COLUMNS[column], "video" if NAMES[row] in VIDEO else "image"
        for name in (CONFIGS[config].replace("vision", vision), config):
            groups.setdefault(name, []).extend(used)
    for name, used in sorted(groups.items()):
        yield Figure("xmodbench", "pooled", {"config": name}, _share(sums, used), tuple(used))


def _used_cells(grid: CellsByTask, columns: Sequence[int], rows: Sequence[int] | None = None) -> list[int]:
    chosen = (
        cells for (row, column), cells in sorted(grid.items()) if column in columns and (rows is None or row in rows)
    )
    return [number for cells in chosen for number in cells]


def _figure(metric: str, slice_: dict[str, str], value: Array, used: Sequence[int], expected: int) -> Iterator[Figure]:
    if used:
        yield Figure("xmodbench", metric, slice_, np.asarray(value), tuple(used), expected)
