"""Tests of `reports/findings/audited.py`: audit findings as text."""

from __future__ import annotations

from triptych.records import finding
from triptych.reports.findings.audited import findings_markdown, findings_text, summary


def test_markdown_tells_every_finding_and_no_markup_of_its_own() -> None:
    found = [finding("skew", "warning", "toy", f"m{n} <b>|</b>", file="f", rows=[f"r{n}"]) for n in range(9)]
    text = findings_markdown(found)
    assert text.startswith("## Audit") and "9 warnings" in text and "m8" in text
    assert " <b>" not in text and "\\|" in text
    assert findings_markdown([]) == ""


def test_long_groups_are_cut_and_told() -> None:
    many = [finding("skew", "warning", "toy", f"m{n}", file="f", rows=[f"r{n}"]) for n in range(9)]
    text = findings_text(many, "toy", width=80)
    assert "3 more of this kind" in text and "m8" not in text
    assert "m8" in findings_text(many, "toy", everything=True, width=80)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert summary([]) == "nothing found" and summary(many) == "9 warnings"


def test_a_count_is_told_once() -> None:
    told = finding("target", "warning", "toy", "2 of 465 rows: another option is the key", file="f", effect="2 rows")
    for text in (findings_text([told], "toy"), findings_markdown([told])):
        assert "2 of 465 rows" in text and "2 rows" not in text
    other = finding("target", "warning", "toy", "another option is the key", file="f", effect="2 rows")
    assert "2 rows: another" in findings_text([other], "toy") and "(2 rows)" in findings_markdown([other])
