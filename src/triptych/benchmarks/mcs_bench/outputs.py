"""The released list with a model's answers (`Response`) -> Responses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks.mcs_bench.reader import is_list, true_texts
from triptych.benchmarks.mcs_bench.rows import Row, fault_of, read_rows, to_item
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import DataError, TwoAnswersError
from triptych.protocols.outcomes import ANY_TEXT
from triptych.protocols.protocol import Outputs
from triptych.protocols.stored_replies import stored_reply, unanswered_note
from triptych.records import Item, Problem, Response
from triptych.store.files.atomic import write_atomically

_PEEKED = 20  # rows by which a file is recognised


def read_outputs(spec: BenchmarkSpec, paths: Sequence[Path], items: Mapping[str, Item] | None = None) -> Outputs:
    """Read lists (or folders of them) in the released format. Their own questions and answers are returned as Items.

    A row needs only `ID`, `Task_ID`, `Response` and `Answer_Simplified`; fields that it lacks, also the answer, are
    taken from its question in `items`. Raises DataError if two rows answer the same question, or if a file has no such
    rows.
    """
    responses: dict[str, Response] = {}
    sound: list[Row] = []
    faults: list[Problem] = []
    files, others = _files(paths)
    for path in files:
        for position, row in read_rows(path, faults.append):
            where = f"{path}[{position}]"
            if row.id is None or not row.task:
                faults.append(Problem("error", "malformed-row", where, f"it has no ID or no Task_ID: {fault_of(row)}"))
                continue
            if row.item_id in responses:
                raise TwoAnswersError("two answers to one question", where=where, got=row.item_id)
            responses[row.item_id] = stored_reply(row.item_id, row.response, "Response")
            if fault_of(row) is None or (row.item_id not in (items or {}) and fault_of(row, for_asking=False) is None):
                sound.append(row)
    labels = true_texts(sound)
    items_by_id = {row.item_id: to_item(row, labels.get(row.path, "")) for row in sound}
    notes = [f"{p.where}: {p.message}" for p in faults]
    notes += [f"{path}: not a list of rows with Task_ID; left out" for path in others]
    return Outputs(responses, items_by_id, (*notes, *unanswered_note(responses.values(), "Response")))


def recognises(file: Path) -> bool:
    """Recognise a list of rows with `Task_ID` and `Response`; see `Benchmark.recognises`."""
    if file.suffix != ".json" or not is_list(file):
        return False
    return any(row.response is not None for _, row in islice(read_rows(file, lambda problem: None), _PEEKED))


def write_outputs(items: Iterable[Item], responses: Iterable[Response], to: Path) -> list[Path]:
    """Write a Run as a list in the released format, `to/mcs_bench.json`; unanswered questions have no `Response`."""
    responses_by_item = {r.item: r for r in responses if r.repeat == 0}
    rows = [_row(item, responses_by_item.get(item.id)) for item in items]
    path = to / "mcs_bench.json"
    write_atomically(path, msgspec.json.format(msgspec.json.encode(rows), indent=1) + b"\n")
    return [path]


def _row(item: Item, response: Response | None) -> dict[str, Any]:
    _, task, id_ = item.id.split("/", 2)
    row: dict[str, Any] = {
        "ID": id_,
        "Task_ID": int(task.removeprefix("T")),
        "Image": next((p.path for p in item.parts if p.is_media), ""),
        "Question_Simplified": "".join(p.text for p in item.parts if p.role == "question"),
        "Answer_Simplified": item.target,
    }
    if response is not None and response.status in ANY_TEXT:
        row["Response"] = response.text
    return row


def _files(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Return the files with rows, and those in folders that have none."""
    files: list[Path] = []
    others: list[Path] = []
    for path in paths:
        for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
            (files if not path.is_dir() or is_list(file) else others).append(file)
    if not files:
        raise DataError("no results found", where=", ".join(map(str, paths)), expected="a JSON list with Response")
    return files, others
