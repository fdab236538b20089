"""Figures of any benchmark: printed cells, scores of models that run here, findings of the audit, sizes of data."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import sources
from registry import figure


@figure
def cell(benchmark: str, table: str, model: str, column: str) -> str:
    """A cell as the paper prints it."""
    return _one(
        (
            row["value"]
            for row in sources.published(benchmark)
            if (row["table"], row["model"], row["column"]) == (table, model, column)
        ),
        f"{benchmark} {table}, {model}, {column}",
    )


@figure
def printed(benchmark: str, model: str, *places: str) -> str:
    """Several cells of a model as the paper prints them, each as `TABLE COLUMN`."""
    return " ".join(cell(benchmark, table, model, column) for table, column in (p.split(" ", 1) for p in places))


@figure
def best(benchmark: str, table: str, column: str, *without: str) -> str:
    """The greatest cell of a column as the paper prints it, some rows left out."""
    rows = [r for r in sources.published(benchmark) if (r["table"], r["column"]) == (table, column)]
    return max((r["value"] for r in rows if r["model"] not in without), key=float)


@figure
def cells(benchmark: str, *tables: str) -> str:
    """How many published cells there are, in some tables or in all."""
    return _count(r for r in sources.published(benchmark) if not tables or r["table"] in tables)


@figure
def rows(benchmark: str, *tables: str) -> str:
    """How many rows the published tables have."""
    return _count(
        {(r["table"], r["model"]) for r in sources.published(benchmark) if not tables or r["table"] in tables}
    )


@figure
def score(benchmark: str, model: str, data: str, task: str, metric: str, protocol: str, *settings: str) -> str:
    """The score of a model that needs no weights on real data, with two decimals."""
    found = sources.figures(benchmark, model, data, *settings)
    wanted = {"task": task, "metric": metric, "protocol": protocol, "slice": {}}
    value = _one((f["value"] for f in found if all(f[k] == v for k, v in wanted.items())), f"{benchmark} {wanted}")
    return f"{value:.2f}"


@figure
def findings(what: str, benchmark: str, *kinds: str) -> str:
    """How many findings an audit of tables or data has: `findings tables cmdar`, `findings tables all`."""
    names = sources.benchmarks() if benchmark == "all" else [benchmark]
    return _count(f for name in names for f in _findings(what, name) if not kinds or f.kind in kinds)


@figure
def found(what: str, benchmark: str, pattern: str) -> str:
    """The figures that a finding states: the groups of `pattern`, which must fit the message of some finding."""
    expression = re.compile(pattern)
    fits = {" ".join(m.groups()) for f in _findings(what, benchmark) if (m := expression.search(f.message))}
    return str(_one(fits, pattern))


@figure
def questions(benchmark: str, data: str, *patterns: str) -> str:
    """How many Items the data have whose ids fit all patterns."""
    ids = sources.item_ids(benchmark, data)
    return f"{sum(all(re.search(p, i) for p in patterns) for i in ids):,}"


@figure
def fitting(what: str, benchmark: str, pattern: str) -> str:
    """How many findings have messages that `pattern` fits."""
    return _count(f for f in _findings(what, benchmark) if re.search(pattern, f.message))


@figure
def sum_found(what: str, benchmark: str, pattern: str) -> str:
    """The sum of what the first group of `pattern` is in the messages that it fits."""
    fits = (re.search(pattern, f.message) for f in _findings(what, benchmark))
    return f"{sum(int(m[1].replace(',', '')) for m in fits if m):,}"


@figure
def rows_found(what: str, benchmark: str, pattern: str) -> str:
    """How many rows (systems, Tasks) the findings name whose messages `pattern` fits."""
    return _count({row for f in _findings(what, benchmark) if re.search(pattern, f.message) for row in f.rows})


@figure
def paper_counts(benchmark: str, *what: str) -> str:
    """Of the numbers of questions that a benchmark's tasks have by its paper: `least`, `greatest`, `sum`."""
    from triptych import load_benchmark

    counts = [task.count for task in load_benchmark(benchmark).spec.tasks if task.count]
    found = {"least": min(counts), "greatest": max(counts), "sum": sum(counts)}
    return " ".join(f"{found[name]:,}" for name in what)


def _findings(what: str, benchmark: str) -> list[Any]:
    """Findings of `tables`, of `data:FOLDER`, of `run:RESULTS`, or of results that aren't here (`released:PLACE`)."""
    kind, _, place = what.partition(":")
    if kind == "tables":
        return sources.table_findings(benchmark)
    if kind == "released":
        return sources.released_findings(benchmark, place)
    return {"data": sources.data_findings, "run": sources.run_findings}[kind](benchmark, place)


def _one(values: Iterable[Any], what: str) -> Any:
    each = list(values)
    if len(each) != 1:
        raise LookupError(f"{what}: expected one figure, found {len(each)}{': ' + str(each[:3]) if each else ''}")
    return each[0]


def _count(values: Iterable[Any]) -> str:
    return f"{sum(1 for _ in values):,}"


@figure
def recomputed(what: str, benchmark: str, row: str, pattern: str) -> str:
    """Return the figure that a finding about a Task recomputed; `pattern` must fit a column or its message."""
    fits = re.compile(pattern)
    values = {
        f"{f.recomputed:.2f}"
        for f in _findings(what, benchmark)
        if any(row in name for name in f.rows) and any(fits.search(text) for text in (*f.columns, f.message))
    }
    return str(_one(values, f"{row} {pattern}"))


@figure
def mcif_systems() -> str:
    """Of how many systems MCIF's authors released outputs."""
    return f"{sources.mcif_found()['systems']:,}"
