"""What is shared between Runs is equal in everything that the model was sent; what differs is counted and named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from triptych import api
from triptych.analysis.comparing.identity import (
    CHANGED,
    MEDIA,
    OPTIONS,
    ORDER,
    PARTS,
    TARGET,
    TEXT,
    _AllParts,
    _item_difference,
)
from triptych.records import Item, Part, text
from triptych.store.folder import RunFolder

SOUND = Part("audio", path="a.wav", sha256="1" * 64, role="content")
ITEM = Item(
    "i",
    "t",
    (text("Which?", "question"), SOUND),
    ((text("one"),), (text("two"),)),
    ("A", "B"),
    "letter",
    "A",
    facets={"f": "x"},
    hidden={"h": "x"},
)
NOT_SENT = {"id", "task", "unit", "instance", "facets", "place", "unit_size", "hidden"}
OTHER: dict[str, Any] = {
    "parts": (text("What?", "question"), SOUND),
    "options": ((text("one"),), (text("three"),)),
    "labels": ("1", "2"),
    "answer": "option",
    "target": "B",
}
OTHER_PART = {"kind": "video", "text": "x", "sha256": "2" * 64, "role": "question", "transform": "cut:seconds=1"}


@pytest.mark.parametrize("field", Item.__struct_fields__)
def test_every_field_of_an_item_that_is_sent_or_scored_is_compared(field: str) -> None:
    if field in NOT_SENT:
        return
    assert _item_difference(ITEM, structs.replace(ITEM, **{field: OTHER[field]}))


@pytest.mark.parametrize("field", Part.__struct_fields__)
@pytest.mark.parametrize("place", ["parts", "options"])
def test_every_field_of_a_part_is_compared(field: str, place: str) -> None:
    def with_part(part: Part) -> Item:
        return structs.replace(ITEM, **{place: (part,) if place == "parts" else ((part,), (part,))})

    if field == "path":  # the same content under another name is the same; without a hash only the name is known
        assert not _item_difference(with_part(SOUND), with_part(structs.replace(SOUND, path="b.wav")))
        bare = structs.replace(SOUND, sha256="")
        assert _item_difference(with_part(bare), with_part(structs.replace(bare, path="b.wav"))) == MEDIA
        return
    assert _item_difference(with_part(SOUND), with_part(structs.replace(SOUND, **{field: OTHER_PART[field]})))


def test_a_file_that_one_run_did_not_read_is_the_same_by_its_path() -> None:
    unread = structs.replace(ITEM, parts=(ITEM.parts[0], structs.replace(SOUND, sha256="")))
    assert _item_difference(ITEM, unread) == "" == _item_difference(ITEM, ITEM)


def test_parts_in_another_order_are_said_to_be_so_and_not_another_text() -> None:
    picture = Part("image", path="b.png", sha256="2" * 64, role="content")
    one = structs.replace(ITEM, parts=(*ITEM.parts, picture))
    assert _item_difference(one, structs.replace(one, parts=(picture, *ITEM.parts))) == ORDER
    assert _item_difference(one, structs.replace(one, parts=(text("Which?", "question"), picture, SOUND))) == ORDER
    other = structs.replace(picture, sha256="3" * 64)
    assert _item_difference(one, structs.replace(one, parts=(text("Which?", "question"), other, SOUND))) == TEXT


def test_a_unit_of_several_items_is_compared_in_all_of_them() -> None:
    second = structs.replace(ITEM, id="j", place=1, unit="i")
    other = structs.replace(second, parts=(text("Else?"),))
    assert _AllParts().difference((ITEM, second), (ITEM, second)) == ""
    assert _AllParts().difference((ITEM, second), (ITEM, other)) == TEXT
    assert _AllParts().difference((ITEM, second), (ITEM,)) == PARTS


Change = Callable[[Item], Item]


def hashed(content: str) -> Change:
    def change(item: Item) -> Item:
        def own(part: Part) -> Part:
            return structs.replace(part, sha256=content * 64) if part.is_media else part

        options = tuple(tuple(map(own, option)) for option in item.options)
        return structs.replace(item, parts=tuple(map(own, item.parts)), options=options)

    return change


def nonsense(item: Item) -> Item:
    """Replace options, which in a part of the benchmarks are in the question's text."""
    return structs.replace(hashed("1")(item), options=tuple((text(f"blah {n}"),) for n in range(len(item.options))))


def transformed(item: Item) -> Item:
    item = hashed("1")(item)
    parts = (structs.replace(part, transform="mp3:kbps=8") if part.is_media else part for part in item.parts)
    return structs.replace(item, parts=tuple(parts))


CHANGES: list[tuple[Change, str]] = [
    (hashed("2"), MEDIA),
    (nonsense, OPTIONS),
    (lambda item: structs.replace(hashed("1")(item), target="Z"), TARGET),
    (lambda item: structs.replace(hashed("1")(item), parts=(*hashed("1")(item).parts, text("Hint: A"))), TEXT),
    (transformed, CHANGED),
]


def rewritten(folder: RunFolder, to: Path, change: Change, every: int = 3) -> RunFolder:
    if to != folder.path:
        shutil.copytree(folder.path, to)
    items = [change(item) if not n % every else item for n, item in enumerate(folder.items())]
    (to / "items.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(items))
    found = RunFolder.open(to)
    api.score(to)
    return found


@pytest.mark.parametrize(("change", "why"), CHANGES, ids=[why[:30] for _, why in CHANGES])
def test_questions_that_are_not_the_same_are_left_out_counted_and_named(
    run: RunFolder, change: Change, why: str, tmp_path: Path
) -> None:
    other = rewritten(run, tmp_path / "other", change)
    count = len(list(run.items()))
    found = api.compare([run.path, other.path], replicates=100)
    changed = (count + 2) // 3
    assert found.shared == count - changed
    assert found.lost == {f"not the same question: {why}": changed}


def test_replaced_media_are_found_between_runs_under_different_conditions(run: RunFolder, tmp_path: Path) -> None:
    other = rewritten(run, tmp_path / "other", hashed("2"))
    told = msgspec.json.decode((other.path / "manifest.json").read_bytes())
    (other.path / "manifest.json").write_bytes(msgspec.json.encode({**told, "conditions": ["reasons"]}))
    found = api.compare([run.path, other.path], replicates=100)
    assert list(found.lost) == [f"not the same question: {MEDIA}"]


def test_if_all_are_replaced_nothing_is_compared(run: RunFolder, tmp_path: Path) -> None:
    other = rewritten(run, tmp_path / "other", hashed("2"), every=1)
    found = api.compare([run.path, other.path], replicates=100)
    assert found.shared == 0
    assert "share no question, although" in found.sentences[0] and MEDIA in found.sentences[0]


def test_replaced_media_are_another_signature(run: RunFolder, tmp_path: Path) -> None:
    def data(folder: RunFolder) -> str:
        return dict(f.split(":", 1) for f in api.score(folder.path)["official"][0].signature.split("|"))["data"]

    plain = data(run)
    changed = data(rewritten(run, tmp_path / "other", hashed("2")))
    assert plain != changed and plain.partition("+")[0] == changed.partition("+")[0] == run.manifest.data_sha256
    assert data(rewritten(run, tmp_path / "same", hashed("1"))) == plain
