"""Tests of `construction/record.py`: records, and stages' decisions about them."""

from __future__ import annotations

import msgspec
import pytest

from triptych.construction.record import (
    DECISIONS,
    Child,
    Maker,
    Outcome,
    Record,
    dropped,
    failed,
    kept,
    no_json,
    pending,
    revised,
    split,
)


@pytest.mark.parametrize("id", ["", " a", "a ", "a\nb", "a\rb", "a\tb", "\u3000a"])
def test_an_id_is_one_line_of_text(id: str) -> None:
    with pytest.raises(ValueError, match="must be one line of text"):
        Record(id, {})


@pytest.mark.parametrize("value", [b"x", bytearray(b"x"), {1}, frozenset(), [1, {"x": (b"x",)}]])
def test_bytes_and_sets_are_no_json(value: object) -> None:
    assert "in the field 'b'" in no_json({"a": "x", "b": value})


def test_values_of_json_are_json() -> None:
    assert no_json({"a": "x", "b": [1, 2.5, None, True, {"c": ("d", [])}], "c": {}}) == ""


@pytest.mark.parametrize("id", ["guan/ju", "李白 静夜思", "a:b#1", "0"])
def test_an_id_may_have_blanks_inside_and_any_script(id: str) -> None:
    assert Record(id, {}).id == id


def test_each_decision_has_its_function() -> None:
    outcomes = [kept(), revised("r", {"a": 1}), dropped("r"), pending("r"), failed("r")]
    assert tuple(outcome.decision for outcome in outcomes) == DECISIONS
    assert all(outcome.reason == "r" for outcome in outcomes[1:]) and not outcomes[0].reason


def test_fields_are_given_by_name_or_as_a_table_and_copied() -> None:
    table = {"a": 1, "b": 2}
    assert kept(table, b=3).fields == {"a": 1, "b": 3}
    changed = revised("spelling", table, "ß for ss")
    table["a"] = 9
    assert changed.fields == {"a": 1, "b": 2} and changed.note == "ß for ss"


def test_a_split_has_children_that_share_fields_and_none_is_dropped() -> None:
    children = [Child("0", {"text": "一"}), Child("1", {"text": "二"}, sources=("speaker:X",))]
    outcome = split(children, {"title": "诗"})
    assert outcome.decision == "kept" and outcome.children == tuple(children) and outcome.fields == {"title": "诗"}
    empty = split([], {"title": "诗"})
    assert (empty.decision, empty.reason) == ("dropped", "empty") and empty.fields == {}


def test_an_outcome_is_read_as_it_was_written() -> None:
    outcome = Outcome(
        "revised",
        "spelling",
        "注",
        {"a": [1, None, "x"]},
        {"a": Maker("person", "P1")},
        (Child("0", {"b": 1}),),
        ("speaker:X",),
        Maker("model", "openai/x", "journal#1", "p#0a"),
    )
    assert msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome) == outcome
    assert msgspec.json.encode(kept()) == b"{}"  # a stage that changes nothing takes no room
