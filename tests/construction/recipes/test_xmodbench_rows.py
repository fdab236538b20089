"""The material of `make six`: over 400 Instances in five families, each with three distractors by the rules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tools.six.material import MAKERS, Material

from triptych.construction.recipes.xmodbench import subtasks


@pytest.fixture(scope="module")
def rows() -> list[dict[str, object]]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("sound", "speech", "picture", "video"):
            patch.setattr(Material, name, lambda self, stem, *_: stem)
        drawings = [f"pictures.{name}" for name in ("icon", "shape", "pitch_curve", "cover", "face", "car")]
        for name in (*drawings, "rooms.panorama", "instruments.drawn", "singers.portrait"):
            patch.setattr(f"tools.mini.{name}", lambda *_, **__: Blank())
        patch.setattr("tools.six.material._wide", lambda icon: icon)
        shop = Material(Path("nowhere"))
        return [row for make in MAKERS for row in make(shop)]


class Blank:
    """A picture that nothing is drawn on."""

    def resize(self, size: object) -> Blank:
        return self

    def rotate(self, degrees: float, **_: object) -> Blank:
        return self


def test_there_are_over_400_rows_in_five_families_with_ids_of_their_own(rows: list[dict[str, object]]) -> None:
    families = Counter(subtasks()[str(row["subtask"])]["family"] for row in rows)
    assert len(rows) >= 400 and len({row["id"] for row in rows}) == len(rows)
    assert len(families) == 5 and min(families.values()) >= 40
    assert {row["subtask"] for row in rows} == set(subtasks())


def test_every_row_finds_three_distractors(rows: list[dict[str, object]]) -> None:
    for row in rows:
        rules = subtasks()[str(row["subtask"])]
        if row.get("parts") or row.get("foa"):  # composed, or turned: the recipe makes the wrong ones
            continue
        pool = [other for other in rows if other["subtask"] == row["subtask"]]
        if rules["pool"] == "group":
            pool = [other for other in pool if other["group"] == row["group"]]
        what = "category" if rules.get("category") or row.get("category") else "text"
        assert len({other[what] for other in pool}) >= 4, row["id"]
        assert not rules.get("untitled") or str(row["category"]).lower() not in str(row["text"]).lower()
        assert not rules.get("person") or 3 <= sum(other["category"] == row["category"] for other in pool) <= 5
        assert not rules.get("categories") or row["category"] in rules["categories"]
