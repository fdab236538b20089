"""Records between stages: held as tuples, and read as they were."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from triptych.construction.engine.engine import advance
from triptych.construction.engine.folder import DecisionLine
from triptych.construction.held_records import HeldRecords
from triptych.construction.record import Child, Outcome, Record, dropped, kept

MANY = [
    Record(f"w{n}", {"text": f"t{n}", "n": n} | ({"year": None} if n % 2 else {}), (f"work:{n}",)) for n in range(9)
]


def test_records_are_read_as_they_were_in_any_order() -> None:
    held = HeldRecords(MANY)
    assert list(held) == MANY and len(held) == 9 and held[-1] == MANY[-1] and list(held[2:5]) == MANY[2:5]
    assert list(reversed(held)) == MANY[::-1] and [list(r.fields) for r in held] == [list(r.fields) for r in MANY]
    assert list(zip(held, held, strict=True)) == list(zip(MANY, MANY, strict=True))
    with pytest.raises(IndexError):
        held[9]


def test_records_that_are_taken_are_no_longer_held() -> None:
    class Value(str):
        __slots__ = ()

    value = Value("a text")
    held = HeldRecords([Record("a", {"text": value}), Record("b", {})])
    before = sys.getrefcount(value)
    taken = held.take_records()
    assert next(taken).fields["text"] is value
    next(taken)
    assert sys.getrefcount(value) == before - 1


@pytest.mark.parametrize(
    ("values", "same"),
    [(("x" * 9, "x" * 9), True), ((["a", "b"], ["a", "b"]), True), (([1], [True]), False), (([1], [1.0]), False)],
)
def test_neighbours_share_equal_texts_and_never_take_another_type(values: tuple[Any, Any], same: bool) -> None:
    outcomes = [Outcome(fields={"value": value}) for value in values]
    lines = [DecisionLine(f"r{n}", "k", outcome) for n, outcome in enumerate(outcomes)]
    one, other = advance([Record("r0", {}), Record("r1", {})], lines)
    assert (one.fields["value"] is other.fields["value"]) is same
    assert [repr(each.fields["value"]) for each in (one, other)] == [repr(value) for value in values]


def test_a_stage_goes_on_from_held_records() -> None:
    held = HeldRecords(MANY[:3])
    outcomes = [kept(seen=True), dropped("no"), Outcome(children=(Child("x", {"part": 1}), Child("y", {"part": 2})))]
    lines = (DecisionLine(each.id, "k", outcome) for each, outcome in zip(held, outcomes, strict=True))
    after = HeldRecords(advance(held.take_records(), lines))
    assert [(each.id, each.fields) for each in after] == [
        ("w0", {**MANY[0].fields, "seen": True}),
        ("w2/x", {**MANY[2].fields, "part": 1}),
        ("w2/y", {**MANY[2].fields, "part": 2}),
    ]
