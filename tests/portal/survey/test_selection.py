"""Tests of `portal/survey/selection.py`: which questions a survey has."""

from __future__ import annotations

import pytest

pytest.importorskip("sqlalchemy", reason="SQLAlchemy comes with the extra [portal]")

from triptych.portal.survey.selection import AvailableUnits, choose, conflicts
from triptych.records import Item, text

DIRECTIONS = ("audio_text", "text_audio", "image_text")


def available(instances: int, *, varying: tuple[str, ...] = (), without: str = "") -> AvailableUnits:
    units = AvailableUnits(varying)
    for number in range(instances):
        for direction in DIRECTIONS:
            name = f"{direction}/{number:03}"
            if name != without:
                facets = {"language": "en" if number % 2 else "zh"}
                units.add(Item(name, direction, (text("?"),), instance=f"x{number:03}", facets=facets))
    return units


def test_every_cell_has_the_same_instances() -> None:
    chosen = choose(available(50), 8, seed=3)
    assert list(chosen.instances) == sorted(DIRECTIONS) and chosen.short == {}
    assert len({tuple(instances) for instances in chosen.instances.values()}) == 1
    assert len(chosen.cell) == 24
    assert {item.partition("/")[0] for item, cell in chosen.cell.items() if cell == "audio_text"} == {"audio_text"}


def test_the_draw_follows_the_seed_alone() -> None:
    assert choose(available(50), 8, 3) == choose(available(50), 8, 3)
    assert choose(available(50), 8, 3).cell != choose(available(50), 8, 4).cell


def test_a_facet_that_varies_inside_a_task_splits_its_cell() -> None:
    chosen = choose(available(20, varying=("language",)), 4, 0)
    assert len(chosen.instances) == 6 and "audio_text/zh" in chosen.instances
    assert all(len(instances) == 4 for instances in chosen.instances.values())


def test_cells_with_fewer_units_than_wanted_are_named() -> None:
    assert choose(available(3, without="audio_text/001"), 3, 0).short == {"audio_text": 2}
    assert choose(AvailableUnits(()), 3, 0, practice=2).instances == {}


def test_a_unit_of_which_items_are_missing_is_not_chosen() -> None:
    units = AvailableUnits(())
    units.add(Item("a1", "t", (text("?"),), unit="a", unit_size=2))
    for place in (0, 1):
        units.add(Item(f"b{place}", "t", (text("?"),), unit="b", unit_size=2, place=place))
    assert set(choose(units, 5, 0).cell) == {"b0", "b1"}


def test_practice_is_of_instances_that_nobody_meets_otherwise() -> None:
    chosen = choose(available(10), 7, 1, practice=5)
    met = {instance for instances in chosen.instances.values() for instance in instances}
    practised = [items[0].replace(f"{items[0].partition('/')[0]}/", "x") for items in chosen.practice]
    assert len(practised) == 3 == len(set(practised))  # 10 Instances, of which 7 are met
    assert not met & set(practised)
    assert len({items[0].partition("/")[0] for items in chosen.practice}) == 3  # one of each cell


def test_conflicts_are_the_instances_of_cells() -> None:
    assert conflicts({"a": ["x", "y"], "b": []}) == {"a": frozenset({"x", "y"}), "b": frozenset()}
