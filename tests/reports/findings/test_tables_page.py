"""Tests of `reports/findings/tables_page.py`: `audit tables FILE… --to PAGE`."""

from __future__ import annotations

from pathlib import Path

from triptych.audit.anyone.check import audit_files
from triptych.reports.findings.tables_page import tables_html


def test_a_page_escapes_what_tables_say(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("model,<script>alert(1)</script>,B\na<b>,1.5,2\nc,2.5,3\n")
    page = tables_html(*audit_files([path]))
    assert "<script>" not in page and "&lt;script&gt;" in page and "a&lt;b&gt;" in page
