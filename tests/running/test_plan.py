"""Tests of `running/plan.py`: which Items are asked."""

from __future__ import annotations

import pytest

from triptych.errors import SpecError
from triptych.records import Item, text
from triptych.running.plan import Selection, facet_of, select


def item(number: int, task: str, instance: str, language: str) -> Item:
    return Item(f"i{number}", task, (text("?"),), instance=instance, facets={"language": language})


ITEMS = [
    item(0, "qa", "x", "en"),
    item(1, "qa", "x", "de"),
    item(2, "qa", "y", "en"),
    item(3, "asr", "x", "en"),
    item(4, "qa", "z", "en"),
    item(5, "qa", "y", "de"),
]


@pytest.mark.parametrize(
    ("selection", "chosen"),
    [
        (Selection(), "012345"),
        (Selection({"language": frozenset(["en"])}), "0234"),
        (Selection({"language": frozenset(["en", "de"]), "task": frozenset(["qa"])}), "01245"),
        (Selection({"instance": frozenset(["y"])}), "25"),
        (Selection({"language": frozenset(["fr"])}), ""),
        (Selection(limit=1), "013"),
        (Selection(limit=2), "01235"),
        (Selection(limit=0), ""),
        (Selection({"language": frozenset(["de"])}, limit=1), "1"),
        (Selection(items=frozenset(["i4", "i9"])), "4"),
        (Selection(items=frozenset()), ""),
    ],
)
def test_selections_by_hand(selection: Selection, chosen: str) -> None:
    assert "".join(each.id[1:] for each in select(ITEMS, selection)) == chosen


def test_a_facet_that_items_do_not_have_is_refused_with_the_nearest() -> None:
    with pytest.raises(SpecError, match=r"langage(.|\n)*language"):
        list(select(ITEMS, Selection({"langage": frozenset(["en"])})))
    assert (facet_of(ITEMS[3], "task"), facet_of(ITEMS[3], "instance"), facet_of(ITEMS[3], "language")) == (
        "asr",
        "x",
        "en",
    )
