"""Merging shards: the first answer counts; missing ones are found; other questions are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import item, manifest
from triptych.errors import RunFolderError
from triptych.records import Response
from triptych.store.folder import RunFolder
from triptych.store.merge import merge
from triptych.store.shards import missing_shards, unfinished


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
    assert len(list(both.responses())) == 4 and not unfinished(both)


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_answers_the_first_counts_in_any_order_of_folders(tmp_path: Path, turned: bool) -> None:
    early = shard(tmp_path / "1", "1/2", answer(0, "early", time="2026-01-01T10:00"), answer(1, "", "failed"))
    late = shard(tmp_path / "2", "1/2", answer(0, "late", time="2026-01-01T11:00"), answer(1, "B"))
    folders = [late, early] if turned else [early, late]
    both = merge(folders, tmp_path / "both")
    assert [r.text for r in both.responses()] == ["early", "B"], "and an answer counts before a failure"
    assert len(list(both.history())) == 4, "what was asked twice stays in the journal, and in the cost"


def test_shards_that_asked_other_questions_are_refused(tmp_path: Path) -> None:
    one, two = shard(tmp_path / "1", "1/2", answer(0)), shard(tmp_path / "2", "1/3", answer(0, key="other"))
    with pytest.raises(RunFolderError, match="different questions as Item '00000'"):
        merge([one, two], tmp_path / "both")
    assert not (tmp_path / "both").exists()


def test_shards_of_other_selections_are_refused(tmp_path: Path) -> None:
    one = shard(tmp_path / "1", "1/2", answer(0))
    two = RunFolder.create(tmp_path / "2", manifest(shard="2/2", limit=5))
    with pytest.raises(RunFolderError, match="differ in limit"):
        merge([one, two], tmp_path / "both")


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
    assert unfinished(part) == 1
    rest = shard(tmp_path / "3", "3/3", answer(3), planned=1)
    assert missing_shards([part, rest]) == ()
    assert len(list(merge([part, rest], tmp_path / "all").responses())) == 4
