"""Tests of `analysis/errors/stored.py`: the kinds of error of stored Runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.errors import kinds
from triptych import api
from triptych.analysis.errors.stored import cases_of, errors_of, last_judge_session
from triptych.errors import SpecError
from triptych.store.folder import RunFolder


@pytest.fixture
def stored(run_with_errors: Path) -> RunFolder:
    return RunFolder.open(run_with_errors)


def test_a_stored_run(stored: RunFolder, tmp_path: Path) -> None:
    section = errors_of([stored])
    assert {k: v for k, v in kinds(section).items() if k != "no_answer"} == {"refusal": 1, "format": 1, "content": 1}
    wrong = next(row[2] for row in section.listings[0].rows if row[1] == "content")
    notes = tmp_path / "notes.csv"
    notes.write_text(f"item,kind,note\n{wrong},perception,heard the dog as a cat\n", encoding="utf-8")
    assert kinds(errors_of([stored], corrections=notes)).get("perception") == 1
    lines = tmp_path / "notes.jsonl"
    lines.write_text(json.dumps({"item": wrong, "verdict": "right"}) + "\n", encoding="utf-8")
    assert "content" not in kinds(errors_of([stored], corrections=lines))
    lines.write_text(json.dumps({"item": wrong, "kind": "perceptoin"}) + "\n", encoding="utf-8")
    assert any("perceptoin" in note for note in errors_of([stored], corrections=lines).notes)


def test_a_category_that_no_question_has_is_refused(stored: RunFolder) -> None:
    with pytest.raises(SpecError, match="did you mean 'category'"):
        errors_of([stored], by="categroy")
    estimates = errors_of([stored], by="task").estimates
    assert {e.slice["category"] for e in estimates if "category" in e.slice} == {"cmdar/main"}


def test_runs_need_not_be_scored_under_the_same_protocols(stored: RunFolder, tmp_path: Path) -> None:
    strict = tmp_path / "strict"
    # The official protocol alone doesn't read the answer in the wrong form, so its content counts as wrong.
    replies = {"path": str(tmp_path / "results.json")}
    api.run("cmdar/main", "replay/made", out=strict, settings=replies, protocols=["official"])
    estimates = [e for e in errors_of([stored, RunFolder.open(strict)]).estimates if "category" not in e.slice]
    content = {e.runs[0].rpartition(" ")[2]: e.counts["count"] for e in estimates if e.slice["kind"] == "content"}
    assert content == {"[run]": 1, "[strict]": 2}


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A Run with questions of two Tasks, in several forms."""
    out = tmp_path_factory.mktemp("runs") / "guess"
    return api.run("cmdar", "baseline/first", tasks=["main", "multi"], limit=8, out=out).folder


def test_errors_of_some_tasks_alone(forms: RunFolder) -> None:
    def tasks(*chosen: str) -> dict[str, int]:
        section = errors_of([forms], by="task", tasks=chosen)
        return {e.slice["category"]: e.n for e in section.estimates if "category" in e.slice}

    every = tasks()
    assert set(every) == {"cmdar/main", "cmdar/multi"}
    assert tasks("main") == {"cmdar/main": every["cmdar/main"]}
    assert tasks("cmdar/main", "multi") == every
    with pytest.raises(SpecError, match="mian"):
        errors_of([forms], tasks=["mian"])


def test_two_forms_are_needed_for_hard_cases(forms: RunFolder) -> None:
    with pytest.raises(SpecError, match="two forms are needed") as refused:
        cases_of([forms], None, "audio_text", "")
    assert refused.value.got == "--right audio_text, --wrong none"
    assert refused.value.fix == "--right audio_text --wrong text_audio"


def test_the_section_says_which_benchmark_and_protocol_it_is_of(forms: RunFolder) -> None:
    section = errors_of([forms], "standard")
    assert (section.benchmark, section.protocol) == ("cmdar", "standard")


def test_a_run_that_no_judge_has_seen_asks_nobody(forms: RunFolder) -> None:
    assert last_judge_session(forms) is None
    assert not [note for note in errors_of([forms]).notes if "judge" in note]


def test_errors_by_question_are_means_over_the_runs(forms: RunFolder, tmp_path: Path) -> None:
    other = api.run("cmdar", "baseline/reference", tasks=["main", "multi"], limit=8, out=tmp_path / "right").folder
    rates = {e.slice["item"]: e.value for e in errors_of([forms, other], by="item").estimates if "item" in e.slice}
    alone = {e.slice["item"]: e.value for e in errors_of([forms], by="item").estimates if "item" in e.slice}
    assert alone and set(alone.values()) <= {0.0, 100.0}
    assert rates == {name: value / 2 for name, value in alone.items() if value is not None}
