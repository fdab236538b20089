"""Tests of `reports/files/markdown.py`: tables as Markdown, for a README or an issue."""

from __future__ import annotations

from tests.reports.samples import OVERALL, SLICED, run
from triptych.reports.files.markdown import markdown, markdown_report
from triptych.reports.tables.fill import fill


def test_markdown_is_a_table_of_even_rows() -> None:
    published = {"T2": {"Gemini|1*": {"sp|A": 11.3}}}
    text = markdown(fill(SLICED, {"m": run(50), "k": run(20)}, published, headline="answered"))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {6}
    assert "**50.0** [46.8–54.1] (all 48.0)" in text
    assert "*Gemini\\|1\\**" in text
    assert "90.0% (18/20; 2 failed)" in text


def test_a_report_lists_signatures_once() -> None:
    runs = {"m": run(50, model="x")}
    text = markdown_report("Toy", [fill(OVERALL, runs), fill(SLICED, runs)], runs)
    assert text.count("bench:toy|model:x") == 1


def test_markdown_marks_best_and_second_and_tells_the_direction() -> None:
    text = markdown(fill(OVERALL, {"m": run(50), "k": run(20), "l": run(35), "j": run(5)}))
    assert "Speech ↑" in text and "**50.0**" not in text  # no interval, so nothing says that it is better
    text = markdown(fill(SLICED, {"m": run(50), "k": run(20), "l": run(35), "j": run(5)}))
    assert "**50.0**" in text and "<ins>35.0</ins>" in text and "<ins>20.0" not in text
