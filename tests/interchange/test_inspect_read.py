"""Logs that Inspect wrote come in with every sample; hostile ones are refused."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.interchange.logs_for_tests import LOGS, inspect_log, stated_figure
from triptych import api
from triptych.errors import DataError
from triptych.interchange.exports import import_log
from triptych.scoring.runs import score_run


def test_an_inspect_log_of_another_task_comes_in(tmp_path: Path) -> None:
    folder = import_log(LOGS / "choice.eval", tmp_path / "run")
    items, replies = list(folder.items()), list(folder.responses())
    assert len(items) == len(replies) == 8 and folder.manifest.model == "replay/openai/mock"
    assert all(item.answer == "letter" and len(item.options) == 4 for item in items)
    scores = score_run(folder)
    right = sum(r.text == i.target for i, r in zip(items, replies, strict=True))
    # Inspect's solver wanted "ANSWER: A" and read nothing out of a bare letter: all wrong, as its header says.
    for protocol, value in (("official", 0.0), ("standard", 100 * right / 8)):
        (total,) = [a for a in scores[protocol] if a.task == "imported"]
        assert total.value == pytest.approx(value) and total.n == 8
    assert right == 1


def test_a_document_that_unpacks_to_gigabytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.interchange.inspect_read.MAX_DOCUMENT", 1000)
    path = tmp_path / "bomb.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("header.json", b"{" + b" " * 2000 + b"}")
    with pytest.raises(DataError, match="too large"):
        import_log(path, tmp_path / "run")


@pytest.mark.parametrize(
    "change",
    [
        {"epoch": 10**9},
        {"epoch": -4},
        {"epoch": "x"},
        {"output": {"choices": [3]}},
        {"output": {"choices": {}}},
        {"scores": [1]},
        {"metadata": [1]},
        {"input": [[]]},
        {"error": "words"},
        {"total_time": "long"},
        {"metadata": {"triptych": {"item": []}}},
    ],
)
def test_odd_samples_of_inspect_do_not_crash(change: dict[str, object], tmp_path: Path) -> None:
    good = {"id": "a", "epoch": 1, "input": "?", "target": "A", "output": {"choices": [{"message": {"content": "A"}}]}}
    log = {"status": "success", "eval": {"task": "t", "model": "m"}, "samples": [good | change]}
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    try:
        folder = import_log(path, tmp_path / "run")
    except DataError as error:
        assert str(path) in str(error)
        assert not (tmp_path / "run").exists()
    else:
        assert folder.manifest.repeats == 1
        assert len(list(folder.responses())) == 1


def test_many_documents_that_unpack_to_gigabytes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.store.files.limits.MAX_UNPACKED", 10_000)
    monkeypatch.setattr("triptych.store.files.limits.MAX_RATIO", 1)
    path = tmp_path / "bomb.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("header.json", "{}")
        for number in range(12):
            log.writestr(f"samples/{number}.json", b" " * 1000)
    with pytest.raises(DataError, match="too large"):
        import_log(path, tmp_path / "run")


@pytest.mark.parametrize("value", [None, "unparsed", [1, 2], float("nan"), {"note": "none"}])
def test_an_inspect_log_without_scores_has_no_figure(value: object, tmp_path: Path) -> None:
    folder = import_log(inspect_log(tmp_path / "a.json", [value] * 4, [stated_figure(accuracy=0.5)]), tmp_path / "run")
    scored = score_run(folder)
    (total,) = [a for a in scored["official"] if a.task == "imported"]
    assert (total.value, total.value_all, total.interval, total.counts) == (None, None, None, {"unavailable": 4})
    assert any("states t match = 0.5; its samples have no such score" in note for note in scored.notes)


def test_what_an_inspect_log_states_is_checked_against_its_samples(tmp_path: Path) -> None:
    values: list[object] = ["C", "I", "C", "C"]
    good = import_log(
        inspect_log(tmp_path / "a.json", values, [stated_figure(accuracy=0.75, stderr=0.25)]), tmp_path / "good"
    )
    assert any("t match = 0.75; its samples give 0.75 (n 4)" in note for note in score_run(good).notes)
    assert not [f for f in api.audit_run([good.path]) if f.kind == "score"]
    bad = import_log(inspect_log(tmp_path / "b.json", values, [stated_figure(accuracy=0.95)]), tmp_path / "bad")
    (found,) = [f for f in api.audit_run([bad.path]) if f.kind == "score"]
    assert (found.severity, found.published, found.recomputed) == ("severe", 0.95, 0.75)


def test_scorers_that_give_several_values_are_read_by_name(tmp_path: Path) -> None:
    values: list[object] = [{"fair": 1, "kind": "no"}, {"fair": 0, "kind": "yes"}]
    stated = [stated_figure("fair", mean=0.5), stated_figure("kind", mean=0.5)]
    folder = import_log(inspect_log(tmp_path / "a.json", values, stated), tmp_path / "run")
    notes = score_run(folder).notes
    for name in ("match/fair", "match/kind"):
        assert any(f"states t {name} = 0.5; its samples give 0.5 (n 2)" in note for note in notes)
