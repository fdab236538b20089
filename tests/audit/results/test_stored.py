"""Tests of `audit/results/stored.py`."""

from __future__ import annotations

import json
from pathlib import Path

import triptych
from tests.audit.results.test_check import Reply, often, results
from triptych import audit_run
from triptych.audit.results.published import task_cells
from triptych.audit.tables.cells import load_tables
from triptych.audit.tables.rules import load_rules
from triptych.benchmarks import load_benchmark
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


def test_lost_and_empty_replies_that_a_file_stores_alike(tmp_path: Path) -> None:
    """10 replies are missing; the file counted 2 of them, as wrong: its score follows, and that is told."""
    reply: Reply = lambda index, key, rng: None if index < 10 else key if index < 110 else "x"  # noqa: E731
    folder = results(tmp_path / "a", reply, all_count=192, score=100 * 100 / 192)
    (found,) = [f for f in audit_run([folder], benchmark="xmodbench") if f.kind == "score"]
    assert found.severity == "note" and "counts 2 of them as answers" in found.message
    assert "10 replies are missing" in found.message
    folder = results(tmp_path / "b", reply, all_count=192, score=55.0)
    (found,) = [f for f in audit_run([folder], benchmark="xmodbench") if f.kind == "score"]
    assert found.severity == "severe"


def test_the_released_results_of_xmodbench(shared_data: Path) -> None:
    found = audit_run([shared_data / "xmodbench" / "released_results.tar.xz"])
    cells = {(f.rows[0], f.columns[0]): f for f in found if f.kind == "mismatch"}
    assert set(cells) == {
        ("Gemini 2.0 Flash", "A>V|MovingDirection"),
        ("Qwen2.5-Omni", "T>A|Arrangement"),
        ("Qwen2.5-Omni", "V>A|Arrangement"),
        ("Qwen2.5-Omni", "A>T|Indoor"),
        *(("Gemini 2.0 Flash", column) for column in ("Std", "Spat|Std", "Overall|Avg", "Overall|Std")),
        *(("Qwen2.5-Omni", f"Spat|{column}") for column in ("A>T", "T>A", "V>A", "Avg", "Std")),
        ("Qwen2.5-Omni", "Spat"),
    }
    assert cells["Gemini 2.0 Flash", "Overall|Avg"].recomputed == 61.53
    assert "T7 A>V|MovingDirection doesn't follow either" in cells["Gemini 2.0 Flash", "Overall|Avg"].message
    (dual, averages) = [f for f in found if f.kind == "missing" and "averages" in f.message]
    assert dual.columns == ("T12 AV>T",) and dual.rows == ("Gemini 2.0 Flash",)  # those results are elsewhere
    assert len(averages.columns) == 34 and len([f for f in found if f.kind == "missing" and f.table]) == 14
    assert "one digit from 67.58" in cells["Gemini 2.0 Flash", "A>V|MovingDirection"].message
    assert "93 more" in cells["Qwen2.5-Omni", "T>A|Arrangement"].message
    assert "93 more" in cells["Qwen2.5-Omni", "V>A|Arrangement"].message
    assert any(f.kind == "coverage" and "10 of 2,000" in f.message for f in found)
    transcripts = [f for f in found if f.kind == "failure" and f.columns == ("transcript",)]
    assert any("455 of 465" in f.message for f in transcripts)
    assert not [f for f in found if f.kind in ("score", "mislabelled")]
    twice = {f.rows[0]: f for f in found if f.kind == "duplicate" and f.severity == "severe"}
    assert {task: (f.published, f.recomputed) for task, f in twice.items()} == {
        "xmodbench/temporal/order/text_audio": (63.8, 38.8),
        "xmodbench/temporal/order/vision_audio": (26.4, 2.2),
    }
    assert {str(f.file).partition(".tar.xz")[2] for f in found if f.file} == {
        "/benchmark/results/gemini-2.0-flash",
        "/benchmark/results/qwen2.5_omni",
    }


def test_positions_that_stand_twice_are_told_with_what_the_first_give(tmp_path: Path) -> None:
    folder = results(tmp_path / "a", lambda index, key, rng: key, count=100)
    file = folder / "perception_general_audio_text.json"
    rows = json.loads(file.read_text(encoding="utf-8"))["results"]
    early = ",".join(f'"{n}": {json.dumps(rows[str(n)] | {"response": "no"})}' for n in range(30))
    file.write_text(file.read_text(encoding="utf-8").replace('"results": {', '"results": {' + early + ","), "utf-8")
    (found,) = [f for f in audit_run([folder], benchmark="xmodbench") if f.kind == "duplicate"]
    assert (found.severity, found.published, found.recomputed) == ("severe", 100.0, 70.0)
    assert "30 positions occur twice in the file, 30 of them with different replies" in found.message


def test_a_known_systems_task_without_any_reply_is_told_as_missing(tmp_path: Path) -> None:
    """It raised a ZeroDivisionError, where the cell is published."""
    folder = results(tmp_path / "gemini-2.5-pro", lambda index, key, rng: None, 40, "speech_translation_vision_text")
    found = audit_run([folder], benchmark="xmodbench")
    (cells,) = [f for f in found if f.kind == "missing" and "cells are published" in f.message]
    assert len(cells.columns) == 102 and cells.severity == "note"
    assert not [f for f in found if f.kind == "mismatch"]


def test_results_of_another_prompt_are_held_against_no_published_cell(tmp_path: Path) -> None:
    results(tmp_path / "gemini-2.5-pro", often, 40, "perception_general_audio_text_reason")
    found = audit_run([tmp_path / "gemini-2.5-pro"], benchmark="xmodbench")
    assert not [f for f in found if f.kind == "mismatch"]


def test_mcif_outputs_are_held_against_the_published_error_rate_of_their_modality_and_prompts(tmp_path: Path) -> None:
    """36.8 and 6.6 are printed of Ola's recognition of whole talks with mixed prompts; here 1 of 4 words is wrong."""
    talk = '<sample id="{}" iid="ASR_{}" task="ASR"><audio_path/><reference>many models hear talks</reference></sample>'
    talks = "".join(talk.format(n, n) for n in range(3))
    task = '<task track="long" text_lang="en">'
    reference = f'<testset name="x">{task}{talks}</task></testset>'
    (tmp_path / "MCIF1.0.long.en.ref.xml").write_text(reference, encoding="utf-8")
    said = "".join(f'<sample id="{n}">many models see talks</sample>' for n in range(3))
    output = tmp_path / "mllm_long_en_random_ola_output.xml"
    output.write_text(f'<testset name="x" type="output">{task}{said}</task></testset>', encoding="utf-8")
    found = audit_run([output], benchmark="mcif", data=tmp_path)
    told = {(f.table, f.columns[0]): (f.published, f.recomputed) for f in found if f.kind == "mismatch"}
    assert told == {("overall", "mix|long|REC"): (6.6, 25.0), ("main_mix", "long|REC|en"): (36.8, 25.0)}
