"""Tests of `audit/sheets/markup.py`: the plain text of a cell, and how it is marked."""

from __future__ import annotations

import pytest

from triptych.audit.sheets.markup import markup_cell


@pytest.mark.parametrize(
    ("source", "text", "bold", "underlined"),
    [
        ("**61.2**", "61.2", True, False),
        ("__61.2__", "61.2", True, False),
        ("<u>61.2</u>", "61.2", False, True),
        ("<b><u>61.2</u></b>", "61.2", True, True),
        ('<span style="font-weight: 700">61.2</span>', "61.2", True, False),
        ("*61.2*", "61.2", False, False),
        ("61.2<sup>†</sup>", "61.2", False, False),
        ("61.2<sup>+3.1</sup>", "61.2 +3.1", False, False),
        ("61.2[^1]", "61.2", False, False),
        ("~~60.0~~ 61.2", "61.2", False, False),
        ("[GPT-4o](https://example.org/a_(b))", "GPT-4o", False, False),
        ("![logo](x.png) Qwen2", "Qwen2", False, False),
        ("model\\_name \\*", "model_name *", False, False),
        ("snake_case_name", "snake_case_name", False, False),
        ("a &lt; b &amp; c<br/>d", "a < b & c d", False, False),
        ("5 * 3 * 2", "5 * 3 * 2", False, False),
        ("a<!-- **b** -->c", "a c", False, False),
        ("", "", False, False),
    ],
)
def test_cells_of_markdown(source: str, text: str, bold: bool, underlined: bool) -> None:
    cell = markup_cell(source, markdown=True)
    assert (cell.text, cell.bold, cell.underlined) == (text, bold, underlined)


def test_asterisks_of_html_are_characters() -> None:
    cell = markup_cell("**61.2**", markdown=False)
    assert (cell.text, cell.bold) == ("**61.2**", False)


def test_formulas_are_read_by_what_reads_formulas() -> None:
    cell = markup_cell("$\\mathbf{61.2}$ &", markdown=True, math=lambda text: text.partition("{")[2].rstrip("}"))
    assert (cell.text, cell.bold) == ("61.2 &", True)


def test_a_cell_of_any_length_is_cut() -> None:
    assert len(markup_cell("**" * 100_000 + "x", markdown=True).text) <= 2000
    assert len(markup_cell("[" * 100_000, markdown=True).text) <= 2000
