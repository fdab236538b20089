"""Logs of EvalScope: `reviews/MODEL/DATASET_SUBSET.jsonl`, with `predictions/…` and `reports/MODEL/DATASET.json`.

A review holds the sample's score and the reply as it was scored; the prediction of the same index holds the reply as
the model gave it. Source of the format: EvalScope 1.0 and later.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from triptych.errors import DataError
from triptych.interchange.foreign import ForeignLog, ForeignSample
from triptych.interchange.inspect_read import STOPS
from triptych.interchange.table_rows import json_lines
from triptych.records import Usage
from triptych.records.log_figures import LogFigure
from triptych.store.files.limits import read_json

_USER = "**User**: \n"


def is_reviews(path: Path) -> bool:
    """Return whether a file holds reviews of EvalScope, or a folder has such files of one model."""
    if path.is_file():
        return path.suffix == ".jsonl" and _is_review(next(iter(json_lines(path)), ("", {}))[1])
    return path.is_dir() and path.parent.name == "reviews" and any(is_reviews(file) for file in path.glob("*.jsonl"))


def _is_review(row: object) -> bool:
    return isinstance(row, dict) and isinstance(row.get("sample_score"), dict) and "index" in row


def models_in(path: Path) -> list[Path]:
    """Return the folders of reviews below an evaluation's folder, one for each model."""
    folders = [path / "reviews", *path.glob("*/reviews")] if path.name != "reviews" else [path]
    return sorted(model for reviews in folders if reviews.is_dir() for model in reviews.iterdir() if is_reviews(model))


def read_evalscope(path: Path) -> ForeignLog:
    """Read the reviews of one model, or one file of them. Raises DataError if they can't be read."""
    files = [path] if path.is_file() else sorted(file for file in path.glob("*.jsonl") if is_reviews(file))
    folder = files[0].parent
    reports = [file for name in _datasets(folder) if (file := name).is_file()]
    figures = [figure for report in reports for figure in _figures(report, {file.stem for file in files})]
    return ForeignLog(
        harness="evalscope",
        task=files[0].stem if len(files) == 1 else folder.name,
        model=folder.name,
        path=path,
        samples=(sample for file in files for sample in _samples(file)),
        figures=tuple(figures),
    )


def _datasets(folder: Path) -> list[Path]:
    if folder.parent.name != "reviews":
        return []
    return sorted((folder.parent.parent / "reports" / folder.name).glob("*.json"))


def _figures(report: Path, tasks: set[str]) -> Iterator[LogFigure]:
    """Yield the report's scores of the subsets that were read. A figure has four decimals."""
    content = read_json(report.read_bytes(), report, "the report")
    if not isinstance(content, dict):
        raise DataError("not a report of EvalScope", where=report)
    dataset = str(content.get("dataset_name") or report.stem)
    for metric in content.get("metrics") or ():
        name = str(metric.get("name", "")).removeprefix("mean_")
        for category in metric.get("categories") or ():
            for subset in category.get("subsets") or ():
                task, n = f"{dataset}_{subset.get('name')}", subset.get("num")
                if task in tasks and "score" in subset:
                    score = subset["score"]
                    value = float(score) if isinstance(score, int | float) and math.isfinite(score) else None
                    n = n if isinstance(n, int) else None
                    yield LogFigure(task, name, value, aggregation="mean", n=n, digits=4)


def _samples(file: Path) -> Iterator[ForeignSample]:
    predictions = _predictions(file)
    for where, row in json_lines(file):
        if not _is_review(row):
            raise DataError("the line is not a review of EvalScope", where=where, expected="index and sample_score")
        yield _sample(row, file.stem, predictions.get(str(row["index"]), {}))


def _predictions(file: Path) -> Mapping[str, Mapping[str, Any]]:
    if file.parent.parent.name != "reviews":
        return {}
    path = file.parent.parent.parent / "predictions" / file.parent.name / file.name
    rows = (row for _, row in json_lines(path)) if path.is_file() else ()
    return {str(row.get("index")): row for row in rows if isinstance(row, dict)}


def _sample(row: Mapping[str, Any], task: str, prediction: Mapping[str, Any]) -> ForeignSample:
    score = row["sample_score"].get("score") or {}
    output = prediction.get("model_output") or {}
    choices = output.get("choices") or [{}]
    reply_text = (choices[0].get("message") or {}).get("content")
    reply = reply_text if isinstance(reply_text, str) else score.get("prediction")
    usage = output.get("usage") or {}
    read = score.get("extracted_prediction")
    values = score.get("value") or {}
    return ForeignSample(
        id=str(row["index"]),
        question=str(row.get("input") or "").removeprefix(_USER),
        target=(str(row.get("target") or ""),),
        reply=str(reply or ""),
        status="failed" if reply is None else STOPS.get(str(choices[0].get("stop_reason")), "answered"),
        error=str(output.get("error") or "the log has no reply"),
        usage=Usage(usage.get("input_tokens"), usage.get("output_tokens")) if usage else None,
        read=str(read) if isinstance(read, str) and read != reply else None,
        scores={str(name): float(value) for name, value in values.items() if isinstance(value, bool | int | float)},
        task=task,
        served=str(output.get("model") or ""),
    )
