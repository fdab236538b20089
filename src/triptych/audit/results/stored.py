"""Checks that stored and published scores follow from the replies to single questions."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from triptych.audit.results.published import figure_cells, task_cells
from triptych.audit.results.rows import catalogue_rows, check_rows, is_released, published_row, tables_of_row
from triptych.audit.results.scores import check_run_scores
from triptych.audit.results.systems import System
from triptych.audit.tables.cells import Cell, NoCell, Tables, matching
from triptych.audit.tables.interval import Interval, digits_of
from triptych.audit.tables.misprints import edits
from triptych.audit.tables.rules import RunRules, TableRules, load_rules
from triptych.records import ANSWERED, Aggregate, Finding, Score, finding, slice_key
from triptych.records.checked import CellStatus, CheckedCell
from triptych.scoring.figures.aggregate import aggregate_scores

_SEVERE = 0.5  # points off
_MANY = 20  # number of cells without results above which they are reported together
_SLACK = 0.005  # of a stored score, which has all its digits


@dataclass(frozen=True, slots=True)
class Tally:
    """One Task's accuracy: how many right of how many answered, of how many there are."""

    right: float
    answered: int
    n: int

    @property
    def score(self) -> float:
        """Return the accuracy over answered questions, in percent."""
        return 100 * self.right / self.answered if self.answered else 0.0

    @property
    def score_all(self) -> float:
        """Return the accuracy over all questions, in percent."""
        return 100 * self.right / self.n if self.n else 0.0


def tallies(scores: Sequence[Score]) -> dict[str, Tally]:
    """By Task, under the protocol of the Scores."""
    groups: dict[str, list[Score]] = defaultdict(list)
    for score in scores:
        groups[score.task].append(score)
    return {task: _tally(group) for task, group in groups.items()}


def _tally(scores: Sequence[Score]) -> Tally:
    answered = [s for s in scores if s.status in ANSWERED]
    return Tally(sum(s.numerator for s in answered), len(answered), len(scores))


def check_stored(system: System) -> Iterator[Finding]:
    """Scores that a results file or a Run folder holds, and that don't follow from its items."""
    task_tallies = tallies(system.headline_scores)
    for task, stored in system.stored.items():
        value = stored.get("score") if isinstance(stored, Mapping) else stored
        if task not in task_tallies:
            continue
        tally = task_tallies[task]
        empty = _as_stored(stored, tally)
        follows = (tally.score, tally.score_all, empty.score if empty else tally.score)
        if isinstance(value, int | float) and min(abs(value - other) for other in follows) > _SLACK:
            yield _doesnt_follow(system, task, float(value), tally)
        elif empty and tally.right:
            yield _some_empty(system, task, tally, empty)
        if isinstance(stored, Mapping) and (twice := stored.get("twice")):
            yield _repeated_rows_finding(system, task, tally, twice)
    if system.manifest is not None:
        yield from check_run_scores(system)


def _as_stored(stored: Any, tally: Tally) -> Tally | None:
    """The Tally with as many answers as a results file says it counted; None if it is equal.

    Runners count empty replies and store them as they store lost ones: how many there were shows, not which.
    """
    if not isinstance(stored, Mapping):
        return None
    counted, right = stored.get("all_count"), stored.get("correct_count")
    if not isinstance(counted, int) or right != tally.right or not tally.answered < counted < tally.n:
        return None
    return Tally(tally.right, counted, tally.n)


def _some_empty(system: System, task: str, tally: Tally, stored: Tally) -> Finding:
    more = stored.answered - tally.answered
    return finding(
        "score",
        "note",
        system.benchmark.name,
        f"{system.name}: {tally.n - tally.answered:,} replies are missing, and the stored score counts {more:,} of "
        f"them as answers: empty ones, which are stored alike",
        file=str(system.path),
        rows=[task],
        columns=["score"],
        published=round(stored.score, 4),
        recomputed=round(tally.score, 4),
        terms=("stored", "without the empty replies"),
        effect=f"{tally.score - stored.score:+.2f} without them",
    )


def _doesnt_follow(system: System, task: str, value: float, tally: Tally) -> Finding:
    return finding(
        "score",
        "severe",
        system.benchmark.name,
        f"{system.name}: the stored score is {value:.2f}, but {tally.right:g} of {tally.answered:,} answered are right",
        file=str(system.path),
        rows=[task],
        columns=["score"],
        published=round(value, 4),
        recomputed=round(tally.score, 4),
        effect=f"{tally.score - value:+.2f}",
    )


def _repeated_rows_finding(system: System, task: str, tally: Tally, twice: Mapping[str, int]) -> Finding:
    """Positions with two rows, of which the later counts: another pass, appended to the first."""
    first = 100 * (tally.right + twice["right"]) / tally.answered if tally.answered else 0.0
    moved = f"{tally.score:.2f} by the later replies, {first:.2f} by the first" if twice["differ"] else "none"
    return finding(
        "duplicate",
        "severe" if twice["right"] else "warning" if twice["differ"] else "note",
        system.benchmark.name,
        f"{system.name}: {twice['positions']:,} positions occur twice in the file, {twice['differ']:,} of them with "
        f"different replies",
        file=str(system.path),
        rows=[task],
        columns=["positions"],
        published=round(tally.score, 2),
        recomputed=round(first, 2),
        effect=moved,
    )


def check_published(system: System) -> Iterator[Finding]:
    """Published cells that these results should give, and don't, with what the items say."""
    rules = load_rules(system.benchmark.folder)
    check_rows(system, rules)
    if not system.items:
        return
    accuracies = _accuracies(system)
    row = published_row(system, rules, accuracies)
    if row is None:
        yield from _unknown_row(system, rules)
        return
    system.published_row = row
    tables = tables_of_row(system, rules, row, accuracies)
    odd, absent, cells = dict[str, str](), list[Finding](), list[Finding]()
    tallies_ = {task: tally for task, tally in tallies(system.headline_scores).items() if task not in system.variants}
    for task, table, column in task_cells(rules.runs):
        try:
            cell = tables.cell(table, row, column)
        except NoCell:
            continue
        full = f"{system.benchmark.name}/{task}"
        if full not in tallies_ or not tallies_[full].answered:
            full_n = tallies_[full].n if full in tallies_ else 0
            absent.append(_not_there(system, full, table, row, column, cell.text, full_n))
            reason = f"none of {full_n:,} replies to {full} is there" if full_n else f"no results of {full}"
            _checked(system, cell, "unknown", None, reason)
        elif not _gives(cell, tallies_[full], _as_stored(system.stored.get(full), tallies_[full])):
            odd[full] = f"{table} {column}"
            cells.append(_other_cell(system, full, tables, table, row, column, tallies_[full]))
            _checked(
                system, cell, "differs", tallies_[full].score, _likely_cause(cell.text, cell.value, tallies_[full])
            )
        else:
            reason = f"{tallies_[full].right:g} of {tallies_[full].answered:,} answered"
            _checked(system, cell, "follows", tallies_[full].score, reason)
    yield from absent if len(absent) <= _MANY else [_absent_figures_finding(system, row, absent)]
    figures = list(_figures(system, rules.runs, tables, row, odd))
    yield from [*cells, *figures] if not _is_drift(cells, tallies_) else _drift(system, row, [*cells, *figures])


def _checked(system: System, cell: Cell, status: CellStatus, value: float | None, reason: str) -> None:
    """Record the status of a printed cell."""
    system.cells.append(
        CheckedCell(
            table=cell.table,
            row=cell.row,
            column=cell.column,
            published=cell.text,
            status=status,
            reason=reason,
            recomputed=None if value is None else round(value, digits_of(cell.text) + 1),
        )
    )


def _accuracies(system: System) -> dict[str, float]:
    """Return the accuracy of each Task that has an answer and is asked as the benchmark does."""
    tallies_ = {task: tally for task, tally in tallies(system.headline_scores).items() if task not in system.variants}
    return {task.partition("/")[2]: tally.score for task, tally in tallies_.items() if tally.answered}


def _unknown_row(system: System, rules: TableRules) -> Iterator[Finding]:
    """Yield a note on results of others that are compared with no published figure. If the catalogue knows the paper's
    row of their model, it is named: they are another measurement, so its figures needn't follow from them."""
    if not is_released(system) or not (rules.runs.cells or rules.runs.figures):
        return
    rows = catalogue_rows(system, rules)
    if len(rows) == 1:
        shown = "triptych report RUN --with-published"
        yield finding(
            "missing",
            "note",
            system.benchmark.name,
            f"{system.name} is the model of the paper's row {rows[0]}, by the catalogue. These replies are another "
            f"measurement of it, so the printed figures needn't follow from them: `{shown}` shows both, and "
            f"--row {shlex.quote(rows[0])} checks each figure",
            file=str(system.path),
            rows=[rows[0]],
            columns=["published row"],
            effect="no published figure was checked",
            about="row",
        )
    else:
        yield finding(
            "missing",
            "note",
            system.benchmark.name,
            f"{system.name}: not compared with the paper's figures, since {_why_no_row(system, rules)}, "
            f"and no row's figures are those of the items; name the row with --row ROW",
            file=str(system.path),
            rows=[system.name],
            columns=["published row"],
            effect="no published figure was checked",
            about="row",
        )


def _why_no_row(system: System, rules: TableRules) -> str:
    if rows := catalogue_rows(system, rules):
        return f"{len(rows)} rows of its tables may be of this model ({', '.join(rows)})"
    return "no row of its tables is known for this name"


def _figures(system: System, rules: RunRules, tables: Tables, row: str, odd: Mapping[str, str]) -> Iterator[Finding]:
    """Averages and deviations; `odd`: Tasks whose own cells don't follow, with these cells."""
    benchmark = system.benchmark
    protocol = benchmark.protocol(benchmark.spec.protocols[0])
    aggregates = aggregate_scores(system.headline_scores, protocol, benchmark.spec, replicates=0)
    by_key = {(f.metric, slice_key(f.slice)): f for f in aggregates if f.task == benchmark.name}
    partly: list[tuple[Cell, Aggregate | None]] = []
    for figure_cell in figure_cells(rules):
        if not matching([row], figure_cell.rows):
            continue
        try:
            cell = tables.cell(figure_cell.table, row, figure_cell.column)
        except NoCell:
            continue
        figure = by_key.get((figure_cell.metric, slice_key(figure_cell.slice)))
        if figure is None or figure.value is None or (figure.parts and not figure_cell.whatever_there_is):
            partly.append((cell, figure))
            _checked(system, cell, "unknown", None, "results of some of its Tasks are missing")
        elif cell.value.meets(Interval.exact(figure.value)):
            _checked(system, cell, "follows", figure.value, f"{figure_cell.metric} of the replies")
        else:
            own_cells = _cells_in_slice(system, figure_cell.slice, odd)
            reason = f"made of {' and '.join(own_cells)}" if own_cells else f"{figure_cell.metric} of the replies"
            _checked(system, cell, "differs", figure.value, reason)
            yield _other_figure(system, cell, figure, _cells_in_slice(system, figure_cell.slice, odd))
    if partly:
        yield finding(
            "missing",
            "note",
            benchmark.name,
            f"{system.name}: {len(partly):,} published averages and deviations can't be recomputed, since results of "
            f"some of their Tasks are not here: {', '.join(f'{c.table} {c.column}' for c, _ in partly[:8])}"
            f"{' …' * (len(partly) > 8)}",
            file=str(system.path),
            rows=[row],
            columns=[f"{cell.table} {cell.column}" for cell, _ in partly],
            effect="they can't be recomputed",
        )


def _cells_in_slice(system: System, slice_: Mapping[str, str], odd: Mapping[str, str]) -> list[str]:
    """The cells that don't follow by themselves, of Tasks that a slice holds."""
    return [cell for task, cell in odd.items() if all(system.facets[task].get(k) == v for k, v in slice_.items())]


def _other_figure(system: System, cell: Cell, figure: Aggregate, odd: Sequence[str]) -> Finding:
    digits, value = digits_of(cell.text), figure.value or 0.0
    verb = "doesn't" if len(odd) == 1 else "don't"
    why = f"; of the cells that it is made of, {' and '.join(odd)} {verb} follow either" if odd else ""
    return finding(
        "mismatch",
        "severe" if abs(value - float(cell.text)) >= _SEVERE else "warning",
        system.benchmark.name,
        f"{system.name}: published {cell.text}, but the items give {value:.{digits + 1}f}"
        f"{f' over {figure.parts[0]} of {figure.parts[1]} Tasks' if figure.parts else ''}{why}",
        table=cell.table,
        rows=[cell.row],
        columns=[cell.column],
        published=float(cell.text),
        recomputed=round(value, digits + 1),
        effect=f"{value - float(cell.text):+.2f}",
        about=system.name,
    )


def _gives(cell: Cell, *tallies: Tally | None) -> bool:
    """Is a published cell one of these accuracies?"""
    return any(cell.value.meets(Interval.exact(tally.score)) for tally in tallies if tally)


def _deviation(finding: Finding) -> float:
    """How far the items are from what is published; 0 where a finding tells no two numbers."""
    printed, follows = finding.published, finding.recomputed
    return printed - follows if isinstance(printed, float) and isinstance(follows, float) else 0.0


def _is_drift(cells: Sequence[Finding], tallies_: Mapping[str, Tally]) -> bool:
    """Most Tasks' cells, and 20 at least, are off by a little: no slips of single cells."""
    return sum(0 < abs(_deviation(cell)) < _SEVERE for cell in cells) >= max(_MANY, len(tallies_) / 2)


def _drift(system: System, row: str, findings: Sequence[Finding]) -> Iterator[Finding]:
    """Combine the findings with small differences in one; return the others unchanged."""
    little = [f for f in findings if f.kind == "mismatch" and 0 < abs(_deviation(f)) < _SEVERE]
    gaps = [_deviation(f) for f in little]
    yield finding(
        "mismatch",
        "warning",
        system.benchmark.name,
        f"{system.name}: {len(little):,} published figures are off by {min(gaps):+.2f} to {max(gaps):+.2f} points from "
        f"what the items give ({sum(gaps) / len(gaps):+.2f} on average), as if something were added to each",
        table=", ".join(dict.fromkeys(str(f.table) for f in little)),
        rows=[row],
        columns=[f.columns[0] for f in little],
        effect="they are not the items' accuracies",
        about="drift",
    )
    yield from (f for f in findings if f not in little)


def _absent_figures_finding(system: System, row: str, absent: Sequence[Finding]) -> Finding:
    cells = [f"{absent_figure.table} {absent_figure.columns[0]}" for absent_figure in absent]
    return finding(
        "missing",
        "note",
        system.benchmark.name,
        f"{system.name}: {len(absent):,} cells are published whose Tasks have no results here: "
        f"{', '.join(cells[:8])} …",
        file=str(system.path),
        rows=[row],
        columns=cells,
        effect="they can't be recomputed",
        about="cells",
    )


def _not_there(system: System, task: str, table: str, row: str, column: str, text: str, number: int) -> Finding:
    return finding(
        "missing",
        "note",
        system.benchmark.name,
        f"{system.name}: {text} is published, but "
        + (f"none of the {number:,} questions of {task} has a reply" if number else f"no results of {task} are here"),
        table=table,
        rows=[row],
        columns=[column],
        published=float(text),
        effect="it can't be recomputed",
        about=task,
    )


def _other_cell(system: System, task: str, tables: Tables, table: str, row: str, column: str, tally: Tally) -> Finding:
    cell = tables.cell(table, row, column)
    return finding(
        "mismatch",
        "severe",
        system.benchmark.name,
        f"{system.name}, {task}: published {cell.text}, but {tally.right:g} of {tally.answered:,} answered are right, "
        f"{tally.score:.2f}; {_likely_cause(cell.text, cell.value, tally)}",
        table=table,
        rows=[row],
        columns=[column],
        published=float(cell.text),
        recomputed=round(tally.score, digits_of(cell.text)),
        effect=f"{tally.score - float(cell.text):+.2f}",
        about=task,
    )


def _likely_cause(text: str, value: Interval, tally: Tally) -> str:
    """Which count would give the published figure; which slip of a digit."""
    counts = [k for k in range(tally.answered + 1) if value.meets(Interval.exact(100 * k / tally.answered))]
    if counts:
        more = counts[0] - tally.right
        return f"{text} would be {counts[0]:,}, {abs(more):g} {'more' if more > 0 else 'fewer'}"
    slips = [e for e in edits(text) if Interval.printed(e, digits_of(text)).meets(Interval.exact(tally.score))]
    if slips:
        return f"{text} is not k of {tally.answered:,}, and one digit from {slips[0]}: a misprint"
    return f"{text} is not k of {tally.answered:,} for any k: another version of the results, or a misprint"
