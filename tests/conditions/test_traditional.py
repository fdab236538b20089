"""Tests of `conditions/traditional.py`: the question in traditional characters."""

from __future__ import annotations

import pytest

from triptych.conditions.traditional import HIDDEN, Traditional
from triptych.records import Item, media, text

STEM = (
    media("image", "a.jpg"),
    text("画里有什么？", "question"),
    text("请直接回答。", "question"),
    text("见下图", "content"),
)


def test_the_question_is_replaced_where_it_begins_and_the_rest_stays() -> None:
    item = Item("i", "t", STEM, options=((text("龙"),),), target="龙", hidden={HIDDEN: "畫裏有什麼？"})
    changed = Traditional().apply(item)
    assert [part.path or part.text for part in changed.parts] == ["a.jpg", "畫裏有什麼？", "见下图"]
    assert changed.parts[1].role == "question"
    assert (changed.options, changed.target, changed.hidden) == (item.options, item.target, item.hidden)


@pytest.mark.parametrize(
    "item",
    [Item("i", "t", STEM), Item("i", "t", STEM, hidden={HIDDEN: ""}), Item("i", "t", STEM[:1], hidden={HIDDEN: "畫"})],
)
def test_an_item_without_one_is_unchanged(item: Item) -> None:
    assert Traditional().apply(item) is item
