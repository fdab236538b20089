"""Tests of `audit/anyone/check.py`: `audit tables FILE…`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.anyone.tables import HEAD, ROWS, RULES, exit_code, found, markdown
from tests.audit.sheets.test_printed import workbook
from triptych.errors import SpecError


def test_a_correct_table_has_no_finding(tmp_path: Path) -> None:
    assert found(tmp_path, markdown(ROWS)) == []


def test_the_row_of_chance_is_not_a_share(tmp_path: Path) -> None:
    rows = [[*row[:4]] for row in ROWS] + [["Random guess", "25.13", "25.13", "25.13"]]
    assert found(tmp_path, markdown(rows, HEAD[:4]), questions={"Speech": 200, "Music": 150, "Sound": 120}) == []


def test_truncated_averages_are_no_finding(tmp_path: Path) -> None:
    rows = [[*row[:4], f"{int(100 * sum(map(float, row[1:4])) / 3) / 100:.2f}"] for row in ROWS]
    assert found(tmp_path, markdown(rows)) == []


@pytest.mark.parametrize(
    ("rules", "said"), [(RULES, "can't be read"), (RULES[:-10].replace("#1", "#7"), "does not exist")]
)
def test_rules_that_are_wrong(tmp_path: Path, rules: str, said: str) -> None:
    (tmp_path / "rules.toml").write_text(rules)
    with pytest.raises(SpecError, match=said):
        found(tmp_path, markdown(ROWS), rules=tmp_path / "rules.toml")


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.md"],
        ["t.md", "--n", "Nothing=5"],
        ["t.md", "--n", "Avg=0"],
        ["cmdar", "t.md"],
        ["t.md", "--to", "x.pdf"],
    ],
)
def test_wrong_use_exits_with_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.md").write_text(markdown(ROWS))
    assert exit_code(*arguments) == 2


ONE_FIGURE = {
    "t.csv": "model,accuracy\nAlpha,71.5\n",
    "t.md": "| model | accuracy |\n|---|---|\n| Alpha | 71.5 |\n",
    "t.html": "<table><tr><th>model</th><th>accuracy</th></tr><tr><td>Alpha</td><td>71.5</td></tr></table>",
    "t.tex": "\\begin{tabular}{lr} model & accuracy \\\\ \\hline Alpha & 71.5 \\\\ \\end{tabular}",
    "empty.md": "",
}


@pytest.mark.parametrize("name", [*ONE_FIGURE, "t.xlsx"])
def test_a_file_without_a_table_is_an_error_that_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = tmp_path / name
    if name == "t.xlsx":
        workbook(path, '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>71.5</v></c></row>')
    else:
        path.write_text(ONE_FIGURE[name], encoding="utf-8")
    for more in ((), ("--json",)):
        assert exit_code(str(path), *more) == 2
        said = capsys.readouterr()
        assert not said.out and "no table was found" in said.err and name in said.err and "--no-tables-ok" in said.err
    assert exit_code(str(path), "--no-tables-ok") == 0
    assert "no table was found" in capsys.readouterr().out
    (tmp_path / "good.md").write_text(markdown(ROWS))
    assert exit_code(str(path), str(tmp_path / "good.md")) == 0
    said = capsys.readouterr()
    assert f"no table in {path}" in said.err and "1 table with 24 figures" in said.out


def test_negative_figures_of_differences_are_no_finding(tmp_path: Path) -> None:
    rows = [["Base", "80.1", "70.2"], ["Ours", "79.9", "71.3"], ["Other", "77.7", "70.1"], ["Decrease", "-0.2", "1.1"]]
    assert found(tmp_path, markdown(rows, ["Method", "Accuracy", "Acc"])) == []
    gains = [[f"m{n}", f"{n - 2}.25", f"{3 - n}.5", f"{n}.75", "0.5"] for n in range(6)]
    assert found(tmp_path, markdown(gains, ["Method", "A acc", "B acc", "C acc", "D acc"])) == []
