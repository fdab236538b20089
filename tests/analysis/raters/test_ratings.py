"""Ratings from a file: read strictly, and raters like judges and metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.seen import seen
from tests.scoring.toy import score
from triptych.analysis.raters.agreement import of_run
from triptych.analysis.raters.ratings import read_ratings
from triptych.errors import DataError
from triptych.metrics.agreement import spearman

VALUES = [0.0, 0.25, 0.5, 0.75, 1.0]


def test_a_file_of_ratings_is_a_rater_beside_the_metric(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("item,rater,value\n" + "".join(f"u{n},ann,{n}\n" for n in (0, 2, 1, 3, 4)))
    run = seen("A", [score(f"u{n}", value) for n, value in enumerate(VALUES)])
    section = of_run(run, read_ratings(tmp_path / "r.csv"))
    assert section is not None
    found = {e.measure: e for e in section.estimates}
    assert found["spearman"].value == pytest.approx(spearman(VALUES, [0, 1, 2, 3, 4]) or 0) and found["spearman"].n == 5
    assert found["spearman"].slice["raters"] == "metric acc · person ann"


def test_what_is_about_no_item_is_told(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(
        '{"item": "u0", "value": 1}\n{"item": "u1", "value": 2}\n{"item": "x", "value": 3}\n'
    )
    section = of_run(seen("A", [score("u0", 0.0), score("u1", 1.0)]), read_ratings(tmp_path / "r.jsonl"))
    assert section is not None and "1 ratings match no Item of this Run: x" in section.notes[0]
    assert section.estimates[0].n == 2 and section.estimates[0].slice["raters"] == "metric acc · person people"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("r.csv", "item,rater\nu0,a\n", "column 'value' is missing"),
        ("r.csv", "item,value\nu0,high\n", "not a number"),
        ("r.csv", "item,value\nu0,nan\n", "not a number"),
        ("r.csv", "item,value\nu0,1\nu0,2\n", "twice"),
        ("r.csv", "item,value\n", "has no ratings"),
        ("r.csv", "item,value\n,1\n", "has no item"),
        ("r.jsonl", '{"item": "u0"', "not valid JSON"),
        ("r.jsonl", "[1]\n", "not an object with columns"),
        ("r.jsonl", '{"item": "u0", "value": true}\n', "not a number"),
        ("r.jsonl", f'{{"item": "u0", "value": 1{"0" * 400}}}\n', "not a number"),
    ],
)
def test_ratings_that_cant_be_read(tmp_path: Path, name: str, content: str, said: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=said):
        read_ratings(tmp_path / name)
    with pytest.raises(DataError, match="no such file of ratings"):
        read_ratings(tmp_path / "absent.csv")


def test_a_repeat_that_is_no_number_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("item,value,rater,repeat\nu0,1,a,first\n")
    with pytest.raises(DataError, match="repeat"):
        read_ratings(tmp_path / "r.csv")


def test_ratings_separated_by_semicolons(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("item;rater;value\nu0;ann;2\n")
    assert read_ratings(tmp_path / "r.csv")["ann"] == {"u0": 2}
