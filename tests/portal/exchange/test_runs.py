"""Replies of stored Runs reviewed in the portal, and people's words back in the files that analyses read."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from tests.experiment.test_judging import command, environment
from tests.portal.conftest import Visitor, visitor
from tests.portal.review.test_review import send
from tests.support.mock_process import MockProcess
from triptych import api
from triptych.analysis.raters.ratings import read_ratings
from triptych.cli.portal import app
from triptych.errors import DataError, SpecError
from triptych.experiment.rated_replies import load_ratings
from triptych.judges.rubric import load_rubric
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.run_words import pull_run
from triptych.portal.exchange.runs import Sheet, mark_of, of_run, push_run
from triptych.portal.project import Portal
from triptych.portal.store.tables import tasks
from triptych.portal.work.withdrawing import withdraw
from triptych.store.annotations import read_annotations


def run_of(tmp_path: Path, tasks: str, model: str) -> Path:
    api.run(tasks, model, out=tmp_path / "run")
    return tmp_path / "run"


def review_all(who: Visitor, queue: str, *given: dict[str, Any]) -> int:
    number = 0
    while found := re.search(r'data-task="(\d+)"', who.client.get(f"/review/{queue}").text):
        answer = send(who, int(found[1]), given[min(number, len(given) - 1)], path=f"/review/{queue}")
        assert answer.status_code == 201, answer.text
        number += 1
    return number


def test_a_key_belongs_to_its_run_whatever_the_item_is_named(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    key = "0:https://example.org/clip//7"
    assert of_run(one, key) == key
    assert of_run(one, mark_of(one) + key) == key and of_run(other, mark_of(one) + key) is None
    assert of_run(one, f"one//{key}") == key and of_run(other, f"one//{key}") is None  # queues of earlier versions


@pytest.mark.parametrize(
    ("stage", "options", "said"),
    [
        ("errors", ["--verify", "--native"], "--verify, --native can be used only for stages of a build"),
        ("errors", ["--abstract-first"], "--abstract-first can be used only for stages of a build"),
        ("verdicts", ["--kind", "review"], "--kind can be used only for stages of a build"),
        ("errors", ["--scale", "0-5"], "--scale is for verdicts"),
    ],
)
def test_options_that_a_run_does_not_have_are_refused(
    tmp_path: Path, small: Portal, stage: str, options: list[str], said: str
) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "manifest.json").write_text("{}")
    ran = CliRunner().invoke(app, ["push", str(run), stage, "--project", str(small.path), *options])
    assert isinstance(ran.exception, SpecError) and said in str(ran.exception)


def test_a_build_has_no_draw(tmp_path: Path, small: Portal) -> None:
    ran = CliRunner().invoke(app, ["push", str(tmp_path), "review", "--project", str(small.path), "--seed", "3"])
    assert isinstance(ran.exception, SpecError) and "--seed" in str(ran.exception)


def test_what_can_not_be_reviewed_is_said(tmp_path: Path, small: Portal) -> None:
    run = run_of(tmp_path, "cmdar/main", "baseline/reference")
    with pytest.raises(DataError, match="nothing to review"):
        push_run(Local(small), run, "errors")
    with pytest.raises(DataError, match="nothing to review"):
        push_run(Local(small), run, "verdicts")
    for work in (push_run, pull_run):
        with pytest.raises(DataError, match="unknown work"):
            work(Local(small), run, "scores")


@pytest.mark.slow
def test_people_score_what_judges_have_scored(tmp_path: Path, small: Portal) -> None:
    run, end = run_of(tmp_path, "cmdar/open", "baseline/reference"), Local(small)
    with MockProcess(answer="text:8 4") as mock:
        judge = ("--judge", "openai/j", "--judge-base-url", mock.base_url)
        subprocess.run(command("score", run, *judge), env=environment(), check=True, capture_output=True)
    made = push_run(end, run, "verdicts", reviewers=2)
    one, two = visitor(small, "reviewer"), visitor(small, "reviewer")
    page = one.client.get("/review/run-verdicts").text
    assert "openai/j" not in page and "The judge&#39;s instructions" in page
    assert review_all(one, "run-verdicts", {"human": "9"}, {"human": "7"}) == made.open
    assert review_all(two, "run-verdicts", {"human": "3"}) == made.open
    row = re.search(r'<tr data-field="human">(.*?)</tr>', one.client.get("/reviews/run-verdicts").text, re.DOTALL)
    live = [float(value) for value in re.findall(r'data-value="([^"]+)"', row[1])] if row else []
    assert pull_run(end, run, "verdicts").results == 2 * made.open
    ratings = load_ratings(run / "people/judge_score.jsonl", load_rubric("pair"))
    assert len(ratings) == made.open and sorted(ratings[0].people) == [3, 9]  # type: ignore[type-var]
    values = read_ratings(run / "people/judge_score.csv")
    assert sorted(len(own) for own in values.values()) == [made.open] * 2
    asked = [sys.executable, "-m", "triptych", "analyse", run, "--kind", "agreement", "--json", "--ratings"]
    told = subprocess.run(
        [*map(str, asked), str(run / "people/judge_score.csv")],
        env=environment(),
        check=True,
        capture_output=True,
        text=True,
    )
    offline = [
        each
        for found in json.loads(told.stdout)
        for each in found["estimates"]
        if each["measure"] == "alpha.interval" and each["slice"]["raters"].count("person ") == 2
    ]
    assert len(offline) == 1 and offline[0]["n"] == made.open
    assert abs(live[-1] - offline[0]["value"]) < 1e-12
    for who in (one, two):
        withdraw(small.database, small.blobs, who.id, None)
    pull_run(end, run, "verdicts")
    assert not list((run / "people").iterdir())


@pytest.mark.slow
def test_a_sample_of_several_systems_in_one_sheet(tmp_path: Path, small: Portal) -> None:
    one = run_of(tmp_path / "a", "cmdar/main", "baseline/longest")
    other = run_of(tmp_path / "b", "cmdar/main", "baseline/first")
    end = Local(small)
    with pytest.raises(DataError, match="same name"):
        push_run(end, one, "errors", queue="sheet", sheet=Sheet((other,)))
    one, other = one.rename(tmp_path / "longest"), other.rename(tmp_path / "first")
    for share in (0.0, 1.5):
        with pytest.raises(DataError, match="not a share"):
            push_run(end, one, "errors", queue="sheet", sheet=Sheet((other,), share))
    every = push_run(end, one, "errors", queue="sheet", sheet=Sheet((other,)))
    some = push_run(end, one, "errors", queue="sheet", sheet=Sheet((other,), 0.5, 3))
    assert (
        every.open > some.open >= 2
        and push_run(end, one, "errors", queue="sheet", sheet=Sheet((other,), 0.5, 3)).added == 0
    )
    with small.database.reading() as connection:
        rows = connection.execute(select(tasks.c.key, tasks.c.body).where(tasks.c.closed_at.is_(None))).all()
    drawn = {row.key.partition(":")[2] for row in rows}
    assert {row.key.partition("//")[0] for row in rows} == {mark_of(run)[:12] for run in (one, other)} and len(
        drawn
    ) < len(rows)
    who = visitor(small, "reviewer")
    page = who.client.get("/review/sheet").text
    assert "longest" not in page and "baseline" not in page  # nobody sees whose reply it is
    assert not any("longest" in row.key or "first" in row.key for row in rows)  # nor from the key of a disagreement
    assert review_all(who, "sheet", {"verdict": "right"}) == some.open
    pulled = [pull_run(end, run, "errors", queue="sheet").results for run in (one, other)]
    assert sum(pulled) == some.open and min(pulled) > 0
    assert [len(read_annotations(run)) for run in (one, other)] == pulled
    items = {line.item for run in (one, other) for line in read_annotations(run)}
    assert items == drawn


@pytest.mark.slow
def test_people_score_on_a_scale_of_their_own(tmp_path: Path, small: Portal) -> None:
    run, end = run_of(tmp_path, "cmdar/open", "baseline/reference"), Local(small)
    with MockProcess(answer="text:8 4") as mock:
        judge = ("--judge", "openai/j", "--judge-base-url", mock.base_url)
        subprocess.run(command("score", run, *judge), env=environment(), check=True, capture_output=True)
    silent = run_of(tmp_path / "other", "cmdar/open", "baseline/constant").rename(tmp_path / "silent")
    with pytest.raises(DataError, match="no judge has scored") as refused:
        push_run(end, run, "verdicts", queue="sheet", sheet=Sheet((silent,)))
    assert "silent" in str(refused.value)
    made = push_run(end, run, "verdicts", sheet=Sheet(scale=(0, 5)))
    who = visitor(small, "reviewer")
    assert "from 0 to 5" in who.client.get("/review/run-verdicts").text
    assert review_all(who, "run-verdicts", {"human": "0"}, {"human": "5"}) == made.open
    pull_run(end, run, "verdicts")
    ratings = load_ratings(run / "people/judge_score.jsonl", load_rubric("pair"), (0, 5))
    assert sorted({each for rating in ratings for each in rating.people}) == [0, 5]  # type: ignore[type-var]
