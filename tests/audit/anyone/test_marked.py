"""Tests of `audit/anyone/marked.py`: marks that aren't right."""

from __future__ import annotations

from pathlib import Path

from tests.audit.anyone.tables import HEAD, found, markdown
from triptych.records import Finding


def test_bold_that_is_not_the_best(tmp_path: Path) -> None:
    head = ["Model", *(f"T{k}" for k in range(6))]
    rows = [[f"m{n}", *(f"{40 + (13 * n + 7 * k) % 41}.{(3 * n + k) % 10}" for k in range(6))] for n in range(5)]
    for c in range(1, 7):
        best = max(rows, key=lambda row: float(row[c].strip("*")))
        best[c] = f"**{best[c]}**"
    assert not [f for f in found(tmp_path, markdown(rows, head)) if f.kind == "mark"]
    for row in rows:
        row[3] = row[3].strip("*")
    rows[0][3] = f"**{rows[0][3]}**"
    (one,) = [f for f in found(tmp_path, markdown(rows, head)) if f.kind == "mark"]
    assert (one.severity, one.rows, one.columns) == ("warning", ("m0", "m2"), ("T2",))
    assert "is bold, but" in one.message and "in 5 of 6 columns the best figure is bold" in one.message


FOUR = [
    ["Qwen2.5-Omni-7B", "45.0", "80.0", "76.3", "67.1"],
    ["Gemini-2.5-Pro", "38.0", "61.3", "**81.3**", "60.2"],
    ["GPT-4o Audio", "60.0", "**83.3**", "79.3", "74.2"],
    ["Baichuan-Omni", "34.0", "81.3", "31.0", "48.8"],
    ["MiniCPM-o-2.6", "**88.0**", "70.0", "52.0", "70.0"],
    ["Phi-4-mm", "65.0", "49.3", "46.3", "53.6"],
    ["Video-SALMONN 2", "75.5", "70.0", "76.0", "**73.8**"],
    ["Ola-7B", "83.5", "76.7", "70.3", "76.8"],
]


def marks(folder: Path, rows: list[list[str]], head: list[str] = HEAD) -> list[Finding]:
    return [one for one in found(folder, markdown(rows, head)) if one.kind == "mark"]


def test_one_of_four_marks_that_is_wrong(tmp_path: Path) -> None:
    (one,) = marks(tmp_path, FOUR)
    assert (one.rows, one.columns) == (("Video-SALMONN 2", "Ola-7B"), ("Avg",))
    assert "in 3 of 4 columns the best figure is bold" in one.message


def test_bold_that_may_mean_something_else_is_no_finding(tmp_path: Path) -> None:
    two_wrong = [[cell.replace("83.3", "x") if cell == "**83.3**" else cell for cell in row] for row in FOUR]
    assert marks(tmp_path, two_wrong) == []  # three columns with marks, of which two are right
    own = [[row[0], *(cell.strip("*") for cell in row[1:])] for row in FOUR]
    own[7][1:] = ["**98.0**", "**76.7**", "**90.3**", "**96.8**"]
    assert marks(tmp_path, own) == []  # the authors' own row
    own[7][3] = "90.3"
    own[6] = ["Ours", "99.0", "**86.0**", "**85.0**", "**99.8**"]
    assert len(marks(tmp_path, own)) == 0


def test_the_best_among_models_with_published_weights_or_of_a_section(tmp_path: Path) -> None:
    """As in the README of MiniCPM-V 2.6: GPT-4V is better in one of five columns, and isn't bold."""
    rows = [[name, *(cell if cell != "**73.8**" else "73.8" for cell in cells)] for name, *cells in FOUR]
    rows[1][3], rows[2][2], rows[3][2], rows[7][4], rows[4][3] = "41.3", "53.3", "**81.3**", "**76.8**", "**79.9**"
    rows[2][3] = "79.3"
    rows[1][2] = "91.3"
    assert marks(tmp_path, rows) == []
    renamed = [[name.replace("Gemini-2.5-Pro", "Vita-2"), *cells] for name, *cells in rows]
    assert len(marks(tmp_path, renamed)) == 1
    sections = [["API", "", "", "", ""], *renamed[1:3], ["Open", "", "", "", ""], renamed[0], *renamed[3:]]
    assert marks(tmp_path, sections) == []


def test_lower_is_better_and_the_second_best_underlined(tmp_path: Path) -> None:
    head = ["Model", "WER ↓", "CER ↓", "MOS ↑", "SIM ↑"]
    rows = [[f"m{n}", f"{9 - n}.1", f"{(n * 3) % 8}.4", f"{(n * 5) % 8}.2", f"{(n * 7) % 8}.7"] for n in range(8)]
    rows[7][1], rows[0][2], rows[3][3], rows[1][4] = "**2.1**", "**0.4**", "**7.2**", "**7.7**"
    rows[6][1], rows[3][2], rows[6][3], rows[2][4] = (
        f"<u>{rows[r][c]}</u>" for r, c in ((6, 1), (3, 2), (6, 3), (2, 4))
    )
    assert marks(tmp_path, rows, head) == []
    rows[7][1], rows[4][1] = "2.1", f"**{rows[4][1]}**"
    (one,) = marks(tmp_path, rows, head)
    assert one.columns == ("WER ↓",)


def test_a_rank_that_does_not_follow(tmp_path: Path) -> None:
    values = [81.2, 77.5, 70.1, 66.0, 61.3, 55.5]
    rows = [[str(n + 1), f"m{n}", str(v)] for n, v in enumerate(values)]
    assert found(tmp_path, markdown(rows, ["Rank", "Model", "Acc"])) == []
    rows[2][2], rows[3][2] = rows[3][2], rows[2][2]
    (one,) = found(tmp_path, markdown(rows, ["Rank", "Model", "Acc"]))
    assert one.kind == "mark" and one.rows == ("m2", "m3")
