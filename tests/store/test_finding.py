"""Tests of `store/finding.py`: Run folders below a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.runs import manifest
from triptych.errors import RunFolderError
from triptych.store.finding import open_runs, run_paths
from triptych.store.folder import RunFolder


def runs(root: Path, *names: str) -> None:
    for name in names:
        RunFolder.create(root / name, manifest(model=f"openai/{name.replace('/', '-')}"))


def test_runs_are_found_in_order_and_not_inside_runs(tmp_path: Path) -> None:
    runs(tmp_path, "b", "a/x", "a/x/inner", ".hidden/y", "1/2/3/4/5", "1/2/3/4/5x/6")
    os.symlink(tmp_path / "b", tmp_path / "link")
    assert [path.relative_to(tmp_path).as_posix() for path in run_paths(tmp_path)] == ["1/2/3/4/5", "a/x", "b"]
    assert list(run_paths(tmp_path / "b")) == [tmp_path / "b"]
    assert list(run_paths(tmp_path / "nowhere")) == []


def test_checkpoints_are_found_by_their_number(tmp_path: Path) -> None:
    runs(tmp_path, "step-10000", "step-2000", "step-500")
    assert [folder.path.name for folder in open_runs(tmp_path)] == ["step-500", "step-2000", "step-10000"]


def test_a_run_that_is_named_twice_is_refused_and_one_found_twice_opened_once(tmp_path: Path) -> None:
    runs(tmp_path, "a", "b")
    assert len(open_runs([tmp_path, tmp_path / "a"])) == 2
    with pytest.raises(RunFolderError, match="twice"):
        open_runs([tmp_path / "a", f"{tmp_path}/b/../a"])


def test_a_folder_without_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError):
        open_runs([tmp_path])


def test_a_run_that_cannot_be_read_ends_the_command_or_is_left_out(tmp_path: Path) -> None:
    runs(tmp_path, "a", "b")
    (tmp_path / "b/manifest.json").write_text("{", encoding="utf-8")
    with pytest.raises(RunFolderError):
        open_runs([tmp_path])
    with pytest.warns(UserWarning, match="b is left out"):
        assert [run.path.name for run in open_runs([tmp_path], lenient=True)] == ["a"]
    with pytest.raises(RunFolderError):
        open_runs([tmp_path / "b"], lenient=True)


def test_a_single_path_is_a_list_of_one_and_not_its_characters(tmp_path: Path) -> None:
    runs(tmp_path, "a", "b")
    assert [run.path.name for run in open_runs(str(tmp_path))] == ["a", "b"]
    assert [run.path.name for run in open_runs(str(tmp_path / "b"))] == ["b"]
