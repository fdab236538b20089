"""Outputs of OpenCompass: `predictions/MODEL/DATASET.json`, with `results/MODEL/DATASET.json`.

A results file states the figures in percent and, if `dump_eval_details` was set, whether each reply is correct.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from triptych.errors import DataError
from triptych.interchange.foreign import ForeignLog, ForeignSample
from triptych.records.log_figures import LogFigure
from triptych.store.files.limits import read_json

_HEAD = 4096  # bytes at the beginning of a file, in which its first keys are


def is_predictions(path: Path) -> bool:
    """Return whether a file holds predictions of OpenCompass, or a folder has such files of one model."""
    if path.is_file():
        return path.suffix == ".json" and (path.parent.parent.name in ("predictions", "results") or _says_so(path))
    if not path.is_dir() or (first := next(iter(sorted(path.glob("*.json"))), None)) is None:
        return False
    return path.parent.name == "predictions" or _says_so(first)


def _says_so(file: Path) -> bool:
    """Return whether a file begins as predictions do, in whatever folder they were published."""
    try:
        with file.open("rb") as opened:
            head = opened.read(_HEAD).lstrip()
    except OSError:
        return False
    return head.startswith(b"{") and b'"origin_prompt"' in head


def models_in(path: Path) -> list[Path]:
    """Return the folders of predictions below an output folder, one for each model."""
    folders = [path / "predictions", *path.glob("*/predictions")] if path.name != "predictions" else [path]
    models = [model for each in (*folders, path) if each.is_dir() for model in each.iterdir() if is_predictions(model)]
    return sorted({model for model in models if model.is_dir()})


def read_opencompass(path: Path) -> ForeignLog:
    """Read the predictions of one model, or of one data set. Raises DataError if they can't be read."""
    files = [path] if path.is_file() else sorted(path.glob("*.json"))
    figures = [figure for file in files for figure in _figures(file)]
    return ForeignLog(
        harness="opencompass",
        task=files[0].stem if len(files) == 1 else files[0].parent.name,
        model=files[0].parent.name,
        path=path,
        samples=(sample for file in files for sample in _samples(file)),
        figures=tuple(figures),
    )


def _object(file: Path) -> dict[str, Any]:
    content = read_json(file.read_bytes(), file) if file.is_file() else {}
    if not isinstance(content, dict):
        raise DataError("not a file of OpenCompass", where=file, expected="a JSON object")
    return content


def _sibling_file(file: Path, folder: str) -> Path:
    """Return the file of the same model and data set in `predictions` or `results`."""
    if folder == "predictions" and file.parent.parent.name != "results":  # published in a folder of another name
        return file
    return file.parent.parent.parent / folder / file.parent.name / file.name


def _details(results: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    details = results.get("details")
    rows = enumerate(details) if isinstance(details, list) else details.items() if isinstance(details, dict) else ()
    return {str(key): row for key, row in rows if isinstance(row, dict)}


def _figures(file: Path) -> Iterator[LogFigure]:
    results = _object(_sibling_file(file, "results"))
    scored = any(_correct(row) is not None for row in _details(results).values())
    for name, value in results.items():
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            kind = "mean" if name in ("accuracy", "score") and scored else "the data set's own"
            metric = "correct" if kind == "mean" else name
            number = value if value is not None and math.isfinite(value) else None
            yield LogFigure(file.stem, metric, number, aggregation=kind, scale=100.0, n=len(_details(results)))


def _samples(file: Path) -> Iterator[ForeignSample]:
    predictions, details = (
        _object(_sibling_file(file, "predictions")),
        _details(_object(_sibling_file(file, "results"))),
    )
    if not predictions and not details:
        raise DataError("no predictions found", where=file)
    for key in dict.fromkeys((*predictions, *details)):
        prediction = predictions.get(key)
        yield _sample(key, prediction if isinstance(prediction, dict) else {}, details.get(key, {}), file.stem)


def _sample(key: str, sample: Mapping[str, Any], detail: Mapping[str, Any], task: str) -> ForeignSample:
    reply = sample.get("prediction", detail.get("origin_prediction"))
    stated = [
        *(sample.get(name) for name in ("gold", "refr", "reference")),
        detail.get("references"),
        detail.get("answer"),
    ]
    target = next((one for one in stated if one is not None), None)
    read = detail.get("predictions", detail.get("pred"))
    correct = _correct(detail)
    return ForeignSample(
        id=key,
        question=_words(sample.get("origin_prompt", detail.get("prompt"))),
        target=tuple(map(str, target)) if isinstance(target, list) else () if target is None else (str(target),),
        reply=_words(reply),
        status="failed" if reply is None else "answered",
        error="the log has no reply",
        read=_words(read) if read is not None and read != reply else None,
        scores={} if correct is None else {"correct": float(correct)},
        task=task,
    )


def _correct(detail: Mapping[str, Any]) -> bool | None:
    for name in ("correct", "is_correct"):
        value = detail.get(name)
        while isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool):
            return value
    return None


def _words(value: Any) -> str:
    """Return a text, or the texts of messages one after the other."""
    if isinstance(value, list):
        return "\n".join(
            _words(one.get("prompt", one.get("content")) if isinstance(one, dict) else one) for one in value
        )
    return "" if value is None else str(value)
