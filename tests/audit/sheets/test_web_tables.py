"""Tests of `audit/sheets/web_tables.py`: tables of an HTML file, or of HTML inside a Markdown file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.sheets.test_printed import texts, written
from triptych.errors import DataError


def test_an_html_table_with_spans_inside_markdown(tmp_path: Path) -> None:
    source = """
# Results
<table>
<thead><tr><th rowspan=2>Model</th><th colspan="2">Audio</th><th rowspan="2">Video</th></tr>
<tr><th>Clean</th><th>Other</th></tr></thead>
<tr><td colspan=4><b>Open</b></td></tr>
<tr><td rowspan="2">Base<td>60.5<td>61.5<td>**70.5**</tr>
<tr><td>1.5</td><td>2.5</td><td style="font-weight: bold">3.5</td></tr>
</table>
"""
    (sheet,) = written(tmp_path, "README.md", source)
    assert sheet.columns == ["Audio|Clean", "Audio|Other", "Video"]
    assert sheet.rows == ["Base", "Base (2)"] and texts(sheet) == [
        ["60.5", "61.5", "70.5"],
        ["1.5", "2.5", "3.5"],
    ]
    assert [own["Video"].bold for own in sheet.cells.values()] == [True, True]


def test_spans_of_a_billion_cells_do_no_harm(tmp_path: Path) -> None:
    source = (
        '<table><tr><th>M</th><th colspan="999999999">A</th></tr><tr><td rowspan=99999999>m</td><td>1</td></tr></table>'
    )
    with pytest.raises(DataError, match="too many columns"):
        written(tmp_path, "t.html", source)


def test_scripts_and_markup_are_not_text(tmp_path: Path) -> None:
    source = (
        "<table><tr><th>M<th>A<th>B<tr><td>m<script>alert(1)</script><td>1.5<td>2.5<tr><td>k<td>2<td>&lt;b&gt;</table>"
    )
    (sheet,) = written(tmp_path, "t.html", source)
    assert sheet.rows == ["m", "k"] and texts(sheet)[0] == ["1.5", "2.5"]


def test_a_row_of_marked_figures_is_not_a_header(tmp_path: Path) -> None:
    """As in a README with quoted results: every figure of the first row has a mark."""
    source = """<table><thead><tr><th colspan="4">Questions</th></tr></thead>
<tr><td>Model</td><td>Size</td><td>A (Acc.)</td><td>B</td></tr><tr><td colspan="4">Proprietary</td></tr>
<tr><td>One</td><td>-</td><td><b>75.4♢<br></td><td>63.8♢</td></tr>
<tr><td>Two</td><td>7B</td><td>66.3∗</td><td>53.4</td></tr></table>"""
    (sheet,) = written(tmp_path, "README.md", source)
    assert sheet.columns == ["A (Acc.)", "B"] and sheet.rows == ["One", "Two"]
    assert texts(sheet) == [["75.4", "63.8"], ["66.3", "53.4"]]
