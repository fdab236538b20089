"""Tests of `triptych export`: where the files are, what is said of them, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych import api
from triptych.cli.main import main


def ended(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["export", *map(str, arguments)])
    return int(stop.value.code or 0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    for name in ("first", "reference"):
        api.run("cmdar/main", f"baseline/{name}", out=root / name, limit=3)
    return root


def test_one_run_is_written_into_the_folder_itself(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(runs / "reference", "--format", "lmms", "--to", tmp_path / "to") == 0
    said = capsys.readouterr().err
    files = [path for path in (tmp_path / "to").rglob("*") if path.is_file()]
    assert files and all(path.name in said for path in files)
    (samples,) = [path for path in files if "samples" in path.name]
    lines = [json.loads(line) for line in samples.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 3 and all(line["target"] for line in lines)


def test_several_runs_have_a_folder_each(runs: Path, tmp_path: Path) -> None:
    assert ended(runs / "first", runs / "reference", "--format", "dataset", "--to", tmp_path / "to") == 0
    assert sorted(path.name for path in (tmp_path / "to").iterdir()) == ["first", "reference"]
    for name in ("first", "reference"):
        assert (tmp_path / "to" / name / "README.md").read_text(encoding="utf-8").startswith("---\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{runs}/first", "--format", "lms"], "did you mean 'lmms'"),
        (["{runs}/first", "--format", "lmms", "--protocol", "oficial"], "did you mean 'official'"),
        (["{runs}", "--format", "lmms"], "not a Run folder"),
        (["{runs}/none", "--format", "lmms"], "not a Run folder"),
    ],
)
def test_wrong_use_writes_nothing(
    runs: Path, tmp_path: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(*(each.format(runs=runs) for each in arguments), "--to", tmp_path / "to") == 2
    assert words in capsys.readouterr().err and not (tmp_path / "to").exists()
