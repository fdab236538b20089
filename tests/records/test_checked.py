"""Tests of `records/checked.py`: counts of an audit's cells, and its result in one sentence."""

from __future__ import annotations

import pytest

from triptych.records import finding
from triptych.records.checked import Audited, CellCounts, CellStatus, CheckedCell


def cells(**counts: int) -> list[CheckedCell]:
    statuses: list[CellStatus] = ["unknown", "follows", "differs"]
    return [
        CheckedCell(table="T2", row=f"model {n}", column="ACC", published="61.5", status=status)
        for status in statuses
        for n in range(counts.get(status, 0))
    ]


def test_cells_are_counted_by_status_in_any_order() -> None:
    counts = CellCounts.count_cells(cells(follows=3, differs=2, unknown=1))
    assert (counts.follows, counts.differs, counts.unknown) == (3, 2, 1) and sum(counts) == 6
    assert CellCounts.count_cells(reversed(cells(follows=3, differs=2, unknown=1))) == counts


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        (CellCounts(0, 0, 0), ""),
        (CellCounts(1, 0, 0), "1 of 1 printed cells follows"),
        (CellCounts(2, 0, 0), "2 of 2 printed cells follow"),
        (CellCounts(1, 1, 0), "1 of 2 printed cells follow, 1 differs"),
        (CellCounts(266, 14, 80), "266 of 360 printed cells follow, 14 differ, 80 can't be known from these files"),
        (CellCounts(1200, 34, 0), "1,200 of 1,234 printed cells follow, 34 differ"),
    ],
)
def test_the_sentence_names_what_there_is(counts: CellCounts, sentence: str) -> None:
    assert str(counts) == sentence


def test_audited_is_its_findings_and_carries_verdict_and_cells() -> None:
    found = [finding("average", "severe", "toy", "off", table="T2"), finding("copy", "note", "toy", "x", table="T1")]
    compared = cells(follows=2)
    audited = Audited(iter(found), "2 of 2 printed cells follow.", compared)
    assert audited == found and audited.verdict == "2 of 2 printed cells follow."
    compared.clear()
    assert len(audited.cells) == 2, "the caller's list is copied"
    assert Audited([], "nothing was found").cells == []
