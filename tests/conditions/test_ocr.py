"""`ocr`: where the text comes from, where it goes, and that no Item is asked without it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import triptych
from triptych import api
from triptych.conditions.condition import find_condition
from triptych.errors import DataError, SpecError
from triptych.media.hashes import with_hashes
from triptych.records import Item, media, text
from triptych.store.folder import RunFolder

ITEM = Item(
    "b/1", "b/t", (media("image", "a.jpg", "content"), text("何意？", "question")), hidden={"true_text": "学而"}
)


def parts(item: Item) -> list[str]:
    return [part.text or part.path for part in item.parts]


def table(folder: Path, **texts: str) -> Path:
    path = folder / "paddle.json"
    path.write_text(json.dumps(texts), encoding="utf-8")
    return path


def test_the_true_text_comes_after_the_picture_once() -> None:
    condition = find_condition("ocr:from=data")
    changed = condition.apply(ITEM)
    assert parts(changed) == ["a.jpg", "图中的文字如下：\n学而", "何意？"]
    assert changed.parts[1].role == "content"
    assert condition.apply(changed) == changed
    assert condition.name == "ocr:from=data"


def test_without_a_text_it_stops_and_without_a_picture_it_does_nothing() -> None:
    bare = Item("b/2", "b/t", ITEM.parts)
    with pytest.raises(DataError, match="no text for this picture"):
        find_condition("ocr:from=data").apply(bare)
    words = Item("b/3", "b/t", (text("q", "question"),))
    assert find_condition("ocr:from=data").apply(words) == words


def test_a_table_by_path_or_by_content_names_itself_by_its_hash(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"picture")
    digest = hashlib.sha256(b"picture").hexdigest()
    by_path = find_condition(f"ocr:table={table(tmp_path, **{'a.jpg': '一'})}")
    assert parts(by_path.apply(ITEM))[1].endswith("\n一")
    by_hash = find_condition(f"ocr:table={table(tmp_path, **{digest: '二'})},name=PaddleOCR")
    assert by_hash.needs_hashes  # type: ignore[attr-defined]
    assert parts(by_hash.apply(with_hashes(ITEM, tmp_path)))[1].endswith("\n二")
    assert by_hash.name.startswith("ocr:name=PaddleOCR@")
    assert by_path.name.startswith("ocr:name=paddle@")
    assert by_path.name.partition("@")[2] != by_hash.name.partition("@")[2]


@pytest.mark.parametrize(
    "wanted", ["ocr", "ocr:from=heaven", "ocr:table=a,run=b", "ocr:name=x", "ocr:from=data,name=x"]
)
def test_wrong_use_is_told(wanted: str) -> None:
    with pytest.raises(SpecError):
        find_condition(wanted)


def test_a_table_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[1]", encoding="utf-8")
    for path in ("x.json", "none.json"):
        with pytest.raises(DataError):
            find_condition(f"ocr:table={tmp_path / path}")


def test_setting_2_from_end_to_end(tmp_path: Path) -> None:
    """First a Run reads the pictures, then its replies stand beside them (section 4.4 of Liu et al., 2025)."""
    first = triptych.run("mcs_bench/T2", "baseline/reference", prompt="ocr", out=tmp_path / "read", scored=False)
    condition = f"ocr:run={first.folder.path}"
    ready = api.plan("mcs_bench/T3", "baseline/reference", conditions=[condition])
    replies = {r.item.rpartition("/")[2]: r.text for r in RunFolder.open(tmp_path / "read").responses()}
    asked = [[p.text for p in request.messages[0].parts if not p.is_media] for request in ready.requests()]
    assert [words[0].partition("\n")[2] for words in asked] == list(replies.values())
    second = api.run_plan(ready, out=tmp_path / "ask")
    assert second.folder.manifest.condition.startswith("ocr:name=baseline/reference@")
    text_only = api.plan("mcs_bench/T2", "baseline/reference", conditions=["ocr:from=data", "blind"])
    assert not any(request.media_parts for request in text_only.requests())


def test_a_table_has_what_the_data_lacks(tmp_path: Path) -> None:
    bare = Item("b/2", "b/t", (media("image", "b.jpg", "content"), text("何意？", "question")))
    given = table(tmp_path, **{"a.jpg": "表", "b.jpg": "一"})
    condition = find_condition(f"ocr:from=data,table={given}")
    assert parts(condition.apply(ITEM))[1].endswith("\n学而"), "the data's text counts where there is one"
    assert parts(condition.apply(bare))[1].endswith("\n一")
    assert condition.name.startswith("ocr:from=data@")
    other = Item("b/3", "b/t", (media("image", "c.jpg", "content"), text("何意？", "question")))
    assert [condition.lacks(item) for item in (ITEM, bare, other)] == [False, False, True]  # type: ignore[attr-defined]
    with pytest.raises(DataError, match="no text for this picture"):
        condition.apply(other)
    with pytest.raises(SpecError, match="exactly one source"):
        find_condition(f"ocr:from=model,table={given}")
