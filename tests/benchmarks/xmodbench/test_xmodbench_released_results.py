"""The released results of two systems, scored again: which cells of the paper follow from the items, and which don't.

`golden/reproduced.csv` lists every published cell of the two systems, what the items give, and the reason where
that isn't what was published.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from tests.benchmarks.xmodbench.replay import SYSTEMS
from triptych.benchmarks import Benchmark

GOLDEN = list(csv.DictReader((Path(__file__).parent / "golden" / "reproduced.csv").open(encoding="utf-8")))


def test_the_list_is_of_every_published_cell(bench: Benchmark) -> None:
    with (bench.folder / "published" / "tables.csv").open(encoding="utf-8") as file:
        published = Counter(
            (r["table"], r["column"], r["value"]) for r in csv.DictReader(file) if r["model"] in SYSTEMS.values()
        )
    assert Counter((r["table"], r["column"], r["published"]) for r in GOLDEN) == published
    assert Counter(not r["reason"] for r in GOLDEN) == {True: 266, False: 94}
