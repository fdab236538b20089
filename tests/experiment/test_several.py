"""Several Runs at once: benchmarks and tasks among the arguments, their data, and the models' endpoints."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.errors import DataError
from triptych.experiment.several import fit_settings, group_benchmarks, own_data

QUESTIONS = "id,question,A,B,C,answer\n" + "".join(f"{n},Which is {n}?,x,y,z,B\n" for n in range(10))


def test_arguments_are_benchmarks_or_tasks(here: Path) -> None:
    assert group_benchmarks(["xmodbench", "linguistic", "cmdar/main", "xmodbench/perception", "q.csv"]) == [
        ("xmodbench", ("linguistic", "xmodbench/perception")),
        ("cmdar/main", ()),
        ("q.csv", ()),
    ]
    assert group_benchmarks(["cmdr", "main"]) == [("cmdr", ("main",))], "what is unknown is named when it is planned"


def test_the_data_of_several_benchmarks(here: Path) -> None:
    (here / "d" / "cmdar").mkdir(parents=True)
    assert own_data("cmdar/main", here / "d") == here / "d" / "cmdar"
    assert own_data("cmdar", None) is None
    with pytest.raises(DataError, match="no folder of xmodbench"):
        own_data("xmodbench", here / "d")


def test_an_endpoint_is_for_the_models_that_ask_one() -> None:
    assert fit_settings("openai/a", {"seed": "1"}, "http://h/v1") == {
        "settings": {"seed": "1"},
        "base_url": "http://h/v1",
    }
    assert fit_settings("baseline/first", {}, "http://h/v1") == {"settings": {}, "base_url": None}
