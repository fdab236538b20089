"""Items and Responses become Units, none is lost."""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.scoring.toy import item, response
from triptych.errors import DataError
from triptych.scoring.stored import units
from triptych.scoring.stored.units import forget_units, group_units, remember_units
from triptych.store.decoded import keep_files


def test_an_item_without_a_response_is_a_unit_all_the_same() -> None:
    units = list(group_units([item("x"), item("y")], [response("y")]))
    assert [(u.unit_id, u.response and u.response.text) for u in units] == [("x", None), ("y", "A")]


def test_items_of_a_unit_are_joined_in_order_wherever_they_stand() -> None:
    items = [item("s1", unit="talk", instance="t"), item("z"), item("s2", unit="talk", instance="t")]
    units = list(group_units(items, [response("s2", "B"), response("s1", "A")]))
    assert [u.unit_id for u in units] == ["talk", "z"]
    assert [r.text for r in units[0].responses if r] == ["A", "B"]


def test_each_repeat_is_a_unit_of_its_own_even_if_missing() -> None:
    units = list(group_units([item("x")], [response("x", "B", repeat=1)], repeats=3))
    assert [(u.repeat, u.response and u.response.text) for u in units] == [(0, None), (1, "B"), (2, None)]


def test_of_two_responses_to_one_item_the_later_counts() -> None:
    (unit,) = group_units([item("x")], [response("x", "", "failed"), response("x", "A")])
    assert unit.response is not None and unit.response.status == "answered"


def test_an_item_that_comes_twice_is_refused() -> None:
    with pytest.raises(DataError, match="two Items have the same id"):
        list(group_units([item("x"), item("x")], []))


def test_a_unit_across_tasks_is_refused() -> None:
    items = [item("x", unit="u", instance="i"), item("y", task="b", unit="u", instance="i")]
    with pytest.raises(DataError, match="unit u, item y"):
        list(group_units(items, []))


def test_items_of_a_unit_are_joined_by_their_place_however_they_come() -> None:
    items = [structs.replace(item(f"s{n}", unit="talk", instance="t"), place=n, unit_size=12) for n in range(12)]
    by_id = sorted(items, key=lambda member: member.id)  # s0, s1, s10, s11, s2 …: as a Run folder gives them
    (unit,) = group_units(by_id, [])
    assert [member.place for member in unit.items] == list(range(12))


def test_a_unit_that_lacks_items_counts_nowhere() -> None:
    items = [structs.replace(item(f"s{n}", unit="talk", instance="t"), place=n, unit_size=3) for n in range(3)]
    assert [u.unit_id for u in group_units([item("x"), *items[1:]], [])] == ["x"]


def test_units_of_a_run_are_made_once_until_they_are_forgotten() -> None:
    items, responses = [item("x"), item("y")], [response("y", "A")]
    with keep_files():
        first = remember_units(items, responses)
        assert remember_units(items, responses) is first and first == list(group_units(items, responses))
        assert remember_units(items, responses, 2) is not first, "other repeats are other Units"
        forget_units(items, responses)
        assert remember_units(items, responses) is not first
    assert remember_units(items, responses) is not remember_units(items, responses), "nothing is kept outside"


def test_an_analysis_of_too_many_units_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "MAX_UNITS", 5)
    with pytest.raises(DataError, match="at most 5 Units") as caught:
        list(group_units([item("1"), item("2")], [], repeats=3))
    assert "shards" in str(caught.value)
