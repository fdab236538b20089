"""Units and cells: what scorers and aggregations read from them."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from triptych.protocols.protocol import NO_VERDICTS, Cell, Unit
from triptych.records import Item, Response


def test_a_unit_has_the_id_and_the_first_item_of_all_its_items() -> None:
    """MCIF scores a talk as one Unit: all its segments."""
    segments = tuple(Item(f"mcif/ASR/en/{n}", "mcif/ASR", (), unit="mcif/ASR/en/talk", place=n) for n in range(3))
    replies = (None, Response("mcif/ASR/en/1", "", 1, "answered", "welcome"), None)
    unit = Unit(segments, replies, repeat=1)
    assert (unit.item, unit.unit_id, unit.response) == (segments[0], "mcif/ASR/en/talk", None)
    alone = Unit((Item("q", "b/t", ()),), (Response("q", "", 0, "answered", "A"),))
    assert alone.unit_id == "q" and alone.response is not None and alone.response.text == "A"


def test_without_a_judge_there_are_no_verdicts_and_nothing_is_compared() -> None:
    unit = Unit((Item("q", "b/t", ()),), (None,))
    assert unit.verdicts is NO_VERDICTS and not unit.verdicts
    assert unit.verdicts.opinion("judge_score").status == "unavailable"
    with pytest.raises(FrozenInstanceError):
        unit.repeat = 1  # type: ignore[misc]


def test_a_cell_has_an_empty_text_for_a_facet_that_it_is_not_split_by() -> None:
    cell = Cell("mcif/QA", "bertscore", (("language", "zh"), ("qtype", "")))
    assert [cell.facet(name) for name in ("language", "qtype", "origin", "")] == ["zh", "", "", ""]
    assert Cell("a", "b").facet("language") == ""
    assert {cell: 1}[Cell("mcif/QA", "bertscore", (("language", "zh"), ("qtype", "")))] == 1, "cells are keys"
