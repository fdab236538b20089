"""A Run as lmms-eval's logs: a `samples` file for each Task, next to one of `results`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from triptych.interchange.lmms import write_lmms
from triptych.interchange.samples import ScoredRun
from triptych.store.folder import RunFolder


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_task_is_a_file_with_every_sample_and_its_score(run: RunFolder, tmp_path: Path) -> None:
    scored = ScoredRun.from_folder(run)
    *samples, results = write_lmms(scored, tmp_path)
    tasks = list(dict.fromkeys(item.task for item in run.items()))
    assert len(samples) == len(tasks) > 1 and {path.parent.name for path in samples} == {"baseline__random"}
    by_id = {(one.item.id, one.repeat): one for one in scored.samples()}
    seen = []
    for path in samples:
        lines = rows(path)
        assert [line["doc_id"] for line in lines] == list(range(len(lines)))
        for line in lines:
            own = line["triptych"]["item"]["id"], line["triptych"]["response"].get("repeat", 0)
            one = by_id[own]
            seen.append(own)
            assert one.response is not None and one.scores[0].value is not None
            assert (line["filtered_resps"], line["status"]) == (one.response.text, "answered")
            assert line["acc"] == one.scores[0].value and line["target"] == one.item.target
            assert line["input"].startswith(one.stem) and line["input"].endswith(one.choices[-1])
    assert sorted(seen) == sorted(by_id)
    assert results.name.endswith("_results.json") and results.parent == samples[0].parent


def test_results_have_the_protocols_figures_under_the_names_of_the_files(run: RunFolder, tmp_path: Path) -> None:
    scored = ScoredRun.from_folder(run)
    *samples, results = write_lmms(scored, tmp_path)
    document = json.loads(results.read_text("utf-8"))
    names = {path.stem.partition("_samples_")[2] for path in samples}
    assert names <= set(document["results"]) and set(document["n-samples"]) == names
    figures = {
        (one.task, one.metric): one.value for one in scored.aggregates if not one.slice and one.value is not None
    }
    stated = {
        (group["alias"], key.removesuffix(",none")): value
        for group in document["results"].values()
        for key, value in group.items()
        if key != "alias"
    }
    assert stated == figures and figures
    counts = {name: len(rows(path)) for path, name in ((p, p.stem.partition("_samples_")[2]) for p in samples)}
    assert {name: number["original"] for name, number in document["n-samples"].items()} == counts
    assert document["model_name"] == run.manifest.model and document["triptych"]["protocol"] == scored.protocol


def test_what_has_no_reply_and_no_score_is_not_0(run: RunFolder, tmp_path: Path) -> None:
    lost = RunFolder.create(tmp_path / "lost", run.manifest)
    with lost.writer() as writer:
        for item in run.items():
            writer.add_item(item)
    *samples, results = write_lmms(ScoredRun.from_folder(lost), tmp_path / "to")
    lines = [line for path in samples for line in rows(path)]
    assert lines and all(line["status"] == "missing" and line["filtered_resps"] == "" for line in lines)
    assert not any("acc" in line for line in lines)
    assert json.loads(results.read_text("utf-8"))["config"]["model"] == run.manifest.model
