"""Tests of `reports/html/audit_page.py`: the page of an audit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from triptych.records import Finding, finding
from triptych.records.checked import Audited, CellStatus, CheckedCell
from triptych.reports.html.audit_page import MAX_FINDINGS_PER_KIND, NAME, audit_markdown, audit_page, write_audit_page

pytest.importorskip("jinja2")


def of(*findings: Finding, cells: tuple[CheckedCell, ...] = (), verdict: str = "2 tables: something.") -> Audited:
    return Audited(findings, verdict, cells)


def cell(status: CellStatus, published: str = "48.7", reason: str = "12 of 30") -> CheckedCell:
    return CheckedCell(
        table="表 2",
        row="Qwen2-Audio",
        column="avg",
        published=published,
        status=status,
        recomputed=46.04,
        reason=reason,
    )  # type: ignore[arg-type]


def words(page: str) -> str:
    """The text of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(style|script).*?</\1>", " ", page)).split())


def test_the_verdict_the_cells_and_every_finding_are_on_the_page() -> None:
    one = finding(
        "average",
        "severe",
        "mcif",
        "printed 64.18, but the mean is 62.667",
        table="表 2",
        rows=["Qwen2-Audio"],
        columns=["avg"],
        published=64.18,
        recomputed=62.667,
        effect="1.5 points too high",
    )
    other = finding("lost", "note", "mcif", "3 replies are missing", file="runs/a", rows=["T1"])
    text = words(audit_page(of(one, other, cells=(cell("differs"), cell("follows", "9.99"))), "Audit of MCIF"))
    for part in (
        "Audit of MCIF",
        "2 tables: something.",
        "printed 64.18, but the mean is 62.667",
        "1.5 points too high",
    ):
        assert part in text, part
    assert "3 replies are missing" in text and "Qwen2-Audio" in text and "48.7" in text and "12 of 30" in text


def test_what_files_say_is_text() -> None:
    bad = '"><script>alert(1)</script>'
    one = finding("copy", "warning", bad, bad, table=bad, rows=[bad], columns=[bad], published=bad, effect=bad)
    page = audit_page(of(one, cells=(cell("differs", bad, bad),), verdict=bad), bad)
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page


def test_the_page_is_the_same_every_time_and_without_findings_says_so() -> None:
    nothing = of(verdict="1 table: nothing severe was found.")
    page = audit_page(nothing, "T")
    assert page == audit_page(nothing, "T") and "nothing severe was found" in words(page)


def test_of_very_many_findings_of_a_kind_the_page_has_the_first_and_the_number() -> None:
    count = MAX_FINDINGS_PER_KIND + 50
    many = [finding("skew", "warning", "toy", f"finding {n:04}.", file="f", rows=[str(n)]) for n in range(count)]
    text = words(audit_page(of(*many), "T"))
    shown = re.findall(r"finding (\d{4})\.", text)
    assert len(set(shown)) == MAX_FINDINGS_PER_KIND and "The first 200 of 250;" in text


def test_the_page_is_written_into_a_folder_or_to_a_file(tmp_path: Path) -> None:
    assert write_audit_page(of(), "T", tmp_path) == tmp_path / NAME
    assert write_audit_page(of(), "T", tmp_path / "new" / "folder") == tmp_path / "new" / "folder" / NAME
    file = write_audit_page(of(), "题", tmp_path / "deep" / "my.html")
    assert file == tmp_path / "deep" / "my.html" and "题" in file.read_text(encoding="utf-8")


def test_the_ending_of_the_name_chooses_the_format(tmp_path: Path) -> None:
    findings = of(cells=(cell("differs"),), verdict="One cell differs.")
    assert write_audit_page(findings, "T", tmp_path / "x.MD").read_text("utf-8") == audit_markdown(findings, "T")
    page = audit_markdown(findings, "A | B")
    assert page.startswith("# A \\| B\n") and "One cell differs." in page and "```text\n" in page
    assert "<html" not in page and "<html" in audit_page(findings, "T")
