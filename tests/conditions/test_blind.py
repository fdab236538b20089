"""Tests of `conditions/blind.py`: `blind`."""

from __future__ import annotations

from hypothesis import given

from tests.conditions.test_condition import ITEMS
from triptych.conditions.condition import find_condition
from triptych.records import Item, media, text


@given(item=ITEMS)
def test_blind_leaves_no_media_and_all_words(item: Item) -> None:
    changed = find_condition("blind").apply(item)
    assert not any(p.is_media for p in changed.all_parts)
    assert [p for p in item.parts if not p.is_media] == list(changed.parts)
    assert [p for o in item.options for p in o if not p.is_media] == [
        q for o, c in zip(item.options, changed.options, strict=True) for p, q in zip(o, c, strict=True) if p == q
    ]


def test_blind_options_say_what_is_gone_and_no_more() -> None:
    item = Item("i", "t", (text("Which?"),), ((media("audio", "a.wav"),), (media("audio", "b.wav"),)), ("A", "B"))
    assert find_condition("blind").apply(item).options == ((text("[audio removed]"),), (text("[audio removed]"),))
