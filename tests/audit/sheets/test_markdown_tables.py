"""Tests of `audit/sheets/markdown_tables.py`: tables of a Markdown file."""

from __future__ import annotations

from pathlib import Path

from tests.audit.sheets.test_printed import texts, written


def test_a_markdown_table_with_links_escapes_and_marks(tmp_path: Path) -> None:
    source = """
## Leaderboard
| Model | `A` | B<br>(n=50) | C \\| D |
|:--|--:|:-:|---|
| [One](https://example.org/a_(b)) | **60.5** | 70.0% | <u>1.0</u> |
| <b>Two</b>🏆 | 61.5<sup>1</sup> | - | 2.0 ± 0.1 |

```
| not | a table |
|---|---|
| 1 | 2 |
```
"""
    (sheet,) = written(tmp_path, "README.md", source)
    assert (sheet.caption, sheet.line) == ("Leaderboard", 3)
    assert sheet.columns == ["A", "B (n=50)", "C / D"] and sheet.rows == ["One", "Two"]
    assert texts(sheet) == [["60.5", "70.0", "1.0"], ["61.5", "", "2.0"]]
    assert (
        sheet.cells["One"]["A"].bold
        and sheet.cells["One"]["C / D"].underlined
        and sheet.cells["One"]["B (n=50)"].percent
    )
    assert sheet.questions == {"B (n=50)": 50}
