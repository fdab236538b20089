"""Question files with a model's answers (`model_output`, and `score` if a judge was asked) -> Responses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from triptych.benchmarks.cmdar.rows import KINDS, Kind, Row, fault_of, first_row, kind_of, read_rows, to_item
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import DataError, TwoAnswersError
from triptych.protocols.protocol import Outputs
from triptych.protocols.stored_replies import stored_reply, unanswered_note
from triptych.records import Intermediate, Item, Problem, Response

# The engine of the Intermediate with a judge's reply, as it is in the file
STORED_JUDGE = "stored judge"


def read_outputs(spec: BenchmarkSpec, paths: Sequence[Path], items: Mapping[str, Item] | None = None) -> Outputs:
    """Read files (or folders of them) in the released format. Their own questions and targets are returned as Items.

    Rows may have only `id` and `model_output` if the file's name contains the task. Scoring needs neither the question
    nor the audio. Fields that a row lacks are taken from its question in `items`. Raises DataError for a file of an
    unknown kind, and if two files answer the same question.
    """
    responses: dict[str, Response] = {}
    items_by_id: dict[str, Item] = {}
    notes: list[str] = []
    files, empty = _files(paths)
    for path in files:
        faults: list[Problem] = []
        kind = _kind(path)
        for position, row in read_rows(path, faults.append):
            id_ = row.item_id(kind, position)
            if id_ in responses:
                raise TwoAnswersError("two answers to one question", where=f"{path}[{position}]", got=id_)
            responses[id_] = to_response(row, id_)
            if fault_of(row, kind) is None or (
                id_ not in (items or {}) and fault_of(row, kind, for_asking=False) is None
            ):
                items_by_id[id_] = to_item(row, kind, position)
        notes += [f"{p.where}: {p.message}" for p in faults]
    notes += [f"{path}: contains no JSON rows; left out" for path in empty]
    return Outputs(responses, items_by_id, (*notes, *unanswered_note(responses.values(), "model_output")))


def recognises(file: Path) -> bool:
    """Recognise rows with the released fields and `model_output`; see `Benchmark.recognises`."""
    row = first_row(file) if ".json" in file.suffix else {}
    return "model_output" in row and kind_of(row) is not None


def to_response(row: Row, id_: str) -> Response:
    """Return a row's answer: a string, or the first of a list; `failed` if there is none."""
    output = row.model_output
    if isinstance(output, list):
        output = output[0] if output else None
    verdict = _words(row.score)
    judged = (Intermediate(STORED_JUDGE, "text", "", verdict),) if verdict else ()
    return stored_reply(id_, output, "model_output", judged)


def _words(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _files(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Return the files with rows, and those in folders that have none."""
    files: list[Path] = []
    empty: list[Path] = []
    for path in paths:
        inside = (
            p for p in path.rglob("*.json*") if p.is_file() and not any(part.endswith(".verdicts") for part in p.parts)
        )
        for file in sorted(p for p in inside if p.is_file()) if path.is_dir() else [path]:
            (files if not path.is_dir() or first_row(file) else empty).append(file)
    if not files:
        raise DataError("no results found", where=", ".join(map(str, paths)), expected="JSON files with model_output")
    return files, empty


def _kind(path: Path) -> Kind:
    """Return a file's kind by its fields, or by its name if it has only ids and answers."""
    row = first_row(path)
    named = [kind for kind in KINDS if kind in path.name.lower()]
    if kind := kind_of(row):
        return kind
    if "chosens" in row and "answer" in row:  # without the question
        return "main"
    if "model_output" in row and len(named) == 1:
        return named[0]
    raise DataError(
        "not a file of CMDAR results",
        where=path,
        got=f"fields {', '.join(row) or 'none'}",
        expected="the released fields with model_output, or id and model_output and main, multi or open in the name",
    )
