"""Tests of `audit/sheets/latex.py`: the plain text of a LaTeX cell or formula."""

from __future__ import annotations

from pathlib import Path

from tests.audit.sheets.test_printed import texts, written
from triptych.audit.sheets.latex import plain_math

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


def test_a_formula_as_text() -> None:
    assert plain_math(r"67.2_{\pm 0.3}") == "67.2 ± 0.3"
    assert plain_math(r"\mathbf{67.2}^{*}") == "67.2"
    assert plain_math(r"60\%\,\uparrow") == "60% ↑"
