"""LaTeX that compiles: by compiling where TeX is installed, by its structure everywhere."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from tests.reports.samples import OVERALL, SLICED, column, figure, run
from triptych.records import Layout, RowSlice
from triptych.reports.files.latex import escape, latex, latex_report
from triptych.reports.tables.fill import RunRemarks, fill

RUNS = {"local/cascade": run(50), "baseline/random": run(20), "a_b & c": run(35)}
PUBLISHED = {"T2": {"Gemini_2 100%": {"sp|A": 11.3, "mu|A": 12.0}}}


def balanced(source: str) -> bool:
    """Braces close in order, environments too."""
    depth = 0
    for sign in re.sub(r"\\[\\{}]", "", source):
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return False
    stack: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", source):
        if kind == "begin":
            stack.append(name)
        elif not stack or stack.pop() != name:
            return False
    return depth == 0 and not stack


def columns(source: str) -> tuple[int, set[int]]:
    """(columns that the tabular declares, columns that its lines have)."""
    shape = re.search(r"\\begin\{tabular\}\{(\w+)\}", source)
    assert shape
    lines = [line for line in source.splitlines() if line.endswith(r"\\")]
    return len(shape[1]), {len(re.findall(r"(?<!\\)&", line)) + 1 for line in lines}


@pytest.mark.parametrize("layout", [OVERALL, SLICED])
def test_a_table_is_whole(layout: Layout) -> None:
    source = latex(fill(layout, RUNS, PUBLISHED, headline="answered"))
    declared, found = columns(source)
    assert found == {declared} and balanced(source)
    for rule in (r"\toprule", r"\midrule", r"\bottomrule", r"\caption{", r"\label{tab:"):
        assert source.count(rule) >= 1
    assert r"a\_b \& c" in source


def test_best_is_bold_second_underlined_direction_an_arrow() -> None:
    up, down = column("Up", {"k": "1"}), column("Down", {"k": "2"}, better="lower")
    layout = Layout(
        "x_1", "X", (up, down, column("Even", {"k": "3"}, better="zero"), column("None", {"k": "1"}, better=""))
    )
    runs = {
        name: [figure(v, {"k": k}, interval=(v - 1, v + 1)) for k, v in zip("123", values, strict=True)]
        for name, values in (("a", (50, 19, -4)), ("b", (40, 7, 0)), ("c", (30, 13, 9)), ("d", (20, 25, 9)))
    }
    source = latex(fill(layout, runs))
    assert r"Up $\uparrow$ & Down $\downarrow$ & Even $\rightarrow 0$ & None \\" in source
    assert r"a & \textbf{50.0} & 19.0 & \underline{$-$4.0} & 50.0 \\" in source
    assert r"b & \underline{40.0} & \textbf{7.0} & \textbf{0.0} & 40.0 \\" in source
    assert r"[49.0--51.0]" in source.replace("{[}", "[").replace("{]}", "]")
    assert r"\label{tab:x-1-official}" in source


def test_published_rows_are_set_apart() -> None:
    source = latex(fill(SLICED, {"m": run(50)}, PUBLISHED))
    assert r"Speech & \textit{Gemini\_2 100\%} & 11.3 & -- \\" in source
    assert source.index("Gemini") < source.index(r"\addlinespace")


def test_wide_tables_are_made_as_wide_as_the_text() -> None:
    wide = Layout("w", "W", tuple(column(f"Heading {n}", {"family": "speech"}) for n in range(9)))
    narrow = Layout("w", "W", tuple(column(str(n), {"family": "speech"}) for n in range(3)))
    assert r"\resizebox{\linewidth}{!}{%" in latex(fill(wide, RUNS))
    assert "resizebox" not in latex(fill(narrow, RUNS))
    assert balanced(latex(fill(wide, RUNS)))


def test_what_is_lost_and_noted_stands_in_the_caption() -> None:
    source = latex(fill(OVERALL, {"m": run(50)}, headline="answered"))
    assert "m: 6 failed." in source and "A note." in source and "answered Units only" in source


@given(st.text(max_size=80))
def test_any_text_is_escaped(text: str) -> None:
    source = escape(text)
    assert balanced(source) and "\n" not in source
    plain = re.sub(r"\\text\w+\{\}|\\ldots\{\}|\$\\\w+(?: 0)?\$|\$-\$|\\[&%$#_{}]|\{[\[\]]\}", "", source)
    assert not re.search(r"[&%$#_{}~^\\]", plain)


def test_chinese_brings_its_packages() -> None:
    layout = Layout("x", "诗", (column("词"),))
    table = fill(layout, {"m": [figure(1)]})
    source = latex_report("T", [table], {"m": [figure(1)]})
    assert "ctex" in source and "词" in source and source.index("ctex") < source.index(r"\begin{document}")
    assert "ctex" not in latex_report("T", [fill(OVERALL, RUNS)], RUNS)


@pytest.mark.parametrize("program", ["pdflatex", "xelatex", "lualatex", "tectonic"])
def test_it_compiles(program: str, tmp_path: Path) -> None:
    found = shutil.which(program)
    if not found:
        pytest.skip(f"{program} is not installed")
    tables = [fill(layout, RUNS, PUBLISHED, headline="answered") for layout in (OVERALL, SLICED)]
    (tmp_path / "t.tex").write_text(latex_report("A & B_1 [x]", tables, RUNS), encoding="utf-8")
    flags = [] if program == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error"]
    done = subprocess.run(
        [found, *flags, "t.tex"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout[-1500:]


def test_a_whole_document_is_balanced() -> None:
    source = latex_report("A & B", [fill(OVERALL, RUNS), fill(SLICED, RUNS)], RUNS)
    assert balanced(source) and source.count(r"\begin{table}") == 2 and r"\textbar{}" in source


def test_a_table_too_tall_for_a_page_goes_on_in_another() -> None:
    slices = tuple(RowSlice(f"Slice {n}", {"family": "speech"}) for n in range(9))
    tall = fill(
        Layout("t", "Tall", (column("A", {"direction": "audio_text"}),), rows=slices),
        {f"m{n}": run(50 + n) for n in range(8)},
    )
    source = latex(tall)
    assert source.count(r"\begin{table}") == 3 and source.count(r"\caption{Tall, continued.}") == 2
    assert source.count(r"\label{tab:t-official}") == 1 and source.count(r"\label{tab:t-official-2}") == 1
    assert source.count("m0 &") == 9 and balanced(source)
    assert all(source.count(f"Slice {n} &") == 1 for n in range(9))


def test_notes_stand_whole_below_the_table() -> None:
    note = "official: the CER counts blanks, and so is about half of a CER: see the paper. " + "More words. " * 12
    source = latex(structs.replace(fill(OVERALL, RUNS), notes=(note.strip(), "short: note")))
    assert note.strip() in source and "short: note." in source
    assert source.index(r"\end{tabular}") < source.index("official: the CER") < source.index(r"\end{table}")


def test_a_list_longer_than_a_page_is_cut_after_an_entry_and_names_the_file_that_has_it_whole() -> None:
    table = structs.replace(fill(OVERALL, RUNS), notes=("partial average (m): " + "A 1 of 2, " * 200,))
    source = latex(table)
    assert r"A 1 of 2 \ldots{} (complete in notes.csv)." in source
    assert "partial average (m): A 1 of 2, A 1 of 2" in source


def test_footnotes_and_what_is_known_of_the_models_are_set() -> None:
    layout = structs.replace(OVERALL, about=("size",))
    told = {"one": RunRemarks(("on the mini set",), {"size": "7B"})}
    source = latex(fill(layout, {"one": run(50), "two": run(40)}, remarks=told))
    assert r"one\textsuperscript{1} & 7B & " in source and "two & -- & " in source
    assert r"\textsuperscript{1} on the mini set." in source and balanced(source)
