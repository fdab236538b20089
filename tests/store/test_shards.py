"""Merging shards: the first answer counts; missing ones are found; other questions are refused."""

from __future__ import annotations

from pathlib import Path

from tests.support.runs import item, manifest
from triptych.records import Response
from triptych.store.folder import RunFolder
from triptych.store.merge import merge
from triptych.store.shards import count_unfinished, missing_shards


def shard(path: Path, which: str, *responses: Response, planned: int = 2) -> RunFolder:
    folder = RunFolder.create(path, manifest(shard=which, planned=planned, planned_whole=4, limit=4))
    with folder.writer() as writer:
        for response in responses:
            writer.add_item(item(int(response.item)))
            writer.add_response(response)
    return folder


def answer(number: int, text: str = "A", status: str = "answered", time: str = "", key: str = "k") -> Response:
    return Response(f"{number:05}", "", 0, status, text, key, time=time)  # type: ignore[arg-type]


def test_the_merged_run_has_the_selection_of_the_whole(tmp_path: Path) -> None:
    one = shard(tmp_path / "1", "1/2", answer(0), answer(1))
    two = shard(tmp_path / "2", "2/2", answer(2), answer(3))
    both = merge([one, two], tmp_path / "both")
    assert (both.manifest.shard, both.manifest.planned, both.manifest.limit) == ("", 4, 4)
    assert both.manifest.identity() == manifest(limit=4).identity()
    assert len(list(both.responses())) == 4 and not count_unfinished(both)


def test_missing_shards_are_found(tmp_path: Path) -> None:
    one = shard(tmp_path / "1", "1/4", answer(0), planned=1)
    three = shard(tmp_path / "3", "3/4", answer(2), planned=1)
    assert missing_shards([one, three]) == ("2/4", "4/4")
    half = shard(tmp_path / "half", "2/2", answer(1), answer(3))
    assert missing_shards([one, three, half]) == (), "their Items are in a shard of another size"
    assert missing_shards([RunFolder.create(tmp_path / "whole", manifest())]) == ()


def test_a_merged_part_and_the_rest_make_the_whole(tmp_path: Path) -> None:
    one = shard(tmp_path / "1", "1/3", answer(0), answer(1))
    part = merge([one, shard(tmp_path / "2", "2/3", answer(2), planned=1)], tmp_path / "part")
    assert count_unfinished(part) == 1
    rest = shard(tmp_path / "3", "3/3", answer(3), planned=1)
    assert missing_shards([part, rest]) == ()
    assert len(list(merge([part, rest], tmp_path / "all").responses())) == 4
