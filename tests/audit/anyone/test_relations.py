"""Tests of `audit/anyone/relations.py`: averages, sums and differences that a table contains, by name and by fit."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence

import pytest

from triptych.audit.anyone.relations import MAX_ODDS, Relation, relations
from triptych.audit.anyone.view import views
from triptych.audit.sheets.markdown_tables import markdown_tables
from triptych.audit.sheets.sheet import sheets_of


def of_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, by_rows: bool = True) -> list[Relation]:
    lines = [head, ["---"] * len(head), *rows]
    (table,) = markdown_tables("\n".join(f"| {' | '.join(line)} |" for line in lines), "t.md")
    (sheet,) = sheets_of(table, "t")
    return list(relations(views(sheet)[0 if by_rows else 1]))


def scores(rows: int, columns: int, seed: int = 1) -> list[list[float]]:
    rng = random.Random(seed)
    return [[rng.uniform(20, 90) for _ in range(columns)] for _ in range(rows)]


def named(values: Sequence[Sequence[float]], digits: int = 2) -> list[list[str]]:
    return [[f"模型{n}", *(f"{value:.{digits}f}" for value in row)] for n, row in enumerate(values)]


def test_an_average_of_all_columns_is_recognised_by_its_name_and_fit() -> None:
    rows = [[*row, statistics.fmean(row)] for row in scores(8, 4)]
    (one,) = of_table(["Model", "Speech", "Music", "Sound", "Video", "Avg."], named(rows))
    assert (one.target, one.inputs, one.kind) == ("Avg.", ("Speech", "Music", "Sound", "Video"), "mean")
    assert one.line_count == len(one.follows) == 8 and not one.breaks and one.odds < MAX_ODDS


def test_a_column_of_another_name_is_no_average_whatever_it_fits() -> None:
    rows = [[*row, statistics.fmean(row)] for row in scores(8, 4)]
    assert of_table(["Model", "Speech", "Music", "Sound", "Video", "Dance"], named(rows)) == []


def test_an_average_that_fits_nothing_is_no_relation() -> None:
    rows = [[*row, 10.0 + n] for n, row in enumerate(scores(8, 4))]
    assert of_table(["Model", "A", "B", "C", "D", "Average"], named(rows)) == []


@pytest.mark.parametrize("wrong", [1, 2, 3])
def test_lines_that_break_a_relation_come_with_what_would_follow(wrong: int) -> None:
    rows = [[*row, statistics.fmean(row)] for row in scores(8, 3)]
    true = [row[3] for row in rows]
    for row in rows[:wrong]:
        row[3] += 2.5
    (one,) = of_table(["Model", "A", "B", "C", "Mean"], named(rows))
    assert len(one.follows) == 8 - wrong and [name for name, _ in one.breaks] == [f"模型{n}" for n in range(wrong)]
    for (_, expected), value in zip(one.breaks, true, strict=False):
        assert expected.low <= value <= expected.high and expected.high - expected.low < 0.011


def test_if_most_lines_break_it_there_is_no_relation() -> None:
    rows = [[*row, statistics.fmean(row)] for row in scores(8, 3)]
    for row in rows[:5]:
        row[3] += 2.5
    assert of_table(["Model", "A", "B", "C", "Mean"], named(rows)) == []


def test_two_lines_are_too_few() -> None:
    rows = [[*row, statistics.fmean(row)] for row in scores(2, 3)]
    assert of_table(["Model", "A", "B", "C", "Mean"], named(rows)) == []


def test_truncated_averages_are_recognised_as_such() -> None:
    rows = named(scores(9, 3))
    for row in rows:
        mean = sum(round(100 * float(text)) for text in row[1:]) / 3
        row.append(f"{int(mean / 10) / 10:.1f}")  # 66.28 as 66.2
    (one,) = of_table(["Model", "A", "B", "C", "Avg"], rows)
    assert one.printing == "truncated" and len(one.follows) == 9


def test_sums_differences_and_relative_gains() -> None:
    counts = [[str(int(value)) for value in row] for row in scores(8, 3)]
    rows = [[f"m{n}", *row, str(sum(map(int, row)))] for n, row in enumerate(counts)]
    (one,) = of_table(["Word", "A", "B", "C", "Total"], rows)
    assert (one.kind, one.inputs, one.says) == ("sum", ("A", "B", "C"), "the sum of {}")
    pairs = scores(8, 2)
    for head, kind, gain in (
        ("Δ", "difference", lambda a, b: b - a),
        ("Gain (%)", "relative", lambda a, b: 100 * (b - a) / a),
    ):
        rows = named([[a, b, gain(round(a, 2), round(b, 2))] for a, b in pairs])
        (one,) = of_table(["Model", "Base", "Ours", head], rows)
        assert (one.kind, one.inputs) == (kind, ("Ours", "Base")) and len(one.follows) == 8


def test_signed_figures_are_differences_without_a_name() -> None:
    pairs = scores(8, 2)
    rows = [[*row, f"{float(row[2]) - float(row[1]):+.2f}"] for row in named(pairs)]
    (one,) = of_table(["Model", "Base", "Ours", "vs. base"], rows)
    assert one.kind == "difference" and one.inputs == ("Ours", "Base")


def test_scores_of_up_to_five_count_twenty_times_beside_percentages() -> None:
    """VoiceBench and others average a judge's 1 to 5 with accuracies."""
    rng = random.Random(4)
    rows = []
    for n in range(9):
        judge, accuracy = round(rng.uniform(1.2, 5), 2), round(rng.uniform(30, 90), 2)
        rows.append([f"m{n}", f"{judge:.2f}", f"{accuracy:.2f}", f"{(20 * judge + accuracy) / 2:.2f}"])
    (one,) = of_table(["Model", "AlpacaEval", "OpenBookQA", "Overall"], rows)
    assert one.kind == "scaled" and len(one.follows) == 9


def test_an_average_row_is_one_of_the_columns_seen_as_lines() -> None:
    columns = scores(7, 4)
    rows = [[f"task {n}", *(f"{column[n]:.2f}" for column in columns)] for n in range(4)]
    rows.append(["Average", *(f"{statistics.fmean(column):.2f}" for column in columns)])
    head = ["Task", *(f"m{n}" for n in range(7))]
    assert of_table(head, rows) == []
    (one,) = of_table(head, rows, by_rows=False)
    assert one.target == "Average" and one.view.lines_are == "columns" and len(one.follows) == 7


def test_a_value_that_is_the_same_in_all_lines_says_nothing() -> None:
    rows = [[f"m{n}", "50.00", "50.00", "50.00", "50.00"] for n in range(8)]
    assert of_table(["Model", "A", "B", "C", "Mean"], rows) == []
