"""Tests of `conditions/no_context.py`: `no_context`."""

from __future__ import annotations

from hypothesis import given

from tests.conditions.test_condition import ITEMS
from triptych.conditions.condition import find_condition
from triptych.records import Item


@given(item=ITEMS)
def test_no_context_leaves_no_content_and_the_options_as_they_were(item: Item) -> None:
    changed = find_condition("no_context").apply(item)
    assert not any(p.role == "content" for p in changed.parts)
    assert changed.options == item.options
