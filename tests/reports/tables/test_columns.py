"""Tests of `reports/tables/columns.py`: text in terminal columns."""

from __future__ import annotations

from triptych.reports.tables.columns import line_width, pack, wrapped


def test_breaking_headings() -> None:
    assert wrapped("Text vs. vision", 9) == ["Text vs.", "vision"]
    assert wrapped("Instruments-multi", 12) == ["Instruments-", "multi"]
    assert wrapped("openai/gpt", 8) == ["openai/", "gpt"]
    assert wrapped("", 8) == [""]
    assert line_width(["诗", "ab c"]) == 4
    assert list(pack("s: ", ["aa|", "bb|", "cc|"], 9)) == ["s: aa|bb|", "   cc|"]
