"""Tests of `portal/exchange/run_words.py`: annotations and ratings of people in the folder of a Run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import triptych
from tests.portal.conftest import visitor
from tests.portal.exchange.test_runs import review_all, run_of
from tests.portal.review.test_review import send
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.run_words import pull_run
from triptych.portal.exchange.runs import is_run, push_run
from triptych.portal.project import Portal
from triptych.portal.work.withdrawing import withdraw
from triptych.store.annotations import read_annotations


@pytest.mark.slow
def test_kinds_of_error_go_back_into_the_run(tmp_path: Path, small: Portal) -> None:
    run = run_of(tmp_path, "cmdar/main", "baseline/longest")
    before = {e.slice.get("kind"): e.value for e in triptych.error_kinds([run]).estimates if "category" not in e.slice}
    assert is_run(run) and not is_run(tmp_path)
    end = Local(small)
    made = push_run(end, run, "errors")
    assert (made.queue, made.kind) == ("run-errors", "review") and made.open > 2
    assert push_run(end, run, "errors").added == 0
    who = visitor(small, "reviewer")
    page = who.client.get("/review/run-errors").text
    assert "<audio" in page and "Kind by rules" in page and "Reference answer" in page
    sound = re.search(r'src="(/shown/[^"]+)"', page)
    assert sound and who.client.get(sound[1]).headers["content-type"].startswith("audio/")
    words = ({"verdict": "wrong", "kind": "perception", "note": "misheard"}, {"verdict": "right"}, {"verdict": "wrong"})
    assert review_all(who, "run-errors", *words) == made.open
    assert pull_run(end, run, "errors").results == made.open
    lines = (run / "annotations.jsonl").read_text(encoding="utf-8")
    pull_run(end, run, "errors")
    assert (run / "annotations.jsonl").read_text(encoding="utf-8") == lines
    notes = read_annotations(run)
    assert [(note.verdict, note.kind) for note in notes[:3]] == [("wrong", "perception"), ("right", ""), ("wrong", "")]
    assert all(note.by.startswith("p-") and note.by != who.id for note in notes)
    after = {e.slice.get("kind"): e.value for e in triptych.error_kinds([run]).estimates if "category" not in e.slice}
    assert "perception" not in before and after["perception"] and (after["content"] or 0) < (before["content"] or 0)
    withdraw(small.database, small.blobs, who.id, None)
    pull_run(end, run, "errors")
    assert read_annotations(run) == []


@pytest.mark.slow
def test_two_reviewers_of_errors_and_a_decision(tmp_path: Path, small: Portal) -> None:
    run, end = run_of(tmp_path, "cmdar/main", "baseline/longest"), Local(small)
    push_run(end, run, "errors", reviewers=2, queue="kinds")
    one, two, three = (visitor(small, "reviewer") for _ in range(3))
    review_all(one, "kinds", {"verdict": "right"}, {"verdict": "wrong", "kind": "reasoning"})
    review_all(two, "kinds", {"verdict": "wrong", "kind": "reasoning"})
    task = re.search(r'href="/reviews/kinds/(\d+)"', three.client.get("/reviews/kinds").text)
    assert task
    pull_run(end, run, "errors", queue="kinds")
    first = len(read_annotations(run))
    assert first % 2 == 0 and not any(note.verdict == "right" for note in read_annotations(run))
    answer = send(three, int(task[1]), {"verdict": "unsure"}, path="/reviews/kinds")
    assert answer.status_code == 201
    pull_run(end, run, "errors", queue="kinds")
    notes = read_annotations(run)
    assert len(notes) == first + 3 and [note.verdict for note in notes[-3:]] == ["right", "wrong", "unsure"]
