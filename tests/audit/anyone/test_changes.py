"""Tests of `audit/anyone/changes.py`: differences printed next to a figure."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.anyone.tables import HEAD, found, markdown


def test_differences_next_to_figures(tmp_path: Path) -> None:
    base = [60.5, 71.0, 50.0]
    rows = [["Base", *map(str, base)]]
    rows += [[f"+ {k}", *(f"{b + k:.1f} (+{k:.1f})" for b in base)] for k in (1.5, 2.5, 4.0)]
    assert found(tmp_path, markdown(rows, HEAD[:4])) == []
    rows[2][2] = "73.5 (+5.2)"
    (one,) = found(tmp_path, markdown(rows, HEAD[:4]))
    assert one.kind == "average" and "73.5 - 71 is +2.5" in one.message


@pytest.mark.parametrize(
    "form", ["{} (+{})", "{} +{}", "{} (↑ {})", "{} ({}↑)", "{} (Δ +{})", "{} (+{} pp)", "{}<sub>+{}</sub>"]
)
def test_forms_of_a_difference(tmp_path: Path, form: str) -> None:
    base = [60.5, 71.0, 50.0]
    rows = [["Base", *map(str, base)]]
    rows += [[f"Step {k}", *(form.format(f"{b + k:.1f}", f"{k:.1f}") for b in base)] for k in (1.5, 2.5, 4.0)]
    rows[2][2] = form.format("73.5", "5.2")
    (one,) = found(tmp_path, markdown(rows, HEAD[:4]))
    assert "73.5 - 71 is +2.5; 8 of 9 differences follow against Base" in one.message
