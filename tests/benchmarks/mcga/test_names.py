"""Tests of `benchmarks/mcga/names.py`: names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.benchmarks.mcga.rows_for_tests import ROW, write
from tests.benchmarks.mcga.test_reader import items
from triptych.api import score
from triptych.benchmarks.mcga.names import SPEECH_FORM, SPEECH_TASKS
from triptych.scoring.documents import as_document


def document(*paths: Path, protocol: str = "official") -> list[dict[str, Any]]:
    scores: list[dict[str, Any]] = as_document("mcga", score("mcga", predictions=paths, protocols=[protocol]))["scores"]
    return [row for row in json.loads(json.dumps(scores)) if not row["slice"]]


def test_a_folder_of_all_tasks_gives_the_contracts_names(tmp_path: Path) -> None:
    """Targets come from the files; what needs a judge has no value; CMC is of Task mcga."""
    replies = {"asr": "asr_r", "s2tt": "s2tt_r", "sec": "sec_r", "sqa": "sqa_a_r", "su": "su_r", "sr": "sr_r"}
    said = {"sqa_a_r": "李白", "su_r": "B", "sr_r": "A"}
    for task in SPEECH_TASKS:
        for form in ("audio", "text") if task not in ("asr", "sec") else ("audio",):
            field = replies[task]
            write(tmp_path, f"{task}/model_{form}.jsonl", ROW | {field: said.get(field, ROW["asr"])})
    rows = {(row["task"], row["metric"]): row["value"] for row in document(tmp_path)}
    assert rows == {
        ("mcga/asr", "cer"): 0,
        ("mcga/sqa", "f1"): 100,
        ("mcga/su", "acc"): 100,
        ("mcga/sr", "acc"): 100,
        ("mcga/qa", "f1"): 100,
        ("mcga/lu", "acc"): 100,
        ("mcga/lr", "acc"): 100,
        ("mcga", "cmc"): 100,
        ("mcga/sec", "cer"): 100,
        **{("mcga/sec", m): None for m in ("sec_p", "sec_g", "sec_s", "llm_c")},
        **{(f"mcga/{t}", m): None for t in ("s2tt", "mt") for m in ("llm_bf", "llm_bm", "llm_bs", "llm_b")},
    }


def test_every_task_has_the_clip_and_the_text_tasks_its_words(released: Path) -> None:
    found = items(released)
    assert len(found) == 10
    for item in found.values():
        task = item.task.partition("/")[2]
        content = [part for part in item.parts if part.role == "content"]
        if task in SPEECH_FORM:
            assert [p.text for p in content] == [ROW["asr"]]
        else:
            assert [p.path for p in content] == ["upload/a/1.wav"]
        reader = {"gender": "man", "age": "young"} if task not in SPEECH_FORM else {}  # of the persona in sec_1
        assert item.facets == {
            "genre": "诗",
            "dynasty": "唐",
            "split": "test",
            "modality": "text" if task in SPEECH_FORM else "audio",
            **reader,
        }


def test_an_instance_is_a_clip_and_a_task_in_both_forms(released: Path) -> None:
    found = items(released)
    assert {i.instance_id for i in found.values()} == {f"mcga/{task}/upload/a/1" for task in SPEECH_TASKS}
    assert found["mcga/lu/upload/a/1"].instance_id == found["mcga/su/upload/a/1"].instance_id
    assert found["mcga/lu/upload/a/1"].target == found["mcga/su/upload/a/1"].target == "B"
