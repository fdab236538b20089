"""Logs of other harnesses: written by them, and made by hand in their formats."""

from __future__ import annotations

import json
from pathlib import Path

from triptych.scoring.documents import as_document
from triptych.scoring.runs import score_run
from triptych.store.folder import RunFolder

LOGS = Path(__file__).parent / "logs"  # written by Inspect 0.3.285 and lmms-eval 0.7.3 over a mock endpoint
ROW = {"doc_id": 1, "target": "A", "input": "?", "filtered_resps": "A", "acc": 1.0}


def figures(folder: RunFolder) -> list[tuple[object, ...]]:
    document = as_document("b", score_run(folder))
    return [
        (s["protocol"], s["task"], s["metric_id"], tuple(s["slice"].items()), s["value"], s["n"], s["counts"])
        for s in document["scores"]
    ]


def written_lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def inspect_log(path: Path, values: list[object], stated: list[dict[str, object]], **more: object) -> Path:
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


def stated_figure(name: str = "match", **metrics: float) -> dict[str, object]:
    told = {metric: {"name": metric, "value": value} for metric, value in metrics.items()}
    return {"name": name, "scorer": "match", "metrics": told, "scored_samples": 4}
