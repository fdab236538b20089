"""Tests of `reports/tables/keys.py`: error rates by correct option."""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.metrics.statistics.intervals import wilson
from triptych.records import text
from triptych.reports.report import collect
from triptych.reports.tables.keys import key_errors

pytest.importorskip("matplotlib")


def test_error_rates_by_the_right_option(make_run: MakeRun) -> None:
    """Of two answered Units whose key is `seal` one is wrong, of one `regular` none; the failed one is left out."""
    options = ((text("seal"),), (text("regular"),))
    asked = [
        structs.replace(item(str(n)), options=options, labels=("A", "B"), target="A" if n < 3 else "B")
        for n in range(4)
    ]
    folder = make_run(asked, [response("0"), response("1", "B"), response("2", "", "failed"), response("3", "B")])
    (report,) = collect([folder])
    table = key_errors(report, "official", ["a"])
    assert table.headings == ("regular", "seal")
    (row,) = table.rows
    assert [(c.value, c.n) for c in row.cells] == [(0.0, 1), (50.0, 2)]
    assert row.cells[1].interval == pytest.approx((9.45, 90.55), abs=0.01)  # Wilson, of 1 of 2


def test_repeats_of_a_question_narrow_no_error_rate(make_run: MakeRun) -> None:
    """Two questions, one wrong in one of two repeats: 25% of two questions, not one of four."""
    options = ((text("seal"),), (text("regular"),))
    asked = [
        structs.replace(item(n), options=options, labels=("A", "B"), target=t)
        for n, t in zip("012", "AAB", strict=True)
    ]
    replies = [response(n, t, repeat=r) for r in (0, 1) for n, t in zip("012", "AAB", strict=True)]
    replies[0] = response("0", "B")
    (report,) = collect([make_run(asked, replies, repeats=2)])
    cell = key_errors(report, "official", ["a"]).rows[0].cells[1]
    assert (cell.value, cell.n) == (25.0, 2)
    assert cell.interval == pytest.approx([100 * bound for bound in wilson(0.5, 2)])
