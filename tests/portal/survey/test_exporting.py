"""Answers of a survey as Runs: scored, next to a model's in one table, consistent, and gone after a withdrawal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.portal.conftest import Visitor
from tests.portal.serving import served
from tests.portal.surveys import correct, participant, pushed, takes_part
from triptych import api
from triptych.cli.main import main
from triptych.errors import DataError, RunFolderError
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.remote import TOKEN
from triptych.portal.project import Portal
from triptych.portal.survey.document import Question
from triptych.portal.survey.exporting import Exported, export
from triptych.portal.work.tokens import add_token
from triptych.portal.work.withdrawing import withdraw
from triptych.records import Aggregate
from triptych.scoring.notes.cost import COSTS
from triptych.scoring.runs import score_run
from triptych.store.folder import RunFolder

BENCHES = {
    "xmodbench": "xmodbench/perception/general",
    "cmdar": "cmdar",
    "mcs_bench": "mcs_bench",
    "mcga": "mcga",
    "mcif": "mcif/short/en",
}


def _values(figures: Sequence[Aggregate]) -> list[tuple[Any, ...]]:
    """Without the time that it took, and without transcripts of Units whose reference is that of their first Item."""
    found = [f for f in figures if f.task.rpartition("/")[2] not in ("ASR", "mcif", "en") and f.metric not in COSTS]
    return [(f.task, f.metric, f.value, f.n) for f in found]


def ended(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return stop.value.code


def pulled(portal: Portal, to: Path, name: str = "survey") -> Exported:
    end = Local(portal)
    return export(end.answers(name), name, to, lambda ids, target: end.confirm(name, ids, target))


def wrong(question: Question, order: Sequence[int]) -> dict[str, Any]:
    """Pays attention and knows nothing."""
    right = correct(question, order)
    if question.check is not None or question.item is None:
        return right
    if "picked" not in right:
        return {"text": "%"}
    keys = question.item.target_positions
    others = [n for n in range(len(order)) if n not in keys]
    return {"picked": [order.index(random.Random(question.item.id).choice(others))]}


def takes(portal: Portal, *says: Any) -> list[Visitor]:
    people = [participant(portal) for _ in says]
    for who, say in zip(people, says, strict=True):
        takes_part(portal, who, say)
    return people


@pytest.mark.slow
@pytest.mark.parametrize("bench", sorted(BENCHES))
def test_a_person_who_knows_everything_scores_as_the_reference_does(bench: str, small: Portal, tmp_path: Path) -> None:
    pushed(small, BENCHES[bench], per_cell=1, people=1, checks=1)
    (who,) = takes(small, correct)
    made = pulled(small, tmp_path)
    assert made.people == 1 and made.answers
    name = who.session.person.pseudonym
    folder = RunFolder.open(tmp_path / "survey" / f"human-{name}")
    assert folder.manifest.model == f"human/{name}" and folder.manifest.repeats == 1
    responses = list(folder.responses())
    assert {r.status for r in responses} == {"answered"} and len(responses) == len(list(folder.items()))
    assert all(r.seconds == 9.0 and r.time for r in responses)
    items = tmp_path / "items"
    items.write_text("\n".join(item.id for item in folder.items()), encoding="utf-8")
    model = api.run(BENCHES[bench], "baseline/reference", items_file=items, out=tmp_path / "reference", seed=1)
    people, best = score_run(folder), score_run(model.folder)
    for protocol, figures in best.items():
        assert _values(people[protocol]) == _values(figures)


@pytest.mark.slow
def test_people_stand_in_the_same_table_as_a_model_with_intervals(small: Portal, tmp_path: Path) -> None:
    made_of = pushed(small, "cmdar/main", per_cell=12, people=4, checks=0)
    half = dict.fromkeys(sorted(task.key for task in made_of.tasks)[:6])
    takes(
        small, correct, correct, wrong, lambda q, order: (correct if q.item and q.item.id in half else wrong)(q, order)
    )
    made = pulled(small, tmp_path)
    joined = RunFolder.open(Path(made.folder) / "human-joined")
    assert (joined.manifest.model, joined.manifest.repeats, joined.manifest.uneven) == ("human/joined", 4, False)
    model = api.run("cmdar/main", "baseline/random", out=tmp_path / "random", seed=1)
    figure = next(f for f in score_run(joined)["official"] if f.metric == "acc" and f.task == "cmdar/main")
    assert figure.value == pytest.approx(100 * (12 + 12 + 0 + 6) / 48) and figure.n == 48  # 12 questions, 4 people
    assert figure.interval is not None and 50 <= figure.interval[0] < 62.5 < figure.interval[1] <= 75
    written = api.report([joined.path, model.folder.path], to=tmp_path / "report", formats=("md", "csv"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in (tmp_path / "report").rglob("*.md"))
    assert "human/joined" in text and "baseline/random" in text and written
    sections = api.analyse([str(joined.path), str(model.folder.path)], kinds=["significance", "consistency"])
    assert {"significance", "consistency"} <= {section.id.partition(".")[0] for section in sections}
    ratings = api.analyse([str(joined.path)], kinds=["agreement"], ratings=joined.path / "ratings.csv")
    alphas = [e.value for section in ratings for e in section.estimates if "alpha" in e.measure]
    assert ratings and any(alpha is not None for alpha in alphas)


@pytest.mark.slow
def test_an_uneven_number_of_people_lowers_no_figure(small: Portal, tmp_path: Path) -> None:
    pushed(small, "xmodbench/perception/general", per_cell=2, people=2, checks=0)
    takes(small, *[correct] * 8)  # 6 cells of 2 people: two cells are complete
    made = pulled(small, tmp_path)
    joined = RunFolder.open(Path(made.folder) / "human-joined")
    assert sorted(made.cells.values()) == [1, 1, 1, 1, 2, 2]
    assert joined.manifest.uneven and joined.manifest.repeats == 2
    figures = score_run(joined)["official"]
    assert {f.value for f in figures if f.metric == "acc" and f.value is not None} == {100.0}
    assert all(not f.counts.get("missing") for f in figures)


def contents(path: Path) -> dict[Path, bytes]:
    return {p: p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file() and p.name != ".lock"}


def test_pulling_again_writes_the_same_and_keeps_verdicts(small: Portal, tmp_path: Path) -> None:
    pushed(small, "cmdar/open", per_cell=2, people=2, checks=0)
    takes(small, correct)
    pulled(small, tmp_path)
    path = tmp_path / "survey" / "human-joined"
    score_run(RunFolder.open(path))
    (path / "verdicts").mkdir()
    (path / "verdicts" / "judge.jsonl").write_text("", encoding="utf-8")
    before = contents(path)
    pulled(small, tmp_path)
    assert contents(path) == before
    takes(small, correct)
    assert pulled(small, tmp_path).people == 2
    assert (path / "verdicts" / "judge.jsonl").exists() and not (path / "summary.json").exists()
    assert RunFolder.open(path).manifest.repeats == 2


def test_who_withdraws_is_in_no_later_export(small: Portal, tmp_path: Path) -> None:
    pushed(small, "cmdar/main", per_cell=2, people=2, checks=0)
    one, other = takes(small, correct, wrong)
    pulled(small, tmp_path)
    gone = one.session.person.pseudonym
    made = withdraw(small.database, small.blobs, one.id, one.id)
    assert made.exports and made.exports[0][0] == str((tmp_path / "survey").resolve())
    again = pulled(small, tmp_path)
    assert again.people == 1 and again.removed == (f"human-{gone}",)
    files = [p.read_text(encoding="utf-8") for p in (tmp_path / "survey").rglob("*") if p.is_file()]
    assert not any(gone in text for text in files)
    assert RunFolder.open(tmp_path / "survey" / "human-joined").manifest.repeats == 1
    withdraw(small.database, small.blobs, other.id, other.id)
    with pytest.raises(DataError, match="no participant counts"):
        pulled(small, tmp_path)
    assert not list((tmp_path / "survey").glob("human-*"))


def test_nothing_of_somebody_else_is_replaced(small: Portal, tmp_path: Path) -> None:
    pushed(small, "cmdar/main", per_cell=2, people=1, checks=0)
    takes(small, correct)
    api.run("cmdar/main", "baseline/random", out=tmp_path / "survey" / "human-joined", limit=1)
    api.run("cmdar/main", "baseline/random", out=tmp_path / "survey" / "human-else", limit=1)
    with pytest.raises(RunFolderError, match="another Run"):
        pulled(small, tmp_path)
    assert (tmp_path / "survey" / "human-else" / "manifest.json").exists()


def test_a_declined_question_is_refused_and_counts_as_such(small: Portal, tmp_path: Path) -> None:
    pushed(small, "cmdar/main", per_cell=4, people=1, checks=0, may_decline=True)
    left = iter([True, False, False, False])
    takes(small, lambda question, order: {"declined": True} if next(left) else correct(question, order))
    made = pulled(small, tmp_path)
    folder = RunFolder.open(Path(made.folder) / "human-joined")
    assert sorted(r.status for r in folder.responses()) == ["answered", "answered", "answered", "refused"]
    figure = next(f for f in score_run(folder)["standard"] if f.metric == "acc" and f.task == "cmdar/main")
    assert figure.value == pytest.approx(75)


@pytest.mark.slow
def test_a_survey_goes_to_a_server_and_its_answers_come_back(
    small: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small.database.writing() as connection:
        monkeypatch.setenv(TOKEN, add_token(connection, "test"))
    with served(small) as address:
        there = ["--url", address]
        assert ended("portal", "survey", "push", "cmdar/main", "--per-cell", "2", "--people", "1", *there) == 0
        takes_part(small, participant(small), name="cmdar")
        assert ended("portal", "survey", "pull", "cmdar", "--to", str(tmp_path), *there) == 0
    assert RunFolder.open(tmp_path / "cmdar" / "human-joined").manifest.model == "human/joined"
