"""Results are replayed over the questions that they are about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_main import triptych as command
from triptych import api
from triptych.benchmarks import known_benchmarks
from triptych.store.folder import RunFolder


def test_what_is_odd_about_replayed_results_is_told_and_noted(tmp_path: Path) -> None:
    rows = json.loads((known_benchmarks()["cmdar"].mini / "MDAR-main.json").read_bytes())
    for row in rows[1:]:
        row["model_output"] = row["answer"]
    results = tmp_path / "results.json"
    results.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    out = tmp_path / "run"
    shown = command("run", "cmdar/main", "--model", "replay/x", "-M", f"path={results}", "--out", str(out))
    assert "problems with the replayed results" in shown.stderr and "problems with the data" not in shown.stderr
    assert "model_output" in shown.stderr
    assert "model_output" in RunFolder.open(out).manifest.note


def test_replies_to_other_questions_are_not_scored_against_the_mini_sets_keys(tmp_path: Path) -> None:
    results = tmp_path / "main.json"
    results.write_text(json.dumps([{"id": f"{n:04d}", "model_output": "学校"} for n in range(30)]), encoding="utf-8")
    asked = ["run", "cmdar/main", "--model", "replay/x", "-M", f"path={results}", "--out", str(tmp_path / "run")]
    shown = command(*asked)
    assert shown.returncode == 2 and "do not belong to the built-in mini set" in shown.stderr
    shown = command(*asked, "--data", "mini")
    assert "6 predictions belong to no known question" in shown.stderr
    assert RunFolder.open(tmp_path / "run").manifest.planned == 24


def test_results_that_tell_their_questions_lack_nothing_of_the_mini_set(tmp_path: Path) -> None:
    rows = json.loads((known_benchmarks()["cmdar"].mini / "MDAR-main.json").read_bytes())
    released = [
        row | {"id": f"{900 + n}", "question": f"{row['question']} {n}", "model_output": row["answer"]}
        for n, row in enumerate(rows[:10])
    ]
    for name, results in (("own", released), ("mini", [row | {"model_output": row["answer"]} for row in rows[:10]])):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(results, ensure_ascii=False), encoding="utf-8")
        shown = command("run", "cmdar/main", "--model", "replay/x", "-M", f"path={path}", "--out", str(tmp_path / name))
        manifest = RunFolder.open(tmp_path / name).manifest
        if name == "own":
            assert shown.returncode == 0 and "mini set" not in shown.stderr
            assert "reference answers come from the results" in shown.stderr
            assert (manifest.planned, manifest.data) == (10, "as in results")
        else:
            assert (manifest.planned, manifest.data) == (24, "mini"), "of the mini set, 14 are missing"
        assert shown.stdout.count(manifest.data_sha256) == 1
    runs = [RunFolder.open(tmp_path / name).manifest for name in ("own", "mini")]
    assert len({run.data_sha256 for run in runs}) == 2


@pytest.mark.parametrize(("data", "planned"), [(None, (10, "as in results")), ("mini", (24, "mini"))])
def test_other_questions_under_the_same_ids_are_the_results_own_unless_data_is_named(
    tmp_path: Path, data: str | None, planned: tuple[int, str]
) -> None:
    rows = json.loads((known_benchmarks()["cmdar"].mini / "MDAR-main.json").read_bytes())
    changed = [row | {"question": f"{row['question']}？", "model_output": row["answer"]} for row in rows[:10]]
    path = tmp_path / "results.json"
    path.write_text(json.dumps(changed, ensure_ascii=False), encoding="utf-8")
    ready = api.plan("cmdar/main", "replay/x", settings={"path": str(path)}, data=data)
    assert (ready.count(), ready.manifest.data) == planned
