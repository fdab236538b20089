"""Systems that wrote or judged the questions that they are evaluated on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import triptych
from triptych import audit_run
from triptych.benchmarks import load_benchmark
from triptych.records import Finding


def provenance(model: str, *, judged: bool = False) -> dict[str, Any]:
    maker = {"kind": "model", "name": f"lab/other + {model}"}
    return {"id": "a", "asked": {"validate": maker}} if judged else {"id": "a", "makers": {"question": maker}}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return Path(shutil.copytree(load_benchmark("cmdar").mini, tmp_path / "data"))


def found(data: Path, lines: list[dict[str, Any]], named: bool = True) -> list[Finding]:
    (data / "provenance.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    run = data.parent / "run"
    if not run.exists():
        triptych.run("cmdar/main", "baseline/random", data=data, limit=2, out=run)
    return [f for f in audit_run([run], data=data if named else None) if f.kind == "maker"]


@pytest.mark.parametrize("judged", [False, True])
@pytest.mark.parametrize("named", [False, True])
def test_a_model_that_wrote_or_judged_its_own_questions(data: Path, judged: bool, named: bool) -> None:
    (one,) = found(data, [provenance("baseline/random", judged=judged), {"id": "b"}], named)
    assert one.severity == "severe" and "1 of 2 records" in one.message
    assert ("validate" if judged else "question") in one.message


def test_another_family_is_no_finding_and_people_and_code_are_no_models(data: Path) -> None:
    person = {"id": "b", "makers": {"question": {"kind": "person", "name": "baseline/random"}}}
    assert found(data, [provenance("openai/gpt-5"), person]) == []


def test_a_relative_is_a_warning(data: Path) -> None:
    run = data.parent / "run"
    triptych.run("cmdar/main", "baseline/random", data=data, limit=2, out=run)
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    (run / "manifest.json").write_text(json.dumps(manifest | {"model": "openai/gpt-4o", "name": ""}), encoding="utf-8")
    (one,) = found(data, [provenance("openai/gpt-5-mini")])
    assert one.severity == "warning" and "is of the gpt family, and openai/gpt-5-mini wrote or judged" in one.message


def test_damaged_provenance_is_a_note(data: Path) -> None:
    found(data, [])
    (data / "provenance.jsonl").write_text('{"id":[]}\n', encoding="utf-8")
    (one,) = [f for f in audit_run([data.parent / "run"], data=data) if f.kind == "maker"]
    assert one.severity == "note" and "can't be read" in one.message
