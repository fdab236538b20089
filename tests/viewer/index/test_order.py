"""Tests of `viewer/index/order.py`."""

from __future__ import annotations

import random
from pathlib import Path

from triptych.records.natural_order import natural
from triptych.viewer.index.database import Database
from triptych.viewer.index.order import MAX_NUMBERS, natural_order, natural_pieces


def test_the_database_sorts_like_natural(tmp_path: Path) -> None:
    """Names made by chance of pieces that are easily confused."""
    pieces = ["a", "b", "", "1", "01", "2", "10", "999999999999999999", "/", "\u0663", "é", "\n", "語"]
    rng = random.Random(7)
    names = sorted({"".join(rng.choices(pieces, k=rng.randint(0, 7))) for _ in range(600)})
    with Database(tmp_path) as base:
        base.table("names", {"name": (str, names)})
        sql = f"SELECT name FROM (SELECT name, {natural_pieces('name', MAX_NUMBERS)} AS p FROM names)"
        found = base.run(f"{sql} ORDER BY {', '.join(natural_order('p', MAX_NUMBERS))}, name")
    assert [name for (name,) in found] == sorted(names, key=natural)
