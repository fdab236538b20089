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
    return [(s["protocol"], s["task"], s["metric_id"], tuple(s["slice"].items()), s["value"], s["n"], s["counts"])
            for s in document["scores"]]  # fmt: skip


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
        "doc_id": 3, "doc": {"q": "?"}, "target": " Paris", "arguments": {"gen_args_0": {"arg_0": "Capital?"}},
        "resps": [["Paris."]], "filtered_resps": ["Paris."], "exact_match": 0.0, "doc_hash": "x",
    }  # fmt: skip
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
    with pytest.raises(DataError, match="isn't there"):
        import_log(tmp_path / "none.eval", tmp_path / "run")


def test_a_document_that_unpacks_to_gigabytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.interchange.inspect_read.MAX_MEMBER", 1000)
    path = tmp_path / "bomb.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("header.json", b"{" + b" " * 2000 + b"}")
    with pytest.raises(DataError, match="too large"):
        import_log(path, tmp_path / "run")


def test_an_unknown_format_is_refused(run: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="inspct"):
        export_run(run, "inspct", tmp_path)


def test_imported_is_no_benchmark_to_ask() -> None:
    assert "imported" not in known_benchmarks()
    with pytest.raises((SpecError, DataError)):
        api.run("imported", "baseline/random")
