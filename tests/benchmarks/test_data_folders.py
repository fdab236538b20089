"""Tests of `benchmarks/data_folders.py`: the media folder of a Run."""

from __future__ import annotations

from pathlib import Path

from tests.support.runs import manifest
from triptych.benchmarks.data_folders import data_folder


def test_the_folder_that_is_named_counts_before_the_manifests(tmp_path: Path) -> None:
    run = manifest(data=str(tmp_path))
    named = data_folder(run, None, {run.benchmark: tmp_path / "here", "other": tmp_path})
    assert named is not None and named.path == tmp_path / "here" and named.named
    from_run = data_folder(run, None, {"other": tmp_path / "here"})
    assert from_run is not None and from_run.path == tmp_path and not from_run.named


def test_the_mini_set_is_where_the_benchmark_has_it(tmp_path: Path) -> None:
    mini = data_folder(manifest(data="mini"), tmp_path / "mini", {})
    assert mini is not None and mini.path == tmp_path / "mini"
    assert data_folder(manifest(data="mini"), None, {}) is None


def test_a_folder_that_is_gone_or_no_path_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for data in ("", str(tmp_path / "gone"), str(tmp_path / "file"), "a\0b", "x" * 100_000):
        assert data_folder(manifest(data=data), None, {}) is None
