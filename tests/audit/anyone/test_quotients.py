"""Tests of `audit/anyone/quotients.py`: shares of counts in other columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.anyone.tables import found, markdown
from triptych.records import Finding

HITS = [90, 76, 120, 68, 176, 130, 151, 167]
TOTALS = [200, 180, 200, 200, 220, 200, 210, 200]


def table(head: list[str], totals: list[int] = TOTALS, text: str = "{h} | {t} | {s:.1f}") -> str:
    rows = [
        [f"m{n}", *text.format(h=h, t=t, s=100 * h / t).split(" | ")]
        for n, (h, t) in enumerate(zip(HITS, totals, strict=True))
    ]
    return markdown(rows, head)


def wrong_share(folder: Path, text: str, right: str = "34.0", wrong: str = "41.0") -> Finding:
    assert found(folder, text) == []
    (one,) = found(folder, text.replace(right, wrong))
    assert (one.kind, one.severity, one.rows) == ("mismatch", "severe", ("m3",))
    return one


@pytest.mark.parametrize(
    "head",
    [
        ["Model", "Correct", "Total", "Acc"],
        ["Model", "#Correct", "Num", "Accuracy (%)"],
        ["模型", "正确数", "样本数", "准确率"],
        ["Model", "A", "B", "Overall"],
        ["Model", "Resolved", "Instances", "Rate"],
    ],
)
def test_a_share_that_its_counts_do_not_give(tmp_path: Path, head: list[str]) -> None:
    one = wrong_share(tmp_path, table(head))
    assert f"printed 41.0, but {head[1]} divided by {head[2]} is 34.00 (68 / 200); 7 of 8 rows" in one.message


@pytest.mark.parametrize("text", ["{h}/{t} | {s:.1f}", "{s:.1f}% | {h} of {t}", "{t} | {h} | {s:.1f}%"])
def test_other_forms_of_counts(tmp_path: Path, text: str) -> None:
    wrong_share(tmp_path, table(["Model", "x", "y", "z"][: text.count("|") + 2], text=text))


@pytest.mark.parametrize(
    "text", ["{h}/{t} ({s:.1f})", "{s:.1f}% [{h}/{t}]", "{s:.1f} ({h} of {t})", "{h}/{t} = {s:.1f}%"]
)
def test_a_share_and_its_count_in_one_cell(tmp_path: Path, text: str) -> None:
    wrong_share(tmp_path, table(["Model", "Acc"], text=text))


def test_a_fraction_and_a_share_of_wrong_answers(tmp_path: Path) -> None:
    rows = [[f"m{n}", str(h), str(t - h), f"{h / t:.3f}"] for n, (h, t) in enumerate(zip(HITS, TOTALS, strict=True))]
    one = wrong_share(tmp_path, markdown(rows, ["Model", "Correct", "Wrong", "Acc"]), "0.340", "0.410")
    assert "Correct divided by the sum of Correct and Wrong is 0.34" in one.message


def test_a_count_without_a_total(tmp_path: Path) -> None:
    text = table(["Model", "Correct", "Acc"], [200] * 8, "{h} | {s:.1f}")
    assert "Correct divided by 200 questions" in wrong_share(tmp_path, f"# Results (n = 200)\n\n{text}").message
    assert "Correct divided by 200 questions" in wrong_share(tmp_path, text).message


def test_the_number_of_questions_above_a_table_is_that_of_its_shares(tmp_path: Path) -> None:
    text = f"All 200 questions are asked once.\n\n{table(['Model', 'Acc'], [200] * 8, '{s:.1f}')}"
    assert found(tmp_path, text) == []
    (one,) = found(tmp_path, text.replace("34.0", "34.3"))
    assert one.kind == "impossible" and "as the text above the table states it" in one.message


def test_whole_numbers_that_are_no_counts(tmp_path: Path) -> None:
    rows = [
        [f"m{n}", str(h), str(t), f"{(h * 7) % 50 + 40.3:.1f}"]
        for n, (h, t) in enumerate(zip(HITS, TOTALS, strict=True))
    ]
    assert found(tmp_path, markdown(rows, ["Model", "Epochs", "Batch", "Acc"])) == []


def test_a_total_of_zero_is_skipped(tmp_path: Path) -> None:
    text = table(["Model", "Correct", "Total", "Acc"]) + "| m8 | 0 | 0 | 0.0 |\n"
    wrong_share(tmp_path, text)
