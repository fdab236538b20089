"""Tests of `audit/sheets/latex_tables.py`: tables of LaTeX source."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.sheets.test_printed import texts, written
from triptych.errors import DataError


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


def test_macros_without_end_are_refused(tmp_path: Path) -> None:
    macros = "".join(
        rf"\newcommand{{\{b}}}{{\{a}\{a}\{a}\{a}\{a}\{a}\{a}\{a}\{a}\{a}}}"
        for a, b in zip("abcdef", "bcdefg", strict=True)
    )
    with pytest.raises(DataError, match="without end"):
        written(tmp_path, "t.tex", macros + r"\begin{tabular}{lr} A & B \\ \g & 1 \\ \end{tabular}")


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
