"""Tests of `benchmarks/mcs_bench/statistics.py`: tables 2 and 5, computed from the user's copy."""

from __future__ import annotations

from tests.benchmarks.test_statistics import Told, values
from triptych.benchmarks.mcs_bench.statistics import statistics as mcs_bench
from triptych.records import Item, media, text


def test_mcs_bench_by_hand() -> None:
    def item(task: str, domain: str, form: str, question: str, target: str, path: str) -> Item:
        return Item(
            f"mcs_bench/{task}/{path}",
            f"mcs_bench/{task}",
            (media("image", path, "content"), text(question, "question")),
            target=target,
            facets={"domain": domain, "format": form},
        )

    items = [
        item("T30", "SEA", "QA", "印文?", "长乐", "a.png"),
        item("T30", "SEA", "QA", "印文是什么?", "万岁千秋", "b.png"),
        item("T31", "SEA", "MCQ", "谁?", "A", "c.png"),
    ]
    found = values(mcs_bench(items, Told({"a.png": (100, 50), "b.png": (40, 80)}), {}))
    assert (found["Seal", "tasks"], found["Seal", "MCQ tasks"], found["Seal", "QA tasks"]) == (2, 1, 1)
    assert found["Seal", "questions"] == 3 and found["OverAll", "questions"] == 3 and found["T30", "questions"] == 2
    assert found["T30", "average question length"] == 4.5 and found["T30", "average answer length"] == 3.0
    assert found["T30", "average pixels"] == (5000 + 3200) / 2 and found["T30", "fewest pixels"] == 3200
    assert found["T30", "largest aspect ratio"] == 2.0 and found["T30", "smallest aspect ratio"] == 0.5
    assert found["T31", "average pixels"] is None
