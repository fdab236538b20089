"""Tests of `reports/merging.py`: Runs merged into one, with the tables of the whole."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

import triptych
from triptych.errors import RunFolderError, SpecError
from triptych.reports.merging import merge_runs, shard_command
from triptych.store.folder import RunFolder


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> list[RunFolder]:
    """A Run of eight questions in three shards, and as a whole."""
    place = tmp_path_factory.mktemp("shards")
    names = {"1/3": "eval-1-of-3", "2/3": "eval-2-of-3", "3/3": "eval-3-of-3", "": "whole"}
    return [
        triptych.run("cmdar/main", "baseline/first", limit=8, shard=shard, out=place / name).folder
        for shard, name in names.items()
    ]


def merged(folders: Sequence[RunFolder], out: Path, *, partial: bool = False) -> RunFolder:
    return merge_runs(folders, out, name="", same_model=False, partial=partial)


def tables(folder: RunFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder.path / "tables").glob("*") if "cost" not in path.name}


def test_the_whole_has_the_replies_the_scores_and_the_tables_of_one_run(
    shards: list[RunFolder], tmp_path: Path
) -> None:
    *parts, whole = shards
    both = merged(parts, tmp_path / "both")
    assert sorted(r.entry for r in both.responses()) == sorted(r.entry for r in whole.responses())
    assert both.manifest.shard == "" and tables(both) == tables(whole) != {}


def test_a_missing_shard_is_an_error_with_the_command_that_runs_it(shards: list[RunFolder], tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="1 shard is missing") as one:
        merged([shards[0], shards[2]], tmp_path / "both")
    assert one.value.got == "2/3" and "--shard 2/3" in str(one.value.fix) and "run it: " in str(one.value.fix)
    with pytest.raises(RunFolderError, match="2 shards are missing") as two:
        merged([shards[1]], tmp_path / "both")
    assert two.value.got == "1/3, 3/3" and str(two.value.fix).count("triptych run") == 2
    assert str(two.value.fix).endswith("or merge what there is with --partial")
    assert not (tmp_path / "both").exists()


def test_what_there_is_is_merged_if_that_is_wanted(shards: list[RunFolder], tmp_path: Path) -> None:
    part = merged([shards[0], shards[2]], tmp_path / "part", partial=True)
    assert 0 < len(list(part.responses())) < 8
    with pytest.raises(SpecError, match="at least two Runs") as refused:
        merged(shards[:1], tmp_path / "one", partial=True)
    assert refused.value.got == "1" and not (tmp_path / "one").exists()


def test_a_folder_that_exists_is_left_as_it_is(shards: list[RunFolder], tmp_path: Path) -> None:
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "mine.txt").write_text("keep")
    with pytest.raises(RunFolderError):
        merged(shards[:3], tmp_path / "both")
    assert [path.name for path in (tmp_path / "both").iterdir()] == ["mine.txt"]


def test_the_command_of_another_shard_names_a_folder_next_to_this_one(shards: list[RunFolder]) -> None:
    first = shards[0]
    words = shlex.split(shard_command(first, "2/3"))
    assert words[words.index("--shard") + 1] == "2/3"
    assert Path(words[words.index("--out") + 1]) == first.path.with_name("eval-2-of-3")
    own = shlex.split(shard_command(first, "1/3"))
    assert Path(own[own.index("--out") + 1]) == first.path, "its own shard is resumed where it is"


def test_a_folder_that_is_not_named_after_its_shard_gets_a_neighbour(shards: list[RunFolder], tmp_path: Path) -> None:
    renamed = RunFolder(tmp_path / "mein Lauf", shards[0].manifest)
    words = shlex.split(shard_command(renamed, "3/3"))
    assert Path(words[words.index("--out") + 1]) == tmp_path / "shard-3-of-3"
    again = shlex.split(shard_command(renamed, "1/3"))
    assert Path(again[again.index("--out") + 1]) == renamed.path, "a space in the name is quoted"


def test_of_very_many_missing_shards_five_are_named(shards: list[RunFolder], tmp_path: Path) -> None:
    only = triptych.run("cmdar/main", "baseline/first", limit=8, shard="2/8", out=tmp_path / "2-of-8").folder
    with pytest.raises(RunFolderError, match="7 shards are missing") as many:
        merged([only], tmp_path / "both")
    assert many.value.got == "1/8, 3/8, 4/8, 5/8, 6/8, and 2 more" and str(many.value.fix).count("triptych run") == 5
