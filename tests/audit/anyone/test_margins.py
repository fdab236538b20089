"""Tests of `audit/anyone/margins.py`."""

from __future__ import annotations

from pathlib import Path

from tests.audit.anyone.tables import found, markdown


def test_a_standard_error_that_its_number_of_questions_can_not_give(tmp_path: Path) -> None:
    shares = [0.61, 0.72, 0.55, 0.43, 0.81, 0.35]
    rows = [[f"m{n}", f"{p:.4f} ± {(p * (1 - p) / 500) ** 0.5:.4f}"] for n, p in enumerate(shares)]
    assert found(tmp_path, markdown(rows, ["M", "Acc"])) == []
    rows[1][1] = "0.7200 ± 0.0097"
    (one,) = found(tmp_path, markdown(rows, ["M", "Acc"]))
    assert one.rows == ("m1",) and "would have to rest on about 2,14" in one.message


def test_an_interval_without_its_figure(tmp_path: Path) -> None:
    rows = [["a", "61.5 [58.1, 64.9]"], ["b", "70.2 [61.0, 65.0]"], ["c", "50.0 (46.9, 53.1)"]]
    (one,) = found(tmp_path, markdown(rows, ["M", "Acc"]))
    assert one.rows == ("b",) and "its interval is 61.0 to 65.0" in one.message


def test_a_column_whose_name_only_begins_like_a_standard_error_is_none(tmp_path: Path) -> None:
    """StackExchange P2P next to Reddit: a real table of embedding models."""
    rows = [["a", "93.9", "42.9"], ["b", "90.5", "49.0"], ["c", "78.7", "59.7"], ["d", "79.8", "59.5"]]
    assert found(tmp_path, markdown(rows, ["M", "Reddit", "SE-P2P"])) == []
    assert found(tmp_path, markdown(rows, ["M", "Reddit", "SE"])) == []
