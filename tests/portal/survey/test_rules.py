"""Who gets which cells of a survey, in which order, and whose answers count: properties."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from triptych.portal.survey.rules import (
    MIN_CHOICES,
    QuestionAnswer,
    Validity,
    draw_cells,
    faults,
    original,
    positions,
    sequence,
)

Cells = dict[str, frozenset[str]]


@st.composite
def surveys(draw: st.DrawFn) -> Cells:
    """Subtasks in several directions, with shared Instances, and Tasks on their own."""
    cells: Cells = {}
    for subtask in range(draw(st.integers(1, 5))):
        names = frozenset(f"{subtask}/{n}" for n in range(draw(st.integers(1, 3))))
        for direction in range(draw(st.integers(1, 6))):
            kept = draw(st.sets(st.sampled_from(sorted(names)), min_size=1))
            cells[f"{subtask}/{direction}"] = frozenset(kept)
    return cells


@given(surveys(), st.integers(1, 4), st.integers(0, 6), st.integers(0, 99), st.data())
@settings(max_examples=60, deadline=None)
def test_nobody_sees_an_instance_twice_and_cells_stay_even_to_one(
    cells: Cells, wanted: int, most: int, seed: int, data: st.DataObject
) -> None:
    counts, chance = dict.fromkeys(cells, 0), random.Random(seed)
    for _ in range(200):
        taken = draw_cells(counts, cells, wanted, most, chance)
        if not taken:
            break
        seen = [name for cell in taken for name in cells[cell]]
        assert len(seen) == len(set(seen)) and len(taken) == len(set(taken))
        assert not most or len(taken) <= most
        for cell in taken:
            counts[cell] += 1
        assert max(counts.values()) - min(counts.values()) <= 1
    assert set(counts.values()) == {wanted}  # every cell is full, and none has more than it needs


@given(surveys(), st.integers(1, 3), st.integers(0, 99), st.lists(st.booleans(), min_size=400, max_size=400))
@settings(max_examples=40, deadline=None)
def test_places_of_people_who_do_not_count_are_drawn_again(
    cells: Cells, wanted: int, seed: int, valid: list[bool]
) -> None:
    counts, chance = dict.fromkeys(cells, 0), random.Random(seed)
    for counted in [*valid, *[True] * 200]:
        for cell in draw_cells(counts, cells, wanted, 0, chance):
            counts[cell] += counted
        assert max(counts.values()) <= wanted
    assert set(counts.values()) == {wanted}


@given(st.lists(st.integers(1, 4), max_size=12), st.integers(0, 5), st.integers(0, 99))
def test_an_order_has_everything_once_and_units_stay_together(sizes: list[int], checks: int, seed: int) -> None:
    units = [[f"{number}.{place}" for place in range(size)] for number, size in enumerate(sizes)]
    extra = [f"check {number}" for number in range(checks)]
    made = sequence(units, extra, random.Random(seed))
    assert Counter(made) == Counter([*extra, *(name for unit in units for name in unit)])
    for unit in units:
        at = made.index(unit[0])
        assert made[at : at + len(unit)] == unit
    if len(units) > checks:
        assert not made[-1].startswith("check") and not made[0].startswith("check")


@given(st.integers(1, 8), st.integers(), st.text(max_size=5), st.data())
def test_positions_are_mapped_back_exactly(number: int, seed: int, person: str, data: st.DataObject) -> None:
    order = positions(seed, person, "item", number)
    assert sorted(order) == list(range(number)) and order == positions(seed, person, "item", number)
    meant = data.draw(st.sets(st.integers(0, number - 1), min_size=1))
    assert original([order.index(option) for option in meant], order) == sorted(meant)


def test_each_position_is_equally_likely() -> None:
    first = Counter(positions(1, f"p-{number}", "item", 4)[0] for number in range(4000))
    assert all(900 < first[option] < 1100 for option in range(4))  # three standard deviations are 82


def test_why_answers_do_not_count() -> None:
    good = [QuestionAnswer(9.0, position=n % 4, options=4) for n in range(20)]
    assert faults(good, Validity()) == []
    assert faults([*good, QuestionAnswer(5, passed=True)], Validity()) == []
    assert faults([*good, QuestionAnswer(5, passed=False)], Validity()) == ["inattentive"]
    assert faults([*good, QuestionAnswer(5, passed=False)], Validity(most_failed=1)) == []
    assert faults([*good[:15], *[QuestionAnswer(0.5, position=1, options=4)] * 5], Validity()) == ["too-fast"]
    assert faults([*good[:16], *[QuestionAnswer(0.5, position=1, options=4)] * 4], Validity()) == []
    assert faults([QuestionAnswer(9.0, position=2, options=4)] * MIN_CHOICES, Validity()) == ["same-position"]
    assert faults([QuestionAnswer(9.0, position=2, options=4)] * (MIN_CHOICES - 1), Validity()) == []
    assert faults([*good[:4], *[QuestionAnswer(9.0, declined=True)] * 5], Validity()) == ["unanswered"]
    assert faults([], Validity()) == []
