"""Tests of `store/merge.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.parquet.test_records import fill
from tests.store.test_shards import answer, shard
from tests.support.runs import manifest
from triptych.errors import RunFolderError
from triptych.store.merge import merge


def test_disjoint_runs_merge(tmp_path: Path) -> None:
    one = fill(tmp_path / "one", range(3), manifest(limit=3, planned=3))
    two = fill(tmp_path / "two", range(3, 5), manifest(tasks=("two",), planned=2))
    both = merge([one, two], tmp_path / "both")
    assert [i.id for i in both.items()] == [f"{n:05}" for n in range(5)]
    assert len(list(both.responses())) == 5
    assert both.manifest.tasks == ("one", "two") and both.manifest.planned == 5 and both.manifest.limit is None
    with pytest.raises(RunFolderError, match="a Run already"):
        merge([one], tmp_path / "both")


def test_overlap_and_other_models_do_not_merge(tmp_path: Path) -> None:
    one, two = fill(tmp_path / "one", range(3)), fill(tmp_path / "two", range(2, 5))
    with pytest.raises(RunFolderError, match="'00002'"):
        merge([one, two], tmp_path / "both")
    other = fill(tmp_path / "other", range(7, 9), manifest(model="x/y", seed=3))
    with pytest.raises(RunFolderError, match="differ in model, seed"):
        merge([one, other], tmp_path / "both")
    assert not (tmp_path / "both").exists()
    with pytest.raises(RunFolderError, match="nothing"):
        merge([], tmp_path / "both")


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
