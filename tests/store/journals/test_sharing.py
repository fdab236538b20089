"""Items that were read together hold one object in place of several equal ones, and are as they were."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tests.support.runs import MANIFEST
from triptych.records import Item, Part, text
from triptych.store.decoded import keep_files
from triptych.store.folder import RunFolder
from triptych.store.journals.sharing import sharer

FORMS = [
    Item(
        f"t/{form}/{number}",
        f"t/{form}",
        (text("Which?", role="question"), Part("audio", path="a.wav")),
        ((Part("image", path="1.png"),), (text("two"), Part("image", path="2.png"))),
        ("A", "B"),
        "letter",
        "A",
        instance=f"t/{number}",
        facets={"form": form},
    )
    for number in range(2)
    for form in ("one", "other")
]


def copies() -> list[Item]:
    return [msgspec.json.decode(msgspec.json.encode(item), type=Item) for item in FORMS]


def test_equal_parts_are_one_object_and_no_item_changes() -> None:
    items = [*map(sharer(), copies())]
    assert items == FORMS
    first = items[0]
    for other in items[1:]:
        assert other.parts is first.parts and other.options is first.options and other.labels is first.labels
    assert first.instance is items[1].instance and first.task is items[2].task


def test_parts_are_shared_where_only_some_are_equal() -> None:
    one, other = copies()[:2]
    one = msgspec.structs.replace(one, parts=one.parts[:1], options=one.options[:1])
    shared = sharer()
    first, second = shared(one), shared(other)
    assert (first, second) == (one, other)
    assert first.parts[0] is second.parts[0] and first.options[0] is second.options[0]


def test_items_of_a_run_are_shared_while_files_are_kept(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", MANIFEST)
    with folder.writer() as writer:
        for item in FORMS:
            writer.add_item(item)
    with keep_files():
        items = [*folder.items()]
        assert items == sorted(FORMS, key=lambda item: item.id)
        assert len({id(item.parts) for item in items}) == 1 and len({id(item.facets) for item in items}) == 2
    assert [*folder.items()] == items
