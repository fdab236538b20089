"""The published cells that a Task's results should give, and the published models' scores on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from triptych.audit.tables.cells import load_tables, matching, rows_of
from triptych.audit.tables.rules import RunRules, TableRules, fill_names

Published = dict[str, float]  # a model's row -> its printed figure


def task_cells(rules: RunRules) -> Iterator[tuple[str, str, str]]:
    """(Task, table, column) of every published cell that a rule names."""
    for cells in rules.cells:
        names = [name for name in rules.names if "{" + name + "}" in cells.task]
        if not names:
            yield cells.task, cells.table, cells.column
        for name in names:
            for model_name, printed in rules.names[name].items():
                task = cells.task.replace("{" + name + "}", model_name)
                yield task, cells.table, cells.column.replace("{" + name + "}", printed)


@dataclass(frozen=True, slots=True)
class FigureCell:
    """A published cell that is put together from several Tasks, and the aggregate that should give it."""

    metric: str
    slice: dict[str, str]
    table: str
    column: str
    whatever_there_is: bool
    rows: tuple[str, ...]


def figure_cells(rules: RunRules) -> Iterator[FigureCell]:
    """Yield every published cell that a rule names and that combines several Tasks."""
    for figure in rules.figures:
        held = " ".join(figure.slice.values())
        names = {name: rows for name, rows in rules.names.items() if "{" + name + "}" in held}
        for chosen in product(*(name_group.items() for name_group in names.values())):
            figures_by_name = dict(zip(names, (value for value, _ in chosen), strict=True))
            printed = dict(zip(names, (value for _, value in chosen), strict=True))
            slice_ = {facet: fill_names(value, figures_by_name) for facet, value in figure.slice.items()}
            column = fill_names(figure.column, printed)
            yield FigureCell(figure.metric, slice_, figure.table, column, figure.whatever_there_is, figure.rows)


def published_scores(folder: Path, rules: TableRules) -> dict[str, Published]:
    """Return the paper's score of each model by Task, without the rows of people, chance and references."""
    tables = load_tables(folder / "published", rules.decimals, rules.aliases)
    scores_by_model: dict[str, Published] = defaultdict(dict)
    for task, table, column in task_cells(rules.runs):
        for row, cells in rows_of(tables, table, ("*",)).items():
            if column in cells and not matching([row], rules.runs.no_models):
                scores_by_model[task][row] = float(cells[column].text)
    return scores_by_model
