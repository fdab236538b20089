"""The published row of results: named, or found by name, by the files that a Run replays, or by the figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import triptych
from triptych import audit_run
from triptych.audit.results.published import task_cells
from triptych.audit.tables.cells import load_tables
from triptych.audit.tables.rules import load_rules
from triptych.benchmarks import load_benchmark
from triptych.errors import SpecError
from triptych.records import Finding

ROW, FOLDER, OFF = "Gemini 2.0 Flash", "gemini-2.0-flash", 3


def write_file(folder: Path, name: str, right: int, count: int) -> None:
    rows = {
        str(i): {"question": f"q{i}", "response": "A" if i < right else "B", "correct_answer": "A"}
        for i in range(count)
    }
    document = {"score": 100 * right / count, "correct_count": right, "all_count": count, "results": rows}
    (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")


def released(folder: Path, tasks: int = 12) -> Path:
    """Results of 400 questions a Task that give the row's cells to 0.005 where 400 questions can, three of them not."""
    bench = load_benchmark("xmodbench")
    rules = load_rules(bench.folder)
    tables = load_tables(bench.folder / "published", rules.decimals, rules.aliases)
    folder.mkdir(parents=True)
    families = {"linguistic": "speech", "knowledge": "external"}
    done = 0
    for task, table, column in task_cells(rules.runs):
        family, subtask, direction = task.split("/")
        cell = tables.rows(table).get(ROW, {}).get(column)
        if cell is None or subtask == "emotion_classification" or done == tasks:
            continue
        fitting = (
            (k, n)
            for n in range(300, 1200)
            for k in (round(float(cell.text) * n / 100),)
            if abs(100 * k / n - float(cell.text)) < 0.004
        )
        right, count = next(fitting, (0, 0))
        if count:
            wrong = 40 * (done < OFF)
            write_file(folder, f"{families.get(family, family)}_{subtask}_{direction}", max(right - wrong, 0), count)
            done += 1
    return folder


def off(found: list[Finding]) -> int:
    return len([f for f in found if f.kind == "mismatch" and len(f.columns) == 1 and "answered are right" in f.message])


def test_a_renamed_folder_and_a_replayed_run_keep_their_published_row(tmp_path: Path) -> None:
    folder = released(tmp_path / FOLDER, tasks=16)
    assert off(audit_run([folder], benchmark="xmodbench")) == OFF
    triptych.run("xmodbench", "replay/mine", settings={"path": str(folder)}, out=tmp_path / "run")
    assert off(audit_run([tmp_path / "run"])) == OFF, "by the files that it replays"
    renamed = folder.rename(tmp_path / "results")
    found = audit_run([renamed], benchmark="xmodbench")
    assert off(found) == OFF, "by the figures"
    assert off(audit_run([renamed], benchmark="xmodbench", rows={"results": ROW})) == OFF


def test_a_row_that_is_not_recognised_is_said_and_can_be_named(tmp_path: Path) -> None:
    folder = released(tmp_path / "results", tasks=OFF)
    found = audit_run([folder], benchmark="xmodbench")
    assert off(found) == 0
    (told,) = [f for f in found if f.columns == ("published row",)]
    assert told.severity == "note" and "--row ROW" in told.message
    assert off(audit_run([folder], benchmark="xmodbench", rows={"*": ROW})) == OFF


@pytest.mark.parametrize("rows", [{"*": "Gemini 9"}, {"nobody": ROW}])
def test_a_row_or_result_that_does_not_exist_is_refused(tmp_path: Path, rows: dict[str, str]) -> None:
    with pytest.raises(SpecError):
        audit_run([released(tmp_path / "results", tasks=OFF)], benchmark="xmodbench", rows=rows)


def test_a_run_of_ones_own_is_no_row_of_the_paper(tmp_path: Path) -> None:
    triptych.run("cmdar/main", "baseline/random", out=tmp_path / "run")
    assert not [f for f in audit_run([tmp_path / "run"]) if f.kind == "mismatch" or f.columns == ("published row",)]
