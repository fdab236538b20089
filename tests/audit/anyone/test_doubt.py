"""Tests of `audit/anyone/doubt.py`: findings that say what would have to be true."""

from __future__ import annotations

import pytest

from triptych.audit.anyone.doubt import doubt


def test_the_message_ends_with_what_would_have_to_be_true() -> None:
    one = doubt(
        "average",
        "severe",
        "论文",
        "printed 64.18, but the mean is 62.667",
        table="t.md#1",
        rows=["Beta"],
        columns=["Avg"],
        published=64.18,
        recomputed=62.667,
        needs="Speech would have to be 65.5",
        effect="1.5 points",
    )
    assert one.message == "printed 64.18, but the mean is 62.667. To be correct, Speech would have to be 65.5"
    assert (one.kind, one.severity, one.benchmark, one.table) == ("average", "severe", "论文", "t.md#1")
    assert (one.rows, one.columns, one.published, one.recomputed) == (("Beta",), ("Avg",), 64.18, 62.667)
    assert one.effect == "1.5 points" and one.origin == "paper", "a finding on a table is one on a paper"


def test_a_finding_that_nothing_would_mend_ends_with_its_message() -> None:
    one = doubt("copy", "warning", "b", "two rows are equal", table="T", rows=(), columns=())
    assert one.message == "two rows are equal" and (one.published, one.recomputed) == (None, None)


def test_findings_on_the_same_cells_differ_by_what_they_are_about() -> None:
    ids = {
        doubt("mark", "note", "b", "m", table="T", rows=["r"], columns=["c"], about=about).id
        for about in ("", "bold", "rank")
    }
    assert len(ids) == 3
    with pytest.raises(ValueError, match="unknown kind of finding 'slip'"):
        doubt("slip", "note", "b", "m", table="T", rows=(), columns=())
