"""Tests of `cli/estimates.py`: a row for each Run, and their sum."""

from __future__ import annotations

import pytest

from triptych.cli.estimates import show_estimates
from triptych.running.estimate import RunEstimate


def rows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *estimates: tuple[str, RunEstimate]
) -> list[str]:
    monkeypatch.setenv("COLUMNS", "120")
    show_estimates(estimates)
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines() if line.strip(" ─━-")]


def test_the_sum_is_that_of_the_rows(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    one = RunEstimate(requests=1_200, input_tokens=30_000, output_tokens=500, usd=1.25, seconds=50)
    two = RunEstimate(requests=34, input_tokens=7, output_tokens=1, usd=0.5, seconds=20)
    head, first, second, total = rows(capsys, monkeypatch, ("cmdar: a", one), ("own-声音: b", two))
    assert head == "Run Requests tokens in tokens out USD time"
    assert first == "cmdar: a 1,200 30,000 500 1.25 50 s" and second == "own-声音: b 34 7 1 0.50 20 s"
    assert total == "all 1,234 30,007 501 1.75 1:10"


def test_an_unknown_price_makes_the_sum_unknown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known, unknown = RunEstimate(requests=1, usd=2.0), RunEstimate(requests=2, usd=None)
    _, first, second, total = rows(capsys, monkeypatch, ("a", known), ("b", unknown))
    assert "2.00" in first and "unknown" in second and total.startswith("all 3 0 0 unknown")


def test_a_label_is_no_markup(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    _, row, _ = rows(capsys, monkeypatch, ("m [bold]x[/bold] [/]", RunEstimate()))
    assert row.startswith("m [bold]x[/bold] [/] 0 0 0 0.00")


def test_nothing_costs_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert rows(capsys, monkeypatch)[-1] == "all 0 0 0 0.00 0 s"
