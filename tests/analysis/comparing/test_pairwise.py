"""Tests of `analysis/comparing/pairwise.py`: all pairs of many Runs as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.analysis.comparing.columns import column
from tests.analysis.seen import seen
from triptych.analysis.comparing.comparison import compare_runs
from triptych.analysis.comparing.pairwise import matrices
from triptych.records import Estimate, Listing


def test_many_runs_have_a_matrix_and_no_prose() -> None:
    rng = np.random.default_rng(3)
    names = [f"m{n}" for n in range(6)]
    runs = [
        seen(m, column("".join("1" if x < 0.3 + n / 10 else "0" for x in rng.random(200)))) for n, m in enumerate(names)
    ]
    found = compare_runs(runs, replicates=300)
    assert len(found.headlines) == 15 and len(found.sentences) == 1
    sure = sum((e.p_adjusted or 0) < 0.05 for e in found.headlines)
    assert found.sentences[0].startswith(f"toy acc: {sure} of 15 pairs of Runs differ significantly; first: m5 ")
    (listing,) = [own for own in found.section.listings if own.id == "pairs.toy acc"]
    order = [row[0].split(" ", 1)[1] for row in listing.rows]
    shown = {
        (a, b): cell for a, row in zip(order, listing.rows, strict=True) for b, cell in zip(order, row[1:], strict=True)
    }
    assert order[0] == "m5" and all(shown[m, m] == "" for m in names)
    for e in found.headlines:
        star = "*" if (e.p_adjusted or 0) < 0.05 else ""
        assert shown[e.runs] == f"{e.value:+.1f}".replace("-", "−") + star
        assert shown[e.runs[::-1]] == f"{-(e.value or 0):+.1f}".replace("-", "−") + star
    assert any(cell.endswith("*") for cell in shown.values()) and "over 15 pairs; n 200 for each pair" in listing.note


def estimate(
    first: str, second: str, value: float | None, p: float | None = None, n: int = 40, **more: Any
) -> Estimate:
    fields: dict[str, Any] = {"task": "toy", "metric": "acc", "label": "toy acc", "better": "higher", **more}
    return Estimate("difference", value, "points", n, runs=(first, second), p_adjusted=p, **fields)


def matrix(estimates: Sequence[Estimate], order: Sequence[str] = ("A", "B", "C")) -> Listing:
    runs = [seen(name, column("10")) for name in "CBA"]
    (listing,) = matrices(runs, estimates, {"toy acc": order})
    return listing


def test_a_matrix_is_row_minus_column_in_the_order_of_the_ranks() -> None:
    pairs = [estimate("C", "A", -12.34, 0.001), estimate("B", "A", -2.0, 0.05), estimate("C", "B", -10.0, 0.049)]
    listing = matrix(pairs)
    assert listing.headings == ("", "1", "2", "3") and listing.title == "All pairs: toy acc"
    assert listing.rows == (
        ("1 A", "", "+2.0", "+12.3*"),
        ("2 B", "−2.0", "", "+10.0*"),
        ("3 C", "−12.3*", "−10.0*", ""),
    )
    assert listing.note == (
        "Row minus column, points; above 0, the row is better. * p < 0.05 after Holm's correction over 3 pairs; n 40 "
        "for each pair."
    )


def test_pairs_over_other_numbers_of_questions_say_theirs() -> None:
    listing = matrix([estimate("A", "B", 1.0), estimate("A", "C", 2.0), estimate("B", "C", 1.0, n=1205)])
    assert listing.rows[1] == ("2 B", "−1.0", "", "+1.0 (n 1,205)") and listing.rows[0][1:] == ("", "+1.0", "+2.0")
    assert "n: the questions that the two share, 40 unless stated." in listing.note
    each = matrix([estimate("A", "B", 1.0, n=5), estimate("A", "C", 2.0, n=6), estimate("B", "C", 1.0, n=7)])
    assert each.rows[0][2:] == ("+1.0 (n 5)", "+2.0 (n 6)") and each.note.endswith("that the two share.")


def test_a_pair_without_a_value_is_a_dash_and_nothing_has_no_sign() -> None:
    listing = matrix([estimate("A", "B", None), estimate("A", "C", -0.04)])
    assert [row[1:] for row in listing.rows] == [("", "–", "0.0"), ("–", "", "–"), ("0.0", "–", "")]


def test_of_error_rates_the_lower_is_better_and_each_figure_has_its_matrix() -> None:
    runs = [seen(name, column("10")) for name in "AB"]
    rates = [estimate("A", "B", 3.0, metric="wer", label="toy wer", better="lower"), estimate("A", "B", 1.0)]
    wer, acc = matrices(runs, rates, {})
    assert (wer.id, acc.id) == ("pairs.toy wer", "pairs.toy acc")
    assert "below 0, the row is better" in wer.note and "above 0" in acc.note
    assert list(matrices(runs, [], {})) == []
