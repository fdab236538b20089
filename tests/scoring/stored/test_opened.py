"""A named Run must be valid; an invalid one below a folder is left out with a warning."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.errors import DataError, TriptychError
from triptych.scoring.runs import is_outdated
from triptych.scoring.stored.opened import sound_runs


@pytest.fixture
def two_runs(make_run: MakeRun) -> tuple[Path, Path]:
    one, other = (make_run([item("1")], [response("1")], name) for name in ("one", "other"))
    return one.path, other.path


def test_all_runs_below_a_folder_are_returned_with_fresh_scores(two_runs: tuple[Path, Path], tmp_path: Path) -> None:
    runs = sound_runs([tmp_path])
    assert {run.path for run in runs} == set(two_runs)
    assert not any(map(is_outdated, runs))
    assert [run.path for run in sound_runs([two_runs[1]])] == [two_runs[1]]


@pytest.mark.parametrize("damage", ["items.jsonl", "responses.jsonl"])
def test_a_damaged_run_below_a_folder_is_left_out_by_name(
    two_runs: tuple[Path, Path], tmp_path: Path, damage: str
) -> None:
    (two_runs[0] / damage).write_bytes(b'{"id": 7, "no": "Item"}\n{"cut off')
    with pytest.warns(UserWarning, match="is left out: ") as warned:
        runs = sound_runs([tmp_path])
    assert [run.path for run in runs] == [two_runs[1]]
    (warning,) = warned
    assert str(two_runs[0]) in str(warning.message)


def test_a_damaged_run_that_was_named_is_not_left_out(two_runs: tuple[Path, Path], tmp_path: Path) -> None:
    """Whoever names a Run wants this one: what is wrong with it is said when it is read."""
    (two_runs[0] / "items.jsonl").write_bytes(b"\x00\xff not JSON\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runs = sound_runs([tmp_path, two_runs[0] / ".." / two_runs[0].name])
    assert {run.path.resolve() for run in runs} == set(two_runs)


def test_a_folder_of_damaged_runs_alone_is_refused_with_the_fault(two_runs: tuple[Path, Path], tmp_path: Path) -> None:
    for path in two_runs:
        (path / "items.jsonl").write_bytes(b"[]\n")
    with pytest.warns(UserWarning, match="is left out"), pytest.raises(DataError) as refused:
        sound_runs([tmp_path])
    assert "items.jsonl" in str(refused.value)


def test_a_folder_without_runs_and_one_that_is_not_there_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "nowhere"):
        with pytest.raises(TriptychError, match=path.name):
            sound_runs([path])
    with pytest.raises(TriptychError, match="no Run was given"):
        sound_runs(run for run in [])
