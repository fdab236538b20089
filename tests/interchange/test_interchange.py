"""Runs go out and come back the same; logs that other harnesses wrote come in with every sample."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import polars
import pytest

from triptych import api
from triptych.benchmarks import known_benchmarks
from triptych.errors import DataError, SpecError
from triptych.interchange.exports import export_run, import_log
from triptych.interchange.samples import ScoredRun
from triptych.scoring.documents import as_document
from triptych.scoring.runs import score_run
from triptych.store.folder import RunFolder

LOGS = Path(__file__).parent / "logs"  # written by Inspect 0.3.285 and lmms-eval 0.7.3 over a mock endpoint


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    out = tmp_path_factory.mktemp("runs") / "one"
    return api.run("xmodbench/linguistic", "baseline/random", out=out, limit=2, seed=0, repeats=2).folder


def figures(folder: RunFolder) -> list[tuple[object, ...]]:
    document = as_document("b", score_run(folder))
    return [
        (s["protocol"], s["task"], s["metric_id"], tuple(s["slice"].items()), s["value"], s["n"], s["counts"])
        for s in document["scores"]
    ]


@pytest.mark.parametrize("format_", ["inspect", "lmms"])
def test_a_run_that_goes_out_comes_back_with_the_same_figures(format_: str, run: RunFolder, tmp_path: Path) -> None:
    written = export_run(run, format_, tmp_path)
    logs = [path for path in written if path.suffix in (".eval", ".jsonl")]
    if format_ == "inspect":
        back = import_log(logs[0], tmp_path / "back")
        assert list(back.items()) == list(run.items())
        assert list(back.responses()) == list(run.responses())
        assert figures(back) == figures(run)
    else:  # a file holds one Task
        parts = [import_log(path, tmp_path / f"back{n}") for n, path in enumerate(logs)]
        assert sorted(i.id for part in parts for i in part.items()) == sorted(i.id for i in run.items())
        one, task = parts[0], next(iter(parts[0].items())).task
        assert [f for f in figures(one) if f[1] == task] == [f for f in figures(run) if f[1] == task]


def test_an_inspect_log_says_what_became_of_every_item(run: RunFolder, tmp_path: Path) -> None:
    (path,) = export_run(run, "inspect", tmp_path)
    with zipfile.ZipFile(path) as log:
        header = json.loads(log.read("header.json"))
        samples = [json.loads(log.read(name)) for name in log.namelist() if name.startswith("samples/")]
        summaries = json.loads(log.read("summaries.json"))
    assert len(samples) == len(summaries) == 2 * len(list(run.items()))
    assert {sample["metadata"]["status"] for sample in samples} == {"answered"}
    told = {s["name"]: s["metrics"]["value"]["value"] for s in header["results"]["scores"]}
    scored = ScoredRun.of(run)
    for figure in scored.aggregates:
        if not figure.slice and figure.value is not None:
            assert told[f"{figure.task} {figure.metric}"] == figure.value


def test_a_failed_item_has_an_error_and_no_score(tmp_path: Path) -> None:
    out = tmp_path / "run"
    run = api.run("cmdar/main", "baseline/random", out=out, limit=2, seed=0).folder
    lines = (out / "responses.jsonl").read_text().splitlines()
    broken = json.loads(lines[0]) | {"status": "failed", "text": "", "error": {"kind": "server", "message": "gone"}}
    (out / "responses.jsonl").write_text("\n".join([json.dumps(broken), *lines[1:]]) + "\n")
    (path,) = export_run(run, "inspect", tmp_path / "to")
    with zipfile.ZipFile(path) as log:
        sample = json.loads(log.read(f"samples/{broken['item']}_epoch_1.json"))
    assert sample["error"]["message"] == "gone" and sample["scores"] == {}
    assert sample["metadata"]["score_status"] == {"acc": "failed"}
    (samples, _results) = export_run(run, "lmms", tmp_path / "lmms")
    rows = [json.loads(line) for line in samples.read_text().splitlines()]
    assert [("acc" in row, row["status"]) for row in rows] == [(False, "failed"), (True, "answered")]


def test_a_dataset_folder_has_every_item_and_a_card(run: RunFolder, tmp_path: Path) -> None:
    export_run(run, "dataset", tmp_path)
    rows = polars.read_parquet(tmp_path / "data" / "test-00000.parquet")
    assert rows.height == 2 * len(list(run.items()))
    assert set(rows["status"]) == {"answered"}
    first = rows.row(0, named=True)
    assert len(first["choices"]) == 4 and json.loads(first["scores"])["acc"]["status"] == "scored"
    card = (tmp_path / "README.md").read_text()
    assert card.startswith("---\n") and 'path: "data/test-*.parquet"' in card and "95% interval" in card


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


def test_an_lmms_eval_log_comes_in(tmp_path: Path) -> None:
    folder = import_log(LOGS / "20261121_202302_samples_speed.jsonl", tmp_path / "run")
    stored = json.loads((LOGS / "20261121_202302_results.json").read_text())["results"]["speed"]["exact_match,none"]
    scores = score_run(folder)
    (total,) = [a for a in scores["official"] if a.task == "imported"]
    assert total.value == pytest.approx(100 * stored) and total.n == 8
    assert folder.manifest.model == "replay/mock" and len(list(folder.items())) == 8


def test_lm_evaluation_harness_lines_come_in(tmp_path: Path) -> None:
    row = {
        "doc_id": 3,
        "doc": {"q": "?"},
        "target": " Paris",
        "arguments": {"gen_args_0": {"arg_0": "Capital?"}},
        "resps": [["Paris."]],
        "filtered_resps": ["Paris."],
        "exact_match": 0.0,
        "doc_hash": "x",
    }
    path = tmp_path / "samples_capitals_2026.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps(row | {"doc_id": 4, "filtered_resps": [], "resps": []}) + "\n")
    folder = import_log(path, tmp_path / "run")
    first, second = folder.responses()
    assert (first.text, first.status, second.status) == ("Paris.", "answered", "failed")
    assert next(iter(folder.items())).parts[0].text == "Capital?"
    (total,) = [a for a in score_run(folder)["standard"] if a.task == "imported"]
    assert (total.value_answered, total.value_all, total.counts) == (100.0, 50.0, {"scored": 1, "failed": 1})


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    for name, content in (("a.eval", b"PK\x03\x04"), ("b.json", b"[1]"), ("c.jsonl", b"{"), ("d.txt", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError):
            import_log(tmp_path / name, tmp_path / "run")
        assert not (tmp_path / "run").exists()
    with pytest.raises(DataError, match="doesn't exist"):
        import_log(tmp_path / "none.eval", tmp_path / "run")


def test_a_document_that_unpacks_to_gigabytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.interchange.inspect_read.MAX_DOCUMENT", 1000)
    path = tmp_path / "bomb.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("header.json", b"{" + b" " * 2000 + b"}")
    with pytest.raises(DataError, match="too large"):
        import_log(path, tmp_path / "run")


def _lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


ROW = {"doc_id": 1, "target": "A", "input": "?", "filtered_resps": "A", "acc": 1.0}
DEEP = "[" * 200_000
HOSTILE = {
    "no object": "[1, 2]",
    "too deep": '{"doc_id": 1, "x": ' + DEEP,
    "half a character as an id": '{"doc_id": "\\ud800", "input": "?", "resps": ["A"]}',
    "not our item": json.dumps(ROW | {"triptych": {"item": {"id": 1}}}),
    "no records": json.dumps(ROW | {"triptych": [1]}),
    "twice the same": json.dumps(ROW) + "\n" + json.dumps(ROW),
    "an endless number": '{"doc_id": 1, "input": "?", "resps": ["A"], "acc": 1' + "0" * 400 + "}",
    "odd counts": json.dumps(ROW | {"token_counts": [{"input_tokens": {"a": 1}}], "arguments": 3, "input": None}),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_samples_are_refused_or_read_and_leave_nothing_half_written(name: str, tmp_path: Path) -> None:
    path = tmp_path / "1_samples_t.jsonl"
    path.write_text(HOSTILE[name], encoding="utf-8")
    if name in ("not our item", "no records"):  # so that our records are looked for
        manifest = {"triptych": {"manifest": {"benchmark": "xmodbench"}}}
        (tmp_path / "1_results.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(DataError):
        score_run(import_log(path, tmp_path / "run"))
    assert not (tmp_path / "run").exists()


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


def test_a_line_without_an_end_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.interchange.harness_logs.MAX_DOCUMENT", 1000)
    monkeypatch.setattr("triptych.store.files.limits.MAX_DOCUMENT", 1000)
    with pytest.raises(DataError, match="a line is too large"):
        import_log(_lines(tmp_path / "1_samples_t.jsonl", ROW | {"input": "x" * 2000}), tmp_path / "run")


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


def test_a_log_says_nothing_of_this_computers_files(run: RunFolder, tmp_path: Path) -> None:
    """A stranger's manifest could name any folder here as the one that media are shown from."""
    (path,) = export_run(run, "inspect", tmp_path)
    evil = tmp_path / "evil.eval"
    with zipfile.ZipFile(path) as log, zipfile.ZipFile(evil, "w") as other:
        for name in log.namelist():
            other.writestr(name, log.read(name).replace(b'"data":"mini"', b'"data":"/"'))
    assert import_log(path, tmp_path / "good").manifest.data == "mini"
    assert import_log(evil, tmp_path / "bad").manifest.data == "evil.eval"


def test_half_characters_and_marks_in_objects_are_read(tmp_path: Path) -> None:
    rows = [ROW | {"filtered_resps": "A\ud83d", "acc": {"id": 7, "score": 1}}, ROW | {"doc_id": 2, "acc": float("nan")}]
    folder = import_log(_lines(tmp_path / "1_samples_t.jsonl", *rows), tmp_path / "run")
    assert [r.text for r in folder.responses()] == ["A?", "A"]
    (total,) = [a for a in score_run(folder)["official"] if a.task == "imported"]
    assert (total.value_answered, total.counts) == (100.0, {"scored": 1, "unavailable": 1})


def test_all_files_of_an_evaluation_come_in_as_one_run(run: RunFolder, tmp_path: Path) -> None:
    written = export_run(run, "lmms", tmp_path)
    back = import_log(written[0].parent, tmp_path / "back")
    assert sorted(i.id for i in back.items()) == sorted(i.id for i in run.items())
    assert figures(back) == figures(run)
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    for task in ("one", "two"):
        _lines(foreign / f"9_samples_{task}.jsonl", ROW)
    slices = [
        a.slice for a in score_run(import_log(foreign, tmp_path / "both"))["official"] if a.task == "imported/log"
    ]
    assert slices == [{"log_task": "one"}, {"log_task": "two"}]
    (log,) = export_run(run, "inspect", tmp_path / "logs")
    for place, inside in ((tmp_path, written[0].parent), (tmp_path / "logs", log)):
        with pytest.raises(DataError) as refused:
            import_log(place, tmp_path / "none")
        assert str(inside) in str(refused.value), "what can be read there is named"
    _lines(foreign / "8_samples_one.jsonl", ROW)
    with pytest.raises(DataError, match="one evaluation"):
        import_log(foreign, tmp_path / "none")


def test_an_unknown_format_is_refused(run: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="inspct"):
        export_run(run, "inspct", tmp_path)


def test_imported_is_no_benchmark_to_ask() -> None:
    assert "imported" not in known_benchmarks()
    with pytest.raises((SpecError, DataError)):
        api.run("imported", "baseline/random")


def _inspect(path: Path, values: list[object], stated: list[dict[str, object]], **more: object) -> Path:
    """A log of Inspect in one document; `values`: what each sample's scorer `match` gave, None for no score."""
    answer = {"choices": [{"message": {"content": "A"}, "stop_reason": "stop"}]}
    samples = [
        {
            "id": n,
            "epoch": 1,
            "input": "?",
            "target": "A",
            "output": answer,
            "scores": {} if value is None else {"match": {"value": value, "answer": "A"}},
        }
        for n, value in enumerate(values)
    ]
    log = {"status": "success", "eval": {"task": "t", "model": "m"}, "results": {"scores": stated}, "samples": samples}
    path.write_text(json.dumps(log | more))
    return path


def _stated(name: str = "match", **metrics: float) -> dict[str, object]:
    told = {metric: {"name": metric, "value": value} for metric, value in metrics.items()}
    return {"name": name, "scorer": "match", "metrics": told, "scored_samples": 4}


@pytest.mark.parametrize("value", [None, "unparsed", [1, 2], float("nan"), {"note": "none"}])
def test_an_inspect_log_without_scores_has_no_figure(value: object, tmp_path: Path) -> None:
    folder = import_log(_inspect(tmp_path / "a.json", [value] * 4, [_stated(accuracy=0.5)]), tmp_path / "run")
    scored = score_run(folder)
    (total,) = [a for a in scored["official"] if a.task == "imported"]
    assert (total.value, total.value_all, total.interval, total.counts) == (None, None, None, {"unavailable": 4})
    assert any("states t match = 0.5; its samples have no such score" in note for note in scored.notes)


def test_what_an_inspect_log_states_is_checked_against_its_samples(tmp_path: Path) -> None:
    values: list[object] = ["C", "I", "C", "C"]
    good = import_log(_inspect(tmp_path / "a.json", values, [_stated(accuracy=0.75, stderr=0.25)]), tmp_path / "good")
    assert any("t match = 0.75; its samples give 0.75 (n 4)" in note for note in score_run(good).notes)
    assert not [f for f in api.audit_run([good.path]) if f.kind == "score"]
    bad = import_log(_inspect(tmp_path / "b.json", values, [_stated(accuracy=0.95)]), tmp_path / "bad")
    (found,) = [f for f in api.audit_run([bad.path]) if f.kind == "score"]
    assert (found.severity, found.published, found.recomputed) == ("severe", 0.95, 0.75)


def test_scorers_that_give_several_values_are_read_by_name(tmp_path: Path) -> None:
    values: list[object] = [{"fair": 1, "kind": "no"}, {"fair": 0, "kind": "yes"}]
    stated = [_stated("fair", mean=0.5), _stated("kind", mean=0.5)]
    folder = import_log(_inspect(tmp_path / "a.json", values, stated), tmp_path / "run")
    notes = score_run(folder).notes
    for name in ("match/fair", "match/kind"):
        assert any(f"states t {name} = 0.5; its samples give 0.5 (n 2)" in note for note in notes)
