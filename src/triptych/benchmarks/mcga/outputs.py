"""The released rows with a model's replies (`asr_r`, `sqa_a_r` …) -> Responses, and back.

The field of a reply determines its task. The authors' text mode writes the same fields as their audio mode, into a file
whose name ends in `_text.jsonl`: there `su_r` is a reply of `lu`. A file whose name or folder is that of a text task
(`MCGA_lu_test.jsonl`) has text replies too, and so do fields named after one (`lu_r`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks.mcga.names import REPLY_FIELDS, SPEECH_FORM, TEXT_FORM, released, speech_form, words_of
from triptych.benchmarks.mcga.rows import Row, fault_of, first_fields, read_rows, to_item, transcript_of
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import DataError, TwoAnswersError
from triptych.protocols.outcomes import ANY_TEXT
from triptych.protocols.protocol import Outputs
from triptych.protocols.stored_replies import stored_reply, unanswered_note
from triptych.records import Item, Problem, Response
from triptych.store.files.atomic import write_atomically
from triptych.store.files.names import file_names

_FIELD = {task: name for name, task in reversed(list(REPLY_FIELDS.items()))}


def read_outputs(spec: BenchmarkSpec, paths: Sequence[Path], items: Mapping[str, Item] | None = None) -> Outputs:
    """Read JSONL files (or folders of them) with replies. Their own questions and targets are returned as Items.

    A row needs only its clip, the reply and the fields that the reply is scored against. Fields that a row lacks are
    taken from its question in `items`. A row without a reply is unanswered. Raises DataError for a file of an unknown
    task, and if two files give different answers to one question.
    """
    reading = _Reading(items or {})
    for path, named in _files(paths):
        reading.take(path, must=named)
    if not reading.responses:
        raise DataError("no results found", where=", ".join(map(str, paths)), expected="JSONL files with asr_r, su_r …")
    return Outputs(
        reading.responses, reading.items, (*reading.notes, *unanswered_note(reading.responses.values(), "reply"))
    )


def recognises(file: Path) -> bool:
    """Recognise JSON lines with a clip and a reply field (`asr_r`, `su_r` …); see `Benchmark.recognises`."""
    fields = first_fields(file) if file.suffix == ".jsonl" else {}
    return "audio" in fields and not REPLY_FIELDS.keys().isdisjoint(fields)


class _Reading:
    """The rows read so far."""

    def __init__(self, items_by_id: Mapping[str, Item]) -> None:
        self.items_by_id = items_by_id
        self.responses: dict[str, Response] = {}
        self.items: dict[str, Item] = {}
        self.notes: list[str] = []

    def take(self, path: Path, *, must: bool) -> None:
        """Read one more file. Raises DataError if it has no replies but `must`."""
        faults: list[Problem] = []
        rows = list(read_rows(path, faults.append))
        tasks = _answered(path, rows)
        if must and not tasks:
            raise DataError(
                "not a file of MCGA results",
                where=path,
                expected="JSON lines with a reply: asr_r, s2tt_r, sec_r, "
                "sqa_a_r, su_r or sr_r (mt_r, qa_r, lu_r, lr_r of text tasks)",
                got=f"fields {', '.join(first_fields(path)) or 'none'}",
            )
        if not tasks:
            self.notes.append(f"{path}: contains no replies; left out")
        for field_task, task in tasks.items():
            copies: Counter[str] = Counter()
            rows_of_question = Counter(
                (row.clip, row.question(speech_form(task)), row.target(task)) for _, row, _ in rows
            )
            if doubled := sum(n - 1 for n in rows_of_question.values()):
                self.notes.append(f"{path}: {doubled} rows repeat another row's question about the clip; each counts")
            for number, row, answers in rows:
                where = f"{path}:{number}"
                item = to_item(row, task, split=(released(path) or ("", ""))[1], copy=copies[row.clip])
                copies[row.clip] += 1
                if item.id in self.items_by_id and fault_of(row, task):
                    pass  # the question in the data is complete
                elif fault := fault_of(row, task, for_asking=False):
                    faults.append(Problem("error", "malformed-row", where, f"{row.clip}: {fault}"))
                else:  # a translation is judged by the clip's text: it may have no reference
                    self.items[item.id] = item if item.target is not None else msgspec.structs.replace(item, target="")
                self._answer(stored_reply(item.id, answers.get(field_task), "reply"), where)
        self.notes += [f"{p.where}: {p.message}" for p in faults]

    def _answer(self, response: Response, where: str) -> None:
        response_ = self.responses.setdefault(response.item, response)
        if response_ != response:
            fix = "score one model's results at a time"
            raise TwoAnswersError("two answers to one question", where=where, got=response.item, fix=fix)


def _answered(path: Path, rows: Iterable[tuple[int, Row, dict[str, Any]]]) -> dict[str, str]:
    """Return the tasks that a file has replies of: by its fields -> actual, for a file of text replies."""
    words = {*words_of(path), path.parent.name.lower()}
    in_text = "text" in words or bool(words & SPEECH_FORM.keys())
    tasks = dict.fromkeys(task for _, _, answers in rows for task in answers)
    return {task: TEXT_FORM.get(task, task) if in_text else task for task in tasks}


def _files(paths: Sequence[Path]) -> list[tuple[Path, bool]]:
    """Return the files to read, and whether each was named explicitly."""
    files: list[tuple[Path, bool]] = []
    for path in paths:
        if not path.is_dir():
            files.append((path, True))
            continue
        inside = (
            p for p in path.rglob("*.jsonl") if p.is_file() and not any(part.endswith(".verdicts") for part in p.parts)
        )
        files += [(p, False) for p in sorted(inside)]
    return files


def write_outputs(items: Iterable[Item], responses: Iterable[Response], to: Path) -> list[Path]:
    """Write a Run in the authors' format, one file per task: `to/MCGA_asr.jsonl`. A text task's replies are in the
    field of its speech form, in `to/MCGA_lu.jsonl`. An unanswered question has no reply field."""
    responses_by_item = {r.item: r for r in responses if r.repeat == 0}
    rows: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        rows.setdefault(item.task.partition("/")[2], []).append(_row(item, responses_by_item.get(item.id)))
    written, names = [], file_names(rows)
    for task, row in rows.items():
        written.append(to / f"MCGA_{names[task]}.jsonl")
        write_atomically(written[-1], msgspec.json.Encoder().encode_lines(row))
    return written


def _row(item: Item, response: Response | None) -> dict[str, Any]:
    task = item.task.partition("/")[2]
    form = speech_form(task)
    row: dict[str, Any] = {"audio": next((p.path for p in item.parts if p.is_media), item.id.split("/", 2)[2])}
    row |= {name: item.facets[name] for name in ("split", "genre", "dynasty") if name in item.facets}
    row["asr"] = transcript_of(item)
    if form == "sec":
        row |= dict(zip(("sec_1", "sec_2", "sec_3"), str(item.target or "").split("\n", 2), strict=False))
    elif form == "s2tt":
        row["s2tt"] = item.target
    elif form != "asr":
        row |= {form: "".join(p.text for p in item.parts if p.role == "question"), f"{form}_a": item.target}
    if response is not None and response.status in ANY_TEXT:
        row[_FIELD[form]] = response.text
    return row
