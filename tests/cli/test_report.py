"""Tests of `triptych report`: which formats are written without a word, what is added, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import api
from triptych.cli.main import main
from triptych.reports import report as reports


def ended(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["report", *map(str, arguments)])
    return int(stop.value.code or 0)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    api.run("cmdar/main", "baseline/reference", out=folder, limit=3, name="全对 [x]")
    return folder


def endings(folder: Path) -> set[str]:
    return {path.suffix for path in folder.rglob("*") if path.is_file()}


def test_without_a_folder_the_tables_are_printed(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = endings(run)
    assert ended(run) == 0
    shown = capsys.readouterr()
    assert "全对 [x]" in shown.out and "100.0" in shown.out and endings(run) == before


def test_published_rows_stand_next_to_the_run(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert ended(run) == 0
    alone = capsys.readouterr().out
    assert ended(run, "--with-published") == 0
    assert "Qwen2.5-Omni" in capsys.readouterr().out and "Qwen2.5-Omni" not in alone


def test_a_folder_gets_every_format_whose_packages_are_there(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reports, "html_lacks", lambda: "matplotlib")
    assert ended(run, "--to", tmp_path / "to") == 0
    said = capsys.readouterr().err
    assert endings(tmp_path / "to") == {".csv", ".md"}
    assert "no html: it needs matplotlib; pip install 'triptych[report]'" in said
    assert all(path.name in said for path in (tmp_path / "to").iterdir() if path.is_file())


def test_formats_are_separated_by_commas_or_repeated(run: Path, tmp_path: Path) -> None:
    assert ended(run, "--to", tmp_path / "one", "--format", "csv,latex") == 0
    assert ended(run, "--to", tmp_path / "two", "--format", "csv", "--format", "latex") == 0
    assert endings(tmp_path / "one") == endings(tmp_path / "two") == {".csv", ".tex"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{run}", "--format", "docx"], "docx"),
        (["{run}", "--protocol", "oficial"], "did you mean 'official'"),
        (["{run}", "--data", "cmdar"], "--data"),
        (["{run}/tables"], "tables"),
        (["{run}", "--highlight", "a", "--highlight", "b", "--highlight", "c", "--format", "csv"], "highlight"),
    ],
)
def test_wrong_use_ends_with_2_and_writes_nothing(
    run: Path, tmp_path: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(*(each.format(run=run) for each in arguments), "--to", tmp_path / "to") == 2
    assert words in capsys.readouterr().err and not (tmp_path / "to").exists()
