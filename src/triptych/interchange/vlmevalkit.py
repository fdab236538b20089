"""Results of VLMEvalKit: `MODEL_DATASET.xlsx`, `.tsv`, `.csv` or `.json`, a row per question with its `prediction`.

A file of scored rows (`…_openai_result.xlsx`) also has `hit`, 0 or 1, and `log`, how the reply was read.
`MODEL_DATASET_acc.csv` states the accuracy. Pickled files are not read, since they can execute code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from triptych.errors import DataError
from triptych.interchange.foreign import ForeignLog, ForeignSample
from triptych.interchange.table_rows import TABLES, table_rows
from triptych.records.log_figures import LOG_NOTE, LogFigure
from triptych.store.files.limits import read_json

_SCORED = re.compile(r"_(openai|exact_matching|chatgpt\S*|gpt\S*|auxmatch|llm\S*|qwen\S*)?_?(result|auxmatch|judge)$")
_CIRCULAR = 1_000_000  # indexes from here on are the same questions with rotated options
_FAILED = "Failed to obtain answer via API"
_LETTERS = "ABCDEFGHIJ"
_FACETS = ("category", "l2-category", "split", "source", "task", "domain", "type")


def is_results(path: Path) -> bool:
    """Return whether a file is a table of questions with predictions."""
    if not path.is_file() or path.suffix not in (*TABLES, ".json") or path.stem.endswith(("_acc", "_score")):
        return False
    try:
        return _is_row(next(iter(_rows(path)), ("", {}))[1])
    except DataError:
        return False


def model_and_data(path: Path) -> str:
    """Return model and data set of a file of results: its name without what says how it was scored."""
    return _SCORED.sub("", path.stem)


def _is_row(row: Mapping[str, Any]) -> bool:
    return "prediction" in row and "index" in row


def read_vlmevalkit(path: Path) -> ForeignLog:
    """Read one file of results. If it has no scores and a file next to it has, that one is read.

    Raises DataError if it can't be read.
    """
    scored = _scored(path)
    stem = model_and_data(path)
    model = stem.partition("_")[0]
    if stem.startswith(f"{path.resolve().parent.name}_"):  # models have underscores too; results are in MODEL/
        model = path.resolve().parent.name
    dataset = stem.removeprefix(f"{model}_")
    rows = list(_rows(scored))
    circular = any(_index(row) >= _CIRCULAR for _, row in rows)
    return ForeignLog(
        harness="vlmevalkit",
        task=dataset,
        model=model,
        path=path,
        samples=(_sample(row, where) for where, row in rows),
        figures=tuple(_figures(path.with_name(f"{stem}_acc.csv"), dataset, circular)),
        notes=("the log asks each question with rotated options; its figure counts rotations together",) * circular,
    )


def _scored(path: Path) -> Path:
    if _SCORED.search(path.stem):
        return path
    near = sorted(file for file in path.parent.glob(f"{path.stem}_*") if file.suffix in TABLES)
    return next((file for file in near if _SCORED.search(file.stem)), path)


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if path.suffix != ".json":
        yield from table_rows(path)
        return
    content = read_json(path.read_bytes(), path, "the results")
    if not isinstance(content, list):
        raise DataError("not results of VLMEvalKit", where=path, expected="a list of rows")
    for number, row in enumerate(content, 1):
        if not isinstance(row, dict):
            raise DataError("a row is not a JSON object", where=f"{path}, row {number}")
        yield f"{path}, row {number}", row


def _index(row: Mapping[str, Any]) -> float:
    try:
        return float(row.get("index") or 0)
    except ValueError:
        return 0.0


def _figures(file: Path, dataset: str, circular: bool) -> Iterator[LogFigure]:
    """Yield the overall accuracy. Rotations count as one question, so it isn't the mean of circular rows."""
    rows = [row for _, row in table_rows(file)] if file.is_file() else []
    if len(rows) == 1 and "Overall" in rows[0]:
        kind = "all rotations correct" if circular else "mean"
        yield LogFigure(dataset, "hit", _number(rows[0]["Overall"]), aggregation=kind)


def _sample(row: Mapping[str, Any], where: str) -> ForeignSample:
    if not _is_row(row):
        raise DataError("the row has no index or no prediction", where=where, got=", ".join(map(str, row)))
    options = [letter for letter in _LETTERS if _words(row.get(letter))]
    reply = _words(row["prediction"])
    failed = reply.startswith(_FAILED)
    hit, log_text = _number(row.get("hit")), _words(row.get("log"))
    return ForeignSample(
        id=_words(row["index"]).removesuffix(".0"),
        question=_words(row.get("question")),
        target=(_words(row.get("answer")),) if _words(row.get("answer")) else (),
        choices=tuple(_words(row[letter]) for letter in options),
        labels=tuple(options),
        reply="" if failed else reply,
        status="failed" if failed else "answered",
        error=reply if failed else "",
        more=((LOG_NOTE, log_text),) if log_text else (),
        scores={} if hit is None else {"hit": hit},
        facets={name: _words(row[name]) for name in _FACETS if _words(row.get(name))},
    )


def _words(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(value)


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None
