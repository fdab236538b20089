"""Tests of `api/runs.py`: Runs whose figures are computed by hand, asked once, scored again, and reported."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triptych import api
from triptych.errors import DataError, RunFolderError, SpecError
from triptych.records import Aggregate
from triptych.store.folder import RunFolder

# Eight questions in three languages: the reference answer is A five times, B three times.
KEYS = "AABAABAB"
TOPICS = ("鸟鸣", "雨", "ein Zug", "una campana", "a dog", "风", "il mare", "古琴")
QUESTIONS = "id,question,A,B,answer,category\n" + "".join(
    f'q{n},"What is heard: {topic}?",yes,no,{key},{"animal" if n in (0, 4) else "other"}\n'
    for n, (topic, key) in enumerate(zip(TOPICS, KEYS, strict=True))
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.csv").write_text(QUESTIONS, encoding="utf-8")
    return tmp_path


def accuracy(scores: dict[str, list[Aggregate]]) -> float | None:
    (figure,) = [a for a in scores["standard"] if a.metric == "acc" and not a.slice]
    return figure.value


def asked(folder: RunFolder) -> list[str]:
    return sorted(response.item.rpartition("/")[2] for response in folder.responses())


def test_the_accuracy_of_a_constant_answer_is_the_share_of_its_letter(here: Path) -> None:
    always_a = api.run("q.csv", "baseline/constant", settings={"letter": "A"}, out="a")
    always_b = api.run("q.csv", "baseline/constant", settings={"letter": "B"}, out="b")
    assert always_a.outcome.counts == {"answered": 8}
    assert (accuracy(always_a.scores), accuracy(always_b.scores)) == (62.5, 37.5)
    assert (here / "a" / "tables").is_dir(), "tables are written with the scores"


def test_a_plan_is_carried_out_once_and_the_second_session_asks_nothing(here: Path) -> None:
    ready = api.plan("q.csv", "baseline/constant", settings={"letter": "A"}, limit=3)
    first = api.run_plan(ready, out="run")
    journal = (here / "run" / "responses.jsonl").read_bytes()
    again = api.run_plan(ready, out="run")
    assert (first.outcome.counts, again.outcome.counts, again.outcome.already) == ({"answered": 3}, {}, 3)
    assert (here / "run" / "responses.jsonl").read_bytes() == journal
    assert accuracy(again.scores) == accuracy(first.scores)


def test_what_was_asked_without_scores_is_scored_later(here: Path) -> None:
    result = api.run("q.csv", "baseline/constant", settings={"letter": "B"}, out="run", scored=False)
    assert result.scores == {} and not (here / "run" / "scores").exists() and not (here / "run" / "tables").exists()
    scores = api.score(here / "run")
    assert accuracy(scores) == 37.5 and set(scores) == {"standard"}
    assert set(api.score("run", protocols=["standard"])) == {"standard"}
    with pytest.raises(SpecError, match="oficial"):
        api.score("run", protocols=["oficial"])


def test_items_are_chosen_by_id_facet_and_number(here: Path) -> None:
    model = ("baseline/first",)
    ids = [item.id for item in api.run("q.csv", *model, out="all", scored=False).folder.items()]
    chosen = [ids[4], ids[1]]
    assert asked(api.run("q.csv", *model, out="ids", item_ids=chosen).folder) == ["q1", "q4"]
    (here / "ids.txt").write_text("\n".join(chosen) + "\n", encoding="utf-8")
    assert asked(api.run("q.csv", *model, out="file", items_file="ids.txt").folder) == ["q1", "q4"]
    assert len(asked(api.run("q.csv", *model, out="limit", limit=2).folder)) == 2
    assert asked(api.run("q.csv", *model, out="facet", filters={"category": ["animal"]}).folder) == ["q0", "q4"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"limit": 0}, "at least 1"),
        ({"conditions": ["blnd"]}, "did you mean 'blind'"),
        ({"filters": {"categry": ["animal"]}}, "did you mean 'category'"),
        ({"protocols": ["oficial"]}, "oficial"),
        ({"shard": "3/2"}, "3/2"),
        ({"repeats": 0}, "repeats"),
        ({"sample": "lite"}, "no samples"),
        ({"item_ids": ["nobody"]}, "nothing is selected"),
        ({"item_ids": ["own-q/q1"], "items_file": "q.csv"}, "can't be combined"),
    ],
)
def test_a_wrong_argument_ends_before_anything_is_written(here: Path, wrong: dict[str, object], words: str) -> None:
    with pytest.raises((SpecError, DataError), match=words):
        api.run("q.csv", "baseline/first", out="run", **wrong)  # type: ignore[arg-type]
    assert [path.name for path in here.iterdir()] == ["q.csv"]


def test_a_folder_with_another_run_is_left_as_it_is(here: Path) -> None:
    api.run("q.csv", "baseline/first", out="run")
    before = {path: path.read_bytes() for path in (here / "run").rglob("*") if path.is_file()}
    with pytest.raises(RunFolderError):
        api.run("q.csv", "baseline/constant", settings={"letter": "B"}, out="run")
    assert {path: path.read_bytes() for path in (here / "run").rglob("*") if path.is_file()} == before


def test_only_a_run_folder_is_scored_again(here: Path) -> None:
    for target in (here, here / "q.csv", here / "none"):
        with pytest.raises(RunFolderError) as error:
            api.score(target)
        assert str(target) in str(error.value)


def test_replies_in_the_authors_format_are_scored_as_by_hand(here: Path) -> None:
    """Three of four replies are the reference answer, one is another option."""
    rows = json.loads((api.load_benchmark("cmdar").mini / "MDAR-main.json").read_text(encoding="utf-8"))[:4]
    for row in rows:
        row["model_output"] = row["answer"]
    rows[2]["model_output"] = next(option for option in rows[2]["chosens"] if option != rows[2]["answer"])
    (here / "results.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    scores = api.score("cmdar", predictions=["results.json"], protocols=["official"])
    (figure,) = [a for a in scores["official"] if a.task == "cmdar/main" and a.metric == "acc" and not a.slice]
    assert (figure.value, figure.n) == (75.0, 4)
    with pytest.raises(DataError, match=r"none\.json"):
        api.score("cmdar", predictions=["none.json"])


def test_a_report_returns_the_files_that_it_wrote(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    api.run("q.csv", "baseline/constant", settings={"letter": "A"}, out="run", name="always A")
    assert api.report(["run"]) == [] and "62.5" in capsys.readouterr().out
    written = api.report(["run"], to="out", formats=["csv", "md"])
    assert {path.suffix for path in written} == {".csv", ".md"} and all(path.is_file() for path in written)
    tables = [list(csv.reader(path.open(encoding="utf-8"))) for path in written if path.suffix == ".csv"]
    assert any("always A" in row and any(cell.startswith("62.5") for cell in row) for rows in tables for row in rows)
    usual = api.report(["run"], to="usual")
    assert {path.suffix for path in usual} == {".html", ".csv", ".md"} and all(path.is_file() for path in usual)
    said: list[str] = []
    api.report(["run"], with_published=True, progress=said.append)
    assert said == ["own-q has no published rows; docs/reports.md says where a benchmark keeps them"]
    for wrong, words in (({"formats": ["docx"]}, "docx"), ({"protocol": "oficial"}, "oficial")):
        with pytest.raises(SpecError, match=words):
            api.report(["run"], **wrong)  # type: ignore[arg-type]
    with pytest.raises(RunFolderError):
        api.report([here / "out"])


@pytest.mark.parametrize(
    ("argument", "value"),
    [("limit", 2.5), ("limit", True), ("seed", 1.5), ("repeats", 1.0), ("limit", "5"), ("conditions", "blind")],
)
def test_what_a_manifest_could_not_be_read_with_is_refused_before_anything_is_written(
    here: Path, argument: str, value: object
) -> None:
    with pytest.raises(SpecError, match=f"{argument} must be"):
        api.run("cmdar/main", "baseline/random", out="out", **{argument: value})  # type: ignore[call-overload,arg-type,unused-ignore]
    assert not (here / "out").exists()


def test_a_whole_number_of_numpy_is_one(here: Path) -> None:
    result = api.run("cmdar/main", "baseline/random", out="out", limit=np.int64(2), seed=np.int64(3))  # type: ignore[arg-type]
    assert (result.folder.manifest.limit, result.folder.manifest.seed) == (2, 3)
    assert RunFolder.open(here / "out").manifest.limit == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"options": {"concurrency": 2}}, "options must be RunOptions"),
        ({"judges": ["openai/x"]}, "judges must be judges of plan_judges"),
        ({"protocols": "standard"}, "protocols must be a list of texts"),
        ({"settings": ["letter=B"]}, "settings must be a dict"),
        ({"reader_settings": "letter=B"}, "reader_settings must be a dict"),
        ({"filters": {"category": "animal"}}, r"filters\['category'\] must be a list of texts"),
        ({"filters": ["category=animal"]}, "filters must be a dict of lists"),
        ({"limit": "5"}, "limit must be a whole number"),
        ({"name": 5}, "name must be a text"),
        ({"data": 3}, "data must be a path"),
        ({"item_ids": "q1"}, "item_ids must be a list of texts"),
    ],
)
def test_an_argument_of_another_type_is_refused_before_anything_is_written(
    here: Path, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(SpecError, match=said):
        api.run("q.csv", "baseline/constant", out="r", **arguments)
    assert sorted(path.name for path in here.iterdir()) == ["q.csv"]


def test_scores_and_reports_refuse_one_text_in_place_of_a_list(here: Path) -> None:
    api.run("q.csv", "baseline/first", out="r", scored=False)
    before = sorted(path.name for path in (here / "r").iterdir())
    wrong: Any
    for wrong, said in (
        (lambda: api.score("r", protocols="standard"), "protocols"),
        (lambda: api.score("own-q", predictions="file.json"), "predictions"),
        (lambda: api.score("r", judges=["openai/x"]), "judges"),  # type: ignore[arg-type]
        (lambda: api.report("r", formats="html"), "formats"),
        (lambda: api.report("r", data=["data"]), "data"),  # type: ignore[arg-type]
    ):
        with pytest.raises(SpecError, match=f"{said} must be"):
            wrong()
    assert sorted(path.name for path in (here / "r").iterdir()) == before


def test_a_run_folder_is_opened_by_its_path_as_text(here: Path) -> None:
    result = api.run("q.csv", "baseline/first", out="r", limit=2, scored=False)
    assert RunFolder.open("r").manifest == RunFolder.open(Path("r")).manifest == result.folder.manifest


def test_what_run_returned_is_accepted_wherever_a_run_is_named(here: Path) -> None:
    results = [api.run("q.csv", f"baseline/{name}", out=name) for name in ("first", "longest")]
    figures = api.score("first")
    assert api.score(results[0]) == api.score(results[0].folder) == api.score(Path("first")) == figures
    assert api.compare(result for result in results).shared == api.compare(["first", "longest"]).shared > 0
    assert [path.name for path in api.report((result for result in results), to="t", formats=["csv"])]
    assert len(api.analyse(results)) == len(api.analyse({"first", "longest"})) > 0
    assert api.analyse_errors(results[0]).tables == api.analyse_errors("first").tables
    assert api.unpack(api.pack(results[0])).path == Path("first")


@pytest.mark.parametrize("function", ["report", "compare", "compare_all", "analyse", "analyse_errors", "merge"])
def test_no_run_at_all_is_refused(function: str, here: Path) -> None:
    with pytest.raises(SpecError):
        getattr(api, function)([], *(["out"] if function == "merge" else []))
    assert [path.name for path in here.iterdir()] == ["q.csv"]


def test_questions_are_named_by_a_path(here: Path) -> None:
    assert api.run(Path("q.csv"), "baseline/first", out="r", limit=2).outcome.counts == {"answered": 2}
    assert [one.kind for one in api.audit_data(Path("q.csv"))] == [one.kind for one in api.audit_data("q.csv")]


def test_scalars_of_numpy_are_settings(here: Path) -> None:
    settings = {"temperature": np.float32(0.5), "stop": (np.str_("a"),)}
    ready = api.plan("q.csv", "openai/x", base_url="http://127.0.0.1:9/v1", settings=settings)
    assert ready.manifest.decoding["temperature"] == 0.5 and type(ready.manifest.decoding["temperature"]) is float
    assert api.plan("q.csv", "baseline/first", settings=None, conditions=None).manifest.conditions == ()  # type: ignore[arg-type]


def test_an_argument_that_would_be_ignored_is_refused_when_a_run_is_scored(here: Path) -> None:
    api.run("q.csv", "baseline/first", out="r", scored=False)
    before = sorted(path.name for path in (here / "r").iterdir())
    wrong: Any
    for wrong, said in (
        ({"reference": "q.csv"}, "reference is for predictions"),
        ({"verdicts": "v"}, "verdicts is for predictions"),
        ({"recover": True}, "recover is for predictions"),
        ({"encoders": "cpu"}, "encoders must be EncoderSettings"),
    ):
        with pytest.raises(SpecError, match=said):
            api.score("r", **wrong)
    with pytest.raises(DataError, match="does not exist"):
        api.score("r", data="nowhere")
    assert sorted(path.name for path in (here / "r").iterdir()) == before


def test_the_data_of_a_report_are_of_its_runs_and_exist(here: Path) -> None:
    api.run("cmdar/main", "baseline/first", limit=2, out="r")
    with pytest.raises(SpecError, match="did you mean 'cmdar'"):
        api.report("r", to="t", formats=["html"], data={"cmdra": "r"})
    with pytest.raises(DataError, match="does not exist"):
        api.report("r", to="t", formats=["html"], data={"cmdar": "nowhere"})
    assert not (here / "t").exists()


def test_a_value_that_no_item_has_is_a_problem_of_the_result(here: Path) -> None:
    result = api.run("q.csv", "baseline/first", out="r", filters={"category": ["animal", "anmal", "x"]}, limit=1)
    assert result.outcome.counts == {"answered": 1}
    assert result.problems == ("no Item has the category 'anmal', 'x', which is asked for",)
    assert api.run("q.csv", "baseline/first", out="s", filters={"category": ["animal"]}, limit=1).problems == ()
