"""A row's coverage is that of what it shows: of every benchmark's tables, held against the Units themselves."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from triptych.benchmarks import Benchmark, known_benchmarks
from triptych.protocols.protocol import Unit
from triptych.records import Aggregate, Layout, Response, Score
from triptych.reports.html.tables import html_table
from triptych.reports.tables import words
from triptych.reports.tables.fill import fill
from triptych.reports.tables.overview import overview
from triptych.scoring.apply import score_units
from triptych.scoring.figures.aggregate import aggregate_scores
from triptych.scoring.stored.units import group_units

BENCHMARKS = sorted(known_benchmarks().values(), key=lambda b: b.name)
LOST = 5  # every fifth Unit has no reply


def partly_answered(bench: Benchmark) -> list[Unit]:
    items = list(bench.items(bench.mini))
    replies = [Response(item.id, "", 0, "answered", "A") for n, item in enumerate(items) if n % LOST]
    return list(group_units(items, replies))


def of_row(layout: Layout, slice_: dict[str, str], figures: Sequence[Aggregate], units: Sequence[Unit]) -> set[str]:
    """The Units that a row's columns are about, by Tasks and facets; None where a slice is no facet."""
    found: set[str] = set()
    for column in layout.columns:
        wanted = {**column.slice, **slice_}
        figure = next((a for a in figures if (a.task, a.metric, a.slice) == (column.task, column.metric, wanted)), None)
        if column.rank or figure is None:
            continue
        tasks = set(figure.tasks) or {figure.task}
        for unit in units:
            if unit.item.task in tasks and all(unit.item.facets.get(k) == v for k, v in wanted.items()):
                found.add(unit.unit_id)
    return found


@pytest.mark.parametrize("bench", BENCHMARKS, ids=lambda b: b.name)
def test_an_overview_counts_every_unit_that_its_columns_are_about_once(bench: Benchmark) -> None:
    units = partly_answered(bench)
    for name, protocol in bench.protocols.items():
        scores: list[Score] = score_units(units, protocol)
        figures = aggregate_scores(scores, protocol, bench.spec, replicates=0)
        layout = overview(bench.spec, figures)
        (row,) = fill(layout, {"m": figures}).rows
        assert sum(row.counts.values()) == len(of_row(layout, {}, figures, units)), name
        assert row.coverage is not None and row.coverage <= 1 - 1 / (LOST + 1)


@pytest.mark.parametrize("bench", BENCHMARKS, ids=lambda b: b.name)
def test_no_table_says_more_than_the_columns_that_it_shows(bench: Benchmark) -> None:
    units = partly_answered(bench)
    for protocol in bench.protocols.values():
        figures = aggregate_scores(score_units(units, protocol), protocol, bench.spec, replicates=0)
        for layout in (overview(bench.spec, figures), *bench.spec.layouts):
            table = fill(layout, {"m": figures})
            for row in table.rows:
                shown = [cell for cell in row.cells if cell.units]
                if not shown:
                    continue
                assert row.coverage is not None
                least = min((cell for cell in shown), key=lambda cell: cell.n / cell.units)
                if row.coverage == 1:
                    assert least.n == least.units or protocol.headline == "all", (layout.id, row.sub)
                if row.least:
                    assert row.least[0] < row.coverage
                    assert any("lowest coverage in a column" in note for note in table.notes)


def test_mcga_names_its_worst_column_and_is_not_whole_without_a_judge() -> None:
    bench = known_benchmarks()["mcga"]
    items = list(bench.items(bench.mini))
    replies = [Response(item.id, "", 0, "answered", "A") for item in items if item.task != "mcga/asr"]
    scores = score_units(group_units(items, replies), bench.protocols["official"])
    figures = aggregate_scores(scores, bench.protocols["official"], bench.spec, replicates=0)
    table = fill(overview(bench.spec, figures), {"m": figures})
    (row,) = table.rows
    asr, judged = (
        sum(i.task in tasks for i in items) for tasks in (["mcga/asr"], ["mcga/s2tt", "mcga/sec", "mcga/mt"])
    )
    assert row.counts["missing"] == asr and row.counts["unavailable"] == judged
    assert row.coverage == pytest.approx(1 - (asr + judged) / len(items))
    assert row.least is not None and row.least[0] == 0
    assert words.coverage(row).endswith(f"; {row.counts['scored']:,} scored, {judged:,} not scored, {asr:,} missing)")
    assert words.row_percent(row) == words.percent(1 - asr / len(items)), "a reply without a judge is a reply"
    assert html_table(table).groups[0].rows[0].percent == words.row_percent(row)
    assert any("m: asr CER 0.0%" in note or "asr" in note for note in table.notes)
