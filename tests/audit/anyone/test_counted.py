"""Tests of `audit/anyone/counted.py`: shares that no count gives."""

from __future__ import annotations

from pathlib import Path

from tests.audit.anyone.tables import HEAD, changed, found, markdown


def test_an_impossible_share_of_a_stated_number(tmp_path: Path) -> None:
    rows = [row[:4] for row in changed(0, 1, "60.37")]
    (one,) = found(tmp_path, markdown(rows, HEAD[:4]), questions={"Speech": 200})
    assert (one.kind, one.severity, one.rows, one.columns) == ("impossible", "severe", ("Alpha",), ("Speech",))
    assert "120 of 200 is 60.000 and 121 of 200 is 60.500" in one.message


def test_an_impossible_share_of_an_inferred_number(tmp_path: Path) -> None:
    hits = [12, 17, 29, 33, 41, 47, 52, 8, 19, 26]
    rows = [[f"Model {k}", f"{100 * k / 61:.2f}", "x"] for k in hits]
    rows[4][1] = "66.66"
    (one,) = found(tmp_path, markdown(rows, ["Model", "Acc", "Note"]))
    assert one.kind == "impossible" and "n = 61: 9 of 10 figures of the column are its shares" in one.message


def test_a_count_next_to_its_share(tmp_path: Path) -> None:
    rows = [["a", "60.5 (121/200)"], ["b", "61.0 (122/200)"], ["c", "62.0 (134/200)"]]
    (one,) = found(tmp_path, markdown(rows, ["M", "Acc"]))
    assert one.kind == "mismatch" and "134 of 200 is 67.00" in one.message


TRUNCATED = """
model-a,39.33,40.00,63.40,25.00
model-b,52.66,25.50,69.08,57.50
model-c,72.00,48.00,59.93,50.83
model-d,45.33,56.50,38.48,50.00
model-e,64.00,55.50,49.52,83.33
model-f,55.33,47.00,56.78,47.50
model-g,49.33,50.00,81.07,55.00
model-h,56.66,63.50,81.07,51.66
"""
QUESTIONS = {"Speech": 150, "Music": 200, "Sound": 317, "Mixed": 120}


def test_a_single_truncated_share_of_a_column_is_no_finding_if_the_table_is_truncated(tmp_path: Path) -> None:
    """62 of 120 is 51.666…, which is printed 51.66 in a table that drops further digits."""
    rows = [line.split(",") for line in TRUNCATED.split()]
    head = ["Model", *QUESTIONS]
    assert found(tmp_path, markdown(rows, head), questions=QUESTIONS) == []
    rows[7][4] = "51.64"
    (one,) = found(tmp_path, markdown(rows, head), questions=QUESTIONS)
    assert (one.kind, one.rows, one.columns) == ("impossible", ("model-h",), ("Mixed",))


def test_a_single_truncated_share_of_a_rounded_table_is_a_note(tmp_path: Path) -> None:
    rows = [line.split(",") for line in TRUNCATED.replace("52.66", "52.67").replace("56.66", "56.67").split()]
    rows = [[name, *(f"{round(float(x) / 100 * 120) / 1.2:.2f}" for x in values)] for name, *values in rows]
    rows[7][4] = "51.66"
    (one,) = found(tmp_path, markdown(rows, ["Model", *QUESTIONS]), questions=dict.fromkeys(QUESTIONS, 120))
    assert (one.severity, one.rows, one.columns) == ("note", ("model-h",), ("Mixed",))


def test_a_figure_above_100_is_one_finding_which_names_no_count_above_n(tmp_path: Path) -> None:
    rows = [row[:4] for row in changed(0, 1, "105.5")]
    (one,) = found(tmp_path, markdown(rows, HEAD[:4]), questions={"Speech": 200})
    assert (one.kind, one.severity, one.rows, one.columns) == ("impossible", "severe", ("Alpha",), ("Speech",))
    assert "201" not in one.message
    head = ["Model", "n=200", "Music", "Sound"]
    named = [one for one in found(tmp_path, markdown(rows, head), questions={"n=200": 200}) if one.rows == ("Alpha",)]
    assert all("201" not in one.message for one in named) and len(named) <= 1
