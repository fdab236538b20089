"""Tests of `triptych import`: a log of another harness becomes a Run that is scored at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.interchange.test_interchange import LOGS
from triptych import api
from triptych.cli.main import main
from triptych.store.folder import RunFolder


def ended(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["import", *map(str, arguments)])
    return int(stop.value.code or 0)


def test_a_log_of_inspect_is_scored_and_its_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ended(LOGS / "choice.eval", "--json") == 0
    shown = capsys.readouterr()
    document = json.loads(shown.out)
    folder = tmp_path / "runs" / "imported" / "choice"
    assert "Run folder: runs/imported/choice" in shown.err and RunFolder.open(folder).manifest.model
    values = {(s["task"], s["metric_id"]): s["value"] for s in document["scores"] if not s["slice"]}
    again = api.score(folder)
    assert values and set(values.values()) == {a.value for figures in again.values() for a in figures if not a.slice}
    assert (folder / "tables").is_dir()


def test_a_run_that_was_exported_comes_back_with_its_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three of three are right."""
    api.run("cmdar/main", "baseline/reference", out=tmp_path / "run", limit=3)
    with pytest.raises(SystemExit):
        main(["export", str(tmp_path / "run"), "--format", "lmms", "--to", str(tmp_path / "to")])
    (samples,) = (tmp_path / "to").rglob("*samples*.jsonl")
    assert ended(tmp_path, "--out", tmp_path / "back") == 2
    assert f"name {samples.parent}" in capsys.readouterr().err
    capsys.readouterr()
    assert ended(samples, "--out", tmp_path / "back") == 0
    assert "100.0" in capsys.readouterr().out and len(list(RunFolder.open(tmp_path / "back").responses())) == 3


@pytest.mark.parametrize("content", [b"", b"not a log", b"[]", b'{"a": 1}', b"\xff\xfe\x00"])
def test_what_is_no_log_is_one_message_and_no_folder(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "日志.json").write_bytes(content)
    assert ended(tmp_path / "日志.json", "--out", tmp_path / "run") == 2
    said = capsys.readouterr().err
    assert "日志.json" in said and "Traceback" not in said and not (tmp_path / "run").exists()
