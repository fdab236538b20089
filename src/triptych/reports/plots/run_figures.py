"""Figures that every benchmark's Runs have: outcomes, cost, effects of Conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triptych.analysis.response_cost import Cost
from triptych.records import RESPONSE_STATUSES, Column, Table, TableCell, TableRow
from triptych.reports.plots.spec import FigureSpec
from triptych.reports.tables import words
from triptych.reports.tables.book import Report

MIN_SECONDS = 1.0  # a model that answers sooner wasn't asked over a wire, and its time tells nothing
_NUMBER = re.compile(r"(?<!seed)(=)(-?\d+(?:\.\d+)?)(?=$|,)")
_NOT_WORD = re.compile(r"[^a-z0-9]+")
# Conditions that put one model's words in the place of what is heard, and the prompts by which they are asked for.
_CAPTIONS = {"description": "describe", "transcript": "transcribe"}
UNITS = {
    "snr:db=…": "signal-to-noise ratio, dB",
    "mp3:kbps=…": "kbit/s",
    "opus:kbps=…": "kbit/s",
    "resample:hz=…": "sampling rate, Hz",
    "cut:seconds=…": "seconds kept",
    "jpeg:quality=…": "JPEG quality",
    "downscale:factor=…": "downscaling factor",
}


def run_figures(report: Report, overview: Table) -> Iterator[tuple[FigureSpec, Table]]:
    """Yield each figure with its table; none if there is nothing to compare."""
    yield from _doses(report, overview)
    yield from _conditions(report, overview)
    yield from _outcomes(report)
    yield from _costs(report, overview)


def _doses(report: Report, overview: Table) -> Iterator[tuple[FigureSpec, Table]]:
    """Yield a score along a Condition's number (noise in dB, a bit rate), for Runs that differ in nothing else."""
    heading, totals = _totals(overview)
    series: dict[str, dict[float, dict[str, TableCell]]] = {}
    plain: dict[str, TableCell] = {}
    for label, folder in report.folders.items():
        names = folder.manifest.conditions
        if not names:
            plain.setdefault(folder.manifest.called, totals.get(label, TableCell(None)))
        elif len(names) == 1 and (number_match := _NUMBER.search(names[0])):
            kind = _NUMBER.sub(lambda match: match[1] + "…", names[0], count=1)
            series.setdefault(kind, {}).setdefault(float(number_match[2]), {})[folder.manifest.called] = totals.get(
                label, TableCell(None)
            )
    for kind, steps in series.items():
        if len(steps) < 2:
            continue
        models = list(dict.fromkeys(model for step in steps.values() for model in step))
        columns: list[tuple[str, dict[str, TableCell]]] = [(f"{value:g}", steps[value]) for value in sorted(steps)]
        columns += [("as it is", plain)] if any(model in plain for model in models) else []
        rows = [TableRow(m, tuple(doses_text.get(m, TableCell(None)) for _, doses_text in columns)) for m in models]
        table = Table("dose", "", tuple(name for name, _ in columns), tuple(rows), overview.protocol, overview.headline)
        name = f"dose-{_NOT_WORD.sub('-', kind).strip('-')}"
        yield (
            FigureSpec(
                name, "lines", f"{heading} along {kind}", axis=_axis(overview, heading), along=UNITS.get(kind, kind)
            ),
            table,
        )


def _conditions(report: Report, overview: Table) -> Iterator[tuple[FigureSpec, Table]]:
    """Yield each model as it is and under each Condition without a number: noise, blind, captions."""
    heading, totals = _totals(overview)
    cells_by_condition: dict[str, dict[str, TableCell]] = {}
    for label, folder in report.folders.items():
        if (
            label in totals
            and folder.manifest.prompt not in _CAPTIONS.values()
            and not any(_NUMBER.search(name) for name in folder.manifest.conditions)
        ):
            cells_by_condition.setdefault(_condition(report, label), {}).setdefault(
                folder.manifest.called, totals[label]
            )
    models = list(dict.fromkeys(model for grid in cells_by_condition.values() for model in grid))
    if len(cells_by_condition) < 2:
        return
    rows = [
        TableRow(name, tuple(cells.get(m, TableCell(None)) for m in models))
        for name, cells in cells_by_condition.items()
    ]
    table = Table("conditions", "", tuple(models), tuple(rows), overview.protocol, overview.headline)
    captions = any(name.startswith(tuple(_CAPTIONS)) for name in cells_by_condition)
    title = "Cascades: a model alone, and given another model's text" if captions else "Effect of each Condition"
    yield FigureSpec("conditions", "bars", f"{title}: {heading}", axis=_axis(overview, heading), published=False), table


AS_IT_IS = "as it is"


def _condition(report: Report, label: str) -> str:
    """Return a Run's Conditions in short: `blind`; for text made by another Run, with its model."""
    manifest = report.folders[label].manifest
    conditions = [_shorten_condition(words.condition(name), report) for name in manifest.conditions]
    return ", ".join(conditions) or AS_IT_IS


def _shorten_condition(condition: str, report: Report) -> str:
    """Return `description by MODEL` if the Condition's text was made by a Run of the report; otherwise the Condition
    itself."""
    name = condition.partition(":")[0]
    caption = _CAPTIONS.get(name)
    makers = {f.manifest.called for f in report.folders.values() if f.manifest.prompt == caption}
    return f"{name} by {makers.pop()}" if caption and len(makers) == 1 else condition


def _direction(overview: Table, heading: str) -> Column:
    """Return the column of the total, used for its direction only."""
    heading_column = next((column for column in overview.columns if column.heading == heading), None)
    return heading_column or Column(heading, "", "", better="")


def _axis(overview: Table, heading: str) -> str:
    """Return the heading, with `(lower is better)` if it applies."""
    return f"{heading} (lower is better)" if _direction(overview, heading).better == "lower" else heading


def _totals(overview: Table) -> tuple[str, dict[str, TableCell]]:
    """Return the overview's total (last column) or the first column with a value, as heading and label -> cell."""
    rows = [row for row in overview.rows if row.origin == "run"]
    columns = [n for n in range(len(overview.headings)) if any(row.cells[n].value is not None for row in rows)]
    if not columns:
        return "", {}
    column = columns[-1] if columns[-1] == len(overview.headings) - 1 else columns[0]
    return overview.headings[column], {row.label: row.cells[column] for row in rows}


def _outcomes(report: Report) -> Iterator[tuple[FigureSpec, Table]]:
    """Yield the outcomes of the Requests, unless all were answered."""
    from triptych.scoring.outcome import Scored

    counts = {label: run.counts for label, run in report.runs.items() if isinstance(run, Scored)}
    statuses = [
        s for s in (*RESPONSE_STATUSES, "missing") if any(count_group.get(s) for count_group in counts.values())
    ]
    if len(statuses) < 2:
        return
    rows = [
        TableRow(
            label, tuple(TableCell(float(label_counts.get(s, 0)), 0, n=sum(label_counts.values())) for s in statuses)
        )
        for label, label_counts in counts.items()
    ]
    columns = tuple(Column(status, report.benchmark.name, "units", better="") for status in statuses)
    yield (
        FigureSpec("outcomes", "stack", "Outcomes of the questions"),
        Table("outcomes", "", tuple(statuses), tuple(rows), columns=columns),
    )


def _costs(report: Report, overview: Table) -> Iterator[tuple[FigureSpec, Table]]:
    """Yield the total against the price, if it is known of every model and not the same of all. A baseline costs
    nothing, and is shown next to the models. If the Runs have different numbers of replies, the prices are for each
    1,000 of them: a Run that was interrupted isn't cheap."""
    costs = {label: Cost.sum_of(folder.all_responses()) for label, folder in report.folders.items()}
    heading, totals = _totals(overview)
    alike = len({cost.responses for cost in costs.values()}) == 1
    scale = {label: 1.0 if alike else 1000 / max(1, cost.responses) for label, cost in costs.items()}
    each = "" if alike else " for 1,000 replies"
    name = f"US${each}"
    values = {label: None if cost.usd is None else cost.usd * scale[label] for label, cost in costs.items()}
    free = {label for label, folder in report.folders.items() if folder.manifest.model.startswith("baseline/")}
    shown = {label: cell for label, cell in totals.items() if label in costs and cell.value is not None}
    models = [values[label] for label in shown if label not in free]
    if None in models or not any(models) or len({0.0 if label in free else values[label] for label in shown}) < 2:
        return
    rows = [
        TableRow(label, (TableCell(0.0 if label in free else values[label], plain=True), cell))
        for label, cell in shown.items()
    ]
    columns = (Column(name, "", "", better="lower"), _direction(overview, heading))
    table = Table("cost", "", (name, heading), tuple(rows), overview.protocol, overview.headline, (), columns)
    yield FigureSpec("cost", "scatter", f"Score against price: {heading}", axis=_axis(overview, heading)), table
