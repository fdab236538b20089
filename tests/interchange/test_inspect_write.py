"""Runs go out as logs of Inspect: every Item, what became of it, and the figures."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from triptych import api
from triptych.interchange.exports import export_run
from triptych.interchange.samples import ScoredRun
from triptych.store.folder import RunFolder


def test_an_inspect_log_says_what_became_of_every_item(run: RunFolder, tmp_path: Path) -> None:
    (path,) = export_run(run, "inspect", tmp_path)
    with zipfile.ZipFile(path) as log:
        header = json.loads(log.read("header.json"))
        samples = [json.loads(log.read(name)) for name in log.namelist() if name.startswith("samples/")]
        summaries = json.loads(log.read("summaries.json"))
    assert len(samples) == len(summaries) == 2 * len(list(run.items()))
    assert {sample["metadata"]["status"] for sample in samples} == {"answered"}
    told = {s["name"]: s["metrics"]["value"]["value"] for s in header["results"]["scores"]}
    scored = ScoredRun.from_folder(run)
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


def test_thoughts_truncation_and_usage_are_where_inspect_has_them(tmp_path: Path) -> None:
    out = tmp_path / "run"
    run = api.run("cmdar/main", "baseline/first", out=out, limit=2).folder
    first, second = (json.loads(line) for line in (out / "responses.jsonl").read_text("utf-8").splitlines())
    first |= {"status": "truncated", "text": "答案", "thinking": "想", "served_model": "qwen3-omni"}
    first |= {"usage": {"input_tokens": 100, "output_tokens": 7, "reasoning_tokens": 3, "cached_tokens": 64}}
    second |= {"status": "refused", "text": "I can't", "usage": {"input_tokens": 50, "output_tokens": 3}}
    (out / "responses.jsonl").write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n", "utf-8")
    (path,) = export_run(run, "inspect", tmp_path / "to")
    with zipfile.ZipFile(path) as log:
        one, two = (json.loads(log.read(f"samples/{each['item']}_epoch_1.json")) for each in (first, second))
        header = json.loads(log.read("header.json"))
    assert one["output"]["choices"][0]["stop_reason"] == "max_tokens"
    assert one["output"]["choices"][0]["message"]["content"] == [
        {"type": "reasoning", "reasoning": "想"},
        {"type": "text", "text": "答案"},
    ]
    assert (one["output"]["model"], one["output"]["completion"]) == ("qwen3-omni", "答案")
    usage = {"input_tokens": 100, "output_tokens": 7, "total_tokens": 107}
    assert one["output"]["usage"] == usage | {"input_tokens_cache_read": 64, "reasoning_tokens": 3}
    assert header["stats"]["model_usage"]["baseline/first"]["total_tokens"] == 107 + 53
    assert two["output"]["choices"][0]["stop_reason"] == "content_filter"
    assert header["status"] == "success" and header["results"]["completed_samples"] == 2
