"""Tests of `portal/exchange/run_words.py`: annotations and ratings of people in the folder of a Run."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

import triptych
from tests.portal.conftest import visitor
from tests.portal.exchange.test_runs import review_all, run_of
from tests.portal.review.test_review import send
from tests.viewer.runs import manifest
from triptych.construction.asking.questions import Result
from triptych.errors import DataError
from triptych.portal.exchange.ends import Accepted, End, PortalPeople
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.run_words import pull_run
from triptych.portal.exchange.runs import is_run, key_of, mark_of, push_run
from triptych.portal.project import Portal
from triptych.portal.work.withdrawing import withdraw
from triptych.records import Annotation
from triptych.store.annotations import add_annotation, read_annotations
from triptych.store.folder import RunFolder


@pytest.mark.slow
def test_kinds_of_error_go_back_into_the_run(tmp_path: Path, small: Portal) -> None:
    run = run_of(tmp_path, "cmdar/main", "baseline/longest")
    before = {
        e.slice.get("kind"): e.value for e in triptych.analyse_errors([run]).estimates if "category" not in e.slice
    }
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
    after = {
        e.slice.get("kind"): e.value for e in triptych.analyse_errors([run]).estimates if "category" not in e.slice
    }
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


@dataclass
class Words:
    """The portal's end, with results in memory: what a real one would answer."""

    sent: list[Accepted]
    gone: tuple[str, ...] = ()

    def results(self, queue: str) -> tuple[PortalPeople, Iterator[Accepted]]:
        people = sorted({each.result.person for each in self.sent} | {*self.gone})
        return PortalPeople(people, list(self.gone)), iter(self.sent)

    def confirm(self, queue: str, ids: Collection[str], target: str) -> set[str]:
        return {each.id for each in self.sent if each.id in ids and each.result.person not in self.gone}


def words_on(key: str, person: str, chosen: bool = True, **values: str) -> Accepted:
    at = "2026-11-27T02:00:00+00:00"
    return Accepted(f"{person}-{key}".ljust(16, "-"), Result(key, "d", person, {**values}, at), {}, chosen)


def pulled(run: Path, *sent: Accepted, gone: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    pull_run(cast(End, Words([*sent], gone)), run, "errors", queue="q")
    return [(note.item, note.by, note.verdict) for note in read_annotations(run)]


def test_annotations_follow_what_people_say_and_those_of_others_stay(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", manifest()).path
    add_annotation(run, Annotation("题/1", 0, verdict="right", by="an expert"))
    own = ("题/1", "an expert", "right")
    one, two = key_of("题/1", 0), key_of("b", 0)
    assert pulled(run, words_on(one, "p-1", verdict="wrong"), words_on(two, "p-2", verdict="unsure")) == [
        own,
        ("题/1", "p-1", "wrong"),
        ("b", "p-2", "unsure"),
    ]
    before = (run / "annotations.jsonl").read_bytes()
    pulled(run, words_on(one, "p-1", verdict="wrong"), words_on(two, "p-2", verdict="unsure"))
    assert (run / "annotations.jsonl").read_bytes() == before  # nothing has changed
    left = pulled(run, words_on(one, "p-1", verdict="wrong"), words_on(two, "p-2", verdict="unsure"), gone=("p-2",))
    assert left == [own, ("题/1", "p-1", "wrong")]


def test_all_votes_come_before_the_decision_and_none_while_it_is_open(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", manifest()).path
    key = key_of("a", 0)
    votes = [words_on(key, f"p-{n}", False, verdict=verdict) for n, verdict in enumerate(("wrong", "right"))]
    assert pulled(run, *votes) == []
    decided = pulled(run, words_on(key, "p-9", verdict="unsure"), *votes)
    assert decided == [("a", "p-0", "wrong"), ("a", "p-1", "right"), ("a", "p-9", "unsure")]


def test_results_of_another_run_in_the_same_queue_are_not_this_runs(tmp_path: Path) -> None:
    one, other = (RunFolder.create(tmp_path / name, manifest()).path for name in ("one", "other"))
    own = {one: "p-1", other: "p-2"}
    sent = [words_on(mark_of(run) + key_of("a", 0), person, verdict="wrong") for run, person in own.items()]
    assert pulled(one, *sent) == [("a", "p-1", "wrong")]
    assert pulled(other, *sent) == [("a", "p-2", "wrong")]


def test_unknown_work_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"unknown work on a Run[\s\S]*errors, verdicts"):
        pull_run(cast(End, None), tmp_path, "scores")
