"""docs/field.md: what its script writes, and that the page in the repository is complete."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest
from benchmarks_truth.field import HERE, Listed, listed, number_of
from benchmarks_truth.field_cells import Written, written_down, wrong_cells
from benchmarks_truth.field_page import Checked, checked, page

from triptych.audit.anyone.check import check_sheets
from triptych.audit.sheets.reading import read_sheets

PAGE = (HERE.parent / "docs/field.md").read_text(encoding="utf-8")
TABLE = """| Model | Speech | Music | Sound | Avg |
|---|---|---|---|---|
| Alpha | 71.5 | 62.0 | 68.3 | 67.3 |
| Beta | 66.0 | 58.7 | 61.0 | 61.9 |
| Gamma | 59.5 | 48.0 | 55.3 | 54.3 |
| Delta | 64.5 | 66.7 | 60.0 | 63.7 |
| Epsilon | 58.0 | 51.3 | 49.7 | 53.0 |
| Zeta | 52.5 | 47.3 | 50.0 | 56.0 |
"""
ONE = Listed("owner/name", "0" * 40, "2026-01-02", "README.md", (1,))


def test_a_page_has_the_finding_its_check_and_the_rates(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(TABLE, encoding="utf-8")
    sheets = read_sheets(tmp_path / "README.md", "owner/name/README.md")
    found = check_sheets(sheets)
    (severe,) = found
    known = {severe.id: Checked(severe.id, "undecided", "No data.", "Another average.")}
    text = page([(ONE, sheets, found)], known)
    assert "1 tables with 24 figures" in " ".join(text.split()) and "| all | 1 | 0 | 0 | 1 | 0 | 0 |" in text
    assert f"https://github.com/owner/name/blob/{'0' * 40}/README.md" in text and "2026-01-02" in text
    assert "printed 56.0" in text and "*undecided*" in text and "Another average." in text
    with pytest.raises(ValueError, match=severe.id):
        page([(ONE, sheets, found)], {})
    with pytest.raises(ValueError, match="gone"):
        page([(ONE, sheets, found)], {**known, "gone": known[severe.id]._replace(finding="gone")})


def test_the_page_in_the_repository_lists_every_table_and_every_check() -> None:
    rows = re.findall(
        r"^\| (\S+/\S+) \| \[[^\]]+\]\(\S+/blob/([0-9a-f]{40})/\S+\) \| (\d{4}-\d\d-\d\d) \| (\d+)[a-z]? \|", PAGE, re.M
    )
    expected = Counter((one.repository, one.commit, one.date, n) for one in listed() for n in one.tables)
    assert set(Counter((r, c, d, int(n)) for r, c, d, n in rows)) == set(expected) and len(expected) >= 100
    assert len({one.repository for one in listed()}) >= 40
    verdicts = Counter(one.verdict for one in checked().values())
    assert re.search(rf"^\| all \| {verdicts.total()} \| {verdicts['true']} \| {verdicts['false']} \| ", PAGE, re.M)
    assert all(one.evidence in PAGE.replace("\\", "") for one in checked().values())


def test_a_verdict_that_is_none_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "c.csv").open("w", newline="") as file:
        csv.writer(file).writerows([Checked._fields, ("x", "perhaps", "seen", "")])
    with pytest.raises(ValueError, match="perhaps"):
        checked(tmp_path / "c.csv")


def test_the_number_of_a_table_is_that_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "t.md").write_text(f"{TABLE}\n\n{TABLE}", encoding="utf-8")
    assert [number_of(sheet) for sheet in read_sheets(tmp_path / "t.md", "a/b2/t3.md")] == [1, 2]


def test_cells_written_down_by_hand_are_compared_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("| M | A | B |\n|---|---|---|\n| one | 1.5 | - |\n| two | 2.5 | 3.5 |\n")
    sheets = read_sheets(tmp_path / "README.md")
    true = Written("a/b", "README.md", 1, ["A", "B"], [("one", ["1.5", "_"]), ("two", ["2.5", "3.5"])])
    assert list(wrong_cells(true, sheets)) == []
    true.rows[1] = ("two", ["2.5", "3.50"])
    assert list(wrong_cells(true, sheets)) == ["two · 2: 3.50, read as 3.5"]
    true.rows[0] = ("other", ["1.5", "_"])
    assert len(list(wrong_cells(true, sheets))) == 3
    true.columns = ["C", "B"]
    assert sum("column C, read as A" in cell for cell in wrong_cells(true, sheets)) == 2
    true.rows.append(("three", ["1", "2"]))
    assert list(wrong_cells(true, sheets))[-1] == "three: the whole row"


def test_thirty_tables_of_the_field_were_written_down() -> None:
    tables = written_down()
    known = {(one.repository, one.path, n) for one in listed() for n in one.tables}
    assert len(tables) == 30 and all((t.repository, t.path, t.table) in known for t in tables)
    assert sum(len(figures) for t in tables for _, figures in t.rows) == 1295
