"""Tests of `audit/anyone/limits.py`: values outside their range, and orderings that can't hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.anyone.tables import found, markdown


@pytest.mark.parametrize(
    ("head", "row", "said"),
    [
        (["M", "Acc (%)", "x"], ["bad", "104.2", "1"], "at most 100"),
        (["M", "WER", "x"], ["bad", "-1.2", "1"], "error rate is 0 or more"),
        (["M", "R@1", "R@5"], ["bad", "60.5", "55.0"], "R@k can't fall"),
        (["M", "Top-1", "Top-5"], ["bad", "60.5", "55.0"], "top-k can't fall"),
        (["M", "IoU=0.3", "IoU=0.5"], ["bad", "30.5", "55.0"], "can't rise"),
    ],
)
def test_what_can_not_be(tmp_path: Path, head: list[str], row: list[str], said: str) -> None:
    good = [["a", "50.1", "71.2"], ["b", "51.2", "72.3"], ["c", "48.5", "70.6"], ["d", "49.9", "71.7"]]
    if "IoU=0.3" in head:
        good = [[n, b, a] for n, a, b in good]
    if head[2] == "x":
        good, row = [[n, a, "text"] for n, a, _ in good], [*row[:2], "text"]
    assert found(tmp_path, markdown(good, head)) == []
    (one,) = found(tmp_path, markdown([*good, row], head))
    assert one.severity == "severe" and said in one.message


def test_f1_is_at_most_the_mean_of_precision_and_recall(tmp_path: Path) -> None:
    rows = [
        ["a", "50.0", "70.0", "58.3"],
        ["b", "60.0", "60.0", "60.0"],
        ["c", "80.0", "40.0", "53.3"],
        ["d", "40.0", "50.0", "48.1"],
    ]
    (one,) = found(tmp_path, markdown(rows, ["M", "Precision", "Recall", "F1"]))
    assert one.rows == ("d",) and "above the mean of precision 40.0 and recall 50.0 (45)" in one.message


def test_a_negative_error_rate_is_one_finding(tmp_path: Path) -> None:
    """Its place in an order need not be mentioned."""
    rows = [[f"m{k}", f"{wer:.1f}", f"{wer / 2:.1f}"] for k, wer in enumerate((8.4, 9.2, 10.6, 7.8, 11.2, 12.4))]
    rows[2][1:] = ["-1.2", "4.2"]
    (one,) = found(tmp_path, markdown(rows, ["Model", "WER", "CER"]))
    assert (one.kind, one.severity, one.columns) == ("impossible", "severe", ("WER",))
