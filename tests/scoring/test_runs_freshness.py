"""Scores are fresh where they were computed from what there is; one process scores at a time; mixed Runs say so."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec
import pytest

import triptych.api
from triptych.errors import DataError, SpecError
from triptych.records import Response
from triptych.scoring import runs
from triptych.scoring.runs import is_outdated, load_summary, score_run, up_to_date
from triptych.store.files.lock import locked
from triptych.store.folder import RunFolder
from triptych.store.journals.journal import Journal, JournalWriter


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return triptych.run("cmdar/main", "baseline/first", out=tmp_path / "run").folder


def half(folder: RunFolder) -> bytes:
    """Take the second half of the answers away; returns it."""
    place = folder.path / "responses.jsonl"
    lines = place.read_bytes().splitlines(keepends=True)
    place.write_bytes(b"".join(lines[: len(lines) // 2]))
    return b"".join(lines[len(lines) // 2 :])


def test_lines_appended_while_scores_are_made_make_them_out_of_date(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A summary that is newer than the last line, and was made without it."""
    rest = half(run)
    real = runs.write_summary

    def late(*arguments: object, **named: object) -> None:
        with (run.path / "responses.jsonl").open("ab") as file:
            file.write(rest)
        os.utime(run.path / "responses.jsonl", (1, 1))
        real(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(runs, "write_summary", late)
    score_run(run)
    monkeypatch.undo()
    assert is_outdated(run)
    whole = up_to_date(run)
    assert "missing" not in whole.counts and not is_outdated(run)


def test_a_copied_run_is_fresh_and_a_changed_one_of_equal_size_is_not(run: RunFolder) -> None:
    place = run.path / "responses.jsonl"
    os.utime(place, (1, 1))
    assert not is_outdated(run), "the same content at another time"
    changed = place.read_bytes().replace(b'"time":"2', b'"time":"3', 1)
    place.write_bytes(changed)
    assert is_outdated(run)


def test_a_run_of_before_is_scored_again(run: RunFolder) -> None:
    told = json.loads(run.summary_path.read_text("utf-8"))
    del told["read"]
    run.summary_path.write_text(json.dumps(told), encoding="utf-8")
    assert is_outdated(run)
    up_to_date(run)
    assert not is_outdated(run)


def test_one_process_scores_at_a_time(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def at_the_lock(folder: Path, name: str, *, wait: bool) -> AbstractContextManager[None]:
        reached.set()
        return locked(folder, name, wait=wait)

    reached = threading.Event()
    monkeypatch.setattr(runs, "locked", at_the_lock)
    run.summary_path.unlink()
    waiting = threading.Thread(target=score_run, args=(run,))
    with locked(run.path, runs.LOCK):
        waiting.start()
        assert reached.wait(600)
        waiting.join(0.1)  # so that it would get on if it could
        assert waiting.is_alive() and not run.summary_path.exists()
    waiting.join()
    assert load_summary(run).counts


def served_by(folder: RunFolder, names: Iterator[str]) -> None:
    place = folder.path / "responses.jsonl"
    told = [msgspec.structs.replace(r, served_model=next(names)) for r in Journal(place, Response)]
    place.unlink()
    writer = JournalWriter(place)
    for response in told:
        writer.append(response)
    writer.close()


def test_a_run_answered_by_two_models_says_so(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    served_by(run, iter(["weights-a"] * 12 + ["weights-b"] * 12))
    words = "answered by 2 models, so the figures are of none of them: weights-a (12 replies), weights-b (12)"
    assert words in score_run(run).notes
    triptych.report([run.path])
    assert words in " ".join(capsys.readouterr().out.split())
    (found,) = [f for f in triptych.audit_run([run.path]) if f.kind == "mixed"]
    assert found.severity == "severe" and "weights-b (12)" in found.message
    served_by(run, iter(["weights-a"] * 24))
    assert not [f for f in triptych.audit_run([run.path]) if f.kind == "mixed"]
    assert not [note for note in score_run(run).notes if "models" in note]


@pytest.mark.parametrize("repeats", [10**9, 0, -1])
def test_a_manifest_with_mad_repeats_is_damaged(run: RunFolder, repeats: int) -> None:
    place = run.path / "manifest.json"
    place.write_text(json.dumps(json.loads(place.read_text("utf-8")) | {"repeats": repeats}), encoding="utf-8")
    with pytest.raises(DataError, match="damaged"):
        RunFolder.open(run.path)


def test_repeats_have_an_upper_limit() -> None:
    with pytest.raises(SpecError, match="at most 1,000"):
        triptych.api.plan("cmdar", "baseline/first", repeats=10**9)


def test_one_protocol_scored_again_leaves_the_others_in_the_summary(run: RunFolder) -> None:
    before = load_summary(run)
    assert list(score_run(run, ["paper"])) == ["paper"], "what was asked for is told"
    after = load_summary(run)
    assert list(after) == list(before) and dict(after) == dict(before)
    assert after.notes == before.notes and not is_outdated(run)


def test_what_is_out_of_date_is_scored_again_with_the_one_asked_for(run: RunFolder) -> None:
    half(run)
    scored = score_run(run, ["paper"])
    kept = load_summary(run)
    assert list(kept) == list(triptych.load_benchmark("cmdar").protocols)
    assert {a.counts.get("missing", 0) for a in kept["official"] if not a.slice} == {
        a.counts.get("missing", 0) for a in scored["paper"] if not a.slice
    }
    assert kept.counts == scored.counts and scored.counts["missing"]


def test_a_run_first_scored_under_one_protocol_has_that_one(run: RunFolder) -> None:
    run.summary_path.unlink()
    score_run(run, ["paper"])
    assert list(load_summary(run)) == ["paper"]


def test_the_tables_are_written_with_the_scores(run: RunFolder) -> None:
    before = (run.tables_path / "scores.csv").read_text("utf-8")
    half(run)
    triptych.score(run.path, protocols=["paper"])
    after = (run.tables_path / "scores.csv").read_text("utf-8")
    assert after != before and after.count(",official,") == before.count(",official,") > 0
    assert '""missing""' in after and '""missing""' not in before


def test_a_run_answered_by_another_model_says_so(run: RunFolder) -> None:
    place = run.path / "manifest.json"
    asked = {"model": "openai/gemini-2.5-flash"}
    place.write_text(json.dumps(json.loads(place.read_text("utf-8")) | asked), encoding="utf-8")
    folder = RunFolder.open(run.path)
    served_by(folder, iter(["gemini-2.5-flash-001"] * 23 + ["gemini-3.5-flash-lite"]))
    words = "asked for gemini-2.5-flash, but the endpoint named another model in its replies: gemini-3.5-flash-lite (1 "
    assert [note for note in score_run(folder).notes if note.startswith(words)]
    (found,) = [f for f in triptych.audit_run([run.path]) if f.kind == "served"]
    assert found.severity == "severe" and found.rows == ("gemini-3.5-flash-lite",)
    served_by(folder, iter(["gemini-2.5-flash-001"] * 24))
    assert not [f for f in triptych.audit_run([run.path]) if f.kind == "served"]
