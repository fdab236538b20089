"""Logs of lm-eval 0.4.13 and lmms-eval 0.7.3, in the shapes that their evaluation trackers write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triptych import api
from triptych.interchange.exports import import_log
from triptych.records import Aggregate
from triptych.scoring.runs import score_run

TIME = "2026-11-21T20-23-02.123456"


def lm_eval(folder: Path, task: str, rows: list[dict[str, Any]], stated: dict[str, float], **results: Any) -> Path:
    """`samples_TASK_TIME.jsonl` beside `results_TIME.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"samples_{task}_{TIME}.jsonl"
    hashes = {"doc_hash": "d", "prompt_hash": "p", "target_hash": "t"}
    path.write_text("".join(json.dumps({"doc": {}, "filter": "none", **hashes, **row}) + "\n" for row in rows))
    told = {
        "results": {task: {"alias": task, **stated}},
        "date": 1795292582.5,
        "model_name": "org/model",
        "config": {"model": "local-completions", "gen_kwargs": {"temperature": 0}},
        **results,
    }
    (folder / f"results_{TIME}.json").write_text(json.dumps(told))
    return path


def lmms_eval(folder: Path, task: str, rows: list[dict[str, Any]], stated: dict[str, float]) -> Path:
    """`TIME_samples_TASK.jsonl` beside `TIME_results.json`."""
    path = folder / f"9_samples_{task}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "9_results.json").write_text(json.dumps({"results": {task: stated}, "model_name": "m"}))
    return path


def choice_row(doc_id: int, target: str, *numbers: float, prompt: str = "Capital?", **more: Any) -> dict[str, Any]:
    """A multiple-choice row: a request for each option, its result as texts."""
    pairs = [[str(number), str(number == max(numbers))] for number in numbers]
    names = ["Paris", "Rome", "Bern", "Oslo"][: len(numbers)]
    return {
        "doc_id": doc_id,
        "target": target,
        "arguments": {f"gen_args_{n}": {"arg_0": prompt, "arg_1": f" {name}"} for n, name in enumerate(names)},
        "resps": [[pair] for pair in pairs],
        "filtered_resps": pairs,
        **more,
    }


def figure(figures: list[Aggregate], task: str = "imported", **slice_: str) -> Aggregate:
    (found,) = [a for a in figures if a.task == task and a.slice == slice_ and a.metric.startswith("score")]
    return found


def test_log_likelihoods_are_a_choice_and_no_reply(tmp_path: Path) -> None:
    both = ["acc", "acc_norm"]
    rows = [
        choice_row(0, "1", -12.5, -3.25, -7.0, metrics=both, acc=1.0, acc_norm=0.0),
        choice_row(1, "0", -9.0, -2.0, -1.5, metrics=both, acc=0.0, acc_norm=1.0),
        choice_row(2, "Bern", -9.0, -2.0, -1.5, metrics=both, acc=1.0, acc_norm=1.0),
    ]
    stated = {"acc,none": 2 / 3, "acc_stderr,none": 1 / 3, "acc_norm,none": 2 / 3}
    folder = import_log(lm_eval(tmp_path / "org__model", "capitals", rows, stated), tmp_path / "run")
    assert folder.manifest.model == "replay/org/model" and folder.manifest.model_settings["harness"] == "lm-eval"
    assert folder.manifest.created.startswith("2026-11-") and folder.manifest.decoding["temperature"] == 0
    items, replies = list(folder.items()), list(folder.responses())
    assert [item.target for item in items] == ["B", "A", "C"]
    assert {tuple(option[0].text for option in item.options) for item in items} == {("Paris", "Rome", "Bern")}
    assert [reply.text for reply in replies] == ["B", "C", "C"] and items[0].parts[0].text == "Capital?"
    assert [s.text for s in replies[0].intermediates if s.engine == "loglikelihood:A"] == ["-12.5"]
    scored = score_run(folder)
    for protocol in ("official", "standard"):
        assert figure(list(scored[protocol])).value == pytest.approx(200 / 3), protocol
    assert any("states capitals acc_norm = 0.666667; its samples give 0.666667 (n 3)" in note for note in scored.notes)
    assert not [f for f in api.audit_run([folder.path]) if f.kind == "score"]


def test_log_likelihoods_without_their_requests_are_known_by_number(tmp_path: Path) -> None:
    row = choice_row(0, "1", -12.5, -3.25, acc=1.0) | {"input": "Capital?"}
    del row["arguments"]  # as lmms-eval leaves them out
    folder = import_log(lmms_eval(tmp_path, "capitals", [row], {}), tmp_path / "run")
    (item,), (reply,) = folder.items(), folder.responses()
    assert (item.labels, item.target, reply.text, item.options) == (("A", "B"), "B", "B", ())
    assert folder.manifest.model_settings["harness"] == "lmms-eval"
    assert figure(list(score_run(folder)["standard"])).value == 100.0


def test_a_target_that_could_be_two_options_is_not_guessed(tmp_path: Path) -> None:
    row = choice_row(0, "1", -12.5, -3.25, acc=1.0)
    row["arguments"] = {f"gen_args_{n}": {"arg_0": "1+0?", "arg_1": f" {text}"} for n, text in enumerate(("1", "0"))}
    folder = import_log(lm_eval(tmp_path, "sums", [row], {}), tmp_path / "run")
    assert next(iter(folder.items())).target is None
    assert figure(list(score_run(folder)["standard"])).counts == {"unavailable": 1}


def test_a_likelihood_of_one_text_and_of_a_whole_text_are_no_replies(tmp_path: Path) -> None:
    rows = [
        {
            "doc_id": n,
            "target": " door",
            "arguments": {"gen_args_0": {"arg_0": "He shut the", "arg_1": " door"}},
            "resps": [[["-1.5", greedy]]],
            "filtered_resps": [["-1.5", greedy]],
            "metrics": ["perplexity", "acc"],
            "perplexity": -1.5,
            "acc": float(greedy == "True"),
        }
        for n, greedy in enumerate(("True", "False"))
    ]
    folder = import_log(lm_eval(tmp_path / "a", "lambada", rows, {"acc,none": 0.5}), tmp_path / "run")
    scored = score_run(folder)
    assert figure(list(scored["official"])).value == figure(list(scored["standard"])).value == 50.0
    row = {
        "doc_id": 0,
        "target": "…",
        "arguments": {"gen_args_0": {"arg_0": "A whole page."}},
        "resps": [["-123.5"]],
        "filtered_resps": ["-123.5"],
        "metrics": ["word_perplexity"],
        "word_perplexity": [-123.5, 3],
    }
    folder = import_log(lm_eval(tmp_path / "b", "pages", [row], {"word_perplexity,none": 9.5}), tmp_path / "run2")
    (reply,) = folder.responses()
    assert reply.text == "" and reply.intermediates[0].text == "-123.5"
    scored = score_run(folder)
    assert {figure(list(scored[p])).value for p in ("official", "standard")} == {None}
    assert any("word_perplexity = 9.5; its samples have no such score" in note for note in scored.notes)


def gsm8k(doc_id: int, reply: str, strict: str, flexible: str, target: str) -> list[dict[str, Any]]:
    """Two rows of one question: one reply, read by two filters."""
    return [
        {
            "doc_id": doc_id,
            "target": target,
            "arguments": {"gen_args_0": {"arg_0": "2+2?", "arg_1": {"until": []}}},
            "resps": [[reply]],
            "filtered_resps": [read],
            "filter": name,
            "metrics": ["exact_match"],
            "exact_match": float(read == target),
        }
        for name, read in (("strict-match", strict), ("flexible-extract", flexible))
    ]


GSM8K = [*gsm8k(0, "#### 4", "4", "4", "4"), *gsm8k(1, "It is 5.", "[invalid]", "5", "5")]
STATED = {"exact_match,strict-match": 0.5, "exact_match,flexible-extract": 1.0}


def test_rows_of_several_filters_are_readings_of_one_reply(tmp_path: Path) -> None:
    rows = sorted(GSM8K, key=lambda row: str(row["filter"]))
    folder = import_log(lm_eval(tmp_path / "m", "gsm8k", rows, STATED), tmp_path / "run")
    assert len({item.id for item in folder.items()}) == 4 and len({item.instance_id for item in folder.items()}) == 2
    assert {reply.text for reply in folder.responses()} == {"#### 4", "It is 5."}
    scored = score_run(folder)
    official = list(scored["official"])
    for name, value in (("strict-match", 50.0), ("flexible-extract", 100.0)):
        assert figure(official, "imported/log", log_task="gsm8k", filter=name).value == value
    assert not [a for a in official if a.task == "imported"], "a mean over filters would count each question twice"
    assert sum("states gsm8k exact_match,strict-match = 0.5; its samples give 0.5" in n for n in scored.notes) == 1


def test_filters_that_lmms_eval_does_not_name_are_told_by_the_results(tmp_path: Path) -> None:
    rows = sorted(GSM8K, key=lambda row: bool(row["filter"] == "strict-match"))
    bare = [{k: v for k, v in row.items() if k not in ("filter", "metrics")} for row in rows]
    path = lmms_eval(tmp_path, "gsm8k", bare, dict(reversed(STATED.items())))
    official = list(score_run(import_log(path, tmp_path / "run"))["official"])
    assert figure(official, "imported/log", log_task="gsm8k", filter="strict-match").value == 50.0


@pytest.mark.parametrize("aggregation", ["mean", ""])
def test_a_figure_that_does_not_follow_from_its_samples_is_reported(tmp_path: Path, aggregation: str) -> None:
    listed = [{"metric": "exact_match", "aggregation": aggregation}] if aggregation else []
    more = {"configs": {"gsm8k": {"metric_list": listed}}, "n-samples": {"gsm8k": {"effective": 3}}}
    path = lm_eval(tmp_path / "m", "gsm8k", GSM8K, STATED | {"exact_match,strict-match": 0.75}, **more)
    folder = import_log(path, tmp_path / "run")
    assert any("which differs" in note for note in score_run(folder).notes)
    found = {f.kind: f for f in api.audit_run([folder.path]) if f.place.endswith("log.json")}
    assert set(found) == {"score", "count"}
    assert found["score"].severity == ("severe" if aggregation else "warning")
    assert (found["score"].published, found["score"].recomputed) == (0.75, 0.5)
    assert (found["count"].published, found["count"].recomputed) == (3, 2)


def test_a_figure_that_is_no_mean_is_shown_and_not_checked(tmp_path: Path) -> None:
    rows = [choice_row(n, "0", -1.0, -2.0, metrics=["f1"], f1=float(n)) for n in range(2)]
    configs = {"t": {"metric_list": [{"metric": "f1", "aggregation": "f1"}]}}
    folder = import_log(lm_eval(tmp_path / "m", "t", rows, {"f1,none": 0.9}, configs=configs), tmp_path / "run")
    assert any("aggregated differently (f1)" in note for note in score_run(folder).notes)
    assert not [f for f in api.audit_run([folder.path]) if f.place.endswith("log.json")]


@pytest.mark.parametrize("stated", [float("nan"), float("inf"), None, "NaN"])
def test_a_figure_that_is_not_a_number_is_named(tmp_path: Path, stated: object) -> None:
    figures: Any = STATED | {"exact_match,strict-match": stated}
    folder = import_log(lm_eval(tmp_path / "m", "gsm8k", GSM8K, figures), tmp_path / "run")
    wanted = "states gsm8k exact_match,strict-match = something that is not a number; its samples give 0.5"
    assert any(wanted in note for note in score_run(folder).notes)
    (found,) = [f for f in api.audit_run([folder.path]) if f.place.endswith("log.json")]
    assert (found.severity, found.published, found.recomputed) == ("warning", "not a number", 0.5)


def test_a_task_whose_samples_file_is_gone_is_named(tmp_path: Path) -> None:
    """Of a folder; a single file is one task by choice. A group has no samples of its own."""
    stated = {
        "gsm8k": STATED,
        "gone": {"alias": "gone", "acc,none": 0.75, "acc_stderr,none": 0.1, "f1,none": 0.5},
        "both": {"alias": "both", "acc,none": 0.6},
        "group": {"alias": "group", "acc,none": 0.6},
    }
    more = {"groups": {"both": {}}, "group_subtasks": {"group": ["gsm8k", "gone"], "gone": []}}
    path = lm_eval(tmp_path / "m", "gsm8k", GSM8K, {}, results=stated, **more)
    folder = import_log(tmp_path / "m", tmp_path / "run")
    notes = score_run(folder).notes
    assert any("states gone acc = 0.75; the log has no sample of this task" in note for note in notes)
    assert not any("group" in note or "both" in note for note in notes)
    (found,) = [f for f in api.audit_run([folder.path]) if f.place.endswith("log.json")]
    assert (found.kind, found.severity, found.rows) == ("missing", "warning", ("gone",))
    assert "acc = 0.75, f1 = 0.5" in found.message
    alone = import_log(path, tmp_path / "alone")
    assert not any("gone" in note for note in score_run(alone).notes)


@pytest.mark.parametrize("score", [{"id": 3, "parsed_pred": "A", "answer": "B"}, [1, 2], "A", None])
def test_samples_without_a_score_have_no_figure(tmp_path: Path, score: object) -> None:
    rows = [{"doc_id": n, "target": "A", "filtered_resps": "A", "input": "?", "mmmu_acc": score} for n in range(3)]
    folder = import_log(lmms_eval(tmp_path, "mmmu", rows, {"mmmu_acc,none": 0.4}), tmp_path / "run")
    scored = score_run(folder)
    total = figure(list(scored["official"]))
    assert (total.value, total.value_all, total.interval, total.n) == (None, None, None, 0)
    assert total.counts == {"unavailable": 3}
    assert figure(list(scored["standard"])).value == 100.0
    assert any("mmmu_acc = 0.4; its samples have no such score" in note for note in scored.notes)


def test_figures_are_of_one_scorer_whatever_the_samples_hold(tmp_path: Path) -> None:
    rows = [
        {"doc_id": 0, "target": "A", "filtered_resps": "A", "input": "?", "length": 7, "acc": 1.0},
        {"doc_id": 1, "target": "A", "filtered_resps": "A", "input": "?", "length": 9},
    ]
    total = figure(list(score_run(import_log(lmms_eval(tmp_path, "t", rows, {}), tmp_path / "run"))["official"]))
    assert (total.value, total.counts) == (100.0, {"scored": 1, "unavailable": 1})


def test_other_replies_to_a_question_are_kept(tmp_path: Path) -> None:
    row = GSM8K[0] | {"resps": [["4", "5", "6"]], "filtered_resps": ["4"], "filter": "none"}
    (reply,) = import_log(lm_eval(tmp_path, "t", [row], {}), tmp_path / "run").responses()
    assert reply.text == "4"
    assert [(s.engine, s.text) for s in reply.intermediates][1:] == [("reply:2", "5"), ("reply:3", "6")]


def test_a_folder_of_lm_eval_is_one_run(tmp_path: Path) -> None:
    place = tmp_path / "org__model"
    for task in ("one", "two"):
        lm_eval(place, task, [choice_row(0, "1", -2.0, -1.0, acc=1.0)], {})
    folder = import_log(place, tmp_path / "run")
    assert [item.id for item in folder.items()] == ["imported/one/0", "imported/two/0"]
    assert folder.manifest.model == "replay/org/model"


def test_a_log_of_several_filters_beside_one_of_a_total_is_not_called_unscored(tmp_path: Path) -> None:
    starlette = pytest.importorskip("starlette.testclient", reason="the viewer's packages are not installed")
    from triptych.reports.tables.book import Report
    from triptych.viewer.app import make_app

    plain = [row | {"filter": "none", "doc_id": n} for n, row in enumerate(GSM8K[:1] * 3)]
    paths = [
        import_log(lm_eval(tmp_path / name, name, rows, stated), tmp_path / "runs" / name)
        for name, rows, stated in (("filters", GSM8K, STATED), ("plain", plain, {"exact_match,none": 1.0}))
    ]
    runs = {folder.path.name: score_run(folder) for folder in paths}
    report = Report(api.load_benchmark("imported"), runs)
    marks = {row.label: row.marks for row in report.overview("official").rows}
    words = "scored separately by filter and log_task, without an overall figure"
    assert marks == {"filters": (f"{words}: a report of this Run alone shows them",), "plain": ()}
    page = starlette.TestClient(make_app(tmp_path / "runs"), base_url="http://127.0.0.1:8765").get("/").text
    assert "not scored" not in page and words in page
