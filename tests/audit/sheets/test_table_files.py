"""Reading tables from files: each format as its authors describe it, and files that are made to do harm."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from triptych.audit.sheets.latex import plain_math
from triptych.audit.sheets.printed import figure_of, parts_of
from triptych.audit.sheets.reading import read_sheets
from triptych.audit.sheets.sheet import Sheet
from triptych.errors import DataError

LATEX = r"""
\newcommand{\best}[1]{\textbf{#1}}
\def\ours{Ours-7B}
% \begin{tabular}{cc} not & a table \\ \end{tabular}
\begin{table*}[t]
\centering
\caption{Results on \textbf{Bench}.}
\resizebox{\linewidth}{!}{
\begin{tabular}{@{}l|cc|>{\columncolor{gray!10}}c@{}}
\toprule
\multirow{2}{*}{\textbf{Model}} & \multicolumn{2}{c|}{Audio ($n$=200)} & \multirow{2}{*}{Avg.$\uparrow$} \\
\cmidrule(lr){2-3}
 & Speech & Music & \\
\midrule
\multicolumn{4}{l}{\textit{Open models}} \\
Qwen2.5~\cite{qwen} & 60.1$_{\pm 0.3}$ & 70.5\,\% & \underline{65.3} \\
\rowcolor{blue!5} \ours & \best{66.0} {\scriptsize (+5.9)} & $\mathbf{71.0}$ & \textbf{68.5}$^{\dagger}$ \\
\hline
\multirow{2}{*}{GPT} & 1,234 & -- & \makecell{70.1\\} \\
 & $-$1.5 & 80 & \textcolor{red}{55.0} \\[2pt]
\bottomrule
\end{tabular}}
\end{table*}
"""


def written(folder: Path, name: str, text: str) -> list[Sheet]:
    (folder / name).write_text(text, encoding="utf-8")
    return read_sheets(folder / name)


def texts(sheet: Sheet) -> list[list[str]]:
    return [[own[c].text if c in own else "" for c in sheet.columns] for own in sheet.cells.values()]


def test_latex_with_spans_macros_marks_and_margins(tmp_path: Path) -> None:
    (sheet,) = written(tmp_path, "main.tex", LATEX)
    assert sheet.caption == "Results on Bench."
    assert sheet.columns == ["Audio (n=200)|Speech", "Audio (n=200)|Music", "Avg.↑"]
    assert sheet.rows == ["Qwen2.5", "Ours-7B", "GPT", "GPT (2)"]
    assert texts(sheet) == [
        ["60.1", "70.5", "65.3"],
        ["66.0", "71.0", "68.5"],
        ["1234", "", "70.1"],
        ["-1.5", "80", "55.0"],
    ]
    first, ours = sheet.cells["Qwen2.5"], sheet.cells["Ours-7B"]
    assert first["Audio (n=200)|Speech"].margin == "0.3" and first["Avg.↑"].underlined
    assert [f.bold for f in ours.values()] == [True, True, True] and not first["Avg.↑"].bold
    assert ours["Audio (n=200)|Speech"].change == "+5.9"
    assert sheet.groups["Qwen2.5"] == "Open models"
    assert sheet.questions == {"Audio (n=200)|Speech": 200, "Audio (n=200)|Music": 200}


def test_a_cell_that_spans_rows_upwards(tmp_path: Path) -> None:
    source = (
        r"\begin{tabular}{llr} A & x & B \\ \hline & one & 1.5 \\ \multirow{-2}{*}{Base} & two & 2.5 \\ \end{tabular}"
    )
    (sheet,) = written(tmp_path, "a.tex", source)
    assert sheet.rows == ["Base · one", "Base · two"]


def test_a_macro_of_several_cells(tmp_path: Path) -> None:
    source = (
        r"\newcommand{\row}{1.5 & 2.5} \begin{tabular}{lrr} M & A & B \\ \hline m & \row \\ k & 3 & 4 \\ \end{tabular}"
    )
    (sheet,) = written(tmp_path, "a.tex", source)
    assert texts(sheet) == [["1.5", "2.5"], ["3", "4"]]


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


@pytest.mark.parametrize(("name", "mark"), [("t.csv", ","), ("t.csv", ";"), ("t.tsv", "\t")])
def test_delimited_files(tmp_path: Path, name: str, mark: str) -> None:
    rows = [
        ["model", "A", "B"],
        ['"one, 7B"', "60.5", "61.5"],
        ["two", "62.5", ""],
        [],
        ["x", "C"],
        ["three", "1"],
        ["four", "2"],
    ]
    first, second = written(tmp_path, name, "\n".join(mark.join(row) for row in rows))
    assert (first.rows, texts(first)) == (["one, 7B", "two"], [["60.5", "61.5"], ["62.5", ""]])
    assert (second.columns, texts(second), second.line) == (["C"], [["1"], ["2"]], 5)


def workbook(path: Path, sheet: str, **parts: str) -> Path:
    """Write a workbook of one sheet, as ECMA-376 describes it."""
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    link = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    files = {
        "xl/workbook.xml": f'<workbook {main} {link}><sheets><sheet name="Main" sheetId="1" r:id="rId1"/></sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>'
        "</Relationships>",
        "xl/sharedStrings.xml": f"<sst {main}><si><t>model</t></si><si><r><t>A</t></r><r><t>cc</t></r></si></sst>",
        "xl/styles.xml": f'<styleSheet {main}><numFmts><numFmt numFmtId="164" formatCode="0.0"/></numFmts>'
        '<fonts><font/><font><b/></font></fonts><cellXfs><xf numFmtId="0" fontId="0"/><xf numFmtId="10" fontId="0"/>'
        '<xf numFmtId="164" fontId="1"/></cellXfs></styleSheet>',
        "xl/worksheets/sheet1.xml": f"<worksheet {main}><sheetData>{sheet}</sheetData></worksheet>",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (files | parts).items():
            archive.writestr(name, text)
    return path


CELLS = (
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>F1</t></is></c>'
    "</row>"
    '<row r="2"><c r="A2" t="str"><v>one</v></c><c r="B2" s="1"><v>0.60504</v></c>'
    '<c r="C2" s="2"><f>B2*100</f><v>60.504</v></c></row>'
    '<row r="3"><c r="A3" t="str"><v>two</v></c><c r="C3"><v>12.5</v></c></row>'
)


def test_a_workbook_is_read_as_it_is_shown(tmp_path: Path) -> None:
    (sheet,) = read_sheets(workbook(tmp_path / "t.xlsx", CELLS))
    assert sheet.caption == "Main" and sheet.columns == ["Acc", "F1"]
    assert texts(sheet) == [["60.50", "60.5"], ["", "12.5"]] and sheet.cells["one"]["F1"].bold


def test_a_workbook_with_entities_is_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>'
    path = workbook(tmp_path / "t.xlsx", CELLS, **{"xl/sharedStrings.xml": bomb})
    with pytest.raises(DataError, match="document type or entities"):
        read_sheets(path)


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", CELLS, **{"xl/sharedStrings.xml": "<sst>" + " " * (65 * 2**20) + "</sst>"})
    assert path.stat().st_size < 2**20
    with pytest.raises(DataError, match="too large"):
        read_sheets(path)


def test_a_cell_far_away_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", '<row r="999999"><c r="XFD999999"><v>1</v></c></row>')
    with pytest.raises(DataError, match="too large"):
        read_sheets(path)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("t.xlsx", "not a zip", "not an XLSX workbook"),
        ("t.pdf", "%PDF", "unknown kind of table file"),
        ("t.csv", ("x," * 600 + "\n") * 2, "too large"),
        ("t.md", "<table>" * 9, "nested too deep"),
    ],
)
def test_what_can_not_be_read_says_so(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        written(tmp_path, name, text)


def test_macros_without_end_are_refused(tmp_path: Path) -> None:
    macros = "".join(
        rf"\newcommand{{\{b}}}{{\{a}\{a}\{a}\{a}\{a}\{a}\{a}\{a}\{a}\{a}}}"
        for a, b in zip("abcdef", "bcdefg", strict=True)
    )
    with pytest.raises(DataError, match="without end"):
        written(tmp_path, "t.tex", macros + r"\begin{tabular}{lr} A & B \\ \g & 1 \\ \end{tabular}")


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


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("67.20", "67.20"),
        (" 67.2 % ", "67.2"),
        ("−1.5", "-1.5"),
        ("1,234.5", "1234.5"),
        (".5", "0.5"),
        ("+3", "3"),
        ("67.2†", "67.2"),
        ("🥇 67.2", "67.2"),
        ("67.2 ↑", "67.2"),
        ("7B", None),
        ("> 90", None),
        ("-", None),
        ("10/12", None),
        ("2024-05", None),
        ("67.2 68.1", None),
        ("12x", None),
        ("1e-5", None),
        ("~67", None),
    ],
)
def test_what_is_a_number(text: str, number: str | None) -> None:
    found = figure_of(text)
    assert (found.text if found else None) == number


def test_what_is_printed_next_to_a_number() -> None:
    beside = {
        "67.2 ± 1.3": ("margin", "1.3"),
        "67.2(±1.3)": ("margin", "1.3"),
        "67.2 [65.1, 69.3]": ("low", "65.1"),
        "67.2 (84/125)": ("hits", 84),
        "84/125 (67.2%)": ("questions", 125),
        "67.2 (+1.4)": ("change", "+1.4"),
        "67.2↓1.4": ("change", "-1.4"),
        "67.2 (1.4↑)": ("change", "+1.4"),
    }
    for text, (name, value) in beside.items():
        found = figure_of(text)
        assert found is not None and found.text == "67.2" and getattr(found, name) == value, text


def test_cells_of_several_numbers_become_columns(tmp_path: Path) -> None:
    assert parts_of("1.8 / 3.6") == ["1.8", "3.6"] and parts_of("w/o") == ["w/o"]
    (sheet,) = written(
        tmp_path, "t.md", "| M | clean / other |\n|---|---|\n| a | 1.8 / 3.6 |\n| b | 2.0 / - |\n| c | 2.2/4.4 |"
    )
    assert sheet.columns == ["clean", "other"] and texts(sheet) == [["1.8", "3.6"], ["2.0", ""], ["2.2", "4.4"]]


def test_a_formula_as_text() -> None:
    assert plain_math(r"67.2_{\pm 0.3}") == "67.2 ± 0.3"
    assert plain_math(r"\mathbf{67.2}^{*}") == "67.2"
    assert plain_math(r"60\%\,\uparrow") == "60% ↑"


def test_a_row_of_counts_is_the_number_of_questions(tmp_path: Path) -> None:
    (sheet,) = written(
        tmp_path,
        "t.md",
        "| M | A | B |\n|---|---|---|\n| # Questions | 200 | 1,300 |\n| a | 60.5 | 61.5 |\n| b | 62 | 63 |",
    )
    assert sheet.rows == ["a", "b"] and sheet.questions == {"A": 200, "B": 1300}


def test_a_second_header_begins_a_second_table(tmp_path: Path) -> None:
    first_table = "| Model | A | B |\n|---|---|---|\n| a | 1.5 | 2.5 |\n| b | 1 | 2 |\n"
    source = first_table + "| Model | C | D |\n| a | 3.5 | 4.5 |\n| b | 3 | 4 |"
    first, second = written(tmp_path, "t.md", source)
    assert (first.columns, second.columns, second.rows) == (["A", "B"], ["C", "D"], ["a", "b"])


def test_macros_of_other_files_keep_their_sign_and_their_name(tmp_path: Path) -> None:
    source = r"""\begin{tabular}{lcc}\toprule Model & A & B \\ \midrule
Base & 84.45 & 94.90 \\
\rowcolor{gray} \ours & \textbf{86.37} & 94.58 \\
$\Delta$ & \up{1.92} & \dn{0.32} \\
{\small \othername} & 84.0 \down{0.45} & {\centering} \\
\bottomrule\end{tabular}"""
    (sheet,) = written(tmp_path, "a.tex", source)
    assert sheet.rows == ["Base", "ours", "Δ", "othername"]
    assert texts(sheet)[2] == ["1.92", "-0.32"] and texts(sheet)[3] == ["84.0", ""]
    assert sheet.cells["othername"]["A"].change == "-0.45"


@pytest.mark.parametrize(
    ("text", "value", "signed"), [("↑ 1.9", "1.9", True), ("(↓0.32)", "-0.32", False), ("▼3%", "-3", False)]
)
def test_a_difference_with_its_arrow_first(text: str, value: str, signed: bool) -> None:
    figure = figure_of(text)
    assert figure is not None and (figure.text, figure.signed) == (value, signed)


@pytest.mark.parametrize("text", ["75.4♢", "83.0∗", "75.4 ◇", "🥇75.4", "75.4²", "75.4ᵃ", "75.4⬤", "75.4▽"])
def test_a_figure_with_a_footnote_mark(text: str) -> None:
    figure = figure_of(text)
    assert figure is not None and figure.text in {"75.4", "83.0"}


def test_a_row_of_marked_figures_is_not_a_header(tmp_path: Path) -> None:
    """As in a README with quoted results: every figure of the first row has a mark."""
    source = """<table><thead><tr><th colspan="4">Questions</th></tr></thead>
<tr><td>Model</td><td>Size</td><td>A (Acc.)</td><td>B</td></tr><tr><td colspan="4">Proprietary</td></tr>
<tr><td>One</td><td>-</td><td><b>75.4♢<br></td><td>63.8♢</td></tr>
<tr><td>Two</td><td>7B</td><td>66.3∗</td><td>53.4</td></tr></table>"""
    (sheet,) = written(tmp_path, "README.md", source)
    assert sheet.columns == ["A (Acc.)", "B"] and sheet.rows == ["One", "Two"]
    assert texts(sheet) == [["75.4", "63.8"], ["66.3", "53.4"]]
